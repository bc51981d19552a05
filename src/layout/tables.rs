//! Tables: sets cells, and makes each row a slice. Rows are broken over pages later, when pages are filled.

mod spanning;

use super::{
    context::{BlockContext, Flow, Layout},
    item::{SetCell, Slice},
    memory::Part,
    rows,
    structure::{NodeId, Role},
    text_format::{HAIR, QUIET},
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Border, Cell, CellStyle, Direction, Length, LineKind, Row as TreeRow, Table,
    VerticalAlignment, losses::Loss,
};
use spanning::{Hanging, hang, make_room_for_borders};
use std::rc::Rc;

/// Padding on the left and on the right of a cell's text, in points: Word's default of 108 twentieths of a point.
const SIDE: f32 = 5.4;

/// Padding above and below the text in tables without formatting, in points.
const ABOVE: f32 = 3.0;

/// The state while a table is set.
struct Setting<'t> {
    table: &'t Table,
    /// Context of the cells.
    cells: BlockContext,
    /// Left edge of each column, and the right edge of the last one, in points.
    edges: Vec<f32>,
    /// Whether no cell has formatting, so that the table gets this program's own borders.
    plain: bool,
    /// Whether columns run from right to left.
    backwards: bool,
    /// Header rows that are repeated.
    head: Option<Rc<Vec<Slice>>>,
    /// Number of further parts that the table's cells over several rows may have. A cell has one part in each of its
    /// rows.
    parts_left: std::cell::Cell<usize>,
}

/// Limit on the parts of all cells in a table that span several rows. In a file of half a megabyte, such cells could
/// otherwise have hundreds of millions of parts, because each cell may move the next one to the right.
const MAX_PARTS: usize = 1 << 20;

static PARTS: Loss = Loss {
    one: "A cell that spans thousands of rows of a table is only in its first row.",
    many: "{} cells that span thousands of rows of a table are only in their first rows.",
};

/// Limit on the cells of header rows that are repeated. With more cells, each cell would be narrower than a letter, and
/// a table of thousands of pages would have millions of repeated cells.
const MAX_REPEATED: usize = 500;

impl Layout<'_> {
    /// Sets a table: its caption, the header rows, and then the body and foot rows in groups. [`widths`](Self::widths)
    /// determines the column widths.
    pub fn table(
        &mut self,
        table: &Table,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        // A table without cell styles gets this program's own formatting, except in documents from Word: a line below
        // each row, and a bold header.
        let plain = !self.is_word()
            && table
                .rows()
                .flat_map(|row| &row.cells)
                .all(|cell| *self.document.cell_style(cell.style) == CellStyle::default());
        let node = self.structure.add(context.node, Role::Table);
        if !table.caption.is_empty() {
            self.caption(table, node, context, flow)?;
        }
        let widths = self.widths(table, context, 2.0 * SIDE, plain);
        let total: f32 = widths.iter().sum();
        let backwards = table.direction.or(context.direction) == Some(Direction::RightToLeft);
        // Share of the free width that is to the left of the table.
        let part = match table.alignment.unwrap_or(Alignment::Start) {
            Alignment::Centre => 0.5,
            Alignment::End => 1.0,
            Alignment::Start | Alignment::Justify => f32::from(u8::from(backwards)),
        };
        // Indented tables may reach into the margins, as in Word.
        let indent = table
            .indent
            .map_or(0.0, super::units::points)
            .clamp(-200.0, 2000.0);
        // An indent is measured from the side at which the table begins. A table that is centred or at the other side
        // has no indent.
        let indent = match (part, backwards) {
            (0.0, false) => indent,
            (1.0, true) if table.alignment.is_none() => -indent,
            _ => 0.0,
        };
        let mut edges = vec![context.left + indent + ((context.width - total) * part).max(0.0)];
        for width in &widths {
            edges.push(edges[edges.len() - 1] + width);
        }
        let mut setting = Setting {
            table,
            cells: BlockContext {
                alignment: Alignment::Start,
                after: if plain { 2.0 } else { 0.0 },
                lists: 0,
                bars: Vec::new(),
                ..context.clone()
            },
            edges,
            plain,
            backwards,
            head: None,
            parts_left: MAX_PARTS.into(),
        };
        flow.forget();
        // Space between the text above and a table without formatting.
        flow.space(if plain { context.after.max(4.0) } else { 0.0 });
        if !table.head.is_empty() {
            let part = self.structure.add(node, Role::TableHead);
            let ends = table.body.is_empty() && table.foot.is_empty();
            let slices = self.rows(&setting, &table.head, part, (true, ends))?;
            let cells: usize = table.head.iter().map(|row| row.cells.len()).sum();
            let is_repeated = cells <= MAX_REPEATED && !table.head_once;
            setting.head = is_repeated.then(|| rows::repeated(&slices));
            for mut slice in slices {
                slice.keep = true;
                flow.put(context, slice)?;
            }
        }
        for (rows, role) in [
            (&table.body, Role::TableBody),
            (&table.foot, Role::TableFoot),
        ] {
            if rows.is_empty() {
                continue;
            }
            let part = self.structure.add(node, role);
            self.body(&setting, rows, part, context, flow)?;
        }
        flow.space(if plain { context.after + 4.0 } else { 0.0 });
        Ok(())
    }

    /// Sets the caption above the table, on the page of the first row.
    fn caption(
        &mut self,
        table: &Table,
        node: NodeId,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let mut within = context.clone();
        within.node = self.structure.add(node, Role::Caption);
        within.after = 3.0;
        let mut text_format = (*context.text_format).clone();
        text_format.size *= 0.92;
        text_format.colour = QUIET;
        within.text_format = Rc::new(text_format);
        for mut slice in self.frame(&table.caption, &within)? {
            slice.keep = true;
            flow.put(context, slice)?;
        }
        flow.space(3.0);
        Ok(())
    }

    /// Sets rows of the body or foot, one group after the other. Rows that are connected by vertical spans form one
    /// group.
    fn body(
        &mut self,
        setting: &Setting<'_>,
        rows: &[TreeRow],
        part: NodeId,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let mut from = 0;
        while from < rows.len() {
            self.job.check()?;
            // The group grows as long as a cell in it spans rows beyond its end.
            let mut to = from + 1;
            let mut at = from;
            while at < to {
                let reach = rows[at]
                    .cells
                    .iter()
                    .map(|cell| usize::from(cell.rows))
                    .max();
                to = to.max((at + reach.unwrap_or(1)).min(rows.len()));
                at += 1;
            }
            let before = self.memory.get(Part::Cells);
            // The last row of the table must be high enough for its lower border.
            let is_last = std::ptr::eq(rows, &*setting.table.foot) || setting.table.foot.is_empty();
            let ends = is_last && to == rows.len();
            for mut slice in self.rows(setting, &rows[from..to], part, (false, ends))? {
                slice.head = setting.head.clone();
                flow.put(context, slice)?;
            }
            self.memory.set(Part::Cells, before)?;
            from = to;
        }
        Ok(())
    }

    /// Sets a group of rows, and returns a slice for each.
    ///
    /// First, all cells are set. Only the cells that do not span rows determine the heights of the rows. If a spanning
    /// cell needs more height than its rows have, its last row grows. Finally, each spanning cell is divided among its
    /// rows.
    fn rows(
        &mut self,
        setting: &Setting<'_>,
        rows: &[TreeRow],
        part: NodeId,
        (head, ends): (bool, bool),
    ) -> Result<Vec<Slice>> {
        let mut set: Vec<super::item::Row> = Vec::with_capacity(rows.len());
        let mut hanging: Vec<Hanging> = Vec::new();
        let grid: Vec<_> = setting.table.grid(rows).collect();
        for (at, (row, slots)) in grid.into_iter().enumerate() {
            let node = self.structure.add(part, Role::TableRow);
            let mut cells = Vec::with_capacity(slots.len());
            for slot in slots {
                let convertd_tree::Slot::Cell { column, cell } = slot else {
                    continue;
                };
                // The stated height of a row applies only to cells that do not span rows.
                let stated = row.height.map_or(0.0, super::units::points);
                let stated = match cell.rows {
                    1 => (stated.clamp(0.0, 5000.0), row.exact),
                    _ => (0.0, false),
                };
                let whole = self.cell(setting, cell, (column, stated), node, head)?;
                if cell.rows > 1 {
                    let to = (at + usize::from(cell.rows)).min(rows.len());
                    let to = self.last_part(setting, at, to)?;
                    hanging.push(Hanging {
                        cell: whole,
                        from: at,
                        to,
                    });
                } else {
                    cells.push(whole);
                }
            }
            let least = row
                .height
                .map_or(0.0, super::units::points)
                .clamp(0.0, 5000.0);
            set.push(super::item::Row {
                cells,
                least: least.max(1.0),
                exact: row.exact,
            });
        }
        if self.is_word() {
            make_room_for_borders(&mut set, &mut hanging, ends);
        }
        // A spanning cell that needs more height than its rows have makes the last of them taller, unless the height of
        // that row is exact.
        let mut heights: Vec<f32> = set.iter().map(super::item::Row::height).collect();
        for one in &hanging {
            let there: f32 = heights[one.from..one.to].iter().sum();
            let need = one.cell.content() + one.cell.above + one.cell.below;
            if !set[one.to - 1].exact {
                heights[one.to - 1] += (need - there).max(0.0);
            }
        }
        let mut keep = vec![false; set.len()];
        for one in hanging {
            hang(one, &mut set, &heights, &mut keep);
        }
        let rows = set.into_iter().zip(heights).zip(keep);
        Ok(rows
            .map(|((mut row, height), keep)| {
                row.least = height;
                Slice {
                    height,
                    keep,
                    row: Some(Box::new(row)),
                    ..Slice::default()
                }
            })
            .collect())
    }

    /// Returns the end of the rows among which a spanning cell is divided, and leases memory for its parts: `to` if the
    /// cell may have a part in each of the rows `from..to`, or `from + 1` if the table would then have too many parts.
    fn last_part(&mut self, setting: &Setting<'_>, from: usize, to: usize) -> Result<usize> {
        let parts = to - from;
        let Some(left) = setting.parts_left.get().checked_sub(parts) else {
            self.losses.add(&PARTS);
            return Ok(from + 1);
        };
        setting.parts_left.set(left);
        let bytes = (parts * size_of::<SetCell>()) as u64;
        let known = self.memory.get(Part::Cells);
        self.memory.set(Part::Cells, known + bytes)?;
        Ok(to)
    }

    /// Sets a cell. `stated` is the height that the file states for its row, and whether that height is exact.
    fn cell(
        &mut self,
        setting: &Setting<'_>,
        cell: &Cell,
        (column, stated): (usize, (f32, bool)),
        row: NodeId,
        head: bool,
    ) -> Result<SetCell> {
        let style = self.document.cell_style(cell.style);
        let (x, width) = setting.extent(column, cell.columns.into());
        let node = self.structure.add(row, role(cell, head));
        let insets = self.insets(setting, style, width);
        let mut context = setting.cells.clone();
        context.left = x + insets.left;
        context.list_left = None;
        context.background = style.background.or(context.background);
        context.width = (width - insets.left - insets.right).max(1.0);
        context.node = node;
        context.alignment = cell
            .alignment
            .or(setting.table.columns[column].alignment)
            .unwrap_or(Alignment::Start);
        if setting.plain && (head || cell.heading) {
            let mut text_format = (*context.text_format).clone();
            text_format.bold = true;
            context.text_format = Rc::new(text_format);
        }
        // Inside a cell, the document grid does not apply, and pictures have other limits. The outer values are
        // restored below.
        let room = self.picture_room;
        let grid = std::mem::take(&mut self.grid);
        let mut lowered = match style.vertical {
            None | Some(VerticalAlignment::Top) => 0.0,
            Some(VerticalAlignment::Middle) => 0.5,
            Some(VerticalAlignment::Bottom) => 1.0,
        };
        let (slices, after) = match style.turn {
            None => self.frame_and_after(&cell.blocks, &context)?,
            Some(turn) => {
                let inner = ((stated.0 - insets.above - insets.below).max(0.0), stated.1);
                let turned = self.turned_cell(cell, turn, inner, &context)?;
                lowered = turned.lowered;
                (vec![turned.slice], 0.0)
            }
        };
        self.grid = grid;
        self.picture_room = room;
        let (mut above, mut below) = (insets.above, insets.below);
        if self.is_word() {
            // In Word, the space above the first and below the last paragraph is part of the cell.
            above += slices.first().map_or(0.0, |slice| slice.before);
            below += after;
        }
        let [top, bottom, left, right] = setting.borders(style, head);
        Ok(SetCell {
            x,
            width,
            background: style.background,
            top,
            bottom,
            left,
            right,
            above,
            below,
            lowered,
            slices: slices.into_iter().flat_map(rows::flat).collect(),
            ..SetCell::default()
        })
    }

    /// Padding of a cell with this width.
    fn insets(&self, setting: &Setting<'_>, style: &CellStyle, width: f32) -> Insets {
        let padding = |own: Option<Length>, other: f32| {
            own.map_or(other, super::units::points).clamp(0.0, 200.0)
        };
        let every = match style.padding {
            Some(padding) if !self.is_word() => super::units::points(padding),
            None if setting.plain => ABOVE,
            // In documents from Word, this padding applies only to the sides. Tables with formatting have no padding
            // above and below unless they state it.
            _ => 0.0,
        };
        let start = padding(style.padding, SIDE);
        let end = padding(style.padding_end, start);
        // The content has at least a fifth of the width. The padding on one side gets more than two fifths only if the
        // padding on the other side has less than two fifths.
        let most = |other: f32| (width * 0.8 - other).max(width * 0.4);
        let (start, end) = (start.min(most(end)), end.min(most(start)));
        let (left, right) = match setting.backwards {
            true => (end, start),
            false => (start, end),
        };
        Insets {
            above: padding(style.padding_top, every),
            below: padding(style.padding_bottom, every),
            left,
            right,
        }
    }
}

/// Padding of a cell, in points.
struct Insets {
    above: f32,
    below: f32,
    left: f32,
    right: f32,
}

impl Setting<'_> {
    /// Left edge and width of a cell that spans `columns` columns.
    fn extent(&self, column: usize, columns: usize) -> (f32, f32) {
        let end = (column + columns.max(1)).min(self.edges.len() - 1);
        let (start, width) = (self.edges[column], self.edges[end] - self.edges[column]);
        match self.backwards {
            true => {
                let (first, last) = (self.edges[0], self.edges[self.edges.len() - 1]);
                (first + last - start - width, width)
            }
            false => (start, width),
        }
    }

    /// Borders of a cell: top, bottom, left and right.
    fn borders(&self, style: &CellStyle, head: bool) -> [Option<Border>; 4] {
        let line = |colour, points: f64| Border {
            width: Length::points(points),
            colour: Some(colour),
            kind: LineKind::Solid,
            space: None,
        };
        let of = &style.borders;
        let (top, bottom) = match (self.plain, head) {
            (false, _) => (of.top, of.bottom),
            (true, true) => (None, Some(line(QUIET, 1.0))),
            (true, false) => (None, Some(line(HAIR, 0.5))),
        };
        match self.backwards {
            true => [top, bottom, of.end, of.start],
            false => [top, bottom, of.start, of.end],
        }
    }
}

/// Structure role of a cell.
fn role(cell: &Cell, head: bool) -> Role {
    let (rows, columns) = (cell.rows, cell.columns);
    match cell.heading || head {
        true => Role::HeadCell {
            rows,
            columns,
            of_row: !head,
        },
        false => Role::DataCell { rows, columns },
    }
}
