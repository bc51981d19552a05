//! Functions over all values of ranges: sums, counts and averages with and without conditions, and statistics. Also
//! functions of single numbers, such as `ROUND`. Lookups are in [`lookup`](super::lookup).

use super::{
    Fault,
    area::Area,
    evaluate::{EvaluationContext, Found},
    expression::{Expression, Function},
    values::{
        Criterion, DIVISION, NOT_AVAILABLE, NUMBER, WRONG, fault, fifteen, finite, interpolated,
        number, operand,
    },
};
use crate::shown::book::Value;
use Function as F;

impl EvaluationContext<'_> {
    /// Computes a function over the values of its arguments.
    pub(super) fn collected(&self, function: Function, arguments: &[Expression]) -> Found {
        let argument = |number: usize| arguments.get(number).ok_or(Fault::Unknown);
        let result = match function {
            F::Count => {
                let mut count = 0;
                for argument in arguments {
                    count += self
                        .values(argument)?
                        .iter()
                        .filter(|value| number(value).is_some())
                        .count();
                }
                count as f64
            }
            F::CountFilled | F::CountBlank => {
                let (mut filled, mut blank) = (0, 0);
                for argument in arguments {
                    for value in self.values(argument)? {
                        // An empty text is blank for COUNTBLANK but not empty for COUNTA, so a cell can count in
                        // both.
                        filled += usize::from(value != Value::Empty);
                        blank += usize::from(value.is_empty());
                    }
                }
                (if function == F::CountBlank {
                    blank
                } else {
                    filled
                }) as f64
            }
            F::CountIf | F::SumIfs | F::AverageIfs | F::MostIfs | F::LeastIfs => {
                let (of, conditions) = match function {
                    F::CountIf => (None, arguments),
                    _ => (Some(argument(0)?), &arguments[1..]),
                };
                self.of_conditions(function, of, conditions)?
            }
            F::SumIf | F::AverageIf => {
                let of = arguments.get(2).unwrap_or(argument(0)?);
                let function = if function == F::SumIf {
                    F::SumIfs
                } else {
                    F::AverageIfs
                };
                self.of_conditions(
                    function,
                    Some(of),
                    arguments.get(..2).ok_or(Fault::Unknown)?,
                )?
            }
            F::SumProduct => self.sum_of_products(arguments)?,
            F::Subtotal => {
                // The code names the function. Codes above 100 also skip hidden rows.
                let code = self.number(argument(0)?)?;
                let mut numbers = Vec::new();
                for argument in &arguments[1..] {
                    let area = self.area(argument)?.ok_or_else(|| fault(WRONG))?;
                    self.step(area.count())?;
                    for (row, column) in area.places() {
                        if !self
                            .source
                            .is_left_out(area.sheet, row, column, code > 100.0)
                        {
                            numbers.push(self.source.value(area.sheet, row, column)?);
                        }
                    }
                }
                let function = match code as u32 % 100 {
                    1 => F::Average,
                    2 => F::Count,
                    3 => F::CountFilled,
                    4 => F::Most,
                    5 => F::Least,
                    6 => F::Product,
                    7 => F::Deviation,
                    8 => F::DeviationOfAll,
                    9 => F::Sum,
                    10 => F::Variance,
                    11 => F::VarianceOfAll,
                    _ => return Err(fault(WRONG)),
                };
                return self.collected(function, &[Expression::Rows(vec![numbers])]);
            }
            F::NetPresentValue => {
                let rate = self.number(argument(0)?)?;
                // The first payment is due after one period, hence the count from 1.
                let values = self.numbers(&arguments[1..])?;
                let periods = (1..).zip(values);
                periods
                    .map(|(period, value)| value / (1.0 + rate).powi(period))
                    .sum()
            }
            F::Large | F::Small | F::Percentile | F::Quartile => {
                let numbers = arguments.get(..1).ok_or(Fault::Unknown)?;
                let numbers = sorted(self.numbers(numbers)?);
                order_statistic(function, &numbers, self.number(argument(1)?)?)?
            }
            F::Rank => {
                let wanted = self.number(argument(0)?)?;
                let numbers = self.numbers(arguments.get(1..2).ok_or(Fault::Unknown)?)?;
                let rises = self.number_or(arguments.get(2), 0.0)? != 0.0;
                if !numbers.contains(&wanted) {
                    return Err(fault(NOT_AVAILABLE));
                }
                // Rank 1 is the largest number, or the smallest one with a third argument other than 0.
                let before = |other: &&f64| {
                    if rises {
                        **other < wanted
                    } else {
                        **other > wanted
                    }
                };
                numbers.iter().filter(before).count() as f64 + 1.0
            }
            _ => statistic(function, self.numbers(arguments)?)?,
        };
        finite(result).map(Value::Number)
    }

    /// Numbers of the arguments. In ranges, text and truth values are skipped; an error ends the evaluation.
    fn numbers(&self, arguments: &[Expression]) -> Found<Vec<f64>> {
        let mut numbers = Vec::new();
        for argument in arguments {
            if !self.is_many(argument)? {
                numbers.push(self.number(argument)?);
                continue;
            }
            for value in self.values(argument)? {
                match value {
                    Value::Error(error) => return Err(Fault::Error(error)),
                    other => numbers.extend(number(&other)),
                }
            }
        }
        Ok(numbers)
    }

    /// Computes `COUNTIFS`, `SUMIFS` and their relatives. `conditions` are pairs of a range and a criterion. A row and
    /// column counts if the cells there meet all criteria.
    ///
    /// The ranges are walked in parallel from their upper left cells, in the size of the first condition's range.
    /// Excel resizes the range of `SUMIF` in the same way.
    fn of_conditions(
        &self,
        function: Function,
        of: Option<&Expression>,
        conditions: &[Expression],
    ) -> Found<f64> {
        let mut areas = Vec::new();
        for condition in conditions.chunks_exact(2) {
            let area = self.area(&condition[0])?.ok_or(Fault::Unknown)?;
            areas.push((area, Criterion::new(&self.value(&condition[1])?)));
        }
        let (first, _) = areas.first().ok_or(Fault::Unknown)?;
        let (rows, columns) = (first.rows(), first.columns());
        let of = of.map(|of| self.area(of)?.ok_or(Fault::Unknown));
        let of = of.transpose()?;
        let mut numbers = Vec::new();
        let mut count = 0;
        self.step(u64::from(rows) * u64::from(columns) * areas.len() as u64)?;
        for place in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let value = |area: &Area| {
                let (row, column) = (
                    area.first.0.checked_add(place.0),
                    area.first.1.checked_add(place.1),
                );
                let (row, column) = row.zip(column).ok_or_else(|| fault(WRONG))?;
                self.source.value(area.sheet, row, column)
            };
            let mut all = true;
            for (area, criterion) in &areas {
                all = all && criterion.is_met(&value(area)?);
            }
            if !all {
                continue;
            }
            count += 1;
            match of.as_ref().map(value).transpose()? {
                Some(Value::Error(error)) => return Err(Fault::Error(error)),
                Some(value) => numbers.extend(number(&value)),
                None => {}
            }
        }
        match function {
            F::CountIf => Ok(f64::from(count)),
            F::SumIfs => statistic(F::Sum, numbers),
            F::MostIfs => statistic(F::Most, numbers),
            F::LeastIfs => statistic(F::Least, numbers),
            _ => statistic(F::Average, numbers),
        }
    }

    /// Computes `SUMPRODUCT`: multiplies arrays of one size element by element, and adds the products. Text counts as
    /// 0.
    fn sum_of_products(&self, arguments: &[Expression]) -> Found<f64> {
        let with_arrays = EvaluationContext {
            arrays: true,
            ..*self
        };
        let mut products: Option<(usize, Vec<f64>)> = None;
        for argument in arguments {
            let array = with_arrays.array(argument)?;
            let mut numbers = Vec::with_capacity(array.values.len());
            for value in array.values {
                numbers.push(match value {
                    Value::Error(error) => return Err(Fault::Error(error)),
                    // Truth values count as 0 here. In an operation, as in `--(A1:A9>3)`, they have become numbers.
                    other => number(&other).unwrap_or(0.0),
                });
            }
            match &mut products {
                None => products = Some((array.columns, numbers)),
                Some((columns, so_far))
                    if *columns == array.columns && so_far.len() == numbers.len() =>
                {
                    so_far
                        .iter_mut()
                        .zip(numbers)
                        .for_each(|(one, other)| *one *= other);
                }
                Some(_) => return Err(fault(WRONG)),
            }
        }
        let (_, products) = products.ok_or(Fault::Unknown)?;
        Ok(fifteen(products.iter().sum()))
    }
}

/// Sorts numbers in ascending order.
fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// `LARGE`, `SMALL`, `PERCENTILE` and `QUARTILE` of sorted numbers. `rank` is the second argument of the function.
fn order_statistic(function: Function, numbers: &[f64], rank: f64) -> Found<f64> {
    let last = numbers.len().checked_sub(1).ok_or_else(|| fault(NUMBER))?;
    let share = match function {
        F::Percentile => rank,
        F::Quartile => rank.trunc() / 4.0,
        _ => {
            let inside = (1.0..=numbers.len() as f64).contains(&rank);
            let at = inside
                .then(|| rank.ceil() as usize - 1)
                .ok_or_else(|| fault(NUMBER))?;
            return Ok(numbers[if function == F::Small { at } else { last - at }]);
        }
    };
    if !(0.0..=1.0).contains(&share) {
        return Err(fault(NUMBER));
    }
    Ok(interpolated(numbers, share * last as f64))
}

/// Computes a statistic of a list of numbers.
fn statistic(function: Function, numbers: Vec<f64>) -> Found<f64> {
    let count = numbers.len() as f64;
    let sum = fifteen(numbers.iter().sum());
    let some = || match numbers.is_empty() {
        true => Err(fault(DIVISION)),
        false => Ok(()),
    };
    // Sum of squared deviations from the mean, divided by n (for 0) or n - 1 (for 1).
    let squares = |from: f64| {
        if count <= from {
            return Err(fault(DIVISION));
        }
        let mean = sum / count;
        Ok(numbers
            .iter()
            .map(|number| (number - mean).powi(2))
            .sum::<f64>()
            / (count - from))
    };
    Ok(match function {
        F::Sum => sum,
        F::Product if numbers.is_empty() => 0.0,
        F::Product => numbers.iter().product(),
        F::SumSquares => numbers.iter().map(|number| number * number).sum(),
        F::Least => numbers.iter().copied().reduce(f64::min).unwrap_or(0.0),
        F::Most => numbers.iter().copied().reduce(f64::max).unwrap_or(0.0),
        F::Average => {
            some()?;
            sum / count
        }
        F::Median => order_statistic(F::Percentile, &sorted(numbers), 0.5)?,
        F::Variance => squares(1.0)?,
        F::VarianceOfAll => squares(0.0)?,
        F::Deviation => squares(1.0)?.sqrt(),
        F::DeviationOfAll => squares(0.0)?.sqrt(),
        _ => return Err(Fault::Unknown),
    })
}

impl EvaluationContext<'_> {
    /// Computes functions of single numbers. `None` for any other function.
    pub(super) fn of_numbers(
        &self,
        function: Function,
        arguments: &[Expression],
    ) -> Found<Option<f64>> {
        let first = || self.number(arguments.first().ok_or(Fault::Unknown)?);
        let second = || self.number(arguments.get(1).ok_or(Fault::Unknown)?);
        let divisor = || match second()? {
            0.0 => Err(fault(DIVISION)),
            other => Ok(other),
        };
        let positive = |number: f64| match number > 0.0 {
            true => Ok(number),
            false => Err(fault(NUMBER)),
        };
        // Rounds a number to a number of decimal places, which may be negative. The number is cut to fifteen digits
        // first, so that 1.005, which is stored as 1.00499…, counts as halfway between its neighbours.
        let rounded = |round: fn(f64) -> f64, places: f64| {
            let places = places.clamp(-300.0, 300.0).trunc() as i32;
            let scale = 10_f64.powi(places.abs());
            let scaled = if places < 0 {
                first()? / scale
            } else {
                first()? * scale
            };
            if !scaled.is_finite() {
                return first();
            }
            let round = round(fifteen(scaled));
            Ok(if places < 0 {
                round * scale
            } else {
                round / scale
            })
        };
        let away = |number: f64| number.abs().ceil().copysign(number);
        Ok(Some(match function {
            F::Mod => {
                let (number, divisor) = (first()?, divisor()?);
                // The remainder has the sign of the divisor.
                number - divisor * (number / divisor).floor()
            }
            F::Int => first()?.floor(),
            F::Abs => first()?.abs(),
            F::Sign => match first()? {
                0.0 => 0.0,
                number => number.signum(),
            },
            F::Sqrt => match first()? {
                number if number < 0.0 => return Err(fault(NUMBER)),
                number => number.sqrt(),
            },
            F::Power => first()?.powf(second()?),
            F::Exp => first()?.exp(),
            F::Ln => positive(first()?)?.ln(),
            F::Log10 => positive(first()?)?.log10(),
            F::Log => match positive(self.number_or(arguments.get(1), 10.0)?)? {
                10.0 => positive(first()?)?.log10(),
                base => positive(first()?)?.ln() / base.ln(),
            },
            F::Pi => std::f64::consts::PI,
            F::Round => rounded(f64::round, self.number_or(arguments.get(1), 0.0)?)?,
            F::RoundUp => rounded(away, self.number_or(arguments.get(1), 0.0)?)?,
            F::RoundDown | F::Truncate => {
                rounded(f64::trunc, self.number_or(arguments.get(1), 0.0)?)?
            }
            F::Ceiling | F::Floor | F::Multiple => {
                let (number, step) = (first()?, self.number_or(arguments.get(1), 1.0)?);
                if step == 0.0 {
                    return Ok(Some(0.0));
                }
                if number > 0.0 && step < 0.0 || function == F::Multiple && number * step < 0.0 {
                    return Err(fault(NUMBER));
                }
                // Cut to fifteen digits: 0.3 / 0.1 is 2.999… in binary, and `FLOOR` must find 3.
                let count = fifteen(number / step);
                fifteen(
                    step * match function {
                        F::Ceiling => count.ceil(),
                        F::Floor => count.floor(),
                        _ => count.round(),
                    },
                )
            }
            F::Quotient => (first()? / divisor()?).trunc(),
            F::Value => operand(&self.value(arguments.first().ok_or(Fault::Unknown)?)?)?,
            _ => return Ok(None),
        }))
    }
}
