//! A workbook as it is shown: its sheets with their cells. Knows no file format, and lays out nothing.

pub(crate) use super::range::Range;
use super::{print::Setup, style::Style, validation::Validation};
use crate::worksheet::Sheet;
use convertd_office::time::Epoch;
use convertd_tree::{Colour, ResourceId};
use std::{collections::HashMap, rc::Rc};

/// The limit on the cells of a workbook that is converted with its looks, empty ones with a style included.
pub(crate) const MAX_CELLS: usize = 250_000;

/// The limit on merged ranges, links, areas and other things that a sheet lists.
pub(crate) const MAX_LIST: usize = 1 << 16;

/// Words for what is not read of a sheet and would be seen.
pub(crate) const CONDITIONS: &str = "conditional formats";
pub(crate) const DRAWINGS: &str = "pictures, charts and shapes";
pub(crate) const FORMULAS: &str =
    "formulas of ranges, of tables and of other workbooks, whose values are kept";
pub(crate) const SPARKLINES: &str = "sparklines";
pub(crate) const FONTS: &str = "fonts of parts of texts";
/// Name of a part that is neither read nor visible, for notes.
pub(crate) const VALIDATIONS: &str = "rules for entries";

/// The memory for a cell with its text, in bytes, about.
pub(crate) const CELL: u64 = 160;

/// A workbook.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// The styles that cells refer to. A number beyond them is the first one, which is that of cells that say nothing.
    pub(crate) styles: Vec<Rc<Style>>,
    /// The font that widths of columns count in, and headers begin with.
    pub(crate) normal: Rc<super::style::Font>,
    pub(crate) epoch: Epoch,
    pub(crate) grids: Vec<Grid>,
    pub(crate) palette: Palette,
    pub(crate) names: Vec<Name>,
    /// When it was last saved, if it says so.
    pub(crate) saved: Option<super::header::Saved>,
}

/// A name for a range or a formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) name: Box<str>,
    /// The sheet that it is of alone, by its place in the book.
    pub(crate) sheet: Option<usize>,
    /// In the syntax of Excel, without an equals sign.
    pub(crate) formula: Box<str>,
}

/// The colours of a workbook that number formats and grid lines refer to.
#[derive(Clone, Debug)]
pub(crate) struct Palette(pub(crate) [Colour; 64]);

impl Book {
    /// Invisible parts of the sheets, as a list of words.
    pub(crate) fn unseen(&self) -> Option<String> {
        let all = self.grids.iter().flat_map(|grid| &grid.unread);
        let seen = all.filter(|words| [CONDITIONS, DRAWINGS, FONTS, SPARKLINES].contains(words));
        let words: std::collections::BTreeSet<&str> = seen.copied().collect();
        let words: Vec<&str> = words.into_iter().collect();
        (!words.is_empty()).then(|| format!("Left out of the sheets: {}.", words.join(", ")))
    }

    /// Losses of the sheets in another workbook, as a list of words.
    pub(crate) fn lost(&self) -> Option<String> {
        let mut lost: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
        for grid in &self.grids {
            lost.extend(&grid.unread);
            if !grid.overlays.is_empty() {
                lost.insert("conditional formats and styles of tables");
            }
            if !grid.pictures.is_empty() || !grid.margin_pictures.is_empty() {
                lost.insert(DRAWINGS);
            }
        }
        let words: Vec<&str> = lost.into_iter().collect();
        (!words.is_empty()).then(|| format!("Left out of the sheets: {}.", words.join(", ")))
    }

    /// Gives what has the number of a style that is not there the first one, which is what it looks like.
    pub(crate) fn settle_styles(&mut self) {
        let count = self.styles.len() as u32;
        let settle = |style: &mut u32| {
            if *style >= count {
                *style = 0;
            }
        };
        for grid in &mut self.grids {
            grid.columns
                .iter_mut()
                .for_each(|one| settle(&mut one.style));
            for line in &mut grid.rows {
                line.style.iter_mut().for_each(settle);
                line.cells
                    .iter_mut()
                    .for_each(|cell| settle(&mut cell.style));
            }
        }
    }

    /// Memory in bytes, about.
    pub(crate) fn memory(&self) -> u64 {
        let cells = self.grids.iter().flat_map(|grid| &grid.rows);
        let cells: usize = cells.map(|line| line.cells.len() + 1).sum();
        cells as u64 * CELL
    }

    pub(crate) fn style(&self, number: u32) -> Rc<Style> {
        let style = self.styles.get(number as usize);
        style.or(self.styles.first()).cloned().unwrap_or_default()
    }
}

/// A sheet of a workbook.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) sheet: Sheet,
    /// In order, without overlaps.
    pub(crate) columns: Vec<Column>,
    /// The width of other columns in pixels, 96 an inch.
    pub(crate) usual_width: f32,
    /// The height of rows that say nothing, in points, if it is stated.
    pub(crate) usual_height: Option<f32>,
    /// Rows that say nothing are hidden.
    pub(crate) hides_rows: bool,
    /// In order. Rows without cells or a look of their own are left out.
    pub(crate) rows: Vec<Line>,
    pub(crate) merged: Vec<Range>,
    /// Formulas that are entered over ranges: the cell that has one, and the last cell of its range.
    pub(crate) arrays: HashMap<(u32, u32), (u32, u32)>,
    pub(crate) links: Vec<Link>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) validations: Vec<Validation>,
    pub(crate) print: Setup,
    /// Number of frozen rows and columns.
    pub(crate) frozen: (u32, u32),
    /// Whether the window shows lines between the cells.
    pub(crate) shows_lines: bool,
    /// The sheet runs from right to left.
    pub(crate) backwards: bool,
    /// Cells that look different from their style, by row and column: conditional formats, styles of tables.
    pub(crate) overlays: HashMap<(u32, u32), Overlay>,
    pub(crate) pictures: Vec<Placed>,
    pub(crate) margin_pictures: Vec<MarginPicture>,
    /// Parts of the sheet that are not read.
    pub(crate) unread: std::collections::BTreeSet<&'static str>,
}

/// A column, or several neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// In pixels, if it is stated.
    pub(crate) width: Option<f32>,
    pub(crate) hidden: bool,
    pub(crate) style: u32,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// From 0.
    pub(crate) number: u32,
    /// In points, if it is stated.
    pub(crate) height: Option<f32>,
    pub(crate) hidden: bool,
    /// The style of cells that are not there.
    pub(crate) style: Option<u32>,
    /// From left to right.
    pub(crate) cells: Vec<Cell>,
}

impl Line {
    /// Puts the cells in order. Of several in one place the first one counts.
    pub(crate) fn sort(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.column < b.column) {
            self.cells.sort_by_key(|cell| cell.column);
            self.cells.dedup_by_key(|cell| cell.column);
        }
    }

    /// The same, but of several in one place the last one counts.
    pub(crate) fn sort_by_last(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.column < b.column) {
            self.cells.reverse();
            self.sort();
        }
    }

    /// The cell in a column.
    pub(crate) fn cell(&self, column: u32) -> Option<&Cell> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.column);
        at.ok().map(|at| &self.cells[at])
    }
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) column: u32,
    pub(crate) style: u32,
    pub(crate) value: Value,
    /// Displayed text of a number or a date, if the file has it.
    pub(crate) shown: Option<Rc<str>>,
    /// Its formula in the syntax of Excel, without the equals sign.
    pub(crate) formula: Option<Box<str>>,
}

impl Cell {
    /// A cell that holds nothing and looks like those that are not there.
    pub(crate) fn empty(column: u32) -> Self {
        Self {
            column,
            style: 0,
            value: Value::Empty,
            shown: None,
            formula: None,
        }
    }
}

/// Value of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Empty,
    Number(f64),
    Text(Rc<str>),
    Rich(Rc<[Run]>),
    Boolean(bool),
    Error(Box<str>),
}

impl Value {
    /// Returns whether nothing is seen of it, as of a text without letters.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) => text.is_empty(),
            _ => false,
        }
    }

    /// The text of a cell that holds one, without its looks.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.to_string()),
            Self::Rich(runs) => Some(runs.iter().map(|run| &*run.text).collect()),
            Self::Empty | Self::Number(_) | Self::Boolean(_) | Self::Error(_) => None,
        }
    }

    /// Text of a cell in a chart: its number or its text.
    pub(crate) fn charted(&self) -> Option<String> {
        match self {
            Self::Number(number) => Some(number.to_string()),
            other => other.text(),
        }
    }
}

/// A part of a text that looks different.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) text: Box<str>,
    /// `None` for the font of the cell.
    pub(crate) font: Option<Rc<super::style::Font>>,
}

/// Bars and icons drawn on top of a cell's style.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    pub(crate) style: Option<Rc<Style>>,
    pub(crate) bar: Option<Bar>,
    pub(crate) icon: Option<Icon>,
    /// A bar or an icon stands in the place of the value.
    pub(crate) hides_value: bool,
}

/// A bar in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    /// From where to where it runs, from 0 at the left edge of the cell to 1 at the right one.
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) colour: Colour,
    /// The line from which the bars of several cells run, where there is one.
    pub(crate) axis: Option<(f32, Colour)>,
}

/// A sign in front of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Icon {
    pub(crate) shape: char,
    pub(crate) colour: Colour,
}

/// A hyperlink.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) range: Range,
    /// A URL, or `#` and a place in the workbook.
    pub(crate) target: Box<str>,
    pub(crate) title: Box<str>,
}

/// A comment on a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comment {
    /// From 0.
    pub(crate) row: u32,
    pub(crate) column: u32,
    /// May be empty.
    pub(crate) author: Box<str>,
    pub(crate) text: Box<str>,
}

/// A point of a sheet: a cell, and how far into it, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Anchor {
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// End of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    To(Anchor),
    /// Width and height in points.
    Size(f32, f32),
}

/// A picture on a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) from: Anchor,
    pub(crate) extent: Extent,
    pub(crate) picture: ResourceId,
    pub(crate) alternative: Box<str>,
}

impl Placed {
    /// The last row and column that it reaches into, about.
    pub(crate) fn last(&self) -> (u32, u32) {
        match self.extent {
            Extent::To(to) => (to.row.max(self.from.row), to.column.max(self.from.column)),
            Extent::Size(width, height) => (
                self.from
                    .row
                    .saturating_add((height / 15.0).clamp(0.0, 1000.0) as u32),
                self.from
                    .column
                    .saturating_add((width / 48.0).clamp(0.0, 1000.0) as u32),
            ),
        }
    }
}

/// A picture in a header or footer.
#[derive(Clone, Debug)]
pub(crate) struct MarginPicture {
    /// Place: L, C or R for left, middle or right, H or F for header or footer, and `FIRST` or `EVEN` if it is on the
    /// first page or on even pages alone.
    pub(crate) place: Box<str>,
    pub(crate) picture: ResourceId,
    /// Width and height in points.
    pub(crate) size: (f32, f32),
}

impl Grid {
    /// The height of a row in points, as far as the file says it.
    pub(crate) fn height(&self, line: Option<&Line>) -> f32 {
        let own = line.and_then(|line| line.height);
        own.or(self.usual_height).unwrap_or(15.0).clamp(0.0, 409.5)
    }

    /// Position of an anchor, in points from the upper left corner of the sheet.
    pub(crate) fn point(&self, anchor: &Anchor) -> (f32, f32) {
        let x: f32 = (0..anchor.column).map(|column| self.width(column)).sum();
        let usual = match self.hides_rows {
            true => 0.0,
            false => self.height(None),
        };
        let above = self.rows.partition_point(|line| line.number < anchor.row);
        let above = &self.rows[..above];
        let own = above.iter().map(|line| match line.hidden {
            true => 0.0,
            false => self.height(Some(line)),
        });
        let y = own.sum::<f32>() + (anchor.row - above.len() as u32) as f32 * usual;
        (x + anchor.x, y + anchor.y)
    }

    /// The width and height of what is anchored, in points.
    pub(crate) fn extent(&self, from: &Anchor, extent: &Extent) -> (f32, f32) {
        match extent {
            Extent::Size(width, height) => (*width, *height),
            Extent::To(to) => {
                let ((x, y), (right, bottom)) = (self.point(from), self.point(to));
                (right - x, bottom - y)
            }
        }
    }

    /// Makes the sheet one cell that takes the room of a page, and says what takes it: two rows, as none is as high as a page.
    pub(crate) fn fill_page(&mut self) -> (Anchor, Extent) {
        let (width, height) = self.print.room();
        // What is exactly as large as the page would run over it by rounding.
        let (width, height) = (width - 0.1, height / 2.0 - 0.1);
        self.columns = vec![Column {
            first: 0,
            last: 0,
            width: Some(width / 0.75),
            hidden: false,
            style: 0,
        }];
        self.usual_height = Some(height);
        let end = Anchor {
            row: 1,
            column: 0,
            x: width,
            y: height,
        };
        (Anchor::default(), Extent::To(end))
    }

    /// Adds empty cells for merged ranges, links and comments.
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

    /// Puts the rows in order, and the cells of each. A row that is there twice has the cells of both; of two in one place the first one
    /// counts.
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

    /// Puts the columns in order. Of those that are stated twice the first one counts.
    pub(crate) fn sort_columns(&mut self) {
        self.columns.sort_by_key(|column| column.first);
        let mut end = 0;
        self.columns.retain_mut(|column| {
            column.first = column.first.max(end);
            end = end.max(column.last + 1);
            column.first <= column.last
        });
    }

    /// The row with this number, if it says anything.
    pub(crate) fn row(&self, number: u32) -> Option<&Line> {
        let at = self.rows.binary_search_by_key(&number, |row| row.number);
        at.ok().map(|at| &self.rows[at])
    }

    /// Properties of a column.
    pub(crate) fn column(&self, number: u32) -> Option<&Column> {
        let at = self.columns.partition_point(|column| column.last < number);
        let column = self.columns.get(at)?;
        (column.first <= number).then_some(column)
    }

    /// The width of a column in points; 0 if it is hidden.
    pub(crate) fn width(&self, number: u32) -> f32 {
        let column = self.column(number);
        if column.is_some_and(|column| column.hidden) {
            return 0.0;
        }
        let pixels = column.and_then(|column| column.width);
        pixels.unwrap_or(self.usual_width).clamp(0.0, 10_000.0) * 0.75
    }

    /// The style of a place, whether there is a cell or not.
    pub(crate) fn style_at(&self, row: Option<&Line>, column: u32) -> u32 {
        let cell = row.and_then(|row| row.cell(column));
        let of_row = || row.and_then(|row| row.style);
        let of_column = || self.column(column).map(|column| column.style);
        cell.map(|cell| cell.style)
            .or_else(of_row)
            .or_else(of_column)
            .unwrap_or(0)
    }

    /// Look of a place.
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

    /// The last row and column, counted from 1, with something to be seen in them.
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
