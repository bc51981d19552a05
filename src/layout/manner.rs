//! Formatting of a paragraph, by its style or by the defaults in place of one. Sets none.

use super::{item::Begins, look::Look};
use convertd_tree::{Alignment, Borders, Colour, Direction, DropCap, LineHeight};
use std::rc::Rc;

/// A paragraph's style, or what stands for it.
pub struct Manner {
    pub look: Look,
    pub alignment: Alignment,
    pub direction: Option<Direction>,
    pub start: f32,
    pub end: f32,
    pub first_line: f32,
    pub before: f32,
    pub after: f32,
    /// Name of its style.
    pub name: Option<Rc<str>>,
    /// There is no room between it and a neighbour whose style is called the same.
    pub contextual: bool,
    /// Its lines do not follow the grid of the page.
    pub off_grid: bool,
    /// Its lines are not counted.
    pub uncounted: bool,
    pub drop_cap: Option<DropCap>,
    pub line_height: Option<LineHeight>,
    pub keep_with_next: bool,
    pub keep_together: bool,
    pub begins: Begins,
    pub background: Option<Colour>,
    pub borders: Borders,
}
