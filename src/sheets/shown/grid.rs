//! Geometry of a sheet, and lookup of its rows, columns and styles. Reads no file.

use super::{
    book::{Anchor, Book, Cell, Column, Extent, Grid, Line},
    style::Style,
};
use std::rc::Rc;

impl Grid {
    /// Height of a row in points. Without a height in the file it is 15, the default of Excel; 409.5 is Excel's
    /// maximum.
    pub(crate) fn height(&self, line: Option<&Line>) -> f32 {
        let own = line.and_then(|line| line.height);
        own.or(self.default_height)
            .unwrap_or(15.0)
            .clamp(0.0, 409.5)
    }

    /// Position of an anchor, in points from the upper left corner of the sheet. Hidden rows and columns count as 0.
    pub(crate) fn point(&self, anchor: &Anchor) -> (f32, f32) {
        let x: f32 = (0..anchor.column).map(|column| self.width(column)).sum();
        let default = match self.hides_rows {
            true => 0.0,
            false => self.height(None),
        };
        let above = self.rows.partition_point(|line| line.number < anchor.row);
        let above = &self.rows[..above];
        let own = above.iter().map(|line| match line.hidden {
            true => 0.0,
            false => self.height(Some(line)),
        });
        let y = own.sum::<f32>() + (anchor.row - above.len() as u32) as f32 * default;
        (x + anchor.x, y + anchor.y)
    }

    /// Width and height of an anchored drawing, in points.
    pub(crate) fn extent(&self, from: &Anchor, extent: &Extent) -> (f32, f32) {
        match extent {
            Extent::Size(width, height) => (*width, *height),
            Extent::To(to) => {
                let ((x, y), (right, bottom)) = (self.point(from), self.point(to));
                (right - x, bottom - y)
            }
        }
    }

    /// Makes the sheet a single page-sized column of two rows, for a chart sheet, and returns the area that it
    /// covers.
    ///
    /// A single row does not suffice, because it is at most 409.5 points high.
    pub(crate) fn fill_page(&mut self) -> (Anchor, Extent) {
        let (width, height) = self.print.room();
        // A drawing of exactly the size of the page would spill over it by rounding.
        let (width, height) = (width - 0.1, height / 2.0 - 0.1);
        self.columns = vec![Column {
            first: 0,
            last: 0,
            width: Some(width / 0.75),
            hidden: false,
            style: 0,
        }];
        self.default_height = Some(height);
        let end = Anchor {
            row: 1,
            column: 0,
            x: width,
            y: height,
        };
        (Anchor::default(), Extent::To(end))
    }

    /// Adds an empty cell wherever a merged range, link or comment begins at a missing cell, because writers attach
    /// these to cells.
    pub(crate) fn add_anchors(&mut self) {
        let merged = self.merged.iter().map(|range| range.first);
        let links = self.links.iter().map(|link| link.range.first);
        let comments = self.comments.iter();
        let comments = comments.map(|comment| (comment.row, comment.column));
        let mut places: Vec<(u32, u32)> = merged.chain(links).chain(comments).collect();
        places.retain(|(row, column)| {
            let line = self.row(*row);
            line.is_none_or(|line| line.cell(*column).is_none())
        });
        if places.is_empty() {
            return;
        }
        // Only the rows up to here are sorted; new rows are pushed after them, and all are sorted at the end.
        let known = self.rows.len();
        for (row, column) in &places {
            let own = self.rows[..known].binary_search_by_key(row, |line| line.number);
            let mut cell = Cell::empty(*column);
            cell.style = self.style_at(own.ok().map(|at| &self.rows[at]), *column);
            match own {
                Ok(at) => self.rows[at].cells.push(cell),
                Err(_) => self.rows.push(Line {
                    number: *row,
                    cells: vec![cell],
                    ..Line::default()
                }),
            }
        }
        self.sort_rows();
    }

    /// Sorts the rows by number, and the cells of each row by column. Rows with the same number are joined. If two of
    /// their cells are in the same column, the first one is kept.
    pub(crate) fn sort_rows(&mut self) {
        self.rows.sort_by_key(|line| line.number);
        self.rows.dedup_by(|later, first| {
            let same = later.number == first.number;
            if same {
                first.cells.append(&mut later.cells);
            }
            same
        });
        self.rows.iter_mut().for_each(Line::sort);
    }

    /// Sorts the columns and cuts overlaps: the entry that begins first wins.
    pub(crate) fn sort_columns(&mut self) {
        self.columns.sort_by_key(|column| column.first);
        let mut end = 0;
        self.columns.retain_mut(|column| {
            column.first = column.first.max(end);
            end = end.max(column.last + 1);
            column.first <= column.last
        });
    }

    /// Returns the row with this number, if it has an entry.
    pub(crate) fn row(&self, number: u32) -> Option<&Line> {
        let at = self.rows.binary_search_by_key(&number, |row| row.number);
        at.ok().map(|at| &self.rows[at])
    }

    /// Returns the properties of a column, if it has an entry.
    pub(crate) fn column(&self, number: u32) -> Option<&Column> {
        let at = self.columns.partition_point(|column| column.last < number);
        let column = self.columns.get(at)?;
        (column.first <= number).then_some(column)
    }

    /// Width of a column in points, 0 for a hidden one. A pixel is 0.75 points.
    pub(crate) fn width(&self, number: u32) -> f32 {
        let column = self.column(number);
        if column.is_some_and(|column| column.hidden) {
            return 0.0;
        }
        let pixels = column.and_then(|column| column.width);
        pixels.unwrap_or(self.default_width).clamp(0.0, 10_000.0) * 0.75
    }

    /// Style index at a row and column: that of the cell, else of the row, else of the column, else 0.
    pub(crate) fn style_at(&self, row: Option<&Line>, column: u32) -> u32 {
        let cell = row.and_then(|row| row.cell(column));
        let of_row = || row.and_then(|row| row.style);
        let of_column = || self.column(column).map(|column| column.style);
        cell.map(|cell| cell.style)
            .or_else(of_row)
            .or_else(of_column)
            .unwrap_or(0)
    }

    /// Style at a row and column, with its conditional format applied.
    pub(crate) fn look(
        &self,
        book: &Book,
        row: u32,
        line: Option<&Line>,
        column: u32,
    ) -> Rc<Style> {
        let overlay = match self.overlays.is_empty() {
            true => None,
            false => self.overlays.get(&(row, column)),
        };
        overlay
            .and_then(|overlay| overlay.style.clone())
            .unwrap_or_else(|| book.style(self.style_at(line, column)))
    }

    /// Last row and column with a visible cell or an overlay, counted from 1. (0, 0) for an empty sheet.
    pub(crate) fn used(&self, book: &Book) -> (u32, u32) {
        let (mut rows, mut columns) = (0, 0);
        for line in &self.rows {
            let seen = |cell: &&Cell| !cell.value.is_empty() || book.style(cell.style).is_visible();
            if let Some(cell) = line.cells.iter().rev().find(seen) {
                rows = rows.max(line.number + 1);
                columns = columns.max(cell.column + 1);
            }
        }
        for (row, column) in self.overlays.keys() {
            rows = rows.max(row + 1);
            columns = columns.max(column + 1);
        }
        (rows, columns)
    }
}
