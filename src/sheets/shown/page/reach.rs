//! Text that runs over the last used column. Excel prints it, if necessary on additional pages. Draws nothing.

use super::cell;
use crate::{
    error::Result,
    job::Job,
    shown::{
        book::{Book, Grid},
        style::{Across, Turn},
        text::{Kind, Shown},
    },
    worksheet::View,
};
use convertd_layout::context::Layout;

/// Maximum number of columns beyond the used ones that text may run over.
const MOST: u32 = 64;

/// Maximum number of texts that are measured. Texts in later rows are cut at the last column.
const MAX_MEASURED: u32 = 20_000;

/// Number of rows between two checks of the job's deadline.
const ROWS_PER_CHECK: usize = 256;

/// Padding of a text on both sides together, in points.
const PADDING: f32 = 3.0;

/// Number of columns that a sheet needs when text runs over. `used` is the number of columns with content.
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
        // Quick test without measuring: no character is wider than the font size.
        let letters: usize = shown.runs.iter().map(|run| run.text.chars().count()).sum();
        if letters as f32 * style.font.size + PADDING <= room || measured == MAX_MEASURED {
            continue;
        }
        measured += 1;
        let mut merged = grid.merged.iter();
        if merged.any(|range| range.contains(line.number, last.column)) {
            continue;
        }
        // Width of all columns that the text may reach; measuring stops there.
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
