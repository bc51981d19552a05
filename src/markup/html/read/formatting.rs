//! The list of active formatting elements (HTML, 13.2.4.3), which preserves formatting where tags are nested
//! incorrectly. Decides nothing about block elements.

use super::state::{Active, Open, Reader};
use crate::{error::Result, syntax::tag::Tag};

/// The limit on active formatting elements.
const MAX_FORMATTING: usize = 64;

impl Reader<'_, '_, '_> {
    /// The "Noah's Ark clause" of the standard: of more than three identical elements, the earliest is removed. The
    /// earliest of all elements is also removed if the list exceeds its limit.
    pub(super) fn shorten_active(&mut self) {
        let after = self.active.iter().rposition(|active| active.tag.is_none());
        let after = after.map_or(0, |marker| marker + 1);
        let Some((last, others)) = self.active[after..].split_last() else {
            return;
        };
        let same = |active: &Active| active.tag == last.tag && active.wraps == last.wraps;
        let goes = if others.iter().filter(|active| same(active)).count() >= 3 {
            others.iter().position(same)
        } else {
            (others.len() >= MAX_FORMATTING).then_some(0)
        };
        if let Some(goes) = goes {
            self.active.remove(after + goes);
        }
    }

    /// Reopens the formatting elements that were closed only because an enclosing element was closed ("reconstruct the
    /// active formatting elements").
    pub(super) fn reconstruct(&mut self) -> Result<()> {
        let closed = self
            .active
            .iter()
            .rev()
            .take_while(|active| active.tag.is_some() && !active.open)
            .count();
        for at in self.active.len() - closed..self.active.len() {
            let Some(tag) = self.active[at].tag else {
                continue;
            };
            self.active[at].open = true;
            let open = Open {
                wraps: self.active[at].wraps.clone(),
                formatting: self.active[at].number,
                ..Open::new(tag)
            };
            self.push(open)?;
        }
        Ok(())
    }

    /// A simplified "adoption agency algorithm": ends a formatting element, even if block elements began inside it and
    /// are still open.
    pub(super) fn end_formatting(&mut self, tag: Tag) -> Result<()> {
        let after = self.active.iter().rposition(|active| active.tag.is_none());
        let after = after.map_or(0, |marker| marker + 1);
        let found = self.active[after..]
            .iter()
            .rposition(|active| active.tag == Some(tag));
        let Some(found) = found else {
            return Ok(());
        };
        let active = self.active.remove(after + found);
        let place = self
            .stack
            .iter()
            .rposition(|open| open.formatting == active.number);
        let Some(place) = place else {
            return Ok(());
        };
        if self.stack[place + 1..]
            .iter()
            .any(|open| open.tag.is_special())
        {
            // The block elements stay open, and the text that follows in them loses the formatting.
            let open = self.stack.remove(place);
            self.hidden -= usize::from(open.hidden);
            self.line.stale = true;
            return Ok(());
        }
        self.pop_to(place)
    }

    /// Removes the formatting elements of the cell that has ended, up to the marker.
    pub(super) fn clear_active(&mut self) {
        while let Some(active) = self.active.pop() {
            if active.tag.is_none() {
                break;
            }
        }
    }
}
