//! Glyphs with unknown characters. Such a glyph becomes a bullet if it is at the start of a line and a gap follows it.
//! All other such glyphs are dropped.

use super::page_text::{Letter, Letters};

/// Placeholder for an unknown glyph until its neighbours are known: the first private-use
/// character.
pub(super) const UNKNOWN: char = '\u{e000}';

/// Smallest gap after a bullet, in multiples of the font size.
const GAP: f32 = 0.15;
/// Largest gap inside a line, in multiples of the font size.
const WIDEST: f32 = 5.0;

/// Replaces or drops all unknown glyphs of a page.
pub(super) fn settle(letters: &mut Letters) {
    if letters.unknown == 0 {
        return;
    }
    // Unknown glyphs are compared with their neighbours in drawing order.
    let is_unknown = |letter: &Letter| letters.text(letter).chars().eq([UNKNOWN]);
    let unknown: Vec<bool> = letters.all.iter().map(is_unknown).collect();
    let are_beside = |at: usize, other: usize| {
        let (a, b) = (&letters.all[at], &letters.all[other]);
        let gap = b.x.0 - a.x.1;
        a.angle == b.angle
            && (a.y - b.y).abs() < 0.5 * a.size.max(b.size)
            && gap < WIDEST * b.size
            && gap > -b.size
    };
    // A bullet begins its line, and a gap separates it from the text.
    let is_bullet = |at: usize| {
        let begins = at == 0 || !are_beside(at - 1, at);
        let next = at + 1;
        let is_followed = next < unknown.len()
            && !unknown[next]
            && are_beside(at, next)
            && letters.all[next].x.0 - letters.all[at].x.1 > GAP * letters.all[next].size;
        begins && is_followed
    };
    let kept: Vec<bool> = (0..unknown.len())
        .map(|at| !unknown[at] || is_bullet(at))
        .collect();
    // All bullets refer to the same character of the text.
    let start = letters.text.len() as u32;
    letters.text.push('•');
    let end = letters.text.len() as u32;
    let mut at = 0;
    letters.all.retain_mut(|letter| {
        let index = at;
        at += 1;
        if kept[index] && unknown[index] {
            letter.text = start..end;
        }
        kept[index]
    });
}
