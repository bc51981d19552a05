//! Tables of a DoclingDocument: a list of cells with their positions in the table, and the table row by row.

use super::{
    items::{ItemRef, List, Members},
    write::Writer,
};
use crate::error::Result;
use convertd_tree::{self as tree, Block, Inline, Slot as Grid, Table};
use std::borrow::Cow;

impl<'d> Writer<'d, '_> {
    /// Adds a table with its caption, and the pictures in it.
    pub(super) fn table(
        &mut self,
        parent: ItemRef,
        table: &'d Table,
        caption: &'d [Block],
    ) -> Result<()> {
        let columns = table.columns.len();
        let mut cells = Vec::new();
        let mut grid: Vec<Vec<usize>> = Vec::new();
        for (is_head, part) in [
            (true, &table.head),
            (false, &table.body),
            (false, &table.foot),
        ] {
            let first = grid.len();
            for (_, places) in table.grid(part) {
                // Numbers of the cells in the row above, for cells that span into this row.
                let above = grid[first..].last().map_or(&[][..], Vec::as_slice);
                let places = self.row(is_head, grid.len(), &places, above, &mut cells)?;
                self.items.hold(columns * size_of::<usize>())?;
                grid.push(places);
            }
        }
        let rows = grid.len();
        let mut data = Members::default()
            .list("table_cells", cells.iter())
            .json("num_rows", &rows)
            .json("num_cols", &columns);
        // The grid is optional, because readers can make it from the cells. It repeats a cell at each position that the
        // cell spans. The grid of a table with many empty or wide cells would therefore be many times as large as the
        // list of its cells.
        let length_of = |at: &usize| cells.get(*at).map_or(EMPTY, String::len);
        let grid_length: usize = grid.iter().flatten().map(length_of).sum();
        let length: usize = cells.iter().map(String::len).sum();
        if grid_length <= MAX_GROWTH * (length + LEAST) {
            // A line, its copy in brackets and the data are in memory at the same time.
            self.items.hold(3 * grid_length)?;
            let lines = grid.iter().enumerate().map(|(row, places)| {
                let line = places.iter().enumerate().map(|(column, at)| {
                    let cell = cells.get(*at).map(|cell| Cow::Borrowed(&**cell));
                    cell.unwrap_or_else(|| cell_of("", row, column, (1, 1), false, false).into())
                });
                let line: Vec<Cow<'_, str>> = line.collect();
                format!("[{}]", line.join(","))
            });
            data = data.list("grid", lines);
        }
        let members = Members::default().json("data", &data.object());
        let place = self.items.add(List::Tables, parent, "table", members)?;
        self.items.set_places(place, self.regions, 0)?;
        self.caption(place, caption)?;
        // A cell is a text, so pictures follow the table.
        let mut pictures = Vec::new();
        for cell in table.rows().flat_map(|row| &row.cells) {
            tree::each_inline(&cell.blocks, &mut |inline| {
                if let Inline::Picture(picture) = inline {
                    pictures.push(&**picture);
                }
            });
        }
        pictures.retain(|picture| !self.document.is_decoration(picture));
        self.pictures(parent, &pictures, &[])
    }

    /// Adds the cells of a row, and returns for each column the number of the cell in it. A column without a cell gets
    /// `NONE`.
    fn row(
        &mut self,
        is_head: bool,
        at: usize,
        places: &[Grid<'d>],
        above: &[usize],
        cells: &mut Vec<String>,
    ) -> Result<Vec<usize>> {
        const NONE: usize = usize::MAX;
        let mut numbers = Vec::new();
        for place in places {
            let (number, wide) = match place {
                Grid::Cell { column, cell } => {
                    let text = self.flat(&cell.blocks)?;
                    let spans = (usize::from(cell.rows), usize::from(cell.columns));
                    let json =
                        cell_of(&text, at, *column, spans, is_head, cell.heading && !is_head);
                    self.items.hold(2 * json.len())?;
                    cells.push(json);
                    (cells.len() - 1, spans.1)
                }
                Grid::Covered { column, cell } => {
                    let number = above.get(*column).copied().unwrap_or(NONE);
                    (number, usize::from(cell.columns))
                }
                Grid::Missing { .. } => (NONE, 1),
            };
            numbers.extend(std::iter::repeat_n(number, wide));
        }
        Ok(numbers)
    }
}

/// Limit on the length of a grid, as a multiple of the length of its cells. A longer grid is left out.
const MAX_GROWTH: usize = 16;
/// Number of bytes that is added to the length of the cells, so that a small table keeps its grid.
const LEAST: usize = 1024;

/// Estimated length of the JSON for an empty position in a grid, in bytes.
const EMPTY: usize = 220;

/// A cell in JSON, with the number of rows and of columns that it spans.
fn cell_of(
    text: &str,
    row: usize,
    column: usize,
    (rows, columns): (usize, usize),
    is_column_head: bool,
    is_row_head: bool,
) -> String {
    Members::default()
        .json("row_span", &rows)
        .json("col_span", &columns)
        .json("start_row_offset_idx", &row)
        .json("end_row_offset_idx", &(row + rows))
        .json("start_col_offset_idx", &column)
        .json("end_col_offset_idx", &(column + columns))
        .text("text", text)
        .json("column_header", &is_column_head)
        .json("row_header", &is_row_head)
        .json("row_section", &false)
        .object()
}
