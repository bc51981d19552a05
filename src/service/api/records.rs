//! The conversion record and the status record of the interface, as JSON. Does not depend on endpoints.

use super::envelope;
use crate::{
    base_path::BasePath,
    job::{self, Unit},
    store::Record,
};
use serde::Serialize;
use std::time::SystemTime;

/// The conversion record, which describes a result. Sizes are in bytes, and `conversion_time` is in seconds.
#[derive(Serialize)]
pub(super) struct RecordData<'a> {
    conversion_id: String,
    original_filename: &'a str,
    original_format: &'a str,
    target_format: &'a str,
    file_size: u64,
    conversion_time: f64,
    download_url: String,
    expires_at: String,
    media_type: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> RecordData<'a> {
    /// Makes the record. `prefix` is the prefix of the service's paths for the client.
    pub(super) fn new(record: &'a Record, prefix: &BasePath) -> Self {
        let conversion_id = record.id.to_string();
        Self {
            download_url: download_path(prefix, &conversion_id),
            conversion_id,
            original_filename: &record.original_filename,
            original_format: &record.original_format,
            target_format: &record.target_format,
            file_size: record.file_size,
            conversion_time: record.conversion_time,
            expires_at: envelope::rfc3339(record.expires_at()),
            media_type: &record.media_type,
            notes: &record.notes,
        }
    }
}

/// The path of a result on this host.
fn download_path(prefix: &BasePath, conversion_id: &str) -> String {
    format!("{prefix}/api/v1/download/{conversion_id}")
}

/// The status record of a conversion without a result to download.
#[derive(Serialize)]
pub(super) struct StatusData {
    conversion_id: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
}

/// Progress of a running conversion.
#[derive(Serialize)]
pub(super) struct Progress {
    /// Converted part of the whole, from 0 to 1.
    fraction: f64,
    /// For sound only: duration of the converted part, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_done: Option<f64>,
    /// For sound only: the whole duration in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_total: Option<f64>,
}

impl Progress {
    /// The progress as a fraction. Seconds are known only for sound, whose converters report milliseconds.
    pub(super) fn new(progress: job::Progress) -> Self {
        let job::Progress { done, total, unit } = progress;
        let seconds = |milliseconds: u64| match unit {
            Unit::Milliseconds => Some(milliseconds as f64 / 1e3),
            Unit::Rows | Unit::Frames | Unit::Pages | Unit::Steps => None,
        };
        let fraction = if total == 0 {
            0.0
        } else {
            (done as f64 / total as f64).min(1.0)
        };
        Self {
            fraction,
            seconds_done: seconds(done.min(total)),
            seconds_total: seconds(total),
        }
    }
}

impl StatusData {
    /// A conversion that has not finished. The lifetime of its link has not begun, so `expires_at` is left out.
    pub(super) fn processing(conversion_id: String, prefix: &BasePath) -> Self {
        let download_url = Some(download_path(prefix, &conversion_id));
        Self {
            conversion_id,
            status: "processing",
            expires_at: None,
            download_url,
            progress: None,
        }
    }

    pub(super) fn with_progress(self, progress: Option<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// A conversion whose result has been deleted.
    pub(super) fn expired(
        conversion_id: String,
        prefix: &BasePath,
        expires_at: SystemTime,
    ) -> Self {
        let expires_at = Some(envelope::rfc3339(expires_at));
        Self {
            status: "expired",
            expires_at,
            ..Self::processing(conversion_id, prefix)
        }
    }

    /// An unknown conversion. `conversion_id` is the identifier as the client wrote it.
    pub(super) fn not_found(conversion_id: String) -> Self {
        Self {
            conversion_id,
            status: "not_found",
            expires_at: None,
            download_url: None,
            progress: None,
        }
    }
}

/// The status record of a result that can be downloaded. It includes the whole conversion record.
#[derive(Serialize)]
pub(super) struct Ready<'a> {
    status: &'static str,
    #[serde(flatten)]
    record: RecordData<'a>,
}

impl<'a> Ready<'a> {
    pub(super) fn new(record: &'a Record, prefix: &BasePath) -> Self {
        Self {
            status: "ready",
            record: RecordData::new(record, prefix),
        }
    }
}
