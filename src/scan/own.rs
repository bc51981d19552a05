//! The text that a picture file contains itself, in the form of recognised text. Recognises nothing.
//!
//! This text has bounding boxes of words, but no baselines. The letters of a line show where its baseline is: if one
//! of them has a descender, the baseline is above the lower edge of the box.

use super::layer::runs_left;
use crate::{
    error::Result,
    image::own_text::{self, Line},
    job::{Input, Job, Lease},
};
use convertd_ocr::page::{Baseline, Line as ReadLine, Rect, Text, Word};

/// Letters with a descender.
const DESCENDING: &str = "gjpqyQ,;()[]{}|@/çμßзрцщуфдηγρφχψβζξ";
/// Height of ascenders above the baseline, as a share of the font size.
const ASCENT: f32 = 0.75;
/// Depth of descenders below the baseline, as a share of the font size.
const DESCENT: f32 = 0.22;
/// Confidence in per cent. No word is doubtful, because none was recognised.
const CONFIDENCE: f32 = 100.0;

/// The text of a picture, rotated and cropped as the job asks.
pub struct Own<'j> {
    pub text: Text,
    /// Width and height of the picture in pixels.
    pub size: (u32, u32),
    _lease: Lease<'j>,
}

/// Reads the text of a picture. `None` if the picture contains no text.
///
/// Errors: those of [`own_text::read`].
pub fn read<'j>(
    job: &Job<'j>,
    input: &mut dyn Input,
    page: Option<u32>,
) -> Result<Option<Own<'j>>> {
    let Some(own) = own_text::read(job, input, page)? else {
        return Ok(None);
    };
    let text = Text {
        lines: own.lines.into_iter().map(line).collect(),
        ..Text::default()
    };
    Ok(Some(Own {
        text,
        size: own.size,
        _lease: own.lease,
    }))
}

/// Converts a line. Its font size follows from the height of its box, which ends at the descender if a word has one,
/// and otherwise at the baseline.
fn line(line: Line) -> ReadLine {
    let reaches_below = |word: &own_text::Word| word.text.contains(|c| DESCENDING.contains(c));
    let has_below = line.words.iter().any(reaches_below);
    let to_left = line.words.iter().filter(|word| runs_left(&word.text));
    let right_to_left = 2 * to_left.count() > line.words.len();
    let words: Vec<Word> = line
        .words
        .into_iter()
        .map(|word| {
            let [left, top, right, bottom] = word.bounds.map(|edge| edge as f32);
            Word {
                text: word.text,
                bounds: Rect {
                    left,
                    top,
                    right,
                    bottom,
                },
                confidence: CONFIDENCE,
            }
        })
        .collect();
    let bounds = words.iter().map(|word| word.bounds);
    let bounds = bounds.reduce(|a, b| a.with(&b)).unwrap_or_default();
    let height = bounds.bottom - bounds.top;
    let size = match has_below {
        true => height / (ASCENT + DESCENT),
        false => height / ASCENT,
    };
    let base = bounds.top + ASCENT * size;
    let (from, to) = match right_to_left {
        true => (bounds.right, bounds.left),
        false => (bounds.left, bounds.right),
    };
    ReadLine {
        words,
        bounds,
        baseline: Baseline {
            from: (from, base),
            to: (to, base),
        },
        ascent: ASCENT * size,
        block: line.block,
        right_to_left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: (f32, f32)) {
        let word = own_text::Word {
            text: text.into(),
            bounds: [10, 100, 60, 197],
        };
        let words = vec![word];
        let line = line(Line { words, block: 0 });
        assert_eq!(
            (line.baseline.from.1.round(), line.ascent.round()),
            expected
        );
    }

    #[test]
    fn letters_determine_the_baseline() {
        check("Tag", (175.0, 75.0));
        check("Rad", (197.0, 97.0));
    }
}
