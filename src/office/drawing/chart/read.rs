//! Reads a chart part (ECMA-376 part 1, 21.2) with the values that are cached in it. Never opens the workbook.
//!
//! The number of points that a part declares is not trusted: only points in the file are stored, up to a limit for
//! all series together. Elements are recognised by their local names, since the readers of packages use different
//! prefixes.

mod series;

use super::{
    elements::{
        MAX_ALL, MAX_SERIES, letters_of, letters_of_title, limited, shape, shape_of, side, words,
    },
    extended,
    model::{
        Axis, Chart, ChartType, Crossing, Grouping, LabelPlace, Legend, Manual, Plot, Side, Ticks,
        Title,
    },
};
use crate::{
    containers::xml::{Node, Reader},
    drawing::{LineStyle, number},
    error::Result,
    number_format::NumberFormat,
};
use series::{labels, series_of};

/// Max. number of plots of a chart.
const MAX_PLOTS: usize = 16;
/// Max. number of axes of a chart.
const MAX_AXES: usize = 16;

impl Chart {
    /// Reads a chart part. `xml` is at its beginning.
    pub fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut all = Self::default();
        // Word generates a title only for a chart that states that its title was not deleted.
        let mut titled = false;
        let mut is_since_1904 = false;
        let mut data = extended::Store::default();
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            match element.name {
                "date1904" => {
                    let value = element.attribute("val");
                    is_since_1904 = !matches!(value.as_deref(), Some("0" | "false"));
                }
                "chartData" => data.read(&Node::read(xml, element)?),
                "chart" => {
                    let node = Node::read(xml, element)?;
                    let area = node.named("plotArea");
                    match area.filter(|area| area.named("plotAreaRegion").is_some()) {
                        Some(area) => extended::content(&mut all, &node, area, &data),
                        None => {
                            titled = !truth(&node, "autoTitleDeleted", true);
                            all.content(&node);
                        }
                    }
                }
                "spPr" => all.frame = shape_of(&Node::read(xml, element)?),
                "txPr" => all.text = letters_of(&Node::read(xml, element)?),
                _ => {}
            }
        }
        all.generate_title(titled);
        if is_since_1904 {
            all.count_from_1900();
        }
        Ok(all)
    }

    /// Converts dates of a workbook that counts from 1904 (21.2.2.38). Numbers without the format of a date are not
    /// changed.
    fn count_from_1900(&mut self) {
        /// Days between the beginnings of both date systems.
        const CALENDARS: f64 = 1462.0;
        let is_moment = |format: &Option<Box<str>>, value: f64| {
            format
                .as_deref()
                .is_some_and(|code| NumberFormat::parse(code).is_moment(value))
        };
        for series in self.plots.iter_mut().flat_map(|plot| &mut plot.series) {
            for points in [&mut series.categories, &mut series.values] {
                for at in 0..points.len() {
                    if let Some(value) = points.number(at)
                        && is_moment(&points.format, value)
                    {
                        points.texts[at] = (value + CALENDARS).to_string();
                    }
                }
            }
        }
        for axis in &mut self.axes {
            for bound in [&mut axis.least, &mut axis.most].into_iter().flatten() {
                if is_moment(&axis.format, *bound) {
                    *bound += CALENDARS;
                }
            }
        }
    }

    /// Reads `c:chart` (ECMA-376 part 1, 21.2.2.27): title, legend, and the plot area with its layout, plots and axes.
    fn content(&mut self, chart: &Node<'_>) {
        self.title = chart.named("title").map(title);
        self.legend = chart.named("legend").map(legend);
        let Some(area) = chart.named("plotArea") else {
            return;
        };
        let layout = area
            .named("layout")
            .and_then(|layout| layout.named("manualLayout"));
        self.place = layout.map(manual);
        self.place_is_inner =
            layout.is_some_and(|layout| word(layout, "layoutTarget").as_deref() == Some("inner"));
        self.wall = shape(area);
        let mut left = MAX_ALL;
        for group in &area.children {
            let name = group.element.name;
            if name.ends_with("Chart") && self.plots.len() < MAX_PLOTS {
                let max_series = MAX_SERIES.saturating_sub(self.series().count());
                let plot = plot(name, group, max_series, &mut left);
                self.plots.push(plot);
            } else if matches!(name, "catAx" | "valAx" | "dateAx" | "serAx")
                && self.axes.len() < MAX_AXES
            {
                self.axes.push(axis(group));
            }
        }
        self.cut = left == 0;
    }

    /// Generates the title of a chart that has none, like Office: the name of its only series, or of the first series
    /// of a pie. An empty title element becomes this name, or else "Chart Title".
    fn generate_title(&mut self, wanted: bool) {
        let only = match &*self.plots {
            [plot] => match &*plot.series {
                [series] => Some(&series.name),
                [series, ..] if plot.kind == ChartType::Pie => Some(&series.name),
                _ => None,
            },
            _ => None,
        };
        let name = only.filter(|name| !name.trim().is_empty()).cloned();
        let blank = |title: &Title| title.words.trim().is_empty();
        match (&mut self.title, name) {
            (Some(title), Some(name)) if blank(title) => title.words = name,
            (Some(title), None) if blank(title) => "Chart Title".clone_into(&mut title.words),
            (None, Some(words)) if wanted => {
                self.title = Some(Title {
                    words,
                    ..Title::default()
                });
            }
            _ => {}
        }
    }
}

/// Value of a child element.
fn word(node: &Node<'_>, name: &str) -> Option<Box<str>> {
    Some(node.named(name)?.attribute("val")?.trim().into())
}

/// Value of a child element as a number. Some programs write percent signs, which are dropped.
fn value(node: &Node<'_>, name: &str) -> Option<f64> {
    let text = word(node, name)?;
    let number = text.trim_end_matches('%').parse::<f64>().ok()?;
    (number.is_finite() && number.abs() < 1e300).then_some(number)
}

/// Value of a child element as a boolean. It is true if the element has no value, and `default` if the element is
/// missing.
fn truth(node: &Node<'_>, name: &str, default: bool) -> bool {
    match node.named(name) {
        None => default,
        Some(own) => !matches!(own.attribute("val").as_deref(), Some("0" | "false" | "off")),
    }
}

/// Reads a chart group such as `c:barChart`. `max_series` is the number of series that may still be read, and `left`
/// counts down the points.
fn plot(name: &str, node: &Node<'_>, max_series: usize, left: &mut usize) -> Plot {
    let kind = match name {
        "barChart" | "bar3DChart" if word(node, "barDir").as_deref() == Some("bar") => {
            ChartType::Bar
        }
        "barChart" | "bar3DChart" => ChartType::Column,
        "lineChart" | "line3DChart" => ChartType::Line,
        "areaChart" | "area3DChart" => ChartType::Area,
        "pieChart" | "pie3DChart" | "ofPieChart" => ChartType::Pie,
        "doughnutChart" => ChartType::Doughnut,
        "scatterChart" => ChartType::Scatter,
        "bubbleChart" => ChartType::Bubble,
        "radarChart" => ChartType::Radar,
        "stockChart" => ChartType::Stock,
        _ => ChartType::Other,
    };
    let grouping = match word(node, "grouping").as_deref() {
        Some("stacked") => Grouping::Stacked,
        Some("percentStacked") => Grouping::Percent,
        _ => Grouping::Standard,
    };
    let style = word(node, "scatterStyle").or_else(|| word(node, "radarStyle"));
    let style = style.as_deref().unwrap_or_default();
    let series = node.all_named("ser");
    let series = series.take(max_series).map(|node| series_of(node, left));
    let ids = node.all_named("axId");
    let ids = ids.filter_map(|id| Some(number(id, "val")? as u32));
    Plot {
        kind,
        grouping,
        series: series.collect(),
        axes: ids.take(3).collect(),
        // The defaults are those of the schema.
        gap: value(node, "gapWidth").unwrap_or(150.0).clamp(0.0, 500.0) / 100.0,
        overlap: value(node, "overlap").unwrap_or(0.0).clamp(-100.0, 100.0) / 100.0,
        // By default, the points of pies (whose names contain `ie`) and doughnuts have different colours.
        varies: truth(
            node,
            "varyColors",
            name.contains("ie") || name == "doughnutChart",
        ),
        hole: value(node, "holeSize").unwrap_or(10.0).clamp(1.0, 95.0) / 100.0,
        first_angle: value(node, "firstSliceAng")
            .unwrap_or(0.0)
            .rem_euclid(360.0),
        against_clock: false,
        bubble_scale: value(node, "bubbleScale")
            .unwrap_or(100.0)
            .clamp(0.0, 300.0)
            / 100.0,
        bubble_by_width: word(node, "sizeRepresents").as_deref() == Some("w"),
        markers: match kind {
            ChartType::Line => truth(node, "marker", true),
            ChartType::Scatter | ChartType::Radar => {
                !matches!(style, "line" | "smooth" | "standard" | "filled")
            }
            _ => false,
        },
        lines: kind != ChartType::Scatter || !matches!(style, "marker" | "none"),
        filled: style == "filled",
        labels: node.named("dLbls").map(labels).unwrap_or_default(),
        high_low: node.named("hiLowLines").map(shape),
        drops: node.named("dropLines").map(shape),
        up_down: node.named("upDownBars").map(|bars| {
            ["upBars", "downBars"].map(|name| bars.named(name).map(shape).unwrap_or_default())
        }),
        steps: Vec::new(),
    }
}

/// Format code of a `c:numFmt`. `None` if the chart uses the format of the source cells.
fn format(node: &Node<'_>) -> Option<Box<str>> {
    let linked = matches!(
        node.attribute("sourceLinked").as_deref(),
        Some("1" | "true")
    );
    let code = node.attribute("formatCode")?;
    (!linked && !code.is_empty()).then(|| limited(&code).into())
}

fn legend(node: &Node<'_>) -> Legend {
    let side = word(node, "legendPos");
    let layout = node
        .named("layout")
        .and_then(|layout| layout.named("manualLayout"));
    let hidden = node.all_named("legendEntry");
    let hidden = hidden.filter(|entry| truth(entry, "delete", false));
    let hidden = hidden.filter_map(|entry| Some(value(entry, "idx")?.clamp(0.0, 1e6) as usize));
    Legend {
        side: side.as_deref().map(self::side).unwrap_or_default(),
        in_corner: side.as_deref() == Some("tr"),
        overlays: truth(node, "overlay", false),
        place: layout.map(manual),
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        shape: shape(node),
        hidden: hidden.take(MAX_SERIES).collect(),
    }
}

/// Reads an axis: `c:valAx`, `c:catAx`, `c:dateAx` or `c:serAx`.
fn axis(node: &Node<'_>) -> Axis {
    let scaling = node.named("scaling");
    let scale = |name| value(scaling?, name);
    let ticks = |name, default| match word(node, name).as_deref() {
        Some("in") => Ticks::Inside,
        Some("out") => Ticks::Outside,
        Some("cross") => Ticks::Across,
        Some(_) => Ticks::None,
        None => default,
    };
    let id = |name| node.named(name).and_then(|id| number(id, "val"));
    let orientation = scaling.and_then(|scaling| word(scaling, "orientation"));
    let properties = node.named("spPr");
    let line = properties.and_then(|own| own.named("ln"));
    Axis {
        id: id("axId").unwrap_or(0) as u32,
        crosses: id("crossAx").unwrap_or(0) as u32,
        has_numbers: node.element.name == "valAx",
        hidden: truth(node, "delete", false),
        side: word(node, "axPos").as_deref().map_or(Side::Left, side),
        least: scale("min"),
        most: scale("max"),
        step: value(node, "majorUnit").filter(|step| *step > 0.0),
        minor_step: value(node, "minorUnit").filter(|step| *step > 0.0),
        log_base: scale("logBase").filter(|base| *base > 1.0),
        reversed: orientation.as_deref() == Some("maxMin"),
        gridlines: node.named("majorGridlines").map(shape),
        minor_gridlines: node.named("minorGridlines").map(shape),
        title: node.named("title").map(title),
        format: node.named("numFmt").and_then(format),
        ticks: ticks("majorTickMark", Ticks::Across),
        minor_ticks: ticks("minorTickMark", Ticks::None),
        label_place: match word(node, "tickLblPos").as_deref() {
            Some("low") => LabelPlace::Low,
            Some("high") => LabelPlace::High,
            Some("none") => LabelPlace::None,
            _ => LabelPlace::NextTo,
        },
        label_skip: value(node, "tickLblSkip").map(|skip| skip.clamp(1.0, 1e6) as usize),
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        line: line.map(LineStyle::read),
        at: match (value(node, "crossesAt"), word(node, "crosses").as_deref()) {
            (Some(at), _) => Crossing::At(at),
            (None, Some("min")) => Crossing::Least,
            (None, Some("max")) => Crossing::Most,
            _ => Crossing::Zero,
        },
        crossed_between: word(node, "crossBetween").as_deref() != Some("midCat"),
        unit: node.named("dispUnits").and_then(unit).unwrap_or(1.0),
    }
}

/// Display unit of an axis, by which its numbers are divided (21.2.3.5).
fn unit(node: &Node<'_>) -> Option<f64> {
    let custom = value(node, "custUnit").filter(|unit| *unit > 0.0);
    custom.or(match &*word(node, "builtInUnit")? {
        "hundreds" => Some(1e2),
        "thousands" => Some(1e3),
        "tenThousands" => Some(1e4),
        "hundredThousands" => Some(1e5),
        "millions" => Some(1e6),
        "tenMillions" => Some(1e7),
        "hundredMillions" => Some(1e8),
        "billions" => Some(1e9),
        "trillions" => Some(1e12),
        _ => None,
    })
}

fn title(node: &Node<'_>) -> Title {
    let layout = node
        .named("layout")
        .and_then(|layout| layout.named("manualLayout"));
    Title {
        words: node.named("tx").map(words).unwrap_or_default(),
        letters: letters_of_title(node),
        shape: shape(node),
        place: layout.map(manual),
        overlays: truth(node, "overlay", false),
    }
}

/// Reads a manual layout (21.2.2.95), in shares of the frame. A position without the mode `edge` is an offset from the
/// automatic layout, and is ignored.
fn manual(node: &Node<'_>) -> Manual {
    let edge = |mode| word(node, mode).as_deref() == Some("edge");
    let at = |name| value(node, name).map(|at| at.clamp(-1.0, 2.0));
    let size = |name, mode, from: Option<f64>| {
        let size = at(name)?;
        Some(if edge(mode) { size - from? } else { size })
    };
    let (x, y) = (at("x"), at("y"));
    Manual {
        x: x.filter(|_| edge("xMode")),
        y: y.filter(|_| edge("yMode")),
        width: size("w", "wMode", x).filter(|width| *width > 0.01),
        height: size("h", "hMode", y).filter(|height| *height > 0.01),
    }
}
