//! Computes the number of categories of plots, and the sums and ranges of their values. Does not depend on axes.

use super::model::{ChartType, Grouping, Plot, Series};

/// Smallest and largest number, if there are any.
pub(super) type Range = Option<(f64, f64)>;

/// Extends a range by numbers.
fn spread(numbers: impl Iterator<Item = f64>, range: &mut Range) {
    for number in numbers {
        let (low, high) = range.unwrap_or((number, number));
        *range = Some((low.min(number), high.max(number)));
    }
}

/// Numbers of a series that must be inside of the plot.
fn ends(series: &Series) -> impl Iterator<Item = f64> {
    let own = (0..series.values.len()).flat_map(|at| {
        let value = series.values.number(at);
        let floor = series.floor(at).filter(|_| value.is_some());
        [value.map(|value| value + floor.unwrap_or(0.0)), floor]
    });
    let spreads = series.spreads.iter().flatten();
    let spreads = spreads.flat_map(|own| {
        [own.low, own.high]
            .into_iter()
            .chain(own.points.iter().copied())
    });
    own.flatten().chain(spreads)
}

/// Returns the range of the x values of scatter and bubble plots, and the range of the values of all plots. With
/// `percent`, values are shares of the sum of their category.
pub(super) fn ranges(plots: &[&Plot], percent: bool) -> (Range, Range) {
    let (mut first, mut second) = (None, None);
    for plot in plots {
        if plot.is_free() {
            for series in &plot.series {
                let at = |nth| series.categories.number(nth).or(Some(nth as f64 + 1.0));
                spread((0..series.values.len()).filter_map(at), &mut first);
            }
        }
        if plot.is_stacked() && !percent {
            for at in 0..count(plot) {
                let (below, above) = sums(plot, at);
                let is_line = matches!(plot.kind, ChartType::Line | ChartType::Area);
                let all = if is_line {
                    [0.0, below + above]
                } else {
                    [below, above]
                };
                spread(all.into_iter(), &mut second);
            }
        } else if !percent {
            for series in &plot.series {
                spread(ends(series), &mut second);
            }
        }
    }
    if percent {
        let negative = plots.iter().flat_map(|plot| &plot.series);
        let negative = negative
            .flat_map(|series| series.values.numbers())
            .any(|value| value < 0.0);
        second = Some((if negative { -1.0 } else { 0.0 }, 1.0));
    }
    (first, second)
}

/// Number of categories of a plot.
pub(super) fn count(plot: &Plot) -> usize {
    let counts = plot
        .series
        .iter()
        .map(|series| series.values.len().max(series.categories.len()));
    counts.max().unwrap_or(0)
}

/// Sums of the negative and of the positive values of a category.
fn sums(plot: &Plot, at: usize) -> (f64, f64) {
    let values = plot
        .series
        .iter()
        .filter_map(|series| series.values.number(at));
    values.fold((0.0, 0.0), |(below, above), value| match value < 0.0 {
        true => (below + value, above),
        false => (below, above + value),
    })
}

/// Extends a range by the radius of the largest bubble, which is 0.132 of the range at scale 1: at the upper end, and
/// at the lower end if it is negative.
pub(super) fn widened(range: Range, scale: f64) -> Range {
    let (low, high) = range?;
    let radius = (high - low).max(high.abs() * 0.05) * 0.132 * scale.min(2.0);
    Some((if low >= 0.0 { low } else { low - radius }, high + radius))
}

/// A value of a category; in a percentage plot, its share of the category's sum.
pub(super) fn share(plot: &Plot, at: usize, value: f64) -> f64 {
    match plot.grouping {
        Grouping::Percent => {
            // The divisor must not be 0.
            let (below, above) = sums(plot, at);
            value / (above - below).max(1e-300)
        }
        _ => value,
    }
}

/// Value of a point; in a percentage plot, its share of the category's sum.
pub(super) fn value(plot: &Plot, series: &Series, at: usize) -> Option<f64> {
    Some(share(plot, at, series.values.number(at)?))
}

/// Heights of the points of a category, from the first series to the last. In a stacked plot, each point is above those
/// of the series before it.
pub(super) fn heights(plot: &Plot, at: usize) -> impl Iterator<Item = Option<f64>> {
    let mut floor = 0.0;
    plot.series.iter().map(move |series| {
        let value = value(plot, series, at)?;
        if !plot.is_stacked() {
            return Some(value);
        }
        floor += value;
        Some(floor)
    })
}
