//! Drop capitals: a letter as high as several lines, with which the first of them begins. Reads nothing.

use super::{Found, area::Area};

/// Height from which on a letter is an initial, in tenths of an x-height.
const TALL: i32 = 18;

/// Lines of one large letter, each with the index of the line that continues it.
pub(super) fn find(lines: &[Found], x_height: i32) -> Vec<(usize, usize)> {
    /// The largest number of initials on a page of text. If there are more, large letters are something else.
    const MOST: usize = 40;
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let alone = line.marks.len() == 1 && line.ticks.is_empty();
        let area = &line.area;
        if !alone || area.height() * 10 < TALL * x_height || area.width() > 3 * area.height() / 2 {
            continue;
        }
        // Lines that begin right beside it.
        let beside = |other: &Area| {
            other.left >= area.right - area.width() / 4
                && other.left - area.right < 2 * x_height
                && other.height() * 10 < 8 * area.height()
                && other.top + other.bottom > 2 * area.top
                && other.top + other.bottom < 2 * area.bottom
        };
        let mut first: Option<usize> = None;
        let mut count = 0;
        for (index, other) in lines.iter().enumerate() {
            if beside(&other.area) {
                count += 1;
                if first.is_none_or(|first| other.area.top < lines[first].area.top) {
                    first = Some(index);
                }
            }
        }
        if let Some(first) = first.filter(|_| count >= 2) {
            out.push((at, first));
        }
        if out.len() > MOST {
            return Vec::new();
        }
    }
    out
}
