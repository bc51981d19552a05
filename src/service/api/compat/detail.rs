//! JSON answers in the form of programs that use FastAPI: a value, or `{"detail": …}` with the reason of a failure.
//! Contains no code for a particular program.

use super::work::refuse_upload;
use crate::{
    api::{
        endpoint::Call,
        failures::{log_error, retry_after, status_of},
        state::Api,
    },
    error::{Error, Kind},
    http::{Payload, Response, Status},
};
use serde_json::{Value, json};

/// Refuses an upload by its head alone.
pub(super) fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    refuse_upload(api, call.head).map_err(|error| failed(&error, &call.head.request_id))
}

/// Returns the answer to a failed request. A file that cannot be converted gets 422, so that the client may try another
/// loader.
pub(super) fn failed(error: &Error, request_id: &str) -> Response {
    log_error(error, request_id);
    let status = match error.kind() {
        Kind::BadInput | Kind::OutOfMemory => Status::UNPROCESSABLE,
        kind => status_of(kind),
    };
    retry_after(error, refused(status, error.message()))
}

/// Returns the answer to a request that this service or its HTTP server refuses.
pub(super) fn refused(status: Status, why: &str) -> Response {
    json_of(status, &json!({ "detail": why })).reason(why)
}

/// Returns an answer with this value as JSON.
pub(super) fn json_of(status: Status, value: &Value) -> Response {
    Response::new(status)
        .field("Content-Type", "application/json")
        .field("Cache-Control", "no-store")
        .payload(Payload::Bytes(value.to_string().into_bytes().into()))
}
