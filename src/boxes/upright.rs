//! Upright letters in vertical text (CSS Writing Modes 4, 5; UAX 50): East Asian letters, or all letters with
//! `text-orientation: upright`. Vertical alternates of glyphs are not used.

use super::paint::Painter;
use convertd_layout::{
    atoms::{Atom, AtomKind},
    item::{Item, Owner, Pen},
    word::{Glyph, Word},
};
use convertd_markup::css::{
    rgba::Rgba,
    style::{Style, TextOrientation, Writing},
};
use std::rc::Rc;

/// Distance from the baseline up to the middle of East Asian letters, in em. Their ideographic box
/// reaches from 0.12em below the baseline to 0.88em above.
const MIDDLE: f32 = 0.38;
/// Offset that moves full stops and commas to the upper right corner of their square, in em: fonts
/// draw them in the lower left corner.
const CORNER: f32 = 0.6;

/// Returns whether a style has a vertical writing mode.
fn is_vertical(style: &Style) -> bool {
    matches!(
        style.text.writing,
        Writing::VerticalRl | Writing::VerticalLr
    )
}

/// Returns whether text may contain upright letters.
pub(super) fn stands_upright(style: &Style) -> bool {
    is_vertical(style) && style.text.orientation != TextOrientation::Sideways
}

/// Returns whether all letters of a text are upright.
pub(crate) fn is_stacked(style: &Style) -> bool {
    is_vertical(style) && style.text.orientation == TextOrientation::Upright
}

/// Gives each letter an advance of 1em, for upright text. Combining marks keep an advance of 0.
pub(crate) fn stack(atom: &mut Atom) {
    let AtomKind::Word { word, pen } = &mut atom.kind else {
        return;
    };
    // Advances are in units of the font; an em has `units` of them.
    let high = pen.units as i32;
    let higher = |glyph: &Glyph| Glyph {
        advance: if glyph.advance > 0 { high } else { 0 },
        ..*glyph
    };
    let glyphs: Box<[Glyph]> = word.glyphs.iter().map(higher).collect();
    let advance = glyphs.iter().map(|glyph| glyph.advance).sum();
    *word = Rc::new(Word {
        glyphs,
        text: word.text.clone(),
        advance,
        opaque: word.opaque,
    });
    atom.width = pen.width(word);
}

/// Returns whether a character is upright in mixed orientation. East Asian characters and pictographs are upright,
/// except for brackets, dashes and similar signs.
fn is_upright(c: char) -> bool {
    match c {
        // Brackets, dashes and the mark for long vowels in Japanese.
        '\u{3008}'..='\u{3011}'
        | '\u{3014}'..='\u{301f}'
        | '\u{3030}'
        | '\u{30a0}'
        | '\u{30fc}' => false,
        // Full-width forms: brackets, hyphen, colon, comparison signs, low line, tilde and overline.
        '\u{ff08}'
        | '\u{ff09}'
        | '\u{ff0d}'
        | '\u{ff1a}'..='\u{ff1e}'
        | '\u{ff3b}'
        | '\u{ff3d}' => false,
        '\u{ff3f}' | '\u{ff5b}'..='\u{ff60}' | '\u{ffe3}' => false,
        // Scripts of China, Japan and Korea.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' => true,
        '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' => true,
        // All other full-width forms. Half-width forms are rotated.
        '\u{ff01}'..='\u{ffe6}' => !('\u{ff61}'..='\u{ffdf}').contains(&c),
        // Pictographs, and rare Chinese characters.
        '\u{1f000}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}' => true,
        _ => false,
    }
}

impl Painter<'_> {
    /// Items for a text with upright letters, whose baseline begins at this point in px.
    pub(crate) fn upright(
        &self,
        pen: Pen,
        colour: Rgba,
        (x, y): (f32, f32),
        words: &[(f32, Rc<Word>)],
        belongs: Owner,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for (at, word) in words {
            // Words of `text-orientation: upright` are recognised by advances of 1em where the font has another
            // advance.
            let has_some = word.text.chars().any(is_upright);
            let stacked = word.glyphs.iter().any(|glyph| {
                glyph.advance == pen.units as i32 && i32::from(glyph.own) != glyph.advance
            });
            if !has_some && !stacked {
                items.push(self.lettering(pen, colour, (x, y), &[(*at, word.clone())], belongs));
                continue;
            }
            // Upright letters are rotated back one by one. All other letters stay rotated.
            let mut left = x + at;
            for letter in word.clusters() {
                let letter = Rc::new(letter);
                let width = pen.width(&letter);
                let c = letter.text.chars().next().unwrap_or(' ');
                let is_standing = stacked || is_upright(c);
                let item = match is_standing {
                    true => self.standing(pen, colour, (left, y), (letter, width), belongs),
                    false => self.lettering(pen, colour, (left, y), &[(0.0, letter)], belongs),
                };
                items.push(item);
                left += width;
            }
        }
        items
    }

    /// Item for an upright letter: rotated back by 90° around its middle.
    fn standing(
        &self,
        pen: Pen,
        colour: Rgba,
        (x, y): (f32, f32),
        (letter, width): (Rc<Word>, f32),
        belongs: Owner,
    ) -> Item {
        // The letter is centred in its advance, and turned around its middle.
        let own: f32 = letter.glyphs.iter().map(|glyph| f32::from(glyph.own)).sum();
        let mut at = (x + (width - own * pen.unit()) / 2.0, y);
        if letter
            .text
            .starts_with(['\u{3001}', '\u{3002}', '\u{ff0c}', '\u{ff0e}'])
        {
            at = (at.0 + CORNER * pen.size, at.1 - CORNER * pen.size);
        }
        let text = self.lettering(pen, colour, at, &[(0.0, letter)], belongs);
        let (x, y) = self.point(x + width / 2.0, y - MIDDLE * pen.size);
        Item::Moved {
            matrix: [0.0, -1.0, 1.0, 0.0, x - y, x + y],
            items: vec![text],
        }
    }
}
