//! Regions of QuickDraw. A region is a rectangle, or a list of lines of pixels, each with a list of columns. From this
//! line on downwards, a border between outside and inside begins at each column of the list, or ends if there already
//! was a border at this column. Paints nothing.

use super::input::Input;

/// Maximum number of rectangles in a region. A region with more is replaced by its bounding box.
const MAX_RECTANGLES: usize = 20_000;

/// The number after the last column of a line, and after the last line.
const END: i16 = 0x7fff;

/// Converts a region to rectangles: left, top, right, bottom. A region that ends early or has too many rectangles
/// becomes its bounding box. `None` if the bounding box is incomplete.
pub(super) fn rectangles(mut region: Input<'_>) -> Option<Vec<[f64; 4]>> {
    let corners = region.rectangle()?;
    if region.rest().is_empty() {
        return Some(vec![corners]);
    }
    Some(parts(region).unwrap_or_else(|| vec![corners]))
}

/// Reads the lines of a region, and divides it into rectangles. `None` if there are too many, or the region ends early.
fn parts(mut region: Input<'_>) -> Option<Vec<[f64; 4]>> {
    // The columns at which the current line changes between outside and inside, sorted.
    let mut columns: Vec<i16> = Vec::new();
    let mut found = Vec::new();
    let mut top: Option<i16> = None;
    // Each round completes the rectangles above a line, and then reads the changes of that line.
    loop {
        let line = region.i16()?;
        for pair in columns.as_chunks::<2>().0 {
            if found.len() == MAX_RECTANGLES {
                return None;
            }
            if let Some(top) = top.filter(|top| line != END && *top < line) {
                found.push([pair[0], top, pair[1], line].map(f64::from));
            }
        }
        if line == END {
            return Some(found);
        }
        top = Some(line);
        loop {
            let column = region.i16()?;
            if column == END {
                break;
            }
            // A column that has been listed before is no longer a change.
            match columns.binary_search(&column) {
                Ok(at) => drop(columns.remove(at)),
                Err(at) => columns.insert(at, column),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_become_rectangles() {
        #[track_caller]
        fn check(words: &[i16], expected: Option<&[[f64; 4]]>) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
            assert_eq!(rectangles(Input::new(&bytes)).as_deref(), expected);
        }
        check(&[1, 2, 3, 4], Some(&[[2.0, 1.0, 4.0, 3.0]]));
        // An L: a narrow part above a wide one.
        let lines = [0, 0, 4, END, 5, 4, 9, END, 8, 0, 9, END, END];
        let whole = [&[0, 0, 8, 9], &lines[..]].concat();
        let parts = [[0.0, 0.0, 4.0, 5.0], [0.0, 5.0, 9.0, 8.0]];
        check(&whole, Some(&parts));
        // A region that ends early is replaced by its bounding box.
        check(&whole[..9], Some(&[[0.0, 0.0, 9.0, 8.0]]));
        check(&whole[..3], None);
    }
}
