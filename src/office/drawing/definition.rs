//! Definitions of shapes for any size (ECMA-376 part 1, 20.1.9), as data. Draws none.

/// Definition of a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    pub(super) adjusts: Vec<(Box<str>, f64)>,
    pub(super) guides: Vec<Guide>,
    /// Rectangle of the text, as guides for left, top, right and bottom.
    pub(super) text: Option<[Box<str>; 4]>,
    pub(super) paths: Vec<PathDefinition>,
}

/// A name, an operator, and up to three operands.
pub(super) type Guide = (Box<str>, Box<str>, [Box<str>; 3]);

/// Definition of a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PathDefinition {
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
    pub(super) shade: Option<Shade>,
    pub(super) stroked: bool,
    /// The letter of a command, and its operands.
    pub(super) commands: Vec<(char, Vec<Box<str>>)>,
}

/// Shading of a path's fill relative to that of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shade {
    #[default]
    Plain,
    /// Mixed with this much white.
    Lighter(f64),
    /// Mixed with this much black.
    Darker(f64),
}

impl Shade {
    /// `None` for a path that is not filled. The standard does not define the amount (20.1.10.37).
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
