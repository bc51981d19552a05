//! The date of a mail (RFC 5322, section 3.3) as RFC 3339 in UTC. Accepts common deviations. An unknown zone counts as
//! UTC.

use time::{Date, Duration, Month, PrimitiveDateTime, Time};

/// Converts a date to RFC 3339: `Fri, 21 Nov 1997 09:55:06 -0600` becomes `1997-11-21T15:55:06Z`. A comment in
/// parentheses and a name of the day are skipped. `None` if it cannot be parsed.
pub(super) fn rfc3339(text: &str) -> Option<String> {
    let text = text.split('(').next()?.replace(',', " ");
    let mut words = text.split_whitespace().peekable();
    while words
        .peek()
        .is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
    {
        words.next();
    }
    let day: u8 = words.next()?.parse().ok()?;
    let month = month(words.next()?)?;
    let year: i32 = words.next()?.parse().ok()?;
    // Completes years of two and three digits as RFC 5322 prescribes (4.3).
    let year = match year {
        0..50 => year + 2000,
        50..1000 => year + 1900,
        _ => year,
    };
    let mut time = words.next()?.split(':').map(|part| part.parse::<u8>().ok());
    let (hour, minute) = (time.next()??, time.next()??);
    // A leap second, 60, is shown as 59.
    let second = time.next().flatten().unwrap_or(0).min(59);
    let moment = PrimitiveDateTime::new(
        Date::from_calendar_date(year, month, day).ok()?,
        Time::from_hms(hour, minute, second).ok()?,
    );
    let offset = words.next().map_or(0, minutes);
    let utc = moment.checked_sub(Duration::minutes(offset))?;
    let (date, time) = (utc.date(), utc.time());
    Some(format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        time.hour(),
        time.minute(),
        time.second()
    ))
}

/// Converts a moment, as [`rfc3339`] returns it, to the date of a mail: `Fri, 21 Nov 1997 15:55:06 +0000`.
pub(super) fn rfc5322(moment: &str) -> Option<String> {
    let number = |from: usize, to: usize| moment.get(from..to)?.parse::<u8>().ok();
    let year = moment.get(..4)?.parse::<i32>().ok()?;
    let month = Month::try_from(number(5, 7)?).ok()?;
    let date = Date::from_calendar_date(year, month, number(8, 10)?).ok()?;
    let time = moment.get(11..19)?;
    // Names of days and months are the first three letters of the English names.
    let (day, month) = (date.weekday().to_string(), date.month().to_string());
    Some(format!(
        "{}, {:02} {} {year:04} {time} +0000",
        &day[..3],
        date.day(),
        &month[..3]
    ))
}

/// Converts a FILETIME, which counts steps of 100 ns since 1601 (MS-DTYP 2.3.3), to RFC 3339. Times before 1970 and
/// after 9999 are damage, and give `None`.
pub(super) fn of_filetime(ticks: u64) -> Option<String> {
    // Seconds from 1601-01-01 to 1970-01-01.
    const SECONDS_TO_1970: i64 = 11_644_473_600;
    let seconds = i64::try_from(ticks / 10_000_000).ok()? - SECONDS_TO_1970;
    let moment = time::OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    (1970..10_000).contains(&moment.year()).then(|| {
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            moment.year(),
            u8::from(moment.month()),
            moment.day(),
            moment.hour(),
            moment.minute(),
            moment.second()
        )
    })
}

/// Parses the name of a month; only its first three letters count.
fn month(name: &str) -> Option<Month> {
    const NAMES: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let name = name.get(..3)?.to_ascii_lowercase();
    let at = NAMES.iter().position(|known| *known == name)?;
    Month::try_from(at as u8 + 1).ok()
}

/// Returns the offset of a zone from UTC, in minutes. The names are those of RFC 5322, 4.3; any other name counts as
/// UTC.
fn minutes(zone: &str) -> i64 {
    let hours = match zone.to_ascii_uppercase().as_str() {
        "EST" => -5,
        "EDT" => -4,
        "CST" => -6,
        "CDT" => -5,
        "MST" => -7,
        "MDT" => -6,
        "PST" => -8,
        "PDT" => -7,
        _ => {
            let digits = zone.trim_start_matches(['+', '-']).replace(':', "");
            let number = digits
                .get(..4)
                .and_then(|digits| digits.parse::<i64>().ok())
                .unwrap_or(0);
            let minutes = number / 100 * 60 + number % 100;
            return if zone.starts_with('-') {
                -minutes
            } else {
                minutes
            };
        }
    };
    hours * 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_rfc_3339() {
        #[track_caller]
        fn check(text: &str, expected: Option<&str>) {
            assert_eq!(rfc3339(text).as_deref(), expected, "{text}");
        }
        check(
            "Fri, 21 Nov 1997 09:55:06 -0600",
            Some("1997-11-21T15:55:06Z"),
        );
        check("1 Jan 03 23:59 +0200 (CEST)", Some("2003-01-01T21:59:00Z"));
        check(
            "Mon,  5 Feb 2024 10:00:00 EST",
            Some("2024-02-05T15:00:00Z"),
        );
        for text in [
            "",
            "x",
            "32 Nov 1997 1:1",
            "1 Nov",
            "1 Nov 99999999999 1:1",
            "1 Nov 9999 25:00",
        ] {
            check(text, None);
        }
        assert_eq!(
            of_filetime(116_444_736_000_000_000).as_deref(),
            Some("1970-01-01T00:00:00Z")
        );
        assert_eq!(of_filetime(u64::MAX), None);
    }
}
