//! A chart as every notation says it: plots with series, axes, legend, titles. Draws nothing.

use crate::drawing::{Colour, FillStyle, LineStyle};

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Its title, if the file says it in words, or as the name of its only series.
    pub title: Option<Title>,
    pub(crate) plots: Vec<Plot>,
    pub axes: Vec<Axis>,
    pub legend: Option<Legend>,
    /// Fill and outline of the whole frame.
    pub frame: Shape,
    /// Fill and outline of the plot area.
    pub wall: Shape,
    /// Manual layout of the plot, if the file has one.
    pub place: Option<Manual>,
    /// Whether that place is of the rectangle between the axes, without their labels.
    pub(crate) place_is_inner: bool,
    /// The look of all text that says nothing else.
    pub text: Letters,
    /// Points that were left out because a limit was reached, or kinds that are not drawn.
    pub cut: bool,
}

/// Formatting of text. `None` is inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Letters {
    /// In points.
    pub size: Option<f64>,
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub colour: Option<Colour>,
    /// The name of a font, or of a place in the theme such as `+mn-lt`.
    pub font: Option<Box<str>>,
    /// Clockwise, in degrees. `None` if the program decides.
    pub turn: Option<f64>,
}

impl Letters {
    /// This look, and where it says nothing, the other.
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

/// A title of a chart or an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Title {
    pub words: String,
    pub letters: Letters,
    pub shape: Shape,
    pub place: Option<Manual>,
    /// Whether the plot takes no heed of it.
    pub overlays: bool,
}

/// A position in the file, in shares of the frame. `None` is left to the program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manual {
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub width: Option<f64>,
    pub height: Option<f64>,
}

/// A fill and a line. `None` is the default one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub fill: Option<FillStyle>,
    pub line: Option<LineStyle>,
}

/// The kinds of charts. Those with depth are drawn flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Upright bars.
    #[default]
    Column,
    /// Bars to the right.
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    Scatter,
    Bubble,
    Radar,
    /// A stock chart. The lines of prices are hidden; only the connections between them are drawn.
    Stock,
    /// Columns that begin where the one before ended.
    Waterfall,
    /// Bars around the middle.
    Funnel,
    /// Columns of how many values are in each part of their range.
    Histogram,
    /// Columns of the sums of categories, the highest first.
    Ranking,
    /// The line of the shares that columns have reached together.
    Pareto,
    /// Boxes from quartile to quartile, with whiskers.
    Boxes,
    /// Rectangles in rectangles.
    Treemap,
    /// Rings around rings.
    Sunburst,
    /// A kind that is not drawn.
    Other,
}

/// Grouping of several series: clustered, stacked or as percentages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// Beside one another, or one behind the other.
    #[default]
    Standard,
    Stacked,
    /// Stacked, as shares of the whole.
    Percent,
}

/// Series of one kind on the same axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plot {
    pub kind: Kind,
    pub grouping: Grouping,
    pub series: Vec<Series>,
    /// The identifiers of its axes.
    pub axes: Vec<u32>,
    /// The room between groups of bars, as a share of a bar.
    pub gap: f64,
    /// Overlap of neighbouring bars, as a share of a bar's width.
    pub overlap: f64,
    /// Whether each point of a single series has its own colour.
    pub varies: bool,
    /// The diameter of the hole of a doughnut, as a share of the whole.
    pub hole: f64,
    /// Angle of the first slice: clockwise from the top, in degrees.
    pub(crate) first_angle: f64,
    /// Whether slices follow one another against the clock.
    pub(crate) against_clock: bool,
    /// The size of bubbles against the usual one.
    pub(crate) bubble_scale: f64,
    /// Whether the size of a bubble is its width, not its area.
    pub(crate) bubble_by_width: bool,
    pub markers: bool,
    /// Whether points are joined by lines.
    pub lines: bool,
    /// Whether a radar chart is filled.
    pub filled: bool,
    pub labels: Labels,
    /// The line from the highest to the lowest value of a category.
    pub(crate) high_low: Option<Shape>,
    /// The lines from each value to the axis.
    pub drops: Option<Shape>,
    /// The bars from the first to the last series, where values rise and where they fall.
    pub(crate) up_down: Option<[Shape; 2]>,
    /// The heights of the lines from each column to the next one.
    pub steps: Vec<f64>,
}

impl Plot {
    pub(crate) fn is_stacked(&self) -> bool {
        self.grouping != Grouping::Standard
    }

    /// Returns whether it has slices instead of axes.
    pub(crate) fn is_round(&self) -> bool {
        matches!(self.kind, Kind::Pie | Kind::Doughnut)
    }

    /// Returns whether it fills the frame alone, between no axes of the usual kind.
    pub(crate) fn has_no_axes(&self) -> bool {
        let alone = matches!(self.kind, Kind::Radar | Kind::Treemap | Kind::Sunburst);
        alone || self.is_round()
    }

    /// Returns whether both of its axes have numbers.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Scatter | Kind::Bubble)
    }
}

/// A series of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its place among all series of the chart, which decides its colour.
    pub index: usize,
    pub name: String,
    /// Names of its points, or their positions on the other axis.
    pub categories: Points,
    pub values: Points,
    /// The sizes of bubbles.
    pub sizes: Points,
    pub shape: Shape,
    pub marker: Option<Marker>,
    /// Whether its line is curved, if that is said.
    pub smooth: Option<bool>,
    /// The points that look otherwise, by their number.
    pub points: Vec<(usize, Point)>,
    pub labels: Labels,
    /// Distance by which its slices are moved outwards, as a share of the radius.
    pub(crate) explosion: f64,
    /// Values at which its bars begin, if not at the axis.
    pub(crate) floors: Vec<f64>,
    /// The quartiles of its values in each category, for boxes.
    pub(crate) spreads: Vec<Option<Spread>>,
    /// Properties of the newer kinds of charts.
    pub extended: Option<Box<Extended>>,
}

/// Properties of series in the newer kinds of charts (MS-ODRAWXML, 2.24.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extended {
    /// The levels of categories around the innermost one, from inside outwards.
    pub outer: Vec<Points>,
    /// The points of a waterfall that begin at the axis.
    pub totals: Vec<usize>,
    /// Whether the columns of a waterfall are joined.
    pub connects: bool,
    pub(crate) bin_width: Option<f64>,
    pub(crate) bin_count: Option<usize>,
    /// Values up to this share a bin (`underflow`), and values beyond `overflow` share another.
    pub(crate) underflow: Option<f64>,
    pub overflow: Option<f64>,
    /// Whether the lower bound of a bin belongs to it, not the upper one.
    pub(crate) closed_left: bool,
    /// Whether quartiles count the median.
    pub(crate) inclusive: bool,
    /// Visible parts of a box plot: its mean, the points within the whiskers, and those beyond.
    pub mean: bool,
    pub inner: bool,
    pub(crate) outliers: bool,
    pub parents: Parents,
}

/// Place of the names of a treemap's branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parents {
    None,
    Banner,
    #[default]
    Overlapping,
}

/// Summary of the values of a box plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    /// The ends of the whiskers.
    pub low: f64,
    pub high: f64,
    /// The first, second and third quartile.
    pub(crate) quartiles: [f64; 3],
    pub mean: f64,
    /// The values that are drawn as points.
    pub points: Vec<f64>,
}

impl Series {
    /// Whether a bar begins somewhere else than at the axis, and where.
    pub fn floor(&self, at: usize) -> Option<f64> {
        self.floors.get(at).copied()
    }

    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) fn explosion(&self, number: usize) -> f64 {
        self.point(number).map_or(self.explosion, |point| {
            point.explosion.unwrap_or(self.explosion)
        })
    }

    /// Own properties of a point.
    pub fn point(&self, number: usize) -> Option<&Point> {
        let mut all = self.points.iter();
        all.find(|(own, _)| *own == number).map(|(_, point)| point)
    }
}

/// A point that looks otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    pub shape: Shape,
    pub marker: Option<Marker>,
    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) explosion: Option<f64>,
}

/// The cached points of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The values, as the file writes them. Empty for missing values.
    pub texts: Vec<String>,
    /// Their number format, if they are numbers.
    pub format: Option<Box<str>>,
}

impl Points {
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The number of a point. `None` if absent.
    pub fn number(&self, at: usize) -> Option<f64> {
        let number = self.texts.get(at)?.trim().parse::<f64>().ok()?;
        // Beyond that, no axis can be drawn.
        (number.is_finite() && number.abs() < 1e300).then_some(number)
    }

    /// All numbers that are there.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        (0..self.len()).filter_map(|at| self.number(at))
    }
}

/// A sign at a point of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// `None` if the program chooses.
    pub symbol: Option<Symbol>,
    /// In points.
    pub size: Option<f64>,
    pub shape: Shape,
}

/// The signs.
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
    /// `None` where the plot decides.
    pub value: Option<bool>,
    pub category: Option<bool>,
    pub series: Option<bool>,
    pub percent: Option<bool>,
    pub format: Option<Box<str>>,
    pub place: Option<Box<str>>,
    pub separator: Option<Box<str>>,
    pub letters: Letters,
    pub shape: Shape,
    /// The points that say something else, by their number. `None` if they say nothing.
    pub points: Vec<(usize, Option<String>)>,
}

impl Labels {
    /// These labels, and where they say nothing, the other ones.
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

    /// Returns whether anything is written at all.
    pub fn any(&self) -> bool {
        let shown = [self.value, self.category, self.series, self.percent];
        shown.contains(&Some(true)) || self.points.iter().any(|(_, text)| text.is_some())
    }
}

/// On which side of the plot something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    Left,
    Top,
    #[default]
    Right,
    Bottom,
}

/// The list of what the colours stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    pub side: Side,
    /// Whether it is in the corner.
    pub(crate) in_corner: bool,
    pub overlays: bool,
    pub place: Option<Manual>,
    pub letters: Letters,
    pub shape: Shape,
    /// The entries that are left out.
    pub hidden: Vec<usize>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    pub id: u32,
    /// The axis that it crosses.
    pub(crate) crosses: u32,
    /// Whether it has numbers. Otherwise it has categories.
    pub has_numbers: bool,
    /// Whether it only gives positions, and is not drawn.
    pub hidden: bool,
    pub side: Side,
    pub least: Option<f64>,
    pub most: Option<f64>,
    pub step: Option<f64>,
    pub(crate) minor_step: Option<f64>,
    pub(crate) log_base: Option<f64>,
    pub reversed: bool,
    pub(crate) gridlines: Option<Shape>,
    pub(crate) minor_gridlines: Option<Shape>,
    pub title: Option<Title>,
    /// The number format, if it is not that of the values.
    pub format: Option<Box<str>>,
    pub ticks: Ticks,
    pub(crate) minor_ticks: Ticks,
    pub(crate) label_place: LabelPlace,
    /// Only every this many categories have a label.
    pub(crate) label_skip: Option<usize>,
    pub letters: Letters,
    pub line: Option<LineStyle>,
    /// Crossing of this axis on the other one.
    pub at: Crossing,
    /// Whether the axis that crosses this one stands between its categories, not on one.
    pub(crate) crossed_between: bool,
    /// Display unit: the divisor of its numbers.
    pub unit: f64,
}

/// Place of the tick marks of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ticks {
    #[default]
    None,
    Inside,
    Outside,
    Across,
}

/// Place of the tick labels of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LabelPlace {
    #[default]
    NextTo,
    Low,
    High,
    None,
}

/// Crossing of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Crossing {
    /// At zero, or as near to it as the other axis goes.
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

    /// Curves the lines that say nothing about it, as Word does.
    pub fn curve_lines(&mut self) {
        let lines = self.plots.iter_mut().filter(|plot| plot.kind == Kind::Line);
        for series in lines.flat_map(|plot| &mut plot.series) {
            series.smooth = series.smooth.or(Some(true));
        }
    }

    /// The axis with this identifier.
    pub fn axis(&self, id: u32) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.id == id)
    }

    /// Its title in words.
    pub fn words(&self) -> Option<&str> {
        let words = self.title.as_ref().map(|title| title.words.trim());
        words.filter(|words| !words.is_empty())
    }
}
