//! Charts of the types of Office 2016 (MS-ODRAWXML, 2.24.3), such as waterfalls and histograms: computes bars, lines or
//! boxes that are drawn like those of any chart. Draws nothing. The original chart is not changed, so that a table
//! shows its own values.

mod bins;

use super::model::{
    Axis, Chart, ChartType, Extended, LabelPlace, Plot, Points, Series, Side, Spread,
};
use bins::binned;
use std::collections::{HashMap, HashSet};

/// Identifier of axes that the file does not contain.
const OWN_AXIS: u32 = u32::MAX;

/// Returns the chart converted to drawable types. `None` if the chart has no series of a type of Office 2016, and is
/// drawn as it is.
pub(super) fn derived(chart: &Chart) -> Option<Chart> {
    let is_new = |plot: &Plot| plot.series.iter().any(|series| series.extended.is_some());
    if !chart.plots.iter().any(is_new) {
        return None;
    }
    let mut all = chart.clone();
    // A Pareto line has a point for each of the columns that it belongs to.
    let is_ranked = chart
        .plots
        .iter()
        .any(|plot| plot.kind == ChartType::Pareto);
    let owner = match is_ranked {
        true => chart.plots.iter().find_map(columns),
        false => None,
    };
    let owner = owner.as_ref().and_then(|plot| plot.series.first());
    for plot in &mut all.plots {
        match plot.kind {
            ChartType::Waterfall => *plot = waterfall(plot),
            ChartType::Funnel => {
                *plot = funnel(plot);
                let most = plot
                    .series
                    .iter()
                    .flat_map(|series| series.values.numbers());
                let most = most.fold(0.0, f64::max);
                turn_axes(&mut all.axes, plot, most);
            }
            ChartType::Histogram | ChartType::Ranking => {
                if let Some(mut own) = columns(plot) {
                    if is_ranked {
                        own.series.iter_mut().for_each(rank);
                    }
                    *plot = own;
                }
            }
            ChartType::Pareto => {
                *plot = pareto(plot, owner);
                add_names(&mut all.axes, plot);
            }
            ChartType::Boxes => spread(plot),
            _ => {}
        }
    }
    // Lines are drawn after columns.
    all.plots.sort_by_key(|plot| plot.kind == ChartType::Line);
    Some(all)
}

/// Converts a waterfall to three series of floating columns: increases, decreases, and totals that begin at the axis.
fn waterfall(plot: &Plot) -> Plot {
    const NAMES: [&str; 3] = ["Increase", "Decrease", "Total"];
    let Some(series) = plot.series.first() else {
        return plot.clone();
    };
    let default = Extended::default();
    let own = series.extended.as_deref().unwrap_or(&default);
    let totals: HashSet<usize> = own.totals.iter().copied().collect();
    let count = series.values.len();
    let mut parts = [0, 1, 2].map(|kind: usize| Series {
        index: kind,
        name: NAMES[kind].to_owned(),
        values: Points {
            texts: vec![String::new(); count],
            format: series.values.format.clone(),
        },
        floors: vec![0.0; count],
        ..series.clone()
    });
    // Sum of the changes so far.
    let mut level = 0.0;
    let mut steps = Vec::with_capacity(count);
    for at in 0..count {
        let value = series.values.number(at).unwrap_or(0.0);
        let (kind, floor) = match (totals.contains(&at), value < 0.0) {
            (true, _) => (2, 0.0),
            (false, falls) => (usize::from(falls), level),
        };
        level = floor + value;
        steps.push(level);
        parts[kind].floors[at] = floor;
        parts[kind].values.texts[at].clone_from(&series.values.texts[at]);
    }
    if own.totals.is_empty() {
        parts[2].values.texts.clear();
    }
    Plot {
        kind: ChartType::Column,
        series: parts
            .into_iter()
            .filter(|part| part.values.len() > 0)
            .collect(),
        steps: if own.connects { steps } else { Vec::new() },
        ..plot.clone()
    }
}

/// Converts a funnel to centred bars.
fn funnel(plot: &Plot) -> Plot {
    let mut plot = Plot {
        kind: ChartType::Bar,
        ..plot.clone()
    };
    plot.series.truncate(1);
    for series in &mut plot.series {
        let most = series.values.numbers().fold(0.0, f64::max);
        let floor = |at| (most - series.values.number(at).unwrap_or(0.0)) / 2.0;
        series.floors = (0..series.values.len()).map(floor).collect();
        series.labels.place.get_or_insert_with(|| "ctr".into());
    }
    plot
}

/// Sets the axes for horizontal bars: names run downwards, and the axis of values is hidden.
fn turn_axes(axes: &mut Vec<Axis>, plot: &mut Plot, most: f64) {
    for axis in axes.iter_mut().filter(|axis| !axis.has_numbers) {
        axis.side = Side::Left;
        axis.reversed = true;
    }
    axes.retain(|axis| !axis.has_numbers);
    axes.push(Axis {
        id: OWN_AXIS,
        has_numbers: true,
        hidden: true,
        side: Side::Bottom,
        label_place: LabelPlace::None,
        least: Some(0.0),
        most: Some(if most > 0.0 { most } else { 1.0 }),
        crossed_between: true,
        unit: 1.0,
        ..Axis::default()
    });
    let names = axes.iter().find(|axis| !axis.has_numbers);
    plot.axes = names
        .map(|axis| axis.id)
        .into_iter()
        .chain([OWN_AXIS])
        .collect();
}

/// Adds a hidden axis of names for a plot on the secondary axis of values, because the visible axis of names belongs
/// to the other plot.
fn add_names(axes: &mut Vec<Axis>, plot: &mut Plot) {
    let names = axes.iter().find(|axis| !axis.has_numbers);
    if let (Some(names), Some(own)) = (names, plot.axes.first_mut()) {
        *own = OWN_AXIS;
        axes.push(Axis {
            id: OWN_AXIS,
            hidden: true,
            gridlines: None,
            ..names.clone()
        });
    }
}

/// Returns the columns of a histogram, or of sums per category. `None` for any other plot.
fn columns(plot: &Plot) -> Option<Plot> {
    let series = plot.series.iter();
    let series: Vec<Series> = match plot.kind {
        ChartType::Histogram => series.map(binned).collect(),
        ChartType::Ranking => series.map(summed).collect(),
        _ => return None,
    };
    Some(Plot {
        kind: ChartType::Column,
        series,
        ..plot.clone()
    })
}

/// Adds up the values of a series per category.
fn summed(series: &Series) -> Series {
    let mut sums: Vec<(String, f64)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, name) in series.categories.texts.iter().enumerate() {
        let Some(value) = series.values.number(at) else {
            continue;
        };
        let place = *places.entry(name).or_insert_with(|| {
            sums.push((name.clone(), 0.0));
            sums.len() - 1
        });
        sums[place].1 += value;
    }
    // Without categories or values, there is nothing to add up, so the series does not change.
    if sums.is_empty() {
        return series.clone();
    }
    with_columns(series, sums)
}

/// Replaces the points of a series by columns with names.
fn with_columns(series: &Series, columns: Vec<(String, f64)>) -> Series {
    let (names, values) = columns.into_iter().unzip::<_, _, _, Vec<f64>>();
    Series {
        categories: Points {
            texts: names,
            format: None,
        },
        values: Points {
            texts: values.iter().map(f64::to_string).collect(),
            format: series.values.format.clone(),
        },
        ..series.clone()
    }
}

/// Sorts the columns of a series by height, the highest first.
fn rank(series: &mut Series) {
    let mut columns: Vec<(String, f64)> = (0..series.values.len())
        .filter_map(|at| {
            let name = series.categories.texts.get(at).cloned().unwrap_or_default();
            Some((name, series.values.number(at)?))
        })
        .collect();
    columns.sort_by(|one, other| other.1.total_cmp(&one.1));
    *series = with_columns(series, columns);
}

/// Converts a Pareto chart to a line of cumulative shares of the ranked columns.
fn pareto(plot: &Plot, owner: Option<&Series>) -> Plot {
    let mut plot = Plot {
        kind: ChartType::Line,
        lines: true,
        ..plot.clone()
    };
    plot.series.truncate(1);
    for series in &mut plot.series {
        let Some(owner) = owner else {
            continue;
        };
        let mut ranked = owner.clone();
        rank(&mut ranked);
        let total: f64 = ranked.values.numbers().sum();
        let mut reached = 0.0;
        let shares = ranked.values.numbers().map(|value| {
            reached += value;
            (reached / if total > 0.0 { total } else { 1.0 }).to_string()
        });
        series.values = Points {
            texts: shares.collect(),
            format: Some("0%".into()),
        };
        series.categories = ranked.categories;
        series.smooth = Some(false);
    }
    plot
}

/// Computes the box plot of each series: the distribution of its values per category.
fn spread(plot: &mut Plot) {
    let mut names: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for series in &plot.series {
        for at in 0..series.values.len() {
            let name = series.categories.texts.get(at).cloned().unwrap_or_default();
            places.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            });
        }
    }
    let default = Extended::default();
    for series in &mut plot.series {
        let own = series.extended.as_deref().unwrap_or(&default);
        let mut groups = vec![Vec::new(); names.len()];
        for at in 0..series.values.len() {
            let name = series.categories.texts.get(at).map_or("", String::as_str);
            if let (Some(value), Some(place)) = (series.values.number(at), places.get(name)) {
                groups[*place].push(value);
            }
        }
        let spreads = groups.into_iter().map(|group| Spread::of(group, own));
        series.spreads = spreads.collect();
        series.values.texts = vec![String::new(); names.len()];
        series.categories = Points {
            texts: names.clone(),
            format: None,
        };
    }
}

impl Spread {
    /// Computes quartiles and whiskers. If the file shows outliers, whiskers end at the last values that are at most
    /// 1.5 times the interquartile range away from the box. Otherwise they end at the smallest and at the largest
    /// value. `None` without values.
    fn of(mut values: Vec<f64>, own: &Extended) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let (first, last) = (*values.first()?, *values.last()?);
        // Quantile by linear interpolation; the position depends on whether the quartiles include the median
        // (`inclusive`).
        let at = |share: f64| {
            let place = match own.inclusive {
                true => share * (count as f64 - 1.0),
                false => share * (count as f64 + 1.0) - 1.0,
            };
            let place = place.clamp(0.0, count as f64 - 1.0);
            let below = values[place.floor() as usize];
            let above = values[place.ceil() as usize];
            below + (above - below) * place.fract()
        };
        let quartiles = [at(0.25), at(0.5), at(0.75)];
        let reach = (quartiles[2] - quartiles[0]) * 1.5;
        let within = |value: &&f64| {
            !own.outliers || **value >= quartiles[0] - reach && **value <= quartiles[2] + reach
        };
        let low = values.iter().find(within).copied().unwrap_or(first);
        let high = values.iter().rfind(within).copied().unwrap_or(last);
        let is_shown = |value: &f64| match *value < low || *value > high {
            true => own.outliers,
            false => own.inner,
        };
        Some(Self {
            low,
            high,
            quartiles,
            mean: values.iter().sum::<f64>() / count as f64,
            points: values.iter().copied().filter(is_shown).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_exclude_or_include_the_median() {
        let values: Vec<f64> = (1..=8).map(f64::from).chain([40.0]).collect();
        let own = Extended {
            outliers: true,
            ..Extended::default()
        };
        let spread = Spread::of(values.clone(), &own).unwrap();
        assert_eq!(spread.quartiles, [2.5, 5.0, 7.5]);
        assert_eq!((spread.low, spread.high), (1.0, 8.0));
        assert_eq!(spread.points, [40.0]);
        let own = Extended {
            inclusive: true,
            ..Extended::default()
        };
        let spread = Spread::of(values, &own).unwrap();
        assert_eq!(spread.quartiles, [3.0, 5.0, 7.0]);
        assert_eq!(spread.high, 40.0);
        assert_eq!(Spread::of(Vec::new(), &own), None);
    }

    #[test]
    fn bins_include_the_upper_bound_by_default() {
        let series = |own: Extended| Series {
            values: Points {
                texts: ["1", "2", "3", "4", "5"].map(str::to_owned).into(),
                format: None,
            },
            extended: Some(Box::new(own)),
            ..Series::default()
        };
        #[track_caller]
        fn check(series: Series, names: &[&str], counts: &[&str]) {
            let binned = binned(&series);
            assert_eq!(binned.categories.texts, names);
            assert_eq!(binned.values.texts, counts);
        }
        let width = Extended {
            bin_width: Some(2.0),
            ..Extended::default()
        };
        check(series(width.clone()), &["[1, 3]", "(3, 5]"], &["3", "2"]);
        let left = Extended {
            closed_left: true,
            ..width.clone()
        };
        check(series(left), &["[1, 3)", "[3, 5]"], &["2", "3"]);
        let cut = Extended {
            underflow: Some(2.0),
            overflow: Some(4.0),
            ..width
        };
        check(series(cut), &["≤ 2", "[2, 4]", "> 4"], &["2", "2", "1"]);
    }
}
