//! The numbers beside lines (ECMA-376 part 1, 17.6.8). Sets none but them.

use super::{
    context::Layout,
    item::{Belongs, Item, Pen},
    units::points,
    word::Word,
};
use convertd_tree::{LineCount, LineNumbers};
use std::rc::Rc;

/// The space between numbers and text by default, beside one column and beside several, in points (Word's).
const DISTANCE: f32 = 18.0;
const AMONG_COLUMNS: f32 = 9.35;

/// The numbers of the lines of a section.
pub struct Counting {
    settings: LineNumbers,
    distance: f32,
    pen: Pen,
    /// The numerals, and how wide each is.
    digits: Vec<(Rc<Word>, f32)>,
    /// The number of the next line.
    next: u32,
}

impl Counting {
    /// Begins to count where a section begins. `before` is what the section before it counted.
    pub fn new(
        layout: &mut Layout<'_>,
        settings: LineNumbers,
        columns: usize,
        before: Option<&Self>,
    ) -> Option<Self> {
        let look = layout.base();
        let chosen = layout.faces.choose(look.family, false, false)?;
        let pen = Pen::new(chosen, &look, &layout.faces);
        let digits = ('0'..='9').map(|digit| {
            let text = digit.to_string();
            let word = layout
                .faces
                .word(chosen, &text, false, look.joining(), None);
            let width = pen.width(&word);
            (word, width)
        });
        let goes_on = before.filter(|_| settings.restart == LineCount::Document);
        let usual = if columns > 1 { AMONG_COLUMNS } else { DISTANCE };
        Some(Self {
            settings,
            distance: settings.distance.map_or(usual, points).clamp(0.0, 500.0),
            pen,
            digits: digits.collect(),
            next: goes_on.map_or(settings.first, |before| before.next),
        })
    }

    /// A page begins.
    pub fn begin_page(&mut self) {
        if self.settings.restart == LineCount::Page {
            self.next = self.settings.first;
        }
    }

    /// Counts a line with this base line, and returns its number, which ends to the left of the column, if it is shown.
    pub fn count(&mut self, baseline: f32) -> Option<Item> {
        let number = self.next;
        self.next = number.saturating_add(1);
        if !number.is_multiple_of(self.settings.every.max(1)) {
            return None;
        }
        let numerals: Vec<usize> = number
            .to_string()
            .bytes()
            .map(|digit| usize::from(digit - b'0'))
            .collect();
        let width: f32 = numerals.iter().map(|digit| self.digits[*digit].1).sum();
        let mut x = -self.distance - width;
        let words = numerals.iter().map(|digit| {
            let (word, width) = &self.digits[*digit];
            let place = (x, word.clone());
            x += width;
            place
        });
        Some(Item::Text {
            pen: self.pen,
            y: baseline,
            words: words.collect(),
            // They are no part of what is read aloud.
            belongs: Belongs::Layout,
        })
    }
}
