//! The text layer of a page: its recognised text, which is invisible but can be found, selected and copied (text
//! rendering mode 3, ISO 32000-2, 9.3.6). Does not depend on the source of the text or on the target file.
//!
//! Each viewer derives the words from the layer in its own way, so the layer must resemble typeset text: a text object
//! for each line with all its words, and one font size for all lines of a page, except those of a clearly different
//! size, such as headings. With a separate size for each line, or sizes a tenth too small, `pdftotext` put the lines of
//! two columns side by side. The width of a word is that of its ink. Each word is stretched separately without the
//! space after it, because otherwise every word would end before its last letter.

use super::glyphless::{ADVANCE, ASCENT, Glyphless};
use crate::fonts::scripts;
use convertd_ocr::page::{Baseline, Line, Rect, Text, Turn};
use std::{cmp::Ordering, fmt::Write as _};

/// Limit on the rise of a level line, as a fraction of its length.
const LEVEL: f64 = 0.005;
/// Limit on the rise of a level line from one end to the other, in points. A line is level within either limit.
const LEVEL_POINTS: f64 = 2.0;
/// Difference from the font size of the page, as a fraction, above which a line keeps a size of its own, such as a
/// heading.
const LEAST_DEVIATION: f64 = 0.25;
/// Minimum font size, in units of the page.
const LEAST_SIZE: f64 = 1.0;
/// Minimum and maximum stretch of a word, in per cent.
const STRETCH: (f64, f64) = (1.0, 10_000.0);

/// A matrix in the order of PDF.
pub type Matrix = [f64; 6];

/// The operators that show the lines of a page, in reading order. `to_page` maps pixels to the page's own coordinates,
/// and `name` is the resource name of the font. Empty if no line can be placed on the page.
pub fn content(text: &Text, to_page: Matrix, font: &mut Glyphless, name: &str) -> String {
    let lines: Vec<Placed<'_>> = text
        .lines
        .iter()
        .filter_map(|line| Placed::of(line, text.turn, to_page))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let body_size = body_size(&lines);
    let mut content = String::from("q\n");
    for line in &lines {
        let deviates = (line.size / body_size - 1.0).abs() > LEAST_DEVIATION;
        let size = if deviates { line.size } else { body_size };
        line.write(
            (size.max(LEAST_SIZE) * 10.0).round() / 10.0,
            font,
            name,
            &mut content,
        );
    }
    content.push_str("Q\n");
    content
}

/// The font size of the page: the median size of the lines, weighted by the lengths of their texts.
fn body_size(lines: &[Placed<'_>]) -> f64 {
    let letters = |line: &Placed<'_>| -> usize { line.words().map(|word| word.text.len()).sum() };
    let sizes: Vec<(f64, usize)> = lines
        .iter()
        .map(|line| (line.size, letters(line)))
        .collect();
    middle(sizes).unwrap_or(LEAST_SIZE)
}

/// Median of numbers with their weights. `None` if the sum of the weights is 0.
pub fn middle<N: PartialOrd + Copy>(mut sizes: Vec<(N, usize)>) -> Option<N> {
    sizes.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
    let half = sizes.iter().map(|(_, count)| count).sum::<usize>() / 2;
    let mut passed = 0;
    sizes.into_iter().find_map(|(size, count)| {
        passed += count;
        (passed > half).then_some(size)
    })
}

/// Start and end of a rectangle of pixels along a line; `along` projects a point onto the line.
pub fn extent(bounds: Rect, along: impl Fn((f64, f64)) -> f64) -> (f64, f64) {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = bounds;
    // On a sloped line, the corners of the box extend beyond the ink, so the centres of its sides are used.
    let (x, y) = (f64::from(left + right) / 2.0, f64::from(top + bottom) / 2.0);
    let (left, right) = (f64::from(left), f64::from(right));
    let (top, bottom) = (f64::from(top), f64::from(bottom));
    let sides = [(left, y), (right, y), (x, top), (x, bottom)].map(along);
    let first = sides.iter().copied().fold(f64::MAX, f64::min);
    let last = sides.iter().copied().fold(f64::MIN, f64::max);
    (first, last)
}

/// A line in the coordinates of its page.
struct Placed<'l> {
    line: &'l Line,
    to_page: Matrix,
    /// The middle of the baseline.
    base: (f64, f64),
    /// Direction of the baseline from left to right across the letters, as a vector of length 1.
    along: (f64, f64),
    /// Font size that fits the line.
    size: f64,
}

impl<'l> Placed<'l> {
    /// Places a line. A line without length is horizontal. `None` if it has no height, or if a coordinate is not
    /// finite.
    fn of(line: &'l Line, turn: Turn, to_page: Matrix) -> Option<Self> {
        let double = |(x, y): (f32, f32)| (f64::from(x), f64::from(y));
        let (from, to) = left_to_right(line, turn);
        let (from, to) = (double(from), double(to));
        let pixels = (to.0 - from.0, to.1 - from.1);
        let length = pixels.0.hypot(pixels.1);
        let pixels = match length > 0.0 {
            true => (pixels.0 / length, pixels.1 / length),
            false => (1.0, 0.0),
        };
        let (from, to) = (point(to_page, from), point(to_page, to));
        let base = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        // The direction from the baseline to the top of the letters. Pixels are counted from the top, so the sign of
        // `y` changes.
        let up = vector(to_page, (pixels.1, -pixels.0));
        let along = vector(to_page, pixels);
        let size = f64::from(line.ascent) * up.0.hypot(up.1) / ASCENT;
        let scale = along.0.hypot(along.1);
        let is_valid =
            scale > 0.0 && size > 0.0 && [base.0, base.1, size].iter().all(|n| n.is_finite());
        is_valid.then(|| Self {
            line,
            to_page,
            base,
            along: level((along.0 / scale, along.1 / scale), length * scale),
            size,
        })
    }

    fn words(&self) -> impl Iterator<Item = &'l convertd_ocr::page::Word> {
        self.line.words.iter()
    }

    /// Start and end of a word along the line.
    fn extent(&self, bounds: Rect) -> (f64, f64) {
        extent(bounds, |side| {
            let (x, y) = point(self.to_page, side);
            (x - self.base.0) * self.along.0 + (y - self.base.1) * self.along.1
        })
    }

    /// Adds a text object.
    fn write(&self, size: f64, font: &mut Glyphless, name: &str, content: &mut String) {
        let _ = writeln!(content, "BT\n3 Tr\n/{name} {size} Tf");
        let (cos, sin) = self.along;
        let least = vector(self.to_page, (1.0, 0.0));
        let least = least.0.hypot(least.1);
        let mut words = self.words().peekable();
        while let Some(word) = words.next() {
            let (from, to) = self.extent(word.bounds);
            let width = (to - from).max(least);
            let letters = word.text.chars().count() as f64;
            let stretch = 100.0 * width / (letters * size * ADVANCE);
            let stretch = stretch.clamp(STRETCH.0, STRETCH.1);
            let is_reversed = self.line.right_to_left && runs_left(&word.text);
            // Right-to-left words are written in reading order, on a mirrored line.
            let (start, cos_along, sin_along) = match is_reversed {
                true => (to, -cos, -sin),
                false => (from, cos, sin),
            };
            let (x, y) = (self.base.0 + start * cos, self.base.1 + start * sin);
            let numbers = [cos_along, sin_along, -sin, cos].map(|number| rounded(number, 1e5));
            let [a, b, c, d] = numbers;
            let (x, y) = (rounded(x, 1e3), rounded(y, 1e3));
            let _ = write!(
                content,
                "{a} {b} {c} {d} {x} {y} Tm {} Tz <",
                rounded(stretch, 1e2)
            );
            for character in word.text.chars() {
                let _ = write!(content, "{:04X}", font.code(character));
            }
            if words
                .peek()
                .is_some_and(|next| !scripts::touch(&word.text, &next.text))
            {
                let _ = write!(content, "{:04X}", font.code(' '));
            }
            content.push_str("> Tj\n");
        }
        content.push_str("ET\n");
    }
}

/// The baseline of a line from the left side of its letters to the right, on a page with this rotation.
pub fn left_to_right(line: &Line, turn: Turn) -> ((f32, f32), (f32, f32)) {
    let Baseline { from, to } = line.baseline;
    let along = match turn {
        Turn::Upright => to.0 - from.0,
        Turn::Clockwise => from.1 - to.1,
        Turn::UpsideDown => from.0 - to.0,
        Turn::CounterClockwise => to.1 - from.1,
    };
    if line.right_to_left && along < 0.0 {
        (to, from)
    } else {
        (from, to)
    }
}

/// Direction of a line of this length, made horizontal or vertical if it nearly is.
fn level((x, y): (f64, f64), length: f64) -> (f64, f64) {
    let rise = x.abs().min(y.abs());
    if rise > LEVEL && rise * length > LEVEL_POINTS {
        return (x, y);
    }
    match x.abs() > y.abs() {
        true => (x.signum(), 0.0),
        false => (0.0, y.signum()),
    }
}

/// Returns whether a word has right-to-left letters.
pub fn runs_left(word: &str) -> bool {
    word.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    })
}

fn point([a, b, c, d, e, f]: Matrix, (x, y): (f64, f64)) -> (f64, f64) {
    (a * x + c * y + e, b * x + d * y + f)
}

fn vector([a, b, c, d, ..]: Matrix, (x, y): (f64, f64)) -> (f64, f64) {
    (a * x + c * y, b * x + d * y)
}

/// Rounds a number to a multiple of 1/`parts`. A zero gets no minus sign.
pub fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_ocr::page::Word;

    fn word(text: &str, [left, top, right, bottom]: [f32; 4]) -> Word {
        Word {
            text: text.into(),
            bounds: Rect {
                left,
                top,
                right,
                bottom,
            },
            confidence: 90.0,
        }
    }

    fn line(words: Vec<Word>, from: (f32, f32), to: (f32, f32)) -> Line {
        Line {
            bounds: words[0].bounds,
            words,
            baseline: Baseline { from, to },
            ascent: 30.0,
            block: 0,
            right_to_left: false,
        }
    }

    #[track_caller]
    fn check(line: Line, to_page: Matrix, expected: &[&str]) {
        let text = Text {
            lines: vec![line],
            ..Text::default()
        };
        let found = content(&text, to_page, &mut Glyphless::default(), "T");
        let placed: Vec<&str> = found.lines().filter(|line| line.ends_with("Tj")).collect();
        assert_eq!(placed, expected, "{found}");
    }

    /// A page of 100 × 200 points, with pixels of half a point.
    const HALF: Matrix = [0.5, 0.0, 0.0, -0.5, 0.0, 200.0];

    #[test]
    fn words_begin_and_end_with_their_ink() {
        let words = || {
            vec![
                word("ab", [20.0, 70.0, 40.0, 100.0]),
                word("c", [50.0, 70.0, 60.0, 100.0]),
            ]
        };
        // The size is 30 × 0.5 / 0.75 = 20; "ab" is 10 points wide, and 20 without stretching.
        check(
            line(words(), (20.0, 100.0), (60.0, 100.0)),
            HALF,
            &[
                "1 0 0 1 10 150 Tm 50 Tz <000100020003> Tj",
                "1 0 0 1 25 150 Tm 50 Tz <0004> Tj",
            ],
        );
        // A rise of one point along the line counts as level.
        check(
            line(words(), (20.0, 101.0), (60.0, 99.0)),
            HALF,
            &[
                "1 0 0 1 10 150 Tm 50 Tz <000100020003> Tj",
                "1 0 0 1 25 150 Tm 50 Tz <0004> Tj",
            ],
        );
    }

    #[test]
    fn lines_that_run_up_or_down_are_selected_along_themselves() {
        // A page whose text runs from bottom to top.
        let words = vec![
            word("ab", [70.0, 60.0, 100.0, 80.0]),
            word("c", [70.0, 40.0, 100.0, 50.0]),
        ];
        check(
            line(words, (100.0, 80.0), (100.0, 40.0)),
            HALF,
            &[
                "0 1 -1 0 50 160 Tm 50 Tz <000100020003> Tj",
                "0 1 -1 0 50 175 Tm 50 Tz <0004> Tj",
            ],
        );
    }

    #[test]
    fn words_from_right_to_left_are_mirrored_and_numbers_among_them_are_not() {
        let words = vec![
            word("אב", [50.0, 70.0, 60.0, 100.0]),
            word("12", [20.0, 70.0, 40.0, 100.0]),
        ];
        let mut line = line(words, (60.0, 100.0), (20.0, 100.0));
        line.right_to_left = true;
        check(
            line,
            HALF,
            &[
                "-1 0 0 1 30 150 Tm 25 Tz <000100020003> Tj",
                "1 0 0 1 10 150 Tm 50 Tz <00040005> Tj",
            ],
        );
    }
}
