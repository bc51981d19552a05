//! Times as clocks show them, `01:02:03.456`: in options, subtitles and the chapters of sounds. Handles neither dates
//! nor time zones.

/// Parses a time into milliseconds: seconds, `minutes:seconds` or `hours:minutes:seconds`. A fraction of a second may
/// follow, after a full stop or a comma; its digits after the third are ignored. `None` for any other text, or a number
/// that is too large.
pub fn milliseconds(text: &str) -> Option<u64> {
    let (clock, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mut seconds, mut parts) = (0_u64, 0);
    for part in clock.split(':') {
        let part = Some(part.trim()).filter(|part| is_number(part))?;
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
        parts += 1;
    }
    let digits = Some(fraction.trim()).filter(|digits| is_number(digits))?;
    if parts > 3 {
        return None;
    }
    let thousandths: u64 = format!("{digits:0<3}")[..3].parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(thousandths)
}

/// Formats a time as `HH:MM:SS`, the separator `mark`, and three digits of milliseconds.
pub fn written(milliseconds: u64, mark: char) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}{mark}{rest:03}", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_times_are_read_back() {
        #[track_caller]
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
        check("01:02:03.456", Some(3_723_456));
        check("00:00:01", Some(1000));
        check(" 00:01:00,5", Some(60_500));
        check("1:2.123456", Some(62_123));
        check("90", Some(90_000));
        check("1:02.", Some(62_000));
        check("now", None);
        check("", None);
        check("1::2", None);
        check("+1:02", None);
        check("1:2:3:4", None);
        check("1:02.3x", None);
        check("1:02.3456x", None);
        check("99999999999999999999:00", None);
        check("18446744073709551615", None);
        assert_eq!(written(360_000_001, '.'), "100:00:00.001");
        assert_eq!(milliseconds(&written(u64::MAX, ',')), Some(u64::MAX));
    }
}
