//! Conversion of a table to rows of a sheet (HTML, 4.9.12 "forming a table"). A cell that spans several rows moves the
//! cells of the rows below to the right. A span becomes a merged range, unless the cell has Excel's property
//! `mso-ignore: colspan`, which means that the span only stands for empty cells that were left out.

use super::{
    looks::{self, Ancestors, ignores_span, length},
    page::Reader,
    text::Text,
    value::Held,
};
use crate::{
    cells::{COLUMNS, MAX_ROWS},
    error::Result,
    shown::book::{Cell, Column, DRAWINGS, Grid, Line, Link, MAX_LIST, Range, Value},
};
use convertd_markup::{
    css::style::{Display, Style},
    dom::{Data, Dom, NodeId},
};
use std::rc::Rc;

/// Maximum number of columns that a cell spans (HTML, 4.9.11).
const MAX_SPAN: u32 = 1000;
/// Maximum number of rows that a cell spans (HTML, 4.9.11).
const MAX_ROW_SPAN: u32 = 65_534;

/// Maximum number of positions (row and column) of a table that cells from rows above cover. Without a limit, the time
/// would grow with the square of the number of rows.
const MAX_COVERED: u32 = 1 << 24;
/// Maximum number of covered positions of a table that become cells, to show borders.
const MAX_SHOWN: u32 = 1 << 18;

/// Maximum width of a column without a stated width, in characters. Longer texts are wrapped.
const WIDEST: usize = 60;

/// Width of a character, in pixels.
const CHARACTER: f32 = 7.0;
/// Padding of a cell on both sides together, in pixels.
const MARGINS: f32 = 5.0;

/// Schemes of URLs that become links.
const SCHEMES: [&str; 4] = ["http://", "https://", "mailto:", "ftp://"];

/// A table that is being read.
struct Table {
    /// For each column, the first row below the cell that covers it, and the style of that cell, or 0 if its borders
    /// are not shown.
    covered: Vec<(u32, u32)>,
    /// Stated width of each column, and length of its longest text.
    widths: Vec<(Option<f32>, usize)>,
    /// Merged ranges. Their last rows may still be below the table.
    merged: Vec<Range>,
    /// Row below the last one so far.
    end: u32,
    /// Number of rows that are not read yet.
    rows_left: u32,
    /// Number of positions that cells from rows above may still cover.
    covered_left: u32,
    /// Number of covered positions that may still become cells.
    shown_left: u32,
}

/// Reads a visible table.
pub(super) fn read(
    reader: &mut Reader<'_>,
    id: NodeId,
    style: &Rc<Style>,
    ancestors: Ancestors,
) -> Result<()> {
    let dom = reader.dom;
    let caption = dom.children(id).find(|child| dom.tag(*child) == "caption");
    let caption = caption.map(|caption| {
        dom.text(caption)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    });
    if !reader.one_sheet {
        let number = reader.grids.len() + 1;
        let title = caption.filter(|caption| !caption.is_empty());
        reader.begin_sheet(Some(title.unwrap_or_else(|| format!("Table {number}"))));
    }
    let mut table = Table {
        covered: Vec::new(),
        widths: Vec::new(),
        merged: Vec::new(),
        end: reader.next,
        rows_left: rows(reader.dom, id),
        covered_left: MAX_COVERED,
        shown_left: MAX_SHOWN,
    };
    for child in dom.children(id) {
        let own = reader.cascade.style(child, style, ancestors.root);
        match dom.tag(child) {
            "col" => table.column(dom.attribute(child, "span"), &own),
            "colgroup" => {
                let columns = dom.children(child).filter(|one| dom.tag(*one) == "col");
                for column in columns {
                    let own = reader.cascade.style(column, &own, ancestors.root);
                    table.column(dom.attribute(column, "span"), &own);
                }
            }
            _ => {}
        }
    }
    // In the page, `tfoot` may precede the other rows, but its rows are the last.
    for tags in [&["thead"][..], &["tbody", "tr"], &["tfoot"]] {
        for part in dom
            .children(id)
            .filter(|part| tags.contains(&dom.tag(*part)))
        {
            let own = reader.cascade.style(part, style, ancestors.root);
            if dom.tag(part) == "tr" {
                table.row(reader, part, &own, ancestors)?;
                continue;
            }
            if own.display == Display::None {
                continue;
            }
            for row in dom.children(part).filter(|row| dom.tag(*row) == "tr") {
                let style = reader.cascade.style(row, &own, ancestors.root);
                table.row(reader, row, &style, ancestors.within(&own))?;
            }
        }
    }
    table.finish(reader);
    Ok(())
}

/// Number of rows of a table.
fn rows(dom: &Dom, id: NodeId) -> u32 {
    let rows_in = |id: NodeId| dom.children(id).filter(|row| dom.tag(*row) == "tr").count();
    let parts = dom.children(id).map(rows_in);
    u32::try_from(rows_in(id) + parts.sum::<usize>()).unwrap_or(MAX_ROWS)
}

/// Number of rows or columns in an attribute, 1 if it is not a number. Characters after the digits are ignored.
fn span(text: Option<&str>, most: u32) -> u32 {
    let text = text.unwrap_or_default().trim();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    digits.parse().unwrap_or(1).min(most)
}

impl Table {
    /// Adds the width of a `col` element.
    fn column(&mut self, columns: Option<&str>, style: &Style) {
        for _ in 0..span(columns, MAX_SPAN).max(1) {
            if self.widths.len() < COLUMNS as usize {
                self.widths.push((length(&style.width), 0));
            }
        }
    }

    /// Reads a row with its cells. Columns that cells from rows above cover are skipped.
    fn row(
        &mut self,
        reader: &mut Reader<'_>,
        id: NodeId,
        style: &Rc<Style>,
        ancestors: Ancestors,
    ) -> Result<()> {
        reader.job.check()?;
        let rows_left = self.rows_left;
        self.rows_left = rows_left.saturating_sub(1);
        let hidden = style.display == Display::None;
        // Unless the page is one sheet of Excel, hidden rows are templates or menus and are left out.
        if hidden && !reader.for_excel {
            return Ok(());
        }
        let number = self.end;
        if number >= MAX_ROWS {
            reader.cut = true;
            return Ok(());
        }
        let mut line = Line {
            number,
            height: length(&style.height).map(|px| px * 0.75),
            hidden,
            ..Line::default()
        };
        let (dom, ancestors, mut column) = (reader.dom, ancestors.within(style), 0);
        let cells = dom.children(id);
        for cell in cells.filter(|cell| matches!(dom.tag(*cell), "td" | "th")) {
            let own = reader.cascade.style(cell, style, ancestors.root);
            if own.display == Display::None {
                continue;
            }
            while self.covers(number, column) {
                self.cover(column, &mut line);
                column += 1;
            }
            if column >= COLUMNS {
                reader.cut = true;
                break;
            }
            let at = (number, column, rows_left);
            column = self.cell(reader, cell, &own, ancestors, at, &mut line)?;
        }
        for column in column..self.covered.len() as u32 {
            if self.covers(number, column) {
                self.cover(column, &mut line);
            }
        }
        line.sort();
        self.end += 1;
        if let Some(grid) = reader.grids.last_mut() {
            grid.rows.push(line);
        }
        Ok(())
    }

    /// Returns whether a cell from a row above covers a position.
    fn covers(&self, row: u32, column: u32) -> bool {
        let covered = self.covered.get(column as usize);
        covered.is_some_and(|(end, _)| row < *end)
    }

    /// Adds an empty cell at a covered position if the covering cell has borders.
    fn cover(&mut self, column: u32, line: &mut Line) {
        let covered = self.covered.get(column as usize);
        let style = covered.map_or(0, |(_, style)| *style);
        if style == 0 || self.shown_left == 0 {
            return;
        }
        self.shown_left -= 1;
        line.cells.push(Cell {
            style,
            ..Cell::empty(column)
        });
    }

    /// Number of rows that a cell spans, at most `rows_left`. 1 if the span would exceed the limit on covered positions
    /// of the table.
    fn row_span(&mut self, written: Option<&str>, columns: u32, rows_left: u32) -> u32 {
        let rows = match span(written, MAX_ROW_SPAN) {
            // 0 means up to the end of the table.
            0 => MAX_ROW_SPAN,
            rows => rows,
        };
        let rows = rows.min(rows_left).max(1);
        match self.covered_left.checked_sub((rows - 1) * columns) {
            Some(left) => {
                self.covered_left = left;
                rows
            }
            None => 1,
        }
    }

    /// Reads a cell at a row and column. `rows_left` counts this row and those below. Returns the column after the
    /// cell.
    fn cell(
        &mut self,
        reader: &mut Reader<'_>,
        id: NodeId,
        css: &Rc<Style>,
        ancestors: Ancestors,
        (row, column, rows_left): (u32, u32, u32),
        line: &mut Line,
    ) -> Result<u32> {
        let mut content = Content::default();
        content.gather(reader, id, css, ancestors.root);
        let (text, link) = (content.text.finish(), content.link);
        let (plain, look) = (text.text(), text.only_look());
        let Some(element) = reader.dom.element(id) else {
            return Ok(column);
        };
        let held = Held::of(element, &plain, looks::code(css), reader.separators);
        let wraps = plain.contains('\n') || plain.chars().count() > WIDEST;
        let cell = looks::Cell {
            ancestors,
            text: look,
            code: held.code,
            wraps,
        };
        let style = reader.looks.style(css, cell);
        let columns = span(element.get("colspan"), MAX_SPAN).clamp(1, COLUMNS - column);
        let rows = self.row_span(element.get("rowspan"), columns, rows_left);
        let merges = !ignores_span(css);
        let shows = merges && looks::has_borders(css);
        let end = row.saturating_add(rows).min(MAX_ROWS);
        if merges && (columns > 1 || rows > 1) && self.merged.len() < MAX_LIST {
            self.merged.push(Range {
                first: (row, column),
                last: (end - 1, column + columns - 1),
            });
        }
        // The cell covers these columns down to the end of its span. Covered positions become cells only if the
        // cell is merged and has borders.
        self.reserve(column + columns);
        for covered in column..column + columns {
            if let Some(known) = self.covered.get_mut(covered as usize) {
                *known = (end, if shows { style } else { 0 });
            }
        }
        self.measure(column, columns, css, &plain);
        let value = held.value.unwrap_or_else(|| Value::from(text));
        line.cells.push(Cell {
            style,
            value,
            formula: held.formula.filter(|_| reader.for_excel),
            ..Cell::empty(column)
        });
        if merges && columns > 1 {
            (column + 1..column + columns).for_each(|column| self.cover(column, line));
        }
        if let Some(grid) = reader.grids.last_mut() {
            add_link(grid, (row, column), link);
            if content.has_pictures {
                grid.unread.insert(DRAWINGS);
            }
        }
        Ok(column + columns)
    }

    /// Extends the lists of columns to at least this number.
    fn reserve(&mut self, columns: u32) {
        let columns = columns as usize;
        if self.covered.len() < columns {
            self.covered.resize(columns, (0, 0));
        }
        if self.widths.len() < columns {
            self.widths.resize(columns, (None, 0));
        }
    }

    /// Records the stated width of a cell and the length of its longest line for its column, unless it spans several.
    fn measure(&mut self, column: u32, columns: u32, css: &Style, text: &str) {
        let Some((stated, longest)) = self.widths.get_mut(column as usize) else {
            return;
        };
        if columns == 1 {
            let own = text.lines().map(|line| line.chars().count()).max();
            *longest = (*longest).max(own.unwrap_or(0));
            *stated = stated.or_else(|| length(&css.width));
        }
    }

    /// Adds the merged ranges and column widths to the sheet. They are known only at the end of the table.
    fn finish(self, reader: &mut Reader<'_>) {
        let last = self.end.saturating_sub(1);
        reader.next = self.end;
        let Some(grid) = reader.grids.last_mut() else {
            return;
        };
        for mut range in self.merged {
            range.last.0 = range.last.0.min(last);
            if range.first != range.last && grid.merged.len() < MAX_LIST {
                grid.merged.push(range);
            }
        }
        for (column, (stated, longest)) in (0_u32..).zip(self.widths) {
            let of_text = longest.min(WIDEST) as f32 * CHARACTER + MARGINS;
            let width = stated.unwrap_or_else(|| of_text.max(grid.default_width));
            widen(grid, column, width);
        }
    }
}

/// Sets the width of a column. Of the widths that the tables on one sheet require, the largest applies.
fn widen(grid: &mut Grid, column: u32, width: f32) {
    match grid.columns.get_mut(column as usize) {
        Some(known) => known.width = known.width.map(|known| known.max(width)),
        None => grid.columns.push(Column {
            first: column,
            last: column,
            width: Some(width),
            hidden: false,
            style: 0,
        }),
    }
}

/// Adds a link to a cell, up to the limit of a sheet.
fn add_link(grid: &mut Grid, place: (u32, u32), link: Option<String>) {
    let Some(target) = link.filter(|_| grid.links.len() < MAX_LIST) else {
        return;
    };
    grid.links.push(Link {
        range: Range {
            first: place,
            last: place,
        },
        target: target.into(),
        title: "".into(),
    });
}

/// Content of a cell.
#[derive(Default)]
struct Content {
    /// Text with its formatting.
    text: Text,
    /// Target of the first link with a known scheme.
    link: Option<String>,
    /// Whether pictures in the cell were left out.
    has_pictures: bool,
}

impl Content {
    /// Collects the visible text of an element. The parser limits the depth of the tree, which bounds the recursion.
    fn gather(
        &mut self,
        reader: &mut Reader<'_>,
        id: NodeId,
        style: &Rc<Style>,
        root: Option<f32>,
    ) {
        let dom = reader.dom;
        for child in dom.children(id) {
            match &dom.node(child).data {
                Data::Text(text) => {
                    self.text.add(text, &style.text);
                    continue;
                }
                Data::Drawing(..) => {
                    self.has_pictures = true;
                    continue;
                }
                Data::Document => continue,
                Data::Element(_) => {}
            }
            let tag = dom.tag(child);
            let own = reader.cascade.style(child, style, root);
            if own.display == Display::None {
                continue;
            }
            match tag {
                "br" => self.text.end_line(),
                "img" => self.has_pictures = true,
                "a" if self.link.is_none() => {
                    let address = dom.attribute(child, "href").unwrap_or_default().trim();
                    let is_known = SCHEMES.iter().any(|scheme| address.starts_with(scheme));
                    self.link = is_known.then(|| address.to_owned());
                }
                _ => {}
            }
            // In the text, a line end separates blocks, and a space separates the cells of nested tables.
            let is_cell = own.display == Display::Cell;
            let is_block = !own.is_inline_level() && !is_cell;
            if is_block {
                self.text.end_block();
            }
            self.gather(reader, child, &own, root);
            if is_block {
                self.text.end_block();
            } else if is_cell {
                self.text.add(" ", &own.text);
            }
        }
    }
}
