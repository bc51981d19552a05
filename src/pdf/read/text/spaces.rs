//! Detection of spaces between words. A PDF need not draw spaces: often it only advances the
//! position, and a sufficient gap is a space. Uses widths and drawn spaces only, no language.

use super::{
    compare::by,
    page_text::{Letter, Letters},
};
use crate::fonts::scripts::is_unspaced;

/// Smallest gap between words, in multiples of the font size.
const WORD_GAP: f32 = 0.1;

/// Minimum gap between Chinese or Japanese characters that counts as a space, in multiples of the font size. These
/// languages have no spaces between words, but justified text has small gaps between its characters.
const SIGN_GAP: f32 = 0.5;

/// Largest gap between letters of a word with letter spacing, in multiples of the font size.
const SPACED_OUT: f32 = 0.45;

/// Minimum number of gaps inside words that establishes letter spacing.
const FEWEST_SPACED_OUT: usize = 5;

/// Returns for each letter of a line whether a space precedes it.
pub(super) fn before(letters: &Letters, line: &[&Letter]) -> Vec<bool> {
    // Gaps are measured from the furthest end so far, because kerned letters may overlap.
    let mut end = f32::MIN;
    let widths: Vec<f32> = line
        .iter()
        .map(|letter| {
            let gap = letter.x.0 - end;
            end = end.max(letter.x.1);
            gap / letter.size
        })
        .collect();
    let least = WORD_GAP + spacing(letters, line, &widths);
    let is_sign = |at: usize| letters.text(line[at]).chars().all(is_unspaced);
    let is_space = |at: usize| {
        let (width, is_drawn) = (widths[at], line[at].spaced);
        let is_wide =
            width > least && (width > SIGN_GAP || at == 0 || !is_sign(at - 1) || !is_sign(at));
        // A drawn space counts only if it leaves a gap.
        is_wide || (is_drawn && width >= 0.02)
    };
    let mut gaps: Vec<bool> = (0..line.len()).map(is_space).collect();
    if let Some(first) = gaps.first_mut() {
        *first = false;
    }
    gaps
}

/// Letter spacing of a line with several s p a c e d words, in multiples of the font size; 0 for
/// other lines. `widths` are the gaps before letters.
fn spacing(letters: &Letters, line: &[&Letter], widths: &[f32]) -> f32 {
    let is_within = |at: usize| !line[at].spaced && widths[at] <= SPACED_OUT;
    let is_loose = |at: &usize| is_within(*at) && widths[*at] > WORD_GAP;
    if (1..line.len()).filter(is_loose).count() < FEWEST_SPACED_OUT {
        return 0.0;
    }
    // Only gaps between cased letters count, because digits in a table may be far apart.
    let is_cased = |letter: &Letter| {
        let mut chars = letters.text(letter).chars();
        chars.all(|c| c.is_uppercase() || c.is_lowercase())
    };
    let mut within: Vec<f32> = Vec::new();
    let mut has_words = false;
    let mut was_cased = line.first().is_some_and(|letter| is_cased(letter));
    for at in 1..line.len() {
        let is_cased = is_cased(line[at]);
        if !is_within(at) {
            has_words = true;
        } else if was_cased && is_cased {
            within.push(widths[at]);
        }
        was_cased = is_cased;
    }
    if !has_words || within.len() < FEWEST_SPACED_OUT {
        return 0.0;
    }
    // If nine tenths of the gaps are wider than in usual text, their median is the letter spacing.
    within.sort_by(|a, b| by(*a, *b));
    if within[within.len() / 10] > WORD_GAP {
        within[within.len() / 2]
    } else {
        0.0
    }
}
