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
    // Indents: at the side where lines begin, at the other side, and further for the first line.
    pub start: f32,
    pub end: f32,
    pub first_line: f32,
    // Space above and below.
    pub before: f32,
    pub after: f32,
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
    pub keep_with_next: bool,
    pub keep_together: bool,
    pub begins: BreakBefore,
    pub background: Option<Colour>,
    pub borders: Borders,
}
