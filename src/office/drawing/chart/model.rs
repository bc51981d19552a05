//! Model of a chart, common to all file formats: plots with series, axes, legend and titles. Draws nothing.

mod series;

use crate::drawing::{Colour, FillStyle, LineStyle};
pub(super) use series::{
    Extended, Labels, Marker, Parents, Point, Points, Series, Side, Spread, Symbol,
};

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Title: the text in the file, or the name of the only series.
    pub title: Option<Title>,
    pub(crate) plots: Vec<Plot>,
    pub axes: Vec<Axis>,
    pub legend: Option<Legend>,
    /// Fill and line of the frame.
    pub frame: Shape,
    /// Fill and line of the plot area.
    pub wall: Shape,
    /// Position of the plot, if the file states one.
    pub place: Option<Manual>,
    /// Whether `place` is the area between the axes. Otherwise it includes the labels.
    pub(crate) place_is_inner: bool,
    /// Default formatting of text.
    pub text: Letters,
    /// Whether points were dropped because of a limit.
    pub cut: bool,
}

/// Formatting of text. `None` is inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Letters {
    /// Size in points.
    pub size: Option<f64>,
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub colour: Option<Colour>,
    /// Name of a font, or a reference to the theme such as `+mn-lt`.
    pub font: Option<Box<str>>,
    /// Rotation, clockwise in degrees. `None` if the program chooses.
    pub turn: Option<f64>,
}

impl Letters {
    /// Returns this formatting. Properties that it does not state come from `below`.
    pub fn over(&self, below: &Self) -> Self {
        Self {
            size: self.size.or(below.size),
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            colour: self.colour.clone().or_else(|| below.colour.clone()),
            font: self.font.clone().or_else(|| below.font.clone()),
            turn: self.turn.or(below.turn),
        }
    }
}

/// Title of a chart or an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Title {
    pub words: String,
    pub letters: Letters,
    pub shape: Shape,
    pub place: Option<Manual>,
    /// Whether the plot may overlap the title.
    pub overlays: bool,
}

/// Position that a file states, in shares of the frame. The program chooses values that are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manual {
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub width: Option<f64>,
    pub height: Option<f64>,
}

/// Fill and line. `None` is the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub fill: Option<FillStyle>,
    pub line: Option<LineStyle>,
}

/// Chart types. Three-dimensional charts are drawn flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChartType {
    /// Vertical bars.
    #[default]
    Column,
    /// Horizontal bars.
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    Scatter,
    Bubble,
    Radar,
    /// Stock chart. The lines of the prices are drawn only if the file states their formatting. High-low lines, and up
    /// and down bars, connect the prices.
    Stock,
    /// Columns that begin where the previous column ends, and totals that begin at the axis.
    Waterfall,
    /// Centred bars.
    Funnel,
    /// Columns of the number of values in each interval.
    Histogram,
    /// Columns of the sums of categories. The highest is first if the chart has a Pareto line.
    Ranking,
    /// Line of cumulative shares.
    Pareto,
    /// Box plots.
    Boxes,
    /// Nested rectangles.
    Treemap,
    /// Concentric rings.
    Sunburst,
    /// A type that is not drawn.
    Other,
}

/// Arrangement of the series of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// Side by side, or one behind the other.
    #[default]
    Standard,
    Stacked,
    /// Stacked; each value is shown as its share of the sum.
    Percent,
}

/// Series of one type on the same axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plot {
    pub kind: ChartType,
    pub grouping: Grouping,
    pub series: Vec<Series>,
    /// Identifiers of the axes of the plot.
    pub axes: Vec<u32>,
    /// Gap between groups of bars, as a share of a bar.
    pub gap: f64,
    /// Overlap of adjacent bars, as a share of a bar.
    pub overlap: f64,
    /// Whether each point has its own colour. Applies to pies and doughnuts, and to a single series.
    pub varies: bool,
    // Pies and doughnuts.
    /// Diameter of the hole of a doughnut, as a share of the whole.
    pub hole: f64,
    /// Angle of the first slice: clockwise from the top, in degrees.
    pub(crate) first_angle: f64,
    /// Whether slices are arranged anticlockwise.
    pub(crate) against_clock: bool,
    // Bubbles.
    /// Factor of the size of bubbles.
    pub(crate) bubble_scale: f64,
    /// Whether the value of a bubble is its width instead of its area.
    pub(crate) bubble_by_width: bool,
    // Lines, areas and radars.
    /// Whether points have markers.
    pub markers: bool,
    /// Whether points are joined by lines.
    pub lines: bool,
    /// Whether a radar chart is filled.
    pub filled: bool,
    // Additions to the series.
    pub labels: Labels,
    /// Line from the highest to the lowest value of a category.
    pub(crate) high_low: Option<Shape>,
    /// Drop lines, from the highest value of each category to the axis.
    pub drops: Option<Shape>,
    /// Bars from the first to the last series: where values rise, and where they fall.
    pub(crate) up_down: Option<[Shape; 2]>,
    /// Heights of the lines from each column to the next column.
    pub steps: Vec<f64>,
}

impl Plot {
    pub(crate) fn is_stacked(&self) -> bool {
        self.grouping != Grouping::Standard
    }

    /// Returns whether the plot consists of slices.
    pub(crate) fn is_round(&self) -> bool {
        matches!(self.kind, ChartType::Pie | ChartType::Doughnut)
    }

    /// Returns whether the plot has no ordinary axes, and fills the chart alone.
    pub(crate) fn has_no_axes(&self) -> bool {
        let alone = matches!(
            self.kind,
            ChartType::Radar | ChartType::Treemap | ChartType::Sunburst
        );
        alone || self.is_round()
    }

    /// Returns whether both axes have numbers.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.kind, ChartType::Scatter | ChartType::Bubble)
    }
}

/// The legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    pub side: Side,
    /// Whether the legend is in the upper corner.
    pub(crate) in_corner: bool,
    /// Whether the plot may overlap the legend.
    pub overlays: bool,
    pub place: Option<Manual>,
    pub letters: Letters,
    pub shape: Shape,
    /// Indices of entries that are hidden.
    pub hidden: Vec<usize>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    pub id: u32,
    /// Identifier of the axis that crosses this axis.
    pub(crate) crosses: u32,
    /// Whether the axis has numbers. Otherwise it has categories.
    pub has_numbers: bool,
    /// Whether the axis is not drawn, and only determines positions.
    pub hidden: bool,
    pub side: Side,
    // Scale. `None` is automatic, except for `log_base`: without it, the scale is linear.
    pub least: Option<f64>,
    pub most: Option<f64>,
    pub step: Option<f64>,
    pub(crate) minor_step: Option<f64>,
    pub(crate) log_base: Option<f64>,
    pub reversed: bool,
    // Gridlines, title and labels.
    pub(crate) gridlines: Option<Shape>,
    pub(crate) minor_gridlines: Option<Shape>,
    pub title: Option<Title>,
    /// Number format, if it differs from the number format of the values.
    pub format: Option<Box<str>>,
    pub ticks: Ticks,
    pub(crate) minor_ticks: Ticks,
    pub(crate) label_place: LabelPlace,
    /// Interval between labelled categories, as a number of categories.
    pub(crate) label_skip: Option<usize>,
    pub letters: Letters,
    pub line: Option<LineStyle>,
    /// Position where this axis crosses the other axis.
    pub at: Crossing,
    /// Whether the other axis crosses between two categories. Otherwise it crosses at a category.
    pub(crate) crossed_between: bool,
    /// Display unit, by which the numbers of the labels are divided.
    pub unit: f64,
}

/// Position of tick marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ticks {
    #[default]
    None,
    Inside,
    Outside,
    Across,
}

/// Position of tick labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LabelPlace {
    #[default]
    NextTo,
    Low,
    High,
    None,
}

/// Position where an axis crosses another axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Crossing {
    /// Crosses at zero, or at the nearest value of the axis.
    #[default]
    Zero,
    Least,
    Most,
    At(f64),
}

impl Chart {
    /// All series, in the order of the plots.
    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.plots.iter().flat_map(|plot| &plot.series)
    }

    /// Curves the lines of series that do not state whether their line is curved, as Word does.
    pub fn curve_lines(&mut self) {
        let lines = self
            .plots
            .iter_mut()
            .filter(|plot| plot.kind == ChartType::Line);
        for series in lines.flat_map(|plot| &mut plot.series) {
            series.smooth = series.smooth.or(Some(true));
        }
    }

    /// Axis with this identifier.
    pub fn axis(&self, id: u32) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.id == id)
    }

    /// Text of the title.
    pub fn words(&self) -> Option<&str> {
        let words = self.title.as_ref().map(|title| title.words.trim());
        words.filter(|words| !words.is_empty())
    }
}
