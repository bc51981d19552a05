//! XML Spreadsheet 2003 with its styles: cell formats, sizes, merged cells, formulas, links, comments, frozen panes
//! and page setup. Does not read conditional formats.

use super::{
    formula, moment,
    styles::{Styles, decimal, is_set},
    validations,
};
use crate::{
    cells::{COLUMNS, MAX_ROWS},
    containers::xml::{Element, Node, Reader},
    error::Result,
    sheet::Sheet,
    shown::{
        book::{
            Book, CONDITIONS, Cell, Column, Comment, FONTS, FORMULAS, Grid, Line, Link, MAX_CELLS,
            MAX_LIST, Name, Range, Value,
        },
        print::{self, Scale},
    },
    time::Epoch,
};

/// Pixels per point.
const PIXELS: f32 = 96.0 / 72.0;

/// Default width of columns, in points.
const DEFAULT_WIDTH: f32 = 48.0;

/// Reads some sheets, by index. `None` if they have too many cells.
pub(super) fn read(
    mut xml: Reader<'_>,
    wanted: &[usize],
    sheets: &[Sheet],
    epoch: Epoch,
) -> Result<Option<Book>> {
    let mut styles = Styles::new();
    let (mut grids, mut begun, mut left) = (Vec::new(), 0, MAX_CELLS);
    let mut names = Vec::new();
    xml.root()?;
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match (element.space, element.name) {
            ("ss", "Styles") => styles.read(&Node::read(&mut xml, element)?),
            // Names may refer to any sheet, so they are kept only if all sheets are read.
            ("ss", "Names") if wanted.len() == sheets.len() => {
                names = user_names(&Node::read(&mut xml, element)?);
            }
            ("ss", "Worksheet") => {
                begun += 1;
                let number: usize = begun - 1;
                let (true, Some(sheet)) = (wanted.contains(&number), sheets.get(number)) else {
                    continue;
                };
                let mut reader = Worksheet::new(&styles, sheet, epoch, left);
                if !reader.read(&mut xml)? {
                    return Ok(None);
                }
                left = reader.left;
                grids.push(reader.finish());
            }
            _ => {}
        }
    }
    Ok(Some(Book {
        epoch,
        normal: styles.normal(),
        styles: styles.styles,
        grids,
        names,
        ..Book::default()
    }))
}

/// Names that users defined, without the built-in ones of Excel.
fn user_names(node: &Node<'_>) -> Vec<Name> {
    let all = node.all_named("NamedRange").take(MAX_LIST);
    let names = all.filter_map(|range| {
        let name = range.attribute("Name")?;
        let formula = formula::translated(&range.attribute("RefersTo")?, 0, 0)?;
        let is_own = !name.starts_with("Print_") && !name.starts_with('_') && !name.is_empty();
        is_own.then(|| Name {
            name: (&*name).into(),
            sheet: None,
            formula: formula.into(),
        })
    });
    names.collect()
}

/// A sheet that is being read.
struct Worksheet<'s> {
    /// Styles by identifier.
    styles: &'s Styles,
    /// Epoch of dates.
    epoch: Epoch,
    /// Rows and cells so far.
    grid: Grid,
    /// Style of cells that neither have one nor get one from their row or column.
    style: u32,
    /// Next row.
    row: u32,
    /// Column that the next column element describes.
    column: u32,
    /// Number of cells that may still be read.
    left: usize,
    /// Cells covered by merged cells with borders, and their styles. Each covered cell needs the borders of the
    /// range.
    covered: Vec<(u32, u32, u32)>,
}

impl<'s> Worksheet<'s> {
    fn new(styles: &'s Styles, sheet: &Sheet, epoch: Epoch, left: usize) -> Self {
        let grid = Grid {
            sheet: sheet.clone(),
            default_width: DEFAULT_WIDTH * PIXELS,
            shows_lines: true,
            ..Grid::default()
        };
        Self {
            styles,
            epoch,
            grid,
            style: 0,
            row: 0,
            column: 0,
            left,
            covered: Vec::new(),
        }
    }

    /// Reads the open element. Returns false if there are too many cells.
    fn read(&mut self, xml: &mut Reader<'_>) -> Result<bool> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "Table" if element.space == "ss" => {
                    let is_whole = self.table(xml, element)?;
                    if !is_whole {
                        return Ok(false);
                    }
                }
                "WorksheetOptions" => self.options(&Node::read(xml, element)?),
                "Names" => self.names(&Node::read(xml, element)?),
                "DataValidation" => validations::add(&Node::read(xml, element)?, &mut self.grid),
                "ConditionalFormatting" => _ = self.grid.unread.insert(CONDITIONS),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Reads the table of a sheet: columns, rows and cells. Widths are in points, and `Span` repeats a column or row.
    /// Returns false if there are too many cells.
    fn table(&mut self, xml: &mut Reader<'_>, element: Element<'_>) -> Result<bool> {
        let level = xml.level();
        let points = |name| {
            let points = element.attribute(name)?.trim().parse::<f32>().ok()?;
            points.is_finite().then_some(points.clamp(0.0, 5000.0))
        };
        if let Some(width) = points("DefaultColumnWidth") {
            self.grid.default_width = width * PIXELS;
        }
        self.grid.default_height = points("DefaultRowHeight");
        let table = Node {
            element,
            children: Vec::new(),
            text: "".into(),
        };
        self.style = self.styles.of(&table).unwrap_or(0);
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "Column" => self.read_column(&Node::read(xml, element)?),
                "Row" => {
                    let row = Node::read(xml, element)?;
                    if !self.line(&row) {
                        return Ok(false);
                    }
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Reads a column element, which may span several columns.
    fn read_column(&mut self, node: &Node<'_>) {
        if let Some(index @ 1..) = number(node, "Index") {
            self.column = self.column.max(index - 1);
        }
        let first = self.column;
        let last = first.saturating_add(number(node, "Span").unwrap_or(0));
        self.column = last.saturating_add(1);
        if first < COLUMNS && self.grid.columns.len() < MAX_LIST {
            let width = decimal(node, "Width");
            self.grid.columns.push(Column {
                first,
                last: last.min(COLUMNS - 1),
                width: width.map(|points| points.clamp(0.0, 5000.0) * PIXELS),
                hidden: is_set(node, "Hidden"),
                style: self.styles.of(node).unwrap_or(self.style),
            });
        }
    }

    /// Reads a row. Returns false if there are too many cells.
    fn line(&mut self, node: &Node<'_>) -> bool {
        if let Some(index @ 1..) = number(node, "Index") {
            self.row = self.row.max(index - 1);
        }
        let rows = number(node, "Span").unwrap_or(0).saturating_add(1);
        let begin = self.row;
        self.row = begin.saturating_add(rows);
        if begin >= MAX_ROWS {
            // Tables without styles, which are tried next, refuse a value beyond the last row.
            return node
                .all_named("Cell")
                .all(|cell| cell.named("Data").is_none());
        }
        let mut line = Line {
            number: begin,
            height: decimal(node, "Height").map(|points| points.clamp(0.0, 409.5)),
            hidden: is_set(node, "Hidden"),
            style: self.styles.of(node),
            ..Line::default()
        };
        let mut column = 0_u32;
        for cell in node.all_named("Cell") {
            if let Some(index @ 1..) = number(cell, "Index") {
                column = column.max(index - 1);
            }
            if column >= COLUMNS {
                break;
            }
            let Some(left) = self.left.checked_sub(1) else {
                return false;
            };
            self.left = left;
            column = self.cell(cell, column, &mut line);
        }
        self.grid.rows.push(line);
        true
    }

    /// Reads a cell. Returns the column after it.
    fn cell(&mut self, node: &Node<'_>, column: u32, line: &mut Line) -> u32 {
        let row = line.number;
        let of_column = || self.grid.column(column).map(|column| column.style);
        let own = self.styles.of(node).or(line.style);
        let style = own.or_else(of_column).unwrap_or(self.style);
        let across = number(node, "MergeAcross")
            .unwrap_or(0)
            .min(COLUMNS - 1 - column);
        let down = number(node, "MergeDown")
            .unwrap_or(0)
            .min(MAX_ROWS - 1 - row);
        let range = Range {
            first: (row, column),
            last: (row + down, column + across),
        };
        if range.first != range.last && self.grid.merged.len() < MAX_LIST {
            self.grid.merged.push(range);
            self.note_covered(range, style);
        }
        let data = node.child("ss", "Data");
        if data.is_some_and(|data| !data.children.is_empty()) {
            self.grid.unread.insert(FONTS);
        }
        line.cells.push(Cell {
            style,
            value: data.map(|data| value(data, self.epoch)).unwrap_or_default(),
            formula: self.formula(node, row, column),
            ..Cell::empty(column)
        });
        self.read_link_and_comment(node, range);
        column.saturating_add(across).saturating_add(1)
    }

    /// Reads the formula of a cell. An array formula spans a range.
    fn formula(&mut self, node: &Node<'_>, row: u32, column: u32) -> Option<Box<str>> {
        let written = node.attribute("Formula");
        let formula = written
            .as_ref()
            .and_then(|text| formula::translated(text, row, column));
        if written.is_some() && formula.is_none() {
            self.grid.unread.insert(FORMULAS);
        }
        let array = node.attribute("ArrayRange");
        let array = array.and_then(|range| formula::translated(&format!("={range}"), row, column));
        let array = array.and_then(|range| Range::parse(&range));
        if let Some(array) = array.filter(|array| array.first == (row, column))
            && self.grid.arrays.len() < MAX_LIST
        {
            self.grid.arrays.insert(array.first, array.last);
        }
        formula.map(Into::into)
    }

    /// Reads the link and the comment of a cell.
    fn read_link_and_comment(&mut self, node: &Node<'_>, range: Range) {
        let (row, column) = range.first;
        if let Some(target) = node.attribute("HRef")
            && self.grid.links.len() < MAX_LIST
        {
            self.grid.links.push(Link {
                range,
                target: (&*target).into(),
                title: node.attribute("HRefScreenTip").unwrap_or_default().into(),
            });
        }
        if let Some(comment) = node.child("ss", "Comment")
            && self.grid.comments.len() < MAX_LIST
        {
            let text = comment.child("ss", "Data").map(text).unwrap_or_default();
            let text = text.replace('\r', "\n");
            self.grid.comments.push(Comment {
                row,
                column,
                author: comment.attribute("Author").unwrap_or_default().into(),
                text: text.into(),
            });
        }
    }

    /// Notes the cells that a merged cell covers, if it has borders.
    fn note_covered(&mut self, range: Range, style: u32) {
        if !self.styles.has_borders(style) {
            return;
        }
        let rows = range.first.0..=range.last.0;
        let places = rows.flat_map(|row| (range.first.1..=range.last.1).map(move |at| (row, at)));
        let capacity = MAX_LIST.saturating_sub(self.covered.len());
        let places = places.skip(1).take(capacity);
        self.covered
            .extend(places.map(|(row, column)| (row, column, style)));
    }

    /// Reads print areas and print titles.
    fn names(&mut self, node: &Node<'_>) {
        for range in node.all_named("NamedRange") {
            let name = range.attribute("Name").unwrap_or_default();
            let refers = range.attribute("RefersTo").unwrap_or_default();
            let Some(refers) = formula::translated(&refers, 0, 0) else {
                continue;
            };
            let parts = refers.split(',');
            let parts = parts.map(|part| part.rsplit('!').next().unwrap_or(part));
            let print = &mut self.grid.print;
            match &*name {
                "Print_Area" => print.areas = parts.filter_map(Range::parse).take(64).collect(),
                "Print_Titles" => {
                    for part in parts {
                        match crate::cells::span(part) {
                            Some((Some(rows), None)) => print.repeated_rows = Some(rows),
                            Some((None, Some(columns))) => print.repeated_columns = Some(columns),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads WorksheetOptions: window and page setup.
    fn options(&mut self, node: &Node<'_>) {
        let has = |name| node.named(name).is_some();
        let count = |name| node.named(name)?.text.trim().parse::<u32>().ok();
        self.grid.shows_lines = !has("DoNotDisplayGridlines");
        self.grid.backwards = has("DisplayRightToLeft");
        if has("FreezePanes") {
            let split = |name| count(name).unwrap_or(0).min(MAX_ROWS);
            self.grid.frozen = (split("SplitHorizontal"), split("SplitVertical"));
        }
        if let Some(setup) = node.named("PageSetup") {
            self.page(setup);
        }
        if let Some(print) = node.named("Print") {
            self.print(print, has("FitToPage"));
        }
    }

    /// Reads the page setup of a sheet. Its margins are in inches.
    fn page(&mut self, node: &Node<'_>) {
        let print = &mut self.grid.print;
        let inches = |node: &Node<'_>, name| {
            let inches = decimal(node, name)?;
            Some((inches * 72.0).clamp(0.0, 3600.0))
        };
        if let Some(layout) = node.named("Layout") {
            print.landscape = layout.attribute("Orientation").as_deref() == Some("Landscape");
            print.centred = (
                is_set(layout, "CenterHorizontal"),
                is_set(layout, "CenterVertical"),
            );
            print.first_page = number(layout, "StartPageNumber");
        }
        if let Some(margins) = node.named("PageMargins") {
            let slots = print
                .margins
                .iter_mut()
                .zip(["Left", "Right", "Top", "Bottom"]);
            for (slot, name) in slots {
                *slot = inches(margins, name).unwrap_or(*slot);
            }
        }
        let text = |name: &str| {
            let data = node.named(name).and_then(|node| node.attribute("Data"));
            let data = data.unwrap_or_default();
            data.chars().take(1024).collect::<String>().into_boxed_str()
        };
        print.margin_texts.odd = [text("Header"), text("Footer")];
        for (slot, name) in [
            (&mut print.header_at, "Header"),
            (&mut print.footer_at, "Footer"),
        ] {
            let margin = node.named(name).and_then(|node| inches(node, "Margin"));
            *slot = margin.unwrap_or(*slot);
        }
    }

    /// Reads the print settings: paper, scale and order of pages.
    fn print(&mut self, node: &Node<'_>, fits: bool) {
        let print = &mut self.grid.print;
        let has = |name| node.named(name).is_some();
        let count = |name| node.named(name)?.text.trim().parse::<i64>().ok();
        if let Some(paper) = print::paper(count("PaperSizeIndex").unwrap_or(1)) {
            print.paper = paper;
        }
        let pages = |name| count(name).unwrap_or(1).clamp(0, 32_767) as u16;
        print.scale = match fits {
            true => Scale::Fit(pages("FitWidth"), pages("FitHeight")),
            false => Scale::By(print::scale(count("Scale"))),
        };
        print.grid_lines = has("Gridlines");
        print.headings = has("RowColHeadings");
        print.without_colours = has("BlackAndWhite");
        print.over_first = has("LeftToRight");
    }

    /// Completes the sheet: adds the covered cells, and sorts rows and columns.
    fn finish(mut self) -> Grid {
        let grid = &mut self.grid;
        grid.sort_columns();
        grid.rows.sort_by_key(|line| line.number);
        grid.rows.dedup_by_key(|line| line.number);
        let known = grid.rows.len();
        for (row, column, style) in self.covered {
            let cell = Cell {
                style,
                ..Cell::empty(column)
            };
            let place = grid.rows.get(..known).unwrap_or_default();
            // New rows are appended after the known ones. All rows are sorted after this loop.
            match place.binary_search_by_key(&row, |line| line.number) {
                Ok(at) => {
                    if let Some(line) = grid.rows.get_mut(at) {
                        line.cells.push(cell);
                    }
                }
                Err(_) => grid.rows.push(Line {
                    number: row,
                    cells: vec![cell],
                    ..Line::default()
                }),
            }
        }
        grid.rows.sort_by_key(|line| line.number);
        grid.rows.dedup_by(|later, first| {
            let same = later.number == first.number;
            if same {
                first.cells.append(&mut later.cells);
            }
            same
        });
        grid.rows.iter_mut().for_each(Line::sort);
        grid.add_anchors();
        self.grid
    }
}

/// Returns an attribute as a number.
fn number(node: &Node<'_>, name: &str) -> Option<u32> {
    node.attribute(name)?.trim().parse().ok()
}

/// Collects all text in an element. Parts of it may be in formatting elements of HTML. The parser bounds the depth of
/// the recursion.
fn text(node: &Node<'_>) -> String {
    let mut all = node.text.to_string();
    for child in &node.children {
        all.push_str(&text(child));
    }
    all
}

/// Value of a cell by the type of its data. Data that cannot be parsed becomes text.
fn value(data: &Node<'_>, epoch: Epoch) -> Value {
    let text = text(data);
    let trimmed = text.trim();
    let number = |number: f64| Some(number).filter(|number| number.is_finite());
    match data.attribute("Type").as_deref() {
        Some("Number") => trimmed.parse().ok().and_then(number).map(Value::Number),
        Some("DateTime") => {
            let serial = moment(trimmed).and_then(|moment| epoch.serial(moment));
            serial.map(Value::Number)
        }
        Some("Boolean") => Some(Value::Boolean(trimmed == "1")),
        Some("Error") => Some(Value::Error(trimmed.into())),
        _ => None,
    }
    .unwrap_or_else(|| match text.is_empty() {
        true => Value::Empty,
        // Excel for Mac ends lines with a carriage return.
        false if text.contains('\r') => {
            Value::Text(text.replace("\r\n", "\n").replace('\r', "\n").into())
        }
        false => Value::Text(text.into()),
    })
}
