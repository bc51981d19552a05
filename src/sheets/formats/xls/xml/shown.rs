//! XML Spreadsheet 2003 with its styles: cell formats, sizes, merged cells, formulas, links, comments, frozen panes
//! and page setup. Does not read conditional formats.

use super::{
    attribute, formula, is_set, number,
    place::{self, Place},
    styles::{Styles, decimal},
    validations,
};
use crate::{
    cells::{COLUMNS, MAX_ROWS},
    containers::xml::{Element, Node, Piece, Reader},
    error::Result,
    job::Notes,
    sheet::Sheet,
    shown::{
        book::{
            Book, CONDITIONS, Cell, Column, Comment, FONTS, FORMULAS, Grid, Line, Link, MAX_CELLS,
            MAX_LIST, Name, Range, Value,
        },
        print::{self, Scale},
    },
    stored::Losses,
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
    notes: &mut Notes,
) -> Result<Option<Book>> {
    let mut styles = Styles::new();
    let (mut grids, mut begun, mut left) = (Vec::new(), 0, MAX_CELLS);
    let (mut names, mut losses) = (Vec::new(), Losses::default());
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
                let grid = Grid {
                    sheet: sheet.clone(),
                    default_width: DEFAULT_WIDTH * PIXELS,
                    shows_lines: true,
                    ..Grid::default()
                };
                let mut reader = Worksheet {
                    styles: &styles,
                    epoch,
                    grid,
                    place: Place::default(),
                    left: &mut left,
                    losses: &mut losses,
                    covered: Vec::new(),
                };
                if !reader.read(&mut xml)? {
                    return Ok(None);
                }
                grids.push(reader.finish());
            }
            _ => {}
        }
    }
    losses.tell(notes);
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
    styles: &'s Styles,
    /// Epoch of dates.
    epoch: Epoch,
    /// Rows and cells so far.
    grid: Grid,
    place: Place,
    /// Number of cells that may still be read.
    left: &'s mut usize,
    losses: &'s mut Losses,
    /// Cells covered by merged cells with borders, and their styles. Each covered cell needs the borders of the
    /// range.
    covered: Vec<(u32, u32, u32)>,
}

impl Worksheet<'_> {
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

    /// Reads the table of a sheet: columns, rows and cells. Widths are in points. `Span` is the number of further
    /// columns or rows that an element stands for. Returns false if there are too many cells.
    fn table(&mut self, xml: &mut Reader<'_>, element: Element<'_>) -> Result<bool> {
        let level = xml.level();
        let points = |name| decimal(&element, name).map(|points| points.clamp(0.0, 5000.0));
        if let Some(width) = points("DefaultColumnWidth") {
            self.grid.default_width = width * PIXELS;
        }
        self.grid.default_height = points("DefaultRowHeight");
        self.place.begin_table(&element, &self.styles.named);
        while let Some(element) = xml.next_element(level)? {
            if element.name == "Column" {
                self.column(&element);
            } else if element.name == "Row" && !self.line(xml, element)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads a column element.
    fn column(&mut self, element: &Element<'_>) {
        let run = self.place.add_columns(element, &self.styles.named);
        if let Some((first, last, style)) = run {
            let width = decimal(element, "Width");
            self.grid.columns.push(Column {
                first,
                last,
                width: width.map(|points| points.clamp(0.0, 5000.0) * PIXELS),
                hidden: is_set(element, "Hidden"),
                style: style as u32,
            });
        }
    }

    /// Reads a row. Returns false if there are too many cells.
    fn line(&mut self, xml: &mut Reader<'_>, element: Element<'_>) -> Result<bool> {
        let level = xml.level();
        self.place.begin_row(&element, &self.styles.named);
        let is_within = self.place.row < MAX_ROWS;
        if is_within {
            let height = decimal(&element, "Height");
            self.grid.rows.push(Line {
                number: self.place.row,
                height: height.map(|points| points.clamp(0.0, 409.5)),
                hidden: is_set(&element, "Hidden"),
                style: self.place.row_style.map(|style| style as u32),
                ..Line::default()
            });
        }
        while let Some(element) = xml.next_element(level)? {
            if element.name != "Cell" {
                continue;
            }
            self.place.begin_cell(&element, &self.styles.named);
            let content = Content::read(xml)?;
            if self.place.column >= COLUMNS {
                self.losses.beyond += u64::from(content.data.is_some());
            } else if is_within {
                let Some(left) = self.left.checked_sub(1) else {
                    return Ok(false);
                };
                *self.left = left;
                self.cell(&element, content);
            } else if content.data.is_some() {
                // Tables without styles, which are tried next, refuse a value beyond the last row.
                return Ok(false);
            }
            self.place.end_cell();
        }
        self.place.end_row();
        Ok(true)
    }

    /// Adds a cell to the last row.
    fn cell(&mut self, element: &Element<'_>, content: Content) {
        let (row, column, style) = (self.place.row, self.place.column, self.place.style as u32);
        let right = column.saturating_add(self.place.columns - 1);
        let down = number(element, "MergeDown").unwrap_or(0);
        let range = Range {
            first: (row, column),
            last: (
                row.saturating_add(down).min(MAX_ROWS - 1),
                right.min(COLUMNS - 1),
            ),
        };
        if range.first != range.last && self.grid.merged.len() < MAX_LIST {
            self.grid.merged.push(range);
            self.note_covered(range, style);
        }
        if content.has_fonts {
            self.grid.unread.insert(FONTS);
        }
        let formula = self.formula(element, row, column);
        let value = content.data.map_or(Value::Empty, |(kind, mut text)| {
            let value = place::value(&kind, &mut text);
            value.in_book(self.epoch, self.losses, |_| None)
        });
        if let Some(line) = self.grid.rows.last_mut() {
            line.cells.push(Cell {
                style,
                value,
                formula,
                ..Cell::empty(column)
            });
        }
        if let Some(target) = element.attribute("HRef")
            && self.grid.links.len() < MAX_LIST
        {
            self.grid.links.push(Link {
                range,
                target: (&*target).into(),
                title: element
                    .attribute("HRefScreenTip")
                    .unwrap_or_default()
                    .into(),
            });
        }
        if let Some((author, text)) = content.comment
            && self.grid.comments.len() < MAX_LIST
        {
            self.grid.comments.push(Comment {
                row,
                column,
                author: author.into(),
                text: text.into(),
            });
        }
    }

    /// Reads the formula of a cell. An array formula spans a range.
    fn formula(&mut self, element: &Element<'_>, row: u32, column: u32) -> Option<Box<str>> {
        let written = element.attribute("Formula");
        let formula = written
            .as_ref()
            .and_then(|text| formula::translated(text, row, column));
        if written.is_some() && formula.is_none() {
            self.grid.unread.insert(FORMULAS);
        }
        let array = element.attribute("ArrayRange");
        let array = array.and_then(|range| formula::translated(&format!("={range}"), row, column));
        let array = array.and_then(|range| Range::parse(&range));
        if let Some(array) = array.filter(|array| array.first == (row, column))
            && self.grid.arrays.len() < MAX_LIST
        {
            self.grid.arrays.insert(array.first, array.last);
        }
        formula.map(Into::into)
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
            let inches = decimal(&node.element, name)?;
            Some((inches * 72.0).clamp(0.0, 3600.0))
        };
        if let Some(layout) = node.named("Layout") {
            print.landscape = layout.attribute("Orientation").as_deref() == Some("Landscape");
            print.centred = (
                is_set(&layout.element, "CenterHorizontal"),
                is_set(&layout.element, "CenterVertical"),
            );
            print.first_page = number(&layout.element, "StartPageNumber");
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

    /// Completes the sheet: adds the covered cells, and sorts rows.
    fn finish(mut self) -> Grid {
        let grid = &mut self.grid;
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
        grid.sort_rows();
        grid.add_anchors();
        self.grid
    }
}

/// Elements in a cell.
#[derive(Default)]
struct Content {
    /// Type and text of the value.
    data: Option<(String, String)>,
    /// Whether the text has parts in other fonts.
    has_fonts: bool,
    /// Author and text of the comment.
    comment: Option<(String, String)>,
}

impl Content {
    /// Reads the elements in the open cell. Parts of texts may be in formatting elements of HTML.
    fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let (mut content, level) = (Self::default(), xml.level());
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("ss", "Data") if content.data.is_none() => {
                    let (mut text, inner) = (String::new(), xml.level());
                    while let Some(piece) = xml.next(inner)? {
                        match piece {
                            Piece::Text(piece) => text.push_str(&piece),
                            Piece::Element(_) => {
                                content.has_fonts = true;
                                text.push_str(&xml.text()?);
                            }
                        }
                    }
                    content.data = Some((attribute(&element, "Type"), text));
                }
                ("ss", "Comment") => {
                    let (mut text, inner) = (String::new(), xml.level());
                    while let Some(data) = xml.next_element(inner)? {
                        if text.is_empty() && (data.space, data.name) == ("ss", "Data") {
                            text = xml.text()?;
                            place::normalize_lines(&mut text);
                        }
                    }
                    content.comment = Some((attribute(&element, "Author"), text));
                }
                _ => {}
            }
        }
        Ok(content)
    }
}
