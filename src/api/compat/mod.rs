//! Answers in other services' words, for clients that exist: Gotenberg's and Tika's. Off unless the operator names them. The engine,
//! the limits, the fairness, the keys and the log are those of the API; results are streamed in the answer, and nothing is kept.

mod archive;
mod form;
mod gotenberg;
mod gunzip;
mod tika;
mod work;

use super::{auth, convert, parts::Api};
use crate::{
    error::{Error, Kind, Result},
    http::{Admission, Framing, Head, Refusal, Request, Response, Status},
};
use std::str::FromStr;

/// The services that are answered for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compat(Vec<Service>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Service {
    Gotenberg,
    Tika,
}

/// From a list such as `gotenberg,tika`.
impl FromStr for Compat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let service = |name: &str| match name.trim() {
            "gotenberg" => Ok(Service::Gotenberg),
            "tika" => Ok(Service::Tika),
            _ => Err(()),
        };
        text.split(',')
            .map(service)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// A path of another service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Gotenberg(gotenberg::Route),
    Tika(tika::Route),
}

/// The labels of these paths where requests are counted.
pub(super) const LABELS: [&str; 2] = ["gotenberg", "tika"];

impl Route {
    /// Its place among the labels.
    pub(super) fn label(self) -> usize {
        match self {
            Self::Gotenberg(_) => 0,
            Self::Tika(_) => 1,
        }
    }
}

impl Compat {
    /// The route that a path names. Where two services have the same, it is that of the service that was named first.
    pub(super) fn parse(&self, path: &str) -> Option<Route> {
        self.0.iter().find_map(|service| match service {
            Service::Gotenberg => gotenberg::Route::parse(path).map(Route::Gotenberg),
            Service::Tika => tika::Route::parse(path).map(Route::Tika),
        })
    }
}

/// What becomes of a request by its head alone.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Admission {
    let (is_open, answer) = match route {
        Route::Gotenberg(route) => (route.is_open(), gotenberg::admit(api, head, route)),
        Route::Tika(route) => (false, tika::admit(api, head, route)),
    };
    if !is_open && !auth::admits(&api.keys, head) && !auth::admits_basic(&api.keys, head) {
        let status = Status::UNAUTHORIZED;
        let response = refused(head, route, status, status.reason());
        return Admission::Answer(response.field("WWW-Authenticate", "Basic realm=\"convertd\""));
    }
    answer.map_or(Admission::Upload, Admission::Answer)
}

pub(super) fn answer(api: &Api, request: Request<'_, '_>, route: Route) -> Response {
    match route {
        Route::Gotenberg(gotenberg::Route::Form(form)) => gotenberg::answer(api, request, form),
        Route::Tika(route) => tika::answer(api, request, route),
        Route::Gotenberg(_) => refused(request.head, route, Status::NOT_FOUND, "Not Found"),
    }
}

/// What the server refuses, in the words of the service.
pub(super) fn refuse(head: &Head, route: Route, refusal: &Refusal) -> Response {
    refused(head, route, refusal.status, &refusal.detail)
}

fn refused(head: &Head, route: Route, status: Status, text: &str) -> Response {
    match route {
        Route::Gotenberg(_) => gotenberg::refused(head, status, text),
        Route::Tika(_) => tika::refused(status, text),
    }
}

/// Refuses an upload by its head alone.
fn refuse_upload(api: &Api, head: &Head) -> Result<()> {
    if let Framing::Length(len) = head.framing
        && len > Api::max_body(api.max_upload)
    {
        let text = format!(
            "the request has {len} bytes; files may have at most {} bytes",
            api.max_upload
        );
        return Err(Error::new(Kind::TooLarge, text));
    }
    convert::refuse_busy(api)
}
