//! Properties that the lines of a column share: its edges, and the distance between the lines of its paragraphs. Decides nothing
//! about single lines.

use super::lines::Line;
use std::collections::{BTreeMap, HashMap};

/// The largest distance between lines of one paragraph, as a multiple of their size: a manuscript has as much as two.
const WIDEST: f32 = 2.4;

/// Distance from the right edge within which a line ends whose paragraph goes on, as a share of the width.
const FULL: f32 = 0.1;

/// Number of distances that have to be the same.
const SAME: usize = 3;

/// Distances are told apart in steps of this share of the size.
const STEP: f32 = 0.05;

/// A column of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The left and right edge.
    pub(super) x: (f32, f32),
    /// The usual distance between the baselines of a paragraph, as a multiple of the size, if it is known.
    pub(super) leading: Option<f32>,
}

/// The columns of a page by their numbers.
pub(super) fn of(lines: &[Line]) -> HashMap<usize, Column> {
    let mut columns: HashMap<usize, Column> = HashMap::new();
    for line in lines {
        let column = columns.entry(line.block).or_insert(Column {
            x: line.x,
            leading: None,
        });
        column.x = (column.x.0.min(line.x.0), column.x.1.max(line.x.1));
    }
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
            && line.thing.is_none()
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

/// The most frequent distance; a narrower one before a wide one, which may be that between paragraphs of one line.
fn leading(steps: &BTreeMap<i32, usize>) -> Option<f32> {
    let most = steps.values().max().copied().filter(|most| *most >= SAME)?;
    let is_common = |count: usize| count >= SAME && 4 * count >= most;
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
