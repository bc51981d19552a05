//! Functions of dates and times. A date is a serial number of days, and a time is the fraction of a day (ECMA-376
//! part 1, 18.17.4). `TODAY` and `NOW` are not supported, because their values change from day to day.

use super::{
    Fault,
    evaluate::{EvaluationContext, Found},
    expression::{Expression, Function},
    values::{NUMBER, WRONG, fault, number},
};
use Function as F;
use convertd_office::time::{Epoch, Moment, civil, from_civil};

/// Serial number of 1 January 1904 in the 1900 date system. In the 1904 date system, this day has the number 0.
const CALENDARS: f64 = 1462.0;

/// Seconds per day.
const DAY: f64 = 86_400.0;

/// Maximum number of days that are counted one by one: about three hundred years.
const MAX_DAYS: i64 = 110_000;

impl EvaluationContext<'_> {
    /// Computes functions of dates. `None` for any other function.
    pub(super) fn of_dates(
        &self,
        function: Function,
        arguments: &[Expression],
    ) -> Found<Option<f64>> {
        let argument = |at: usize| self.number(arguments.get(at).ok_or(Fault::Unknown)?);
        let day = |at: usize| self.day(argument(at)?);
        let date = |at: usize| Ok::<_, Fault>(civil(day(at)?));
        // Second of the day, rounded as a clock shows it.
        let clock =
            |at: usize| Ok::<_, Fault>((argument(at)?.rem_euclid(1.0) * DAY + 0.5).floor() % DAY);
        let number = match function {
            F::Date => {
                let whole =
                    // Clamped, so that sums of these numbers cannot overflow.
                    |at: usize| argument(at).map(|number| number.clamp(-1e6, 1e6).floor() as i64);
                let (year, month, day) = (whole(0)?, whole(1)?, whole(2)?);
                // Excel counts years before 1900 from 1900: DATE(26;1;1) is in 1926.
                let year = if (0..1900).contains(&year) {
                    year + 1900
                } else {
                    year
                };
                self.serial(first_of_month(year, month) + day - 1)?
            }
            F::Year => date(0)?.0 as f64,
            F::Month => date(0)?.1 as f64,
            F::Day => date(0)?.2 as f64,
            F::Time => {
                let seconds = argument(0)? * 3600.0 + argument(1)? * 60.0 + argument(2)?;
                match seconds < 0.0 {
                    true => return Err(fault(NUMBER)),
                    false => seconds / DAY % 1.0,
                }
            }
            F::Hour => (clock(0)? / 3600.0).floor(),
            F::Minute => (clock(0)? / 60.0).floor() % 60.0,
            F::Second => clock(0)? % 60.0,
            F::Weekday => {
                // Serial number 1, which Excel calls a Sunday, is day 1 of the week that begins on Sunday.
                let day = argument(0)?.floor() + self.offset();
                match self.number_or(arguments.get(1), 1.0)? as i64 {
                    1 => (day - 1.0).rem_euclid(7.0) + 1.0,
                    2 => (day - 2.0).rem_euclid(7.0) + 1.0,
                    3 => (day - 2.0).rem_euclid(7.0),
                    // 11 starts the week on Monday, 17 on Sunday.
                    kind @ 11..=17 => (day - 2.0 - (kind - 11) as f64).rem_euclid(7.0) + 1.0,
                    _ => return Err(fault(NUMBER)),
                }
            }
            F::MonthsLater | F::EndOfMonth => {
                let (year, month, own) = date(0)?;
                let months = argument(1)?.trunc().clamp(-1e5, 1e5) as i64;
                let first = first_of_month(year, month + months);
                let length = first_of_month(year, month + months + 1) - first;
                // A day past the end of the new month becomes the last day of that month.
                self.serial(
                    first
                        + if function == F::EndOfMonth {
                            length
                        } else {
                            own.min(length)
                        }
                        - 1,
                )?
            }
            F::Days => (day(0)? - day(1)?) as f64,
            F::DateDifference => {
                let unit = self.text(arguments.get(2).ok_or(Fault::Unknown)?)?;
                difference(day(0)?, day(1)?, &unit.to_uppercase())?
            }
            F::Days360 => {
                let european = arguments
                    .get(2)
                    .map_or(Ok(false), |kind| self.is_true(kind))?;
                days_360(day(0)?, day(1)?, european)
            }
            F::YearFraction => {
                let (one, other) = (day(0)?, day(1)?);
                let (first, last) = (one.min(other), one.max(other));
                let days = (last - first) as f64;
                // The basis: 0 is US 30/360, 1 is actual/actual (not supported), 2 actual/360, 3 actual/365, 4
                // European 30/360.
                match self.number_or(arguments.get(2), 0.0)? as i64 {
                    0 => days_360(first, last, false) / 360.0,
                    2 => days / 360.0,
                    3 => days / 365.0,
                    4 => days_360(first, last, true) / 360.0,
                    1 => return Err(Fault::Unknown),
                    _ => return Err(fault(NUMBER)),
                }
            }
            F::WeekNumber | F::IsoWeek => {
                let own = day(0)?;
                let kind = match function {
                    F::IsoWeek => 21,
                    _ => self.number_or(arguments.get(1), 1.0)? as i64,
                };
                match kind {
                    1 | 17 => week_number(own, 0),
                    2 | 11 => week_number(own, 1),
                    kind @ 12..=16 => week_number(own, kind - 10),
                    // ISO 8601: the week of a date belongs to the year of its Thursday. 1 January 1970 was a
                    // Thursday, too.
                    21 => {
                        let thursday = own - (own + 3).rem_euclid(7) + 3;
                        let year = civil(thursday).0;
                        ((thursday - from_civil(year, 1, 1)) / 7 + 1) as f64
                    }
                    _ => return Err(fault(NUMBER)),
                }
            }
            F::WorkDays => {
                let (from, to) = (day(0)?, day(1)?);
                let holidays = self.holidays(arguments.get(2))?;
                if (to - from).abs() > MAX_DAYS {
                    return Err(Fault::Unknown);
                }
                self.step((to - from).unsigned_abs())?;
                let count = (from.min(to)..=from.max(to))
                    .filter(|day| is_workday(*day, &holidays))
                    .count();
                count as f64 * if to < from { -1.0 } else { 1.0 }
            }
            F::WorkDay => {
                let (mut at, count) = (day(0)?, argument(1)?.trunc());
                let holidays = self.holidays(arguments.get(2))?;
                if count.abs() > MAX_DAYS as f64 {
                    return Err(Fault::Unknown);
                }
                self.step(2 * count.abs() as u64)?;
                let (mut left, step) = (count.abs() as i64, count.signum() as i64);
                while left > 0 {
                    at += step;
                    left -= i64::from(is_workday(at, &holidays));
                }
                self.serial(at)?
            }
            _ => return Ok(None),
        };
        Ok(Some(number))
    }

    /// Days to add to a serial date of this workbook so that it counts from 1900.
    fn offset(&self) -> f64 {
        match self.epoch {
            Epoch::From1900 => 0.0,
            Epoch::From1904 => CALENDARS,
        }
    }

    /// Converts a serial date to days since 1 January 1970. In the 1900 date system, 2,958,465 is 31 December 9999, the
    /// last date of Excel.
    fn day(&self, serial: f64) -> Found<i64> {
        match (0.0..2_958_466.0).contains(&serial) {
            true => Ok(self.epoch.since_1970(serial.floor() as i64)),
            false => Err(fault(NUMBER)),
        }
    }

    /// Converts days since 1 January 1970 to a serial date of this workbook.
    fn serial(&self, day: i64) -> Found<f64> {
        let serial = Moment::Date(day).serial().ok_or_else(|| fault(NUMBER))? - self.offset();
        match (0.0..2_958_466.0).contains(&serial) {
            true => Ok(serial),
            false => Err(fault(NUMBER)),
        }
    }

    /// Holidays as days since 1 January 1970, from an optional argument.
    fn holidays(&self, argument: Option<&Expression>) -> Found<std::collections::HashSet<i64>> {
        let values = argument.map_or(Ok(Vec::new()), |argument| self.values(argument))?;
        let days = values
            .iter()
            .filter_map(number)
            .map(|serial| self.day(serial));
        days.collect()
    }
}

/// First day of a month, in days since 1 January 1970. Months before the first or after the twelfth belong to other
/// years.
fn first_of_month(year: i64, month: i64) -> i64 {
    from_civil(
        year + (month - 1).div_euclid(12),
        (month - 1).rem_euclid(12) + 1,
        1,
    )
}

/// Returns whether a day is neither a weekend nor a holiday. 1 January 1970 was a Thursday, so 3 makes Monday 0.
fn is_workday(day: i64, holidays: &std::collections::HashSet<i64>) -> bool {
    (day + 3).rem_euclid(7) < 5 && !holidays.contains(&day)
}

/// Number of the week in its year. The week with 1 January is the first. `begins` is the first day of weeks: 0 for
/// Sunday, 1 for Monday.
fn week_number(day: i64, begins: i64) -> f64 {
    let january = from_civil(civil(day).0, 1, 1);
    let before = (january + 4 - begins).rem_euclid(7);
    ((day - january + before) / 7 + 1) as f64
}

/// Difference of two dates in whole units, as `DATEDIF` computes it.
fn difference(from: i64, to: i64, unit: &str) -> Found<f64> {
    if to < from {
        return Err(fault(NUMBER));
    }
    let (first, last) = (civil(from), civil(to));
    let months = (last.0 - first.0) * 12 + last.1 - first.1 - i64::from(last.2 < first.2);
    Ok(match unit {
        "D" => to - from,
        "M" => months,
        "Y" => months / 12,
        "YM" => months % 12,
        // The days since the last anniversary.
        "YD" => {
            let mut anniversary = from_civil(last.0, first.1, first.2);
            if anniversary > to {
                anniversary = from_civil(last.0 - 1, first.1, first.2);
            }
            to - anniversary
        }
        // The days since the last monthly anniversary.
        "MD" => {
            let mut anniversary = first_of_month(last.0, last.1) + first.2 - 1;
            if anniversary > to {
                anniversary = first_of_month(last.0, last.1 - 1) + first.2 - 1;
            }
            to - anniversary
        }
        _ => return Err(fault(WRONG)),
    } as f64)
}

/// Days between two dates in a year of twelve months of thirty days. The US method (NASD) also treats the end of
/// February as a 30th, in the first date.
fn days_360(from: i64, to: i64, european: bool) -> f64 {
    let (mut first, mut last) = (civil(from), civil(to));
    let ends =
        |(year, month, _): (i64, i64, i64), day: i64| first_of_month(year, month + 1) == day + 1;
    if european {
        first.2 = first.2.min(30);
        last.2 = last.2.min(30);
    } else {
        if first.2 == 31 || first.1 == 2 && ends(first, from) {
            first.2 = 30;
        }
        if last.2 == 31 && first.2 == 30 {
            last.2 = 30;
        }
    }
    ((last.0 - first.0) * 360 + (last.1 - first.1) * 30 + last.2 - first.2) as f64
}
