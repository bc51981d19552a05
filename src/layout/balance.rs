//! Heights of balanced columns. Word balances the columns above a section that begins on the same page. Assigns no
//! positions.

use super::{item::Slice, rows::TOLERANCE};

/// Number of slices that fit into `columns` columns of this height, in points. The space above the first slice counts
/// unless the column is `fresh`, which means empty.
///
/// Fills one column after the other, and never separates a slice from the next one if the two must stay together.
pub fn taken(slices: &[Slice], columns: usize, height: f32, mut fresh: bool) -> usize {
    let (mut column, mut y, mut at) = (1, 0.0, 0);
    while at < slices.len() {
        let rest = &slices[at..];
        // Slices that must stay together are placed as a whole.
        let kept = rest.iter().take_while(|slice| slice.keep).count();
        let together = &rest[..(kept + 1).min(rest.len())];
        let whole: f32 = together
            .iter()
            .map(|slice| slice.before + slice.height)
            .sum();
        let first = together[0].before;
        let mut need = if fresh { whole - first } else { whole };
        if y + need > height + TOLERANCE && !fresh {
            column += 1;
            (y, need) = (0.0, whole - first);
        }
        // All these slices must also fit into the next column.
        if column > columns || y + need > height + TOLERANCE {
            return at;
        }
        y += need;
        fresh = false;
        at += together.len();
    }
    at
}

/// Smallest height, in points, of columns that hold all slices, computed by bisection between 0 and `most`. `None` if
/// the slices do not fit even into columns of the height `most`.
pub fn height(slices: &[Slice], columns: usize, most: f32, fresh: bool) -> Option<f32> {
    let takes_all = |height| taken(slices, columns, height, fresh) == slices.len();
    if !takes_all(most) {
        return None;
    }
    let (mut low, mut high) = (0.0, most);
    // On the largest paper, 20 halvings reduce the interval to about a hundredth of a point: 14,400 / 2^20.
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        match takes_all(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_columns_have_the_least_height() {
        #[track_caller]
        fn check(lines: usize, kept: usize, columns: usize, expected: Option<f32>) {
            let line = |at: usize| Slice {
                height: 10.0,
                keep: at < kept,
                ..Slice::default()
            };
            let slices: Vec<_> = (0..lines).map(line).collect();
            let height = height(&slices, columns, 100.0, true);
            assert_eq!(height.map(|height| height.round()), expected);
        }
        check(10, 0, 2, Some(50.0));
        check(11, 0, 2, Some(60.0));
        check(10, 6, 2, Some(70.0));
        check(7, 0, 3, Some(30.0));
        check(21, 0, 2, None);
    }
}
