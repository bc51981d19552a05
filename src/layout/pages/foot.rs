//! Footnotes at the foot of a column. Lines that do not fit continue in the next column.

use super::{
    super::{
        item::{Area, Item, Slice},
        rows::{TOLERANCE, notes_of},
        text_format::HAIR,
    },
    Pages,
};

/// Space between the text and the rule above the footnotes, in points.
const NOTES_GAP: f32 = 8.0;
/// Space between the rule and the first footnote, in points.
const NOTES_RULE: f32 = 5.0;

impl Pages<'_, '_> {
    /// Ends a column: draws its footnotes below a rule.
    pub(super) fn close_column(&mut self) {
        self.deepest = self.deepest.max(self.y);
        if self.notes.is_empty() {
            return;
        }
        let x = self.x();
        let foot = self.real_bottom.unwrap_or(self.bottom);
        let lowest = foot - self.notes_height;
        let top = NOTES_GAP
            + match self.notes_below_text {
                true => self.y.min(lowest),
                false => lowest,
            };
        // The rule takes a third of the column, but at most two inches as in Word.
        let width = (self.geometry.column(self.column).1 * 0.33).min(144.0);
        let rule = Item::Fill {
            area: Area {
                x: 0.0,
                y: 0.0,
                width,
                height: 0.5,
            },
            colour: HAIR,
        };
        self.medium.draw(&rule, x, top);
        let mut y = top + NOTES_RULE;
        let notes = std::mem::take(&mut self.notes);
        for (at, slice) in notes.iter().enumerate() {
            y += if at == 0 { 0.0 } else { slice.before };
            self.paint(slice, y, slice.height, 0.0);
            y += slice.height;
        }
        if self.real_bottom.is_some() {
            // The next balanced column has no footnotes yet, so its lower edge does not include their height.
            self.bottom -= self.notes_height;
        }
        self.notes_height = 0.0;
    }

    /// Smallest height that the footnotes of a slice need on the slice's page: the height of the first two lines of
    /// each footnote, and of the rule with its gaps if the column has no footnotes yet.
    pub(super) fn notes_need(&self, slice: &Slice) -> f32 {
        let mut need = 0.0;
        for note in notes_of(slice) {
            need += note
                .iter()
                .take(2)
                .map(|line| line.before + line.height)
                .sum::<f32>();
        }
        if need > 0.0 && self.notes.is_empty() {
            need += NOTES_GAP + NOTES_RULE;
        }
        need
    }

    /// Adds the lines of footnotes to the column, as many as fit into `room` points. The other lines go to the next
    /// column.
    pub(super) fn add_notes(&mut self, slices: Vec<Slice>, room: f32) {
        for slice in slices {
            let gap = if self.notes.is_empty() {
                NOTES_GAP + NOTES_RULE
            } else {
                slice.before
            };
            let higher = self.notes_height + gap + slice.height;
            // In an empty column, the first line of the footnotes is placed even if it does not fit. Otherwise, every
            // column would move it to the next one.
            let goes = self.carried.is_empty()
                && (higher <= room + TOLERANCE || self.fresh && self.notes.is_empty());
            if goes {
                self.notes_height = higher;
                self.notes.push(slice);
            } else {
                self.carried.push(slice);
            }
        }
    }
}
