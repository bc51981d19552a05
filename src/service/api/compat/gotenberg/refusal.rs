//! Errors in Gotenberg's form: a status code, and a sentence as plain text.

use crate::{
    api::failures::{log_error, retry_after, status_of},
    error::{Error, Kind},
    http::{Payload, Response, Status},
};

/// Message about an unsupported level of PDF/A, or a file that cannot conform to PDF/A or PDF/UA.
pub(super) const UNSUPPORTED: &str = "The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.";

/// The reason why a request fails.
pub(super) enum Refusal {
    /// A refusal with this status, and a message in Gotenberg's words.
    Plain(Status, String),
    /// An error from another part of this service.
    Failed(Error),
}

impl Refusal {
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self::Plain(Status::BAD_REQUEST, text.into())
    }

    /// Refusal of a form, with a list of its problems.
    pub(super) fn form(problems: &str) -> Self {
        Self::bad(format!("Invalid form data: {problems}"))
    }

    /// Returns the answer with the refusal. The message of an internal error is only logged.
    pub(super) fn answer(self, request_id: &str) -> Response {
        match self {
            Self::Plain(status, text) => plain(status, text),
            Self::Failed(error) => {
                log_error(&error, request_id);
                let text = match error.kind() {
                    Kind::Internal => Status::INTERNAL_SERVER_ERROR.reason().to_owned(),
                    _ => error.message().to_owned(),
                };
                retry_after(&error, plain(status_of(error.kind()), text))
            }
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Returns an answer with a plain text.
pub(super) fn plain(status: Status, text: impl Into<String>) -> Response {
    let text = text.into();
    Response::new(status)
        .reason(&*text)
        .field("Content-Type", "text/plain; charset=UTF-8")
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .payload(Payload::Bytes(text.into_bytes().into()))
}
