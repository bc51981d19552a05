//! Dates and times in ISO 8601, and as serial dates. There are no time zones, because spreadsheets have none.
//!
//! A serial date is a number of days, whose fraction is the time of day. Day 1 is 1 January 1900. In files from old
//! Macintosh programs, day 0 is 1 January 1904. The 1900 system has an error that became part of the standard (ECMA-376
//! part 1, 18.17.4.1): day 60 is 29 February 1900, although 1900 was not a leap year. In this module, day 60 is 28
//! February, like day 59. From day 61 on, the system agrees with the calendar.

use std::fmt::Write as _;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Days from 30 December 1899 to 1 January 1970.
const FROM_1900: i64 = 25_569;

/// Days from 1 January 1904 to 1 January 1970.
const FROM_1904: i64 = 24_107;

/// Last day whose year has four digits, 31 December 9999, in days since 1970.
const LAST_DAY: i64 = 2_932_896;

/// Date, time of day, both, or duration. Times have a precision of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A date, in days since 1 January 1970.
    Date(i64),
    /// A time of day, in milliseconds since midnight.
    Time(i64),
    /// A date and time, in milliseconds since 1 January 1970.
    DateTime(i64),
    /// A duration in milliseconds, which may be longer than a day.
    Duration(i64),
}

/// Components that a number format shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Year, month or day.
    Date,
    /// Hours, minutes or seconds of a day.
    Time,
    /// Date and time.
    DateTime,
    /// Total hours, minutes or seconds, which may be longer than a day.
    Duration,
}

/// Date system of a workbook: the day at which serial dates begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Epoch {
    /// The 1900 system: day 1 is 1 January 1900.
    #[default]
    From1900,
    /// The 1904 system: day 0 is 1 January 1904.
    From1904,
}

impl Epoch {
    /// Converts a serial date. `None` for a date before the epoch or after the year 9999, and for a duration of 10^15
    /// milliseconds or more.
    pub fn moment(self, serial: f64, clock: Clock) -> Option<Moment> {
        if clock == Clock::Duration {
            let millis = (serial * DAY as f64).round();
            return (millis.abs() < 1e15).then_some(Moment::Duration(millis as i64));
        }
        if !(0.0..=2_958_466.0).contains(&serial) {
            return None;
        }
        let millis = (serial * DAY as f64).round() as i64;
        let (days, time) = (millis.div_euclid(DAY), millis.rem_euclid(DAY));
        // Day 0 of the 1900 system is not a date, and a time of day without a date has day 0. In both cases, only the
        // time of day is meaningful.
        if days == 0 && (clock == Clock::Time || self == Self::From1900) {
            return Some(Moment::Time(time));
        }
        let day = self.since_1970(days);
        if day > LAST_DAY {
            return None;
        }
        Some(match clock {
            Clock::Date if time == 0 => Moment::Date(day),
            _ => Moment::DateTime(day * DAY + time),
        })
    }

    /// Converts a moment to a serial date. `None` if it is before the epoch.
    pub fn serial(self, moment: Moment) -> Option<f64> {
        let (day, time) = match (self, moment) {
            (Self::From1904, Moment::Date(day)) => (day, 0),
            (Self::From1904, Moment::DateTime(millis)) => {
                (millis.div_euclid(DAY), millis.rem_euclid(DAY))
            }
            _ => return moment.serial(),
        };
        let days = day + FROM_1904;
        (days >= 0).then(|| days as f64 + time as f64 / DAY as f64)
    }

    /// Returns the days from 1 January 1970 to a serial day. In the 1900 system, days 59 and 60 are the same.
    pub fn since_1970(self, days: i64) -> i64 {
        match self {
            Self::From1904 => days - FROM_1904,
            Self::From1900 if days < 60 => days + 1 - FROM_1900,
            Self::From1900 => days - FROM_1900,
        }
    }
}

impl Moment {
    /// Parses `2026-11-22`, `2026-11-22T13:20:00` or `13:20:00`, with or without milliseconds (ISO 8601). `None` for
    /// other notations.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('T') {
            Some((date, time)) => Some(Self::DateTime(day(date)? * DAY + time_of_day(time)?)),
            None if text.as_bytes().get(4) == Some(&b'-') => Some(Self::Date(day(text)?)),
            None => Some(Self::Time(time_of_day(text)?)),
        }
    }

    /// Returns the serial date in the 1900 system. `None` for earlier dates.
    pub fn serial(self) -> Option<f64> {
        let (day, time) = match self {
            Self::Date(day) => (day, 0),
            Self::DateTime(millis) => (millis.div_euclid(DAY), millis.rem_euclid(DAY)),
            Self::Time(millis) | Self::Duration(millis) => return Some(millis as f64 / DAY as f64),
        };
        let days = day + FROM_1900;
        let days = if days <= 60 { days - 1 } else { days };
        (days >= 1).then(|| days as f64 + time as f64 / DAY as f64)
    }

    /// Returns the components of the value.
    pub fn clock(self) -> Clock {
        match self {
            Self::Date(_) => Clock::Date,
            Self::Time(_) => Clock::Time,
            Self::DateTime(_) => Clock::DateTime,
            Self::Duration(_) => Clock::Duration,
        }
    }

    /// Appends the value in ISO 8601. Durations become hours, minutes and seconds.
    pub fn write(self, out: &mut String) {
        match self {
            Self::Date(day) => write_date(day, out),
            Self::Time(millis) => write_time(millis, 2, out),
            Self::DateTime(millis) => {
                write_date(millis.div_euclid(DAY), out);
                out.push('T');
                write_time(millis.rem_euclid(DAY), 2, out);
            }
            Self::Duration(millis) => {
                if millis < 0 {
                    out.push('-');
                }
                write_time(millis.saturating_abs(), 1, out);
            }
        }
    }
}

/// Parses `YYYY-MM-DD`, in days since 1970. `None` if the date does not exist.
fn day(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (
        digits(&bytes[..4])?,
        digits(&bytes[5..7])?,
        digits(&bytes[8..])?,
    );
    let days = from_civil(year, month, day);
    (year > 0 && civil(days) == (year, month, day)).then_some(days)
}

/// Parses `HH:MM:SS`, with or without milliseconds, in milliseconds since midnight. Stated milliseconds must not be 0.
fn time_of_day(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if !matches!(bytes.len(), 8 | 12) || bytes[2] != b':' || bytes[5] != b':' {
        return None;
    }
    let (hours, minutes, seconds) = (
        digits(&bytes[..2])?,
        digits(&bytes[3..5])?,
        digits(&bytes[6..8])?,
    );
    let millis = match bytes.get(8..) {
        Some([b'.', millis @ ..]) => digits(millis).filter(|millis| *millis > 0)?,
        _ => 0,
    };
    (hours < 24 && minutes < 60 && seconds < 60)
        .then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis)
}

/// Parses ASCII digits.
fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + i64::from(byte - b'0'))
    })
}

/// Appends a date, in days since 1970.
fn write_date(day: i64, out: &mut String) {
    let (year, month, day) = civil(day);
    write!(out, "{year:04}-{month:02}-{day:02}").unwrap_or_default();
}

/// Appends a time, with at least `hour_digits` digits for the hours.
fn write_time(millis: i64, hour_digits: usize, out: &mut String) {
    let (seconds, thousandths) = (millis / 1000, millis % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    write!(out, "{hours:0hour_digits$}:{minutes:02}:{seconds:02}").unwrap_or_default();
    if thousandths > 0 {
        write!(out, ".{thousandths:03}").unwrap_or_default();
    }
}

/// Returns the days from 1970 to a Gregorian date. The computation lets years begin in March, so that the leap day is
/// the last day of a year.
pub fn from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the year, month and day of a number of days since 1970.
pub fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(epoch: Epoch, serial: f64, clock: Clock, expected: &str) {
        let mut text = String::new();
        match epoch.moment(serial, clock) {
            Some(moment) => moment.write(&mut text),
            None => text.push('-'),
        }
        assert_eq!(text, expected, "{serial}");
    }

    #[test]
    fn days_are_counted_from_both_epochs() {
        use Epoch::*;
        check(From1900, 0.0, Clock::Date, "00:00:00");
        check(From1900, 1.0, Clock::Date, "1900-01-01");
        check(From1900, 59.0, Clock::Date, "1900-02-28");
        check(From1900, 60.0, Clock::Date, "1900-02-28");
        check(From1900, 61.0, Clock::Date, "1900-03-01");
        check(From1900, 43_831.0, Clock::Date, "2020-01-01");
        check(From1900, 2_958_465.0, Clock::Date, "9999-12-31");
        check(From1900, 2_958_466.0, Clock::Date, "-");
        check(From1900, -1.0, Clock::Date, "-");
        check(From1900, f64::NAN, Clock::Date, "-");
        check(From1900, f64::INFINITY, Clock::Duration, "-");
        check(From1904, 0.0, Clock::Date, "1904-01-01");
        check(From1904, 42_369.0, Clock::Date, "2020-01-01");
    }

    #[test]
    fn moments_become_serials_of_both_epochs() {
        #[track_caller]
        fn check(epoch: Epoch, text: &str, expected: Option<f64>) {
            let moment = Moment::parse(text).expect(text);
            assert_eq!(epoch.serial(moment), expected, "{text}");
        }
        use Epoch::*;
        check(From1900, "2020-01-01", Some(43_831.0));
        check(From1904, "2020-01-01", Some(42_369.0));
        check(From1904, "2020-01-01T12:00:00", Some(42_369.5));
        check(From1904, "1904-01-01", Some(0.0));
        check(From1904, "1903-12-31", None);
        check(From1904, "18:00:00", Some(0.75));
    }

    #[test]
    fn fractions_of_days_are_times() {
        use Epoch::From1900;
        check(From1900, 43_831.5, Clock::DateTime, "2020-01-01T12:00:00");
        check(From1900, 43_831.5, Clock::Date, "2020-01-01T12:00:00");
        check(From1900, 43_831.0, Clock::DateTime, "2020-01-01T00:00:00");
        check(From1900, 0.75, Clock::Time, "18:00:00");
        check(From1900, 0.75, Clock::DateTime, "18:00:00");
        check(
            Epoch::From1904,
            0.75,
            Clock::DateTime,
            "1904-01-01T18:00:00",
        );
        check(
            From1900,
            43_831.000_011_574,
            Clock::DateTime,
            "2020-01-01T00:00:01",
        );
        check(
            From1900,
            0.999_999_999_9,
            Clock::Time,
            "1900-01-01T00:00:00",
        );
        check(From1900, 1.25, Clock::Duration, "30:00:00");
        check(From1900, -0.25, Clock::Duration, "-6:00:00");
        check(From1900, 0.000_005_787, Clock::Time, "00:00:00.500");
    }

    #[test]
    fn moments_survive_a_round_trip() {
        for text in [
            "2026-11-22",
            "1900-01-01",
            "1900-02-28",
            "1900-03-01",
            "9999-12-31",
            "2024-02-29T23:59:59.999",
            "13:20:00",
            "00:00:00.001",
        ] {
            let moment = Moment::parse(text).unwrap();
            let mut written = String::new();
            moment.write(&mut written);
            assert_eq!(written, text);
            let serial = moment.serial().unwrap();
            let read = Epoch::From1900.moment(serial, moment.clock());
            assert_eq!(read, Some(moment), "{text}");
        }
        for text in [
            "",
            "2026-11-31",
            "2023-02-29",
            "2026-1-1",
            "22.11.2026",
            "2026-11-22 13:20:00",
            "0000-01-01",
            "24:00:00",
            "13:20",
            "2026-11-22T13:20",
            "13:20:00.000",
            "13:20:00.0",
            "+026-11-22",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
