//! The JSON envelope around answers of the API, other than files and documents that have a format of their own. Does
//! not depend on endpoints.

use crate::{
    error::Reason,
    http::{Payload, Response, Status},
};
use serde::Serialize;
use std::{borrow::Cow, time::SystemTime};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

#[derive(Serialize)]
struct Success<'a, T> {
    success: bool,
    message: &'a str,
    data: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

#[derive(Serialize)]
struct Failure<'a> {
    success: bool,
    message: &'a str,
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Reason>,
    timestamp: String,
}

/// Returns a time as `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339), in whole seconds.
pub(super) fn rfc3339(at: SystemTime) -> String {
    OffsetDateTime::from(at)
        .replace_nanosecond(0)
        .ok()
        .and_then(|at| at.format(&Rfc3339).ok())
        // Formatting fails only for years beyond 9999.
        .unwrap_or_else(|| "9999-12-31T23:59:59Z".into())
}

/// Returns a successful answer with its data.
pub(super) fn success(status: Status, message: &str, data: impl Serialize) -> Response {
    encode(
        status,
        &Success {
            success: true,
            message,
            data,
            timestamp: None,
        },
    )
}

/// Returns a successful answer with its data and the current time, for the health check.
pub(super) fn timed_success(message: &str, data: impl Serialize, now: SystemTime) -> Response {
    encode(
        Status::OK,
        &Success {
            success: true,
            message,
            data,
            timestamp: Some(rfc3339(now)),
        },
    )
}

/// Returns the JSON of a successful answer that never changes. [`json`] sends it.
pub(super) fn success_bytes(message: &str, data: impl Serialize) -> Vec<u8> {
    to_vec(&Success {
        success: true,
        message,
        data,
        timestamp: None,
    })
}

/// Returns an error answer. `detail` is a sentence that tells the reader what to do.
pub(super) fn error(status: Status, detail: impl Into<Cow<'static, str>>) -> Response {
    coded_error(status, detail, None)
}

/// Returns an error answer with a code, for faults that a program may handle by itself.
pub(super) fn coded_error(
    status: Status,
    detail: impl Into<Cow<'static, str>>,
    code: Option<Reason>,
) -> Response {
    let (detail, timestamp) = (detail.into(), rfc3339(SystemTime::now()));
    let response = encode(
        status,
        &Failure {
            success: false,
            message: status.reason(),
            error: &detail,
            code,
            timestamp,
        },
    );
    response.reason(detail)
}

/// Returns an answer whose content is this JSON text.
pub(super) fn json(status: Status, bytes: impl Into<Cow<'static, [u8]>>) -> Response {
    Response::new(status)
        .field("Content-Type", "application/json")
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .payload(Payload::Bytes(bytes.into()))
}

fn encode(status: Status, value: &impl Serialize) -> Response {
    json(status, to_vec(value))
}

fn to_vec(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|err| {
        log::error!("an answer could not be written: {err}");
        br#"{"success":false,"message":"Internal Server Error","error":"the answer could not be written"}"#.to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_utc_in_whole_seconds() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_226_416_789);
        assert_eq!(rfc3339(at), "2026-11-21T02:00:16Z");
    }
}
