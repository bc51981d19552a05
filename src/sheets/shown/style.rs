//! The look of cells: fonts, fills, borders, alignment, number formats. Knows no file format; colours are resolved already.

use convertd_office::number_format::{self, NumberFormat};
use convertd_tree::Colour;
use std::rc::Rc;

/// Everything that a cell's style says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Style {
    pub(crate) font: Rc<Font>,
    pub(crate) fill: Option<Fill>,
    pub(crate) edges: Edges,
    pub(crate) align: Align,
    pub(crate) format: Rc<Format>,
}

impl Style {
    /// Returns whether an empty cell with it looks different from an empty page.
    pub(crate) fn is_visible(&self) -> bool {
        self.fill.is_some() || self.edges.any()
    }
}

/// A number format with its code.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    pub(crate) code: Box<str>,
    pub(crate) number: NumberFormat,
    /// The number of one that is built in, which programs show as their language has it (ECMA-376 part 1, 18.8.30).
    pub(crate) built_in: Option<u32>,
}

impl Format {
    pub(crate) fn new(code: &str) -> Self {
        Self {
            code: code.into(),
            number: NumberFormat::parse(code),
            built_in: None,
        }
    }

    /// The one that is built in with this number.
    pub(crate) fn built_in(id: u32) -> Self {
        let format = Self::new(number_format::built_in(id));
        Self {
            built_in: (!format.number.is_general()).then_some(id),
            ..format
        }
    }
}

impl Default for Format {
    fn default() -> Self {
        Self::new("General")
    }
}

/// The look of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Font {
    pub(crate) name: Box<str>,
    /// In points.
    pub(crate) size: f32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: Underline,
    pub(crate) strike: bool,
    /// `None` for the colour of text in windows, black.
    pub(crate) colour: Option<Colour>,
    pub(crate) position: Position,
}

impl Default for Font {
    fn default() -> Self {
        Self {
            name: "Calibri".into(),
            size: 11.0,
            bold: false,
            italic: false,
            underline: Underline::None,
            strike: false,
            colour: None,
            position: Position::Baseline,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Underline {
    #[default]
    None,
    Single,
    Double,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Position {
    #[default]
    Baseline,
    Superscript,
    Subscript,
}

/// The background of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fill {
    /// Colour as seen from afar: patterns are mixed from their two colours.
    pub(crate) colour: Colour,
}

impl Fill {
    /// A pattern of two colours, by its name. A solid one has the colour in front in a cell, and in what changes a look the one behind,
    /// as programs write it there. `None` for no pattern, or if nothing says its colour.
    pub(crate) fn of_pattern(
        name: &str,
        fore: Option<Colour>,
        back: Option<Colour>,
        changes: bool,
    ) -> Option<Self> {
        let density = density(name)?;
        let colour = match (density >= 1.0, changes) {
            (true, true) => back.or(fore)?,
            (true, false) => fore.or(back)?,
            (false, _) => mixed(
                fore.unwrap_or(Colour(0, 0, 0)),
                back.unwrap_or(Colour(255, 255, 255)),
                density,
            ),
        };
        Some(Self { colour })
    }
}

/// Share of the foreground in a pattern (ECMA-376 part 1, 18.18.55). `None` without a pattern.
fn density(pattern: &str) -> Option<f32> {
    Some(match pattern {
        "none" => return None,
        "gray0625" => 0.0625,
        "gray125" => 0.125,
        "lightGray" | "lightHorizontal" | "lightVertical" | "lightDown" | "lightUp"
        | "lightGrid" | "lightTrellis" => 0.25,
        "mediumGray" | "darkHorizontal" | "darkVertical" | "darkDown" | "darkUp" | "darkGrid" => {
            0.5
        }
        "darkGray" | "darkTrellis" => 0.75,
        _ => 1.0,
    })
}

/// A pattern of two colours.
pub(crate) fn mixed(fore: Colour, back: Colour, density: f32) -> Colour {
    let part = |fore: u8, back: u8| {
        (f32::from(fore) * density + f32::from(back) * (1.0 - density)).round() as u8
    };
    Colour(
        part(fore.0, back.0),
        part(fore.1, back.1),
        part(fore.2, back.2),
    )
}

/// A kind of border (18.18.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stroke {
    Hair,
    Dotted,
    DashDotDot,
    DashDot,
    Dashed,
    Thin,
    MediumDashDotDot,
    SlantDashDot,
    MediumDashDot,
    MediumDashed,
    Medium,
    Thick,
    Double,
}

/// Their names in SpreadsheetML.
pub(crate) const STROKES: [(&str, Stroke); 13] = [
    ("hair", Stroke::Hair),
    ("dotted", Stroke::Dotted),
    ("dashDotDot", Stroke::DashDotDot),
    ("dashDot", Stroke::DashDot),
    ("dashed", Stroke::Dashed),
    ("thin", Stroke::Thin),
    ("mediumDashDotDot", Stroke::MediumDashDotDot),
    ("slantDashDot", Stroke::SlantDashDot),
    ("mediumDashDot", Stroke::MediumDashDot),
    ("mediumDashed", Stroke::MediumDashed),
    ("medium", Stroke::Medium),
    ("thick", Stroke::Thick),
    ("double", Stroke::Double),
];

impl Stroke {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = STROKES.iter().find(|(known, _)| *known == name);
        found.map(|(_, stroke)| *stroke)
    }

    /// Its width in points.
    pub(crate) fn width(self) -> f32 {
        match self {
            Self::Hair => 0.35,
            Self::Dotted | Self::DashDotDot | Self::DashDot | Self::Dashed | Self::Thin => 0.75,
            Self::Double => 0.6,
            Self::Thick => 2.25,
            Self::MediumDashDotDot
            | Self::SlantDashDot
            | Self::MediumDashDot
            | Self::MediumDashed
            | Self::Medium => 1.5,
        }
    }
}

/// A border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) stroke: Stroke,
    pub(crate) colour: Colour,
}

/// The borders of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Edges {
    pub(crate) left: Option<Edge>,
    pub(crate) right: Option<Edge>,
    pub(crate) top: Option<Edge>,
    pub(crate) bottom: Option<Edge>,
    /// From the lower left corner upwards, and from the upper left one downwards.
    pub(crate) up: Option<Edge>,
    pub(crate) down: Option<Edge>,
}

impl Edges {
    pub(crate) fn any(&self) -> bool {
        let all = [
            self.left,
            self.right,
            self.top,
            self.bottom,
            self.up,
            self.down,
        ];
        all.iter().any(Option::is_some)
    }
}

/// Alignment of text in its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Align {
    pub(crate) across: Across,
    pub(crate) down: Down,
    pub(crate) wrap: bool,
    pub(crate) shrink: bool,
    /// In steps of three spaces.
    pub(crate) indent: u8,
    pub(crate) turn: Turn,
    pub(crate) backwards: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Across {
    /// The value decides: text to the left, numbers to the right, other values in the middle.
    #[default]
    General,
    Left,
    Centre,
    Right,
    Fill,
    Justify,
    /// In the middle of the cell and the empty ones to its right that want the same.
    CentreContinuous,
    Distributed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Down {
    Top,
    Centre,
    #[default]
    Bottom,
    Justify,
    Distributed,
}

/// Rotation of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    #[default]
    None,
    /// Rotation in degrees, from -90 to 90, counter-clockwise.
    By(i16),
    /// Upright letters below one another.
    Stacked,
}

impl Turn {
    /// From the number that workbooks hold (18.8.1): to 90 upwards, to 180 downwards, 255 stacked.
    pub(crate) fn of(number: i64) -> Self {
        match number {
            1..=90 => Self::By(number as i16),
            91..=180 => Self::By(90 - number as i16),
            255 => Self::Stacked,
            _ => Self::None,
        }
    }
}
