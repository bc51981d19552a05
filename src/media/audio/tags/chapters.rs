//! The chapters of a sound: audiobooks, podcasts, films. Plays none.

/// The number of chapters that are kept at most.
pub(crate) const MAX_CHAPTERS: usize = 1000;
/// The longest title of a chapter that is kept, in bytes.
const MAX_TITLE: usize = 1024;

/// A chapter, which lasts until the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chapter {
    /// Its beginning, in milliseconds.
    pub(crate) start: u64,
    pub(crate) title: String,
}

impl Chapter {
    /// Makes a chapter, and cuts its title if it is too long.
    pub(crate) fn new(start: u64, title: &str) -> Self {
        let end = title.floor_char_boundary(MAX_TITLE);
        let title = title[..end].trim_matches(['\0', ' ', '\n', '\r', '\t']);
        Self {
            start,
            title: title.to_owned(),
        }
    }
}

/// Formats a time as `CHAPTERxxx` comments do: hours, minutes, seconds and thousandths.
pub(super) fn to_clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!(
        "{:02}:{:02}:{:02}.{:03}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        milliseconds % 1000
    )
}

/// Parses such a time to milliseconds.
pub(super) fn from_clock(text: &str) -> Option<u64> {
    let (clock, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let mut seconds = 0u64;
    for part in clock.split(':') {
        seconds = seconds
            .checked_mul(60)?
            .checked_add(part.trim().parse().ok()?)?;
    }
    let thousandths = format!("{fraction:0<3}");
    let thousandths: u64 = thousandths.get(..3)?.parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        #[track_caller]
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(from_clock(text), expected);
        }
        check("01:02:03.456", Some(3_723_456));
        check("00:00:01", Some(1000));
        check(" 00:01:00.5", Some(60_500));
        check("1:2.123456", Some(62_123));
        check("now", None);
        check("99999999999999999999:00", None);
        assert_eq!(from_clock(&to_clock(360_000_001)), Some(360_000_001));
    }
}
