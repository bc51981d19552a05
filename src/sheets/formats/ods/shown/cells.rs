//! Columns, rows and cells of a table with their styles (OpenDocument 1.3, part 3, 9.1). Empty cells are skipped rather
//! than copied if they have no style of their own, or if they are repeated to the end of their row.

use super::{
    super::{
        cell::{Stated, count, is_hidden},
        names,
        validations::RuleRanges,
    },
    conditions::Rules,
    content::Content,
    frames::Frame,
    styles::Styles,
};
use crate::{
    cells::{COLUMNS, MAX_ROWS},
    containers::xml::{Element, Node, Reader},
    error::Result,
    sheet::Sheet,
    shown::{
        book::{
            Book, Cell, Column, Comment, DRAWINGS, Grid, Line, Link, MAX_LIST, Range, Run, Value,
        },
        formula::from_open,
    },
    stored::{Losses, Stored},
};
use std::rc::Rc;

/// Number of spaces from `text:s` elements that count as another cell, because a short element may stand for many
/// spaces.
const SPACES_A_CELL: usize = 512;

/// Reader of tables.
pub(super) struct Table<'t> {
    /// Styles by name. Variants of a style are added to the workbook when a cell first needs them.
    pub(super) styles: &'t mut Styles,
    /// Workbook with the styles that cells refer to.
    pub(super) book: &'t mut Book,
    /// Number of cells that may still be read.
    pub(super) left: &'t mut usize,
    /// Number of cells beyond the last column.
    pub(super) beyond: &'t mut u64,
}

/// A table that is being read.
pub(super) struct Open {
    /// Rows and cells so far.
    pub(super) grid: Grid,
    /// Ranges of the data validation rules.
    pub(super) rule_ranges: RuleRanges,
    /// Pictures and charts on the sheet.
    pub(super) frames: Vec<Frame>,
    /// Conditional formats.
    pub(super) conditions: Rules,
    /// Next row.
    row: u32,
    /// Column that the next column element describes.
    column: u32,
}

impl Open {
    /// Adds a drawing, anchored in a cell or on the sheet.
    fn frame(&mut self, node: &Node<'_>, cell: Option<(u32, u32)>) {
        let frame = match node.element.name {
            "frame" => Frame::read(node),
            _ => None,
        };
        let Some(frame) = frame.filter(|_| self.frames.len() < MAX_LIST) else {
            self.grid.unread.insert(DRAWINGS);
            return;
        };
        let frame = match cell {
            Some((row, column)) => frame.in_cell(row, column),
            None => frame,
        };
        self.frames.push(frame);
    }
}

impl Table<'_> {
    /// Reads the open table. `None` if it has too many cells.
    pub(super) fn read(&mut self, xml: &mut Reader<'_>, sheet: &Sheet) -> Result<Option<Open>> {
        let mut open = Open {
            grid: Grid {
                sheet: sheet.clone(),
                // 22.58 mm, the default of LibreOffice.
                default_width: 85.33,
                default_height: Some(12.8),
                shows_lines: true,
                ..Grid::default()
            },
            rule_ranges: RuleRanges::default(),
            frames: Vec::new(),
            conditions: Rules::default(),
            row: 0,
            column: 0,
        };
        let whole = self.level(xml, &mut open)?;
        Ok(whole.then_some(open))
    }

    /// Reads the children of a table, or of a group of rows or columns in it. Returns false if there are too many
    /// cells. The parser bounds the depth of the recursion.
    fn level(&mut self, xml: &mut Reader<'_>, open: &mut Open) -> Result<bool> {
        let level = xml.level();
        let mut all = true;
        while let Some(element) = xml.next_element(level)? {
            if !all {
                return Ok(false);
            }
            if element.name == "conditional-formats" {
                let node = Node::read(xml, element)?;
                open.conditions.add(&node, self.styles);
                continue;
            }
            if element.space != "table" {
                continue;
            }
            match element.name {
                "shapes" => super::each(xml, |node| open.frame(node, None))?,
                "named-expressions" => {
                    let sheet = Some(self.book.grids.len());
                    super::each(xml, |node| names::add(node, sheet, &mut self.book.names))?;
                }
                "table-column" => self.column(&element, open),
                "table-row" => all = self.row(xml, &element, open)?,
                // Header rows and columns are print titles.
                "table-header-rows" | "table-header-columns" => {
                    let (row, column) = (open.row, open.column);
                    all = self.level(xml, open)?;
                    let print = &mut open.grid.print;
                    if open.row > row {
                        print.repeated_rows = Some((row, open.row - 1));
                    }
                    if open.column > column {
                        print.repeated_columns = Some((column, open.column - 1));
                    }
                }
                "table-row-group" | "table-rows" | "table-column-group" | "table-columns" => {
                    all = self.level(xml, open)?;
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// Adds columns. The number of repetitions is cut at the last column of a sheet.
    fn column(&self, element: &Element<'_>, open: &mut Open) {
        let attribute = |name| element.attribute(name);
        let count = count(element, "number-columns-repeated");
        let first = open.column;
        let end = first.saturating_add(count).min(COLUMNS);
        open.column = end;
        if first >= end {
            return;
        }
        let style = attribute("style-name").unwrap_or_default();
        if self.styles.breaks(&style) {
            open.grid.print.column_breaks.insert(first);
        }
        let cells = attribute("default-cell-style-name").unwrap_or_default();
        open.grid.columns.push(Column {
            first,
            last: end - 1,
            width: self.styles.column(&style).map(|points| points / 0.75),
            hidden: is_hidden(element),
            style: self.styles.number(&cells),
        });
    }

    /// Reads a row, or several equal ones. Returns false if there are too many cells.
    fn row(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        open: &mut Open,
    ) -> Result<bool> {
        let rows = count(element, "number-rows-repeated");
        let style = element.attribute("style-name").unwrap_or_default();
        if self.styles.breaks(&style) {
            open.grid.print.row_breaks.insert(open.row);
        }
        let mut line = Line {
            number: open.row,
            height: self.styles.row(&style),
            hidden: is_hidden(element),
            ..Line::default()
        };
        let level = xml.level();
        let mut column = 0_u32;
        while let Some(element) = xml.next_element(level)? {
            let covered = element.name == "covered-table-cell";
            if element.space != "table" || !covered && element.name != "table-cell" {
                continue;
            }
            let repeated = count(&element, "number-columns-repeated");
            // A rule applies to all repetitions of the cell, across and down.
            if let Some(rule) = element.attribute("content-validation-name") {
                let last = open.row.saturating_add(rows).min(MAX_ROWS);
                let end = column.saturating_add(repeated).min(COLUMNS);
                if last > open.row && end > column {
                    let range = Range {
                        first: (open.row, column),
                        last: (last - 1, end - 1),
                    };
                    open.rule_ranges.add(&rule, range);
                }
            }
            let place = (open.row, column);
            let content = Content::of(xml, &mut |node| open.frame(node, Some(place)))?;
            let cell = (&element, content);
            if !self.cell(cell, covered, (column, repeated), &mut line, open) {
                return Ok(false);
            }
            column = column.saturating_add(repeated).min(COLUMNS);
        }
        let end = open.row.saturating_add(rows).min(MAX_ROWS);
        let has_values = line.cells.iter().any(|cell| cell.value != Value::Empty);
        if has_values && end - open.row < rows {
            // The reader of values without styles, which is tried next, refuses a row beyond the last one.
            return Ok(false);
        }
        let is_plain = line.cells.is_empty();
        // An empty row with more than 1,024 repetitions only fills the sheet, so it is left out.
        let copies = match (is_plain, rows) {
            (true, 1025..) => 0,
            _ => end - open.row,
        };
        for number in open.row..open.row + copies {
            let cells = line.cells.len();
            let Some(left) = self
                .left
                .checked_sub(cells.max(usize::from(number > open.row)))
            else {
                return Ok(false);
            };
            *self.left = left;
            open.grid.rows.push(Line {
                number,
                ..line.clone()
            });
        }
        open.row = end;
        Ok(true)
    }

    /// Reads a cell with its repetitions, spans, link and comment. Returns false if there are too many cells.
    fn cell(
        &mut self,
        (element, content): (&Element<'_>, Content),
        covered: bool,
        (column, repeated): (u32, u32),
        line: &mut Line,
        open: &mut Open,
    ) -> bool {
        let (stated, named) = Stated::of(element);
        let style = match &named {
            Some(name) => self.styles.number(name),
            None => open.grid.column(column).map_or(0, |column| column.style),
        };
        let (value, shown) = match covered {
            true => (Value::Empty, None),
            false => self.value(&stated, &content, style),
        };
        let style = match (&value, element.attribute("value-type")) {
            (Value::Number(number), Some(kind)) => {
                self.styles.typed(self.book, style, &kind, *number)
            }
            (Value::Text(text), _) if text.contains('\n') => self.styles.wrapped(self.book, style),
            (Value::Rich(runs), _) if runs.iter().any(|run| run.text.contains('\n')) => {
                self.styles.wrapped(self.book, style)
            }
            _ => style,
        };
        let Some(left) = self.left.checked_sub(content.expanded / SPACES_A_CELL) else {
            return false;
        };
        *self.left = left;
        let formula = element.attribute("formula");
        let formula = formula
            .and_then(|formula| from_open(&formula))
            .map(Box::<str>::from);
        let empty = value.is_empty() && formula.is_none() && content.comment.is_none();
        let end = column.saturating_add(repeated).min(COLUMNS);
        // Repeated empty cells up to the last column are fill: 1,024 columns in files of older programs, 16,384 in
        // others.
        let to_the_end = repeated > 1 && matches!(end, 1024 | COLUMNS);
        if empty && (to_the_end || named.is_none()) {
            return true;
        }
        if !value.is_empty() {
            *self.beyond += u64::from(column.saturating_add(repeated) - end);
        }
        for column in column..end {
            let Some(left) = self.left.checked_sub(1) else {
                return false;
            };
            *self.left = left;
            line.cells.push(Cell {
                column,
                style,
                value: value.clone(),
                shown: shown.clone(),
                formula: formula.clone(),
            });
        }
        let spans = |name| count(element, name);
        // The first cell of an array formula states the range of the formula.
        let matrix = (
            spans("number-matrix-rows-spanned"),
            spans("number-matrix-columns-spanned"),
        );
        let is_matrix = element.attribute("number-matrix-columns-spanned").is_some();
        if is_matrix && formula.is_some() && open.grid.arrays.len() < MAX_LIST {
            let last = (
                open.row.saturating_add(matrix.0 - 1).min(MAX_ROWS - 1),
                column.saturating_add(matrix.1 - 1).min(COLUMNS - 1),
            );
            open.grid.arrays.insert((open.row, column), last);
        }
        let (rows, columns) = (
            spans("number-rows-spanned"),
            spans("number-columns-spanned"),
        );
        let grid = &mut open.grid;
        if (rows > 1 || columns > 1) && grid.merged.len() < MAX_LIST {
            grid.merged.push(Range {
                first: (open.row, column),
                last: (
                    open.row.saturating_add(rows - 1).min(MAX_ROWS - 1),
                    column.saturating_add(columns - 1).min(COLUMNS - 1),
                ),
            });
        }
        if let Some((author, text)) = content.comment
            && grid.comments.len() < MAX_LIST
        {
            grid.comments.push(Comment {
                row: open.row,
                column,
                author,
                text,
            });
        }
        if let Some((target, title)) = content.link
            && grid.links.len() < MAX_LIST
        {
            let place = (open.row, column);
            grid.links.push(Link {
                range: Range {
                    first: place,
                    last: place,
                },
                target,
                title,
            });
        }
        true
    }
}

impl Table<'_> {
    /// Value of a cell with this style, and displayed text of a number or date.
    fn value(&self, stated: &Stated, content: &Content, style: u32) -> (Value, Option<Rc<str>>) {
        let text = &*content.text.text;
        let value = match stated.value(&content.text) {
            Stored::Text(text) => self.rich(text, &content.spans, style),
            // A date before the epoch.
            Stored::Moment(moment) if moment.serial().is_none() && !text.is_empty() => {
                Value::Text(text.into())
            }
            value => value.in_book(self.book.epoch, &mut Losses::default(), |_| None),
        };
        let is_displayed = matches!(value, Value::Number(_)) && !text.is_empty();
        (value, is_displayed.then(|| text.into()))
    }

    /// Value of a text with several fonts. `spans` are the ends of its runs with their styles; `style` is the style of
    /// the cell.
    fn rich(&self, text: &str, spans: &[(usize, Option<String>)], style: u32) -> Value {
        if spans.iter().all(|(_, style)| style.is_none()) {
            return Value::Text(text.into());
        }
        let font = self.book.style(style).font.clone();
        let (mut begin, rest) = (0, (text.len(), None));
        let runs = spans.iter().chain([&rest]).filter_map(|(end, style)| {
            let part = text.get(begin..*end).filter(|part| !part.is_empty())?;
            begin = *end;
            Some(Run {
                text: part.into(),
                font: (style.as_ref()).and_then(|style| self.styles.font(style, &font)),
            })
        });
        Value::Rich(runs.collect())
    }
}
