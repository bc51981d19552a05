//! Evaluates formulas of conditions as they are seen from a cell, as Excel does: from the values that the cells of the sheet hold.

use super::{
    expression::{Expression, Function, OPERATORS, Operator, Place},
    holds, number, order, text, value,
};
use crate::shown::{
    book::{Grid, Value},
    validation::Operator as Comparison,
};
use std::cell::Cell;

/// The limit on the cells and parts that are looked at for all formulas of a sheet.
pub(super) const MAX_STEPS: u64 = 8_000_000;

/// The days between the two calendars, for days of the week.
const CALENDARS: f64 = 1462.0;

/// A cell from which a formula is seen.
#[derive(Clone, Copy)]
pub(super) struct Sight<'g> {
    pub(super) grid: &'g Grid,
    /// Row and column of the cell.
    pub(super) at: (u32, u32),
    /// The cell that the formula is written for.
    pub(super) first: (u32, u32),
    /// Days are counted from 1904.
    pub(super) from_1904: bool,
    /// Number of steps that may still be taken.
    pub(super) steps: &'g Cell<u64>,
}

/// Value of a formula. `None` once there are no steps left, or where Excel would show an error of its own.
type Found = Option<Value>;

impl Sight<'_> {
    /// The value of a formula.
    pub(super) fn value(&self, expression: &Expression) -> Found {
        self.step(1)?;
        match expression {
            Expression::Constant(constant) => Some(constant.clone()),
            Expression::Cell(place) => {
                let (row, column) = self.place(*place)?;
                Some(value(self.grid, row, column).clone())
            }
            // Of a range the cell in the same row or column counts.
            Expression::Range(first, last) => {
                let ((top, left), (bottom, right)) = (self.place(*first)?, self.place(*last)?);
                let (row, column) = match (left == right, top == bottom) {
                    (true, _) => (self.at.0, left),
                    (_, true) => (top, self.at.1),
                    _ => return None,
                };
                let inside = (top..=bottom).contains(&row) && (left..=right).contains(&column);
                inside.then(|| value(self.grid, row, column).clone())
            }
            Expression::Negative(part) => Some(Value::Number(-self.number(part)?)),
            Expression::Percent(part) => Some(Value::Number(self.number(part)? / 100.0)),
            Expression::Pair(operator, left, right) => self.pair(*operator, left, right),
            Expression::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// Whether a formula is true.
    pub(super) fn is_true(&self, expression: &Expression) -> Option<bool> {
        match self.value(expression)? {
            Value::Boolean(is) => Some(is),
            Value::Number(number) => Some(number != 0.0),
            Value::Empty => Some(false),
            Value::Text(_) | Value::Rich(_) | Value::Error(_) => None,
        }
    }

    fn step(&self, count: u64) -> Option<()> {
        let left = self.steps.get().saturating_sub(count);
        self.steps.set(left);
        (left > 0).then_some(())
    }

    /// The row and column of a place, which moves with the cell unless it is fixed.
    fn place(&self, place: Place) -> Option<(u32, u32)> {
        let moved = |(at, stays): (u32, bool), here: u32, first: u32| match stays {
            true => Some(at),
            false => u32::try_from(i64::from(at) + i64::from(here) - i64::from(first)).ok(),
        };
        let row = moved(place.row, self.at.0, self.first.0)?;
        Some((row, moved(place.column, self.at.1, self.first.1)?))
    }

    fn number(&self, expression: &Expression) -> Option<f64> {
        match self.value(expression)? {
            Value::Empty => Some(0.0),
            Value::Boolean(is) => Some(f64::from(u8::from(is))),
            Value::Text(text) => text
                .trim()
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite()),
            other => number(&other),
        }
    }

    fn text(&self, expression: &Expression) -> Option<String> {
        Some(match self.value(expression)? {
            Value::Boolean(true) => "TRUE".to_owned(),
            Value::Boolean(false) => "FALSE".to_owned(),
            Value::Error(_) => return None,
            other => other.text().unwrap_or_else(|| text(&other)),
        })
    }

    fn pair(&self, operator: Operator, left: &Expression, right: &Expression) -> Found {
        let numbers = || Some((self.number(left)?, self.number(right)?));
        let number = |number: f64| number.is_finite().then_some(Value::Number(number));
        match operator {
            Operator::Join => {
                let joined = self.text(left)? + &self.text(right)?;
                (joined.len() <= 1 << 15).then(|| Value::Text(joined.into()))
            }
            Operator::Add => numbers().and_then(|(a, b)| number(a + b)),
            Operator::Subtract => numbers().and_then(|(a, b)| number(a - b)),
            Operator::Multiply => numbers().and_then(|(a, b)| number(a * b)),
            Operator::Divide => numbers().and_then(|(a, b)| number(a / b)),
            Operator::Power => numbers().and_then(|(a, b)| number(a.powf(b))),
            Operator::Compare(comparison) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let is_error = |value: &Value| matches!(value, Value::Error(_));
                if is_error(&left) || is_error(&right) {
                    return None;
                }
                Some(Value::Boolean(holds(comparison, order(&left, &right)?)))
            }
        }
    }

    fn call(&self, function: Function, arguments: &[Expression]) -> Found {
        let first = || arguments.first();
        let second = || arguments.get(1);
        let truth = |is: bool| Some(Value::Boolean(is));
        let finite = |number: f64| number.is_finite().then_some(Value::Number(number));
        let count = |count: usize| Some(Value::Number(count as f64));
        match function {
            Function::True => truth(true),
            Function::False => truth(false),
            Function::And | Function::Or => {
                // Text and empty cells in ranges say neither yes nor no.
                let mut all = Vec::new();
                for argument in arguments {
                    match argument {
                        Expression::Range(..) => all.extend(
                            self.numbers(argument)?
                                .into_iter()
                                .map(|number| number != 0.0),
                        ),
                        one => all.push(self.is_true(one)?),
                    }
                }
                truth(match function {
                    Function::And => all.iter().all(|is| *is),
                    _ => all.iter().any(|is| *is),
                })
            }
            Function::Not => truth(!self.is_true(first()?)?),
            Function::If => match self.is_true(first()?)? {
                true => self.value(second()?),
                false => arguments
                    .get(2)
                    .map_or(truth(false), |other| self.value(other)),
            },
            Function::IfError => match self.value(first()?) {
                Some(Value::Error(_)) | None => self.value(second()?),
                value => value,
            },
            Function::IsBlank => truth(self.value(first()?)?.is_empty()),
            Function::IsNumber => truth(matches!(self.value(first()?), Some(Value::Number(_)))),
            Function::IsText => truth(matches!(
                self.value(first()?),
                Some(Value::Text(_) | Value::Rich(_))
            )),
            Function::IsError => {
                truth(matches!(self.value(first()?), Some(Value::Error(_)) | None))
            }
            Function::IsEven => truth(self.number(first()?)?.trunc() % 2.0 == 0.0),
            Function::IsOdd => truth(self.number(first()?)?.trunc() % 2.0 != 0.0),
            Function::Row => count(self.corner(first())?.0 as usize + 1),
            Function::Column => count(self.corner(first())?.1 as usize + 1),
            Function::Weekday => {
                let offset = if self.from_1904 { CALENDARS } else { 0.0 };
                let day = self.number(first()?)?.floor() + offset;
                let day = match second().map_or(Some(1.0), |kind| self.number(kind))? as i64 {
                    1 => (day - 1.0).rem_euclid(7.0) + 1.0,
                    2 | 11 => (day - 2.0).rem_euclid(7.0) + 1.0,
                    3 => (day - 2.0).rem_euclid(7.0),
                    _ => return None,
                };
                finite(day)
            }
            Function::Mod => {
                let divisor = self.number(second()?)?;
                let number = self.number(first()?)?;
                // The rest has the sign of the divisor.
                finite(number - divisor * (number / divisor).floor())
            }
            Function::Int => finite(self.number(first()?)?.floor()),
            Function::Abs => finite(self.number(first()?)?.abs()),
            Function::Round => {
                let scale = 10_f64.powi(self.number(second()?)?.clamp(-15.0, 15.0) as i32);
                finite((self.number(first()?)? * scale).round() / scale)
            }
            Function::Len
            | Function::Left
            | Function::Right
            | Function::Upper
            | Function::Lower
            | Function::Trim => self.cut(function, &self.text(first()?)?, second()),
            Function::Exact => truth(self.text(first()?)? == self.text(second()?)?),
            Function::Search | Function::Find => {
                let (wanted, text) = (self.text(first()?)?, self.text(second()?)?);
                let (wanted, text) = match function {
                    Function::Search => (wanted.to_lowercase(), text.to_lowercase()),
                    _ => (wanted, text),
                };
                let at = text.find(&wanted)?;
                count(text[..at].chars().count() + 1)
            }
            Function::CountIf => {
                let wanted = self.value(second()?)?;
                let all = self.values(first()?)?;
                count(all.iter().filter(|value| meets(value, &wanted)).count())
            }
            Function::CountFilled | Function::CountBlank => {
                let mut filled = 0;
                let mut all = 0;
                for argument in arguments {
                    let values = self.values(argument)?;
                    all += values.len();
                    filled += values.iter().filter(|value| !value.is_empty()).count();
                }
                count(match function {
                    Function::CountBlank => all - filled,
                    _ => filled,
                })
            }
            _ => self.collected(function, arguments),
        }
    }

    /// The first row and column of an argument that is a cell or a range; without such an argument, those of the cell itself.
    fn corner(&self, argument: Option<&Expression>) -> Option<(u32, u32)> {
        match argument {
            None => Some(self.at),
            Some(Expression::Cell(place) | Expression::Range(place, _)) => self.place(*place),
            Some(_) => None,
        }
    }

    /// Functions of one text.
    fn cut(&self, function: Function, text: &str, length: Option<&Expression>) -> Found {
        let length = || length.map_or(Some(1.0), |length| self.number(length));
        let text = match function {
            Function::Len => return Some(Value::Number(text.chars().count() as f64)),
            Function::Left => text.chars().take(length()?.max(0.0) as usize).collect(),
            Function::Right => {
                let all = text.chars().count();
                text.chars()
                    .skip(all.saturating_sub(length()?.max(0.0) as usize))
                    .collect()
            }
            Function::Upper => text.to_uppercase(),
            Function::Lower => text.to_lowercase(),
            _ => text
                .split(' ')
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
        };
        Some(Value::Text(text.into()))
    }

    /// Functions of all numbers of their arguments.
    fn collected(&self, function: Function, arguments: &[Expression]) -> Found {
        let rank = match function {
            Function::Large | Function::Small => Some(self.number(arguments.get(1)?)?),
            _ => None,
        };
        let arguments = if rank.is_some() {
            &arguments[..1]
        } else {
            arguments
        };
        let mut numbers = Vec::new();
        for argument in arguments {
            numbers.extend(self.numbers(argument)?);
        }
        numbers.sort_by(f64::total_cmp);
        let all = numbers.len();
        let sum: f64 = numbers.iter().sum();
        let nth = rank
            .filter(|rank| (1.0..=all as f64).contains(rank))
            .map(|rank| rank as usize - 1);
        let number = match function {
            Function::Count => all as f64,
            Function::Sum => sum,
            Function::Least => numbers.first().copied().unwrap_or(0.0),
            Function::Most => numbers.last().copied().unwrap_or(0.0),
            Function::Average => sum / all as f64,
            Function::Small => numbers[nth?],
            Function::Large => numbers[all - 1 - nth?],
            Function::Median => {
                let middle = (
                    *numbers.get(all / 2)?,
                    *numbers.get(all.checked_sub(1)? / 2)?,
                );
                middle.0.midpoint(middle.1)
            }
            _ => return None,
        };
        number.is_finite().then_some(Value::Number(number))
    }

    /// The numbers of an argument: of a range those that are there.
    fn numbers(&self, argument: &Expression) -> Option<Vec<f64>> {
        match argument {
            Expression::Range(..) => {
                Some(self.values(argument)?.iter().filter_map(number).collect())
            }
            one => Some(vec![self.number(one)?]),
        }
    }

    /// All values of an argument.
    fn values(&self, argument: &Expression) -> Option<Vec<Value>> {
        let Expression::Range(first, last) = argument else {
            return Some(vec![self.value(argument)?]);
        };
        let ((top, left), (bottom, right)) = (self.place(*first)?, self.place(*last)?);
        let count =
            |first: u32, last: u32| u64::from(last.checked_sub(first).unwrap_or(u32::MAX)) + 1;
        self.step(count(top, bottom).saturating_mul(count(left, right)))?;
        let places = (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column)));
        let values = places.map(|(row, column)| value(self.grid, row, column).clone());
        Some(values.collect())
    }
}

/// Whether a value is what `COUNTIF` looks for: equal, or as an operator in front of the text says.
fn meets(value: &Value, wanted: &Value) -> bool {
    let Value::Text(condition) = wanted else {
        return !value.is_empty() && order(value, wanted).is_some_and(std::cmp::Ordering::is_eq);
    };
    let signs = OPERATORS
        .iter()
        .filter_map(|(token, operator, _)| match operator {
            Operator::Compare(comparison) => Some((token, *comparison)),
            _ => None,
        });
    let mut found =
        signs.filter_map(|(token, comparison)| Some((condition.strip_prefix(token)?, comparison)));
    let (operand, comparison) = found.next().unwrap_or((condition, Comparison::Equal));
    let operand = match operand.trim().parse::<f64>() {
        Ok(limit) if limit.is_finite() => Value::Number(limit),
        _ => Value::Text(operand.into()),
    };
    // A number is never less or more than a text here, and neither is what is empty.
    let alike = number(value).is_some() == number(&operand).is_some() && !value.is_empty();
    match alike {
        true => order(value, &operand).is_some_and(|order| holds(comparison, order)),
        false => comparison == Comparison::NotEqual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::book::Line;

    /// A sheet with 1, "Done" and an empty cell in its first row, and 2, "open" and -3 in its second.
    fn grid() -> Grid {
        let cell = |column, value| {
            let mut cell = crate::shown::book::Cell::empty(column);
            cell.value = value;
            cell
        };
        let line = |number, cells| Line {
            number,
            cells,
            ..Line::default()
        };
        let text = |text: &str| Value::Text(text.into());
        Grid {
            rows: vec![
                line(0, vec![cell(0, Value::Number(1.0)), cell(1, text("Done"))]),
                line(
                    1,
                    vec![
                        cell(0, Value::Number(2.0)),
                        cell(1, text("open")),
                        cell(2, Value::Number(-3.0)),
                    ],
                ),
            ],
            ..Grid::default()
        }
    }

    /// Whether a formula that is written for A1 is true as it is seen from another cell.
    fn is_true(formula: &str, at: (u32, u32)) -> Option<bool> {
        let (grid, steps) = (grid(), Cell::new(1000));
        let sight = Sight {
            grid: &grid,
            at,
            first: (0, 0),
            from_1904: false,
            steps: &steps,
        };
        sight.is_true(&Expression::parse(formula)?)
    }

    #[test]
    fn formulas_are_seen_from_each_cell() {
        let rows = |formula: &str| [0, 1].map(|row| is_true(formula, (row, 0)));
        assert_eq!(rows("MOD(ROW(),2)=0"), [Some(false), Some(true)]);
        assert_eq!(rows("=$B1=\"done\""), [Some(true), Some(false)]);
        assert_eq!(rows("ISBLANK(C1)"), [Some(true), Some(false)]);
        assert_eq!(rows("$A1=MAX($A$1:$A$2)"), [Some(false), Some(true)]);
        assert_eq!(rows("AND(A1>0, NOT(C1<0))"), [Some(true), Some(false)]);
        assert_eq!(
            rows("COUNTIF($A$1:$A$2, \">=\"&A1)=2"),
            [Some(true), Some(false)]
        );
        assert_eq!(rows("LEFT(B1,2)&\"x\"=\"opx\""), [Some(false), Some(true)]);
        assert_eq!(rows("A1+2*3^2=19"), [Some(true), Some(false)]);
        assert_eq!(rows("-A1^2=A1*1%*100"), [Some(true), Some(false)]);
        assert_eq!(rows("WEEKDAY(44927,2)>5"), [Some(true); 2]);
        assert_eq!(rows("IFERROR(1/0,TRUE)"), [Some(true); 2]);
    }

    #[test]
    fn what_is_not_understood_is_no_formula() {
        let deep = "(".repeat(10_000);
        for formula in [
            "",
            "1+",
            "TODAY()>1",
            "Sheet2!A1=1",
            "name",
            "{1,2}",
            "\"a",
            "A1:B",
            "SUM(1",
            &deep,
        ] {
            assert_eq!(Expression::parse(formula), None, "{formula:.20}");
        }
        assert_eq!(
            is_true("SUM($A$1:$XFD$1048576)>0", (0, 0)),
            None,
            "it takes too long"
        );
    }
}
