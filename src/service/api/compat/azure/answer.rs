//! Answers in Azure's form: JSON with a state, a value or an error.

use crate::{
    api::{
        envelope,
        failures::{log_error, retry_after, status_of},
    },
    error::{Error, Kind},
    http::{Payload, Response, Status},
    store::Unavailable,
};
use serde_json::{Value, json};
use std::time::SystemTime;

/// Returns the members of the JSON that describe the state of an analysis.
pub(super) fn state(status: &str, since: SystemTime) -> Value {
    json!({
        "status": status,
        "createdDateTime": envelope::rfc3339(since),
        "lastUpdatedDateTime": envelope::rfc3339(SystemTime::now()),
    })
}

/// Returns an answer with this value as JSON.
pub(super) fn json_of(status: Status, value: &Value) -> Response {
    Response::new(status)
        .field("Content-Type", "application/json")
        .payload(Payload::Bytes(value.to_string().into_bytes().into()))
}

/// Returns an error in Azure's format.
pub(super) fn error_json(code: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "innererror": { "code": code, "message": message } } })
}

/// Returns an answer with an error in Azure's format.
pub(super) fn error_of(status: Status, code: &str, message: &str) -> Response {
    json_of(status, &error_json(code, message)).reason(message)
}

/// Returns Azure's code for a kind of error.
pub(super) fn code_of(kind: Kind) -> &'static str {
    match kind {
        Kind::BadInput | Kind::OutOfMemory | Kind::Disconnected | Kind::TooSlow => "InvalidRequest",
        Kind::TooLarge => "InvalidContentLength",
        Kind::NotFound => "NotFound",
        Kind::Conflict => "Conflict",
        Kind::Busy | Kind::Unavailable => "ServiceUnavailable",
        Kind::StorageFull | Kind::Internal => "InternalServerError",
    }
}

/// Logs the error of a failed operation, and returns the answer to its client.
pub(super) fn failed(error: &Error, request_id: &str) -> Response {
    log_error(error, request_id);
    let response = error_of(
        status_of(error.kind()),
        code_of(error.kind()),
        error.message(),
    );
    retry_after(error, response)
}

/// Returns the answer to a request that this service or its HTTP server refuses.
pub(super) fn refused(status: Status, text: &str) -> Response {
    let code = match status {
        Status::UNAUTHORIZED => "401",
        Status::NOT_FOUND => "NotFound",
        _ => "InvalidRequest",
    };
    error_of(status, code, text)
}

/// Returns the answer for an unknown analysis.
pub(super) fn gone() -> Response {
    refused(
        Status::NOT_FOUND,
        "unknown analysis, or its result has expired",
    )
}

/// Returns the answer for a result that cannot be read.
pub(super) fn unavailable(why: &Unavailable) -> Response {
    match why {
        Unavailable::NotFound | Unavailable::Expired { .. } => gone(),
        Unavailable::Processing => refused(Status::NOT_FOUND, "the analysis is still in progress")
            .field("Retry-After", "1"),
        _ => refused(
            Status::SERVICE_UNAVAILABLE,
            "the result cannot be read at the moment; try again later",
        )
        .field("Retry-After", "1"),
    }
}
