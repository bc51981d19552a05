//! Text that runs over the last used column: Excel prints it, on pages of its own if need be.

use super::cell;
use crate::{
    error::Result,
    job::Job,
    sheet::View,
    shown::{
        book::{Book, Grid},
        style::{Across, Turn},
        text::{Kind, Shown},
    },
};
use convertd_layout::context::Layout;

/// The limit on columns that text reaches into.
const MOST: u32 = 64;

/// The limit on texts that are measured. Those of further rows are cut where the last column ends.
const MAX_MEASURED: u32 = 20_000;

/// Rows between two checks of the job's deadline.
const ROWS_PER_CHECK: usize = 256;

/// The room on either side of a text, in points.
const PADDING: f32 = 3.0;

/// The number of columns of a sheet, of which so many are used, with those that text runs into.
pub(super) fn columns(
    job: &Job<'_>,
    book: &Book,
    grid: &Grid,
    used: u32,
    view: View,
    layout: &mut Layout<'_>,
) -> Result<u32> {
    let (mut reached, mut measured) = (used, 0);
    for (number, line) in grid.rows.iter().enumerate() {
        if number % ROWS_PER_CHECK == 0 {
            job.check()?;
        }
        let last = line.cells.iter().rev().find(|cell| !cell.value.is_empty());
        let Some(last) = last.filter(|_| !line.hidden) else {
            continue;
        };
        let style = grid.look(book, line.number, Some(line), last.column);
        let shown = Shown::of(last, &style, book, view);
        let to_the_right = matches!(cell::side(&style.align, shown.kind), Across::Left);
        if shown.kind != Kind::Text
            || !to_the_right
            || cell::wraps(&style.align)
            || style.align.shrink
            || style.align.turn != Turn::None
            || grid
                .merged
                .iter()
                .any(|range| range.contains(line.number, last.column))
        {
            continue;
        }
        let mut room: f32 = (last.column..reached)
            .map(|column| grid.width(column))
            .sum();
        // No letter is wider than its line is high.
        let letters: usize = shown.runs.iter().map(|run| run.text.chars().count()).sum();
        if letters as f32 * style.font.size + PADDING <= room || measured == MAX_MEASURED {
            continue;
        }
        measured += 1;
        let mut merged = grid.merged.iter();
        if merged.any(|range| range.contains(line.number, last.column)) {
            continue;
        }
        // As wide as all columns that it may reach.
        let end = used.saturating_add(MOST);
        let most: f32 = (last.column..end).map(|column| grid.width(column)).sum();
        let width = cell::width(layout, &shown, &style, most) + PADDING;
        while room < width && reached < end {
            room += grid.width(reached);
            reached += 1;
        }
    }
    Ok(reached)
}
