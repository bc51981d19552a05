//! Tests of the positions of words and lines.

use super::{Drawn, draw, lines, read_page, texts};
use crate::Rect;

pub(super) fn rect(left: f32, top: f32, right: f32, bottom: f32) -> Rect {
    Rect {
        left,
        top,
        right,
        bottom,
    }
}

#[track_caller]
pub(super) fn near(found: &Rect, expected: &Rect, most: f32) {
    let differences = [
        found.left - expected.left,
        found.top - expected.top,
        found.right - expected.right,
        found.bottom - expected.bottom,
    ];
    assert!(
        differences.iter().all(|d| d.abs() <= most),
        "{found:?} instead of {expected:?}"
    );
}

/// Rectangle around all ink of a picture.
fn ink(drawn: &Drawn) -> Rect {
    let dark = || (0..drawn.grey.len()).filter(|&at| drawn.grey[at] < 128);
    let x = || dark().map(|at| at % drawn.width);
    let y = || dark().map(|at| at / drawn.width);
    rect(
        x().min().unwrap() as f32,
        y().min().unwrap() as f32,
        x().max().unwrap() as f32 + 1.0,
        y().max().unwrap() as f32 + 1.0,
    )
}

#[test]
fn words_have_the_positions_of_their_ink() {
    let words = [
        (40, "Nobody"),
        (150, "had"),
        (207, "seen"),
        (277, "such"),
        (347, "a"),
        (371, "thing,"),
        (455, "ever"),
    ];
    let whole: String = words
        .iter()
        .map(|(x, word)| lines(*x, 60, 32, &[word]))
        .collect();
    let text = read_page(&draw(640, 100, &whole), false);
    assert_eq!(texts(&text), ["Nobody had seen such a thing, ever"]);
    for (word, (x, drawn)) in text.lines[0].words.iter().zip(words) {
        near(
            &word.bounds,
            &ink(&draw(640, 100, &lines(x, 60, 32, &[drawn]))),
            1.0,
        );
    }
    let line = &text.lines[0];
    assert!(
        (line.baseline.from.1 - 60.0).abs() <= 1.5,
        "{:?}",
        line.baseline
    );
    // Capitals of this font are 0.66 em high.
    assert!((line.ascent - 21.5).abs() <= 2.0, "{}", line.ascent);
}
