//! Properties of text columns: their edges and line spacing. Does not read the text.

use super::lines::Line;
use std::collections::{BTreeMap, HashMap};

/// Largest line spacing within a paragraph, in multiples of the font size. Double-spaced manuscripts have about twice
/// the font size.
const WIDEST: f32 = 2.4;

/// Distance from the right edge within which a line counts as full, as a fraction of the column's
/// width.
const FULL: f32 = 0.1;

/// Minimum number of equal distances that establish a line spacing.
const FEWEST_EQUAL: usize = 3;

/// Step in which distances are compared, in multiples of the font size.
const STEP: f32 = 0.05;

/// A text column on a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Left and right edge in points.
    pub(super) x: (f32, f32),
    /// Line spacing of its paragraphs in multiples of the font size, if known.
    pub(super) leading: Option<f32>,
}

/// Finds the columns of a page. The keys are the column numbers of the lines. Line spacing is measured only after full
/// lines, which rarely end a paragraph.
pub(super) fn of(lines: &[Line]) -> HashMap<usize, Column> {
    let mut columns: HashMap<usize, Column> = HashMap::new();
    // The edges of a column are the extent of all lines with its number.
    for line in lines {
        let column = columns.entry(line.block).or_insert(Column {
            x: line.x,
            leading: None,
        });
        column.x = (column.x.0.min(line.x.0), column.x.1.max(line.x.1));
    }
    // Distances from full lines to the next line of nearly equal size, rounded to steps.
    let mut steps: HashMap<usize, BTreeMap<i32, usize>> = HashMap::new();
    for pair in lines.windows(2) {
        let (line, next) = (&pair[0], &pair[1]);
        let Some(column) = columns.get(&line.block) else {
            continue;
        };
        let (left, right) = column.x;
        let is_full = line.x.1 > right - FULL * (right - left);
        let gap = (next.y - line.y) / line.size.max(0.1);
        let is_one = line.block == next.block
            && line.object.is_none()
            && (line.size - next.size).abs() < 0.08 * line.size;
        if is_one && is_full && (0.5..WIDEST).contains(&gap) {
            let step = (gap / STEP).round() as i32;
            *steps
                .entry(line.block)
                .or_default()
                .entry(step)
                .or_default() += 1;
        }
    }
    for (block, steps) in steps {
        if let Some(column) = columns.get_mut(&block) {
            column.leading = leading(&steps);
        }
    }
    columns
}

/// The line spacing from a histogram of distances: the smallest one that is frequent. Larger ones may be the distances
/// between paragraphs of a single line.
fn leading(steps: &BTreeMap<i32, usize>) -> Option<f32> {
    let most = steps
        .values()
        .max()
        .copied()
        .filter(|most| *most >= FEWEST_EQUAL)?;
    let is_common = |count: usize| count >= FEWEST_EQUAL && 4 * count >= most;
    let (step, _) = steps.iter().find(|(_, count)| is_common(**count))?;
    Some(*step as f32 * STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_leading_of_its_paragraphs() {
        #[track_caller]
        fn check(steps: &[(i32, usize)], expected: Option<i32>) {
            let steps = steps.iter().copied().collect();
            let expected = expected.map(|step| step as f32 * STEP);
            assert_eq!(leading(&steps), expected);
        }
        check(&[(24, 9), (36, 4)], Some(24));
        check(&[(36, 20)], Some(36));
        check(&[(24, 4), (40, 12)], Some(24));
        check(&[(24, 2)], None);
    }
}
