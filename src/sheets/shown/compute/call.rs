//! Calls of functions. Logical functions, tests of types, and functions of references such as `ROW` are here; every
//! other function is passed on to the file of its group. Does not read cells itself.

use super::{
    Fault,
    evaluate::{EvaluationContext, Found, settled},
    expression::{Expression, Function},
    values::{NOT_AVAILABLE, WRONG, fault, finite, operand, order, truth},
};
use crate::shown::book::Value;
use std::cmp::Ordering;

impl EvaluationContext<'_> {
    /// Value of a function call. Short-circuits like Excel: `IF`, `IFS`, `SWITCH` and `CHOOSE` evaluate only the
    /// branch that they return.
    pub(super) fn call(&self, function: Function, arguments: &[Expression]) -> Found {
        use Function as F;
        let argument = |number: usize| arguments.get(number).ok_or(Fault::Unknown);
        let is_set = |is: bool| Ok(Value::Boolean(is));
        let count = |count: usize| Ok(Value::Number(count as f64));
        match function {
            F::True => is_set(true),
            F::False => is_set(false),
            F::Na => Err(fault(NOT_AVAILABLE)),
            F::And | F::Or | F::Xor => {
                let all = self.truth_values(arguments)?;
                is_set(match function {
                    F::And => all.iter().all(|is| *is),
                    F::Or => all.iter().any(|is| *is),
                    _ => all.iter().filter(|is| **is).count() % 2 == 1,
                })
            }
            F::Not => is_set(!self.is_true(argument(0)?)?),
            F::If => match self.is_true(argument(0)?)? {
                true => self.passed_value(argument(1)?),
                // Without a third argument a false condition yields FALSE.
                false => arguments
                    .get(2)
                    .map_or(is_set(false), |other| self.passed_value(other)),
            },
            // Shows its second argument, or else the address.
            F::Hyperlink => self.passed_value(arguments.get(1).map_or_else(|| argument(0), Ok)?),
            F::Ifs => {
                for condition in arguments.chunks_exact(2) {
                    if self.is_true(&condition[0])? {
                        return self.passed_value(&condition[1]);
                    }
                }
                Err(fault(NOT_AVAILABLE))
            }
            F::Switch => {
                let wanted = self.value(argument(0)?)?;
                // Pairs of value and result, then an optional default.
                let cases = arguments[1..].chunks_exact(2);
                let other = cases.remainder().first();
                for case in cases {
                    if order(&wanted, &self.value(&case[0])?).is_some_and(Ordering::is_eq) {
                        return self.passed_value(&case[1]);
                    }
                }
                other.map_or_else(
                    || Err(fault(NOT_AVAILABLE)),
                    |other| self.passed_value(other),
                )
            }
            F::Choose => {
                let number = self.number(argument(0)?)?;
                let chosen = (number >= 1.0)
                    .then(|| arguments.get(number as usize))
                    .flatten();
                self.passed_value(chosen.ok_or_else(|| fault(WRONG))?)
            }
            F::IfError | F::IfNa => match self.value(argument(0)?) {
                Err(Fault::Error(error)) if function == F::IfError || &*error == NOT_AVAILABLE => {
                    self.value(argument(1)?)
                }
                value => value,
            },
            F::IsError | F::IsErr | F::IsNa => match self.value(argument(0)?) {
                Err(Fault::Error(error)) => is_set(match function {
                    F::IsError => true,
                    F::IsErr => &*error != NOT_AVAILABLE,
                    _ => &*error == NOT_AVAILABLE,
                }),
                Err(other) => Err(other),
                Ok(_) => is_set(false),
            },
            F::IsBlank | F::IsNumber | F::IsText | F::IsNonText | F::IsLogical => {
                let value = settled(self.value(argument(0)?))?;
                let is_text = matches!(value, Value::Text(_) | Value::Rich(_));
                is_set(match function {
                    F::IsBlank => value == Value::Empty,
                    F::IsNumber => matches!(value, Value::Number(_)),
                    F::IsLogical => matches!(value, Value::Boolean(_)),
                    F::IsText => is_text,
                    _ => !is_text,
                })
            }
            F::IsEven => is_set(self.number(argument(0)?)?.trunc() % 2.0 == 0.0),
            F::IsOdd => is_set(self.number(argument(0)?)?.trunc() % 2.0 != 0.0),
            F::N => Ok(match self.value(argument(0)?)? {
                Value::Text(_) | Value::Rich(_) => Value::Number(0.0),
                other => Value::Number(operand(&other)?),
            }),
            F::T => Ok(match self.value(argument(0)?)? {
                text @ (Value::Text(_) | Value::Rich(_)) => text,
                _ => Value::Text("".into()),
            }),
            F::Row | F::Column => {
                let first = match arguments.first() {
                    // Without an argument the functions mean the cell of the formula.
                    None => self.at,
                    Some(cells) => self.area(cells)?.ok_or_else(|| fault(WRONG))?.first,
                };
                count(if function == F::Row { first.0 } else { first.1 } as usize + 1)
            }
            F::Rows | F::Columns => {
                let array = match self.area(argument(0)?)? {
                    Some(area) => (area.rows() as usize, area.columns() as usize),
                    None => self
                        .array(argument(0)?)
                        .map(|array| (array.rows(), array.columns))?,
                };
                count(if function == F::Rows {
                    array.0
                } else {
                    array.1
                })
            }
            _ if function.is_lookup() => self.looked_up(function, arguments),
            _ if function.is_collected() => self.collected(function, arguments),
            // The other groups of functions are tried in turn: each returns `None` for a function that belongs to
            // another group.
            _ => match self.of_texts(function, arguments)? {
                Some(value) => Ok(value),
                None => {
                    let number = match self.of_numbers(function, arguments)? {
                        Some(number) => number,
                        None => match self.of_dates(function, arguments)? {
                            Some(number) => number,
                            None => self.of_money(function, arguments)?,
                        },
                    };
                    finite(number).map(Value::Number)
                }
            },
        }
    }

    /// Value of an argument that a function chooses and returns. Excel returns a range as a reference, so that
    /// `SUM(IF(…))` adds all of its cells; a formula that relies on this is not supported.
    fn passed_value(&self, argument: &Expression) -> Found {
        match self.area(argument)? {
            Some(area) => self.one(area),
            None => self.value(argument),
        }
    }

    /// Truth values of the arguments of `AND`, `OR` and `XOR`. Text and empty cells in ranges are skipped, as in
    /// Excel.
    fn truth_values(&self, arguments: &[Expression]) -> Found<Vec<bool>> {
        let mut all = Vec::new();
        for argument in arguments {
            if !self.is_many(argument)? {
                all.push(self.is_true(argument)?);
                continue;
            }
            for value in self.values(argument)? {
                match value {
                    Value::Text(_) | Value::Rich(_) | Value::Empty => {}
                    other => all.push(truth(&other)?),
                }
            }
        }
        match all.is_empty() {
            true => Err(fault(WRONG)),
            false => Ok(all),
        }
    }
}

impl Function {
    /// Returns whether the function reads arguments as ranges and yields one value for all of them. Other functions
    /// are applied to each element of an array.
    pub(super) fn takes_ranges(self) -> bool {
        use Function as F;
        matches!(
            self,
            F::And
                | F::Or
                | F::Xor
                | F::Row
                | F::Column
                | F::Rows
                | F::Columns
                | F::TextJoin
                | F::Concatenate
        ) || self.is_lookup()
            || self.is_of_days()
            || self.is_collected()
    }

    /// Returns whether the function looks up values.
    fn is_lookup(self) -> bool {
        use Function as F;
        matches!(
            self,
            F::LookupColumn
                | F::LookupRow
                | F::Lookup
                | F::LookupAny
                | F::Match
                | F::MatchAny
                | F::Index
        )
    }

    /// Returns whether the function may take a range of holidays.
    fn is_of_days(self) -> bool {
        matches!(self, Function::WorkDays | Function::WorkDay)
    }

    /// Returns whether the function goes through whole ranges value by value.
    fn is_collected(self) -> bool {
        use Function as F;
        matches!(
            self,
            F::Count
                | F::CountFilled
                | F::CountBlank
                | F::CountIf
                | F::SumIf
                | F::SumIfs
                | F::AverageIf
                | F::AverageIfs
                | F::MostIfs
                | F::LeastIfs
                | F::Sum
                | F::Product
                | F::SumProduct
                | F::SumSquares
                | F::Subtotal
                | F::Least
                | F::Most
                | F::Average
                | F::Large
                | F::Small
                | F::Median
                | F::Rank
                | F::Deviation
                | F::DeviationOfAll
                | F::Variance
                | F::VarianceOfAll
                | F::Percentile
                | F::Quartile
                | F::NetPresentValue
        )
    }
}
