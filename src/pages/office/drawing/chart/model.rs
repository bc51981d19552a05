//! A chart as every notation says it: plots with series, axes, legend, titles. Draws nothing.

use crate::office::drawing::{Colour, FillStyle, LineStyle};

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    /// Its title, if the file says it in words, or as the name of its only series.
    pub(crate) title: Option<Title>,
    pub(crate) plots: Vec<Plot>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) legend: Option<Legend>,
    /// Fill and outline of the whole frame.
    pub(crate) frame: Shape,
    /// Fill and outline of the plot area.
    pub(crate) wall: Shape,
    /// Manual layout of the plot, if the file has one.
    pub(crate) place: Option<Manual>,
    /// Whether that place is of the rectangle between the axes, without their labels.
    pub(crate) place_is_inner: bool,
    /// The look of all text that says nothing else.
    pub(crate) text: Letters,
    /// Points that were left out because a limit was reached, or kinds that are not drawn.
    pub(crate) cut: bool,
}

/// The look of text. What is `None` comes from what is around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Letters {
    /// In points.
    pub(crate) size: Option<f64>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) colour: Option<Colour>,
    /// The name of a font, or of a place in the theme such as `+mn-lt`.
    pub(crate) font: Option<Box<str>>,
    /// Clockwise, in degrees. `None` if the program decides.
    pub(crate) turn: Option<f64>,
}

impl Letters {
    /// This look, and where it says nothing, the other.
    pub(crate) fn over(&self, below: &Self) -> Self {
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
pub(crate) struct Title {
    pub(crate) words: String,
    pub(crate) letters: Letters,
    pub(crate) shape: Shape,
    pub(crate) place: Option<Manual>,
    /// Whether the plot takes no heed of it.
    pub(crate) overlays: bool,
}

/// A place that the file gives, in shares of the frame. What is `None` is left to the program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Manual {
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
    pub(crate) width: Option<f64>,
    pub(crate) height: Option<f64>,
}

/// A fill and a line. What is `None` is the usual one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    pub(crate) fill: Option<FillStyle>,
    pub(crate) line: Option<LineStyle>,
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
    /// Lines of prices, of which only what is between them is drawn.
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
    pub(crate) kind: Kind,
    pub(crate) grouping: Grouping,
    pub(crate) series: Vec<Series>,
    /// The identifiers of its axes.
    pub(crate) axes: Vec<u32>,
    /// The room between groups of bars, as a share of a bar.
    pub(crate) gap: f64,
    /// Overlap of neighbouring bars, as a share of a bar's width.
    pub(crate) overlap: f64,
    /// Whether each point of a single series has its own colour.
    pub(crate) varies: bool,
    /// The diameter of the hole of a doughnut, as a share of the whole.
    pub(crate) hole: f64,
    /// Angle of the first slice: clockwise from the top, in degrees.
    pub(crate) first_angle: f64,
    /// Whether slices follow one another against the clock.
    pub(crate) against_clock: bool,
    /// The size of bubbles against the usual one.
    pub(crate) bubble_scale: f64,
    /// Whether the size of a bubble is its width, not its area.
    pub(crate) bubble_by_width: bool,
    pub(crate) markers: bool,
    /// Whether points are joined by lines.
    pub(crate) lines: bool,
    /// Whether a radar chart is filled.
    pub(crate) filled: bool,
    pub(crate) labels: Labels,
    /// The line from the highest to the lowest value of a category.
    pub(crate) high_low: Option<Shape>,
    /// The lines from each value to the axis.
    pub(crate) drops: Option<Shape>,
    /// The bars from the first to the last series, where values rise and where they fall.
    pub(crate) up_down: Option<[Shape; 2]>,
    /// The heights of the lines from each column to the next one.
    pub(crate) steps: Vec<f64>,
}

impl Plot {
    pub(crate) fn is_stacked(&self) -> bool {
        self.grouping != Grouping::Standard
    }

    /// Whether it has slices instead of axes.
    pub(crate) fn is_round(&self) -> bool {
        matches!(self.kind, Kind::Pie | Kind::Doughnut)
    }

    /// Whether it fills the frame alone, between no axes of the usual kind.
    pub(crate) fn has_no_axes(&self) -> bool {
        let alone = matches!(self.kind, Kind::Radar | Kind::Treemap | Kind::Sunburst);
        alone || self.is_round()
    }

    /// Whether both of its axes have numbers.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Scatter | Kind::Bubble)
    }
}

/// A series of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series {
    /// Its place among all series of the chart, which decides its colour.
    pub(crate) index: usize,
    pub(crate) name: String,
    /// Names of its points, or their positions on the other axis.
    pub(crate) categories: Points,
    pub(crate) values: Points,
    /// The sizes of bubbles.
    pub(crate) sizes: Points,
    pub(crate) shape: Shape,
    pub(crate) marker: Option<Marker>,
    /// Whether its line is curved, if that is said.
    pub(crate) smooth: Option<bool>,
    /// The points that look otherwise, by their number.
    pub(crate) points: Vec<(usize, Point)>,
    pub(crate) labels: Labels,
    /// Distance by which its slices are moved outwards, as a share of the radius.
    pub(crate) explosion: f64,
    /// Values at which its bars begin, if not at the axis.
    pub(crate) floors: Vec<f64>,
    /// The quartiles of its values in each category, for boxes.
    pub(crate) spreads: Vec<Option<Spread>>,
    /// Properties of the newer kinds of charts.
    pub(crate) extended: Option<Box<Extended>>,
}

/// Properties of series in the newer kinds of charts (MS-ODRAWXML, 2.24.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extended {
    /// The levels of categories around the innermost one, from inside outwards.
    pub(crate) outer: Vec<Points>,
    /// The points of a waterfall that begin at the axis.
    pub(crate) totals: Vec<usize>,
    /// Whether the columns of a waterfall are joined.
    pub(crate) connects: bool,
    pub(crate) bin_width: Option<f64>,
    pub(crate) bin_count: Option<usize>,
    /// Values up to this share a bin (`underflow`), and values beyond `overflow` share another.
    pub(crate) underflow: Option<f64>,
    pub(crate) overflow: Option<f64>,
    /// Whether the lower bound of a bin belongs to it, not the upper one.
    pub(crate) closed_left: bool,
    /// Whether quartiles count the median.
    pub(crate) inclusive: bool,
    /// Visible parts of a box plot: its mean, the points within the whiskers, and those beyond.
    pub(crate) mean: bool,
    pub(crate) inner: bool,
    pub(crate) outliers: bool,
    pub(crate) parents: Parents,
}

/// Place of the names of a treemap's branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Parents {
    None,
    Banner,
    #[default]
    Overlapping,
}

/// Summary of the values of a box plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    /// The ends of the whiskers.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The first, second and third quartile.
    pub(crate) quartiles: [f64; 3],
    pub(crate) mean: f64,
    /// The values that are drawn as points.
    pub(crate) points: Vec<f64>,
}

impl Series {
    /// Whether a bar begins somewhere else than at the axis, and where.
    pub(crate) fn floor(&self, at: usize) -> Option<f64> {
        self.floors.get(at).copied()
    }

    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) fn explosion(&self, number: usize) -> f64 {
        self.point(number).map_or(self.explosion, |point| {
            point.explosion.unwrap_or(self.explosion)
        })
    }

    /// Own properties of a point.
    pub(crate) fn point(&self, number: usize) -> Option<&Point> {
        let mut all = self.points.iter();
        all.find(|(own, _)| *own == number).map(|(_, point)| point)
    }
}

/// A point that looks otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) shape: Shape,
    pub(crate) marker: Option<Marker>,
    /// Distance by which a slice is moved outwards, as a share of the radius.
    pub(crate) explosion: Option<f64>,
}

/// The cached points of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Points {
    /// The values, as the file writes them. Empty where there is none.
    pub(crate) texts: Vec<String>,
    /// Their number format, if they are numbers.
    pub(crate) format: Option<Box<str>>,
}

impl Points {
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The number of a point. `None` if there is none.
    pub(crate) fn number(&self, at: usize) -> Option<f64> {
        let number = self.texts.get(at)?.trim().parse::<f64>().ok()?;
        // Beyond that, no axis can be drawn.
        (number.is_finite() && number.abs() < 1e300).then_some(number)
    }

    /// All numbers that are there.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        (0..self.len()).filter_map(|at| self.number(at))
    }
}

/// A sign at a point of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marker {
    /// `None` if the program chooses.
    pub(crate) symbol: Option<Symbol>,
    /// In points.
    pub(crate) size: Option<f64>,
    pub(crate) shape: Shape,
}

/// The signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
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
pub(crate) struct Labels {
    /// `None` where the plot decides.
    pub(crate) value: Option<bool>,
    pub(crate) category: Option<bool>,
    pub(crate) series: Option<bool>,
    pub(crate) percent: Option<bool>,
    pub(crate) format: Option<Box<str>>,
    pub(crate) place: Option<Box<str>>,
    pub(crate) separator: Option<Box<str>>,
    pub(crate) letters: Letters,
    pub(crate) shape: Shape,
    /// The points that say something else, by their number. `None` if they say nothing.
    pub(crate) points: Vec<(usize, Option<String>)>,
}

impl Labels {
    /// These labels, and where they say nothing, the other ones.
    pub(crate) fn over(&self, below: &Self) -> Self {
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

    /// Whether anything is written at all.
    pub(crate) fn any(&self) -> bool {
        let shown = [self.value, self.category, self.series, self.percent];
        shown.contains(&Some(true)) || self.points.iter().any(|(_, text)| text.is_some())
    }
}

/// On which side of the plot something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Top,
    #[default]
    Right,
    Bottom,
}

/// The list of what the colours stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Legend {
    pub(crate) side: Side,
    /// Whether it is in the corner.
    pub(crate) in_corner: bool,
    pub(crate) overlays: bool,
    pub(crate) place: Option<Manual>,
    pub(crate) letters: Letters,
    pub(crate) shape: Shape,
    /// The entries that are left out.
    pub(crate) hidden: Vec<usize>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Axis {
    pub(crate) id: u32,
    /// The axis that it crosses.
    pub(crate) crosses: u32,
    /// Whether it has numbers. Otherwise it has categories.
    pub(crate) has_numbers: bool,
    /// Whether it is there to place things by, and not shown.
    pub(crate) hidden: bool,
    pub(crate) side: Side,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
    pub(crate) step: Option<f64>,
    pub(crate) minor_step: Option<f64>,
    pub(crate) log_base: Option<f64>,
    pub(crate) reversed: bool,
    pub(crate) gridlines: Option<Shape>,
    pub(crate) minor_gridlines: Option<Shape>,
    pub(crate) title: Option<Title>,
    /// The number format, if it is not that of the values.
    pub(crate) format: Option<Box<str>>,
    pub(crate) ticks: Ticks,
    pub(crate) minor_ticks: Ticks,
    pub(crate) label_place: LabelPlace,
    /// Only every so many categories have a label.
    pub(crate) label_skip: Option<usize>,
    pub(crate) letters: Letters,
    pub(crate) line: Option<LineStyle>,
    /// Crossing of this axis on the other one.
    pub(crate) at: Crossing,
    /// Whether the axis that crosses this one stands between its categories, not on one.
    pub(crate) crossed_between: bool,
    /// Display unit: the divisor of its numbers.
    pub(crate) unit: f64,
}

/// Place of the tick marks of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ticks {
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
pub(crate) enum Crossing {
    /// At zero, or as near to it as the other axis goes.
    #[default]
    Zero,
    Least,
    Most,
    At(f64),
}

impl Chart {
    /// All series, in the order of the plots.
    pub(crate) fn series(&self) -> impl Iterator<Item = &Series> {
        self.plots.iter().flat_map(|plot| &plot.series)
    }

    /// Curves the lines that say nothing about it, as Word does.
    pub(crate) fn curve_lines(&mut self) {
        let lines = self.plots.iter_mut().filter(|plot| plot.kind == Kind::Line);
        for series in lines.flat_map(|plot| &mut plot.series) {
            series.smooth = series.smooth.or(Some(true));
        }
    }

    /// The axis with this identifier.
    pub(crate) fn axis(&self, id: u32) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.id == id)
    }

    /// Its title in words.
    pub(crate) fn words(&self) -> Option<&str> {
        let words = self.title.as_ref().map(|title| title.words.trim());
        words.filter(|words| !words.is_empty())
    }
}
