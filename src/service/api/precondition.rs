//! Preconditions of a download (RFC 9110, section 13). If one fails, the file and its link stay as they are.

use crate::http::{Head, Status};
use std::time::SystemTime;

/// The status of an answer without the content: 304 if the client already has the content, and otherwise 412. `None` if
/// the content is to be sent.
///
/// `modified` must be in whole seconds, like the dates in the request. If it is `None`, those dates are ignored.
pub(super) fn evaluate(head: &Head, etag: &str, modified: Option<SystemTime>) -> Option<Status> {
    let date = |name| {
        head.field(name)
            .and_then(|text| httpdate::parse_http_date(text).ok())
    };
    let is_newer = |than: SystemTime| modified.is_some_and(|modified| modified > than);
    // The order of section 13.2.2: a date counts only if the request has no entity tag for the same purpose.
    if head.field("if-match").is_some() {
        // If-Match requires the strong comparison, in which weak tags never match. The tags of this service are strong.
        if !head
            .fields("if-match")
            .any(|tags| names(tags, |tag| tag == etag))
        {
            return Some(Status::PRECONDITION_FAILED);
        }
    } else if date("if-unmodified-since").is_some_and(is_newer) {
        return Some(Status::PRECONDITION_FAILED);
    }
    let is_known = if head.field("if-none-match").is_some() {
        head.fields("if-none-match")
            .any(|tags| names(tags, |tag| tag.strip_prefix("W/").unwrap_or(tag) == etag))
    } else {
        modified.is_some() && date("if-modified-since").is_some_and(|since| !is_newer(since))
    };
    is_known.then_some(Status::NOT_MODIFIED)
}

/// Returns whether the request has a precondition.
pub(super) fn is_in(head: &Head) -> bool {
    let names = [
        "if-match",
        "if-none-match",
        "if-modified-since",
        "if-unmodified-since",
    ];
    names.iter().any(|name| head.field(name).is_some())
}

/// Returns whether a list of entity tags contains one for which `matches` is true, or is `*`.
fn names(tags: &str, matches: impl Fn(&str) -> bool) -> bool {
    tags.trim() == "*" || tags.split(',').any(|tag| matches(tag.trim()))
}
