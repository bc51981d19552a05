//! Widths of table columns (CSS Tables 3, 3.8 and 3.9; CSS 2.2, 17.5.2). Places nothing.
//!
//! Each column has a min-content and max-content width, and possibly a length or percentage. The automatic algorithm
//! makes four guesses of all widths, from narrow to wide, and interpolates between the two guesses that enclose the
//! table's width ([`distribute`]).

use super::{
    engine::{Column, Engine},
    sizing::across,
    tree::{BoxContent, BoxId, Table},
};
use crate::error::Result;
use convertd_markup::css::style::{BorderCollapse, Size, Style, TableLayout};
use std::rc::Rc;

/// Horizontal and vertical `border-spacing` in px; 0 in the collapsing border model.
pub(crate) fn spacing(style: &Style) -> (f32, f32) {
    match style.text.border_collapse {
        BorderCollapse::Collapse => (0.0, 0.0),
        BorderCollapse::Separate => style.text.border_spacing,
    }
}

impl Engine<'_, '_> {
    /// Min-content and max-content width of a table's border box (CSS Tables 3, 3.8).
    pub(super) fn table_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let boxes = self.boxes;
        let BoxContent::Table(table) = &boxes.get(id).kind else {
            return Ok((0.0, 0.0));
        };
        let columns = self.table_columns(id, table)?;
        let around = self.table_edges(id, table.count);
        let mut least: f32 = columns.iter().map(|column| column.least).sum();
        let mut most: f32 = columns.iter().map(|column| column.most).sum();
        // A percentage column makes the table so wide that the column's content fits into this percentage of the width.
        let (mut parts, mut others) = (0.0_f32, 0.0);
        let mut wanted = most;
        for column in columns.iter() {
            match column.percent {
                Some(percent) if percent > 0.0 => {
                    parts += percent;
                    wanted = wanted.max(column.most * 100.0 / percent);
                }
                _ => others += column.most,
            }
        }
        // The other columns must fit into the remaining percentage. If nothing remains for them, the table is as wide
        // as possible.
        if parts > 0.0 && parts < 100.0 {
            wanted = wanted.max(others * 100.0 / (100.0 - parts));
        } else if parts >= 100.0 && others > 0.0 {
            wanted = convertd_markup::css::value::MAX;
        }
        most = wanted.max(most);
        // A table is at least as wide as its captions.
        for caption in &table.captions {
            let (narrow, _) = self.contribution(*caption)?;
            least = least.max(narrow - around);
        }
        Ok((least + around, most.max(least) + around))
    }

    /// Part of a table's width outside of its columns: border, padding and spacing. There is one gap more than columns,
    /// but no gap without columns.
    pub(super) fn table_edges(&self, id: BoxId, columns: usize) -> f32 {
        let style = self.style(id);
        let (border, padding) = self.edges(id, 0.0);
        let padding = match style.text.border_collapse {
            BorderCollapse::Collapse => 0.0,
            BorderCollapse::Separate => across(&padding),
        };
        let gaps = if columns == 0 {
            0.0
        } else {
            columns as f32 + 1.0
        };
        across(&border) + padding + spacing(style).0 * gaps
    }

    /// Width constraints of the columns (CSS Tables 3, 3.8). Results are cached.
    ///
    /// The widths of the columns themselves come first, then those of cells in one column, then those of spanning
    /// cells, which are sorted by the number of their columns.
    fn table_columns(&mut self, id: BoxId, table: &Rc<Table>) -> Result<Rc<[Column]>> {
        if let Some(known) = self.columns_of.get(&id) {
            return Ok(known.clone());
        }
        self.collapse(id, table);
        let gap = spacing(self.style(id)).0;
        let mut columns = vec![Column::default(); table.count];
        for (column, style) in columns.iter_mut().zip(&table.columns) {
            if let Some(style) = style {
                ask(column, &style.width, 0.0);
            }
        }
        let mut wide = Vec::new();
        for cell in table
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .flat_map(|row| &row.cells)
        {
            self.step()?;
            let (least, most) = self.content_extent(cell.id)?;
            let style = self.style(cell.id).clone();
            let edges = {
                let (border, padding) = self.edges(cell.id, 0.0);
                across(&border) + across(&padding)
            };
            let inner = match style.sizing {
                convertd_markup::css::style::BoxSizing::Content => edges,
                convertd_markup::css::style::BoxSizing::Border => 0.0,
            };
            let mut own = Column {
                least,
                most,
                ..Column::default()
            };
            ask(&mut own, &style.width, inner);
            if let Size::Length(length) = &style.min_width
                && !length.has_percentage()
            {
                own.least = own.least.max(length.of(0.0) + inner);
                own.most = own.most.max(own.least);
            }
            if cell.columns > 1 {
                wide.push((cell.column, cell.columns, own));
                continue;
            }
            // A specified width replaces the max-content width of cells without a specified width.
            let column = &mut columns[cell.column];
            column.least = column.least.max(own.least);
            column.most = match (column.fixed, own.fixed) {
                (false, true) => own.most.max(column.least),
                (true, false) => column.most.max(own.least),
                _ => column.most.max(own.most),
            };
            column.fixed |= own.fixed;
            if let Some(percent) = own.percent {
                column.percent = Some(column.percent.unwrap_or(0.0).max(percent));
            }
        }
        for column in &mut columns {
            column.most = column.most.max(column.least);
        }
        wide.sort_by_key(|(_, count, _)| *count);
        for (from, count, own) in wide {
            span(
                &mut columns[from..from + count],
                own,
                gap * (count - 1) as f32,
            );
        }
        // If the percentages exceed 100 together, the last columns get less.
        let mut left = 100.0_f32;
        for column in &mut columns {
            if let Some(percent) = &mut column.percent {
                *percent = percent.min(left);
                left -= *percent;
            }
        }
        let columns: Rc<[Column]> = columns.into();
        self.columns_of.insert(id, columns.clone());
        Ok(columns)
    }

    /// Widths of the columns in a table of this border-box width. Their sum may exceed it.
    pub(crate) fn column_widths(
        &mut self,
        id: BoxId,
        table: &Rc<Table>,
        width: f32,
    ) -> Result<Vec<f32>> {
        let style = self.style(id).clone();
        let room = (width - self.table_edges(id, table.count)).max(0.0);
        // The fixed algorithm needs a specified width (CSS 2.2, 17.5.2.1).
        if style.table_layout == TableLayout::Fixed && style.width != Size::Auto {
            return Ok(self.fixed_widths(table, room, spacing(&style).0));
        }
        let columns = self.table_columns(id, table)?;
        Ok(distribute(&columns, room))
    }

    /// Widths in the fixed table layout, by columns and first row only (CSS 2.2, 17.5.2.1).
    fn fixed_widths(&mut self, table: &Table, room: f32, gap: f32) -> Vec<f32> {
        let mut widths: Vec<Option<f32>> = vec![None; table.count];
        for (width, style) in widths.iter_mut().zip(&table.columns) {
            if let Some(Size::Length(length)) = style.as_ref().map(|style| &style.width) {
                *width = Some(length.of(room));
            }
        }
        // The first row decides for columns without a width of their own.
        let first = table.groups.iter().flat_map(|group| &group.rows).next();
        for cell in first.into_iter().flat_map(|row| &row.cells) {
            let style = self.style(cell.id);
            let Size::Length(length) = &style.width else {
                continue;
            };
            let (border, padding) = self.edges(cell.id, room);
            let edges = match style.sizing {
                convertd_markup::css::style::BoxSizing::Content if !length.has_percentage() => {
                    across(&border) + across(&padding)
                }
                _ => 0.0,
            };
            let all = length.of(room) + edges - gap * (cell.columns - 1) as f32;
            for width in &mut widths[cell.column..cell.column + cell.columns] {
                width.get_or_insert((all / cell.columns as f32).max(0.0));
            }
        }
        // The remaining width is shared evenly by the columns without a width. If there are no such columns, all grow
        // in proportion to fill the table.
        let used: f32 = widths.iter().flatten().sum();
        let free = widths.iter().filter(|width| width.is_none()).count();
        if free == 0 {
            let scale = if used > 0.0 && used < room {
                room / used
            } else {
                1.0
            };
            return widths
                .iter()
                .map(|width| width.unwrap_or(0.0) * scale)
                .collect();
        }
        let share = ((room - used) / free as f32).max(0.0);
        widths.iter().map(|width| width.unwrap_or(share)).collect()
    }
}

/// Adds a specified width to the constraints of a column: a percentage, or a length that becomes
/// its max-content width.
fn ask(column: &mut Column, width: &Size, edges: f32) {
    let Size::Length(length) = width else {
        return;
    };
    if let Some(percent) = length.only_percent() {
        column.percent = Some(percent.max(0.0));
    } else if !length.has_percentage() && length.of(0.0) > 0.0 {
        column.most = (length.of(0.0) + edges).max(column.least);
        column.fixed = true;
    }
}

/// Distributes the constraints of a spanning cell over its columns. The excess goes to the columns without a width of
/// their own, in proportion to their max-content widths; but min-content widths first grow up to the max-content widths
/// in all columns.
fn span(columns: &mut [Column], own: Column, gaps: f32) {
    // The part of the percentage that the columns do not have yet goes to those without a percentage.
    if let Some(percent) = own.percent {
        let known: f32 = columns.iter().filter_map(|column| column.percent).sum();
        let free: Vec<usize> = (0..columns.len())
            .filter(|at| columns[*at].percent.is_none())
            .collect();
        let weight: f32 = free.iter().map(|at| columns[*at].most).sum();
        let left = (percent - known).max(0.0);
        for at in &free {
            let part = if weight > 0.0 {
                columns[*at].most / weight
            } else {
                1.0 / free.len() as f32
            };
            columns[*at].percent = Some(left * part);
        }
    }
    // Automatic columns take the whole excess. Without automatic columns, all columns take it in proportion to their
    // widths.
    let weights = |columns: &[Column]| -> Vec<f32> {
        let auto: Vec<bool> = columns
            .iter()
            .map(|column| !column.fixed && column.percent.is_none())
            .collect();
        let any_auto = auto.iter().any(|auto| *auto);
        let mut weights: Vec<f32> = columns
            .iter()
            .zip(&auto)
            .map(|(column, auto)| if any_auto && !auto { 0.0 } else { column.most })
            .collect();
        if weights.iter().sum::<f32>() <= 0.0 {
            weights = auto
                .iter()
                .map(|auto| if any_auto && !auto { 0.0 } else { 1.0 })
                .collect();
        }
        weights
    };
    let share = weights(columns);
    let whole: f32 = share.iter().sum::<f32>().max(0.001);
    // The min-content widths of the columns are raised until the cell fits.
    let least: f32 = columns.iter().map(|column| column.least).sum();
    let more = own.least - gaps - least;
    if more > 0.0 {
        // The columns first grow up to their max-content widths, then beyond.
        let slack: f32 = columns
            .iter()
            .map(|column| (column.most - column.least).max(0.0))
            .sum();
        let within = more.min(slack);
        for (column, share) in columns.iter_mut().zip(&share) {
            let room = (column.most - column.least).max(0.0);
            let first = if slack > 0.0 {
                within * room / slack
            } else {
                0.0
            };
            column.least += first + (more - within) * share / whole;
        }
    }
    // The max-content widths are raised by these shares only.
    let most: f32 = columns.iter().map(|column| column.most).sum();
    let more = own.most - gaps - most;
    if more > 0.0 {
        for (column, share) in columns.iter_mut().zip(&share) {
            column.most += more * share / whole;
        }
    }
    for column in columns {
        column.most = column.most.max(column.least);
    }
}

/// Distributes the width of a table over its columns (CSS Tables 3, 3.9.3): first min-content
/// widths, then percentages, lengths, max-content widths, and last any excess.
fn distribute(columns: &[Column], room: f32) -> Vec<f32> {
    // A percentage in px, but at least the min-content width.
    let percent = |column: &Column| {
        column
            .percent
            .map(|percent| (percent / 100.0 * room).max(column.least))
    };
    // Widths of the four guesses of the specification: minima, then also percentages, then also lengths, and then also
    // max-content widths.
    let guess = |level: usize| -> Vec<f32> {
        let of = |column: &Column| match (level, percent(column)) {
            (0, _) => column.least,
            (_, Some(width)) => width,
            (1, None) => column.least,
            (2, None) if column.fixed => column.most,
            (2, None) => column.least,
            (_, None) => column.most,
        };
        columns.iter().map(of).collect()
    };
    let mut before = guess(0);
    let sum = |widths: &[f32]| widths.iter().sum::<f32>();
    if sum(&before) >= room {
        return before;
    }
    // If the table's width lies between two guesses, the widths are interpolated.
    for level in 1..=3 {
        let next = guess(level);
        if sum(&next) > room {
            let (from, to) = (sum(&before), sum(&next));
            let part = if to > from {
                (room - from) / (to - from)
            } else {
                0.0
            };
            return before
                .iter()
                .zip(&next)
                .map(|(from, to)| from + (to - from) * part)
                .collect();
        }
        before = next;
    }
    // The excess beyond the last guess goes to automatic columns; without them, to columns with lengths, and otherwise
    // to columns with percentages.
    let more = room - sum(&before);
    if more <= 0.0 || columns.is_empty() {
        return before;
    }
    let is_auto = |column: &Column| !column.fixed && column.percent.is_none();
    let is_fixed = |column: &Column| column.fixed && column.percent.is_none();
    let takers: Vec<f32> = if columns.iter().any(is_auto) {
        columns
            .iter()
            .map(|column| {
                if is_auto(column) {
                    column.most.max(0.001)
                } else {
                    0.0
                }
            })
            .collect()
    } else if columns.iter().any(is_fixed) {
        columns
            .iter()
            .map(|column| {
                if is_fixed(column) {
                    column.most.max(0.001)
                } else {
                    0.0
                }
            })
            .collect()
    } else {
        columns
            .iter()
            .map(|column| column.percent.unwrap_or(0.0).max(0.001))
            .collect()
    };
    let whole: f32 = takers.iter().sum();
    before
        .iter()
        .zip(&takers)
        .map(|(width, share)| width + more * share / whole)
        .collect()
}
