//! API keys. Never takes one from a query string, and never shows one.

use super::envelope;
use crate::http::{Head, Response, Status};
use std::fmt;

/// The keys that open the interface; without any it is open to everybody.
#[derive(Clone, Default)]
pub struct Keys(Vec<String>);

impl Keys {
    /// Reads keys from text: one a line, or separated by commas. Empty lines and lines that begin with `#` are ignored.
    pub fn parse(text: &str) -> Self {
        let keys = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split(','));
        Self(
            keys.map(str::trim)
                .filter(|key| !key.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Adds the keys of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether everybody may ask.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the request carries one of the keys, in `Authorization: Bearer` (RFC 6750) or `X-API-Key`.
    pub(super) fn admit(&self, head: &Head) -> bool {
        if self.is_empty() {
            return true;
        }
        let bearer = head.field("authorization").and_then(|value| {
            let (scheme, key) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
        });
        let offered = [bearer, head.field("x-api-key")];
        // No early end: how long this takes must not tell which key came close.
        let mut found = false;
        for key in offered.into_iter().flatten() {
            for known in &self.0 {
                found |= equal(key.as_bytes(), known.as_bytes());
            }
        }
        found
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} keys", self.0.len())
    }
}

/// Compares in a time that depends on the lengths alone.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |found, (a, b)| found | (a ^ b));
    std::hint::black_box(differences) == 0 && a.len() == b.len()
}

/// The answer to a request without a valid key.
pub(super) fn challenge() -> Response {
    let detail =
        "an API key is needed: send it as \"Authorization: Bearer KEY\" or \"X-API-Key: KEY\"";
    envelope::error(Status::UNAUTHORIZED, detail).field("WWW-Authenticate", "Bearer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_one_key_a_line() {
        assert_eq!(
            Keys::parse("# ops\nalpha\n\n  beta  \n").0,
            ["alpha", "beta"]
        );
        assert_eq!(Keys::parse("alpha,beta").0, ["alpha", "beta"]);
        assert!(Keys::parse("#only a comment").is_empty());
        assert!(!format!("{:?}", Keys::parse("secret")).contains("secret"));
    }

    #[test]
    fn compares_whole_keys() {
        assert!(equal(b"key", b"key"));
        assert!(!equal(b"key", b"keys"));
        assert!(!equal(b"", b"key"));
        assert!(!equal(b"kez", b"key"));
    }
}
