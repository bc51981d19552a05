//! Reads charts of OpenDocument (OpenDocument 1.3, part 3, 11). A chart is a document within another document. Never
//! opens the sheet that its values come from, since the chart contains a table with copies.
//!
//! The chart model is that of Office. OpenDocument has one plot area, and states the properties of the area, the axes
//! and the series in their styles. This module makes a plot of all series that have the same type and the same pair of
//! axes. Positions are left to the automatic layout.

mod axes;
mod looks;
mod values;

use super::{
    elements::{MAX_ALL, MAX_SERIES, MAX_SPECIAL, limited},
    model::{
        Chart, ChartType, Grouping, Labels, Legend, Marker, Plot, Point, Points, Series, Side,
        Symbol, Title,
    },
};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
};
use axes::dimension;
use looks::{Look, Looks};
use std::{borrow::Cow, cell::Cell};
use values::Values;

/// Identifiers of the primary axes: of categories or x values, and of values.
const FIRST: [u32; 2] = [1, 2];
/// Identifiers of the secondary axes, in the same order.
const SECOND: [u32; 2] = [3, 4];

/// Function that returns the content of cells outside of the chart, if it is known.
pub(super) type Cells<'c> = &'c dyn Fn(&str) -> Option<Vec<String>>;

impl Chart {
    /// Reads the content of a chart. `xml` is at its beginning. `None` if it is another kind of document.
    pub fn read_odf(xml: &mut Reader<'_>, cells: Cells<'_>) -> Result<Option<Self>> {
        let root = xml.root()?;
        let root = Node::read(xml, root)?;
        Ok(of_document(&root, cells))
    }

    /// Reads a chart inside of the same file, which is parsed already.
    pub fn of_odf(document: &Node<'_>) -> Option<Self> {
        of_document(document, &|_| None)
    }
}

/// Reads the chart of a content file: title, legend, and the plot area with its axes and series. Values come from the
/// table in the file, or, if they are not there, from `cells`.
fn of_document(root: &Node<'_>, cells: Cells<'_>) -> Option<Chart> {
    let body = root.named("body").and_then(|body| body.named("chart"));
    let node = body?.named("chart")?;
    let styles = root.named("automatic-styles");
    let looks = styles.map(Looks::read).unwrap_or_default();
    let table = node.named("table");
    let values = table.map(Values::read).unwrap_or_default();
    let look = looks.of(node);
    let mut chart = Chart {
        title: node.named("title").map(|own| title(own, &looks)),
        legend: node.named("legend").map(|own| legend(own, &looks)),
        frame: look.shape(),
        text: look.letters(),
        cut: values.cut,
        ..Chart::default()
    };
    if let Some(area) = node.named("plot-area") {
        let kind = node.attribute("class").unwrap_or_default();
        let reading = Reading {
            area,
            look: looks.of(area),
            looks: &looks,
            values: &values,
            cells,
            left: Cell::new(MAX_ALL),
        };
        reading.fill(&kind, &mut chart);
    }
    Some(chart)
}

/// Text of an element's paragraphs.
fn words(node: &Node<'_>) -> String {
    fn collect(node: &Node<'_>, depth: usize, out: &mut String) {
        out.push_str(&node.text);
        if depth < 4 {
            node.children
                .iter()
                .for_each(|child| collect(child, depth + 1, out));
        }
    }
    let paragraphs = node.all_named("p").map(|paragraph| {
        let mut text = String::new();
        collect(paragraph, 0, &mut text);
        text
    });
    limited(&paragraphs.collect::<Vec<_>>().join("\n"))
}

fn title(node: &Node<'_>, looks: &Looks<'_, '_>) -> Title {
    let look = looks.of(node);
    Title {
        words: words(node),
        letters: look.letters(),
        shape: look.shape(),
        ..Title::default()
    }
}

fn legend(node: &Node<'_>, looks: &Looks<'_, '_>) -> Legend {
    let look = looks.of(node);
    let place = node.attribute("legend-position").unwrap_or_default();
    Legend {
        side: match &*place {
            "start" | "top-start" | "bottom-start" => Side::Left,
            "top" => Side::Top,
            "bottom" => Side::Bottom,
            _ => Side::Right,
        },
        in_corner: &*place == "top-end",
        letters: look.letters(),
        shape: look.shape(),
        ..Legend::default()
    }
}

/// State of reading a plot area.
struct Reading<'r, 'n, 'x> {
    area: &'n Node<'x>,
    look: Look<'n, 'x>,
    looks: &'r Looks<'n, 'x>,
    values: &'r Values,
    cells: Cells<'r>,
    /// Number of values of cells outside of the chart that may still be read.
    left: Cell<usize>,
}

impl Reading<'_, '_, '_> {
    /// Reads the series. Series of the same type on the same pair of axes share a plot.
    fn fill(&self, class: &str, chart: &mut Chart) {
        let categories = self
            .area
            .all_named("axis")
            .find_map(|axis| axis.named("categories"));
        let categories = categories.and_then(|own| own.attribute("cell-range-address"));
        let default = (self.values.headers > 0).then_some(0);
        let categories = self.points(categories.as_deref(), default);
        // Column of the table for the next list of values, if it states no address.
        let mut next = self.values.headers;
        let all = self.area.all_named("series").enumerate();
        for (index, node) in all.take(MAX_SERIES) {
            let own = node.attribute("class");
            let kind = self.kind(own.as_deref().unwrap_or(class));
            let second = node.attribute("attached-axis").as_deref() == Some("secondary-y");
            let series = self.series(node, kind, index, (&categories, &mut next));
            let axes = if second { SECOND } else { FIRST };
            let known = chart.plots.iter_mut();
            let known = known
                .rev()
                .find(|plot| plot.kind == kind && plot.axes == axes);
            match known {
                Some(plot) => plot.series.push(series),
                None => {
                    let mut plot = self.plot(kind, own.as_deref().unwrap_or(class), node);
                    plot.axes = axes.into();
                    plot.series.push(series);
                    chart.plots.push(plot);
                }
            }
        }
        chart.wall = self
            .area
            .named("wall")
            .map(|wall| self.looks.of(wall).shape())
            .unwrap_or_default();
        self.axes(chart);
    }

    /// Chart type of a class.
    fn kind(&self, class: &str) -> ChartType {
        match class.rsplit(':').next().unwrap_or_default() {
            "bar" if self.look.flag("vertical") == Some(true) => ChartType::Bar,
            "bar" => ChartType::Column,
            "line" => ChartType::Line,
            "area" => ChartType::Area,
            "circle" => ChartType::Pie,
            "ring" => ChartType::Doughnut,
            "scatter" => ChartType::Scatter,
            "bubble" => ChartType::Bubble,
            "radar" | "filled-radar" => ChartType::Radar,
            "stock" => ChartType::Stock,
            _ => ChartType::Other,
        }
    }

    /// Settings of a plot. The plot area states the stacking, its axis of values the gaps and overlaps of bars, and the
    /// first series (`first`) the lines and symbols.
    fn plot(&self, kind: ChartType, class: &str, first: &Node<'_>) -> Plot {
        let look = &self.look;
        let grouping = match (look.flag("percentage"), look.flag("stacked")) {
            (Some(true), _) => Grouping::Percent,
            (_, Some(true)) => Grouping::Stacked,
            _ => Grouping::Standard,
        };
        // The style of the axis of values states the gap between bars.
        let axis = self
            .area
            .all_named("axis")
            .find(|axis| dimension(axis) == "y");
        let of_axis = |name| axis.and_then(|axis| self.looks.of(axis).number(name));
        let overlap = of_axis("overlap").unwrap_or(match grouping {
            Grouping::Standard => 0.0,
            Grouping::Stacked | Grouping::Percent => 100.0,
        });
        let line = self.looks.of(first).line();
        let lines = line.is_none_or(|line| line.fill != Some(crate::drawing::FillStyle::None));
        Plot {
            kind,
            grouping,
            gap: of_axis("gap-width").unwrap_or(100.0).clamp(0.0, 500.0) / 100.0,
            overlap: overlap.clamp(-100.0, 100.0) / 100.0,
            varies: matches!(kind, ChartType::Pie | ChartType::Doughnut),
            hole: 0.5,
            // OpenDocument measures angles from the right, anticlockwise.
            first_angle: (90.0 - look.number("angle-offset").unwrap_or(90.0)).rem_euclid(360.0),
            // By default, slices are arranged anticlockwise, too.
            against_clock: axis.and_then(|axis| self.looks.of(axis).flag("reverse-direction"))
                != Some(true),
            bubble_scale: 1.0,
            markers: self
                .symbol(first)
                .is_some_and(|symbol| symbol != Symbol::None),
            lines,
            filled: class.ends_with("filled-radar"),
            high_low: (kind == ChartType::Stock).then(Default::default),
            ..Plot::default()
        }
    }

    /// Symbol at the points of a series, from the style of the series or of the plot area. `None` if neither states
    /// one.
    fn symbol(&self, node: &Node<'_>) -> Option<Symbol> {
        let own = self.looks.of(node);
        let word = |name| own.word(name).or_else(|| self.look.word(name));
        Some(
            match (&*word("symbol-type")?, word("symbol-name").as_deref()) {
                ("none", _) => Symbol::None,
                (_, Some("square")) => Symbol::Square,
                (_, Some("arrow-up" | "arrow-down" | "arrow-left" | "arrow-right")) => {
                    Symbol::Triangle
                }
                (_, Some("circle")) => Symbol::Circle,
                (_, Some("x")) => Symbol::Cross,
                (_, Some("plus")) => Symbol::Plus,
                (_, Some("star" | "asterisk")) => Symbol::Star,
                (_, Some("horizontal-bar")) => Symbol::Dash,
                _ => Symbol::Diamond,
            },
        )
    }

    /// Reads a series. `next` is the column of the table for the next list of values that states no address.
    fn series(
        &self,
        node: &Node<'_>,
        kind: ChartType,
        index: usize,
        (categories, next): (&Points, &mut usize),
    ) -> Series {
        let look = self.looks.of(node);
        let mut points = |address: Option<Cow<'_, str>>| {
            let default = *next;
            *next += 1;
            (default, self.points(address.as_deref(), Some(default)))
        };
        let domains = node.all_named("domain").take(2);
        let domains: Vec<Points> = domains
            .map(|domain| points(domain.attribute("cell-range-address")).1)
            .collect();
        let address = node.attribute("values-cell-range-address");
        let column = address
            .as_deref()
            .and_then(|address| self.values.find(address));
        let (default, values) = points(address);
        let label = node.attribute("label-string");
        let named = node.attribute("label-cell-address");
        let name = match (label, named) {
            (Some(label), _) => limited(label.trim_matches('"')),
            (None, Some(named)) => self.name(&named, column.unwrap_or(default)),
            (None, None) => self.values.name(column.unwrap_or(default)).to_owned(),
        };
        // The first domain of a bubble series has the y values, and the second domain the x values. The values are the
        // sizes.
        let mut domains = domains.into_iter();
        let (positions, values, sizes) = match (kind, domains.next(), domains.next()) {
            (ChartType::Bubble, Some(height), Some(across)) => (across, height, values),
            (ChartType::Scatter, Some(across), _) => (across, values, Points::default()),
            _ => (categories.clone(), values, Points::default()),
        };
        let marker = self.symbol(node).map(|symbol| Marker {
            symbol: Some(symbol),
            ..Marker::default()
        });
        let curved = look
            .word("interpolation")
            .or_else(|| self.look.word("interpolation"));
        Series {
            index,
            name,
            categories: positions,
            values,
            sizes,
            shape: look.shape(),
            marker,
            smooth: Some(curved.is_some_and(|kind| kind != "none")),
            points: self.special(node),
            labels: labels(&look),
            explosion: look.number("pie-offset").unwrap_or(0.0).clamp(0.0, 400.0) / 100.0,
            ..Series::default()
        }
    }

    /// Values at an address: a column of the chart's table, cells outside of it, or else the column `default` of the
    /// table.
    fn points(&self, address: Option<&str>, default: Option<usize>) -> Points {
        let own = address.and_then(|address| self.values.find(address));
        if let (None, Some(address)) = (own, address) {
            let texts = self.outside(address);
            if !texts.is_empty() {
                return Points {
                    texts,
                    format: None,
                };
            }
        }
        let column = own.or(default);
        column
            .map(|column| self.values.points(column))
            .unwrap_or_default()
    }

    /// Values of cells outside of the chart. Empty if they exceed the number of values that may still be read.
    fn outside(&self, address: &str) -> Vec<String> {
        let texts = (self.cells)(address).unwrap_or_default();
        let left = self.left.get().saturating_sub(texts.len());
        match self.left.replace(left) >= texts.len() {
            true => texts,
            false => Vec::new(),
        }
    }

    /// Name of a series, from the cell at this address, or else from this column of the table.
    fn name(&self, address: &str, column: usize) -> String {
        match self.values.find(address) {
            Some(column) => self.values.name(column).to_owned(),
            None => match self.outside(address) {
                texts if texts.is_empty() => self.values.name(column).to_owned(),
                texts => limited(&texts.join(" ")),
            },
        }
    }

    /// Reads points with formatting of their own. A data point may be repeated.
    fn special(&self, node: &Node<'_>) -> Vec<(usize, Point)> {
        let (mut points, mut at) = (Vec::new(), 0_usize);
        for point in node.all_named("data-point").take(MAX_SPECIAL) {
            let count = point.attribute("repeated");
            let count = count.and_then(|count| count.parse::<usize>().ok());
            let count = count.unwrap_or(1).max(1);
            if point.attribute("style-name").is_some() {
                let own = self.looks.of(point);
                let offset = own.number("pie-offset");
                let look = Point {
                    shape: own.shape(),
                    marker: None,
                    explosion: offset.map(|offset| offset.clamp(0.0, 400.0) / 100.0),
                };
                let remaining = MAX_SPECIAL.saturating_sub(points.len());
                let same =
                    (at..at.saturating_add(count.min(remaining))).map(|at| (at, look.clone()));
                points.extend(same);
            }
            at = at.saturating_add(count);
        }
        points
    }
}

/// Reads which parts labels show.
fn labels(look: &Look<'_, '_>) -> Labels {
    let number = look.word("data-label-number").unwrap_or_default();
    let shows = |all: [&str; 2]| all.contains(&&*number).then_some(true);
    Labels {
        value: shows(["value", "value-and-percentage"]),
        percent: shows(["percentage", "value-and-percentage"]),
        category: look.flag("data-label-text"),
        series: look.flag("data-label-series"),
        letters: look.letters(),
        ..Labels::default()
    }
}
