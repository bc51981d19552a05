//! Formulas. The document tree holds them in TeX; DOCX has OMML, and HTML, EPUB and OpenDocument have MathML.
//!
//! All three are read into the same small tree, [`Math`], and written from it, so that each language needs one reader
//! and one writer. Of TeX, only the mathematical commands that are common in Markdown are understood: no macros, no
//! counters. A formula with any other command stays source text, because half a formula would be wrong. Lays out
//! nothing.

mod characters;
pub mod mathml;
pub mod omml;
mod speech;
mod symbols;
mod tex_read;
mod tex_write;

#[cfg(test)]
mod tests;

use crate::losses::Loss;
pub use speech::spoken;
pub use symbols::{FUNCTIONS, WITH_LIMITS, is_integral, is_large, spacing_accent};

/// Loss for formulas in a format without formulas, and for TeX that is not understood.
pub static FORMULAS_AS_TEX: Loss = Loss {
    one: "A formula was written as its TeX source.",
    many: "{} formulas were written as their TeX source.",
};

/// The limit on nesting. TeX that is nested deeper is not parsed, and deeper content of OMML is read as text.
const MAX_DEPTH: usize = 40;

/// The limit on the length of a formula in TeX, in bytes. A longer formula is not parsed.
const MAX_LENGTH: usize = 1 << 16;

/// A node of a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Math {
    /// Nodes side by side.
    Row(Vec<Math>),
    /// An identifier: a letter such as `x`, or a function name such as `sin`.
    Identifier(String),
    /// A number.
    Number(String),
    /// An operator, relation, delimiter or punctuation character.
    Operator(String),
    /// Text in the font of the paragraph.
    Text(String),
    /// Horizontal space, in eighteenths of an em.
    Space(i8),
    /// A fraction, or two nodes stacked without a line.
    Fraction {
        /// The numerator.
        above: Box<Math>,
        /// The denominator.
        below: Box<Math>,
        /// Whether there is a fraction bar.
        line: bool,
    },
    /// A root. Without a degree, a square root.
    Root {
        /// The radicand.
        content: Box<Math>,
        /// The degree.
        degree: Option<Box<Math>>,
    },
    /// A base with a subscript, a superscript, or both.
    Scripts {
        /// Base of the scripts.
        base: Box<Math>,
        /// The subscript.
        below: Option<Box<Math>>,
        /// The superscript.
        above: Option<Box<Math>>,
        /// Whether the scripts are set directly below and above the base, as limits.
        limits: bool,
    },
    /// A base with an accent over or under it.
    Accent {
        /// Base of the accent.
        content: Box<Math>,
        /// The accent.
        sign: char,
        /// Whether the accent is above its base. Otherwise it is below.
        over: bool,
    },
    /// Content between stretchy delimiters. An empty string is an invisible delimiter.
    Fenced {
        /// The delimiter in front.
        open: String,
        /// The node between the delimiters.
        content: Box<Math>,
        /// The delimiter after the content.
        close: String,
    },
    /// A matrix, or a set of equations that are aligned at their relations.
    Table {
        /// The cells of each row.
        rows: Vec<Vec<Math>>,
        /// Whether the table is a set of aligned equations.
        aligned: bool,
    },
    /// Letters in another style.
    Styled(Style, Box<Math>),
}

/// The style of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Upright letters.
    Upright,
    /// Bold letters.
    Bold,
    /// Italic letters.
    Italic,
    /// Letters with doubled strokes, as for sets of numbers.
    DoubleStruck,
    /// Calligraphic letters.
    Script,
    /// Gothic letters.
    Fraktur,
    /// Letters without serifs.
    SansSerif,
    /// Letters of equal width.
    Monospace,
}

impl Math {
    /// Makes a row of these nodes. A single node stays as it is.
    fn row(mut parts: Vec<Math>) -> Math {
        match parts.len() {
            1 => parts.remove(0),
            _ => Math::Row(parts),
        }
    }

    /// Returns whether the node is a large operator, such as a sum or an integral.
    pub fn is_large_operator(&self) -> bool {
        match self {
            Math::Operator(sign) => symbols::is_large(sign),
            _ => false,
        }
    }
}

/// Parses TeX. `None` if it is not understood, too long, or nested too deep.
pub fn parse(tex: &str) -> Option<Math> {
    (tex.len() <= MAX_LENGTH).then(|| tex_read::read(tex))?
}
