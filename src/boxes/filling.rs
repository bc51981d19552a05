//! Line breaking (CSS Text 3, 5): takes as many atoms as fit into a line. Places nothing.
//!
//! An atom is a word part, space, tab or object between break opportunities. The line is filled greedily: the last
//! opportunity is remembered, and the line ends there when an atom does not fit. Instead, a word with `word-break:
//! break-all` is split at the end of the line, and so is a word with other values that allow it if the line has no
//! opportunity before the word.

use super::{
    engine::Engine,
    runs::{Filled, Prepared, TOLERANCE, What},
    tree::{Inlines, keeps_spaces, wraps},
};
use convertd_layout::atoms::{Atom, AtomKind};
use convertd_markup::css::style::{OverflowWrap, Style, WordBreak};
use std::rc::Rc;

impl Engine<'_, '_> {
    /// Fills a line from `line.start`. Returns the index of the first atom after the line. With
    /// `narrow` (the line is shortened by floats), returns `None` if not even the first unbreakable
    /// part fits: the caller then moves the line below the floats.
    pub(crate) fn fill(
        &mut self,
        atoms: &mut Vec<Atom>,
        prepared: &Prepared,
        inlines: &Inlines,
        line: &mut Filled,
        narrow: bool,
    ) -> Option<usize> {
        // `x` is the width so far, `end` the last break opportunity, and `content` states whether visible content was
        // added.
        let room = line.width - line.indent;
        let (mut x, mut end) = (0.0_f32, None);
        let mut at = line.start;
        let mut content = false;
        while at < atoms.len() {
            let own = &inlines.spans[prepared.infos[atoms[at].run].span].style;
            match atoms[at].kind {
                // A forced break ends the line in any case.
                AtomKind::Break => return Some(at + 1),
                AtomKind::Tab => {
                    let width = next_tab(x, prepared.tab) - x;
                    atoms[at].width = width;
                    x += width;
                }
                AtomKind::Space { .. } => {
                    // Collapsible spaces at the start of a line vanish. Spaces never end a line, so those at its end
                    // hang (4.1.2).
                    if !content && !keeps_spaces(own) {
                        atoms[at].width = 0.0;
                    }
                    x += atoms[at].width;
                }
                // Floats, absolutely positioned boxes and anchors have no width in the line.
                AtomKind::Object
                    if matches!(
                        prepared.infos[atoms[at].run].what,
                        What::Float(_) | What::Absolute(_) | What::Anchor(_)
                    ) => {}
                AtomKind::Word { .. } | AtomKind::Object => {
                    let width = atoms[at].width;
                    // If the word does not fit, the line ends at the last opportunity, the word is split, the caller
                    // moves the line below floats, or the word overflows.
                    if x + width > room + TOLERANCE && width > 0.0 {
                        // With `break-all`, a word fills the line to its end. Other words move to the next line as a
                        // whole, if the line has an opportunity before them.
                        let anywhere = own.text.word_break == WordBreak::BreakAll && wraps(own);
                        if let Some(end) = end
                            && !anywhere
                        {
                            return Some(end);
                        }
                        if breaks_words(own) {
                            let split = split_word(atoms, line, at, room - x, content);
                            if split.or(end).is_some() {
                                return split.or(end);
                            }
                        }
                        if narrow {
                            return None;
                        }
                        if breaks_words(own) && content {
                            return Some(at);
                        }
                    }
                    x += width;
                    content = true;
                }
            }
            // A soft hyphen is an opportunity only if the hyphen itself fits, or if the line has no other opportunity.
            let hyphen = atoms[at].hyphen_width();
            let is_room = x + hyphen <= room + TOLERANCE || end.is_none() || hyphen == 0.0;
            if atoms[at].may_end && (content || keeps_spaces(own)) && is_room {
                end = Some(at + 1);
                if x > room + TOLERANCE && !matches!(atoms[at].kind, AtomKind::Space { .. }) {
                    // An unbreakable word wider than the line overflows; the line ends after it and
                    // its spaces.
                    let spaces = atoms[at + 1..]
                        .iter()
                        .take_while(|atom| matches!(atom.kind, AtomKind::Space { .. }));
                    return Some(at + 1 + spaces.count());
                }
            }
            at += 1;
        }
        Some(atoms.len())
    }
}

/// Returns whether a word may be split anywhere if it does not fit.
pub(super) fn breaks_words(style: &Style) -> bool {
    is_narrow(style) || wraps(style) && style.text.overflow_wrap != OverflowWrap::Normal
}

/// Returns whether words may break anywhere, so that one letter gives their min-content width. `overflow-wrap:
/// break-word` breaks words as well, but does not reduce that width (CSS Text 3, 5.5).
pub(super) fn is_narrow(style: &Style) -> bool {
    let text = &style.text;
    wraps(style)
        && (text.overflow_wrap == OverflowWrap::Anywhere
            || matches!(text.word_break, WordBreak::BreakAll | WordBreak::BreakWord))
}

/// Splits the word that is atom `at` of a line so that its head fits into `room` px. Returns the index of the first
/// atom after the line; `None` if the word cannot be split there. `others` states whether the line has other content.
/// Without other content, a head of one letter may be wider than `room`.
pub(super) fn split_word(
    atoms: &mut Vec<Atom>,
    line: &mut Filled,
    at: usize,
    room: f32,
    others: bool,
) -> Option<usize> {
    let AtomKind::Word { word, pen } = &atoms[at].kind else {
        return None;
    };
    // Fonts measure in design units; `scale` converts them to px.
    let scale = pen.size / pen.units;
    let fits = word.fitting((room / scale).max(0.0));
    if fits == 0 || fits >= word.text.len() {
        return None;
    }
    let (head, tail) = word.split(fits);
    let width = head.advance as f32 * scale;
    if head.glyphs.is_empty() || tail.glyphs.is_empty() || others && width > room + TOLERANCE {
        return None;
    }
    let pen = *pen;
    let mut head_atom = atoms[at].clone();
    head_atom.width = width;
    head_atom.kind = AtomKind::Word {
        word: Rc::new(head),
        pen,
    };
    head_atom.may_end = true;
    atoms[at].width = tail.advance as f32 * scale;
    atoms[at].kind = AtomKind::Word {
        word: Rc::new(tail),
        pen,
    };
    // Inserting the head would move all following atoms once for each line, which takes quadratic time for long words.
    // The atom before the line is not needed any more, because its line is complete. So its slot is reused by rotating
    // the atoms of this line by one.
    if line.is_first {
        atoms.insert(at, head_atom);
        return Some(at + 1);
    }
    line.start -= 1;
    atoms[line.start..at].rotate_left(1);
    atoms[at - 1] = head_atom;
    Some(at)
}

/// Removes break opportunities between letters under `word-break: keep-all` (CSS Text 3, 5.2): East
/// Asian words stay whole.
pub(super) fn keep_words<'s>(atoms: &mut [Atom], style: impl Fn(&Atom) -> &'s Rc<Style>) {
    // The opportunity between two letters is removed. Opportunities at spaces stay.
    for at in 1..atoms.len() {
        if style(&atoms[at - 1]).text.word_break != WordBreak::KeepAll {
            continue;
        }
        let [
            AtomKind::Word { word, .. },
            AtomKind::Word { word: next, .. },
        ] = [&atoms[at - 1].kind, &atoms[at].kind]
        else {
            continue;
        };
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if is_letter(word.text.chars().last()) && is_letter(next.text.chars().next()) {
            atoms[at - 1].may_end = false;
        }
    }
}

/// Position of the next tab stop after `x`, in px. `apart` is the distance between tab stops.
pub(super) fn next_tab(x: f32, apart: f32) -> f32 {
    ((x + 0.01) / apart).floor() * apart + apart
}
