//! `GET /api/v1/status/{conversion_id}`. Never changes anything.

use super::{
    Api, envelope,
    records::{Progress, Ready, StatusData},
    router::Named,
};
use crate::{
    base_path::BasePath,
    http::{Response, Status},
    id::ConversionId,
    store,
};
use serde::Serialize;
use std::time::SystemTime;

/// The answer, if it is known without waiting. Called in the lobby.
pub(super) fn admit(api: &Api, named: &Named, prefix: &BasePath) -> Option<Response> {
    match named {
        Named::Id(id) if api.store.is_settling(id) => None,
        Named::Id(id) => Some(tell(api, id, prefix)),
        Named::Malformed(text) => Some(not_found(text.clone())),
    }
}

/// Answers on a worker. Waits briefly while a download is about to complete: a client that has just read the last byte must
/// not be told that the result can still be downloaded.
pub(super) fn answer(api: &Api, named: &Named, prefix: &BasePath) -> Response {
    match named {
        Named::Id(id) => {
            api.waiters.with(|wait| api.store.settle(id, wait));
            tell(api, id, prefix)
        }
        Named::Malformed(text) => not_found(text.clone()),
    }
}

fn tell(api: &Api, id: &ConversionId, prefix: &BasePath) -> Response {
    match api.store.status(id, SystemTime::now()) {
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
    envelope::error(super::status_of(failure.kind), failure.message.clone())
}
