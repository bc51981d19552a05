//! Scale of an axis of numbers: its limits and its steps. Draws nothing.
//!
//! Limits and steps that a file does not state are chosen as Word chooses them. The rules were measured on nine axes
//! without limits: An axis of positive values begins at zero if the values spread over more than a sixth of the largest
//! value. It ends at the first step that is at least 5 % of its length above the largest value. The step is 1, 2 or 5
//! times a power of ten: the smallest such number for which there is space for all labels.

use super::model::Axis;

/// Max. number of ticks of an axis, for any step that the file states.
const MAX_TICKS: usize = 500;

/// Scale of an axis of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    /// Smallest value of the axis, or its exponent on a logarithmic scale.
    pub(super) least: f64,
    /// Largest value of the axis, or its exponent.
    pub(super) most: f64,
    /// Distance between ticks, or between their exponents.
    pub(super) step: f64,
    /// Base of a logarithmic scale. `None` for a linear scale.
    log: Option<f64>,
    /// Whether the axis runs from right to left, or from top to bottom.
    reversed: bool,
}

impl Scale {
    /// Computes the scale for values in `range`. If the file states no step, the scale has at most `intervals`
    /// intervals. `tight` lets the axis end at the largest value, which axes of percentages need.
    pub(super) fn new(
        range: Option<(f64, f64)>,
        axis: &Axis,
        intervals: usize,
        tight: bool,
    ) -> Self {
        let (low, high) = range.unwrap_or((0.0, 1.0));
        if let Some(base) = axis.log_base {
            return Self::logarithmic((low, high), axis, base);
        }
        let high = axis.most.unwrap_or(high);
        let low = axis.least.unwrap_or(low).min(high);
        // An empty range at zero becomes the range from 0 to 1.
        let high = if low == high && high == 0.0 {
            1.0
        } else {
            high
        };
        let spread = high - low;
        // The beginning of the axis. It can begin at zero by default only if no value is negative.
        let bottom = match axis.least {
            Some(least) => least,
            None if low >= 0.0 && (spread > high / 6.0 || spread == 0.0) => 0.0,
            None if low >= 0.0 => low - spread / 2.0,
            None if tight => low,
            None => low - (high.max(0.0) - low) * 0.05,
        };
        let top = match axis.most {
            Some(most) => most,
            None if high <= 0.0 && (spread > low.abs() / 6.0 || spread == 0.0) => 0.0,
            None if tight => high,
            None => high + (high - bottom) * 0.05,
        };
        let length = (top - bottom).abs();
        let length = if length > 0.0 && length.is_finite() {
            length
        } else {
            1.0
        };
        let mut step = axis.step.unwrap_or_else(|| step(length, intervals));
        // Limits that the file does not state are multiples of the step.
        let ends = |step: f64| {
            let least = axis.least.unwrap_or((bottom / step + 1e-9).floor() * step);
            let most = axis.most.unwrap_or((top / step - 1e-9).ceil() * step);
            (least, if most > least { most } else { least + step })
        };
        let (mut least, mut most) = ends(step);
        // Rounding the limits may add intervals. Then the next larger step is used.
        while axis.step.is_none() && (most - least) / step > intervals as f64 + 1e-6 {
            step = next(step);
            (least, most) = ends(step);
        }
        // A step of the file that would give too many ticks is replaced.
        if (most - least) / step > MAX_TICKS as f64 {
            step = self::step(most - least, intervals);
        }
        Self {
            least,
            most,
            step,
            log: None,
            reversed: axis.reversed,
        }
    }

    /// Returns a logarithmic scale between two whole powers of the base, unless the axis states limits. Values of zero
    /// and less cannot be shown on it.
    fn logarithmic((low, high): (f64, f64), axis: &Axis, base: f64) -> Self {
        let positive = |value: Option<f64>| value.filter(|value| *value > 0.0);
        let low = if low > 0.0 {
            low
        } else {
            1.0_f64.min(high.abs().max(1e-300))
        };
        let power = |value: f64| value.log(base);
        let least = positive(axis.least).map_or_else(|| power(low).floor(), power);
        let most = positive(axis.most).map_or_else(|| power(high.max(low)).ceil(), power);
        // If all values are above 1, the axis begins at 1, whose exponent is 0, unless the file states the beginning.
        let least = if least > 0.0 && axis.least.is_none() {
            0.0
        } else {
            least
        };
        let (least, most) = (least.clamp(-300.0, 300.0), most.clamp(-300.0, 300.0));
        Self {
            least,
            most: if most > least { most } else { least + 1.0 },
            step: ((most - least) / 20.0).ceil().max(1.0),
            log: Some(base),
            reversed: axis.reversed,
        }
    }

    /// Position of a value on the axis, from 0 at the left or lower end to 1 at the other end. Values outside of the
    /// axis are outside of that range.
    pub(super) fn share(&self, value: f64) -> f64 {
        let value = match self.log {
            Some(base) if value > 0.0 => value.log(base),
            Some(_) => self.least,
            None => value,
        };
        let share = (value - self.least) / (self.most - self.least);
        // The limit keeps coordinates finite when a value is far outside.
        let share = share.clamp(-10.0, 10.0);
        if self.reversed { 1.0 - share } else { share }
    }

    /// Position of a value, limited to the plot.
    pub(super) fn within(&self, value: f64) -> f64 {
        self.share(value).clamp(0.0, 1.0)
    }

    /// Value at which bars begin: zero, or the value of the axis that is nearest to zero.
    pub(super) fn base(&self) -> f64 {
        match self.log {
            Some(base) => base.powf(self.least),
            None => 0.0_f64.clamp(self.least, self.most.max(self.least)),
        }
    }

    /// Values that have a tick, in ascending order.
    pub(super) fn ticks(&self) -> Vec<f64> {
        self.every(self.step)
    }

    /// Values of minor ticks. Without a stated step, each major step has five minor steps. A logarithmic scale has no
    /// minor ticks.
    pub(super) fn minor_ticks(&self, step: Option<f64>) -> Vec<f64> {
        match self.log {
            Some(_) => Vec::new(),
            None => self.every(step.unwrap_or(self.step / 5.0)),
        }
    }

    /// Values from the beginning of the axis to its end, with this step.
    fn every(&self, step: f64) -> Vec<f64> {
        let count = ((self.most - self.least) / step + 1e-6).floor();
        let count = count.clamp(0.0, MAX_TICKS as f64) as usize;
        let at = |nth: usize| {
            let value = self.least + step * nth as f64;
            // Steps such as 0.1 have no exact binary value, so zero may be missed by a rounding error.
            let value = if value.abs() < step * 1e-9 {
                0.0
            } else {
                value
            };
            self.log.map_or(value, |base| base.powf(value))
        };
        (0..=count).map(at).collect()
    }
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that divides a length into at most `intervals` parts.
fn step(length: f64, intervals: usize) -> f64 {
    let least = length / intervals.max(1) as f64;
    let power = 10_f64.powf(least.log10().floor());
    let power = if power > 0.0 && power.is_finite() {
        power
    } else {
        1.0
    };
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(fits).unwrap_or(10.0 * power)
}

/// Returns the step after this one: the next larger of 1, 2 and 5 times a power of ten.
fn next(now: f64) -> f64 {
    step(now * 1.5, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_limits_match_those_of_word() {
        #[track_caller]
        fn check(range: (f64, f64), intervals: usize, expected: (f64, f64, f64)) {
            let scale = Scale::new(Some(range), &Axis::default(), intervals, false);
            assert_eq!((scale.least, scale.most, scale.step), expected, "{range:?}");
        }
        check((5.0, 22.1), 10, (0.0, 25.0, 5.0));
        check((40.0, 95.0), 10, (0.0, 100.0, 10.0));
        check((120.0, 610.0), 10, (0.0, 700.0, 100.0));
        check((120.0, 590.0), 10, (0.0, 700.0, 100.0));
        check((7.0, 52.0), 10, (0.0, 60.0, 10.0));
        check((900.0, 5100.0), 10, (0.0, 6000.0, 1000.0));
        check((100.0, 2100.0), 10, (0.0, 2500.0, 500.0));
        check((1.0, 10.0), 10, (0.0, 12.0, 2.0));
        check((2.0, 9.0), 5, (0.0, 10.0, 2.0));
        check((-3.0, 4.0), 10, (-4.0, 5.0, 1.0));
        check((95.0, 97.0), 10, (94.0, 97.5, 0.5));
    }

    #[test]
    fn hostile_limits_give_a_scale() {
        for (least, most, step) in [
            (Some(1.0), Some(1.0), Some(1e-300)),
            (Some(5.0), Some(-5.0), None),
            (Some(1e299), None, Some(1e-9)),
            (None, Some(-1e299), Some(1e299)),
        ] {
            for log_base in [None, Some(10.0), Some(1.000001)] {
                let axis = Axis {
                    least,
                    most,
                    step,
                    log_base,
                    ..Axis::default()
                };
                for range in [None, Some((0.0, 0.0)), Some((-1e299, 1e299))] {
                    let scale = Scale::new(range, &axis, 5, false);
                    assert!(scale.ticks().len() <= MAX_TICKS + 1);
                    assert!(!scale.within(3.0).is_nan(), "{axis:?}");
                }
            }
        }
    }
}
