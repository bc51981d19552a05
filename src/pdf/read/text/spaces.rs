//! Finds the spaces between words. A PDF need not draw spaces; often it only advances the position, and a wide enough gap is a
//! space. Only widths and drawn spaces count, not the language.

use super::{
    letters::{Letter, Letters},
    lines::by,
};

/// The smallest gap between two words, as a share of the font size.
const WORD_GAP: f32 = 0.1;

/// The widest gap between the letters of a spaced-out word, as a share of the font size.
const SPACED_OUT: f32 = 0.45;

/// The smallest number of gaps within words that makes a line spaced out.
const FEWEST_SPACED_OUT: usize = 5;

/// For each letter: whether a space separates it from the letter to its left.
pub(super) fn before(letters: &Letters, line: &[&Letter]) -> Vec<bool> {
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
    let mut gaps: Vec<bool> = widths
        .iter()
        .zip(line)
        .map(|(width, letter)| *width > least || (letter.spaced && *width >= 0.02))
        .collect();
    if let Some(first) = gaps.first_mut() {
        *first = false;
    }
    gaps
}

/// The letter spacing of a line of several s p a c e d - o u t words, or 0 for any other line. `widths` are the gaps before
/// letters, as shares of the font size.
fn spacing(letters: &Letters, line: &[&Letter], widths: &[f32]) -> f32 {
    let is_cased = |letter: &Letter| {
        let mut chars = letters.text(letter).chars();
        chars.all(|c| c.is_uppercase() || c.is_lowercase())
    };
    let mut within: Vec<f32> = Vec::new();
    let mut has_words = false;
    for at in 1..line.len() {
        if line[at].spaced || widths[at] > SPACED_OUT {
            has_words = true;
        } else if is_cased(line[at - 1]) && is_cased(line[at]) {
            within.push(widths[at]);
        }
    }
    if !has_words || within.len() < FEWEST_SPACED_OUT {
        return 0.0;
    }
    within.sort_by(|a, b| by(*a, *b));
    if within[within.len() / 10] > WORD_GAP {
        within[within.len() / 2]
    } else {
        0.0
    }
}
