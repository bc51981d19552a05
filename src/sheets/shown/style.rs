//! Cell formats: fonts, fills, borders, alignment, number formats. Independent of file formats; theme and indexed
//! colours are already resolved.

use convertd_office::number_format::{self, NumberFormat};
use convertd_tree::Colour;
use std::rc::Rc;

/// Format of a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Style {
    /// Font of the text.
    pub(crate) font: Rc<Font>,
    /// Fill of the cell. `None` for cells without fill.
    pub(crate) fill: Option<Fill>,
    /// Borders on all sides, and diagonals.
    pub(crate) edges: Edges,
    /// Alignment of the text.
    pub(crate) align: Align,
    /// Number format.
    pub(crate) format: Rc<Format>,
}

impl Style {
    /// Returns whether an empty cell with this style differs from an empty page.
    pub(crate) fn is_visible(&self) -> bool {
        self.fill.is_some() || self.edges.any()
    }
}

/// A number format.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    /// Code of the format, such as `#,##0.00`.
    pub(crate) code: Box<str>,
    /// The parsed code.
    pub(crate) number: NumberFormat,
    /// Index of a built-in format; `None` for General and for formats that the file defines. Programs show built-in
    /// formats in the notation of their locale (ECMA-376 part 1, 18.8.30).
    pub(crate) built_in: Option<u32>,
}

impl Format {
    /// Parses a format code.
    pub(crate) fn new(code: &str) -> Self {
        Self {
            code: code.into(),
            number: NumberFormat::parse(code),
            built_in: None,
        }
    }

    /// Built-in format with this index.
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

/// Font of a cell or of a part of its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Font {
    /// Name of the font family.
    pub(crate) name: Box<str>,
    /// Font size in points.
    pub(crate) size: f32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: Underline,
    pub(crate) strike: bool,
    /// Colour, or `None` for the default colour, black.
    pub(crate) colour: Option<Colour>,
    /// Superscript or subscript.
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

/// Kind of underline. Accounting underlines count as normal underlines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Underline {
    #[default]
    None,
    Single,
    Double,
}

/// Vertical position of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Position {
    #[default]
    Baseline,
    Superscript,
    Subscript,
}

/// Background of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fill {
    /// Single colour that stands for the fill. Two-coloured patterns are mixed.
    pub(crate) colour: Colour,
}

impl Fill {
    /// Creates the fill of a pattern by its name in SpreadsheetML. `None` for the pattern `none`, and for a solid
    /// pattern without colours. In other patterns, black is the default foreground, and white the default background.
    ///
    /// A solid fill of a cell has its colour in the foreground. In a differential format (`changes`), programs write
    /// it into the background instead.
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

/// Share of the foreground colour in a pattern (ECMA-376 part 1, 18.18.55). `None` for the pattern `none`. Unknown
/// patterns count as solid.
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

/// Mixes two colours. `density` is the share of `fore`, from 0 to 1.
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

/// Line style of a border (18.18.3), from the weakest to the strongest: where two cells share an edge, the stronger
/// border wins.
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

/// Names of line styles in SpreadsheetML.
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
    /// Returns the line style with this name in SpreadsheetML.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = STROKES.iter().find(|(known, _)| *known == name);
        found.map(|(_, stroke)| *stroke)
    }

    /// Line width in points. For a double line this is the width of each of its lines.
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

/// A border on one edge of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) stroke: Stroke,
    pub(crate) colour: Colour,
}

/// Borders of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Edges {
    pub(crate) left: Option<Edge>,
    pub(crate) right: Option<Edge>,
    pub(crate) top: Option<Edge>,
    pub(crate) bottom: Option<Edge>,
    /// Diagonal from the lower left corner to the upper right one.
    pub(crate) up: Option<Edge>,
    /// Diagonal from the upper left corner to the lower right one.
    pub(crate) down: Option<Edge>,
}

impl Edges {
    /// Returns whether any border is set.
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

/// Alignment of a text in its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Align {
    /// Horizontal alignment.
    pub(crate) across: HorizontalAlignment,
    /// Vertical alignment.
    pub(crate) down: Down,
    /// Whether the text is wrapped at the width of the cell.
    pub(crate) wrap: bool,
    /// Whether the font shrinks until the text fits.
    pub(crate) shrink: bool,
    /// Indentation in steps of about three spaces.
    pub(crate) indent: u8,
    /// Rotation of the text.
    pub(crate) turn: Turn,
    /// Whether the text runs from right to left.
    pub(crate) backwards: bool,
}

/// Horizontal alignment (18.18.40).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HorizontalAlignment {
    /// Depends on the value: text on the left, numbers on the right, truth values and errors in the centre.
    #[default]
    General,
    Left,
    Centre,
    Right,
    /// The text is repeated over the width of the cell.
    Fill,
    /// Lines are stretched to the width of the cell, except for the last one.
    Justify,
    /// Centred across the cell and the empty cells on its right with the same alignment.
    CentreContinuous,
    /// All lines are stretched to the width of the cell.
    Distributed,
}

/// Vertical alignment (18.18.88).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Down {
    Top,
    Centre,
    #[default]
    Bottom,
    /// Lines are spread over the height of the cell.
    Justify,
    /// Variant of `Justify` with its own name in the file formats.
    Distributed,
}

/// Rotation of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    #[default]
    None,
    /// Rotated by degrees from -90 to 90, counter-clockwise.
    By(i16),
    /// Upright letters below one another.
    Stacked,
}

impl Turn {
    /// Converts the number in a workbook (18.8.1): 1 to 90 are degrees upwards, 91 to 180 are 1 to 90 degrees
    /// downwards, 255 is stacked.
    pub(crate) fn of(number: i64) -> Self {
        match number {
            1..=90 => Self::By(number as i16),
            91..=180 => Self::By(90 - number as i16),
            255 => Self::Stacked,
            _ => Self::None,
        }
    }
}
