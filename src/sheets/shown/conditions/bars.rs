//! Geometry of data bars (ECMA-376 part 1, 18.3.1.28), with the extensions of Excel 2010 (MS-XLSX 2.6.8): bars of
//! negative numbers may have their own colour and lie on the other side of an axis. Draws nothing.

use super::{Facts, Limit};
use crate::shown::book::Bar;
use convertd_tree::Colour;

/// Data bars of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bars {
    /// Number with the shortest bar.
    pub(crate) low: Limit,
    /// Number with the longest bar.
    pub(crate) high: Limit,
    /// Colour of the bars.
    pub(crate) colour: Colour,
    /// Whether the cell shows only the bar.
    pub(crate) hides_value: bool,
    /// Extensions of Excel 2010, if the file has them. Without them the bars are those of Excel 2007.
    pub(crate) later: Option<ExtendedBar>,
}

/// Properties of data bars that Excel 2010 added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExtendedBar {
    /// Whether the lower limit is at most 0, and whether the upper limit is at least 0, whatever the numbers are.
    pub(crate) automatic: [bool; 2],
    /// Lengths of the shortest and the longest bar without an axis, as shares of the cell's width.
    pub(crate) lengths: [f64; 2],
    /// Colour of bars below 0, if it differs.
    pub(crate) negative: Option<Colour>,
    /// Position of the axis.
    pub(crate) axis: Axis,
    /// Colour of the axis. `None` for an invisible axis.
    pub(crate) axis_colour: Option<Colour>,
    /// Whether bars start at the right edge.
    pub(crate) from_right: bool,
}

/// Position of the axis that bars start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// At 0 between the limits, if the lower limit is negative. Otherwise there is no axis.
    Automatic,
    /// In the middle of the cell.
    Middle,
    /// No axis: all bars start at the edge of the cell.
    None,
}

impl Axis {
    /// Parses the name of a position, which is the same in xlsx and ods.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "middle" => Self::Middle,
            "none" => Self::None,
            _ => Self::Automatic,
        }
    }
}

impl Bars {
    /// Bar of a number, or `None` if the limits are equal or reversed. With an axis, the bar extends from the axis to
    /// the number. Without one, it begins at the edge, and its length lies between the shortest and the longest one.
    pub(super) fn of(&self, number: f64, facts: &Facts) -> Option<Bar> {
        let (low, high) = self.limits(facts);
        let range = high - low;
        if !range.is_finite() || range <= 0.0 {
            return None;
        }
        let share = ((number - low) / range).clamp(0.0, 1.0);
        let Some(later) = &self.later else {
            return Some(self.bar((0.0, share), None, self.colour));
        };
        let colour = later.negative.filter(|_| number < 0.0);
        let colour = colour.unwrap_or(self.colour);
        let axis = match later.axis {
            Axis::Automatic if low < 0.0 => Some((-low / range).min(1.0)),
            Axis::Middle => Some(0.5),
            Axis::Automatic | Axis::None => None,
        };
        let ends = match axis {
            Some(axis) => {
                let whole = match later.axis {
                    // Both sides of the axis have the same scale.
                    Axis::Middle => 0.5 / high.max(-low),
                    _ => 1.0 / range,
                };
                let end = (axis + number * whole).clamp(0.0, 1.0);
                (axis.min(end), axis.max(end))
            }
            None => {
                let [shortest, longest] = later.lengths;
                (0.0, shortest + (longest - shortest) * share)
            }
        };
        let axis = axis.zip(later.axis_colour);
        Some(match later.from_right {
            true => {
                let axis = axis.map(|(at, colour)| (1.0 - at, colour));
                self.bar((1.0 - ends.1, 1.0 - ends.0), axis, colour)
            }
            false => self.bar(ends, axis, colour),
        })
    }

    /// Numbers of the shortest and the longest bar.
    fn limits(&self, facts: &Facts) -> (f64, f64) {
        let (low, high) = (facts.at(self.low), facts.at(self.high));
        match &self.later {
            Some(later) => {
                let [from, to] = later.automatic;
                let low = if from { low.min(0.0) } else { low };
                (low, if to { high.max(0.0) } else { high })
            }
            // In Excel 2007, the automatic lower limit is at most 0.
            None if self.low == Limit::Least => (low.min(0.0), high),
            None => (low, high),
        }
    }

    /// Creates a bar from its ends, as shares of the cell's width.
    fn bar(&self, (from, to): (f64, f64), axis: Option<(f64, Colour)>, colour: Colour) -> Bar {
        Bar {
            from: from as f32,
            to: to as f32,
            axis: axis.map(|(at, colour)| (at as f32, colour)),
            colour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_run_from_an_axis_to_both_sides() {
        let bars = |axis, from_right| Bars {
            low: Limit::Least,
            high: Limit::Most,
            colour: Colour(0, 0, 255),
            hides_value: false,
            later: Some(ExtendedBar {
                automatic: [true; 2],
                lengths: [0.0, 1.0],
                negative: Some(Colour(255, 0, 0)),
                axis,
                axis_colour: Some(Colour(0, 0, 0)),
                from_right,
            }),
        };
        let facts = Facts {
            numbers: vec![-5.0, 0.0, 15.0],
            ..Facts::default()
        };
        #[track_caller]
        fn check(bar: Option<Bar>, ends: (f32, f32), axis: Option<f32>, red: u8) {
            let bar = bar.unwrap();
            assert_eq!((bar.from, bar.to, bar.colour.0), (ends.0, ends.1, red));
            assert_eq!(bar.axis.map(|(at, _)| at), axis);
        }
        let automatic = bars(Axis::Automatic, false);
        check(automatic.of(15.0, &facts), (0.25, 1.0), Some(0.25), 0);
        check(automatic.of(-5.0, &facts), (0.0, 0.25), Some(0.25), 255);
        let middle = bars(Axis::Middle, false);
        check(middle.of(15.0, &facts), (0.5, 1.0), Some(0.5), 0);
        check(middle.of(-15.0, &facts), (0.0, 0.5), Some(0.5), 255);
        check(bars(Axis::None, false).of(5.0, &facts), (0.0, 0.5), None, 0);
        check(bars(Axis::None, true).of(5.0, &facts), (0.5, 1.0), None, 0);
        // Bars without the additions of Excel 2010.
        let plain = Bars {
            later: None,
            ..bars(Axis::None, false)
        };
        check(plain.of(-5.0, &facts), (0.0, 0.0), None, 0);
        let same = Facts {
            numbers: vec![0.0],
            ..Facts::default()
        };
        assert_eq!(automatic.of(0.0, &same), None);
    }
}
