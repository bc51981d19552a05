//! Footnotes at the foot of a column. Those without room stand on the next page.

use super::{
    super::{
        item::{Area, Item, Strip},
        look::HAIR,
        rows::{TOLERANCE, notes_of},
    },
    Pages,
};

/// The space above the rule between text and footnotes, in points.
const NOTES_GAP: f32 = 8.0;
/// The space between the rule and the first footnote.
const NOTES_RULE: f32 = 5.0;

impl Pages<'_, '_> {
    /// Draws the notes of the column.
    pub(super) fn close_column(&mut self) {
        self.deepest = self.deepest.max(self.y);
        if self.notes.is_empty() {
            return;
        }
        let x = self.x();
        let foot = self.real_bottom.unwrap_or(self.bottom);
        let top = foot - self.notes_height + NOTES_GAP;
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
        for (at, strip) in notes.iter().enumerate() {
            y += if at == 0 { 0.0 } else { strip.before };
            self.paint(strip, y, strip.height, 0.0);
            y += strip.height;
        }
        if self.real_bottom.is_some() {
            // What is next to a column of equal height has no notes below it.
            self.bottom -= self.notes_height;
        }
        self.notes_height = 0.0;
    }

    /// Least room for the notes of a strip, so that the strip may stand here.
    pub(super) fn notes_need(&self, strip: &Strip) -> f32 {
        let mut need = 0.0;
        for note in notes_of(strip) {
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

    /// Adds notes at the foot, as many lines as there is room for; the others go to the next page.
    pub(super) fn add_notes(&mut self, strips: Vec<Strip>, room: f32) {
        for strip in strips {
            let gap = if self.notes.is_empty() {
                NOTES_GAP + NOTES_RULE
            } else {
                strip.before
            };
            let higher = self.notes_height + gap + strip.height;
            let goes = self.carried.is_empty()
                && (higher <= room + TOLERANCE || self.fresh && self.notes.is_empty());
            if goes {
                self.notes_height = higher;
                self.notes.push(strip);
            } else {
                self.carried.push(strip);
            }
        }
    }
}
