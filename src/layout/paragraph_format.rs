//! Formatting of a paragraph, from its style or from defaults. Sets no paragraph.

use super::{item::BreakBefore, text_format::TextFormat};
use convertd_tree::{Alignment, Borders, Colour, Direction, DropCap, LineHeight};
use std::rc::Rc;

/// Formatting of a paragraph: its text, its indents and its spaces. Lengths are in points.
pub struct ParagraphFormat {
    /// Formatting of the paragraph's text.
    pub text: TextFormat,
    pub alignment: Alignment,
    pub direction: Option<Direction>,
    pub indents: Indents,
    pub spaces: Spaces,
    /// Name of the paragraph's style, which contextual spacing compares.
    pub name: Option<Rc<str>>,
    /// Whether the space to neighbours of the same style is dropped (contextual spacing).
    pub contextual: bool,
    /// Whether lines ignore the document grid.
    pub off_grid: bool,
    /// Whether lines get no line numbers.
    pub uncounted: bool,
    /// Whether words are hyphenated.
    pub hyphenated: bool,
    pub drop_cap: Option<DropCap>,
    pub line_height: Option<LineHeight>,
    pub keeps: Keeps,
    pub begins: BreakBefore,
    pub background: Option<Colour>,
    pub borders: Borders,
}

/// Indents of a paragraph, in points.
#[derive(Default)]
pub struct Indents {
    /// Indent at the side where lines begin.
    pub start: f32,
    /// Indent at the other side.
    pub end: f32,
    /// Further indent of the first line.
    pub first_line: f32,
}

/// Spaces above and below a paragraph, in points.
pub struct Spaces {
    pub before: f32,
    pub after: f32,
}

/// Breaks that a paragraph forbids.
#[derive(Default)]
pub struct Keeps {
    /// Whether the next paragraph must begin on the page where this one ends.
    pub with_next: bool,
    /// Whether all lines must be on one page.
    pub together: bool,
}
