//! Cross-origin requests (CORS; the Fetch standard, section 3.2), for the origins in `--cors-origin`.

use crate::http::{Head, Method, Response};

/// Adds the fields that allow a page of another origin to read the answer. Without such origins, nothing is added.
pub(super) fn decorate(origins: &[String], head: &Head, response: Response) -> Response {
    if origins.is_empty() {
        return response;
    }
    // The answer depends on the field `Origin`, so caches must keep one answer for each origin.
    let response = response.field("Vary", "Origin");
    let Some(origin) = head
        .field("origin")
        .filter(|origin| origins.iter().any(|known| known == origin || known == "*"))
    else {
        return response;
    };
    let response = response.field("Access-Control-Allow-Origin", origin).field(
        "Access-Control-Expose-Headers",
        "Content-Disposition, Content-Range, Conversion-Notes, ETag, Location, Preference-Applied, Retry-After, X-Request-Id",
    );
    if head.method != Method::Options {
        return response;
    }
    response
        .field("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
        .field(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Prefer, Range, X-API-Key, X-Request-Id",
        )
        .field("Access-Control-Max-Age", "600")
}
