//! Text areas and columns of pages. Does not depend on the text.

use std::rc::Rc;

/// Text areas and columns of a section's pages, in points from the upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// Width of the page.
    pub width: f32,
    /// Height of the page.
    pub height: f32,
    /// Left edge of the text.
    pub left: f32,
    /// Upper and lower edge of the text on the first page of the section.
    pub first: (f32, f32),
    /// Upper and lower edge of the text on pages with even numbers.
    pub even: (f32, f32),
    /// Upper and lower edge of the text on all other pages.
    pub other: (f32, f32),
    /// Left edge and width of each column; at least one.
    pub columns: Rc<[(f32, f32)]>,
    /// Whether a line is drawn between columns.
    pub column_line: bool,
}

impl Geometry {
    /// The number of columns.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Left edge and width of a column. An index beyond the last column stands for the last column.
    pub fn column(&self, at: usize) -> (f32, f32) {
        let last = self.columns.last().copied().unwrap_or_default();
        self.columns.get(at).copied().unwrap_or(last)
    }

    /// Width in which text is set: the width of the widest column. Lines in a narrower column are shorter by
    /// [`less`](Self::less).
    pub fn widest(&self) -> f32 {
        self.columns
            .iter()
            .fold(0.0, |widest, (_, width)| widest.max(*width))
    }

    /// Width by which a column is narrower than the widest one.
    pub fn less(&self, at: usize) -> f32 {
        self.widest() - self.column(at).1
    }

    /// Returns whether the columns differ in width.
    pub(crate) fn is_uneven(&self) -> bool {
        (0..self.count()).any(|at| self.less(at) > 0.0)
    }

    /// Width of the text area: all columns with the gaps between them.
    pub fn text(&self) -> f32 {
        let (last, width) = self.column(self.count().saturating_sub(1));
        last + width - self.left
    }
}
