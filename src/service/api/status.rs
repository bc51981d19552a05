//! `GET /api/v1/status/{conversion_id}`. Changes nothing.

use super::{
    endpoint::Call,
    envelope,
    failures::{failure, status_of, unreachable_store},
    path_id::Named,
    query,
    records::{Progress, Ready, StatusData},
    state::Api,
};
use crate::{
    base_path::BasePath,
    error::{Error, Kind, quoted},
    http::{Head, Response, Status, Wait},
    id::ConversionId,
    store,
};
use serde::Serialize;
use std::time::{Duration, SystemTime};

/// Limit on the time that a request may wait for the end of a conversion, in seconds.
pub(super) const MAX_WAIT: u64 = 60;

/// The wait that `?wait=SECONDS` asks for, if the conversion is in progress.
pub(super) fn wait(api: &Api, call: &Call<'_>) -> Result<Option<Wait>, Response> {
    let limit = limit(call.head).map_err(|error| failure(&error, &call.head.request_id))?;
    let Named::Id(id) = Named::parse(call.rest) else {
        return Ok(None);
    };
    let waits = !limit.is_zero() && api.store.watch(&id, limit);
    Ok(waits.then(|| Wait {
        topic: id.number(),
        limit,
    }))
}

/// The answer, if it is known without waiting. Must not block, because the thread that polls all waiting connections
/// calls it.
pub(super) fn known(api: &Api, call: &Call<'_>) -> Option<Response> {
    match Named::parse(call.rest) {
        Named::Id(id) => {
            let status = api.store.status_at_once(&id, SystemTime::now())?;
            Some(status_response(&id, status, &call.prefix(api)))
        }
        Named::Malformed(text) => Some(not_found(text)),
    }
}

/// Reads the parameter `wait`.
///
/// Errors: [`Kind::BadInput`] with the accepted values.
fn limit(head: &Head) -> Result<Duration, Error> {
    let Some(text) = query::parameter(head, "wait")? else {
        return Ok(Duration::ZERO);
    };
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = text.parse().ok().filter(|&seconds| seconds <= MAX_WAIT);
    seconds
        .filter(|_| is_number)
        .map(Duration::from_secs)
        .ok_or_else(|| {
            let text = format!(
                "wait is {}; it must be a whole number of seconds from 0 to {MAX_WAIT}",
                quoted(&text)
            );
            Error::new(Kind::BadInput, text)
        })
}

/// Answers on a worker. Waits briefly while a download is about to complete. Otherwise a client that has just read the
/// last byte could learn that the result can still be downloaded.
pub(super) fn answer(api: &Api, call: &Call<'_>) -> Response {
    match Named::parse(call.rest) {
        Named::Id(id) => {
            let ask = |wait| api.store.status(&id, SystemTime::now(), wait);
            status_response(&id, api.waiters.with(ask), &call.prefix(api))
        }
        Named::Malformed(text) => not_found(text),
    }
}

/// The answer for a status in the store.
fn status_response(id: &ConversionId, status: store::Status, prefix: &BasePath) -> Response {
    match status {
        store::Status::NotFound => not_found(id.to_string()),
        store::Status::Processing { progress, .. } => {
            // Without a total, the fraction is unknown.
            let progress = progress.filter(|progress| progress.total > 0);
            let progress = progress.map(Progress::new);
            success(&StatusData::processing(id.to_string(), prefix).with_progress(progress))
        }
        store::Status::Ready(record) => success(&Ready::new(&record, prefix)),
        store::Status::Expired { expires_at, .. } => {
            success(&StatusData::expired(id.to_string(), prefix, expires_at))
        }
        store::Status::Failed(failure) => failed(&failure),
        store::Status::Unreachable => unreachable_store(),
    }
}

fn success(data: &impl Serialize) -> Response {
    envelope::success(Status::OK, "Conversion status", data)
}

fn not_found(conversion_id: String) -> Response {
    envelope::success(
        Status::OK,
        "No conversion has this identifier",
        StatusData::not_found(conversion_id),
    )
}

/// The answer about a failed conversion. A client that had waited for the conversion would have got the same answer.
fn failed(failure: &store::Failure) -> Response {
    let detail = failure.message.clone();
    envelope::coded_error(status_of(failure.kind), detail, failure.reason)
}
