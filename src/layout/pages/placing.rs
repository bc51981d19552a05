//! Places strips in the column that is being filled: those that are kept together, and rows that go on on the next page.

use super::{
    super::{
        item::{Strip, height},
        rows::{TOLERANCE, notes_of, parted, row_items, split},
    },
    Pages,
};
use crate::error::Result;

/// The most empty lines that are held back at the end of a page.
const MAX_HELD: usize = 50;

impl Pages<'_, '_> {
    /// The room above a strip where it would stand now.
    fn before(&self, strip: &Strip) -> f32 {
        match self.less_above {
            _ if !self.fresh => strip.before,
            Some(less) => (strip.before - less).max(0.0),
            None => 0.0,
        }
    }

    /// Places the strips that are kept together.
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
        // A row at the end may go on on the next page, if something of it stands here.
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

    /// Places strips if all of them have room.
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
        let spare = chain.last().map_or(0.0, |strip| strip.spare);
        if need > self.room() + spare + TOLERANCE {
            return Ok(false);
        }
        for strip in chain {
            self.place(strip);
        }
        Ok(true)
    }

    /// Whether the last strip of a chain, a row, can be broken so that all others and a part of it stand here.
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
        let room = self.room() - need - before;
        last.row
            .as_ref()
            .is_some_and(|row| parted(row, room).is_some())
    }

    /// Places strips one by one, each where it has room.
    fn place_each(&mut self, chain: Vec<Strip>) -> Result<()> {
        for mut strip in chain {
            loop {
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
                    // Higher than a page.
                    self.place(&strip);
                    break;
                } else {
                    self.next_column()?;
                }
            }
        }
        Ok(())
    }

    /// The height of the rows that are repeated above a strip.
    fn head_height(&self, strip: &Strip) -> f32 {
        let room = self.bottom - self.column_top;
        let heights = strip.head.as_ref().map_or(0.0, |head| height(head));
        // A head that takes half the page would leave little for what it is about.
        if heights > 0.5 * room { 0.0 } else { heights }
    }

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
        self.paint(strip, self.y, strip.height, before);
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
            let room = self.bottom - self.y;
            self.add_notes(note, room);
        }
    }

    /// Puts the frames that are anchored in a strip on the page, at whose place it stands.
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

    /// Paints a strip whose upper edge is at `y`, with this much room above.
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
