//! Series of a chart: points, markers and labels. Draws nothing.

use super::{Letters, Shape};

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
