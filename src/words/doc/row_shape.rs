//! Geometry and formatting of table rows (MS-DOC 2.9.323, 2.9.304): applies property modifiers (sprms) to a row.
//! Reads no text.

use super::{colours, sprm::Sprm};
use crate::containers::fields::Fields;
use convertd_office::wordprocessing::{GridCell, GridRow};
use convertd_tree::{Alignment, Border, Borders, CellStyle, Colour, Length, VerticalAlignment};

/// Max. number of cells in a row (MS-DOC 2.6.3).
const MAX_CELLS: usize = 63;

/// Formatting of a table row and of its cells.
#[derive(Clone, Debug, Default)]
pub(super) struct RowShape {
    /// Position of the cells, for the grid of the table.
    pub(super) grid: GridRow,
    /// Stated height.
    pub(super) height: Option<Length>,
    /// Whether the height is exact. Otherwise it is a minimum.
    pub(super) exact: bool,
    /// Alignment of the table.
    pub(super) alignment: Option<Alignment>,
    /// Whether the cells run from right to left.
    pub(super) backwards: bool,
    /// Edges of cells, in twips: one more than there are cells.
    edges: Vec<i32>,
    /// Cells, in the order of the file.
    cells: Vec<Cell>,
    /// Default borders of the table, for cells that specify none: top, start, bottom and end of the table, and then
    /// the borders between rows and between columns.
    borders: [Option<Border>; 6],
}

/// Formatting of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Whether the cell continues the cell to its left.
    continues_left: bool,
    /// Whether the cell continues the cell above.
    continues_above: bool,
    /// Borders in the order top, start, bottom, end. `None` if unspecified.
    borders: [Option<Option<Border>>; 4],
    /// Background colour.
    background: Option<Colour>,
    /// Vertical alignment of the text.
    vertical: Option<VerticalAlignment>,
}

impl RowShape {
    /// Applies a property modifier.
    pub(super) fn apply(&mut self, sprm: Sprm<'_>) {
        let value = sprm.value;
        match sprm.code {
            // Alignment of the row: sprmTJc90 and sprmTJc.
            0x5400 | 0x548a => {
                self.alignment = match value.u16(0) {
                    1 => Some(Alignment::Centre),
                    2 => Some(Alignment::End),
                    _ => None,
                };
            }
            // Header rows and direction: sprmTTableHeader and sprmTFBiDi.
            0x3404 => self.grid.is_head = sprm.is_on(),
            0x560b => self.backwards = value.u16(0) == 1,
            // sprmTDyaRowHeight: the height of the row.
            0x9407 => {
                // A negative height is exact.
                let height = i64::from(value.i16(0));
                self.exact = height < 0;
                let height = height.abs();
                self.height = (height > 0).then(|| Length::twips(height));
            }
            // sprmTDxaLeft moves the whole row.
            0x9601 => {
                let shift = i32::from(value.i16(0)) - self.edges.first().copied().unwrap_or(0);
                self.edges.iter_mut().for_each(|edge| *edge += shift);
            }
            // Borders of the table: sprmTTableBorders80 and sprmTTableBorders.
            0xd605 => {
                let size = if sprm.is_old { 2 } else { 4 };
                for (at, own) in self.borders.iter_mut().enumerate() {
                    *own = old_border(value.from(at * size), sprm.is_old).flatten();
                }
            }
            0xd613 => {
                for (at, own) in self.borders.iter_mut().enumerate() {
                    *own = colours::border_2000(value.from(at * 8)).flatten();
                }
            }
            // sprmTDefTable: the edges and formatting of all cells.
            0xd608 => self.define(value, sprm.is_old),
            // Backgrounds: sprmTDefTableShd80 for all cells. Each of the other modifiers covers 22 cells, since a
            // value has at most 255 bytes.
            0xd609 => self.shade(0, value, 2, |value| colours::old_shading(value.u16(0))),
            0xd612 => self.shade(0, value, 10, colours::shading),
            0xd616 => self.shade(22, value, 10, colours::shading),
            0xd60c => self.shade(44, value, 10, colours::shading),
            // sprmTDxaCol: the width of a range of cells.
            0x7623 => {
                let width = i32::from(value.i16(2));
                self.widen(value.u8(0), value.u8(1), width);
            }
            // sprmTMerge and sprmTSplit: horizontal merging of a range of cells.
            0x5624 | 0x5625 => {
                let merges = sprm.code == 0x5624;
                let first = usize::from(value.u8(0)) + 1;
                for at in first..usize::from(value.u8(1)).min(self.cells.len()) {
                    self.cells[at].continues_left = merges;
                }
            }
            // sprmTVertMerge: vertical merging. 1 continues the cell above.
            0xd62b => {
                if let Some(cell) = self.cells.get_mut(usize::from(value.u8(0))) {
                    cell.continues_above = value.u8(1) == 1;
                }
            }
            // sprmTVertAlign: the vertical alignment of cells.
            0xd62c => {
                let vertical = vertical(value.u8(2).into());
                self.each(value, |cell| cell.vertical = vertical);
            }
            // Borders of cells: sprmTSetBrc80 and sprmTSetBrc.
            0xd620 => {
                let border = colours::border_97(value.from(3));
                self.set_borders(value, border);
            }
            0xd62f => {
                let border = colours::border_2000(value.from(3));
                self.set_borders(value, border);
            }
            0xd61a..=0xd61d => {
                // sprmTBrcTopCv and the next three opcodes set the colours of existing borders.
                let side = usize::from(sprm.code - 0xd61a);
                for (at, cell) in self.cells.iter_mut().enumerate() {
                    if let Some(Some(border)) = &mut cell.borders[side]
                        && value.len() >= at * 4 + 4
                    {
                        border.colour = colours::rgb(value.from(at * 4));
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads the cells of a row (TDefTableOperand): their number, their edges, and a record (TC80) for each cell.
    fn define(&mut self, value: Fields<'_>, is_old: bool) {
        let count = usize::from(value.u8(0)).min(MAX_CELLS);
        self.edges = (0..=count).map(|at| value.i16(1 + at * 2).into()).collect();
        let records = value.from(1 + (count + 1) * 2);
        let size = if is_old { 10 } else { 20 };
        let cells = (0..count).map(|at| {
            let record = records.part(at * size, size);
            let flags = record.u16(0);
            let borders = match is_old {
                true => record.from(2),
                false => record.from(4),
            };
            let step = if is_old { 2 } else { 4 };
            Cell {
                continues_left: flags & 2 != 0 && flags & 1 == 0,
                // 0x20 means that the cell is merged vertically, and 0x40 that the merged cell begins here.
                continues_above: !is_old && flags & 0x60 == 0x20,
                borders: std::array::from_fn(|side| old_border(borders.from(side * step), is_old)),
                background: None,
                vertical: vertical(flags >> 7 & 3),
            }
        });
        self.cells = cells.collect();
    }

    /// Sets the backgrounds of cells from `first` on. `value` has `size` bytes for each of them.
    fn shade(
        &mut self,
        first: usize,
        value: Fields<'_>,
        size: usize,
        colour: fn(Fields<'_>) -> Option<Colour>,
    ) {
        let cells = self.cells.iter_mut().skip(first).take(value.len() / size);
        for (at, cell) in cells.enumerate() {
            cell.background = colour(value.from(at * size));
        }
    }

    /// Sets the borders of a range of cells, on the sides that a bit mask selects.
    fn set_borders(&mut self, value: Fields<'_>, border: Option<Option<Border>>) {
        let sides = value.u8(2);
        self.each(value, |cell| {
            for (at, own) in cell.borders.iter_mut().enumerate() {
                if sides & 1 << at != 0 {
                    *own = border;
                }
            }
        });
    }

    /// Changes the cells in a range, which the first two bytes of the value state.
    fn each(&mut self, value: Fields<'_>, change: impl FnMut(&mut Cell)) {
        let (from, to) = (usize::from(value.u8(0)), usize::from(value.u8(1)));
        let cells = self.cells.iter_mut().take(to).skip(from);
        cells.for_each(change);
    }

    /// Sets the width of a range of cells, and moves the cells after them.
    fn widen(&mut self, from: u8, to: u8, width: i32) {
        for at in usize::from(from)..usize::from(to).min(self.cells.len()) {
            let old_width = self.edges[at + 1] - self.edges[at];
            for edge in &mut self.edges[at + 1..] {
                *edge += width - old_width;
            }
        }
    }

    /// Builds the grid row after the last modifier.
    pub(super) fn settle(mut self) -> Self {
        self.grid.left = self.edges.first().copied().unwrap_or(0);
        let cells = self.cells.iter().enumerate();
        let cells = cells.map(|(at, cell)| GridCell {
            columns: u16::from(!cell.continues_left),
            rows: u16::from(!cell.continues_above),
            edge: self.edges.get(at + 1).copied().unwrap_or(0),
        });
        self.grid.cells = cells.collect();
        self
    }

    /// Formatting of the cell `at`, which spans columns up to the cell `last`. `ends` states whether the cell is in
    /// the first row of the table, and whether it is in the last row. A cell's own border takes precedence over that
    /// of the table.
    pub(super) fn style(&self, at: usize, last: usize, ends: (bool, bool)) -> CellStyle {
        let Some(cell) = self.cells.get(at) else {
            return CellStyle::default();
        };
        let [top, start, bottom, end, rows, columns] = self.borders;
        let outer = |is_outer: bool, outer, inner| if is_outer { outer } else { inner };
        let of_table = [
            outer(ends.0, top, rows),
            outer(at == 0, start, columns),
            outer(ends.1, bottom, rows),
            outer(last + 1 >= self.cells.len(), end, columns),
        ];
        let [top, start, bottom, end] = std::array::from_fn(|side| {
            // The border at the end of merged cells is that of the last cell.
            let own = match side {
                3 => self.cells.get(last).and_then(|cell| cell.borders[side]),
                _ => cell.borders[side],
            };
            own.unwrap_or(of_table[side])
        });
        CellStyle {
            background: cell.background,
            borders: Borders {
                top,
                end,
                bottom,
                start,
            },
            vertical: cell.vertical,
            ..CellStyle::default()
        }
    }
}

/// Decodes a border of Word 6 or 97.
fn old_border(value: Fields<'_>, is_old: bool) -> Option<Option<Border>> {
    match is_old {
        true => colours::border_6(value.u16(0)),
        false => colours::border_97(value),
    }
}

/// Decodes a vertical alignment. `None` for the top, which is the default.
fn vertical(code: u16) -> Option<VerticalAlignment> {
    match code {
        1 => Some(VerticalAlignment::Middle),
        2 => Some(VerticalAlignment::Bottom),
        _ => None,
    }
}
