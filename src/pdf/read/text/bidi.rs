//! Lines in right-to-left scripts. Letters arrive in visual order, left to right on the page, and
//! are put into logical order, in which they are read.

use super::page_text::{Letter, Letters};

/// Returns whether a character belongs to a right-to-left script such as Hebrew or Arabic.
pub(super) fn runs_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Logical order of a line with right-to-left letters, which may contain left-to-right runs: the index of each letter,
/// and whether a space precedes it. `gaps` tells whether a gap is to the left of each letter. Inverts the Unicode
/// bidirectional algorithm (UAX #9) for two levels.
///
/// Letters are classified, and neutral characters take the class of their neighbours. Then runs of one direction are
/// found, and the runs against the base direction are reversed.
pub(super) fn logical(letters: &Letters, line: &[&Letter], gaps: &[bool]) -> Vec<(usize, bool)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Class {
        /// A letter that is read from right to left.
        Left,
        /// A letter that is read from left to right.
        Right,
        Number,
        Neutral,
    }
    let class = |letter: &&Letter| {
        let mut classes = letters.text(letter).chars().map(|c| match c {
            _ if runs_left(c) => Class::Left,
            _ if c.is_numeric() => Class::Number,
            _ if c.is_alphabetic() => Class::Right,
            _ => Class::Neutral,
        });
        classes
            .find(|class| *class != Class::Neutral)
            .unwrap_or(Class::Neutral)
    };
    // 1. Classes, and the base direction by the majority of letters.
    let mut classes: Vec<Class> = line.iter().map(class).collect();
    let count = |class| classes.iter().filter(|other| **other == class).count();
    let base = if count(Class::Left) >= count(Class::Right) {
        Class::Left
    } else {
        Class::Right
    };
    // A number and the signs inside it run from left to right. Any other neutral character takes the class of the
    // nearest letters on both sides if they have the same class, and otherwise the base direction.
    for at in 0..classes.len() {
        if classes[at] != Class::Neutral {
            continue;
        }
        let before = classes[..at]
            .iter()
            .rev()
            .find(|class| **class != Class::Neutral);
        let after = classes[at..].iter().find(|class| **class != Class::Neutral);
        let is_tight = !gaps[at] && gaps.get(at + 1) == Some(&false);
        classes[at] = match (before, after) {
            (Some(Class::Number), Some(Class::Number)) if is_tight => Class::Number,
            (Some(a), Some(b)) if a == b && *a != Class::Number => *a,
            _ => base,
        };
    }
    // 2. Runs of one direction; in a right-to-left line, the rightmost run is read first.
    let goes_left = |class: Class| class == Class::Left;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..classes.len() {
        match runs.last_mut() {
            Some((_, end)) if goes_left(classes[*end - 1]) == goes_left(classes[at]) => {
                *end = at + 1
            }
            _ => runs.push((at, at + 1)),
        }
    }
    if base == Class::Left {
        runs.reverse();
    }
    // 3. Letters of each run in reading order, with the gaps between them.
    let mut sequence = Vec::with_capacity(line.len());
    for (start, end) in runs {
        let mut run: Vec<usize> = (start..end).collect();
        if goes_left(classes[start]) {
            run.reverse();
        }
        for at in run {
            let spaced = match sequence.last() {
                None => false,
                // The gap between two letters is stored with the right one. It precedes that letter in left-to-right
                // reading, and follows it in right-to-left reading.
                Some(&(last, _)) if last + 1 == at => gaps[at],
                Some(&(last, _)) if last == at + 1 => gaps[last],
                // Between two runs, take the gap at their common edge.
                Some(_) => {
                    let edge = if base == Class::Left { end } else { start };
                    gaps.get(edge).copied().unwrap_or(false)
                }
            };
            sequence.push((at, spaced));
        }
    }
    sequence
}
