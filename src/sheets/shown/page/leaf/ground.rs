//! Background of a page: fills, borders, grid lines, and headings of columns and rows. Draws no cell texts.

use super::{
    super::{
        cell::{self, Owner, Room},
        edges::{self, EdgeMap},
    },
    Drawing,
};
use crate::{
    cells::letters,
    shown::{
        book::{Line, Run},
        style::{Align, Down, Edge, HorizontalAlignment, Stroke, Style},
        text::Shown,
    },
};
use convertd_layout::item::{Area, Item};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

impl Drawing<'_, '_, '_> {
    /// Draws fills and diagonal borders, then grid lines if they are printed, then the borders at the edges of cells.
    pub(super) fn fills_and_edges(&mut self) {
        let grid = self.printed.grid;
        let mut edge_map = EdgeMap::default();
        // Whether rows without cells look empty. They do not if a whole column has a fill or a border.
        let plain = !grid
            .columns
            .iter()
            .any(|column| self.book.style(column.style).is_visible());
        for row in 0..self.rows.len() {
            let number = self.rows[row].0;
            let line = grid.row(number);
            if line.is_none() && plain && grid.overlays.is_empty() {
                continue;
            }
            // Neighbouring cells with the same colour become one rectangle: a seam between two would show on the
            // screen.
            let mut open_fill: Option<(usize, Colour)> = None;
            for column in 0..self.columns.len() {
                let (style, edges) = self.look_at(row, column, line);
                edge_map.across(row, column, edges[0]);
                edge_map.across(row + 1, column, edges[1]);
                edge_map.down(column, row, edges[2]);
                edge_map.down(column + 1, row, edges[3]);
                let fill = style.fill.filter(|_| !self.printed.setup.without_colours);
                let colour = fill.map(|fill| fill.colour);
                if open_fill.map(|(_, colour)| colour) != colour {
                    self.fill(row, open_fill, column);
                    open_fill = colour.map(|colour| (column, colour));
                }
                self.diagonals(row, column, &style);
            }
            self.fill(row, open_fill, self.columns.len());
        }
        if self.printed.setup.grid_lines {
            self.grid_lines();
        }
        edge_map.draw(&self.xs, &self.ys, &mut self.items);
    }

    /// Style of a cell on the page, and its borders at the top, bottom, left and right.
    ///
    /// A cell of a merged range has the style of the range's first cell, and only those of its own borders that are on
    /// the outline of the range.
    fn look_at(
        &self,
        row: usize,
        column: usize,
        line: Option<&Line>,
    ) -> (Rc<Style>, [Option<Edge>; 4]) {
        let (at_row, at_column) = (self.rows[row].0, self.columns[column].0);
        let own = self.style_of(at_row, line, at_column);
        let edges = own.edges;
        let all = [edges.top, edges.bottom, edges.left, edges.right];
        let Some(range) = self.covered.get(&(row, column)) else {
            return (own, all);
        };
        let range = self.merged[*range];
        let first_line = self.printed.grid.row(range.first.0);
        let first = self.style_of(range.first.0, first_line, range.first.1);
        let at = [
            at_row == range.first.0,
            at_row == range.last.0,
            at_column == range.first.1,
            at_column == range.last.1,
        ];
        let edges = std::array::from_fn(|side| all[side].filter(|_| at[side]));
        (first, edges)
    }

    /// Draws a rectangle from the column in `open_fill` to the one before column `end`. `None` draws nothing.
    fn fill(&mut self, row: usize, open_fill: Option<(usize, Colour)>, end: usize) {
        let Some((start, colour)) = open_fill else {
            return;
        };
        let area = Area {
            x: self.xs[start],
            y: self.ys[row],
            width: self.xs[end] - self.xs[start],
            height: self.ys[row + 1] - self.ys[row],
        };
        self.items.push(Item::Fill { area, colour });
    }

    /// Draws the diagonal borders of a cell.
    fn diagonals(&mut self, row: usize, column: usize, style: &Style) {
        let edges = style.edges;
        if edges.up.is_none() && edges.down.is_none() {
            return;
        }
        let area = self.area(row, column);
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        if let Some(edge) = edges.up {
            self.items
                .push(edges::item((area.x, bottom), (right, area.y), edge));
        }
        if let Some(edge) = edges.down {
            self.items
                .push(edges::item((area.x, area.y), (right, bottom), edge));
        }
    }

    /// Draws the grid lines of a page, except inside merged ranges.
    fn grid_lines(&mut self) {
        let edge = Edge {
            stroke: Stroke::Hair,
            colour: Colour(0x80, 0x80, 0x80),
        };
        let inside = |covered: &HashMap<(usize, usize), usize>, one, other| {
            covered
                .get(&one)
                .is_some_and(|range| covered.get(&other) == Some(range))
        };
        let mut lines = EdgeMap::default();
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let cell = (row, column);
                if row == 0 || !inside(&self.covered, (row - 1, column), cell) {
                    lines.across(row, column, Some(edge));
                }
                if column == 0 || !inside(&self.covered, (row, column - 1), cell) {
                    lines.down(column, row, Some(edge));
                }
            }
        }
        for column in 0..self.columns.len() {
            lines.across(self.rows.len(), column, Some(edge));
        }
        for row in 0..self.rows.len() {
            lines.down(self.columns.len(), row, Some(edge));
        }
        lines.draw(&self.xs, &self.ys, &mut self.items);
    }

    /// Draws the headings: letters of columns and numbers of rows.
    pub(super) fn headings(&mut self) {
        let (left, top) = self.printed.headings;
        if left <= 0.0 {
            return;
        }
        let style = Style {
            font: self.book.style(0).font.clone(),
            align: Align {
                across: HorizontalAlignment::Centre,
                down: Down::Centre,
                ..Align::default()
            },
            ..Style::default()
        };
        let mut labels = Vec::new();
        for (place, (number, _)) in self.columns.iter().enumerate() {
            let area = Area {
                x: self.xs[place],
                y: 0.0,
                width: self.xs[place + 1] - self.xs[place],
                height: top,
            };
            labels.push((letters(*number), area));
        }
        for (place, (number, _)) in self.rows.iter().enumerate() {
            let area = Area {
                x: 0.0,
                y: self.ys[place],
                width: left,
                height: self.ys[place + 1] - self.ys[place],
            };
            labels.push(((number + 1).to_string(), area));
        }
        let edge = Edge {
            stroke: Stroke::Hair,
            colour: Colour(0x80, 0x80, 0x80),
        };
        for (label, area) in labels {
            let (right, bottom) = (area.x + area.width, area.y + area.height);
            self.items
                .push(edges::item((area.x, bottom), (right, bottom), edge));
            self.items
                .push(edges::item((right, area.y), (right, bottom), edge));
            let shown = Shown {
                runs: vec![Run {
                    text: label.into(),
                    font: None,
                }],
                ..Shown::default()
            };
            let mut items = Vec::new();
            cell::set(
                self.layout,
                &shown,
                &style,
                &Room::of(area),
                Owner::artifact(),
                &mut items,
            );
            items.iter_mut().for_each(Item::silence);
            self.items.append(&mut items);
        }
    }
}
