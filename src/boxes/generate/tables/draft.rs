//! The grid of a table while its boxes are generated: assigns cells to rows and columns (CSS Tables 3, 3.3). Generates no
//! box.

use super::super::Generator;
use crate::tree::{BoxContent, BoxId, Cell, Group, Row, RowGroupKind, Table};
use convertd_markup::{
    css::style::{Display, Style, made},
    dom::NodeId,
};
use std::rc::Rc;

/// Limit on `colspan` (HTML, 4.9.11), and on the columns of a table.
pub(super) const MAX_COLUMNS: usize = 1000;
/// Limit on `rowspan` (HTML, 4.9.11).
pub(super) const MAX_ROWS: usize = 65_534;
/// Limit on grid slots that cells cover, or that are skipped in the search for free columns. Without it, ten thousand
/// rows with a cell across all columns and rows would cover fifty million slots.
const MAX_PLACES: usize = 5_000_000;

/// A table under construction: its parts, and the state of placing cells in the grid.
pub(super) struct Draft {
    /// Style of the table.
    pub(super) style: Rc<Style>,
    /// Caption boxes so far.
    pub(super) captions: Vec<BoxId>,
    /// Styles of the columns that have an element.
    pub(super) columns: Vec<Option<Rc<Style>>>,
    /// Row groups so far; rows are added to the last one.
    pub(super) groups: Vec<Group>,
    /// For each column, the first row of the current group that no cell from above covers.
    pub(super) taken: Vec<usize>,
    /// Number of the current row in its group.
    pub(super) row: usize,
    /// First column of the current row that may be free.
    pub(super) next: usize,
    /// Number of columns so far.
    pub(super) count: usize,
    /// Number of slots skipped or covered, for [`MAX_PLACES`].
    pub(super) places: usize,
}

impl Draft {
    /// Begins an empty table.
    pub(super) fn new(style: Rc<Style>) -> Self {
        Self {
            style,
            captions: Vec::new(),
            columns: Vec::new(),
            groups: Vec::new(),
            taken: Vec::new(),
            row: 0,
            next: 0,
            count: 0,
            places: 0,
        }
    }

    /// Begins a row group.
    pub(super) fn begin_group(
        &mut self,
        part: RowGroupKind,
        style: Rc<Style>,
        dom: Option<NodeId>,
    ) {
        self.taken.clear();
        self.row = 0;
        self.groups.push(Group {
            part,
            style,
            dom,
            rows: Vec::new(),
        });
    }

    /// Rows of the current group; begins an anonymous group if the table has no group.
    fn rows(&mut self) -> &mut Vec<Row> {
        if self.groups.is_empty() {
            let style = made(|| self.style.inherited(Display::RowGroup));
            self.begin_group(RowGroupKind::Body, style, None);
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last].rows
    }

    /// Adds an empty row with this style to the current row group.
    pub(super) fn begin_row(&mut self, style: Rc<Style>) {
        self.rows().push(Row {
            style,
            cells: Vec::new(),
        });
    }

    /// Moves on to the first column of the next row.
    pub(super) fn end_row(&mut self) {
        self.row += 1;
        self.next = 0;
    }

    /// Places a cell that spans `columns` and `rows` at the first free column of the current row (HTML, 4.9.12).
    pub(super) fn cell(&mut self, id: BoxId, columns: usize, rows: usize) {
        if self.places > MAX_PLACES {
            // The limit is exceeded, so the page will be laid out without its styles.
            return;
        }
        // Cells from above may reach into this row; their columns are skipped.
        let is_taken = |until: &usize| *until > self.row;
        let occupied = self.taken.iter().skip(self.next);
        let column = self.next + occupied.take_while(|until| is_taken(until)).count();
        self.places = self.places.saturating_add(column - self.next);
        let columns = columns.min(MAX_COLUMNS.saturating_sub(column)).max(1);
        let end = column + columns;
        if self.taken.len() < end {
            self.taken.resize(end, 0);
        }
        // Records the rows that this cell covers.
        for taken in &mut self.taken[column..end] {
            *taken = (*taken).max(self.row.saturating_add(rows));
        }
        self.next = end;
        self.count = self.count.max(end);
        if let Some(row) = self.rows().last_mut() {
            row.cells.push(Cell {
                id,
                column,
                columns,
                rows,
            });
        }
    }

    /// Records for each cell the style of its column if the column has a background, unless a row or
    /// group covers it (CSS 2.2, 17.5.1).
    fn show_columns(&self, generator: &mut Generator<'_, '_>) {
        if self.columns.is_empty() {
            return;
        }
        for group in self.groups.iter().filter(|group| !is_painted(&group.style)) {
            for row in group.rows.iter().filter(|row| !is_painted(&row.style)) {
                for cell in &row.cells {
                    if let Some(Some(style)) = self.columns.get(cell.column)
                        && is_painted(style)
                    {
                        generator.boxes.get_mut(cell.id).column = Some(style.clone());
                    }
                }
            }
        }
    }

    /// Completes the table: cuts row spans at the ends of groups, and puts header groups first and
    /// footer groups last.
    pub(super) fn finish(
        mut self,
        generator: &mut Generator<'_, '_>,
        dom: Option<NodeId>,
    ) -> BoxId {
        // A cell spans no further than its group (HTML, 4.9.12). The limit is on the slots of the grid that cells
        // cover.
        for group in &mut self.groups {
            let count = group.rows.len();
            for (index, row) in group.rows.iter_mut().enumerate() {
                for cell in &mut row.cells {
                    cell.rows = cell.rows.min(count - index).max(1);
                    let covered = cell.rows.saturating_mul(cell.columns);
                    self.places = self.places.saturating_add(covered);
                }
            }
        }
        generator.full |= self.places > MAX_PLACES;
        self.show_columns(generator);
        // Header groups come to the top and footer groups to the bottom, regardless of their order in the document (CSS
        // 2.2, 17.2).
        let order = |group: &Group| match group.part {
            RowGroupKind::Head => 0,
            RowGroupKind::Body => 1,
            RowGroupKind::Foot => 2,
        };
        self.groups.sort_by_key(order);
        self.columns.truncate(MAX_COLUMNS);
        let table = Table {
            captions: self.captions,
            count: self.count.max(self.columns.len()),
            columns: self.columns,
            groups: self.groups,
        };
        generator
            .boxes
            .add(self.style, BoxContent::Table(Rc::new(table)), dom)
    }
}

/// Returns whether a style has a background.
fn is_painted(style: &Style) -> bool {
    !style.layers.is_empty() || !style.background.or(style.text.colour).is_clear()
}
