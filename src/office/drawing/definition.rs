//! Definitions of shapes for any size (ECMA-376 part 1, 20.1.9), as data. Draws nothing.

/// Definition of a shape, independent of its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    /// Adjustable values with their names and defaults.
    pub(super) adjusts: Vec<(Box<str>, f64)>,
    /// Formulas, in the order in which they are computed.
    pub(super) guides: Vec<Guide>,
    /// Left, top, right and bottom of the text: names of guides, or numbers. `None` if the text fills the rectangle of
    /// the shape.
    pub(super) text: Option<[Box<str>; 4]>,
    /// Paths, from back to front.
    pub(super) paths: Vec<PathDefinition>,
}

/// Guide: its name, an operator, and up to three operands.
pub(super) type Guide = (Box<str>, Box<str>, [Box<str>; 3]);

/// Definition of a path. Coordinates are names of guides, or numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PathDefinition {
    /// Width of the path's coordinate system. If it is missing or not positive, x coordinates are those of the shape.
    pub(super) width: Option<f64>,
    /// Height of the path's coordinate system. If it is missing or not positive, y coordinates are those of the shape.
    pub(super) height: Option<f64>,
    /// Shading of the fill. `None` if the path is not filled.
    pub(super) shade: Option<Shade>,
    /// Whether the line of the shape is drawn along the path.
    pub(super) stroked: bool,
    /// Commands with their operands: `m` moves, `l` draws a line, `a` an arc, `q` a quadratic and `c` a cubic curve.
    /// Any other letter closes the path.
    pub(super) commands: Vec<(char, Vec<Box<str>>)>,
}

/// Shading of a path's fill relative to the fill of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shade {
    /// The fill of the shape without change.
    #[default]
    Plain,
    /// Mixed with white; the value is the share of white, from 0 to 1.
    Lighter(f64),
    /// Mixed with black; the value is the share of black, from 0 to 1.
    Darker(f64),
}

impl Shade {
    /// Parses the `fill` of a path. `None` if the path is not filled. Unknown values count as `norm`. The standard does
    /// not define the shares of white and black (20.1.10.37).
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "none" => None,
            "lighten" => Some(Self::Lighter(0.4)),
            "lightenLess" => Some(Self::Lighter(0.2)),
            "darken" => Some(Self::Darker(0.4)),
            "darkenLess" => Some(Self::Darker(0.2)),
            _ => Some(Self::Plain),
        }
    }
}
