//! Heights of visible rows: those that the file states, or else those that the cells need; hidden rows have height 0.
//! Draws nothing.

use super::{
    axis::Axis,
    cell::{self, wraps},
};
use crate::{
    error::Result,
    job::Job,
    shown::{
        book::{Book, Grid, Line, Range, Value},
        measure,
        style::{Font, Turn},
        text::Shown,
    },
    worksheet::View,
};
use convertd_layout::context::Layout;
use std::{collections::HashMap, rc::Rc};

/// Maximum height of a row in Excel, in points.
const MAX: f32 = 409.5;

/// Measures the first `count` rows of a sheet.
pub(super) fn rows(
    job: &Job<'_>,
    book: &Book,
    grid: &Grid,
    count: u32,
    view: View,
    layout: &mut Layout<'_>,
) -> Result<Axis> {
    let normal = measure::row_height(&book.normal, &mut layout.faces);
    let mut heights = Heights {
        book,
        grid,
        view,
        layout,
        default: match grid.hides_rows {
            true => 0.0,
            false => grid.default_height.unwrap_or(normal).clamp(0.0, MAX),
        },
        known: HashMap::new(),
        merged: grid
            .merged
            .iter()
            .map(|range| (range.first, range))
            .collect(),
    };
    let mut lines = grid.rows.iter().peekable();
    let mut sizes = Vec::with_capacity(count as usize);
    for number in 0..count {
        if number % 4096 == 0 {
            job.check()?;
        }
        let height = match lines.next_if(|line| line.number == number) {
            Some(line) if line.hidden => 0.0,
            Some(line) => match line.height {
                Some(height) => height.clamp(0.0, MAX),
                None => heights.needed_height(line),
            },
            None => heights.default,
        };
        sizes.push((number, height));
    }
    Ok(Axis::new(sizes.into_iter()))
}

/// Measures rows of a sheet.
struct Heights<'l, 'a, 'b> {
    book: &'b Book,
    /// The sheet.
    grid: &'b Grid,
    view: View,
    /// Layout with the fonts.
    layout: &'l mut Layout<'a>,
    /// Height of rows without an entry, in points. 0 if such rows are hidden.
    default: f32,
    /// Cached heights of a line by the address of its font, which is unique because the fonts live as long as the
    /// workbook.
    known: HashMap<*const Font, f32>,
    /// Merged ranges by their first cell.
    merged: HashMap<(u32, u32), &'b Range>,
}

impl Heights<'_, '_, '_> {
    /// Height of a line in a font, in points.
    fn of(&mut self, font: &Rc<Font>) -> f32 {
        let height = self.known.entry(Rc::as_ptr(font));
        *height.or_insert_with(|| measure::row_height(font, &mut self.layout.faces))
    }

    /// Height that the cells of a row need, in points.
    ///
    /// As in Excel, a cell that is merged over several rows does not count, and the text of a cell that is merged over
    /// several columns counts as a single line.
    fn needed_height(&mut self, line: &Line) -> f32 {
        let mut most = self.default;
        for cell in line.cells.iter().filter(|cell| !cell.value.is_empty()) {
            let merged = self.merged.get(&(line.number, cell.column)).copied();
            if merged.is_some_and(|range| range.first.0 != range.last.0) {
                continue;
            }
            let style = self.book.style(cell.style);
            let breaks = wraps(&style.align) && style.align.turn == Turn::None && merged.is_none();
            if !breaks && !matches!(cell.value, Value::Rich(_)) {
                most = most.max(self.of(&style.font));
                continue;
            }
            let shown = Shown::of(cell, &style, self.book, self.view);
            let mut single = self.of(&style.font);
            for font in shown.runs.iter().filter_map(|run| run.font.as_ref()) {
                single = single.max(self.of(font));
            }
            let lines = match breaks {
                true => {
                    let width = self.grid.width(cell.column);
                    cell::line_count(self.layout, &shown, &style, width)
                }
                false => 1,
            };
            most = most.max(single * lines as f32);
        }
        most.min(MAX)
    }
}
