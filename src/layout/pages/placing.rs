//! Places slices in the current column, in chains that must stay together, and breaks rows over pages.

use super::{
    super::{
        item::{Slice, height},
        rows::{TOLERANCE, notes_of, parted, row_items, split},
    },
    Pages,
};
use crate::error::Result;

/// Limit on the empty lines that are held back at the end of a page.
const MAX_HELD: usize = 50;

impl Pages<'_, '_> {
    /// Space above a slice at the current position: omitted or reduced at the top of a column.
    fn before(&self, slice: &Slice) -> f32 {
        match self.less_above {
            _ if !self.fresh => slice.before,
            Some(less) => (slice.before - less).max(0.0),
            None => 0.0,
        }
    }

    /// Places the chain of slices that must stay together.
    ///
    /// If the whole chain fits into this column, it is placed here. If it does not fit, but ends in a row that can be
    /// broken, the chain is placed as far as it fits. Otherwise, the whole chain is placed in the next column, or each
    /// of its slices where it fits. A chain of empty lines does not open a page, but waits for the content that follows
    /// it.
    pub(super) fn flush(&mut self) -> Result<()> {
        if self.chain.is_empty() {
            return Ok(());
        }
        self.chain_height = 0.0;
        let mut chain = std::mem::take(&mut self.chain);
        if self.closed {
            self.open_page()?;
        }
        let is_blank = chain.iter().all(Slice::is_blank);
        if !self.held.is_empty() {
            self.held.append(&mut chain);
            chain = std::mem::take(&mut self.held);
        }
        if self.place_together(&chain)? {
            return Ok(());
        }
        // The row at the end of the chain may be broken if a part of it fits here.
        if let [.., last] = chain.as_slice()
            && last.row.is_some()
            && self.breaks_within(&chain)
        {
            return self.place_each(chain);
        }
        if is_blank && !self.fresh && chain.len() <= MAX_HELD {
            self.held = chain;
            return Ok(());
        }
        if !self.fresh {
            self.next_column()?;
            if self.place_together(&chain)? {
                return Ok(());
            }
        }
        self.place_each(chain)
    }

    /// Places slices if all of them fit into this column, with their footnotes and repeated header rows. Returns
    /// whether all of them fit.
    fn place_together(&mut self, chain: &[Slice]) -> Result<bool> {
        let mut need = -chain
            .first()
            .map_or(0.0, |slice| slice.before - self.before(slice));
        for slice in chain {
            need += slice.before + slice.height + self.notes_need(slice);
        }
        if self.fresh {
            need += chain.first().map_or(0.0, |slice| self.head_height(slice));
        }
        // The space that a multiple line spacing adds below the last line may overflow the column.
        let spare = chain.last().map_or(0.0, |slice| slice.spare);
        if need > self.room() + spare + TOLERANCE {
            return Ok(false);
        }
        for slice in chain {
            self.place(slice);
        }
        Ok(true)
    }

    /// Returns whether the last slice of a chain is a row of which a part fits here, after all other slices of the
    /// chain.
    fn breaks_within(&self, chain: &[Slice]) -> bool {
        let (Some(last), others) = (chain.last(), &chain[..chain.len() - 1]) else {
            return false;
        };
        let mut need = 0.0;
        for (at, slice) in others.iter().enumerate() {
            let before = if at == 0 {
                self.before(slice)
            } else {
                slice.before
            };
            need += before + slice.height + self.notes_need(slice);
        }
        let before = if others.is_empty() {
            self.before(last)
        } else {
            last.before
        };
        // Height that remains for the row after all slices that must stay with it.
        let room = self.room() - need - before;
        last.row
            .as_ref()
            .is_some_and(|row| parted(row, room).is_some())
    }

    /// Places slices one by one. If a table row does not fit, it is broken. If any other slice does not fit, it is
    /// placed in the next column.
    fn place_each(&mut self, chain: Vec<Slice>) -> Result<()> {
        for mut slice in chain {
            loop {
                // At the top of a column, the header rows of the table are repeated.
                let head = if self.fresh {
                    self.head_height(&slice)
                } else {
                    0.0
                };
                let need = self.before(&slice) + slice.height + self.notes_need(&slice) + head;
                if need <= self.room() + slice.spare + TOLERANCE {
                    self.place(&slice);
                    break;
                }
                let room = self.room() - self.before(&slice) - head;
                let counts = slice.row.as_ref().and_then(|row| parted(row, room));
                if let Some(counts) = counts
                    && let Some(row) = slice.row.take()
                {
                    let (here, there) = split(*row, &counts);
                    let (first, rest) = slice.cut(here, there);
                    self.place(&first);
                    slice = rest;
                    self.next_column()?;
                } else if self.fresh {
                    // A slice that is higher than a column overflows it.
                    self.place(&slice);
                    break;
                } else {
                    self.next_column()?;
                }
            }
        }
        Ok(())
    }

    /// Height of the header rows that would be repeated above a slice.
    fn head_height(&self, slice: &Slice) -> f32 {
        let room = self.bottom - self.column_top;
        let heights = slice.head.as_ref().map_or(0.0, |head| height(head));
        // A header higher than half the column is not repeated.
        if heights > 0.5 * room { 0.0 } else { heights }
    }

    /// Places a slice at the current position: repeated header rows, the slice, its line number,
    /// its floats and its footnotes.
    fn place(&mut self, slice: &Slice) {
        if self.fresh
            && self.head_height(slice) > 0.0
            && let Some(head) = slice.head.clone()
        {
            for row in head.iter() {
                self.y += self.before(row);
                self.paint(row, self.y, row.height, 0.0);
                self.y += row.height;
                self.fresh = false;
            }
        }
        let before = self.before(slice);
        self.y += before;
        if let Some(page) = self.pages.last_mut() {
            page.running.extend(slice.running.clone());
        }
        self.paint(slice, self.y, slice.height, before);
        // Line numbers count lines when they are placed, in the order of the pages.
        let number = match (&mut self.counting, slice.line) {
            (Some(counting), Some(baseline)) => counting.count(baseline),
            _ => None,
        };
        if let Some(number) = number {
            self.medium.draw(&number, self.x(), self.y);
        }
        self.put_floats(slice);
        self.y += slice.height;
        self.fresh = false;
        let notes: Vec<Vec<Slice>> = notes_of(slice).map(<[Slice]>::to_vec).collect();
        for note in notes {
            let page = self.pages.len().saturating_sub(1);
            let id = note.first().and_then(|slice| slice.note);
            self.note_pages.extend(id.map(|id| (id, page)));
            // Footnotes get the height that remains below the text so far. Their further lines go to the next column.
            let room = self.bottom - self.y;
            self.add_notes(note, room);
        }
    }

    /// Places the floats that are anchored in a slice at the current position.
    fn put_floats(&mut self, slice: &Slice) {
        if slice.floats.is_empty() {
            return;
        }
        let page = self.pages.len().saturating_sub(1);
        let number = self.next_number.saturating_sub(1);
        let areas = self.areas(number, (self.top, self.bottom), self.column, self.y);
        for float in &slice.floats {
            let corner = float.corner(&areas);
            self.layers.put(float.clone(), page, corner);
        }
    }

    /// Paints a slice with its upper edge at `y`, and the space `before` above it.
    pub(super) fn paint(&mut self, slice: &Slice, y: f32, height: f32, before: f32) {
        let x = self.x();
        for frame in &slice.frames {
            self.medium.draw(&frame.draw(0.0, height, before), x, y);
        }
        for draw in &slice.items {
            self.medium.draw(draw, x, y);
        }
        if let Some(row) = &slice.row {
            let items = row_items(row, height);
            for draw in &items {
                self.medium.draw(draw, x, y);
            }
        }
    }
}
