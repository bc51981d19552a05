//! Drop capitals: a large letter at the start of a paragraph, with several lines beside it. Reads nothing.

use super::{Found, area::Area};

/// Least height of a drop capital, in tenths of an x-height.
const TALL: i32 = 18;

/// Finds lines that consist of a drop capital alone. Each comes with the index of the line that continues its word.
pub(super) fn find(lines: &[Found], x_height: i32) -> Vec<(usize, usize)> {
    /// Limit on drop capitals. If a page has more large letters, they are something else, and none is returned.
    const MAX: usize = 40;
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_single = line.marks.len() == 1 && line.ticks.is_empty();
        let area = &line.area;
        if !is_single
            || area.height() * 10 < TALL * x_height
            || area.width() > 3 * area.height() / 2
        {
            continue;
        }
        // Returns whether a line begins directly to the right of the letter, and its middle is at the height of the
        // letter.
        let is_beside = |other: &Area| {
            other.left >= area.right - area.width() / 4
                && other.left - area.right < 2 * x_height
                && other.height() * 10 < 8 * area.height()
                && other.top + other.bottom > 2 * area.top
                && other.top + other.bottom < 2 * area.bottom
        };
        let mut first: Option<usize> = None;
        let mut count = 0;
        for (index, other) in lines.iter().enumerate() {
            if is_beside(&other.area) {
                count += 1;
                if first.is_none_or(|first| other.area.top < lines[first].area.top) {
                    first = Some(index);
                }
            }
        }
        if let Some(first) = first.filter(|_| count >= 2) {
            out.push((at, first));
        }
        if out.len() > MAX {
            return Vec::new();
        }
    }
    out
}
