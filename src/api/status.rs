//! `GET /api/v1/status/{conversion_id}`. Never changes anything.

use super::{
    envelope,
    failures::{failure, status_of, unreachable_store},
    parts::Api,
    query,
    records::{Progress, Ready, StatusData},
    router::Named,
};
use crate::{
    base_path::BasePath,
    error::{Error, Kind, Result, quoted},
    http::{Admission, Head, Response, Status, Wait},
    id::ConversionId,
    store,
};
use serde::Serialize;
use std::time::{Duration, SystemTime};

/// How long a request may wait for the end of a conversion, in seconds.
pub(super) const MAX_WAIT: u64 = 60;

/// What to do with a request: `?wait=SECONDS` has it wait for as long as the conversion is in progress.
pub(super) fn admit(api: &Api, head: &Head, named: &Named, prefix: &BasePath) -> Admission {
    let limit = match wait(head) {
        Ok(limit) => limit,
        Err(error) => return Admission::Answer(failure(&error, &head.request_id)),
    };
    match named {
        Named::Id(id) if !limit.is_zero() && api.store.watch(id, limit) => Admission::Wait(Wait {
            topic: id.number(),
            limit,
        }),
        Named::Id(_) | Named::Malformed(_) => {
            known(api, named, prefix).map_or(Admission::Quick, Admission::Answer)
        }
    }
}

/// The answer, if it is known without waiting. Called in the lobby.
pub(super) fn known(api: &Api, named: &Named, prefix: &BasePath) -> Option<Response> {
    match named {
        Named::Id(id) => {
            let status = api.store.status_at_once(id, SystemTime::now())?;
            Some(tell(id, status, prefix))
        }
        Named::Malformed(text) => Some(not_found(text.clone())),
    }
}

/// How long the client would wait.
///
/// Errors: [`Kind::BadInput`] naming what it may be.
fn wait(head: &Head) -> Result<Duration> {
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

/// Answers on a worker. Waits briefly while a download is about to complete: a client that has just read the last byte must
/// not be told that the result can still be downloaded.
pub(super) fn answer(api: &Api, named: &Named, prefix: &BasePath) -> Response {
    match named {
        Named::Id(id) => {
            let ask = |wait| api.store.status(id, SystemTime::now(), wait);
            tell(id, api.waiters.with(ask), prefix)
        }
        Named::Malformed(text) => not_found(text.clone()),
    }
}

fn tell(id: &ConversionId, status: store::Status, prefix: &BasePath) -> Response {
    match status {
        store::Status::NotFound => not_found(id.to_string()),
        store::Status::Processing { progress, .. } => {
            // Without a total, the fraction is unknown.
            let progress = progress.filter(|progress| progress.total > 0);
            let progress = progress.map(Progress::new);
            told(&StatusData::processing(id.to_string(), prefix).with_progress(progress))
        }
        store::Status::Ready(record) => told(&Ready::new(&record, prefix)),
        store::Status::Expired { expires_at, .. } => {
            told(&StatusData::expired(id.to_string(), prefix, expires_at))
        }
        store::Status::Failed(failure) => failed(&failure),
        store::Status::Unreachable => unreachable_store(),
    }
}

fn told(data: &impl Serialize) -> Response {
    envelope::success(Status::OK, "Conversion status", data)
}

fn not_found(conversion_id: String) -> Response {
    envelope::success(
        Status::OK,
        "No conversion has this identifier",
        StatusData::not_found(conversion_id),
    )
}

/// The answer about a conversion that failed: the same that a client would have got if it had waited for the conversion.
fn failed(failure: &store::Failure) -> Response {
    envelope::error(status_of(failure.kind), failure.message.clone())
}
