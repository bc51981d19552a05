//! Checks API keys. Never takes a key from a query string, because URLs end up in logs.

use super::envelope;
use crate::{
    http::{Head, Response, Status},
    keys::Keys,
};
use base64::{Engine, engine::general_purpose::STANDARD};

/// Returns whether the request may be served: no keys are set, or it has one of them in `Authorization: Bearer` (RFC
/// 6750) or `X-API-Key`.
pub(super) fn admits(keys: &Keys, head: &Head) -> bool {
    let bearer = head.field("authorization").and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    let offered = [bearer, head.field("x-api-key")];
    // All offered keys are compared, so that the time does not reveal which one matched. See `Keys::contains`.
    let mut found = keys.is_empty();
    for key in offered.into_iter().flatten() {
        found |= keys.contains(key);
    }
    found
}

/// Returns whether the request has one of the keys as the password of `Authorization: Basic` (RFC 7617), the only way
/// in which clients of some other services can send a key. The user name is ignored.
pub(super) fn admits_basic(keys: &Keys, head: &Head) -> bool {
    let key = head.field("authorization").and_then(|value| {
        let (scheme, encoded) = value.split_once(' ')?;
        let is_basic = scheme.eq_ignore_ascii_case("basic");
        let decoded = STANDARD.decode(encoded.trim()).ok().filter(|_| is_basic)?;
        let pair = String::from_utf8(decoded).ok()?;
        pair.split_once(':').map(|(_, key)| key.to_owned())
    });
    key.is_some_and(|key| keys.contains(&key))
}

/// Returns the answer to a request without a valid key.
pub(super) fn challenge() -> Response {
    let detail =
        "an API key is needed: send it as \"Authorization: Bearer KEY\" or \"X-API-Key: KEY\"";
    envelope::error(Status::UNAUTHORIZED, detail).field("WWW-Authenticate", "Bearer")
}
