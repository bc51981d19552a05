//! Code listings: monospaced lines with their indents and empty lines. Does not decide which lines
//! are code.

use super::lines::Line;

/// Default width of a letter, in multiples of the font size, if no line is long enough for
/// measuring.
const WIDTH: f32 = 0.6;

/// Largest distance between lines of one listing, in multiples of the font size. Its integer part, 3, also limits the
/// number of consecutive empty lines.
const FARTHEST: f32 = 3.6;
/// Usual distance between lines of one listing, in multiples of the font size.
const DEFAULT: f32 = 1.2;

/// Limit on the indent, in letters.
const DEEPEST: f32 = 120.0;

/// Minimum number of letters of a line that is measured.
const FEWEST_LETTERS: usize = 4;

/// Lines of a listing.
#[derive(Debug, Default)]
pub(super) struct Listing(Vec<CodeLine>);

/// A line of code.
#[derive(Debug)]
struct CodeLine {
    text: String,
    /// Left and right edge, in points.
    x: (f32, f32),
    /// Baseline, in points.
    y: f32,
    /// Font size, in points.
    size: f32,
}

impl Listing {
    /// Returns whether a line of this font size, at this distance below the last line, continues a listing.
    pub(super) fn continues(gap: f32, size: f32) -> bool {
        gap > 0.0 && gap < FARTHEST * size
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: &Line) {
        self.0.push(CodeLine {
            text: line.text.trim_end().to_owned(),
            x: line.x,
            y: line.y,
            size: line.size,
        });
    }

    /// Text of the listing: its lines with their indents. Empty lines fill distances that are larger than the smallest
    /// distance of two lines.
    pub(super) fn text(&self) -> String {
        // Indents are measured from the leftmost line, in widths of a letter.
        let left = self.0.iter().map(|line| line.x.0).fold(f32::MAX, f32::min);
        let width = self.width();
        let gaps = self.0.windows(2).map(|pair| pair[1].y - pair[0].y);
        let gaps = gaps.filter(|gap| *gap > 0.0);
        let step = gaps.fold(f32::MAX, f32::min);
        let mut text = String::new();
        for (nth, line) in self.0.iter().enumerate() {
            if let Some(before) = nth.checked_sub(1).map(|before| &self.0[before]) {
                text.push('\n');
                // With two lines, the smallest distance is their only one and may be unusually large, so it is bounded.
                let step = step.min(DEFAULT * 1.2 * line.size);
                let empty = ((line.y - before.y) / step.max(0.1)).round() - 1.0;
                for _ in 0..empty.clamp(0.0, FARTHEST) as usize {
                    text.push('\n');
                }
            }
            let indent = ((line.x.0 - left) / width).round().clamp(0.0, DEEPEST);
            text.extend(std::iter::repeat_n(' ', indent as usize));
            text.push_str(&line.text);
        }
        text
    }

    /// Width of a letter in points: the smallest average of all lines with enough letters, or else [`WIDTH`] times the
    /// font size.
    fn width(&self) -> f32 {
        // Wide gaps between words make letters seem wider, so the smallest width counts.
        let widths = self.0.iter().filter_map(|line| {
            let count = line.text.chars().count();
            (count >= FEWEST_LETTERS).then(|| (line.x.1 - line.x.0) / count as f32)
        });
        let least = widths.fold(f32::MAX, f32::min);
        let size = self.0.first().map_or(10.0, |line| line.size);
        match least < f32::MAX {
            true => least.max(0.1 * size),
            false => WIDTH * size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indents_and_empty_lines_are_kept() {
        let mut listing = Listing::default();
        for (text, left, y) in [
            ("    in main", 74.0, 100.0),
            ("if a {", 50.0, 112.0),
            ("b", 74.0, 124.0),
            ("}", 50.0, 148.0),
        ] {
            let text = text.trim_start();
            listing.add(&Line {
                x: (left, left + 6.0 * text.len() as f32),
                y,
                block: 1,
                ..Line::with(text)
            });
        }
        assert_eq!(listing.text(), "    in main\nif a {\n    b\n\n}");
    }
}
