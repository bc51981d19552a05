//! Model of a chart, common to all file formats: plots with series, axes, legend and titles. Draws nothing.

use crate::drawing::{Colour, FillStyle, LineStyle};

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

/// A series of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Index among all series of the chart, which decides its colour.
    pub index: usize,
    pub name: String,
    /// Names of the points, or their positions on the other axis.
    pub categories: Points,
    pub values: Points,
    /// Sizes of bubbles.
    pub sizes: Points,
    // Formatting.
    pub shape: Shape,
    pub marker: Option<Marker>,
    /// Whether the line of the series is curved, if the file states it.
    pub smooth: Option<bool>,
    /// Points with formatting of their own, by index.
    pub points: Vec<(usize, Point)>,
    pub labels: Labels,
    /// Distance by which the slices are moved outwards, as a share of the radius.
    pub(crate) explosion: f64,
    // Computed charts.
    /// Values at which the bars begin, if they do not begin at the axis.
    pub(crate) floors: Vec<f64>,
    /// Distribution of the values in each category, for box plots.
    pub(crate) spreads: Vec<Option<Spread>>,
    /// Properties of the newer chart types.
    pub extended: Option<Box<Extended>>,
}

/// Properties of series in the newer chart types (MS-ODRAWXML, 2.24.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extended {
    /// Levels of categories around the innermost level, from the inside to the outside.
    pub outer: Vec<Points>,
    /// Points of a waterfall that begin at the axis.
    pub totals: Vec<usize>,
    /// Whether the columns of a waterfall are connected.
    pub connects: bool,
    pub(crate) bin_width: Option<f64>,
    pub(crate) bin_count: Option<usize>,
    /// Values up to this number share a bin.
    pub(crate) underflow: Option<f64>,
    /// Values above this number share a bin.
    pub overflow: Option<f64>,
    /// Whether a bin includes its lower bound. Otherwise it includes its upper bound.
    pub(crate) closed_left: bool,
    /// Whether the median is included in the computation of the quartiles.
    pub(crate) inclusive: bool,
    /// Whether a box plot marks the mean.
    pub mean: bool,
    /// Whether a box plot shows the values inside of the whiskers.
    pub inner: bool,
    /// Whether a box plot shows the values beyond the whiskers.
    pub(crate) outliers: bool,
    pub parents: Parents,
}

/// Position of the names of branches in a treemap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parents {
    None,
    Banner,
    #[default]
    Overlapping,
}

/// Distribution of the values of a box plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    /// Lower end of the whiskers.
    pub low: f64,
    /// Upper end of the whiskers.
    pub high: f64,
    /// First, second and third quartile.
    pub(crate) quartiles: [f64; 3],
    pub mean: f64,
    /// Values that are drawn as points.
    pub points: Vec<f64>,
}

impl Series {
    /// Value at which a bar begins, if it does not begin at the axis.
    pub fn floor(&self, at: usize) -> Option<f64> {
        self.floors.get(at).copied()
    }

    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) fn explosion(&self, number: usize) -> f64 {
        self.point(number).map_or(self.explosion, |point| {
            point.explosion.unwrap_or(self.explosion)
        })
    }

    /// Formatting of a point, if the point has its own.
    pub fn point(&self, number: usize) -> Option<&Point> {
        let mut all = self.points.iter();
        all.find(|(own, _)| *own == number).map(|(_, point)| point)
    }
}

/// Point with formatting of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    pub shape: Shape,
    pub marker: Option<Marker>,
    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) explosion: Option<f64>,
}

/// Cached points of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Values as the file states them. Missing values are empty.
    pub texts: Vec<String>,
    /// Number format of the values, if they are numbers.
    pub format: Option<Box<str>>,
}

impl Points {
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Number of a point. `None` if the text of the point is missing or not a number.
    pub fn number(&self, at: usize) -> Option<f64> {
        let number = self.texts.get(at)?.trim().parse::<f64>().ok()?;
        // Larger numbers would overflow in the computation of a scale.
        (number.is_finite() && number.abs() < 1e300).then_some(number)
    }

    /// All existing numbers.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        (0..self.len()).filter_map(|at| self.number(at))
    }
}

/// Marker at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// `None` if the program chooses.
    pub symbol: Option<Symbol>,
    /// Size in points. `None` if the program chooses.
    pub size: Option<f64>,
    pub shape: Shape,
}

/// Symbols of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    None,
    Diamond,
    Square,
    Triangle,
    Cross,
    Star,
    Circle,
    Plus,
    Dash,
    Dot,
}

/// Data labels of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Whether labels show the value. In this field and the next three, `None` is inherited from the plot.
    pub value: Option<bool>,
    /// Whether labels show the name of the point.
    pub category: Option<bool>,
    /// Whether labels show the name of the series.
    pub series: Option<bool>,
    /// Whether labels of slices show the share of the sum.
    pub percent: Option<bool>,
    /// Number format.
    pub format: Option<Box<str>>,
    /// Position, by its name in DrawingML.
    pub place: Option<Box<str>>,
    pub separator: Option<Box<str>>,
    pub letters: Letters,
    pub shape: Shape,
    /// Labels of single points, by index: a text, or `None` if the label is hidden.
    pub points: Vec<(usize, Option<String>)>,
}

impl Labels {
    /// Returns these labels. Settings that they do not state come from `below`, except the shape and the labels of
    /// single points.
    pub fn over(&self, below: &Self) -> Self {
        Self {
            value: self.value.or(below.value),
            category: self.category.or(below.category),
            series: self.series.or(below.series),
            percent: self.percent.or(below.percent),
            format: self.format.clone().or_else(|| below.format.clone()),
            place: self.place.clone().or_else(|| below.place.clone()),
            separator: self.separator.clone().or_else(|| below.separator.clone()),
            letters: self.letters.over(&below.letters),
            shape: self.shape.clone(),
            points: self.points.clone(),
        }
    }

    /// Returns whether any label is shown.
    pub fn any(&self) -> bool {
        let shown = [self.value, self.category, self.series, self.percent];
        shown.contains(&Some(true)) || self.points.iter().any(|(_, text)| text.is_some())
    }
}

/// Side of the plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    Left,
    Top,
    #[default]
    Right,
    Bottom,
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
