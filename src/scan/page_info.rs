//! Facts about a page of words that the words do not tell. Writes nothing.

use convertd_ocr::page::Rect;

/// Facts about a page in addition to its words.
#[derive(Clone, Copy, Debug)]
pub struct PageInfo {
    /// Number, from 1.
    pub number: usize,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Pixels per inch, horizontally and vertically.
    pub dpi: Option<(f64, f64)>,
}

/// Smallest rectangle around several others.
pub(crate) fn bounds_of(all: impl Iterator<Item = Rect>) -> Rect {
    all.reduce(|a, b| a.with(&b)).unwrap_or_default()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use convertd_ocr::page::{Baseline, Line, Text, Word};

    pub(crate) fn info() -> PageInfo {
        PageInfo {
            number: 2,
            width: 200,
            height: 100,
            dpi: Some((300.0, 300.0)),
        }
    }

    fn word(text: &str, [left, top, right, bottom]: [f32; 4], confidence: f32) -> Word {
        Word {
            text: text.into(),
            bounds: Rect {
                left,
                top,
                right,
                bottom,
            },
            confidence,
        }
    }

    /// Two lines of a block, one of them right to left.
    pub(crate) fn sample() -> Text {
        let words = vec![
            word("One", [10.0, 20.0, 40.0, 38.0], 90.0),
            word("<two>", [50.0, 20.0, 90.0, 40.0], 81.0),
        ];
        let first = Line {
            words,
            bounds: Rect {
                left: 10.0,
                top: 20.0,
                right: 90.0,
                bottom: 40.0,
            },
            baseline: Baseline {
                from: (10.0, 38.0),
                to: (90.0, 38.0),
            },
            ascent: 18.0,
            block: 0,
            right_to_left: false,
        };
        let bounds = [10.0, 30.0, 60.0, 42.0];
        let second = Line {
            words: vec![word("אב", bounds, 80.0)],
            bounds: Rect {
                left: 10.0,
                top: 30.0,
                right: 60.0,
                bottom: 42.0,
            },
            right_to_left: true,
            ..first.clone()
        };
        Text {
            lines: vec![first, second],
            ..Text::default()
        }
    }
}
