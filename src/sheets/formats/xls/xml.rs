//! XML Spreadsheet 2003, a format that report generators like to write and name `.xls`: values, number formats, and
//! hidden rows and sheets. The formats of cells are read in [`shown`]. ("XML Spreadsheet Reference", Microsoft 2003,
//! part of the Office 2003 XML Reference Schemas.)
//!
//! Cells and rows follow one another unless they state their number (`ss:Index`, from 1). The trap is that a merged
//! cell shifts the cells after it, and a row that spans several rows shifts those below it, although the file has no
//! elements for the covered cells and rows.

#[cfg(feature = "document")]
mod formula;
#[cfg(feature = "document")]
mod shown;
#[cfg(feature = "document")]
mod styles;
#[cfg(feature = "document")]
mod validations;

#[cfg(feature = "document")]
use crate::sheet::Looks as BookLooks;
use crate::{
    cells::{Cells, MAX_COLUMNS, MAX_ROWS, MAX_TEXT, TOO_MANY_ROWS, Value},
    containers::xml::{self, Element, Namespaces, Stream, Token},
    error::Result,
    format_names::code_of,
    job::{Input, Job, Notes, read_head},
    ooxml::Styles,
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    time::{Epoch, Moment},
};
use std::collections::HashMap;

/// Namespace of the format, which identifies it.
const SPREADSHEET: &str = "urn:schemas-microsoft-com:office:spreadsheet";

/// Settings of Excel are in another namespace. Formatted text is in that of HTML, which is not listed here.
const NAMESPACES: Namespaces = &[
    (SPREADSHEET, "ss"),
    ("urn:schemas-microsoft-com:office:excel", "x"),
];

/// Number of bytes at the beginning of a file that are searched for the namespace. Little may precede the root
/// element.
const HEAD: usize = 2048;

/// Maximum number of styles. Excel itself allows 64,000.
const MAX_STYLES: usize = 1 << 16;

/// Returns whether a file is in this format: XML with its namespace near the beginning.
pub(super) fn is_workbook(head: &[u8], input: &mut dyn Input) -> bool {
    if !xml::begins(head) {
        return false;
    }
    let head = read_head(input, HEAD).unwrap_or_default();
    let has = |what: &str| memchr::memmem::find(&head, what.as_bytes()).is_some();
    has(SPREADSHEET) && has("Workbook")
}

/// An open workbook.
struct Book<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    /// Sheets in file order.
    sheets: Vec<Sheet>,
    tables: WorkbookTables,
}

/// Tables of the workbook that its cells refer to.
struct WorkbookTables {
    /// Number formats of the styles.
    styles: Styles,
    /// Index of each style by its identifier.
    named: HashMap<Box<str>, usize>,
    /// Epoch of dates.
    epoch: Epoch,
}

/// Opens a workbook. A first pass reads the styles and the names of the sheets; cells are read later.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let mut book = Book {
        job,
        input,
        sheets: Vec::new(),
        tables: WorkbookTables {
            styles: Styles::new(view),
            named: HashMap::new(),
            epoch: Epoch::default(),
        },
    };
    book.read_head()?;
    if book.sheets.is_empty() {
        return Err(job.unreadable("it has no sheet"));
    }
    Ok(Box::new(book))
}

/// Returns a parser at the beginning of the file.
fn from_beginning<'a, 'i>(
    job: &'a Job<'a>,
    input: &'i mut dyn Input,
) -> Result<Stream<'a, &'i mut dyn Input>> {
    input.rewind().map_err(|err| job.unreadable(err))?;
    Stream::new(job, input, NAMESPACES)
}

impl Book<'_> {
    /// Reads the styles and the names of the sheets.
    fn read_head(&mut self) -> Result<()> {
        // Identifier and number format of each style.
        let mut styles: Vec<(String, Option<String>)> = Vec::new();
        let (mut sheets, mut is_1904) = (Vec::new(), false);
        let (mut in_date, mut in_visible) = (false, false);
        let mut xml = from_beginning(self.job, self.input)?;
        while let Some(token) = xml.next()? {
            match token {
                Token::Start(element) => match (element.space, element.name) {
                    ("ss", "Style") if styles.len() < MAX_STYLES => {
                        styles.push((attribute(&element, "ID"), None));
                    }
                    ("ss", "NumberFormat") => {
                        if let Some((_, code)) = styles.last_mut() {
                            *code = Some(attribute(&element, "Format"));
                        }
                    }
                    ("ss", "Worksheet") if sheets.len() < MAX_SHEETS => sheets.push(Sheet {
                        title: Some(attribute(&element, "Name")),
                        hidden: false,
                        chart: false,
                    }),
                    ("x", "Date1904") => in_date = true,
                    ("x", "Visible") => in_visible = true,
                    _ => {}
                },
                Token::Text(text) if in_visible && text.contains("Hidden") => {
                    if let Some(sheet) = sheets.last_mut() {
                        sheet.hidden = true;
                    }
                }
                Token::Text(_) => {}
                Token::End("x", "Date1904") => is_1904 = std::mem::take(&mut in_date),
                Token::End("x", "Visible") => in_visible = false,
                Token::End(..) => {}
            }
        }
        self.sheets = sheets;
        let tables = &mut self.tables;
        if is_1904 {
            tables.epoch = Epoch::From1904;
        }
        // The first format is that of cells without a style.
        tables.styles.add_cell(0);
        for ((name, code), place) in styles.into_iter().zip(1_usize..) {
            let number = FIRST_CODE.saturating_add(place as u32);
            match code {
                Some(code) => {
                    tables.styles.add_code(number, code_of(&code));
                    tables.styles.add_cell(number);
                }
                None => tables.styles.add_cell(0),
            }
            tables.named.insert(name.into(), place);
        }
        Ok(())
    }
}

/// Identifiers from here on belong to no built-in number format.
const FIRST_CODE: u32 = 1 << 16;

/// Parses a date and time. A time alone has the date 1899-12-31, which is dropped.
fn moment(text: &str) -> Option<Moment> {
    let text = text.strip_suffix(".000").unwrap_or(text);
    Moment::parse(text.strip_prefix("1899-12-31T").unwrap_or(text))
}

/// Returns an attribute, or an empty text.
fn attribute(element: &Element<'_>, name: &str) -> String {
    element.attribute(name).unwrap_or_default().into_owned()
}

/// Returns an attribute as a number.
fn number(element: &Element<'_>, name: &str) -> Option<u32> {
    element.attribute(name)?.trim().parse().ok()
}

/// Position in the table, and the cell that is being read.
#[derive(Default)]
struct Place {
    /// Next row, counted from 0.
    row: u32,
    /// Next column, counted from 0.
    column: u32,
    /// Numbers of rows and columns that the current row and cell span.
    rows: u32,
    columns: u32,
    /// Styles of the current row and cell.
    row_style: usize,
    style: usize,
    /// Type of the value: `Number`, `DateTime` and so on.
    kind: String,
    /// Text of the value.
    text: String,
}

impl Place {
    /// Begins a row. An index above the current row is ignored.
    fn begin_row(&mut self, element: &Element<'_>, tables: &WorkbookTables) {
        if let Some(index @ 1..) = number(element, "Index") {
            self.row = self.row.max(index - 1);
        }
        self.rows = number(element, "Span").unwrap_or(0).saturating_add(1);
        self.row_style = tables.style(element).unwrap_or(0);
        self.column = 0;
    }

    /// Begins a cell. An index to the left of the current column is ignored.
    fn begin_cell(&mut self, element: &Element<'_>, tables: &WorkbookTables) {
        if let Some(index @ 1..) = number(element, "Index") {
            self.column = self.column.max(index - 1);
        }
        let merged = number(element, "MergeAcross").unwrap_or(0);
        self.columns = merged.saturating_add(1);
        self.style = tables.style(element).unwrap_or(self.row_style);
    }

    /// Appends to the text of the cell.
    fn add(&mut self, job: &Job<'_>, text: &str) -> Result<()> {
        if self.text.len() + text.len() > MAX_TEXT {
            let row = self.row + 1;
            return Err(job.unreadable(format!("a cell in row {row} holds more than 8 MiB")));
        }
        self.text.push_str(text);
        Ok(())
    }
}

impl WorkbookTables {
    /// Style that a row or cell refers to.
    fn style(&self, element: &Element<'_>) -> Option<usize> {
        self.named.get(&*element.attribute("StyleID")?).copied()
    }

    /// Value of a date cell. The file always states date and time; the number format decides which of them counts.
    fn moment<'t>(&self, place: &'t Place, shown: &'t mut String) -> Value<'t> {
        let text = place.text.trim();
        let Some(moment) = moment(text) else {
            return Value::Text(text);
        };
        let value = moment
            .serial()
            .map(|serial| (self.styles).number(place.style, serial, Epoch::From1900, shown));
        match value {
            None | Some(Value::Number(_)) => Value::Moment(moment),
            Some(value) => value,
        }
    }

    /// Adds the finished cell.
    fn push(&self, place: &Place, cells: &mut Cells) -> Result<()> {
        let (styles, text, mut shown) = (&self.styles, &*place.text, String::new());
        let value = match &*place.kind {
            "Number" => match text.trim().parse() {
                Ok(value) => styles.number(place.style, value, self.epoch, &mut shown),
                Err(_) => Value::Text(text),
            },
            "DateTime" => self.moment(place, &mut shown),
            "Boolean" => Value::Boolean(text.trim() == "1"),
            "Error" => Value::Error(text),
            _ => Value::Text(text),
        };
        styles.push(place.style, place.column, value, cells)
    }
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let tables = &self.tables;
        let mut xml = from_beginning(self.job, self.input)?;
        let mut sheets_begun = 0;
        while let Some(token) = xml.next()? {
            if matches!(token, Token::Start(element) if (element.space, element.name) == ("ss", "Worksheet"))
            {
                sheets_begun += 1;
            }
            if sheets_begun > sheet {
                return read_sheet(self.job, &mut xml, tables, rows);
            }
        }
        Ok(())
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        _: &mut convertd_tree::Builder<'_>,
        _: &mut Notes,
    ) -> Result<BookLooks> {
        let (bytes, _lease) = convertd_tree::input::read_all(self.job, self.input, 3)?;
        let text = xml::decode_owned(bytes);
        let xml = xml::Reader::new(self.job, &text, NAMESPACES);
        let book = shown::read(xml, sheets, &self.sheets, self.tables.epoch)?;
        Ok(book.map_or(BookLooks::TooMany, |book| BookLooks::Read(Box::new(book))))
    }

    fn add_notes(&mut self, _: &mut Notes) {}
}

/// Passes on the rows of the sheet whose start tag was just read.
fn read_sheet(
    job: &Job<'_>,
    xml: &mut Stream<'_, &mut dyn Input>,
    tables: &WorkbookTables,
    rows: &mut Rows<'_>,
) -> Result<()> {
    let (mut in_data, mut in_comment) = (false, false);
    let (mut place, mut cells) = (Place::default(), Cells::default());
    while let Some(token) = xml.next()? {
        match token {
            Token::Text(text) if in_data => place.add(job, text)?,
            Token::Text(_) => {}
            Token::Start(element) if element.space == "ss" => match element.name {
                "Row" => {
                    place.begin_row(&element, tables);
                    cells.begin(place.row);
                    cells.hidden = element.attribute("Hidden").as_deref() == Some("1");
                }
                "Cell" => place.begin_cell(&element, tables),
                "Comment" => in_comment = true,
                "Data" if !in_comment => {
                    in_data = true;
                    place.text.clear();
                    place.kind = attribute(&element, "Type");
                }
                _ => {}
            },
            Token::End("ss", "Worksheet") => break,
            Token::End("ss", "Comment") => in_comment = false,
            Token::End("ss", "Data") if in_data => {
                in_data = false;
                if place.row >= MAX_ROWS {
                    return Err(job.unreadable(TOO_MANY_ROWS));
                }
                if place.column < MAX_COLUMNS {
                    tables.push(&place, &mut cells)?;
                }
            }
            Token::End("ss", "Cell") => place.column = place.column.saturating_add(place.columns),
            Token::End("ss", "Row") => {
                if !cells.is_empty() {
                    rows(&cells)?;
                }
                place.row = place.row.saturating_add(place.rows);
            }
            _ => {}
        }
    }
    Ok(())
}
