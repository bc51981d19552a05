//! `GET /api/v1/status/{conversion_id}`. Changes nothing.

use super::{
    Api, envelope,
    records::{Progress, Ready, StatusData},
    router::Named,
};
use crate::{
    http::{Response, Status},
    store,
};
use serde::Serialize;
use std::time::SystemTime;

pub(super) fn answer(api: &Api, named: &Named) -> Response {
    let id = match named {
        Named::Id(id) => id,
        Named::Malformed(text) => return not_found(text.clone()),
    };
    // Whoever has just read the last byte must not be told that it is still to be had.
    api.waiters.with(|wait| api.store.settle(id, wait));
    match api.store.status(id, SystemTime::now()) {
        store::Status::NotFound => not_found(id.to_string()),
        store::Status::Processing { progress, request } => {
            let progress =
                progress.map(|(done, total)| Progress::new(&request.target_format, done, total));
            told(&StatusData::processing(id.to_string()).with_progress(progress))
        }
        store::Status::Ready(record) => told(&Ready::new(&record)),
        store::Status::Expired { expires_at, .. } => {
            told(&StatusData::expired(id.to_string(), expires_at))
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

/// The answer about a conversion that ended in an error.
fn failed(failure: &store::Failure) -> Response {
    let status = if failure.client_fault {
        Status::BAD_REQUEST
    } else {
        Status::INTERNAL_SERVER_ERROR
    };
    envelope::error(status, failure.message.clone())
}
