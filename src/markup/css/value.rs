//! Lengths and numbers: units, percentages and `calc()` (CSS Values 4). Does not depend on properties.
//!
//! A value goes through three forms: tokens, which [`Cursor`] parses; a [`Specified`] value with
//! units; and a computed [`Length`] in px and percent, whose used size needs only the base of
//! percentages. Sums and products are simplified on the way, so nearly all lengths are linear.

mod calc;
mod cursor;

use super::tokens::Token;
use calc::Calc;
pub use cursor::Cursor;
use std::rc::Rc;

/// Largest length in px. Nothing beyond this distance is visible, and the sum of two such lengths is still exact to a
/// px.
pub const MAX: f32 = 4_000_000.0;

/// Font metrics that units refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FontUnits {
    /// Line height in px.
    pub lh: f32,
    /// Advance of the digit zero, in em.
    pub ch: f32,
    /// x-height, in em.
    pub ex: f32,
}

impl FontUnits {
    /// Estimates for a font of this size in px, where nothing can be measured: half an em, as the
    /// specification says (CSS Values 4, 6.1), and the `normal` line height of common fonts.
    pub fn estimated(size: f32) -> Self {
        Self {
            lh: 1.15 * size,
            ch: 0.5,
            ex: 0.5,
        }
    }
}

/// Bases of relative lengths (CSS Values 4, 6.1), and the zoom, which scales absolute lengths.
///
/// Percentages have no base here, because it differs from property to property.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Font size of the element in px.
    pub em: f32,
    /// Font size of the root element without zoom, in px.
    pub rem: f32,
    /// Metrics of the element's font.
    pub font: FontUnits,
    /// Line height of the root element in px.
    pub rlh: f32,
    /// Width and height of the viewport or page area, in px.
    pub viewport: (f32, f32),
    /// Effective zoom factor.
    pub zoom: f32,
}

/// A unit of length (CSS Values 4, 6).
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Px,
    /// Absolute unit, as a number of px.
    Times(f32),
    Em,
    Rem,
    Ex,
    Ch,
    Lh,
    Rlh,
    Vw,
    Vh,
    Vmin,
    Vmax,
}

/// Returns whether a value has units that depend on font metrics: only then are fonts measured.
pub(super) fn asks_for_font(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(token, Token::Dimension(_, unit) if matches!(&**unit, "ex" | "ch" | "lh" | "rlh"))
    })
}

impl Unit {
    /// Unit by name in lower case.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            // An inch is 96 px (CSS Values 4, 6.2).
            "px" => Self::Px,
            "pt" => Self::Times(4.0 / 3.0),
            "pc" => Self::Times(16.0),
            "in" => Self::Times(96.0),
            "cm" => Self::Times(96.0 / 2.54),
            "mm" => Self::Times(96.0 / 25.4),
            "q" => Self::Times(96.0 / 101.6),
            "em" => Self::Em,
            "rem" => Self::Rem,
            "ex" => Self::Ex,
            "ch" => Self::Ch,
            "lh" => Self::Lh,
            "rlh" => Self::Rlh,
            // On paper the small, large and dynamic viewports are equal. `vi` and `vb` assume horizontal text.
            "vw" | "svw" | "lvw" | "dvw" | "vi" => Self::Vw,
            "vh" | "svh" | "lvh" | "dvh" | "vb" => Self::Vh,
            "vmin" => Self::Vmin,
            "vmax" => Self::Vmax,
            _ => return None,
        })
    }

    /// Converts a number of this unit to px. Zoom applies to absolute lengths and to `rem`; the bases of the other font
    /// units contain it already.
    fn px(self, number: f32, context: &Context) -> f32 {
        let (width, height) = context.viewport;
        let px = match self {
            Self::Px => number * context.zoom,
            Self::Times(times) => number * times * context.zoom,
            Self::Em => number * context.em,
            Self::Rem => number * context.rem * context.zoom,
            Self::Ex => number * context.em * context.font.ex,
            Self::Ch => number * context.em * context.font.ch,
            Self::Lh => number * context.font.lh,
            Self::Rlh => number * context.rlh,
            Self::Vw => number * width / 100.0,
            Self::Vh => number * height / 100.0,
            Self::Vmin => number * width.min(height) / 100.0,
            Self::Vmax => number * width.max(height) / 100.0,
        };
        bounded(px)
    }
}

/// Limits a length to ±[`MAX`]; NaN becomes 0.
pub fn bounded(px: f32) -> f32 {
    if px.is_nan() {
        0.0
    } else {
        px.clamp(-MAX, MAX)
    }
}

/// A specified length or percentage.
#[derive(Clone, Debug, PartialEq)]
pub struct Specified(Calc);

impl Specified {
    /// Computes the length in a context.
    pub fn computed(&self, context: &Context) -> Length {
        self.0.computed(context)
    }

    /// Returns whether the value is a single negative length or percentage. False for calculations, whose results are
    /// clamped later.
    pub fn is_negative(&self) -> bool {
        matches!(&self.0, Calc::Length(number, _) | Calc::Percent(number) if *number < 0.0)
    }

    /// Returns whether it contains a percentage.
    pub fn has_percentage(&self) -> bool {
        self.0.has_percentage()
    }

    /// The same offset from the opposite edge: 100 % minus the offset.
    pub(crate) fn counted_from_end(self) -> Self {
        let back = Calc::Scaled(-1.0, Box::new(self.0));
        Self(Calc::Sum(vec![Calc::Percent(100.0), back]))
    }

    /// A percentage.
    pub fn percent(percent: f32) -> Self {
        Self(Calc::Percent(percent))
    }

    /// A length in px.
    pub fn px(px: f32) -> Self {
        Self(Calc::Length(px, Unit::Px))
    }
}

/// A computed length: px plus percentage, or a calculation with such lengths whose result depends on the base of the
/// percentages.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    Linear { px: f32, percent: f32 },
    Scaled(f32, Rc<Length>),
    Sum(Rc<[Length]>),
    Min(Rc<[Length]>),
    Max(Rc<[Length]>),
}

impl Length {
    pub const ZERO: Self = Self::Linear {
        px: 0.0,
        percent: 0.0,
    };

    /// A length in px.
    pub fn px(px: f32) -> Self {
        Self::Linear {
            px: bounded(px),
            percent: 0.0,
        }
    }

    /// A percentage.
    pub fn percent(percent: f32) -> Self {
        Self::Linear {
            px: 0.0,
            percent: bounded(percent),
        }
    }

    /// Used length in px, if 100 % are `base` px.
    pub fn of(&self, base: f32) -> f32 {
        bounded(match self {
            Self::Linear { px, percent } => px + percent / 100.0 * base,
            Self::Scaled(factor, part) => factor * part.of(base),
            Self::Sum(parts) => parts.iter().map(|part| part.of(base)).sum(),
            Self::Min(parts) => parts
                .iter()
                .map(|part| part.of(base))
                .fold(f32::INFINITY, f32::min),
            Self::Max(parts) => parts
                .iter()
                .map(|part| part.of(base))
                .fold(f32::NEG_INFINITY, f32::max),
        })
    }

    /// Returns whether it contains a percentage.
    pub fn has_percentage(&self) -> bool {
        match self {
            Self::Linear { percent, .. } => *percent != 0.0,
            Self::Scaled(_, part) => part.has_percentage(),
            Self::Sum(parts) | Self::Min(parts) | Self::Max(parts) => {
                parts.iter().any(Self::has_percentage)
            }
        }
    }

    /// Used length in px; `None` if it has a percentage but no base.
    pub fn definite(&self, base: Option<f32>) -> Option<f32> {
        match base {
            Some(base) => Some(self.of(base)),
            None if self.has_percentage() => None,
            None => Some(self.of(0.0)),
        }
    }

    /// The percentage, if the value consists only of a percentage other than 0.
    pub fn only_percent(&self) -> Option<f32> {
        match self {
            Self::Linear { px, percent } if *px == 0.0 && *percent != 0.0 => Some(*percent),
            _ => None,
        }
    }
}
