//! The collapsing border model of tables (CSS 2.2, 17.6.2). Paints no borders.

use super::{
    engine::Engine,
    tree::{BoxId, Cell, Group, Row, Table},
};
use convertd_markup::css::{
    colour::Paint,
    style::{BOTTOM, Border, BorderCollapse, LEFT, LineStyle, RIGHT, Style, TOP},
};
use std::rc::Rc;

/// A row with the row group around it.
struct GroupedRow<'t> {
    group: &'t Group,
    row: &'t Row,
    /// Whether it is the first and the last row of the group.
    is_first: bool,
    is_last: bool,
}

/// The rows and cells of a table.
struct Grid<'t> {
    table: &'t Table,
    style: &'t Style,
    rows: Vec<GroupedRow<'t>>,
    /// For each slot of the grid, the cell that covers it. Rows may be shorter than the table.
    slots: Vec<Vec<Option<BoxId>>>,
    /// Sides at which lines start and end.
    start: usize,
    end: usize,
}

impl<'t> Grid<'t> {
    fn new(table: &'t Table, style: &'t Style) -> Self {
        let rows: Vec<GroupedRow<'t>> = table
            .groups
            .iter()
            .flat_map(|group| {
                let count = group.rows.len();
                let rows = group.rows.iter().enumerate();
                rows.map(move |(at, row)| GroupedRow {
                    group,
                    row,
                    is_first: at == 0,
                    is_last: at + 1 == count,
                })
            })
            .collect();
        let mut slots: Vec<Vec<Option<BoxId>>> = vec![Vec::new(); rows.len()];
        for (at, line) in rows.iter().enumerate() {
            for cell in &line.row.cells {
                for line in slots.iter_mut().skip(at).take(cell.rows) {
                    line.resize(line.len().max(cell.column + cell.columns), None);
                    for place in &mut line[cell.column..cell.column + cell.columns] {
                        *place = Some(cell.id);
                    }
                }
            }
        }
        let (start, end) = match style.is_rtl() {
            true => (RIGHT, LEFT),
            false => (LEFT, RIGHT),
        };
        Self {
            table,
            style,
            rows,
            slots,
            start,
            end,
        }
    }

    /// Returns whether a side of a cell is at the edge of the table. `at` is the row of the cell.
    fn is_edge(&self, at: usize, cell: &Cell, side: usize) -> bool {
        match side {
            TOP => at == 0,
            BOTTOM => self.end_row(at, cell) == self.rows.len(),
            side if side == self.start => cell.column == 0,
            _ => cell.column + cell.columns == self.table.count,
        }
    }

    /// Index of the row after those of a cell, which begins in row `at`.
    fn end_row(&self, at: usize, cell: &Cell) -> usize {
        (at + cell.rows).min(self.rows.len())
    }

    /// Borders that compete for a side of a cell, which begins in row `at`: those of cells, then of rows, row groups,
    /// columns and the table. Of two alike, the first is that of the upper one, or of the one closer to the start of the
    /// lines. `border` is that of a cell.
    fn rivals(
        &self,
        (at, cell): (usize, &Cell),
        side: usize,
        border: &dyn Fn(BoxId, usize) -> Border,
    ) -> Vec<Border> {
        let is_edge = self.is_edge(at, cell, side);
        let of_table = is_edge.then(|| border_of(self.style, side));
        let slot =
            |row: Option<usize>, column: Option<usize>| *self.slots.get(row?)?.get(column?)?;
        let column = |at: Option<usize>, side: usize| {
            let style = self.table.columns.get(at?)?.as_ref()?;
            Some(border_of(style, side))
        };
        let all = match side {
            TOP | BOTTOM => {
                // The rows above and below the border.
                let below = if side == TOP {
                    at
                } else {
                    self.end_row(at, cell)
                };
                let above = below.checked_sub(1);
                let [over, under] = [above, Some(below)].map(|at| self.rows.get(at?));
                let over_group = over.filter(|line| line.is_last).map(|line| line.group);
                let under_group = under.filter(|line| line.is_first).map(|line| line.group);
                let first = Some(cell.column);
                vec![
                    slot(above, first).map(|id| border(id, BOTTOM)),
                    slot(Some(below), first).map(|id| border(id, TOP)),
                    over.map(|line| border_of(&line.row.style, BOTTOM)),
                    under.map(|line| border_of(&line.row.style, TOP)),
                    over_group.map(|group| border_of(&group.style, BOTTOM)),
                    under_group.map(|group| border_of(&group.style, TOP)),
                    column(first.filter(|_| is_edge), side),
                    of_table,
                ]
            }
            _ => {
                // The columns before and after the border.
                let after = match side == self.start {
                    true => cell.column,
                    false => cell.column + cell.columns,
                };
                let before = after.checked_sub(1);
                let line = self.rows.get(at).filter(|_| is_edge);
                vec![
                    slot(Some(at), before).map(|id| border(id, self.end)),
                    slot(Some(at), Some(after)).map(|id| border(id, self.start)),
                    line.map(|line| border_of(&line.row.style, side)),
                    line.map(|line| border_of(&line.group.style, side)),
                    column(before, self.end),
                    column(Some(after), self.start),
                    of_table,
                ]
            }
        };
        all.into_iter().flatten().collect()
    }
}

impl Engine<'_, '_> {
    /// Resolves the borders of a table in the collapsing border model (17.6.2.1).
    ///
    /// Half of the width of the winning border at each side of a cell goes to the cell. On each side of the table, half
    /// of the widest border at its edge goes to the table.
    pub(crate) fn collapse(&mut self, id: BoxId, table: &Rc<Table>) {
        let style = self.style(id).clone();
        if style.text.border_collapse != BorderCollapse::Collapse || self.borders.contains_key(&id)
        {
            return;
        }
        let grid = Grid::new(table, &style);
        let mut outer = [0.0_f32; 4];
        for (at, line) in grid.rows.iter().enumerate() {
            for cell in &line.row.cells {
                let border = |id: BoxId, side: usize| border_of(self.style(id), side);
                let found: [Option<Border>; 4] = std::array::from_fn(|side| {
                    let rivals = grid.rivals((at, cell), side, &border);
                    rivals.into_iter().fold(Some(Border::NONE), stronger)
                });
                let halves = found.map(|border| border.map_or(0.0, |border| border.width() / 2.0));
                for (side, half) in halves.into_iter().enumerate() {
                    if grid.is_edge(at, cell, side) {
                        outer[side] = outer[side].max(half);
                    }
                }
                self.borders.insert(cell.id, halves);
                self.collapsed.insert(cell.id, Box::new(found));
            }
        }
        self.borders.insert(id, outer);
    }
}

/// Border of an element at a side, in its own colour, which another element may draw.
fn border_of(style: &Style, side: usize) -> Border {
    let mut border = style.border[side];
    border.colour = Paint::Rgba(border.colour.or(style.text.colour));
    border
}

/// Winner of two borders (17.6.2.1): a hidden border (`None`) wins, or else the wider border, or else the border whose
/// style has the higher rank, or else the first.
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
