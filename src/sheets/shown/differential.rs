//! Differential formats (ECMA-376 part 1, 18.8.14): partial styles that a conditional format or a table style adds to
//! those of cells. Reads no file.

use super::style::{Edges, Fill, Format, Style, Underline};
use convertd_tree::Colour;
use std::rc::Rc;

/// Changed properties of a style. `None` leaves a property as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Differential {
    /// Changes of the font.
    pub(crate) font: Option<FontChange>,
    /// Fill that replaces the fill of the cell.
    pub(crate) fill: Option<Fill>,
    /// Borders, without diagonals.
    pub(crate) edges: Edges,
    /// Number format.
    pub(crate) format: Option<Rc<Format>>,
}

/// Changed properties of a font. `None` leaves a property as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct FontChange {
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) strike: Option<bool>,
    pub(crate) underline: Option<Underline>,
    pub(crate) colour: Option<Colour>,
}

impl Differential {
    /// Changes a style.
    pub(crate) fn apply(&self, style: &mut Style) {
        if let Some(change) = &self.font {
            let mut font = (*style.font).clone();
            font.bold = change.bold.unwrap_or(font.bold);
            font.italic = change.italic.unwrap_or(font.italic);
            font.strike = change.strike.unwrap_or(font.strike);
            font.underline = change.underline.unwrap_or(font.underline);
            font.colour = change.colour.or(font.colour);
            style.font = Rc::new(font);
        }
        style.fill = self.fill.or(style.fill);
        let edges = &mut style.edges;
        edges.left = self.edges.left.or(edges.left);
        edges.right = self.edges.right.or(edges.right);
        edges.top = self.edges.top.or(edges.top);
        edges.bottom = self.edges.bottom.or(edges.bottom);
        if let Some(format) = &self.format {
            style.format = format.clone();
        }
    }
}
