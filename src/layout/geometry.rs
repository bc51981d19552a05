//! Text areas and columns on the pages of a section. Knows nothing of the text.

use std::rc::Rc;

/// The positions on the pages of a section, in points from the upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    pub width: f32,
    pub height: f32,
    pub left: f32,
    /// Upper and lower edge of the text, on the first page, pages with even numbers, and all others.
    pub first: (f32, f32),
    pub even: (f32, f32),
    pub other: (f32, f32),
    /// The left edge and the width of each column, of which there is one at least.
    pub columns: Rc<[(f32, f32)]>,
    pub column_line: bool,
}

impl Geometry {
    /// The number of columns.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// The left edge and the width of a column.
    pub fn column(&self, at: usize) -> (f32, f32) {
        let last = self.columns.last().copied().unwrap_or_default();
        self.columns.get(at).copied().unwrap_or(last)
    }

    /// The width that text is set in: that of the widest column. Lines in others are told how much less they have.
    pub fn widest(&self) -> f32 {
        self.columns
            .iter()
            .fold(0.0, |widest, (_, width)| widest.max(*width))
    }

    /// Width by which a column is narrower than the widest one.
    pub fn less(&self, at: usize) -> f32 {
        self.widest() - self.column(at).1
    }

    /// Whether not all columns have the same width.
    pub(crate) fn is_uneven(&self) -> bool {
        (0..self.count()).any(|at| self.less(at) > 0.0)
    }

    /// The width of the text: all columns with the gaps between them.
    pub fn text(&self) -> f32 {
        let (last, width) = self.column(self.count().saturating_sub(1));
        last + width - self.left
    }
}
