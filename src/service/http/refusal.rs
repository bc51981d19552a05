//! Refusals of requests by the server itself, instead of an answer by the application.

use super::status::Status;
use std::{borrow::Cow, time::Duration};

/// Reason why the server itself refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status code, for programs.
    pub status: Status,
    /// The reason, for people.
    pub detail: Cow<'static, str>,
    /// Time after which the same request may succeed; `None` if it never will.
    pub retry_after: Option<Duration>,
}

impl Refusal {
    /// A permanent refusal: a repeat of the request cannot succeed.
    pub fn new(status: Status, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            detail: detail.into(),
            retry_after: None,
        }
    }

    /// The refusal of a request whose handler panicked.
    pub(super) fn fault() -> Self {
        Self::new(
            Status::INTERNAL_SERVER_ERROR,
            "the request could not be handled",
        )
    }

    pub(super) fn busy(detail: &'static str) -> Self {
        Self {
            retry_after: Some(Duration::from_secs(1)),
            ..Self::new(Status::SERVICE_UNAVAILABLE, detail)
        }
    }
}
