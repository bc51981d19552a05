//! Byte ranges (RFC 9110, section 14). Supports one range; a request for several ranges gets the whole content, which
//! the RFC allows.

use std::ops::Range;

/// A parsed `Range` field (RFC 9110, section 14.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// There is no usable range: the whole content is sent.
    Whole,
    /// A part of the content: these byte positions.
    Part(Range<u64>),
    /// The range lies outside of the content: the answer is 416.
    Unsatisfiable,
}

/// Parses the value of a `Range` field, for content of `len` bytes.
pub(super) fn parse(value: &str, len: u64) -> RequestedRange {
    // Names of units are case-insensitive (RFC 9110, section 14.1).
    let spec = match value.split_once('=') {
        Some((unit, spec)) if unit.trim().eq_ignore_ascii_case("bytes") => spec.trim(),
        Some(_) | None => return RequestedRange::Whole,
    };
    let Some((first, last)) = spec.split_once('-') else {
        return RequestedRange::Whole;
    };
    // Only digits are allowed, while `u64::from_str` also accepts a plus sign.
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (None, Some(0)) if first.is_empty() => RequestedRange::Unsatisfiable,
        (None, Some(suffix)) if first.is_empty() => {
            RequestedRange::Part(len.saturating_sub(suffix)..len)
        }
        (Some(first), _)
            if first >= len
                && (last.is_empty() || number(last).is_some_and(|last| last >= first)) =>
        {
            RequestedRange::Unsatisfiable
        }
        (Some(first), None) if last.is_empty() => RequestedRange::Part(first..len),
        (Some(first), Some(last)) if first <= last => {
            RequestedRange::Part(first..last.saturating_add(1).min(len))
        }
        _ => RequestedRange::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_clients_are_parsed() {
        #[track_caller]
        fn check(value: &str, asked: RequestedRange) {
            assert_eq!(parse(value, 100), asked, "{value}");
        }
        check("bytes=0-", RequestedRange::Part(0..100));
        check("bytes=0-0", RequestedRange::Part(0..1));
        check("Bytes=0-0", RequestedRange::Part(0..1));
        check("bytes=50-1000", RequestedRange::Part(50..100));
        check("bytes=-10", RequestedRange::Part(90..100));
        check("bytes=-1000", RequestedRange::Part(0..100));
        check(
            "bytes=99-99999999999999999999999",
            RequestedRange::Part(99..100),
        );
        check("bytes=100-", RequestedRange::Unsatisfiable);
        check("bytes=100-200", RequestedRange::Unsatisfiable);
        check("bytes=-0", RequestedRange::Unsatisfiable);
        check("bytes=5-4", RequestedRange::Whole);
        check("bytes=0-1,3-4", RequestedRange::Whole);
        check("bytes=a-b", RequestedRange::Whole);
        check("bytes=+1-2", RequestedRange::Whole);
        check("bytes=-", RequestedRange::Whole);
        check("lines=1-2", RequestedRange::Whole);
    }
}
