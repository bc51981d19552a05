//! Formulas: the language of TeX that the tree holds, and what XML formats have instead. All of them are read into the same small
//! tree and written from it. Lays out nothing, and knows of TeX what Markdown is written with: no macros, no counters.

mod characters;
pub(crate) mod mathml;
pub(crate) mod omml;
mod symbols;
mod tex_read;
mod tex_write;

#[cfg(test)]
mod tests;

use crate::document::Loss;

/// A formula that the target has no place for, or whose marks are not understood.
pub(crate) static AS_TEXT: Loss = Loss {
    one: "A formula was written as text, in the language of TeX.",
    many: "{} formulas were written as text, in the language of TeX.",
};

/// Deepest formula that is looked at. Deeper ones are written as text.
const MAX_DEPTH: usize = 40;

/// Longest formula that is looked at, in bytes. Longer ones are written as text.
const MAX_LENGTH: usize = 1 << 16;

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
enum Math {
    /// Parts side by side.
    Row(Vec<Math>),
    /// The name of something: `x`, or `sin`, which is set upright.
    Identifier(String),
    /// Digits.
    Number(String),
    /// A sign between parts, or in front of them.
    Operator(String),
    /// Words.
    Text(String),
    /// Room, in eighteenths of the font's size.
    Space(i8),
    /// One part above another.
    Fraction {
        above: Box<Math>,
        below: Box<Math>,
        /// There is a line between them.
        line: bool,
    },
    /// A root.
    Root {
        content: Box<Math>,
        degree: Option<Box<Math>>,
    },
    /// Small parts at a larger one.
    Scripts {
        base: Box<Math>,
        below: Option<Box<Math>>,
        above: Option<Box<Math>>,
        /// They stand below and above, and not behind.
        limits: bool,
    },
    /// A sign over or under a part.
    Accent {
        content: Box<Math>,
        sign: char,
        over: bool,
    },
    /// A part between signs that grow with it. Empty for a side without one.
    Fenced {
        open: String,
        content: Box<Math>,
        close: String,
    },
    /// Rows of cells. An alignment has equations, whose columns meet at their relations.
    Table { rows: Vec<Vec<Math>>, aligned: bool },
    /// Letters of another kind.
    Styled(Style, Box<Math>),
}

/// Kinds of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Upright,
    Bold,
    Italic,
    DoubleStruck,
    Script,
    Fraktur,
    SansSerif,
    Monospace,
}

impl Math {
    /// Several parts as one.
    fn row(mut parts: Vec<Math>) -> Math {
        match parts.len() {
            1 => parts.remove(0),
            _ => Math::Row(parts),
        }
    }

    /// Whether scripts at it stand below and above where there is room.
    fn is_large_operator(&self) -> bool {
        match self {
            Math::Operator(sign) => symbols::is_large(sign),
            _ => false,
        }
    }
}

/// The formula of some TeX. None for what is not understood, too long or too deep.
fn parse(tex: &str) -> Option<Math> {
    (tex.len() <= MAX_LENGTH).then(|| tex_read::read(tex))?
}
