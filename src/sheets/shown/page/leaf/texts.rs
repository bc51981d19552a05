//! Texts of the cells of a page, texts that run over from the page on the left, and bars and icons of conditional
//! formats. Measures no rows.

use super::{
    super::cell::{self, Owner, Room},
    Drawing, Tables,
};
use crate::{
    error::Result,
    shown::{
        book::{Cell, Line, Run, Value},
        style::{Align, Font, HorizontalAlignment, Style},
        text::{Kind, Shown},
    },
};
use convertd_layout::item::{Area, Item};
use std::rc::Rc;

/// Number of cells of a row on the left of a page that are searched for text that runs over.
const RUNS_OVER: usize = 8;

/// Width of the axis of data bars, in points.
const AXIS: f32 = 0.5;

impl Drawing<'_, '_, '_> {
    /// Draws the texts of all cells. Merged ranges come last, one by one, because they may begin on another page.
    pub(super) fn texts(&mut self, tables: &mut Tables) -> Result<()> {
        let grid = self.printed.grid;
        for row in 0..self.rows.len() {
            let (number, again) = self.rows[row];
            let Some(line) = grid.row(number) else {
                continue;
            };
            self.layout.job.check()?;
            self.running_in(row, line);
            for column in 0..self.columns.len() {
                let (at, repeated) = self.columns[column];
                let Some(one) = line.cell(at).filter(|cell| !cell.value.is_empty()) else {
                    continue;
                };
                if self.covered.contains_key(&(row, column)) {
                    continue;
                }
                let room = self.room(row, column, line);
                let is_artifact = again || repeated;
                let owner = match is_artifact {
                    true => Owner::artifact(),
                    false => self.owner(number, at, (1, 1), room.area, tables),
                };
                self.text(one, number, line, &room, owner, is_artifact);
            }
        }
        for number in 0..self.merged.len() {
            let range = self.merged[number];
            let (row, column) = range.first;
            let Some(line) = grid.row(row) else {
                continue;
            };
            let Some(one) = line.cell(column).filter(|cell| !cell.value.is_empty()) else {
                continue;
            };
            let area = self.merged_area(&range);
            let is_artifact = !tables.read.insert((row, column));
            let size = (range.last.0 - row + 1, range.last.1 - column + 1);
            let owner = match is_artifact {
                true => Owner::artifact(),
                false => self.owner(row, column, size, area, tables),
            };
            self.text(one, row, line, &Room::of(area), owner, is_artifact);
        }
        Ok(())
    }

    /// Room for the text of a cell: its area, and the total widths of the empty cells directly on its left and on its
    /// right.
    fn room(&self, row: usize, column: usize, line: &Line) -> Room {
        let area = self.area(row, column);
        let is_empty = |place: usize| {
            let full = line
                .cell(self.columns[place].0)
                .is_some_and(|cell| !cell.value.is_empty());
            !full && !self.covered.contains_key(&(row, place))
        };
        let mut end = column + 1;
        while end < self.columns.len() && is_empty(end) {
            end += 1;
        }
        let mut start = column;
        while start > 0 && is_empty(start - 1) {
            start -= 1;
        }
        Room {
            area,
            before: area.x - self.xs[start],
            after: self.xs[end] - self.xs[column + 1],
        }
    }

    /// Draws the text that runs over into this page from a cell on a page to the left.
    ///
    /// Only left-aligned text in a single line runs over. It is laid out again from its own cell, in negative
    /// coordinates, and cut at the edge of this page.
    fn running_in(&mut self, row: usize, line: &Line) {
        let first = self.leaf.columns.start;
        let start = self.printed.columns.start(first);
        let Some(number) =
            (first < self.leaf.columns.end).then(|| self.printed.columns.number(first))
        else {
            return;
        };
        // The nearest cell on the left that has a value.
        let before = line.cells.partition_point(|cell| cell.column < number);
        let cells_before = line.cells[..before].iter().rev();
        let Some(one) = cells_before
            .take(RUNS_OVER)
            .find(|cell| !cell.value.is_empty())
        else {
            return;
        };
        // Numbers do not run over, and text ends at a cell that has a value.
        let is_text = matches!(one.value, Value::Text(_) | Value::Rich(_));
        let here = self.leaf.left.len();
        let full = line.cell(number).is_some_and(|cell| !cell.value.is_empty());
        if !is_text || full || self.covered.contains_key(&(row, here)) {
            return;
        }
        let style = self.style_of(line.number, Some(line), one.column);
        let shown = Shown::of(one, &style, self.book, self.view);
        let is_left = cell::side(&style.align, shown.kind) == HorizontalAlignment::Left;
        if !is_left || cell::wraps(&style.align) || style.align.shrink {
            return;
        }
        if self.printed.merged.contains(line.number, one.column) {
            return;
        }
        let begins = self.printed.columns.start_of(one.column);
        let before = start - begins;
        // A text that ends before this page is not drawn again.
        let width = cell::width(self.layout, &shown, &style, before as f32);
        if f64::from(width + cell::LEFT) <= before {
            return;
        }
        let room = self.room(row, here, line);
        let own = self.printed.grid.width(one.column);
        let area = Area {
            x: room.area.x - (start - begins) as f32,
            width: own,
            ..room.area
        };
        // Distance from the right edge of the text's own cell to the end of the empty cells on this page.
        let after = room.area.x + room.area.width + room.after - area.x - own;
        let whole = Area {
            y: room.area.y,
            height: room.area.height,
            ..self.cells_area()
        };
        let reach = Room {
            area,
            before: 0.0,
            after,
        };
        let mut items = Vec::new();
        cell::set(
            self.layout,
            &shown,
            &style,
            &reach,
            Owner::artifact(),
            &mut items,
        );
        items.iter_mut().for_each(Item::silence);
        self.items.push(Item::Cut { area: whole, items });
    }

    /// Draws the text of a cell with its bar and icon. If the area of the cell reaches beyond the cells of the page,
    /// the text is cut at their edge.
    fn text(
        &mut self,
        one: &Cell,
        row: u32,
        line: &Line,
        room: &Room,
        owner: Owner,
        is_artifact: bool,
    ) {
        let mut style = self.style_of(row, Some(line), one.column);
        let mut shown = Shown::of(one, &style, self.book, self.view);
        let mut room = Room { ..*room };
        if self.signs(row, one.column, room.area) {
            shown.runs.clear();
        }
        if style.align.across == HorizontalAlignment::CentreContinuous && shown.kind == Kind::Text {
            room.area.width += self.continued_width(one.column, line);
            (room.before, room.after) = (0.0, 0.0);
        }
        if self.printed.setup.without_colours && style.font.colour.is_some() {
            let mut plain = (*style).clone();
            plain.font = Rc::new(Font {
                colour: None,
                ..(*style.font).clone()
            });
            style = Rc::new(plain);
        }
        let start = self.items.len();
        cell::set(self.layout, &shown, &style, &room, owner, &mut self.items);
        if is_artifact {
            self.items[start..].iter_mut().for_each(Item::silence);
        }
        let whole = self.cells_area();
        let area = room.area;
        let beyond = area.x < whole.x - 0.1
            || area.y < whole.y - 0.1
            || area.x + area.width > whole.x + whole.width + 0.1
            || area.y + area.height > whole.y + whole.height + 0.1;
        if beyond {
            let items = self.items.split_off(start);
            self.items.push(Item::Cut { area: whole, items });
        }
    }

    /// Draws the bar and the icon of a cell. Returns whether they replace its value.
    fn signs(&mut self, row: u32, column: u32, area: Area) -> bool {
        let Some(overlay) = self.printed.grid.overlays.get(&(row, column)) else {
            return false;
        };
        if let Some(bar) = overlay.bar {
            // One point of distance from the border of the cell.
            let available = (area.width - 2.0).max(0.0);
            let place = |at: f32| area.x + 1.0 + available * at;
            self.items.push(Item::Fill {
                area: Area {
                    x: place(bar.from),
                    y: area.y + 1.0,
                    width: available * (bar.to - bar.from),
                    height: (area.height - 2.0).max(0.0),
                },
                colour: bar.colour,
            });
            if let Some((at, colour)) = bar.axis {
                self.items.push(Item::Fill {
                    area: Area {
                        x: place(at) - AXIS / 2.0,
                        width: AXIS,
                        ..area
                    },
                    colour,
                });
            }
        }
        if let Some(icon) = overlay.icon {
            let font = Font {
                // The icons are characters of Arial. Every font that replaces Arial has them, too.
                name: "Arial".into(),
                colour: Some(icon.colour),
                ..(*self.book.normal).clone()
            };
            let style = Style {
                font: Rc::new(font),
                align: Align {
                    across: HorizontalAlignment::Left,
                    ..Align::default()
                },
                ..Style::default()
            };
            let shown = Shown {
                runs: vec![Run {
                    text: icon.shape.to_string().into(),
                    font: None,
                }],
                ..Shown::default()
            };
            let mut items = Vec::new();
            let owner = Owner::artifact();
            cell::set(
                self.layout,
                &shown,
                &style,
                &Room::of(area),
                owner,
                &mut items,
            );
            items.iter_mut().for_each(Item::silence);
            self.items.append(&mut items);
        }
        overlay.hides_value
    }

    /// Width of the cells on the right that continue a text that is centred across several columns, in points.
    fn continued_width(&self, column: u32, line: &Line) -> f32 {
        let from = line.cells.partition_point(|cell| cell.column <= column);
        let cells = &line.cells[from..];
        let mut width = 0.0;
        for (next, cell) in (column + 1..).zip(cells) {
            let style = self.book.style(cell.style);
            let continues = cell.value.is_empty()
                && style.align.across == HorizontalAlignment::CentreContinuous;
            if cell.column != next || !continues {
                break;
            }
            width += self.printed.grid.width(next);
        }
        width
    }
}
