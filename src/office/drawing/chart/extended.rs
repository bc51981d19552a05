//! Reads charts of the types of Office 2016 (MS-ODRAWXML, 2.24): waterfalls, funnels, histograms, box plots, treemaps
//! and sunbursts. Computes none of the shown values.
//!
//! The data come before the chart, in blocks that series refer to by number. As in older charts, they are cached copies
//! of cells.

use super::{
    elements::{
        MAX_ALL, MAX_SERIES, MAX_SPECIAL, letters_of, letters_of_title, limited, listed, shape,
        side, words,
    },
    model::{
        Axis, Chart, ChartType, Crossing, Extended, LabelPlace, Labels, Legend, Letters, Parents,
        Plot, Point, Points, Series, Ticks, Title,
    },
};
use crate::{
    containers::xml::Node,
    drawing::{Colour, FillStyle, LineStyle, flag, number},
};

/// Max. number of data blocks.
const MAX_DATA: usize = 255;
/// Max. number of levels of categories.
const MAX_LEVELS: usize = 8;
/// Max. number of axes.
const MAX_AXES: usize = 8;

/// Grey of text in Office's style for these charts, which the files do not repeat.
const TEXT: [u8; 3] = [0x59; 3];
/// Grey of lines in Office's style for these charts.
const RULE: [u8; 3] = [0xd9; 3];

/// Data block that a series refers to.
#[derive(Debug, Default)]
pub(super) struct Data {
    id: i64,
    /// Levels of categories, innermost first.
    levels: Vec<Points>,
    values: Points,
}

/// Data blocks of a chart.
#[derive(Debug)]
pub(super) struct Store {
    all: Vec<Data>,
    /// Number of points that may still be added.
    pub(super) left: usize,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            left: MAX_ALL,
        }
    }
}

impl Store {
    /// Reads `cx:chartData`.
    pub(super) fn read(&mut self, node: &Node<'_>) {
        for data in node.all_named("data").take(MAX_DATA) {
            let mut own = Data {
                id: number(data, "id").unwrap_or(0),
                ..Data::default()
            };
            for dimension in &data.children {
                let kind = dimension.attribute("type").unwrap_or_default();
                let levels = dimension.all_named("lvl").take(MAX_LEVELS);
                let mut levels = levels.map(|level| points(level, &mut self.left));
                match (dimension.element.name, &*kind) {
                    ("numDim", "val" | "size" | "y") => {
                        own.values = levels.next().unwrap_or_default();
                    }
                    ("strDim" | "numDim", "cat" | "x" | "entityId") => own.levels.extend(levels),
                    _ => {}
                }
            }
            own.levels.truncate(MAX_LEVELS);
            self.all.push(own);
        }
    }

    /// Returns the data block with this number.
    fn of(&self, id: i64) -> Option<&Data> {
        self.all.iter().find(|data| data.id == id)
    }
}

/// Reads the points of a level.
fn points(level: &Node<'_>, left: &mut usize) -> Points {
    let format = level.attribute("formatCode");
    Points {
        texts: listed(level, left),
        format: format.map(|code| limited(&code).into()),
    }
}

/// Reads `cx:chart`.
pub(super) fn content(all: &mut Chart, chart: &Node<'_>, area: &Node<'_>, data: &Store) {
    all.title = chart.named("title").map(title);
    all.legend = chart.named("legend").map(legend);
    all.text.size = all.text.size.or(Some(9.0));
    all.text.colour = all.text.colour.take().or(Some(Colour::plain(TEXT)));
    for node in area.all_named("axis").take(MAX_AXES) {
        let axis = axis(node, &all.axes);
        all.axes.push(axis);
    }
    let region = area.named("plotAreaRegion");
    all.wall = region
        .and_then(|region| region.named("plotSurface"))
        .map(shape)
        .unwrap_or_default();
    let gap = area.all_named("axis").find_map(|axis| {
        let scaling = axis.named("catScaling")?;
        scaling.attribute("gapWidth")?.parse::<f64>().ok()
    });
    let nodes = region.iter().flat_map(|region| region.all_named("series"));
    for (nth, node) in nodes.take(MAX_SERIES).enumerate() {
        if flag(node, "hidden") == Some(true) {
            continue;
        }
        let kind = kind(node);
        let series = series(node, nth, data);
        let axes = axes_of(node, &all.axes);
        match all.plots.iter_mut().find(|plot| plot.kind == kind) {
            Some(plot) => plot.series.push(series),
            None => all.plots.push(Plot {
                kind,
                series: vec![series],
                axes,
                gap: gap.unwrap_or_else(|| default_gap(kind)).clamp(0.0, 5.0),
                overlap: 1.0,
                ..Plot::default()
            }),
        }
    }
    all.cut |= data.left == 0;
}

/// Type of a series. A column chart with bins is a histogram.
fn kind(series: &Node<'_>) -> ChartType {
    let binned = series
        .named("layoutPr")
        .is_some_and(|layout| layout.named("binning").is_some());
    match &*series.attribute("layoutId").unwrap_or_default() {
        "waterfall" => ChartType::Waterfall,
        "funnel" => ChartType::Funnel,
        "clusteredColumn" if binned => ChartType::Histogram,
        "clusteredColumn" => ChartType::Ranking,
        "paretoLine" => ChartType::Pareto,
        "boxWhisker" => ChartType::Boxes,
        "treemap" => ChartType::Treemap,
        "sunburst" => ChartType::Sunburst,
        _ => ChartType::Other,
    }
}

/// Default gap between bars, as a share of a bar.
fn default_gap(kind: ChartType) -> f64 {
    match kind {
        ChartType::Histogram | ChartType::Ranking => 0.0,
        ChartType::Funnel => 0.06,
        ChartType::Boxes => 1.0,
        _ => 0.5,
    }
}

/// Reads a series (`cx:series`). Its values are in a data block that it refers to by number.
fn series(node: &Node<'_>, nth: usize, data: &Store) -> Series {
    let id = node.named("dataId").and_then(|id| number(id, "val"));
    let own = id.and_then(|id| data.of(id));
    let levels = own.map(|own| &*own.levels).unwrap_or_default();
    let special = node.all_named("dataPt");
    let special = special.take(MAX_SPECIAL).filter_map(|point| {
        let at = usize::try_from(number(point, "idx")?).ok()?;
        let own = Point {
            shape: shape(point),
            ..Point::default()
        };
        Some((at, own))
    });
    let index = number(node, "formatIdx").and_then(|at| usize::try_from(at).ok());
    Series {
        index: index.unwrap_or(nth).min(1_000_000),
        name: node.named("tx").map(words).unwrap_or_default(),
        categories: levels.first().cloned().unwrap_or_default(),
        values: own.map(|own| own.values.clone()).unwrap_or_default(),
        shape: shape(node),
        points: special.collect(),
        labels: node.named("dataLabels").map(labels).unwrap_or_default(),
        extended: Some(Box::new(layout(node, levels.get(1..).unwrap_or_default()))),
        ..Series::default()
    }
}

/// Reads the layout properties (`cx:layoutPr`): bins of histograms, subtotals of waterfalls, quartiles of box plots,
/// and labels of treemaps.
fn layout(series: &Node<'_>, outer: &[Points]) -> Extended {
    let layout = series.named("layoutPr");
    let part = |name| layout.and_then(|layout| layout.named(name));
    let shown = |name, default| {
        let shown = part("visibility").and_then(|shown| flag(shown, name));
        shown.unwrap_or(default)
    };
    let totals = part("subtotals").into_iter();
    let totals = totals.flat_map(|totals| totals.all_named("idx"));
    let totals = totals.filter_map(|at| usize::try_from(number(at, "val")?).ok());
    let bins = part("binning");
    let bin_number = |name| {
        let value = bins?.named(name)?.attribute("val")?;
        value.trim().parse::<f64>().ok()
    };
    let side = |name| {
        let value = bins?.attribute(name)?.trim().parse::<f64>().ok()?;
        value.is_finite().then_some(value)
    };
    let method = part("statistics").and_then(|own| own.attribute("quartileMethod"));
    let parents = part("parentLabelLayout").and_then(|own| own.attribute("val"));
    Extended {
        outer: outer.to_vec(),
        totals: totals.take(MAX_SPECIAL).collect(),
        connects: shown("connectorLines", true),
        bin_width: bin_number("binSize").filter(|width| *width > 0.0 && width.is_finite()),
        bin_count: bin_number("binCount").map(|count| count.clamp(1.0, 1000.0) as usize),
        underflow: side("underflow"),
        overflow: side("overflow"),
        closed_left: bins
            .is_some_and(|bins| bins.attribute("intervalClosed").as_deref() == Some("l")),
        inclusive: method.as_deref() == Some("inclusive"),
        mean: shown("meanMarker", true),
        inner: shown("nonoutliers", false),
        outliers: shown("outliers", true),
        parents: match parents.as_deref() {
            Some("banner") => Parents::Banner,
            Some("none") => Parents::None,
            _ => Parents::Overlapping,
        },
    }
}

/// Axes of a series: those that it refers to, or the first axis of each kind.
fn axes_of(series: &Node<'_>, axes: &[Axis]) -> Vec<u32> {
    let named = series.all_named("axisId").take(2);
    let named: Vec<u32> = named
        .filter_map(|id| u32::try_from(number(id, "val")?).ok())
        .collect();
    let first = |numbers: bool| {
        let own = |axis: &&Axis| axis.has_numbers == numbers;
        let named = axes
            .iter()
            .filter(own)
            .find(|axis| named.contains(&axis.id));
        named.or_else(|| axes.iter().find(own)).map(|axis| axis.id)
    };
    first(false).into_iter().chain(first(true)).collect()
}

/// Reads an axis (`cx:axis`). An axis with `cx:valScaling` is an axis of values, and only such an axis has a scale. A
/// second axis of values is on the opposite side.
fn axis(node: &Node<'_>, before: &[Axis]) -> Axis {
    let scaling = node.named("valScaling");
    let scale = |name| {
        let value = scaling?.attribute(name)?.trim().parse::<f64>().ok()?;
        (value.is_finite() && value.abs() < 1e300).then_some(value)
    };
    let has_numbers = scaling.is_some();
    let second = has_numbers && before.iter().any(|axis| axis.has_numbers);
    let line = node.named("spPr").and_then(|own| own.named("ln"));
    let painted = |fill| LineStyle {
        fill: Some(fill),
        ..LineStyle::default()
    };
    let rule = painted(FillStyle::Solid(Colour::plain(RULE)));
    let default = match has_numbers {
        true => painted(FillStyle::None),
        false => rule.clone(),
    };
    Axis {
        id: number(node, "id").map_or(0, |id| id as u32),
        has_numbers,
        hidden: flag(node, "hidden").unwrap_or(false),
        side: if has_numbers {
            side(if second { "r" } else { "l" })
        } else {
            side("b")
        },
        least: scale("min"),
        most: scale("max"),
        step: scale("majorUnit").filter(|step| *step > 0.0),
        gridlines: node.named("majorGridlines").map(|grid| {
            let mut shape = shape(grid);
            shape.line = Some(shape.line.unwrap_or_default().over(&rule));
            shape
        }),
        title: node.named("title").map(title),
        format: format(node),
        ticks: if node.named("majorTickMarks").is_some() {
            Ticks::Outside
        } else {
            Ticks::None
        },
        label_place: match node.named("tickLabels") {
            // Names are below the columns, even below those that hang down from the axis.
            Some(_) if !has_numbers => LabelPlace::Low,
            Some(_) => LabelPlace::NextTo,
            None => LabelPlace::None,
        },
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        line: Some(line.map(LineStyle::read).unwrap_or_default().over(&default)),
        at: if second {
            Crossing::Most
        } else {
            Crossing::Zero
        },
        crossed_between: true,
        unit: 1.0,
        ..Axis::default()
    }
}

fn title(node: &Node<'_>) -> Title {
    let default = Letters {
        size: Some(14.0),
        bold: Some(false),
        ..Letters::default()
    };
    let title = node.named("tx").or(node.named("txPr"));
    let title = title.map(words).filter(|title| !title.is_empty());
    Title {
        // Office shows this text for an empty title.
        words: title.unwrap_or_else(|| "Chart Title".to_owned()),
        letters: letters_of_title(node).over(&default),
        shape: shape(node),
        place: None,
        overlays: flag(node, "overlay").unwrap_or(false),
    }
}

/// Number format of an axis or of labels. `None` if they use the number format of the values.
fn format(node: &Node<'_>) -> Option<Box<str>> {
    let own = node.named("numFmt")?;
    let code = own.attribute("formatCode")?;
    (flag(own, "sourceLinked") != Some(true)).then(|| limited(&code).into())
}

fn legend(node: &Node<'_>) -> Legend {
    Legend {
        side: side(&node.attribute("pos").unwrap_or_default()),
        overlays: flag(node, "overlay").unwrap_or(false),
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        shape: shape(node),
        ..Legend::default()
    }
}

/// Reads data labels (`cx:dataLabels`). Without `cx:visibility`, labels show the values.
fn labels(node: &Node<'_>) -> Labels {
    let visible = node.named("visibility");
    let shown = |name| visible.and_then(|own| flag(own, name));
    let hidden = node.all_named("dataLabelHidden").take(MAX_SPECIAL);
    let hidden = hidden.filter_map(|own| Some((usize::try_from(number(own, "idx")?).ok()?, None)));
    Labels {
        value: Some(shown("value").unwrap_or(visible.is_none())),
        category: shown("categoryName"),
        series: shown("seriesName"),
        percent: None,
        format: format(node),
        place: node.attribute("pos").map(|place| place.as_ref().into()),
        separator: node.named("separator").map(|own| own.text.as_ref().into()),
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        shape: shape(node),
        points: hidden.collect(),
    }
}
