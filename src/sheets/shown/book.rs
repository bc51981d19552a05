//! The workbook model that the readers of all formats fill in: sheets, rows, cells, styles and drawings. Does not
//! depend on a file format, and does no layout.
//!
//! Coordinates of cells count from 0. Column widths are in pixels of 1/96 inch, as Excel stores them; all other
//! lengths are in points.

pub(crate) use super::range::Range;
use super::{print::Setup, style::Style, validation::Validation};
use crate::worksheet::Sheet;
use convertd_office::time::Epoch;
use convertd_tree::{Colour, ResourceId};
use std::{collections::HashMap, rc::Rc};

/// Maximum number of cells of a workbook that is converted with its styles. Empty cells with a style count too.
pub(crate) const MAX_CELLS: usize = 250_000;

/// Maximum number of merged ranges, links, areas and other items that a sheet lists.
pub(crate) const MAX_LIST: usize = 1 << 16;

// Names of parts of a sheet that a reader may leave out, for notes to the user.

/// Conditional formats that are not applied.
pub(crate) const CONDITIONS: &str = "conditional formats";
/// Drawings that are not read.
pub(crate) const DRAWINGS: &str = "pictures, charts and shapes";
/// Formulas that are not read. Their stored values are, so the loss is not visible.
pub(crate) const FORMULAS: &str =
    "formulas of ranges, of tables and of other workbooks (their values were kept)";
/// Sparklines, small charts in a cell.
pub(crate) const SPARKLINES: &str = "sparklines";
/// Fonts of single runs in the text of a cell.
pub(crate) const FONTS: &str = "fonts within texts";
/// Data validation rules, which are not visible.
pub(crate) const VALIDATIONS: &str = "data validation";

/// Approximate memory for a cell with its text, in bytes.
pub(crate) const CELL: u64 = 160;

/// A workbook.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// Cell formats, which cells refer to by index. An index past the end means the first one, the default format.
    pub(crate) styles: Vec<Rc<Style>>,
    /// Font of the style "Normal". Files state column widths as multiples of its digit width. Headers and footers have
    /// this font where they do not choose another.
    pub(crate) normal: Rc<super::style::Font>,
    /// First day of the serial dates: 1900 or 1904.
    pub(crate) epoch: Epoch,
    /// Sheets in the order of their tabs.
    pub(crate) grids: Vec<Grid>,
    /// Indexed colours, for number formats and grid lines.
    pub(crate) palette: Palette,
    /// Defined names, of the whole workbook and of single sheets.
    pub(crate) names: Vec<Name>,
    /// Date and author of the last save, if the file has them.
    pub(crate) saved: Option<super::header::Saved>,
}

/// A name for a range or a formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    /// Name as formulas spell it.
    pub(crate) name: Box<str>,
    /// Index of the sheet, for a name that is local to one.
    pub(crate) sheet: Option<usize>,
    /// Formula in the syntax of Excel, without an equals sign.
    pub(crate) formula: Box<str>,
}

/// The 64 indexed colours of a workbook, which number formats and grid lines refer to.
#[derive(Clone, Debug)]
pub(crate) struct Palette(pub(crate) [Colour; 64]);

impl Book {
    /// Note about parts that a reader of the output misses, or `None` without any. Leaves out parts that are
    /// invisible anyway.
    pub(crate) fn unseen(&self) -> Option<String> {
        let all = self.grids.iter().flat_map(|grid| &grid.unread);
        let seen = all.filter(|words| [CONDITIONS, DRAWINGS, FONTS, SPARKLINES].contains(words));
        let words: std::collections::BTreeSet<&str> = seen.copied().collect();
        let words: Vec<&str> = words.into_iter().collect();
        (!words.is_empty()).then(|| format!("Left out of the sheets: {}.", words.join(", ")))
    }

    /// Note about parts that are lost in a conversion to another workbook format, or `None` if all are kept.
    pub(crate) fn lost(&self) -> Option<String> {
        let mut lost: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
        for grid in &self.grids {
            lost.extend(&grid.unread);
            if !grid.overlays.is_empty() {
                lost.insert("conditional formats and table styles");
            }
            if !grid.margin_pictures.is_empty() {
                lost.insert("pictures in headers and footers");
            }
        }
        let words: Vec<&str> = lost.into_iter().collect();
        (!words.is_empty()).then(|| format!("Left out of the sheets: {}.", words.join(", ")))
    }

    /// Replaces each style index past the end of the list by 0, so that writers can trust the indices.
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

    /// Approximate memory of the workbook, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let cells = self.grids.iter().flat_map(|grid| &grid.rows);
        let cells: usize = cells.map(|line| line.cells.len() + 1).sum();
        cells as u64 * CELL
    }

    /// Style with this index, or the first one for an index past the end.
    pub(crate) fn style(&self, number: u32) -> Rc<Style> {
        let style = self.styles.get(number as usize);
        style.or(self.styles.first()).cloned().unwrap_or_default()
    }
}

/// A sheet of a workbook.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Name and visibility of the sheet.
    pub(crate) sheet: Sheet,
    /// Properties of columns, sorted and without overlaps. A column outside of all of them has the default width.
    pub(crate) columns: Vec<Column>,
    /// Default column width, in pixels of 1/96 inch.
    pub(crate) default_width: f32,
    /// Default row height in points, if the file states one.
    pub(crate) default_height: Option<f32>,
    /// Whether rows without an entry in `rows` are hidden.
    pub(crate) hides_rows: bool,
    /// Rows in order. A row without cells and without properties has no entry.
    pub(crate) rows: Vec<Line>,
    /// Merged ranges. Only the cell at the upper left of each is visible.
    pub(crate) merged: Vec<Range>,
    /// Array formulas: upper left cell of the range (which holds the formula), and last cell of the range.
    pub(crate) arrays: HashMap<(u32, u32), (u32, u32)>,
    /// Hyperlinks on cells.
    pub(crate) links: Vec<Link>,
    /// Comments on cells.
    pub(crate) comments: Vec<Comment>,
    /// Data validation rules.
    pub(crate) validations: Vec<Validation>,
    /// Page setup.
    pub(crate) print: Setup,
    /// Number of frozen rows and columns.
    pub(crate) frozen: (u32, u32),
    /// Whether the window shows grid lines between the cells.
    pub(crate) shows_lines: bool,
    /// Whether the sheet runs from right to left.
    pub(crate) backwards: bool,
    /// Styles that override those of cells, by row and column. Conditional formats and table styles end up here.
    pub(crate) overlays: HashMap<(u32, u32), Overlay>,
    /// Pictures that are anchored to cells, charts and shapes among them.
    pub(crate) pictures: Vec<Placed>,
    /// Pictures of headers and footers, referred to by `&G` in their text.
    pub(crate) margin_pictures: Vec<MarginPicture>,
    /// Names of parts of the sheet that were not read, for notes.
    pub(crate) unread: std::collections::BTreeSet<&'static str>,
}

/// Properties of a column, or of a run of neighbouring columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    /// First column of the run, counted from 0.
    pub(crate) first: u32,
    /// Last column of the run.
    pub(crate) last: u32,
    /// Width in pixels, if the file states one.
    pub(crate) width: Option<f32>,
    pub(crate) hidden: bool,
    /// Style of cells in this column without an entry of their own.
    pub(crate) style: u32,
}

/// A row with its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// Row number, from 0.
    pub(crate) number: u32,
    /// Height in points, if the file states one.
    pub(crate) height: Option<f32>,
    pub(crate) hidden: bool,
    /// Style of cells of this row without an entry of their own. It wins over the style of the column.
    pub(crate) style: Option<u32>,
    /// Cells from left to right, each column at most once.
    pub(crate) cells: Vec<Cell>,
}

impl Line {
    /// Sorts the cells by column. Keeps the first of several cells in one column, or else the first with a value.
    pub(crate) fn sort(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.column < b.column) {
            self.cells
                .sort_by_key(|cell| (cell.column, cell.value.is_empty()));
            self.cells.dedup_by_key(|cell| cell.column);
        }
    }

    /// Sorts the cells by column. Keeps the last of several cells in one column, or else the last with a value.
    pub(crate) fn sort_by_last(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.column < b.column) {
            self.cells.reverse();
            self.sort();
        }
    }

    /// Returns the cell in a column, if it has an entry.
    pub(crate) fn cell(&self, column: u32) -> Option<&Cell> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.column);
        at.ok().map(|at| &self.cells[at])
    }
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Column, from 0.
    pub(crate) column: u32,
    /// Index into [`Book::styles`].
    pub(crate) style: u32,
    /// Value, without the effect of the number format.
    pub(crate) value: Value,
    /// Text that the file shows for a number or a date. OpenDocument stores it; other formats do not.
    pub(crate) shown: Option<Rc<str>>,
    /// Formula in the syntax of Excel, without the equals sign.
    pub(crate) formula: Option<Box<str>>,
}

impl Cell {
    /// Creates an empty cell with the default style.
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
    /// No value. The cell may have a style.
    #[default]
    Empty,
    /// A number or date.
    Number(f64),
    /// Text in one font.
    Text(Rc<str>),
    /// Text in several fonts.
    Rich(Rc<[Run]>),
    Boolean(bool),
    /// An error value by its name in Excel, such as `#DIV/0!`.
    Error(Box<str>),
}

impl Value {
    /// Returns whether the value shows nothing. This includes an empty text.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) => text.is_empty(),
            _ => false,
        }
    }

    /// Text of the cell without its fonts, or `None` for other values.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.to_string()),
            Self::Rich(runs) => Some(runs.iter().map(|run| &*run.text).collect()),
            Self::Empty | Self::Number(_) | Self::Boolean(_) | Self::Error(_) => None,
        }
    }

    /// Text that a chart shows for the cell: its number or its text.
    pub(crate) fn charted(&self) -> Option<String> {
        match self {
            Self::Number(number) => Some(number.to_string()),
            other => other.text(),
        }
    }
}

/// A stretch of a text in one font.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// Text of the run.
    pub(crate) text: Box<str>,
    /// Font, or `None` for the font of the cell.
    pub(crate) font: Option<Rc<super::style::Font>>,
}

/// Effect of conditional formats and table styles on a cell: a style that replaces that of the cell, and the bar and
/// icon that are drawn over it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    /// Style instead of that of the cell. `None` if it does not change.
    pub(crate) style: Option<Rc<Style>>,
    /// Data bar.
    pub(crate) bar: Option<Bar>,
    /// Icon of an icon set.
    pub(crate) icon: Option<Icon>,
    /// Whether the bar or icon is drawn instead of the value (`showValue="0"`).
    pub(crate) hides_value: bool,
}

/// A data bar in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    /// Left end of the bar, as a share of the cell's width: 0 is the left edge, 1 the right one.
    pub(crate) from: f32,
    /// Right end of the bar, on the same scale.
    pub(crate) to: f32,
    pub(crate) colour: Colour,
    /// Position and colour of the axis that positive and negative bars start from, if the range has both.
    pub(crate) axis: Option<(f32, Colour)>,
}

/// An icon of an icon set, drawn in front of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Icon {
    /// Character that looks like the icon.
    pub(crate) shape: char,
    pub(crate) colour: Colour,
}

/// A hyperlink.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Cells with the link.
    pub(crate) range: Range,
    /// URL, or `#` and a place in the workbook.
    pub(crate) target: Box<str>,
    /// Tooltip. May be empty.
    pub(crate) title: Box<str>,
}

/// A comment on a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comment {
    /// Row of the cell, from 0.
    pub(crate) row: u32,
    pub(crate) column: u32,
    /// Author. May be empty.
    pub(crate) author: Box<str>,
    pub(crate) text: Box<str>,
}

/// A point on a sheet, as a cell and an offset from the cell's upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Anchor {
    pub(crate) row: u32,
    pub(crate) column: u32,
    /// Offset to the right, in points.
    pub(crate) x: f32,
    /// Offset downwards, in points.
    pub(crate) y: f32,
}

/// Opposite corner of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// Point on the sheet: the picture grows with the rows and columns.
    To(Anchor),
    /// Width and height in points: the picture keeps its size.
    Size(f32, f32),
}

/// A picture on a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// Upper left corner.
    pub(crate) from: Anchor,
    /// Size, or the lower right corner.
    pub(crate) extent: Extent,
    /// Picture in the document.
    pub(crate) picture: ResourceId,
    /// Alternative text. May be empty.
    pub(crate) alternative: Box<str>,
}

impl Placed {
    /// Estimates the last row and column that the picture covers.
    ///
    /// A picture with a fixed size is measured in default cells of 15 by 48 points.
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
    /// Place, in the notation of VML shapes: L, C or R for left, centre or right, then H or F for header or footer,
    /// then `FIRST` or `EVEN` for a picture on the first page or on even pages only.
    pub(crate) place: Box<str>,
    /// Picture in the document.
    pub(crate) picture: ResourceId,
    /// Width and height in points.
    pub(crate) size: (f32, f32),
}
