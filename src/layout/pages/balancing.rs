//! Balanced columns above a section that begins on the same page (ECMA-376 part 1, 17.6.22).

use super::{super::balance, Pages};
use crate::error::Result;

impl Pages<'_, '_> {
    /// Begins to hold back slices for balanced columns. [`balance`](Self::balance) places them.
    pub(crate) fn hold_back(&mut self) {
        self.balanced = Some(Vec::new());
    }

    /// Places the slices that were held back, in columns of about equal height.
    ///
    /// The slices first fill whole pages. The columns of the last page are balanced: they get the smallest height at
    /// which the remaining slices fit.
    pub fn balance(&mut self) -> Result<()> {
        let mut slices = self.balanced.take().unwrap_or_default();
        if slices.is_empty() {
            return Ok(());
        }
        if self.closed {
            self.open_page()?;
        }
        let columns = self.geometry.count();
        // Number of slices on full pages, whose columns need no balancing.
        let (mut full, mut pages, mut fresh) = (0, self.pages.len(), self.fresh);
        let mut room = self.room();
        loop {
            let taken = balance::taken(&slices[full..], columns, room, fresh);
            if taken == 0 || full + taken == slices.len() {
                break;
            }
            (full, pages, fresh) = (full + taken, pages + 1, true);
            room = self.geometry.other.1 - self.geometry.other.0;
        }
        let rest = slices.split_off(full);
        for slice in slices {
            self.add(slice)?;
        }
        self.flush()?;
        if full > 0 {
            self.next_page_of_columns()?;
        }
        let is_as_expected = self.pages.len() == pages && self.column == 0;
        let height = balance::height(&rest, columns, self.room(), self.fresh);
        if let Some(height) = height.filter(|_| is_as_expected) {
            self.real_bottom = Some(self.bottom);
            // Footnotes are drawn at the real lower edge of the column, but their height counts in the column, so it is
            // added.
            self.bottom = self.y + height + self.notes_height;
        }
        for slice in rest {
            self.add(slice)?;
        }
        self.flush()?;
        self.bottom = self.real_bottom.take().unwrap_or(self.bottom);
        Ok(())
    }

    /// Begins another page, unless an empty page is open.
    pub(super) fn next_page_of_columns(&mut self) -> Result<()> {
        if !self.fresh || self.column > 0 {
            self.close_page();
        }
        if self.closed {
            self.open_page()?;
        }
        Ok(())
    }
}
