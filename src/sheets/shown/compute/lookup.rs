//! Lookup functions: `INDEX`, `MATCH`, `VLOOKUP` and their relatives, which find values in tables. Computes no sums.

use super::{
    Fault,
    area::Area,
    evaluate::{EvaluationContext, Found},
    expression::{Expression, Function},
    values::{NOT_AVAILABLE, REFERENCE, WRONG, fault, is_like, lower, number, order},
};
use crate::shown::book::Value;
use Function as F;
use std::cmp::Ordering;

/// Rule by which a search accepts a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchRule {
    /// An equal value; text has no wildcards.
    Exact,
    /// An equal value; text may contain wildcards.
    Like,
    /// The last value before the first greater one. Correct for ascending values only.
    NotMore,
    /// The last value before the first smaller one. Correct for descending values only.
    NotLess,
    /// An equal value, or else the next smaller one; the order of the values does not matter.
    Smaller,
    /// An equal value, or else the next larger one; the order of the values does not matter.
    Larger,
}

impl EvaluationContext<'_> {
    /// Computes a lookup function.
    pub(super) fn looked_up(&self, function: Function, arguments: &[Expression]) -> Found {
        let argument = |number: usize| arguments.get(number).ok_or(Fault::Unknown);
        let position = |at: usize| Ok(Value::Number(at as f64 + 1.0));
        match function {
            F::Index => match self.area(argument(0)?)? {
                Some(whole) => self.one(self.indexed(whole, &arguments[1..])?),
                None => {
                    let array = self.array(argument(0)?)?;
                    let row = self.number_or(arguments.get(1), 1.0)?.max(1.0) as usize;
                    let column = self.number_or(arguments.get(2), 1.0)?.max(1.0) as usize;
                    // In an array of one row, a single number selects a column.
                    let (row, column) = match (array.rows(), arguments.get(2)) {
                        (1, None) => (1, row),
                        _ => (row, column),
                    };
                    if row > array.rows() || column > array.columns {
                        return Err(fault(REFERENCE));
                    }
                    Ok(array.at(row - 1, column - 1))
                }
            },
            F::Match => {
                // The third argument is 1 for ascending values, 0 for an exact match, -1 for descending values.
                let rule = match self.number_or(arguments.get(2), 1.0)? {
                    0.0 => MatchRule::Like,
                    kind if kind > 0.0 => MatchRule::NotMore,
                    _ => MatchRule::NotLess,
                };
                let wanted = self.value(argument(0)?)?;
                position(self.search(&wanted, &self.values(argument(1)?)?, rule, false)?)
            }
            F::MatchAny | F::LookupAny => {
                let wanted = self.value(argument(0)?)?;
                // Index of the argument with the match mode. The search mode is the next argument.
                let after = if function == F::MatchAny { 2 } else { 4 };
                let rule = match self.number_or(arguments.get(after), 0.0)? as i32 {
                    0 => MatchRule::Exact,
                    -1 => MatchRule::Smaller,
                    1 => MatchRule::Larger,
                    2 => MatchRule::Like,
                    _ => return Err(fault(WRONG)),
                };
                // Search mode -1 begins at the end. The binary searches 2 and -2 have the same result on sorted
                // values.
                let last = self.number_or(arguments.get(after + 1), 1.0)? == -1.0;
                let values = self.values(argument(1)?)?;
                let at = match self.search(&wanted, &values, rule, last) {
                    Err(Fault::Error(error)) if function == F::LookupAny => {
                        let other = arguments
                            .get(3)
                            .filter(|other| **other != Expression::Constant(Value::Empty));
                        return other.map_or(Err(Fault::Error(error)), |other| self.value(other));
                    }
                    at => at?,
                };
                if function == F::MatchAny {
                    return position(at);
                }
                let results = self.area(argument(2)?)?.ok_or(Fault::Unknown)?;
                self.result_at(results, at, values.len())
            }
            F::LookupColumn | F::LookupRow => {
                let wanted = self.value(argument(0)?)?;
                let table = self.area(argument(1)?)?.ok_or(Fault::Unknown)?;
                let number = self.number(argument(2)?)?;
                let roughly = arguments
                    .get(3)
                    // Without a fourth argument, VLOOKUP searches approximately.
                    .map_or(Ok(true), |roughly| self.is_true(roughly))?;
                let rule = if roughly {
                    MatchRule::NotMore
                } else {
                    MatchRule::Like
                };
                let (key, most) = match function {
                    F::LookupColumn => (table.part(0, 1), table.columns()),
                    _ => (table.part(1, 0), table.rows()),
                };
                if number < 1.0 {
                    return Err(fault(WRONG));
                }
                if number >= f64::from(most) + 1.0 {
                    return Err(fault(REFERENCE));
                }
                let values = self.cells(key.ok_or(Fault::Unknown)?)?;
                let at = self.search(&wanted, &values, rule, false)? as u32 + 1;
                let part = match function {
                    F::LookupColumn => table.part(at, number as u32),
                    _ => table.part(number as u32, at),
                };
                self.one(part.ok_or_else(|| fault(REFERENCE))?)
            }
            // LOOKUP, with ascending values.
            _ => {
                let wanted = self.value(argument(0)?)?;
                let Some(results) = arguments.get(2) else {
                    let Some(table) = self.area(argument(1)?)? else {
                        let values = self.values(argument(1)?)?;
                        let at = self.search(&wanted, &values, MatchRule::NotMore, false)?;
                        return Ok(values[at].clone());
                    };
                    // Without a separate result range, the table is searched along its longer side, and the result is
                    // on the opposite side.
                    let is_wide = table.columns() > table.rows();
                    let (key, results) = match is_wide {
                        true => (table.part(1, 0), table.part(table.rows(), 0)),
                        false => (table.part(0, 1), table.part(0, table.columns())),
                    };
                    let values = self.cells(key.ok_or(Fault::Unknown)?)?;
                    let at = self.search(&wanted, &values, MatchRule::NotMore, false)?;
                    return self.result_at(results.ok_or(Fault::Unknown)?, at, values.len());
                };
                let values = self.values(argument(1)?)?;
                let at = self.search(&wanted, &values, MatchRule::NotMore, false)?;
                self.result_at(self.area(results)?.ok_or(Fault::Unknown)?, at, values.len())
            }
        }
    }

    /// Part of a range that `INDEX` selects by row and column. The row 0 selects all rows, the column 0 all columns.
    pub(super) fn indexed(&self, whole: Area, arguments: &[Expression]) -> Found<Area> {
        let number = |at: usize| {
            let number = self.number_or(arguments.get(at), 0.0)?;
            match (0.0..f64::from(u32::MAX)).contains(&number) {
                true => Ok(number as u32),
                false => Err(fault(WRONG)),
            }
        };
        let (row, column) = (number(0)?, number(1)?);
        // In a range of one row, a single number selects a column.
        let (row, column) = match whole.rows() == 1 && arguments.len() == 1 {
            true => (0, row),
            false => (row, column),
        };
        whole.part(row, column).ok_or_else(|| fault(REFERENCE))
    }

    /// Value of an area of one cell.
    pub(super) fn one(&self, area: Area) -> Found {
        match area.count() {
            1 => self.source.value(area.sheet, area.first.0, area.first.1),
            // Several values would spill into other cells, which is not supported.
            _ => Err(Fault::Unknown),
        }
    }

    /// Value of the result row or column that belongs to the match at index `at` of `count` searched values.
    fn result_at(&self, results: Area, at: usize, count: usize) -> Found {
        let at = at as u32 + 1;
        let is_row = results.rows() == 1 && (results.columns() > 1 || count == 1);
        let part = match is_row {
            true => results.part(1, at),
            false => results.part(at, 0),
        };
        self.one(part.ok_or_else(|| fault(WRONG))?)
    }

    /// Searches a value. Returns its index in `values`.
    ///
    /// Only values of the wanted type are compared: a number never matches a text. `last` makes an exact search begin
    /// at the end.
    fn search(&self, wanted: &Value, values: &[Value], way: MatchRule, last: bool) -> Found<usize> {
        self.step(values.len() as u64)?;
        // Excel looks up an empty cell as 0.
        let wanted = match wanted {
            Value::Empty => &Value::Number(0.0),
            other => other,
        };
        // Types that are comparable with one another: text, truth values, numbers.
        let kind = |value: &Value| match value {
            Value::Text(_) | Value::Rich(_) => Some(0),
            Value::Boolean(_) => Some(1),
            other => number(other).map(|_| 2),
        };
        let alike = values
            .iter()
            .enumerate()
            .filter(|(_, value)| kind(value) == kind(wanted));
        let pattern = lower(wanted);
        let is_equal = |value: &Value| match way {
            MatchRule::Like if kind(wanted) == Some(0) => is_like(&lower(value), &pattern),
            _ => order(value, wanted).is_some_and(Ordering::is_eq),
        };
        let exact = || {
            let mut equal = alike.clone().filter(|(_, value)| is_equal(value));
            let found = if last {
                equal.next_back()
            } else {
                equal.next()
            };
            found.map(|(at, _)| at)
        };
        // Finds the value that is nearest to the wanted one, among the smaller or the larger values.
        let nearest = |side: Ordering| {
            let beyond = alike
                .clone()
                .filter(|(_, value)| order(value, wanted) == Some(side));
            let best = beyond.reduce(|best, next| match order(next.1, best.1) {
                Some(order) if order == side.reverse() => next,
                _ => best,
            });
            best.map(|(at, _)| at)
        };
        let found = match way {
            MatchRule::Exact | MatchRule::Like => exact(),
            MatchRule::NotMore | MatchRule::NotLess => {
                let over = if way == MatchRule::NotMore {
                    Ordering::Greater
                } else {
                    Ordering::Less
                };
                let before = alike
                    .clone()
                    .take_while(|(_, value)| order(value, wanted) != Some(over));
                before.last().map(|(at, _)| at)
            }
            MatchRule::Smaller => exact().or_else(|| nearest(Ordering::Less)),
            MatchRule::Larger => exact().or_else(|| nearest(Ordering::Greater)),
        };
        found.ok_or_else(|| fault(NOT_AVAILABLE))
    }
}
