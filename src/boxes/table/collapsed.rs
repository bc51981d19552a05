//! Collapsed borders of a table: the border of each edge of the grid (CSS 2.2, 17.6.2). Paints nothing.

use super::super::{
    engine::Engine,
    tree::{BoxId, Table},
};
use convertd_markup::css::style::{BOTTOM, Border, BorderCollapse, LEFT, LineStyle, RIGHT, TOP};
use std::rc::Rc;

impl Engine<'_, '_> {
    /// Resolves the borders of a table in the collapsing border model (CSS 2.2, 17.6.2.1).
    ///
    /// For each side of a cell, the borders of the cell, its neighbour, rows, row groups, columns and table compete.
    /// Half of the width of the winning border goes to the cell. On each side of the table, half of the widest border
    /// at its edge goes to the table.
    pub(crate) fn collapse(&mut self, id: BoxId, table: &Rc<Table>) {
        let style = self.style(id).clone();
        if style.text.border_collapse != BorderCollapse::Collapse || self.borders.contains_key(&id)
        {
            return;
        }
        let rows: Vec<_> = table
            .groups
            .iter()
            .flat_map(|group| {
                let count = group.rows.len();
                group
                    .rows
                    .iter()
                    .enumerate()
                    .map(move |(at, row)| (group, at == 0, at + 1 == count, row))
            })
            .collect();
        let grid = slots(table);
        let mut outer = [0.0_f32; 4];
        for (at, (group, first, last, row)) in rows.iter().enumerate() {
            for cell in &row.cells {
                let own = self.style(cell.id).border;
                let end_row = (at + cell.rows).min(rows.len());
                let end_column = cell.column + cell.columns;
                let mut found: [Option<Border>; 4] = own.map(Some);
                // Borders of the neighbouring cells on each side, if there are such cells.
                let of = |row: Option<usize>, column: Option<usize>, side: usize| {
                    let id = (*grid.get(row?)?.get(column?)?)?;
                    Some(self.style(id).border[side])
                };
                let (left, column) = (cell.column.checked_sub(1), Some(cell.column));
                let beside = [
                    of(at.checked_sub(1), column, BOTTOM),
                    of(Some(at), Some(end_column), LEFT),
                    of(Some(end_row), column, TOP),
                    of(Some(at), left, RIGHT),
                ];
                // Sides that lie at the edge of the table.
                let edges = [
                    at == 0,
                    end_column == table.count,
                    end_row == rows.len(),
                    cell.column == 0,
                ];
                let above_row = at
                    .checked_sub(1)
                    .map(|above| rows[above].3.style.border[BOTTOM]);
                for side in 0..4 {
                    // Borders that compete with the cell's own: first the border of the neighbouring cell. At the top
                    // and bottom, rows and the row group follow; at the left and right, the column and, at the edge of
                    // the table, the row. The border of the table comes last, at its edges.
                    let mut rivals = vec![beside[side]];
                    match side {
                        TOP => {
                            rivals.push(Some(row.style.border[TOP]));
                            rivals.push(above_row);
                            rivals.push(first.then_some(group.style.border[TOP]));
                        }
                        BOTTOM => {
                            rivals.push(Some(rows[end_row - 1].3.style.border[BOTTOM]));
                            rivals.push(rows.get(end_row).map(|below| below.3.style.border[TOP]));
                            rivals.push(last.then_some(group.style.border[BOTTOM]));
                        }
                        _ => {
                            let column = if side == LEFT {
                                cell.column
                            } else {
                                end_column - 1
                            };
                            let column = table.columns.get(column).and_then(Option::as_ref);
                            rivals.push(column.map(|style| style.border[side]));
                            rivals.push(edges[side].then_some(row.style.border[side]));
                        }
                    }
                    rivals.push(edges[side].then_some(style.border[side]));
                    // If borders are equal, the first in this order wins.
                    for rival in rivals.into_iter().flatten() {
                        found[side] = stronger(found[side], rival);
                    }
                    // Half of the widest border at each edge counts as the table's own border.
                    if edges[side] {
                        let width = found[side].map_or(0.0, |border| border.width());
                        outer[side] = outer[side].max(width / 2.0);
                    }
                }
                let halves = found.map(|border| border.map_or(0.0, |border| border.width() / 2.0));
                self.borders.insert(cell.id, halves);
                self.collapsed.insert(cell.id, Box::new(found));
            }
        }
        self.borders.insert(id, outer);
    }
}

/// For each slot of a table's grid, the cell that covers it. Rows may be shorter than the table.
fn slots(table: &Table) -> Vec<Vec<Option<BoxId>>> {
    let rows: Vec<_> = table.groups.iter().flat_map(|group| &group.rows).collect();
    let mut grid: Vec<Vec<Option<BoxId>>> = vec![Vec::new(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        for cell in &row.cells {
            for line in grid.iter_mut().skip(at).take(cell.rows) {
                line.resize(line.len().max(cell.column + cell.columns), None);
                for place in &mut line[cell.column..cell.column + cell.columns] {
                    *place = Some(cell.id);
                }
            }
        }
    }
    grid
}

/// Winner of two borders (CSS 2.2, 17.6.2.1): a hidden border (`None`) wins, or else the wider border, or else the
/// border whose style has the higher rank.
fn stronger(one: Option<Border>, other: Border) -> Option<Border> {
    let one = one?;
    if one.style == LineStyle::Hidden || other.style == LineStyle::Hidden {
        return None;
    }
    // The order of the specification: double before solid, dashed, dotted, ridge, outset, groove and inset.
    let rank = |border: &Border| match border.style {
        LineStyle::None | LineStyle::Hidden => 0,
        LineStyle::Inset => 1,
        LineStyle::Groove => 2,
        LineStyle::Outset => 3,
        LineStyle::Ridge => 4,
        LineStyle::Dotted => 5,
        LineStyle::Dashed => 6,
        LineStyle::Solid => 7,
        LineStyle::Double => 8,
    };
    let wins = (other.width(), rank(&other)) > (one.width(), rank(&one));
    Some(if wins { other } else { one })
}
