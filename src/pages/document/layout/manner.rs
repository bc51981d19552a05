//! Formatting of a paragraph, by its style or by the defaults in place of one. Sets none.

use super::{item::Begins, look::Look};
use convertd_tree::{Alignment, Borders, Colour, Direction, DropCap, LineHeight};
use std::rc::Rc;

/// A paragraph's style, or what stands for it.
pub(crate) struct Manner {
    pub(crate) look: Look,
    pub(crate) alignment: Alignment,
    pub(crate) direction: Option<Direction>,
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) first_line: f32,
    pub(crate) before: f32,
    pub(crate) after: f32,
    /// Name of its style.
    pub(crate) name: Option<Rc<str>>,
    /// There is no room between it and a neighbour whose style is called the same.
    pub(crate) contextual: bool,
    /// Its lines do not follow the grid of the page.
    pub(crate) off_grid: bool,
    /// Its lines are not counted.
    pub(crate) uncounted: bool,
    pub(crate) drop_cap: Option<DropCap>,
    pub(crate) line_height: Option<LineHeight>,
    pub(crate) keep_with_next: bool,
    pub(crate) keep_together: bool,
    pub(crate) begins: Begins,
    pub(crate) background: Option<Colour>,
    pub(crate) borders: Borders,
}
