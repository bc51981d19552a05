//! Drop-in answers for existing clients of other services: Gotenberg, Tika, docling, Open WebUI's loader and Azure's
//! Read model. Off unless the operator names them. The engine, limits, fairness, keys and log are those of the API.
//! Results are streamed in the answer. Only results of Azure's Read model are stored.
//!
//! Each service is a list of endpoints like those of the API, with errors in the form that its clients expect.

#[cfg(feature = "ocr")]
mod azure;
mod base64_json;
mod detail;
mod detect;
mod docling;
mod form;
mod gotenberg;
mod gunzip;
mod json_text;
mod openwebui;
mod pages;
mod tika;
mod work;

use super::{
    archive, auth,
    endpoint::{Call, Dispatch, Interface, Lock, Operation},
    item,
    state::Api,
};
use crate::http::{Method, Response, Status};
use std::str::FromStr;

/// The services. Their labels in metrics are also their names on the command line.
static SERVICES: &[&Interface] = &[
    #[cfg(feature = "ocr")]
    &azure::INTERFACE,
    &docling::INTERFACE,
    &gotenberg::INTERFACE,
    &openwebui::INTERFACE,
    &tika::INTERFACE,
];

/// Names of the enabled services, in the order in which the operator named them. If two services have the same path,
/// the first one gets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compat(Vec<&'static str>);

/// Parses a list such as `gotenberg,tika`.
impl FromStr for Compat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let known = |name: &str| {
            let mut names = labels();
            names.find(|known| *known == name.trim()).ok_or(())
        };
        text.split(',')
            .map(known)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Compat {
    /// The enabled services, in the order of their precedence.
    pub(super) fn interfaces(&self) -> impl Iterator<Item = &'static Interface> {
        let find = |name: &&str| SERVICES.iter().find(|known| known.label == Some(name));
        self.0.iter().filter_map(find).copied()
    }
}

/// The labels of all services in metrics.
pub(super) fn labels() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().filter_map(|service| service.label)
}

/// The check for a key, which clients of other services may also send as a password.
const KEY: Lock = Lock {
    admits: |api, head| auth::admits(&api.keys, head) || auth::admits_basic(&api.keys, head),
    refuse: challenge,
};

/// An operation that needs a key, if keys are set.
const fn keyed(method: Method, work: Dispatch) -> Operation {
    locked(KEY, method, work)
}

const fn locked(lock: Lock, method: Method, work: Dispatch) -> Operation {
    Operation {
        method,
        lock: Some(lock),
        work,
        describe: None,
    }
}

/// Operations with the same answer for each method, such as an error for unknown paths.
const fn all_methods(lock: Lock, work: Dispatch) -> [Operation; 4] {
    [
        locked(lock, Method::Get, work),
        locked(lock, Method::Post, work),
        locked(lock, Method::Put, work),
        locked(lock, Method::Delete, work),
    ]
}

/// Returns the answer to a request without a valid key.
fn challenge(_: &Api, call: &Call<'_>) -> Response {
    let status = Status::UNAUTHORIZED;
    (call.interface.refuse)(call.head, status, status.reason())
        .field("WWW-Authenticate", "Basic realm=\"convertd\"")
}
