//! Evaluates parsed formulas from the position of a cell, as Excel does: operators and references. Functions are in the
//! files beside this one.
//!
//! Errors are values in a spreadsheet, and an error ends an evaluation as in Excel. An unsupported construct (such as
//! a text that would be a number in some locale) ends it too, but without a value: nothing is guessed.

use super::{
    Fault, Source,
    area::{Area, Array},
    expression::{Expression, Function, Operator, Place},
    values::{
        DIVISION, MAX_TEXT, NUMBER, WRONG, fault, finite, holds, operand, order, truth, written,
    },
};
use crate::{
    cells::{COLUMNS, MAX_ROWS},
    shown::book::Value,
};
use convertd_office::time::Epoch;
use std::{cell::Cell, cmp::Ordering};

/// Relative difference below which two numbers are equal: the fifteenth significant digit, the last that Excel shows.
const NEAR: f64 = 1e-15;

/// Maximum number of values in one range or array, which are all in memory at the same time.
const MAX_VALUES: u64 = 1 << 20;

/// Value of a formula, or the reason why it has none.
pub(super) type Found<T = Value> = Result<T, Fault>;

/// Position from which a formula is evaluated, with the limits of the evaluation.
#[derive(Clone, Copy)]
pub(in crate::shown) struct EvaluationContext<'g> {
    /// Cells that the formula refers to.
    pub(in crate::shown) source: &'g dyn Source,
    /// Index of the cell's sheet.
    pub(in crate::shown) sheet: usize,
    /// Row and column of the cell.
    pub(in crate::shown) at: (u32, u32),
    /// Cell that the formula was written for. Relative references move by the distance from it to `at`.
    pub(in crate::shown) first: (u32, u32),
    /// First day of serial dates.
    pub(in crate::shown) epoch: Epoch,
    /// Whether operators work on all values of a range, as in `SUMPRODUCT`. Otherwise they take the one value in the
    /// row or column of the cell (implicit intersection).
    pub(in crate::shown) arrays: bool,
    /// Steps left, shared by all evaluations of the workbook.
    pub(in crate::shown) steps: &'g Cell<u64>,
}

impl EvaluationContext<'_> {
    /// Value of a formula. Error values come back as [`Fault::Error`], so the result is never an error value.
    pub(in crate::shown) fn value(&self, expression: &Expression) -> Found {
        self.step(1)?;
        let value = match expression {
            Expression::Constant(constant) => constant.clone(),
            Expression::Rows(rows) => rows
                .first()
                .and_then(|row| row.first())
                .cloned()
                .unwrap_or_default(),
            Expression::Cell(_) | Expression::Range(..) | Expression::On(..) => {
                self.crossed(expression)?
            }
            Expression::Negative(part) => Value::Number(-self.number(part)?),
            Expression::Percent(part) => Value::Number(self.number(part)? / 100.0),
            Expression::Pair(operator, left, right) => {
                pair(*operator, &self.value(left)?, &self.value(right)?)?
            }
            Expression::Call(function, arguments) => self.call(*function, arguments)?,
        };
        match value {
            Value::Error(error) => Err(Fault::Error(error)),
            value => Ok(value),
        }
    }

    /// Returns whether a formula is true.
    pub(in crate::shown) fn is_true(&self, expression: &Expression) -> Found<bool> {
        truth(&self.value(expression)?)
    }

    /// Subtracts from the number of steps left.
    ///
    /// Errors: [`Fault::Unknown`] when no steps are left.
    pub(super) fn step(&self, count: u64) -> Found<()> {
        let left = self.steps.get().saturating_sub(count);
        self.steps.set(left);
        if left > 0 {
            Ok(())
        } else {
            Err(Fault::Unknown)
        }
    }

    /// Resolves a reference to a row and column. Relative parts move with the cell, and continue at the other end of the
    /// sheet: in the first row, the row above is the last one.
    fn place(&self, place: Place) -> (u32, u32) {
        let moved = |(at, is_absolute): (u32, bool), own: u32, first: u32, count: u32| {
            let by = if is_absolute {
                0
            } else {
                i64::from(own) - i64::from(first)
            };
            (i64::from(at) + by).rem_euclid(i64::from(count)) as u32
        };
        (
            moved(place.row, self.at.0, self.first.0, MAX_ROWS),
            moved(place.column, self.at.1, self.first.1, COLUMNS),
        )
    }

    /// Resolves an expression to the cells that it refers to. `None` for an expression that is not a reference.
    pub(super) fn area(&self, expression: &Expression) -> Found<Option<Area>> {
        let area = |first: (u32, u32), last: (u32, u32)| Area {
            sheet: self.sheet,
            first: (first.0.min(last.0), first.1.min(last.1)),
            last: (first.0.max(last.0), first.1.max(last.1)),
        };
        Ok(Some(match expression {
            Expression::Cell(place) => {
                let place = self.place(*place);
                area(place, place)
            }
            Expression::Range(first, last) => {
                let area = area(self.place(*first), self.place(*last));
                area.clipped(self.source.extent(area.sheet))
            }
            Expression::On(sheet, inner) => {
                let on_sheet = Self {
                    sheet: *sheet,
                    ..*self
                };
                return on_sheet.area(inner);
            }
            // INDEX of a range is a reference, too, so that `SUM(INDEX(A1:C9;0;2))` adds a column.
            Expression::Call(Function::Index, arguments) => {
                let Some(whole) = arguments
                    .first()
                    .map(|whole| self.area(whole))
                    .transpose()?
                    .flatten()
                else {
                    return Ok(None);
                };
                self.indexed(whole, &arguments[1..])?
            }
            _ => return Ok(None),
        }))
    }

    /// Value of a reference as a single value (implicit intersection): a column stands for its cell in this row, a row
    /// for its cell in this column.
    fn crossed(&self, expression: &Expression) -> Found {
        let area = self.area(expression)?.ok_or(Fault::Unknown)?;
        let inside = |at: u32, first: u32, last: u32| (first..=last).contains(&at).then_some(at);
        let (rows, columns) = (area.first.0 == area.last.0, area.first.1 == area.last.1);
        let place = match (rows, columns) {
            (true, true) => Some(area.first),
            (false, true) => {
                inside(self.at.0, area.first.0, area.last.0).map(|row| (row, area.first.1))
            }
            (true, false) => {
                inside(self.at.1, area.first.1, area.last.1).map(|column| (area.first.0, column))
            }
            (false, false) => None,
        };
        let (row, column) = place.ok_or_else(|| fault(WRONG))?;
        self.source.value(area.sheet, row, column)
    }

    /// Reads all values of an area, errors among them.
    pub(super) fn cells(&self, area: Area) -> Found<Vec<Value>> {
        if area.count() > MAX_VALUES {
            return Err(Fault::Unknown);
        }
        self.step(area.count())?;
        let values = area
            .places()
            .map(|(row, column)| self.source.value(area.sheet, row, column));
        values.collect()
    }

    /// All values of an expression as an array, for operators that work element by element.
    pub(super) fn array(&self, expression: &Expression) -> Found<Array> {
        if let Some(area) = self.area(expression)? {
            return Ok(Array {
                columns: area.columns() as usize,
                values: self.cells(area)?,
            });
        }
        let unary = |part: &Expression, change: fn(f64) -> f64| {
            let mut array = self.array(part)?;
            for value in &mut array.values {
                *value = settled(operand(value).map(|number| Value::Number(change(number))))?;
            }
            Ok(array)
        };
        match expression {
            Expression::Rows(rows) => Ok(Array {
                columns: rows.first().map_or(0, Vec::len),
                values: rows.iter().flatten().cloned().collect(),
            }),
            Expression::Negative(part) => unary(part, |number| -number),
            Expression::Percent(part) => unary(part, |number| number / 100.0),
            Expression::Pair(operator, left, right) => {
                let (left, right) = (self.array(left)?, self.array(right)?);
                self.each(&[left, right], |values| {
                    pair(*operator, &values[0], &values[1])
                })
            }
            Expression::Call(function, arguments) if !function.takes_ranges() => {
                let arrays: Found<Vec<Array>> =
                    arguments.iter().map(|one| self.array(one)).collect();
                let arrays = arrays?;
                // If no argument has several values, this is an ordinary call.
                if arrays.iter().all(|array| array.values.len() == 1) {
                    return Ok(Array::one(settled(self.value(expression))?));
                }
                self.each(&arrays, |values| {
                    let constants: Vec<Expression> =
                        values.iter().cloned().map(Expression::Constant).collect();
                    self.call(*function, &constants)
                })
            }
            other => Ok(Array::one(settled(self.value(other))?)),
        }
    }

    /// Combines arrays element by element. The result has as many rows as the tallest array, and as many columns as
    /// the widest.
    fn each(&self, arrays: &[Array], of: impl Fn(&[Value]) -> Found) -> Found<Array> {
        let rows = arrays.iter().map(Array::rows).max().unwrap_or(1);
        let columns = arrays.iter().map(|array| array.columns).max().unwrap_or(1);
        if (rows * columns) as u64 > MAX_VALUES {
            return Err(Fault::Unknown);
        }
        self.step((rows * columns) as u64)?;
        let mut values = Vec::with_capacity(rows * columns);
        for place in 0..rows * columns {
            let own: Vec<Value> = arrays
                .iter()
                .map(|array| array.at(place / columns, place % columns))
                .collect();
            values.push(settled(of(&own))?);
        }
        Ok(Array { columns, values })
    }

    /// All values of an argument: of every cell of a range, of an array, or the single value of another expression.
    pub(super) fn values(&self, argument: &Expression) -> Found<Vec<Value>> {
        if let Some(area) = self.area(argument)? {
            return self.cells(area);
        }
        match argument {
            Expression::Rows(rows) => Ok(rows.iter().flatten().cloned().collect()),
            other if self.arrays => Ok(self.array(other)?.values),
            other => Ok(vec![self.value(other)?]),
        }
    }

    /// Returns whether an argument is a range or an array. Functions skip text there, but convert it in a single
    /// argument.
    pub(super) fn is_many(&self, argument: &Expression) -> Found<bool> {
        Ok(
            self.area(argument)?.is_some()
                || self.arrays
                || matches!(argument, Expression::Rows(_)),
        )
    }

    /// Value of an expression as a number.
    pub(super) fn number(&self, expression: &Expression) -> Found<f64> {
        operand(&self.value(expression)?)
    }

    /// Value of an expression as text.
    pub(super) fn text(&self, expression: &Expression) -> Found<String> {
        written(&self.value(expression)?)
    }

    /// Number of an optional argument, or `other` if it is missing.
    pub(super) fn number_or(&self, argument: Option<&Expression>, other: f64) -> Found<f64> {
        argument.map_or(Ok(other), |argument| self.number(argument))
    }
}

/// Turns an error back into a value, as a cell stores it.
pub(super) fn settled(found: Found) -> Found {
    match found {
        Err(Fault::Error(error)) => Ok(Value::Error(error)),
        other => other,
    }
}

/// Applies a binary operator to two values, with Excel's conversions between types.
fn pair(operator: Operator, left: &Value, right: &Value) -> Found {
    let numbers = || Ok((operand(left)?, operand(right)?));
    let number = |number: f64| finite(number).map(Value::Number);
    // Excel makes a difference 0 if both operands agree in fifteen digits: 0.3 - 0.1 - 0.2 is 0.
    let without_rounding_error = |sum: f64, one: f64| {
        if sum.abs() < one.abs() * NEAR {
            0.0
        } else {
            sum
        }
    };
    match operator {
        Operator::Join => {
            let joined = written(left)? + &written(right)?;
            match joined.len() <= MAX_TEXT {
                true => Ok(Value::Text(joined.into())),
                false => Err(fault(WRONG)),
            }
        }
        Operator::Add => numbers().and_then(|(a, b)| number(without_rounding_error(a + b, a))),
        Operator::Subtract => numbers().and_then(|(a, b)| number(without_rounding_error(a - b, a))),
        Operator::Multiply => numbers().and_then(|(a, b)| number(a * b)),
        Operator::Divide => match numbers()? {
            (_, 0.0) => Err(fault(DIVISION)),
            (a, b) => number(a / b),
        },
        Operator::Power => match numbers()? {
            // Excel defines 0^0 as an error; `powf` returns 1.
            (0.0, 0.0) => Err(fault(NUMBER)),
            (a, b) => number(a.powf(b)),
        },
        Operator::Compare(comparison) => {
            for value in [left, right] {
                if let Value::Error(error) = value {
                    return Err(Fault::Error(error.clone()));
                }
            }
            let order = match (left, right) {
                (Value::Number(one), Value::Number(other))
                    if (one - other).abs() < one.abs() * NEAR =>
                {
                    Ordering::Equal
                }
                _ => order(left, right).ok_or(Fault::Unknown)?,
            };
            Ok(Value::Boolean(holds(comparison, order)))
        }
    }
}
