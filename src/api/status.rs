//! `GET /api/v1/status/{conversion_id}`. Changes nothing.

use super::{
    Api, BRIEF,
    convert::{RecordData, download_path},
    envelope,
    router::Named,
};
use crate::{
    format::{self, Category},
    http::{Response, Status},
    store,
};
use serde::Serialize;
use std::time::SystemTime;

/// The status record.
#[derive(Serialize)]
pub(super) struct StatusData {
    pub(super) conversion_id: String,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) download_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) progress: Option<Progress>,
}

/// How far a conversion is.
#[derive(Serialize)]
pub(super) struct Progress {
    /// From 0 to 1.
    fraction: f64,
    /// Of sound: how much is converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_done: Option<f64>,
    /// Of sound: how much there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_total: Option<f64>,
}

impl Progress {
    fn new(target_format: &str, done: u64, total: u64) -> Self {
        // Converters of sound count milliseconds, see `Gate::progress`.
        let is_sound =
            format::by_name(target_format).is_some_and(|format| format.category == Category::Audio);
        let seconds = |milliseconds: u64| is_sound.then_some(milliseconds as f64 / 1e3);
        let fraction = if total == 0 {
            0.0
        } else {
            (done as f64 / total as f64).min(1.0)
        };
        Self {
            fraction,
            seconds_done: seconds(done),
            seconds_total: seconds(total),
        }
    }
}

#[derive(Serialize)]
struct Ready<'a> {
    status: &'static str,
    #[serde(flatten)]
    record: RecordData<'a>,
}

pub(super) fn answer(api: &Api, named: &Named) -> Response {
    let id = match named {
        Named::Id(id) => id,
        Named::Malformed(text) => return not_found(text.clone()),
    };
    // Whoever has just read the last byte must not be told that it is still to be had.
    api.store.settle(id, BRIEF);
    let message = "Conversion status";
    match api.store.status(id, SystemTime::now()) {
        store::Status::NotFound => not_found(id.to_string()),
        store::Status::Processing { progress, request } => {
            let progress =
                progress.map(|(done, total)| Progress::new(&request.target_format, done, total));
            envelope::success(
                Status::OK,
                message,
                StatusData {
                    progress,
                    ..StatusData::processing(id.to_string())
                },
            )
        }
        store::Status::Ready(record) => envelope::success(
            Status::OK,
            message,
            Ready {
                status: "ready",
                record: RecordData::new(&record),
            },
        ),
        store::Status::Expired { expires_at, .. } => {
            let data = StatusData {
                status: "expired",
                expires_at: Some(envelope::rfc3339(expires_at)),
                ..StatusData::processing(id.to_string())
            };
            envelope::success(Status::OK, message, data)
        }
        store::Status::Failed(failure) => failed(&failure),
    }
}

impl StatusData {
    /// A conversion that is under way: its link is not issued yet, so that it has no end.
    pub(super) fn processing(conversion_id: String) -> Self {
        let download_url = Some(download_path(&conversion_id));
        Self {
            conversion_id,
            status: "processing",
            expires_at: None,
            download_url,
            progress: None,
        }
    }
}

/// The answer about a conversion that ended in an error.
pub(super) fn failed(failure: &store::Failure) -> Response {
    let status = if failure.client_fault {
        Status::BAD_REQUEST
    } else {
        Status::INTERNAL_SERVER_ERROR
    };
    envelope::error(status, failure.message.clone())
}

fn not_found(conversion_id: String) -> Response {
    let data = StatusData {
        conversion_id,
        status: "not_found",
        expires_at: None,
        download_url: None,
        progress: None,
    };
    envelope::success(Status::OK, "No conversion has this identifier", data)
}
