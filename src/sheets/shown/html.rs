//! HTML pages of sheets: tables in the styles of their cells, as a spreadsheet program shows them on the screen. Uses
//! no scripts and fetches nothing.
//!
//! Each distinct cell format becomes a CSS class. Frozen rows and columns are sticky. Hidden rows and columns are
//! left out.

mod css;

use super::{
    book::{Book, Grid, Link, Placed, Range, Run},
    style::{Font, Style, Turn},
    text::{Kind, Shown},
};
use crate::{
    error::{Error, Result},
    job::{Job, Notes, Output},
    worksheet::View,
};
use convertd_markup::html;
use convertd_tree::{Builder, Document};
use css::Classes;
use std::{collections::HashMap, fmt::Write as _, rc::Rc};

/// Size of the write buffer, in bytes.
const CHUNK: usize = 1 << 16;

/// Maximum number of columns of a sheet that are shown.
const MAX_COLUMNS: u32 = 1 << 12;

/// Writes the sheets of a workbook as a page.
pub(crate) fn write(
    job: &Job<'_>,
    book: &Book,
    build: Builder<'_>,
    view: View,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut document = build.finish(notes)?;
    if let Some(title) = job.options().word("title") {
        document.metadata.title = Some(title.to_owned());
    }
    let first = book.grids.first();
    if document.metadata.title.is_none() {
        document.metadata.title = first.map(|grid| grid.sheet.name().to_owned());
    }
    convertd_tree::contents::ensure_title(job, &mut document);
    let pictures = document.resources().iter().map(|one| one.bytes.len()).max();
    document.hold(job)?;
    // A picture is in memory twice while it is written: encoded in base64, and in the buffer.
    let _lease = job.lease(book.memory() + 2 * pictures.unwrap_or(0) as u64 + (4 << 20))?;
    let mut page = Page {
        job,
        book,
        document: &document,
        view,
        classes: Classes::new(book),
        out: String::new(),
        output,
    };
    page.head();
    for grid in &book.grids {
        page.sheet(grid)?;
    }
    page.out.push_str("</body>\n</html>\n");
    page.flush(0)
}

/// State of the writer.
struct Page<'p> {
    job: &'p Job<'p>,
    /// Workbook that is written.
    book: &'p Book,
    /// Document with the pictures of the workbook.
    document: &'p Document,
    view: View,
    /// CSS classes of the cell styles.
    classes: Classes,
    /// Output that is not flushed yet.
    out: String,
    output: &'p mut dyn Output,
}

/// Geometry of a sheet, computed before its rows are written.
struct Table<'g> {
    /// The sheet.
    grid: &'g Grid,
    /// Visible columns.
    columns: Vec<u32>,
    /// Visible rows.
    rows: Vec<u32>,
    /// Numbers of visible rows and columns of each merged range, by its first visible cell.
    merged: HashMap<(u32, u32), (usize, usize)>,
    /// Cells that merged cells cover, except those in the first row of a range, which `colspan` skips.
    covered: std::collections::HashSet<(u32, u32)>,
    /// Links by the first cell of their range.
    links: HashMap<(u32, u32), &'g Link>,
}

impl Page<'_> {
    /// Writes out the buffer if it is longer than `least` bytes. 0 writes it in any case.
    fn flush(&mut self, least: usize) -> Result<()> {
        if self.out.len() > least || least == 0 {
            let bytes = self.out.as_bytes();
            self.output.write_all(bytes).map_err(Error::unwritten)?;
            self.out.clear();
        }
        Ok(())
    }

    /// Writes the head of the page, with the style sheet.
    fn head(&mut self) {
        let out = &mut self.out;
        out.push_str("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\" />\n");
        out.push_str(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>",
        );
        html::text(
            self.document.metadata.title.as_deref().unwrap_or("Sheets"),
            out,
        );
        out.push_str("</title>\n<style>\n");
        self.classes.write(out);
        out.push_str("</style>\n</head>\n<body>\n");
    }

    /// Writes a sheet as a section with a table. A workbook of several sheets gets headings.
    fn sheet(&mut self, grid: &Grid) -> Result<()> {
        let table = Table::of(grid, self.book);
        let name = grid.sheet.name();
        self.out.push_str("<section id=\"");
        html::attribute(&anchor(name), &mut self.out);
        self.out.push_str("\">\n");
        if self.book.grids.len() > 1 {
            self.out.push_str("<h2>");
            html::text(name, &mut self.out);
            self.out.push_str("</h2>\n");
        }
        let width: f32 = table.columns.iter().map(|column| grid.width(*column)).sum();
        let lines = if grid.shows_lines { " lines" } else { "" };
        let direction = if grid.backwards { " dir=\"rtl\"" } else { "" };
        let _ = write!(
            self.out,
            "<div class=\"sheet\">\n<table class=\"grid{lines}\"{direction} style=\"width:{}pt\">\n<colgroup>",
            round(width)
        );
        for column in &table.columns {
            let _ = write!(
                self.out,
                "<col style=\"width:{}pt\" />",
                round(grid.width(*column))
            );
        }
        self.out.push_str("</colgroup>\n<tbody>\n");
        let mut top = 0.0;
        for row in &table.rows {
            self.job.check()?;
            self.row(&table, *row, &mut top);
            self.flush(CHUNK)?;
        }
        self.out.push_str("</tbody>\n</table>\n");
        for placed in &grid.pictures {
            self.picture(grid, placed);
            self.flush(CHUNK)?;
        }
        self.out.push_str("</div>\n</section>\n");
        Ok(())
    }

    /// Writes a row. `top` is the height of the frozen rows above it. A frozen row sticks at this distance from the
    /// top.
    fn row(&mut self, table: &Table<'_>, row: u32, top: &mut f32) {
        let grid = table.grid;
        let line = grid.row(row);
        let height = grid.height(line);
        let _ = write!(self.out, "<tr style=\"height:{}pt\">", round(height));
        let is_frozen = row < grid.frozen.0;
        let mut left = 0.0;
        // Number of columns that the `colspan` of the last cell still covers.
        let mut skip = 0_usize;
        for (place, column) in table.columns.iter().enumerate() {
            let width = grid.width(*column);
            let from = left;
            left += width;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            if table.covered.contains(&(row, *column)) {
                continue;
            }
            let style = grid.look(self.book, row, line, *column);
            let class = self.classes.of(&style);
            let mut inline = String::new();
            if is_frozen {
                let _ = write!(inline, "top:{}pt;", round(*top));
            }
            if *column < grid.frozen.1 {
                let _ = write!(inline, "left:{}pt;", round(from));
            }
            let cell = line.and_then(|line| line.cell(*column));
            let shown = cell.map(|cell| Shown::of(cell, &style, self.book, self.view));
            let shown = shown.unwrap_or_default();
            let shown = table.signs(row, *column, shown, &mut inline);
            let _ = write!(self.out, "<td class=\"{class}");
            if is_frozen || *column < grid.frozen.1 {
                self.out.push_str(" stays");
            }
            match shown.kind {
                Kind::Number(_) => self.out.push_str(" n"),
                Kind::Word => self.out.push_str(" w"),
                Kind::Text => {}
            }
            let next = table.columns.get(place + 1);
            let next = next.and_then(|next| line.and_then(|line| line.cell(*next)));
            // Text may run over into an empty neighbour, as on the screen of a spreadsheet program.
            let is_free = next.is_none_or(|next| next.value.is_empty());
            if shown.kind == Kind::Text && is_free && !shown.runs.is_empty() {
                self.out.push_str(" o");
            }
            self.out.push('"');
            if let Some((rows, columns)) = table.merged.get(&(row, *column)) {
                if *rows > 1 {
                    let _ = write!(self.out, " rowspan=\"{rows}\"");
                }
                if *columns > 1 {
                    let _ = write!(self.out, " colspan=\"{columns}\"");
                    skip = columns - 1;
                }
            }
            if !inline.is_empty() {
                let _ = write!(self.out, " style=\"{inline}\"");
            }
            self.out.push('>');
            self.content(&shown, &style, table.links.get(&(row, *column)).copied());
            self.out.push_str("</td>");
        }
        if is_frozen {
            *top += height;
        }
        self.out.push_str("</tr>\n");
    }

    /// Writes the content of a cell: the runs of its text, inside its link, and rotated if the style asks for it.
    fn content(&mut self, shown: &Shown, style: &Rc<Style>, link: Option<&Link>) {
        let out = &mut self.out;
        if let Some(link) = link {
            out.push_str("<a href=\"");
            match link.target.strip_prefix('#') {
                Some(place) => {
                    let sheet = place.rsplit_once('!').map_or(place, |(sheet, _)| sheet);
                    out.push('#');
                    html::attribute(&anchor(sheet.trim_matches('\'')), out);
                }
                None => html::href(&link.target, out),
            }
            out.push_str("\">");
        }
        let turned = style.align.turn != Turn::None && !shown.runs.is_empty();
        if turned {
            out.push_str("<span class=\"t\">");
        }
        for run in &shown.runs {
            let colour = shown.colour.filter(|_| run.font.is_none());
            let declarations = match (&run.font, colour) {
                (Some(font), _) => Some(css::font(font)),
                (None, Some(colour)) => Some(format!("color:{}", css::colour(colour))),
                (None, None) => None,
            };
            if let Some(declarations) = &declarations {
                out.push_str("<span style=\"");
                html::attribute(declarations, out);
                out.push_str("\">");
            }
            for (number, line) in run.text.split('\n').enumerate() {
                if number > 0 {
                    out.push_str("<br />");
                }
                html::text(line, out);
            }
            if declarations.is_some() {
                out.push_str("</span>");
            }
        }
        if turned {
            out.push_str("</span>");
        }
        if link.is_some() {
            out.push_str("</a>");
        }
    }

    /// Writes a picture or drawing, absolutely positioned over the cells.
    fn picture(&mut self, grid: &Grid, placed: &Placed) {
        let (x, y) = grid.point(&placed.from);
        let (width, height) = grid.extent(&placed.from, &placed.extent);
        if width <= 0.0 || height <= 0.0 {
            return;
        }
        let _ = write!(
            self.out,
            "<img style=\"left:{}pt;top:{}pt;width:{}pt;height:{}pt\" alt=\"",
            round(x),
            round(y),
            round(width),
            round(height)
        );
        html::attribute(&placed.alternative, &mut self.out);
        self.out.push_str("\" src=\"");
        html::data_url(self.document.resource(placed.picture), &mut self.out);
        self.out.push_str("\" />\n");
    }
}

impl<'g> Table<'g> {
    /// Collects the visible rows and columns of a sheet and its merged ranges. A merged range that begins in the used
    /// area may extend it by up to 1000 rows and 100 columns.
    fn of(grid: &'g Grid, book: &Book) -> Self {
        let (mut rows, mut columns) = grid.used(book);
        for range in &grid.merged {
            if range.first.0 < rows && range.first.1 < columns {
                rows = rows.max(range.last.0.saturating_add(1).min(rows + 1000));
                columns = columns.max(range.last.1.saturating_add(1).min(columns + 100));
            }
        }
        let columns = (0..columns.min(MAX_COLUMNS)).filter(|column| grid.width(*column) > 0.0);
        let mut table = Self {
            grid,
            columns: columns.collect(),
            rows: visible_rows(grid, rows),
            merged: HashMap::new(),
            covered: std::collections::HashSet::new(),
            links: HashMap::new(),
        };
        for range in &grid.merged {
            table.merge(range);
        }
        for link in &grid.links {
            table.links.entry(link.range.first).or_insert(link);
        }
        table
    }

    /// Adds the visible part of a merged range. A range that overlaps an earlier one is ignored.
    fn merge(&mut self, range: &Range) {
        /// Maximum number of cells covered by merged cells.
        const MAX_COVERED: usize = 1 << 20;
        let rows = within(&self.rows, range.first.0, range.last.0);
        let columns = within(&self.columns, range.first.1, range.last.1);
        let (Some(row), Some(column)) = (rows.first(), columns.first()) else {
            return;
        };
        let first = (*row, *column);
        let cells = rows.len() * columns.len();
        let is_covered = self.covered.contains(&first) || self.merged.contains_key(&first);
        if cells < 2 || is_covered || self.covered.len() + cells > MAX_COVERED {
            return;
        }
        self.merged.insert(first, (rows.len(), columns.len()));
        // The `colspan` of the first cell covers its own row; cells in the rows below must be skipped one by one.
        let below = rows.iter().skip(1);
        for row in below {
            self.covered
                .extend(columns.iter().map(|column| (*row, *column)));
        }
    }
}

impl Table<'_> {
    /// Adds the bar and icon of a conditional format, and shortens a number in a narrow column or replaces it by
    /// `###`.
    fn signs(&self, row: u32, column: u32, mut shown: Shown, inline: &mut String) -> Shown {
        /// Padding of a cell on both sides together, in points.
        const PADDING: f32 = 3.75;
        /// Width of a digit, in points.
        const DIGIT: f32 = 5.25;
        if let Kind::Number(Some(_)) = shown.kind
            && !self.merged.contains_key(&(row, column))
        {
            let digits = ((self.grid.width(column) - PADDING) / DIGIT).max(1.0) as usize;
            if shown.text().len() > digits {
                shown = shown.narrowed(digits);
            }
        }
        let Some(overlay) = self.grid.overlays.get(&(row, column)) else {
            return shown;
        };
        if let Some(bar) = overlay.bar {
            inline.push_str(&css::bar(&bar));
        }
        if overlay.hides_value {
            shown.runs.clear();
        }
        if let Some(icon) = overlay.icon {
            let font = Font {
                colour: Some(icon.colour),
                ..Font::default()
            };
            let sign = Run {
                text: format!("{} ", icon.shape).into(),
                font: Some(Rc::new(font)),
            };
            shown.runs.insert(0, sign);
        }
        shown
    }
}

/// Part of a sorted list between two numbers, both included.
fn within(numbers: &[u32], first: u32, last: u32) -> &[u32] {
    let start = numbers.partition_point(|number| *number < first);
    let end = numbers.partition_point(|number| *number <= last);
    &numbers[start..end.max(start)]
}

/// Visible rows. A gap of more than 1000 empty rows is shortened to 1000.
fn visible_rows(grid: &Grid, count: u32) -> Vec<u32> {
    /// Maximum number of consecutive empty rows.
    const GAP: u32 = 1000;
    let mut rows = Vec::new();
    let mut next = 0;
    for line in grid.rows.iter().filter(|line| line.number < count) {
        if !grid.hides_rows {
            rows.extend(next.max(line.number.saturating_sub(GAP))..line.number);
        }
        if !line.hidden && line.height != Some(0.0) {
            rows.push(line.number);
        }
        next = line.number + 1;
    }
    if !grid.hides_rows {
        rows.extend(next..count.min(next.saturating_add(GAP)));
    }
    rows
}

/// Fragment identifier of a sheet. Links within the workbook point to it.
fn anchor(sheet: &str) -> String {
    let name = sheet.to_lowercase();
    let plain = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' });
    format!("sheet-{}", plain.collect::<String>())
}

/// Rounds to hundredths.
fn round(points: f32) -> f32 {
    (points * 100.0).round() / 100.0
}
