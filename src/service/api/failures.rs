//! Errors as answers: turns the kind of an error into a status code. Drop-in services replace some of these codes.

use super::envelope;
use crate::{
    error::{Error, Kind},
    http::{Refusal, Response, Status},
    store,
};

/// The answer 404 for an unknown path. `hint` tells the client where to look.
pub(super) fn nothing_at(path: &str, hint: &str) -> Response {
    let detail = format!("unknown path {path}; {hint}");
    envelope::error(Status::NOT_FOUND, detail)
}

/// The answer to a request that the HTTP server itself refuses.
pub(super) fn refused(refusal: &Refusal) -> Response {
    let response = envelope::error(refusal.status, refusal.detail.clone());
    when_to_repeat(refusal, response)
}

/// Adds `Retry-After` to the answer to a refused request, if a later attempt may succeed.
pub(super) fn when_to_repeat(refusal: &Refusal, response: Response) -> Response {
    match refusal.retry_after {
        Some(after) => response.field("Retry-After", after.as_secs().max(1).to_string()),
        None => response,
    }
}

/// The status code for a kind of error.
pub(super) fn status_of(kind: Kind) -> Status {
    match kind {
        Kind::BadInput | Kind::OutOfMemory | Kind::Disconnected => Status::BAD_REQUEST,
        Kind::TooLarge => Status::PAYLOAD_TOO_LARGE,
        Kind::NotFound => Status::NOT_FOUND,
        Kind::TooSlow => Status::REQUEST_TIMEOUT,
        Kind::Conflict => Status::CONFLICT,
        Kind::Busy | Kind::Unavailable => Status::SERVICE_UNAVAILABLE,
        Kind::StorageFull => Status::INSUFFICIENT_STORAGE,
        Kind::Internal => Status::INTERNAL_SERVER_ERROR,
    }
}

/// Logs the error of a failed operation, and returns the answer to its client.
pub(super) fn failure(error: &Error, request_id: &str) -> Response {
    log_error(error, request_id);
    let (status, detail) = (status_of(error.kind()), error.message().to_owned());
    retry_after(error, envelope::coded_error(status, detail, error.reason()))
}

/// Returns the answer for a shared store that cannot be reached.
pub(super) fn unreachable_store() -> Response {
    let error = store::unreachable();
    let response = envelope::error(status_of(error.kind()), error.message().to_owned());
    retry_after(&error, response)
}

/// Logs an error. The causes of internal faults appear only in the log.
pub(super) fn log_error(error: &Error, request_id: &str) {
    match error.kind() {
        Kind::Internal | Kind::Unavailable | Kind::StorageFull => {
            log::error!("{request_id}: {error}")
        }
        Kind::BadInput
        | Kind::OutOfMemory
        | Kind::Disconnected
        | Kind::TooLarge
        | Kind::NotFound
        | Kind::TooSlow
        | Kind::Conflict
        | Kind::Busy => {
            log::debug!("{request_id}: {error}");
        }
    }
}

/// Adds `Retry-After`, if a later attempt may succeed.
pub(super) fn retry_after(error: &Error, response: Response) -> Response {
    match error.kind() {
        Kind::Busy | Kind::Unavailable | Kind::Conflict | Kind::StorageFull => {
            response.field("Retry-After", "1")
        }
        Kind::BadInput
        | Kind::OutOfMemory
        | Kind::Disconnected
        | Kind::TooLarge
        | Kind::NotFound
        | Kind::TooSlow
        | Kind::Internal => response,
    }
}
