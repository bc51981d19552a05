//! Dates in the metadata of documents, in the forms of ISO 8601 that file formats require. Does not parse other
//! notations, such as `17 May 2024`.

/// Returns whether this is a day, such as `2024-05-17`.
pub fn is_day(text: &str) -> bool {
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u8>().ok());
    has_shape(text, "0000-00-00")
        && number(text.get(5..7)).is_some_and(|month| (1..=12).contains(&month))
        && number(text.get(8..10)).is_some_and(|day| (1..=31).contains(&day))
}

/// Returns whether this is a day with a time, such as `2024-05-17T09:30:00Z`. A time without `Z` has no time zone.
pub fn is_moment(text: &str) -> bool {
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u8>().ok());
    text.split_once('T').is_some_and(|(day, time)| {
        let time = time.strip_suffix('Z').unwrap_or(time);
        is_day(day)
            && has_shape(time, "00:00:00")
            && number(time.get(0..2)).is_some_and(|hour| hour < 24)
            && number(time.get(3..5)).is_some_and(|minute| minute < 60)
            && number(time.get(6..8)).is_some_and(|second| second < 60)
    })
}

/// Returns whether a text has the length of the shape, digits where the shape has zeros, and elsewhere the characters
/// of the shape.
fn has_shape(text: &str, shape: &str) -> bool {
    let same = |(byte, shape): (u8, u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        shape => byte == shape,
    };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(same)
}

/// A moment in UTC, as browsers print it at the top of pages: `5/7/24, 3:04 PM`.
pub fn short_moment(at: std::time::SystemTime) -> String {
    let at = time::OffsetDateTime::from(at);
    let (month, day, year) = (u8::from(at.month()), at.day(), at.year().rem_euclid(100));
    let half = if at.hour() < 12 { "AM" } else { "PM" };
    let hour = (at.hour() + 11) % 12 + 1;
    format!("{month}/{day}/{year:02}, {hour}:{:02} {half}", at.minute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_dates_use_the_short_form() {
        #[track_caller]
        fn check(seconds: u64, expected: &str) {
            let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            assert_eq!(short_moment(at), expected);
        }
        check(0, "1/1/70, 12:00 AM");
        check(1_700_000_000, "11/14/23, 10:13 PM");
        check(1_700_000_000 + 13 * 3600 + 47 * 60, "11/15/23, 12:00 PM");
    }

    #[test]
    fn dates_and_timestamps_are_recognised() {
        #[track_caller]
        fn check(text: &str, day: bool, moment: bool) {
            assert_eq!((is_day(text), is_moment(text)), (day, moment), "{text}");
        }
        check("2024-05-17", true, false);
        check("2024-05-17T23:59:59", false, true);
        check("2024-05-17T00:00:00Z", false, true);
        check("2024-13-01", false, false);
        check("2024-12-00", false, false);
        check("2024-05-17T24:00:00", false, false);
        check("2024-05-17T09:30", false, false);
        check("17 May 2024", false, false);
        check("2024-05-1é", false, false);
        check("", false, false);
    }
}
