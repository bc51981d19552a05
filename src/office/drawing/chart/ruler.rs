//! Positions of values and categories on an axis, and its labels. Draws nothing.

use super::{
    labels::{self, shown},
    layout::Area,
    model::{Axis, Crossing, LabelPlace, Plot},
    pens::{Pen, Pens, shortened},
    ranges::{Range, count},
    scale::Scale,
};

/// Max. number of labels of an axis.
pub(super) const MAX_LABELS: usize = 400;

/// An axis with its scale and its labels.
pub(super) struct Ruler<'c> {
    pub(super) axis: &'c Axis,
    /// Whether the axis is horizontal.
    pub(super) lies: bool,
    pub(super) marks: Marks,
    pub(super) pen: Pen,
    /// Position of each label on the axis, and its lines.
    pub(super) labels: Vec<(f64, Vec<String>)>,
    /// Rotation of the labels, clockwise in degrees: the file states it, or the labels do not fit without it.
    pub(super) turn: f64,
}

/// Content of an axis: numbers or categories.
pub(super) enum Marks {
    Numbers(Scale),
    /// Number of categories, and whether each is a section of the axis instead of a point on it.
    Names {
        count: usize,
        between: bool,
    },
}

impl Ruler<'_> {
    /// Position of a category, from 0 to 1.
    pub(super) fn name(&self, at: usize) -> f64 {
        let Marks::Names { count, between } = self.marks else {
            return 0.0;
        };
        let share = match between {
            true => (at as f64 + 0.5) / count.max(1) as f64,
            false => at as f64 / count.saturating_sub(1).max(1) as f64,
        };
        if self.axis.reversed {
            1.0 - share
        } else {
            share
        }
    }

    /// Position of a number.
    pub(super) fn number(&self, value: f64) -> f64 {
        match &self.marks {
            Marks::Numbers(scale) => scale.share(value),
            Marks::Names { .. } => 0.0,
        }
    }

    /// Position of a number, limited to the plot.
    pub(super) fn within(&self, value: f64) -> f64 {
        self.number(value).clamp(0.0, 1.0)
    }

    /// Position at which bars begin.
    pub(super) fn base(&self) -> f64 {
        match &self.marks {
            Marks::Numbers(scale) => scale.within(scale.base()),
            Marks::Names { .. } => 0.0,
        }
    }

    /// Width of a category, as a share of the axis.
    pub(super) fn category_width(&self) -> f64 {
        match self.marks {
            Marks::Names {
                count,
                between: true,
            } => 1.0 / count.max(1) as f64,
            Marks::Names { count, .. } => 1.0 / count.saturating_sub(1).max(1) as f64,
            Marks::Numbers(_) => 1.0,
        }
    }

    /// Position at which another axis crosses this axis.
    pub(super) fn crossed(&self, at: Crossing) -> f64 {
        let ends = |first: bool| match (first, self.axis.reversed) {
            (true, false) | (false, true) => 0.0,
            _ => 1.0,
        };
        match (at, &self.marks) {
            (Crossing::Least, _) => ends(true),
            (Crossing::Most, _) => ends(false),
            (Crossing::Zero, Marks::Numbers(scale)) => scale.within(scale.base()),
            (Crossing::Zero, Marks::Names { .. }) => ends(true),
            (Crossing::At(value), Marks::Numbers(scale)) => scale.within(value),
            (Crossing::At(value), Marks::Names { count, between }) => {
                let all = if *between {
                    *count
                } else {
                    count.saturating_sub(1)
                };
                // Categories count from 1.
                let share = ((value - 1.0) / all.max(1) as f64).clamp(0.0, 1.0);
                if self.axis.reversed {
                    1.0 - share
                } else {
                    share
                }
            }
        }
    }

    /// Largest extent of a label at right angles to the axis, in points.
    pub(super) fn depth(&self) -> f64 {
        let line = self.pen.line();
        let (sin, cos) = self.turn.to_radians().sin_cos();
        let depths = self.labels.iter().map(|(_, lines)| {
            let width = lines
                .iter()
                .map(|line| self.pen.width(line))
                .fold(0.0, f64::max);
            let height = line * lines.len() as f64;
            match self.lies {
                true => width * sin.abs() + height * cos.abs(),
                false => width * cos.abs() + height * sin.abs(),
            }
        });
        depths.fold(0.0, f64::max)
    }
}

/// Space for an axis and its labels.
pub(super) struct AxisSpace<'c> {
    axis: &'c Axis,
    lies: bool,
    pub(super) pen: Pen,
    /// Length of the plot along the axis, in points.
    length: f64,
    /// Length of the plot at right angles to the axis, in points.
    across: f64,
}

impl<'c> AxisSpace<'c> {
    pub(super) fn new(pens: &Pens<'_>, axis: &'c Axis, lies: bool, area: &Area) -> Self {
        let (length, across) = match lies {
            true => (area.width(), area.height()),
            false => (area.height(), area.width()),
        };
        Self {
            axis,
            lies,
            pen: pens.pen(&axis.letters),
            length,
            across,
        }
    }

    /// Builds an axis of numbers. Unless the file states the interval, it is chosen so that labels do not overlap, and
    /// that the axis has at most ten intervals.
    pub(super) fn numbers(self, range: Range, format: Option<&str>, tight: bool) -> Ruler<'c> {
        let format = self.axis.format.as_deref().or(format);
        // Length that a label needs along the axis, in points.
        let needed = match self.lies {
            false => self.pen.line() * 1.23,
            true => {
                let (low, high) = range.unwrap_or_default();
                let widths = [low, high].map(|value| {
                    self.pen
                        .width(&shown(value / self.axis.unit.max(1e-300), format))
                });
                (widths[0].max(widths[1]) * 1.2).max(self.pen.line() * 1.5)
            }
        };
        let intervals = (self.length / needed).floor().clamp(1.0, 10.0) as usize;
        let scale = Scale::new(range, self.axis, intervals, tight);
        let unit = if self.axis.unit > 0.0 {
            self.axis.unit
        } else {
            1.0
        };
        let labels = match self.axis.label_place {
            LabelPlace::None => Vec::new(),
            _ => scale
                .ticks()
                .into_iter()
                .map(|tick| (scale.share(tick), vec![shown(tick / unit, format)]))
                .collect(),
        };
        Ruler {
            axis: self.axis,
            lies: self.lies,
            marks: Marks::Numbers(scale),
            turn: 0.0,
            labels: if labels.len() <= MAX_LABELS {
                labels
            } else {
                Vec::new()
            },
            pen: self.pen,
        }
    }

    /// Builds an axis of categories. Names that are too wide are broken or rotated, and some are skipped if there are
    /// too many.
    pub(super) fn names(self, plots: &[&Plot], between: bool) -> Ruler<'c> {
        let counts = plots.iter().map(|plot| count(plot));
        let count = counts.max().unwrap_or(0);
        let mut ruler = Ruler {
            axis: self.axis,
            lies: self.lies,
            marks: Marks::Names { count, between },
            pen: self.pen,
            labels: Vec::new(),
            turn: 0.0,
        };
        if count == 0 || self.axis.label_place == LabelPlace::None || self.axis.hidden {
            return ruler;
        }
        // The first series with names gives the names of the axis.
        let series = plots.iter().flat_map(|plot| &plot.series);
        let named = series
            .map(|series| &series.categories)
            .find(|names| names.len() > 0);
        let own_format = self.axis.format.as_deref();
        // Without names, points are numbered.
        let label = |at: usize| match named {
            None => (at + 1).to_string(),
            Some(names) => match (names.number(at), own_format, &names.format) {
                (Some(value), Some(format), Some(_)) => shown(value, Some(format)),
                _ => labels::called(names, at),
            },
        };
        let pen = &ruler.pen;
        let slot = self.length * ruler.category_width();
        // Labels must not be closer than their height.
        let closest = pen.line() / slot.max(1e-6);
        let least = closest.ceil().max(1.0) as usize;
        let skip = self
            .axis
            .label_skip
            .unwrap_or(least)
            .max(count.div_ceil(MAX_LABELS));
        let texts: Vec<(usize, String)> =
            (0..count).step_by(skip).map(|at| (at, label(at))).collect();
        let width = slot * skip as f64 * 0.95;
        let wrapped = |width: f64| -> Vec<Vec<String>> {
            texts
                .iter()
                .map(|(_, text)| pen.wrap(text, width))
                .collect()
        };
        let fits = |lines: &[Vec<String>]| {
            let mut all = lines.iter();
            all.all(|own| own.len() <= MAX_LINES && own.iter().all(|line| pen.width(line) <= width))
        };
        // On a vertical axis, names are broken into lines. On a horizontal axis, they are whole, broken or rotated,
        // whichever fits first. If the file states a rotation (which may be 0), they are whole.
        let lines = match self.lies {
            false => wrapped(self.across * 0.35),
            true => {
                let whole = wrapped(f64::INFINITY);
                let broken = wrapped(width);
                if let Some(turn) = pen.turn.filter(|turn| *turn != 0.0) {
                    ruler.turn = turn;
                    whole
                } else if fits(&whole) || pen.turn.is_some() {
                    whole
                } else if fits(&broken) {
                    broken
                } else {
                    ruler.turn = if slot * skip as f64 > pen.line() * 1.1 {
                        -45.0
                    } else {
                        -90.0
                    };
                    whole
                }
            }
        };
        let most = self.across * 0.4;
        let lines = lines.into_iter().map(|own| match ruler.turn {
            0.0 => own,
            _ => own.iter().map(|line| shortened(pen, line, most)).collect(),
        });
        let at = texts.iter().map(|(at, _)| ruler.name(*at));
        ruler.labels = at.zip(lines).collect();
        ruler
    }
}

/// Max. number of lines of a label on a horizontal axis. Names that need more lines are rotated.
const MAX_LINES: usize = 4;
