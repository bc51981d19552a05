//! Line numbers (ECMA-376 part 1, 17.6.8), set beside the lines of text. Sets nothing else.

use super::{
    context::Layout,
    item::{Item, Owner, Pen},
    units::points,
    word::Word,
};
use convertd_tree::{LineCount, LineNumbers};
use std::rc::Rc;

/// Default distance between line numbers and the text of a single column, in points, as in Word.
const DISTANCE: f32 = 18.0;

/// Default distance between line numbers and the text of a page with several columns, in points, as in Word.
const AMONG_COLUMNS: f32 = 9.35;

/// State of the line numbers of a section.
pub struct Counting {
    /// Settings of the section: first number, step, restart.
    settings: LineNumbers,
    /// Distance of the numbers from the text, in points.
    distance: f32,
    pen: Pen,
    /// The ten digits, each with its width in points.
    digits: Vec<(Rc<Word>, f32)>,
    /// The number of the next line.
    next: u32,
}

impl Counting {
    /// The line numbers of a section. `before` is the state of the previous section, whose numbers may continue here.
    /// `None` if no font was found.
    pub fn new(
        layout: &mut Layout<'_>,
        settings: LineNumbers,
        columns: usize,
        before: Option<&Self>,
    ) -> Option<Self> {
        let text_format = layout.base();
        let chosen = layout.faces.choose(text_format.family, false, false)?;
        let pen = Pen::new(chosen, &text_format, &layout.faces);
        let digits = ('0'..='9').map(|digit| {
            let text = digit.to_string();
            let word = layout
                .faces
                .word(chosen, &text, false, text_format.joining(), None);
            let width = pen.width(&word);
            (word, width)
        });
        // Only numbers that count through the whole document continue in the next section.
        let goes_on = before.filter(|_| settings.restart == LineCount::Document);
        let default = if columns > 1 { AMONG_COLUMNS } else { DISTANCE };
        Some(Self {
            settings,
            distance: settings.distance.map_or(default, points).clamp(0.0, 500.0),
            pen,
            digits: digits.collect(),
            next: goes_on.map_or(settings.first, |before| before.next),
        })
    }

    /// Begins a page, where the numbers may start again.
    pub fn begin_page(&mut self) {
        if self.settings.restart == LineCount::Page {
            self.next = self.settings.first;
        }
    }

    /// Counts a line. If its number is shown, returns the number as an item, right-aligned on the left of the column.
    pub fn count(&mut self, baseline: f32) -> Option<Item> {
        let number = self.next;
        self.next = number.saturating_add(1);
        if !number.is_multiple_of(self.settings.every.max(1)) {
            return None;
        }
        // The digits are laid out from left to right, so that the last one ends at the stated distance from the text.
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
            // Line numbers are artifacts.
            belongs: Owner::Layout,
        })
    }
}
