//! Type of an endpoint: a path, and for each method its access rule, its handler and its description. Contains no
//! particular endpoint.

use super::{envelope, site, state::Api};
use crate::{
    base_path::BasePath,
    http::{Admission, Body, Head, Method, Response, Status, Wait},
};
use serde_json::Value;
use std::net::IpAddr;

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
    /// The answer to a client without a key. `None` if the operation needs no key.
    pub(super) locked: Option<Answer>,
    pub(super) work: Dispatch,
    /// Makes the entry in the OpenAPI document. `None` if the operation is for people.
    pub(super) describe: Option<fn() -> Value>,
}

/// The place where a request is answered: the lobby, which is the thread that polls all waiting connections, or one of
/// the two lanes of worker threads.
pub(super) enum Dispatch {
    /// In the lobby. The function must not block.
    AtOnce(Answer),
    /// On the quick lane.
    Quick(Answer),
    /// If `wait` returns a wait, the request first stays in the lobby until there is news. Then it is answered in the
    /// lobby if `known` returns an answer, and otherwise on the quick lane. Only `answer` may block.
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
}

impl Endpoint {
    /// Returns the part of `path` at the position of the template's braces. `None` if `path` does not belong to this
    /// endpoint.
    pub(super) fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (before, _) = self.template.split_once('{').unwrap_or((self.template, ""));
        path.strip_prefix(before).filter(|rest| (self.has)(rest))
    }

    /// Returns the operation of a method, or the answer to `OPTIONS` and to methods that are not allowed.
    pub(super) fn operation(&self, method: Method) -> Result<&'static Operation, Response> {
        if method == Method::Options {
            return Err(Response::new(Status::NO_CONTENT).field("Allow", self.allowed()));
        }
        self.find(method).ok_or_else(|| {
            let allowed = self.allowed();
            let detail = format!("{method} is not allowed here; allowed are {allowed}");
            self.not_allowed(detail)
        })
    }

    /// Returns the answer 405 (method not allowed), with a reason and the allowed methods.
    pub(super) fn not_allowed(&self, detail: impl Into<String>) -> Response {
        envelope::error(Status::METHOD_NOT_ALLOWED, detail.into()).field("Allow", self.allowed())
    }

    /// Returns the value of the header field `Allow`.
    pub(super) fn allowed(&self) -> String {
        let methods = Method::ALL.into_iter();
        let methods =
            methods.filter(|method| *method == Method::Options || self.find(*method).is_some());
        methods.map(Method::as_str).collect::<Vec<_>>().join(", ")
    }

    fn find(&self, method: Method) -> Option<&'static Operation> {
        let method = match method {
            Method::Head => Method::Get,
            method => method,
        };
        self.operations.iter().find(|known| known.method == method)
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
            Self::AtOnce(answer) | Self::Quick(answer) | Self::Known { answer, .. } => {
                answer(api, call)
            }
            Self::Upload { answer, .. } => answer(api, call, body),
        }
    }
}
