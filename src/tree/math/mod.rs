//! Formulas. The document tree holds them in TeX; DOCX has OMML, and HTML, EPUB and OpenDocument have MathML.
//!
//! All three are read into the same small tree, [`Math`], and written from it, so that each language needs one reader and
//! one writer. Of TeX, only the mathematical commands that are common in Markdown are understood: no macros, no counters. A
//! formula with anything else is kept as source text, because half a formula would be wrong. Lays out nothing.

mod characters;
pub mod mathml;
pub mod omml;
mod symbols;
mod tex_read;
mod tex_write;

#[cfg(test)]
mod tests;

use crate::losses::Loss;

/// For formulas in a format without formulas, and for TeX that is not understood.
pub static AS_TEXT: Loss = Loss {
    one: "A formula was written as its TeX source.",
    many: "{} formulas were written as their TeX source.",
};

/// The limit on nesting. A deeper formula is written as text.
const MAX_DEPTH: usize = 40;

/// The limit on the length of a formula in bytes. A longer one is written as text.
const MAX_LENGTH: usize = 1 << 16;

/// A node of a formula.
#[derive(Clone, Debug, PartialEq)]
enum Math {
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
        above: Box<Math>,
        below: Box<Math>,
        /// Whether there is a fraction bar.
        line: bool,
    },
    /// A root. Without a degree, a square root.
    Root {
        content: Box<Math>,
        degree: Option<Box<Math>>,
    },
    /// A base with a subscript, a superscript, or both.
    Scripts {
        base: Box<Math>,
        below: Option<Box<Math>>,
        above: Option<Box<Math>>,
        /// Whether the scripts are set directly below and above the base, as limits.
        limits: bool,
    },
    /// A base with an accent over or under it.
    Accent {
        content: Box<Math>,
        sign: char,
        over: bool,
    },
    /// Content between stretchy delimiters. An empty string is an invisible delimiter.
    Fenced {
        open: String,
        content: Box<Math>,
        close: String,
    },
    /// A matrix, or a set of aligned equations, whose columns meet at the relations.
    Table { rows: Vec<Vec<Math>>, aligned: bool },
    /// Letters in another style.
    Styled(Style, Box<Math>),
}

/// The style of letters.
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
    /// A row of these nodes, or the only one of them.
    fn row(mut parts: Vec<Math>) -> Math {
        match parts.len() {
            1 => parts.remove(0),
            _ => Math::Row(parts),
        }
    }

    /// Returns whether it is a large operator, such as a sum, whose scripts become limits in displayed formulas.
    fn is_large_operator(&self) -> bool {
        match self {
            Math::Operator(sign) => symbols::is_large(sign),
            _ => false,
        }
    }
}

/// Parses TeX. None if it is not understood, too long, or nested too deep.
fn parse(tex: &str) -> Option<Math> {
    (tex.len() <= MAX_LENGTH).then(|| tex_read::read(tex))?
}
