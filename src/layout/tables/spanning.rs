//! Cells that span several rows, and the height that borders take. Sets no cell.

use super::super::{
    item::{Row, SetCell},
    units::points,
};
use convertd_tree::Border;

/// A cell that spans several rows, before it is divided among them.
pub(super) struct Hanging {
    pub(super) cell: SetCell,
    /// Index of the cell's first row in its group.
    pub(super) from: usize,
    /// Index of the row after the cell's last one.
    pub(super) to: usize,
}

/// Adds the height that borders between rows take in Word: that of the upper border in each row, and that of the lower
/// border in the last row of the table.
pub(super) fn make_room_for_borders(rows: &mut [Row], hanging: &mut [Hanging], ends: bool) {
    let widest = |borders: &mut dyn Iterator<Item = Option<Border>>| {
        let widths = borders.flatten().map(|border| points(border.width));
        widths.fold(0.0, f32::max)
    };
    // Of two borders at the same edge, only the wider one takes height.
    let mut between = 0.0;
    let last = rows.len().saturating_sub(1);
    for (at, row) in rows.iter_mut().enumerate() {
        let begun = hanging.iter().filter(|one| one.from == at);
        let mut tops = row.cells.iter().map(|cell| cell.top);
        let top = widest(&mut tops.by_ref().chain(begun.map(|one| one.cell.top))).max(between);
        between = widest(&mut row.cells.iter().map(|cell| cell.bottom));
        let begun = hanging.iter_mut().filter(|one| one.from == at);
        for cell in row.cells.iter_mut().chain(begun.map(|one| &mut one.cell)) {
            cell.above += top;
        }
        if at == last && ends {
            row.cells.iter_mut().for_each(|cell| cell.below += between);
        }
    }
}

/// Divides a cell among the rows that it spans. Each row gets the slices that begin in the row. If a slice crosses the
/// edge between two rows, these rows stay on one page.
pub(super) fn hang(hanging: Hanging, rows: &mut [Row], heights: &[f32], keep: &mut [bool]) {
    let Hanging { mut cell, from, to } = hanging;
    let there: f32 = heights[from..to].iter().sum();
    // For vertical alignment, the cell is as high as all its rows together.
    let free = (there - cell.above - cell.below - cell.content()).max(0.0);
    let mut y = cell.above + cell.lowered * free;
    cell.lowered = 0.0;
    let mut slices = std::mem::take(&mut cell.slices).into_iter().peekable();
    let mut top = 0.0;
    let mut first = true;
    for at in from..to {
        let end = top + heights[at];
        let mut part = SetCell {
            above: 0.0,
            below: 0.0,
            goes_on: at + 1 < to,
            from_above: at > from,
            ..cell.clone()
        };
        while let Some(slice) = slices.peek() {
            let start = y + if first { 0.0 } else { slice.before };
            if start >= end && at + 1 < to {
                // The slice begins in a later row.
                break;
            }
            let Some(mut slice) = slices.next() else {
                break;
            };
            if part.slices.is_empty() {
                part.above = start - top;
                slice.before = 0.0;
            }
            y = start + slice.height;
            if y > end + 0.1 && at + 1 < to {
                // The slice crosses the lower edge of this row.
                keep[at] = true;
            }
            part.slices.push(slice);
            first = false;
        }
        rows[at].cells.push(part);
        top = end;
    }
    // If rows stay together, the first of them paints the background of the cell for all of them. The background of a
    // later row would cover text that begins in an earlier one.
    let mut begins = from;
    for at in from + 1..to {
        if !keep[at - 1] {
            begins = at;
            continue;
        }
        if let Some(part) = rows[at].cells.last_mut() {
            part.background = None;
        }
        if let Some(part) = rows[begins].cells.last_mut() {
            part.further += heights[at];
        }
    }
}
