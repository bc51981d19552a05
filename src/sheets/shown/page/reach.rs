//! Text that runs over the last used column. Excel prints it, if necessary on additional pages. Draws nothing.

use super::{axis::Axis, cell};
use crate::{
    error::Result,
    job::Job,
    shown::{
        book::{Book, Grid},
        merged::Merged,
        style::{HorizontalAlignment, Turn},
        text::{Kind, Shown},
    },
    worksheet::View,
};
use convertd_layout::context::Layout;

/// Maximum number of columns beyond the used ones that text may run over.
const MAX: u32 = 64;

/// Maximum number of texts that are measured. Texts in later rows are cut at the last column.
const MAX_MEASURED: u32 = 20_000;

/// Number of rows between two checks of the job's deadline.
const ROWS_PER_CHECK: usize = 256;

/// Padding of a text on both sides together, in points.
const PADDING: f32 = 3.0;

/// Returns the number of columns that a sheet needs, including those that contain nothing but text running over from
/// other columns. `merged` are its merged ranges, and `used` is the number of columns with content.
pub(super) fn columns(
    job: &Job<'_>,
    book: &Book,
    (grid, merged): (&Grid, &Merged),
    used: u32,
    view: View,
    layout: &mut Layout<'_>,
) -> Result<u32> {
    let (mut reached, mut measured) = (used, 0);
    let end = used.saturating_add(MAX);
    // Cumulative widths: adding the widths up for each row would take time proportional to rows times columns.
    let axis = Axis::new((0..end).map(|column| (column, grid.width(column))));
    let between =
        |first: u32, end: u32| (axis.start_of(end) - axis.start_of(first)).max(0.0) as f32;
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
        let to_the_right = matches!(
            cell::side(&style.align, shown.kind),
            HorizontalAlignment::Left
        );
        if shown.kind != Kind::Text
            || !to_the_right
            || cell::wraps(&style.align)
            || style.align.shrink
            || style.align.turn != Turn::None
            || merged.contains(line.number, last.column)
        {
            continue;
        }
        let mut available = between(last.column, reached);
        // Quick test without measuring: no character is wider than the font size.
        let letters: usize = shown.runs.iter().map(|run| run.text.chars().count()).sum();
        if letters as f32 * style.font.size + PADDING <= available || measured == MAX_MEASURED {
            continue;
        }
        measured += 1;
        // Width of all columns that the text may reach; measuring stops there.
        let most = between(last.column, end);
        let width = cell::width(layout, &shown, &style, most) + PADDING;
        while available < width && reached < end {
            available += grid.width(reached);
            reached += 1;
        }
    }
    Ok(reached)
}
