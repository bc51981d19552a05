//! Places strips in the current column, in chains that must stay together, and breaks rows over pages.

use super::{
    super::{
        item::{Strip, height},
        rows::{TOLERANCE, notes_of, parted, row_items, split},
    },
    Pages,
};
use crate::error::Result;

/// Limit on the empty lines that are held back at the end of a page.
const MAX_HELD: usize = 50;

impl Pages<'_, '_> {
    /// Space above a strip at the current position: omitted or reduced at the top of a column.
    fn before(&self, strip: &Strip) -> f32 {
        match self.less_above {
            _ if !self.fresh => strip.before,
            Some(less) => (strip.before - less).max(0.0),
            None => 0.0,
        }
    }

    /// Places the chain of strips that must stay together.
    ///
    /// If the whole chain fits into this column, it is placed here. If it does not fit, but ends in a row that can be
    /// broken, the chain is placed as far as it fits. Otherwise, the whole chain is placed in the next column, or each
    /// of its strips where it fits. A chain of empty lines does not open a page, but waits for the content that follows
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
        let is_blank = chain.iter().all(Strip::is_blank);
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

    /// Places strips if all of them fit into this column, with their footnotes and repeated header rows. Returns
    /// whether all of them fit.
    fn place_together(&mut self, chain: &[Strip]) -> Result<bool> {
        let mut need = -chain
            .first()
            .map_or(0.0, |strip| strip.before - self.before(strip));
        for strip in chain {
            need += strip.before + strip.height + self.notes_need(strip);
        }
        if self.fresh {
            need += chain.first().map_or(0.0, |strip| self.head_height(strip));
        }
        // The space that a multiple line spacing adds below the last line may overflow the column.
        let spare = chain.last().map_or(0.0, |strip| strip.spare);
        if need > self.room() + spare + TOLERANCE {
            return Ok(false);
        }
        for strip in chain {
            self.place(strip);
        }
        Ok(true)
    }

    /// Returns whether the last strip of a chain is a row of which a part fits here, after all other strips of the
    /// chain.
    fn breaks_within(&self, chain: &[Strip]) -> bool {
        let (Some(last), others) = (chain.last(), &chain[..chain.len() - 1]) else {
            return false;
        };
        let mut need = 0.0;
        for (at, strip) in others.iter().enumerate() {
            let before = if at == 0 {
                self.before(strip)
            } else {
                strip.before
            };
            need += before + strip.height + self.notes_need(strip);
        }
        let before = if others.is_empty() {
            self.before(last)
        } else {
            last.before
        };
        // Height that remains for the row after all strips that must stay with it.
        let room = self.room() - need - before;
        last.row
            .as_ref()
            .is_some_and(|row| parted(row, room).is_some())
    }

    /// Places strips one by one. If a table row does not fit, it is broken. If any other strip does not fit, it is
    /// placed in the next column.
    fn place_each(&mut self, chain: Vec<Strip>) -> Result<()> {
        for mut strip in chain {
            loop {
                // At the top of a column, the header rows of the table are repeated.
                let head = if self.fresh {
                    self.head_height(&strip)
                } else {
                    0.0
                };
                let need = self.before(&strip) + strip.height + self.notes_need(&strip) + head;
                if need <= self.room() + strip.spare + TOLERANCE {
                    self.place(&strip);
                    break;
                }
                let room = self.room() - self.before(&strip) - head;
                let counts = strip.row.as_ref().and_then(|row| parted(row, room));
                if let Some(counts) = counts
                    && let Some(row) = strip.row.take()
                {
                    let (here, there) = split(*row, &counts);
                    let (first, rest) = strip.cut(here, there);
                    self.place(&first);
                    strip = rest;
                    self.next_column()?;
                } else if self.fresh {
                    // A strip that is higher than a column overflows it.
                    self.place(&strip);
                    break;
                } else {
                    self.next_column()?;
                }
            }
        }
        Ok(())
    }

    /// Height of the header rows that would be repeated above a strip.
    fn head_height(&self, strip: &Strip) -> f32 {
        let room = self.bottom - self.column_top;
        let heights = strip.head.as_ref().map_or(0.0, |head| height(head));
        // A header higher than half the column is not repeated.
        if heights > 0.5 * room { 0.0 } else { heights }
    }

    /// Places a strip at the current position: repeated header rows, the strip, its line number,
    /// its floats and its footnotes.
    fn place(&mut self, strip: &Strip) {
        if self.fresh
            && self.head_height(strip) > 0.0
            && let Some(head) = strip.head.clone()
        {
            for row in head.iter() {
                self.y += self.before(row);
                self.paint(row, self.y, row.height, 0.0);
                self.y += row.height;
                self.fresh = false;
            }
        }
        let before = self.before(strip);
        self.y += before;
        if let Some(page) = self.pages.last_mut() {
            page.running.extend(strip.running.clone());
        }
        self.paint(strip, self.y, strip.height, before);
        // Line numbers count lines when they are placed, in the order of the pages.
        let number = match (&mut self.counting, strip.line) {
            (Some(counting), Some(baseline)) => counting.count(baseline),
            _ => None,
        };
        if let Some(number) = number {
            self.medium.draw(&number, self.x(), self.y);
        }
        self.put_floats(strip);
        self.y += strip.height;
        self.fresh = false;
        let notes: Vec<Vec<Strip>> = notes_of(strip).map(<[Strip]>::to_vec).collect();
        for note in notes {
            let page = self.pages.len().saturating_sub(1);
            let id = note.first().and_then(|strip| strip.note);
            self.note_pages.extend(id.map(|id| (id, page)));
            // Footnotes get the height that remains below the text so far. Their further lines go to the next column.
            let room = self.bottom - self.y;
            self.add_notes(note, room);
        }
    }

    /// Places the floats that are anchored in a strip at the current position.
    fn put_floats(&mut self, strip: &Strip) {
        if strip.floats.is_empty() {
            return;
        }
        let page = self.pages.len().saturating_sub(1);
        let number = self.next_number.saturating_sub(1);
        let ground = self.ground(number, (self.top, self.bottom), self.column, self.y);
        for float in &strip.floats {
            let corner = float.corner(&ground);
            self.layers.put(float.clone(), page, corner);
        }
    }

    /// Paints a strip with its upper edge at `y`, and the space `before` above it.
    pub(super) fn paint(&mut self, strip: &Strip, y: f32, height: f32, before: f32) {
        let x = self.x();
        for frame in &strip.frames {
            self.medium.draw(&frame.draw(0.0, height, before), x, y);
        }
        for draw in &strip.items {
            self.medium.draw(draw, x, y);
        }
        if let Some(row) = &strip.row {
            let items = row_items(row, height);
            for draw in &items {
                self.medium.draw(draw, x, y);
            }
        }
    }
}
