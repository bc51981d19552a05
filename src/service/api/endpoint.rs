//! Types of an endpoint (a path, and for each method its access rule, its handler and its description) and of an
//! interface, which is a list of endpoints. Contains no particular endpoint.

use super::{site, state::Api};
use crate::{
    base_path::BasePath,
    http::{Admission, Body, Head, Method, Response, Status, Wait},
};
use serde_json::Value;
use std::net::IpAddr;

/// Endpoints with the same form of errors: the API itself, or those of a drop-in service.
pub(super) struct Interface {
    /// Label of all requests in the metrics. `None` if each endpoint has its template as label.
    pub(super) label: Option<&'static str>,
    /// The endpoints. If two have the same path, the first one gets it.
    pub(super) endpoints: &'static [Endpoint],
    /// Makes the answer to a request that is refused, with the reason as text.
    pub(super) refuse: fn(&Head, Status, &str) -> Response,
}

/// An endpoint: one path, or a family of paths with a variable part.
pub(super) struct Endpoint {
    /// The path, with the name of the variable part in braces.
    pub(super) template: &'static str,
    /// Returns whether a text is a valid variable part. For a template without braces, the text is what follows the
    /// template in the path, so only an empty text is valid.
    pub(super) has: fn(&str) -> bool,
    /// Methods of the endpoint. Every `GET` implies `HEAD`, and every endpoint has `OPTIONS`.
    pub(super) operations: &'static [Operation],
}

/// A method of an endpoint.
pub(super) struct Operation {
    pub(super) method: Method,
    /// The check for a key. `None` if the operation needs no key.
    pub(super) lock: Option<Lock>,
    pub(super) work: Dispatch,
    /// Makes the entry in the OpenAPI document. `None` if the operation is for people.
    pub(super) describe: Option<fn() -> Value>,
}

/// The check for an API key, if the operator has set keys.
#[derive(Clone, Copy)]
pub(super) struct Lock {
    /// Returns whether a request has one of the keys, or no keys are set.
    pub(super) admits: fn(&Api, &Head) -> bool,
    /// Makes the answer to a request without a key.
    pub(super) refuse: Answer,
}

/// The place where a request is answered: the lobby, which is the thread that polls all waiting connections, or one of
/// the two lanes of worker threads.
#[derive(Clone, Copy)]
pub(super) enum Dispatch {
    /// In the lobby. The function must not block.
    AtOnce(Answer),
    /// On the quick lane. The body, which is not read, tells whether the client is still there.
    Quick(fn(&Api, &Call<'_>, &Body<'_>) -> Response),
    /// If `wait` returns a [`Wait`], the request first stays in the lobby until that wait ends. Then it is answered in
    /// the lobby if `known` returns an answer, and otherwise on the quick lane. Only `answer` may block.
    Known {
        wait: fn(&Api, &Call<'_>) -> Result<Option<Wait>, Response>,
        known: fn(&Api, &Call<'_>) -> Option<Response>,
        answer: Answer,
    },
    /// On the upload lane, unless `admit` refuses the request by its head alone. Only `answer` may block.
    Upload {
        admit: fn(&Api, &Call<'_>) -> Result<(), Response>,
        answer: fn(&Api, &Call<'_>, &mut Body<'_>) -> Response,
    },
}

/// Function that makes an answer.
pub(super) type Answer = fn(&Api, &Call<'_>) -> Response;

/// A request to an endpoint, without its body.
pub(super) struct Call<'a> {
    pub(super) interface: &'static Interface,
    pub(super) endpoint: &'static Endpoint,
    pub(super) head: &'a Head,
    /// The address of the client, or of the proxy in front of it.
    pub(super) peer: IpAddr,
    /// The part of the path in place of the template's braces, as the client wrote it.
    pub(super) rest: &'a str,
}

impl Call<'_> {
    /// Returns the prefix of all paths in the answer.
    pub(super) fn prefix(&self, api: &Api) -> BasePath {
        site::prefix(api, self.head, self.peer)
    }

    /// Returns the operation of the request's method, or the answer to `OPTIONS` and to methods that are not allowed.
    pub(super) fn operation(&self) -> Result<&'static Operation, Response> {
        let method = self.head.method;
        if method == Method::Options {
            let response = Response::new(Status::NO_CONTENT);
            return Err(response.field("Allow", self.endpoint.allowed()));
        }
        self.endpoint.operation(method).ok_or_else(|| {
            let allowed = self.endpoint.allowed();
            self.not_allowed(&format!(
                "the method {method} is not allowed here; allowed are {allowed}"
            ))
        })
    }

    /// Returns the answer 405 (method not allowed), with a reason and the allowed methods.
    pub(super) fn not_allowed(&self, reason: &str) -> Response {
        (self.interface.refuse)(self.head, Status::METHOD_NOT_ALLOWED, reason)
            .field("Allow", self.endpoint.allowed())
    }
}

impl Operation {
    /// An operation that needs no key, and that the OpenAPI document leaves out, such as a page for people.
    pub(super) const fn open(method: Method, work: Dispatch) -> Self {
        Self {
            method,
            lock: None,
            work,
            describe: None,
        }
    }
}

impl Interface {
    /// Finds the endpoint of a path, and the part of the path in the place of the braces. `None` for an unknown path.
    pub(super) fn find<'p>(&self, path: &'p str) -> Option<(&'static Endpoint, &'p str)> {
        self.endpoints
            .iter()
            .find_map(|endpoint| Some((endpoint, endpoint.rest(path)?)))
    }
}

impl Endpoint {
    /// Returns the part of `path` at the position of the template's braces. `None` if `path` does not belong to this
    /// endpoint.
    pub(super) fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (before, _) = self.template.split_once('{').unwrap_or((self.template, ""));
        path.strip_prefix(before).filter(|rest| (self.has)(rest))
    }

    /// Returns the operation of a method. `HEAD` has that of `GET`.
    pub(super) fn operation(&self, method: Method) -> Option<&'static Operation> {
        let method = match method {
            Method::Head => Method::Get,
            method => method,
        };
        self.operations.iter().find(|known| known.method == method)
    }

    /// Returns the value of the header field `Allow`.
    pub(super) fn allowed(&self) -> String {
        let methods = Method::ALL.into_iter();
        let methods = methods
            .filter(|method| *method == Method::Options || self.operation(*method).is_some());
        methods.map(Method::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl Dispatch {
    /// Decides by the head alone where a request is answered. Must not block, because it runs in the lobby.
    pub(super) fn admit(&self, api: &Api, call: &Call<'_>) -> Result<Admission, Response> {
        match self {
            Self::AtOnce(answer) => Ok(Admission::Answer(answer(api, call))),
            Self::Quick(_) => Ok(Admission::Quick),
            Self::Known { wait, known, .. } => Ok(match wait(api, call)? {
                Some(wait) => Admission::Wait(wait),
                None => known(api, call).map_or(Admission::Quick, Admission::Answer),
            }),
            Self::Upload { admit, .. } => admit(api, call).map(|()| Admission::Upload),
        }
    }

    /// Returns the answer to a request that has waited, if the answer is known. Must not block.
    pub(super) fn known(&self, api: &Api, call: &Call<'_>) -> Option<Response> {
        match self {
            Self::Known { known, .. } => known(api, call),
            Self::AtOnce(_) | Self::Quick(_) | Self::Upload { .. } => None,
        }
    }

    /// Returns the answer of a worker. May block.
    pub(super) fn answer(&self, api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
        match self {
            Self::AtOnce(answer) | Self::Known { answer, .. } => answer(api, call),
            Self::Quick(answer) => answer(api, call, body),
            Self::Upload { answer, .. } => answer(api, call, body),
        }
    }
}
