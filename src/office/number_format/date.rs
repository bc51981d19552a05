//! Dates and times as number formats show them (ECMA-376 part 1, 18.8.31). Knows English names of months and days only.
//!
//! The 1900 system counts a 29 February 1900 that never was, and a day 0; Excel shows both, so they are shown here,
//! too. Seconds are rounded to the digits that are shown, and carry; minutes and hours are cut off.

use crate::time::{Epoch, civil};
use std::fmt::Write as _;

/// A part of a date or time, with the number of its letters in the format code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// `y`: two digits, or four from three letters on.
    Year(usize),
    /// `b`: the year of the Buddhist calendar, 543 more.
    BuddhistYear(usize),
    /// `m`: a number, a short name (3), a name (4) or its first letter (5).
    Month(usize),
    /// `d`: a number, the short name of the day of the week (3) or its name (4).
    Day(usize),
    /// `h`, `m`, `s`: hours of a day, minutes of an hour, seconds of a minute.
    Clock(Unit, usize),
    /// `[h]`, `[m]`, `[s]`: all hours, minutes or seconds.
    Elapsed(Unit, usize),
    /// `.00` behind seconds: their fraction, with this many digits.
    Fraction(usize),
    /// `AM/PM` or `A/P`: the words for the halves of a day.
    HalfDay(&'static str, &'static str),
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Hour,
    Minute,
    Second,
}

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

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The largest serial date, 31 December 9999.
const LAST: f64 = 2_958_466.0;

/// The most digits of a fraction of a second that are shown.
const MOST_DIGITS: usize = 9;

/// A serial date taken apart.
pub(super) struct Moment {
    year: i64,
    /// From 1.
    month: usize,
    day: i64,
    /// The day of the week, from 0 for Sunday.
    weekday: usize,
    /// All seconds since the epoch.
    seconds: i64,
    /// Fraction of a second, in units of the last digit that is shown.
    fraction: i64,
    /// The digits of the fraction.
    digits: usize,
    /// Whether hours are counted to twelve.
    halves: bool,
    /// The largest unit that counts all elapsed time instead of the rest of the next larger unit.
    elapsed: Option<Unit>,
}

impl Moment {
    /// Takes a serial date apart as these fields need it. `None` if it has no date: a negative one, unless elapsed time
    /// is shown, or one after the year 9999.
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
            Field::Fraction(digits) => Some(digits.min(MOST_DIGITS)),
            _ => None,
        });
        let digits = digits.max().unwrap_or(0);
        let second = 10_i64.pow(digits as u32);
        let shows_seconds = fields.clone().any(|field| {
            matches!(
                field,
                Field::Clock(Unit::Second, _) | Field::Elapsed(Unit::Second, _)
            )
        });
        let units = if shows_seconds {
            // Milliseconds first, as a serial date has no more digits than that.
            let exact = (serial * DAY as f64 * 1e6).round() / 1e6;
            (exact * second as f64).round() as i64
        } else {
            // What is a moment before a full minute only by the error of the fraction counts as that minute.
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

    /// Appends a field.
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

    /// The value of a field of the clock.
    fn count(&self, unit: Unit) -> i64 {
        let all = self.elapsed == Some(unit);
        match unit {
            Unit::Hour if all => self.seconds / 3600,
            Unit::Hour if self.halves => (self.seconds / 3600 % 24 + 11) % 12 + 1,
            Unit::Hour => self.seconds / 3600 % 24,
            Unit::Minute if all => self.seconds / 60,
            Unit::Minute => self.seconds / 60 % 60,
            Unit::Second if all => self.seconds,
            Unit::Second => self.seconds % 60,
        }
    }
}

fn year(year: i64, width: usize, out: &mut String) {
    if width > 2 {
        write!(out, "{year:04}").unwrap_or_default();
    } else {
        write!(out, "{:02}", year.rem_euclid(100)).unwrap_or_default();
    }
}

/// The year, month and day of a serial day as Excel has them.
fn calendar(days: i64, epoch: Epoch) -> (i64, i64, i64) {
    match (epoch, days) {
        (Epoch::From1900, 0) => (1900, 1, 0),
        (Epoch::From1900, 60) => (1900, 2, 29),
        _ => civil(epoch.since_1970(days)),
    }
}

/// The day of the week of a serial day. In the 1900 system, 1 January 1900 counts as a Sunday, so that the days from
/// March on are right.
fn weekday(days: i64, epoch: Epoch) -> usize {
    let from_sunday = match epoch {
        Epoch::From1900 => days - 1,
        // 1 January 1904 was a Friday.
        Epoch::From1904 => days + 5,
    };
    usize::try_from(from_sunday.rem_euclid(7)).unwrap_or(0)
}
