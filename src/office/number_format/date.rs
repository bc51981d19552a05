//! Formats dates and times (ECMA-376 part 1, 18.8.31). Names of months and days are English.
//!
//! The 1900 system includes a day 0, and 29 February 1900, which did not exist. Excel shows both, so they are shown
//! here. Seconds are rounded to the number of displayed digits; minutes and hours are truncated.

use crate::time::{Epoch, civil};
use std::fmt::Write as _;

/// Component of a date or time. The number counts its letters in the format code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// `y`: two digits for one or two letters, otherwise four.
    Year(usize),
    /// `b`: year of the Buddhist calendar, which is 543 more.
    BuddhistYear(usize),
    /// `m`: a number, the short name (3 letters), the name (4) or its initial (5).
    Month(usize),
    /// `d`: a number, or the short name (3 letters) or name (4) of the weekday.
    Day(usize),
    /// `h`, `m`, `s`: hour of the day, minute of the hour, second of the minute.
    Clock(Unit, usize),
    /// `[h]`, `[m]`, `[s]`: total hours, minutes or seconds.
    Elapsed(Unit, usize),
    /// `.00` after seconds: the fraction, with this number of digits.
    Fraction(usize),
    /// `AM/PM` or `A/P`: texts for the two halves of a day.
    HalfDay(&'static str, &'static str),
}

/// Unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Hour,
    Minute,
    Second,
}

/// English names of months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// English names of weekdays.
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Serial date at which the calendar ends: 1 January 10000 in the 1900 system. The same limit applies to serial dates
/// of the 1904 system.
const LAST: f64 = 2_958_466.0;

/// Max. number of displayed digits of a fraction of a second.
const MAX_DIGITS: usize = 9;

/// Components of a serial date.
pub(super) struct Moment {
    year: i64,
    /// Number of the month, from 1.
    month: usize,
    /// Day of the month.
    day: i64,
    /// Day of the week, from 0 for Sunday.
    weekday: usize,
    /// Seconds since the epoch.
    seconds: i64,
    /// Fraction of a second, in units of the last displayed digit.
    fraction: i64,
    /// Number of displayed digits of the fraction.
    digits: usize,
    /// Whether hours range from 1 to 12.
    halves: bool,
    /// Unit that is shown as a total. Larger units are not subtracted from it.
    elapsed: Option<Unit>,
}

impl Moment {
    /// Computes the components of a serial date that these fields show. `None` for negative serial dates, and for those
    /// from [`LAST`] on.
    pub(super) fn of(
        serial: f64,
        fields: impl Iterator<Item = Field> + Clone,
        epoch: Epoch,
    ) -> Option<Self> {
        let elapsed = fields.clone().find_map(|field| match field {
            Field::Elapsed(unit, _) => Some(unit),
            _ => None,
        });
        if !(0.0..LAST).contains(&serial) {
            return None;
        }
        let digits = fields.clone().filter_map(|field| match field {
            Field::Fraction(digits) => Some(digits.min(MAX_DIGITS)),
            _ => None,
        });
        let digits = digits.max().unwrap_or(0);
        // Number of units in a second. Values are rounded to units of the last displayed digit.
        let second = 10_i64.pow(digits as u32);
        let shows_seconds = fields.clone().any(|field| {
            matches!(
                field,
                Field::Clock(Unit::Second, _) | Field::Elapsed(Unit::Second, _)
            )
        });
        let units = if shows_seconds {
            // Round to microseconds first, because serial dates are not more precise.
            let exact = (serial * DAY as f64 * 1e6).round() / 1e6;
            (exact * second as f64).round() as i64
        } else {
            // Round to milliseconds first. Otherwise a rounding error could show the minute before a full minute.
            ((serial * DAY as f64 * 1000.0).round() / 1000.0).floor() as i64 * second
        };
        let (seconds, fraction) = (units.div_euclid(second), units.rem_euclid(second));
        let days = seconds.div_euclid(DAY);
        let (year, month, day) = calendar(days, epoch);
        Some(Self {
            year,
            month: usize::try_from(month).unwrap_or(1),
            day,
            weekday: weekday(days, epoch),
            seconds,
            fraction,
            digits,
            halves: fields
                .clone()
                .any(|field| matches!(field, Field::HalfDay(..))),
            elapsed,
        })
    }

    /// Appends a component.
    pub(super) fn write(&self, field: Field, out: &mut String) {
        let padded = |number: i64, width: usize, out: &mut String| {
            write!(out, "{number:0width$}").unwrap_or_default();
        };
        match field {
            Field::Year(width) => year(self.year, width, out),
            Field::BuddhistYear(width) => year(self.year + 543, width, out),
            Field::Month(width) => match (width, MONTHS.get(self.month.wrapping_sub(1))) {
                (3, Some(name)) => out.push_str(&name[..3]),
                (5, Some(name)) => out.push_str(&name[..1]),
                (4.., Some(name)) => out.push_str(name),
                _ => padded(self.month as i64, width.min(2), out),
            },
            Field::Day(width) => match (width, DAYS.get(self.weekday)) {
                (3, Some(name)) => out.push_str(&name[..3]),
                (4.., Some(name)) => out.push_str(name),
                _ => padded(self.day, width.min(2), out),
            },
            Field::Clock(unit, width) | Field::Elapsed(unit, width) => {
                padded(self.count(unit), width.min(10), out);
            }
            Field::Fraction(digits) => {
                let digits = digits.min(self.digits);
                out.push('.');
                let shown = self.fraction / 10_i64.pow((self.digits - digits) as u32);
                padded(shown, digits, out);
            }
            Field::HalfDay(am, pm) => {
                let afternoon = self.seconds.rem_euclid(DAY) >= DAY / 2;
                out.push_str(if afternoon { pm } else { am });
            }
        }
    }

    /// Returns the value of a component of the time.
    fn count(&self, unit: Unit) -> i64 {
        let all = self.elapsed == Some(unit);
        match unit {
            Unit::Hour if all => self.seconds / 3600,
            // 0 and 12 are shown as 12.
            Unit::Hour if self.halves => (self.seconds / 3600 % 24 + 11) % 12 + 1,
            Unit::Hour => self.seconds / 3600 % 24,
            Unit::Minute if all => self.seconds / 60,
            Unit::Minute => self.seconds / 60 % 60,
            Unit::Second if all => self.seconds,
            Unit::Second => self.seconds % 60,
        }
    }
}

/// Appends a year with four digits, or with two if `width` is 2 or less.
fn year(year: i64, width: usize, out: &mut String) {
    if width > 2 {
        write!(out, "{year:04}").unwrap_or_default();
    } else {
        write!(out, "{:02}", year.rem_euclid(100)).unwrap_or_default();
    }
}

/// Returns the year, month and day of a serial day, as shown by Excel.
fn calendar(days: i64, epoch: Epoch) -> (i64, i64, i64) {
    match (epoch, days) {
        (Epoch::From1900, 0) => (1900, 1, 0),
        (Epoch::From1900, 60) => (1900, 2, 29),
        _ => civil(epoch.since_1970(days)),
    }
}

/// Returns the weekday of a serial day, from 0 for Sunday. In the 1900 system, 1 January 1900 counts as a Sunday.
/// Because of the additional day in February, weekdays from March on are correct.
fn weekday(days: i64, epoch: Epoch) -> usize {
    let from_sunday = match epoch {
        Epoch::From1900 => days - 1,
        // 1 January 1904 was a Friday.
        Epoch::From1904 => days + 5,
    };
    usize::try_from(from_sunday.rem_euclid(7)).unwrap_or(0)
}
