//! Bins of histograms and Pareto charts (MS-ODRAWXML, 2.24.3). Draws nothing.

use super::super::{
    labels::shown,
    model::{Extended, Series},
};
use super::with_columns;

/// Max. number of bins of a histogram.
const MAX_BINS: usize = 1000;

/// Bins of a histogram: start of the first bin, width and number of the bins.
struct Bins {
    from: f64,
    width: f64,
    count: usize,
}

impl Bins {
    /// Determines the bins. The file may state their width or number. Otherwise the width follows Scott's rule: 3.5
    /// times the standard deviation, divided by the cube root of the number of values, rounded to two significant
    /// digits.
    pub(super) fn of(values: &[f64], own: &Extended) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let from = own.underflow.unwrap_or(least).clamp(least, most);
        let to = own.overflow.unwrap_or(most).clamp(from, most);
        let span = to - from;
        let scott = || {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
            rounded(3.5 * deviation / count.cbrt())
        };
        let width = match (own.bin_width, own.bin_count) {
            (Some(width), _) => width,
            (None, Some(count)) => span / count as f64,
            (None, None) => scott(),
        };
        let width = if width > 0.0 && width.is_finite() {
            width
        } else {
            1.0
        };
        let count = (span / width - 1e-9).ceil().clamp(1.0, MAX_BINS as f64) as usize;
        Self { from, width, count }
    }

    /// Name of a bin: its bounds as an interval. The brackets show which bound belongs to the bin.
    fn name(&self, nth: usize, closed_left: bool) -> String {
        let at = |nth: usize| {
            shown(
                rounded_to(self.from + self.width * nth as f64, self.width),
                None,
            )
        };
        let (from, to) = (at(nth), at(nth + 1));
        match closed_left {
            true if nth + 1 == self.count => format!("[{from}, {to}]"),
            true => format!("[{from}, {to})"),
            false if nth == 0 => format!("[{from}, {to}]"),
            false => format!("({from}, {to}]"),
        }
    }

    /// Index of the bin of a value. The tolerance compensates for rounding errors at the bounds.
    pub(super) fn place(&self, value: f64, closed_left: bool) -> usize {
        let share = (value - self.from) / self.width;
        let place = match closed_left {
            true => (share + 1e-9).floor(),
            false => (share - 1e-9).ceil() - 1.0,
        };
        (place.max(0.0) as usize).min(self.count - 1)
    }
}

/// Rounds to two significant digits.
fn rounded(number: f64) -> f64 {
    let power = 10_f64.powf(number.abs().log10().floor() - 1.0);
    let number = (number / power).round() * power;
    if number.is_finite() { number } else { 0.0 }
}

/// Rounds a bound to the digits that matter for bins of this width.
fn rounded_to(number: f64, width: f64) -> f64 {
    let unit = 10_f64.powf(width.log10().floor() - 2.0);
    let number = (number / unit).round() * unit;
    format!("{number:.10}").parse().unwrap_or(number)
}

/// Counts the values of a histogram per bin, and returns the counts as columns. Values beyond the underflow and
/// overflow bounds have columns of their own.
pub(super) fn binned(series: &Series) -> Series {
    let default = Extended::default();
    let own = series.extended.as_deref().unwrap_or(&default);
    let values: Vec<f64> = series.values.numbers().collect();
    if values.is_empty() {
        return series.clone();
    }
    let bins = Bins::of(&values, own);
    let mut counts = vec![0_usize; bins.count];
    let (mut below, mut above) = (0_usize, 0_usize);
    for value in values {
        match (own.underflow, own.overflow) {
            (Some(bound), _) if value <= bound => below += 1,
            (_, Some(bound)) if value > bound => above += 1,
            _ => counts[bins.place(value, own.closed_left)] += 1,
        }
    }
    let columns = counts.into_iter().enumerate();
    let columns = columns.map(|(nth, count)| (bins.name(nth, own.closed_left), count as f64));
    let first = own
        .underflow
        .map(|bound| (format!("≤ {}", shown(bound, None)), below as f64));
    let last = own
        .overflow
        .map(|bound| (format!("> {}", shown(bound, None)), above as f64));
    let columns = first.into_iter().chain(columns).chain(last).collect();
    let mut series = with_columns(series, columns);
    series.values.format = None;
    series
}
