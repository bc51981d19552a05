//! Reading order of a page: columns one after another, tables row by row.
//!
//! Rows are collected from top to bottom as long as a gap between columns runs through all of them.
//! A row that closes the gap, such as a title above two columns, begins a new group. Columns are
//! treated as a table if their cells are side by side on the same lines, and are short or far from
//! the lines above and below.

use super::compare::by;

/// Usual ascent, as a fraction of the font size.
pub(super) const ABOVE: f32 = 0.7;
/// Usual descent, as a fraction of the font size.
pub(super) const BELOW: f32 = 0.15;

/// Smallest gap between columns, in multiples of the usual font size.
const GUTTER: f32 = 0.9;

/// Distance by which a title and a column must each extend beyond the other, on opposite sides, for the title to be
/// separated from the column, in multiples of the smallest gap between columns.
const ASKEW: f32 = 3.0;

/// A horizontal interval: left and right edge in points.
type Interval = (f32, f32);

/// Limit on the depth of columns inside columns.
const MAX_DEPTH: usize = 8;

/// Typical number of letters in a line from which a column is prose instead of table cells.
const PROSE: usize = 15;

/// Minimum typical number of letters in a line of running text.
const LONG: usize = 30;
/// Largest line spacing of running text, in multiples of the font size.
const CLOSE: f32 = 1.6;
/// Minimum number of lines of running text that are close below another line.
const LINES_OF_TEXT: usize = 5;

/// Smallest distance between lines that are rows of a table, in multiples of the font size.
const TABLE_ROW_GAP: f32 = 2.5;

/// Number of pieces before and after a piece that are searched for its neighbours on a line.
const MAX_SEARCHED: usize = 32;

/// Consecutive letters on one baseline.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Indexes of letters in drawing order.
    pub(super) letters: Vec<u32>,
    /// Whether the piece represents a table or picture.
    pub(super) is_object: bool,
    /// Left and right edge along the writing direction, in points.
    pub(super) x: (f32, f32),
    /// Horizontal extent for finding columns. For code, it includes the indent before the piece.
    pub(super) reach: (f32, f32),
    /// Baseline across the writing direction, in points.
    pub(super) y: f32,
    /// Largest font size of the letters, in points.
    pub(super) size: f32,
}

impl Piece {
    /// Top and bottom edge, by the usual ascent and descent.
    pub(super) fn height(&self) -> (f32, f32) {
        (self.y - ABOVE * self.size, self.y + BELOW * self.size)
    }
}

/// Divides the pieces of a page into columns in reading order. `reversed` orders columns from right to left.
pub(super) fn columns(pieces: Vec<Piece>, reversed: bool) -> Vec<Vec<Piece>> {
    let mut found = Vec::new();
    split(pieces, reversed, 0, &mut found);
    found
}

/// Divides pieces into bands, and these into columns, recursively (an X-Y cut): a column may itself
/// contain bands with other columns.
fn split(pieces: Vec<Piece>, reversed: bool, depth: usize, found: &mut Vec<Vec<Piece>>) {
    if depth == MAX_DEPTH || pieces.len() < 2 {
        if !pieces.is_empty() {
            found.push(pieces);
        }
        return;
    }
    let gutter = GUTTER * median_size(&pieces);
    let bands = bands(pieces, gutter);
    for band in bands {
        let intervals = occupied_intervals(&band, gutter);
        if intervals.len() == 1 {
            found.push(band);
            continue;
        }
        let mut parts: Vec<Vec<Piece>> = vec![Vec::new(); intervals.len()];
        for piece in band {
            // The intervals cover all pieces, so a piece is in the first one that does not end
            // before it.
            let before = intervals.partition_point(|interval| interval.1 < piece.reach.0);
            parts[before].push(piece);
        }
        if is_table(&parts) {
            found.push(parts.concat());
            continue;
        }
        if reversed {
            parts.reverse();
        }
        // If no two columns overlap vertically, they are blocks above each other, and the highest comes first.
        if !stand_side_by_side(&parts) {
            parts.sort_by(|a, b| by(extent(a).0, extent(b).0));
        }
        for part in parts {
            split(part, reversed, depth + 1, found);
        }
    }
}

/// Returns whether any two columns overlap vertically. Otherwise they are not columns: in a letter,
/// the sender at the top right is above the recipient at the left.
fn stand_side_by_side(columns: &[Vec<Piece>]) -> bool {
    let mut extents: Vec<(f32, f32)> = columns.iter().map(|column| extent(column)).collect();
    extents.sort_by(|a, b| by(a.0, b.0));
    extents.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

/// Top and bottom edge of a column.
fn extent(column: &[Piece]) -> (f32, f32) {
    let heights = column.iter().map(Piece::height);
    heights.fold((f32::MAX, f32::MIN), |(top, bottom), height| {
        (top.min(height.0), bottom.max(height.1))
    })
}

/// Median font size of the words; 10 without words.
fn median_size(pieces: &[Piece]) -> f32 {
    let words = pieces.iter().filter(|piece| !piece.is_object);
    let mut sizes: Vec<f32> = words.map(|piece| piece.size).collect();
    sizes.sort_by(|a, b| by(*a, *b));
    sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
}

/// Groups rows into bands with common gaps between columns, from top to bottom.
fn bands(mut pieces: Vec<Piece>, gutter: f32) -> Vec<Vec<Piece>> {
    pieces.sort_by(|a, b| by(a.height().0, b.height().0));
    let mut rows: Vec<(f32, Vec<Piece>)> = Vec::new();
    // A piece joins the last row if it overlaps that row by a fifth of its own height. Lines that are set tightly
    // overlap by less.
    for piece in pieces {
        let (top, bottom) = piece.height();
        match rows.last_mut() {
            Some((lowest, row)) if top < *lowest - 0.2 * (bottom - top) => {
                *lowest = lowest.max(bottom);
                row.push(piece);
            }
            _ => rows.push((bottom, vec![piece])),
        }
    }
    // A row joins the band above if a gap between columns remains in both, or if neither has one.
    let mut bands: Vec<(Vec<Piece>, Vec<Interval>)> = Vec::new();
    for (_, row) in rows {
        let own = occupied_intervals(&row, gutter);
        if let Some((band, taken)) = bands.last_mut() {
            let both = merge_close([&taken[..], &own].concat(), gutter);
            // A centred title may leave a gap beside a short heading that begins the first column. The row of this
            // heading begins a new band.
            let is_title = taken.len() == 1
                && own.len() > 1
                && own
                    .iter()
                    .any(|own| are_askew(taken[0], *own, ASKEW * gutter));
            let continues = !is_title && (both.len() > 1 || (taken.len() == 1 && own.len() == 1));
            if continues {
                band.extend(row);
                *taken = both;
                continue;
            }
        }
        bands.push((row, own));
    }
    bands.into_iter().map(|(band, _)| band).collect()
}

/// Returns whether two overlapping intervals each extend beyond the other by more than `most` points.
fn are_askew(a: Interval, b: Interval, most: f32) -> bool {
    let (left, right) = if a.0 < b.0 { (a, b) } else { (b, a) };
    right.0 < left.1 && right.0 - left.0 > most && right.1 - left.1 > most
}

/// Horizontal intervals covered by pieces, in order, and at least `gutter` apart.
fn occupied_intervals(pieces: &[Piece], gutter: f32) -> Vec<Interval> {
    merge_close(pieces.iter().map(|piece| piece.reach).collect(), gutter)
}

/// Unites intervals that are closer than `gutter`. Further pieces can only make a gap narrower.
fn merge_close(mut intervals: Vec<Interval>, gutter: f32) -> Vec<Interval> {
    intervals.sort_by(|a, b| by(a.0, b.0));
    let mut merged: Vec<Interval> = Vec::new();
    for (start, end) in intervals {
        match merged.last_mut() {
            Some(last) if start < last.1 + gutter => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Returns whether columns form a table: at least half of the lines have a neighbour at the same height in another
/// column, at least one column has short lines, and at most one is prose. Columns also form a table if all lines have a
/// neighbour and are far from the lines above and below. The lines of the longest column need no neighbour.
fn is_table(columns: &[Vec<Piece>]) -> bool {
    let mut baselines: Vec<(f32, f32, usize)> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        baselines.extend(column.iter().map(|piece| (piece.y, piece.size, at)));
    }
    baselines.sort_by(|a, b| by(a.0, b.0));
    // A line is aligned if another column has a baseline within a tenth of the font size.
    let is_aligned = |at: usize| {
        let (y, size, column) = baselines[at];
        let is_level = |other: &&(f32, f32, usize)| (other.0 - y).abs() < 0.1 * size;
        let before = baselines[..at]
            .iter()
            .rev()
            .take(MAX_SEARCHED)
            .take_while(is_level);
        let after = baselines[at + 1..]
            .iter()
            .take(MAX_SEARCHED)
            .take_while(is_level);
        before.chain(after).any(|other| other.2 != column)
    };
    // Text above and below a table is part of the longest column, so the lines of this column do not count.
    let longest = (0..columns.len()).max_by_key(|at| columns[*at].len());
    let of_others = |at: &usize| Some(baselines[*at].2) != longest;
    let all = (0..baselines.len()).filter(of_others).count();
    let aligned = (0..baselines.len()).filter(of_others);
    let aligned = aligned.filter(|at| is_aligned(*at)).count();
    let is_short = columns.iter().any(|column| typical_length(column) < PROSE);
    // Several columns of prose are no table, although a common baseline grid may align their lines.
    let is_text = columns.iter().filter(|column| is_prose(column)).count() > 1;
    2 * aligned >= all && is_short && !is_text || aligned == all && is_loose(&baselines)
}

/// Median number of letters in the lines of a column.
fn typical_length(column: &[Piece]) -> usize {
    let mut lengths: Vec<usize> = column.iter().map(|piece| piece.letters.len()).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

/// Returns whether a column is running text: several long lines with small spacing.
fn is_prose(column: &[Piece]) -> bool {
    let mut lines: Vec<(f32, f32)> = column.iter().map(|piece| (piece.y, piece.size)).collect();
    lines.sort_by(|a, b| by(a.0, b.0));
    let close = lines
        .windows(2)
        .filter(|pair| pair[1].0 - pair[0].0 < CLOSE * pair[0].1);
    typical_length(column) >= LONG && close.count() >= LINES_OF_TEXT
}

/// Returns whether lines are far apart in all columns, like captions below rows of pictures.
fn is_loose(baselines: &[(f32, f32, usize)]) -> bool {
    let is_far = |pair: &[(f32, f32, usize)]| {
        let gap = pair[1].0 - pair[0].0;
        gap < 0.1 * pair[0].1 || gap > TABLE_ROW_GAP * pair[0].1
    };
    baselines.windows(2).all(is_far)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece of size 10, whose name is the index of its first letter.
    fn piece(name: u32, x: (f32, f32), y: f32) -> Piece {
        let letters = ((x.1 - x.0) / 5.0) as usize;
        Piece {
            letters: vec![name; letters],
            is_object: false,
            x,
            reach: x,
            y,
            size: 10.0,
        }
    }

    #[track_caller]
    fn check(pieces: &[Piece], reversed: bool, expected: &[&[u32]]) {
        let found = columns(pieces.to_vec(), reversed);
        let names = |column: &Vec<Piece>| -> Vec<u32> {
            column.iter().map(|piece| piece.letters[0]).collect()
        };
        let found: Vec<_> = found.iter().map(names).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn columns_are_read_one_after_another() {
        let page = [
            piece(0, (100.0, 500.0), 50.0),
            piece(1, (50.0, 290.0), 80.0),
            piece(3, (310.0, 550.0), 80.0),
            piece(2, (50.0, 290.0), 92.0),
            piece(4, (310.0, 550.0), 92.0),
            piece(5, (50.0, 550.0), 120.0),
        ];
        check(&page, false, &[&[0], &[1, 2], &[3, 4], &[5]]);
        check(&page, true, &[&[0], &[3, 4], &[1, 2], &[5]]);
    }

    #[test]
    fn a_title_above_columns_is_not_part_of_them() {
        let page = [
            piece(0, (210.0, 380.0), 50.0),
            piece(1, (70.0, 130.0), 80.0),
            piece(3, (302.0, 520.0), 80.0),
            piece(2, (70.0, 292.0), 94.0),
            piece(4, (302.0, 520.0), 94.0),
            piece(5, (302.0, 520.0), 106.0),
        ];
        check(&page, false, &[&[0], &[1, 2], &[3, 4, 5]]);
        // A column that begins higher than the previous one still counts as a column.
        let page = [
            piece(1, (312.0, 520.0), 68.0),
            piece(0, (70.0, 292.0), 80.0),
            piece(2, (302.0, 500.0), 80.0),
        ];
        check(&page, false, &[&[0], &[1, 2]]);
    }

    #[test]
    fn text_above_is_not_a_neighbouring_column() {
        let page = [
            piece(0, (330.0, 480.0), 50.0),
            piece(1, (330.0, 470.0), 62.0),
            piece(2, (50.0, 150.0), 90.0),
            piece(3, (50.0, 140.0), 102.0),
            piece(4, (50.0, 550.0), 130.0),
        ];
        check(&page, false, &[&[0, 1], &[2, 3], &[4]]);
    }

    #[test]
    fn tables_are_read_row_by_row() {
        let page = [
            piece(0, (50.0, 200.0), 80.0),
            piece(1, (310.0, 330.0), 80.0),
            piece(2, (50.0, 150.0), 92.0),
            piece(3, (310.0, 340.0), 92.0),
        ];
        check(&page, false, &[&[0, 2, 1, 3]]);
    }

    #[test]
    fn text_beside_a_table_is_read_column_by_column() {
        let lines = |name: u32, x: (f32, f32)| {
            (0..7).map(move |line| piece(name, x, 80.0 + 12.0 * line as f32))
        };
        let page: Vec<Piece> = lines(0, (50.0, 250.0))
            .chain(lines(1, (270.0, 470.0)))
            .chain(lines(2, (490.0, 510.0)))
            .collect();
        check(&page, false, &[&[0; 7], &[1; 7], &[2; 7]]);
        // Long cells form a table if there is enough space between the rows.
        let wide: Vec<Piece> = page
            .iter()
            .map(|piece| Piece {
                y: 80.0 + 2.0 * (piece.y - 80.0),
                ..piece.clone()
            })
            .collect();
        assert_eq!(columns(wide, false).len(), 1);
    }

    #[test]
    fn captions_are_read_row_by_row() {
        let page = [
            piece(0, (50.0, 200.0), 80.0),
            piece(1, (310.0, 460.0), 80.0),
            piece(2, (50.0, 200.0), 180.0),
            piece(3, (310.0, 460.0), 180.0),
        ];
        check(&page, false, &[&[0, 2, 1, 3]]);
        // Closer together, they are lines in columns.
        let page = page.map(|piece| Piece {
            y: 80.0 + 0.12 * (piece.y - 80.0),
            ..piece
        });
        check(&page, false, &[&[0, 2], &[1, 3]]);
    }

    #[test]
    fn lines_of_one_column_stay_together() {
        let page = [
            piece(0, (50.0, 500.0), 80.0),
            piece(1, (50.0, 540.0), 92.0),
            piece(2, (50.0, 120.0), 104.0),
        ];
        check(&page, false, &[&[0, 1, 2]]);
    }
}
