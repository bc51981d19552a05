//! Kerning between spaces and letters, such as the space before `A`. Browsers shape a whole run of
//! text including its spaces; here each word is shaped alone, so that words can be cached, and the
//! spaces are adjusted afterwards. Shapes no word.

use super::engine::{Engine, Side};
use convertd_layout::{
    atoms::{Atom, AtomKind},
    face::Joining,
    faces::Chosen,
    item::Pen,
};

impl Engine<'_, '_> {
    /// Adjusts the widths of spaces by their kerning with adjacent letters. Right-to-left text is not changed.
    pub(super) fn kern_spaces(&mut self, atoms: &mut [Atom]) {
        for at in 0..atoms.len() {
            let AtomKind::Space { pen, .. } = &atoms[at].kind else {
                continue;
            };
            let pen = *pen;
            if atoms[at].level % 2 == 1 {
                continue;
            }
            // Kerning applies only between a space and a letter of the same run, in the same font.
            let beside = |other: Option<usize>, side: Side| {
                letter(atoms.get(other?)?, &atoms[at], &pen, side).map(|letter| (letter, side))
            };
            // A space may have a letter on either side.
            let letters = [
                beside(at.checked_sub(1), Side::Behind),
                beside(Some(at + 1), Side::Before),
            ];
            let more: i32 = letters
                .into_iter()
                .flatten()
                .map(|(letter, side)| self.kern(pen.chosen, letter, side))
                .sum();
            atoms[at].width += more as f32 * pen.size / pen.units;
        }
    }

    /// Kerning between a space and a letter, in font units: the advance of both together minus their separate advances.
    fn kern(&mut self, chosen: Chosen, letter: char, side: Side) -> i32 {
        let key = (chosen.face.0, chosen.measures, letter, side);
        if let Some(known) = self.kerns.get(&key) {
            return *known;
        }
        // Shaping both together shows by how much their advance shrinks.
        let together = match side {
            Side::Before => format!(" {letter}"),
            Side::Behind => format!("{letter} "),
        };
        let mut advance = |text: &str| {
            let faces = &mut self.layout.faces;
            let word = faces.word(chosen, text, false, Joining::FINE, None);
            word.advance
        };
        let more = advance(&together) - advance(" ") - advance(letter.encode_utf8(&mut [0; 4]));
        self.kerns.insert(key, more);
        more
    }
}

/// Letter next to a space, if both belong to one run in one font.
fn letter(other: &Atom, space: &Atom, pen: &Pen, side: Side) -> Option<char> {
    let AtomKind::Word { word, pen: own } = &other.kind else {
        return None;
    };
    if other.run != space.run || own != pen {
        return None;
    }
    match side {
        Side::Before => word.text.chars().next(),
        Side::Behind => word.text.chars().next_back(),
    }
}
