//! XML Spreadsheet 2003, a format that report generators like to write and name `.xls`: values, number formats, and
//! hidden rows and sheets. The formats of cells are read in [`shown`]. ("XML Spreadsheet Reference", Microsoft 2003,
//! part of the Office 2003 XML Reference Schemas.)

#[cfg(feature = "document")]
mod formula;
mod place;
#[cfg(feature = "document")]
mod shown;
#[cfg(feature = "document")]
mod styles;
#[cfg(feature = "document")]
mod validations;

#[cfg(feature = "document")]
use crate::sheet::Looks as BookLooks;
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, MAX_TEXT, TOO_MANY_ROWS},
    containers::xml::{self, Element, Namespaces, Stream, Token},
    error::Result,
    format_names::code_of,
    job::{Input, Job, Notes, read_head},
    ooxml::{Strings, Styles},
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    stored::Tables,
    time::Epoch,
};
use place::Place;
use std::collections::HashMap;

/// Namespace of the format, which identifies it.
const SPREADSHEET: &str = "urn:schemas-microsoft-com:office:spreadsheet";

/// Namespaces of the elements that are read: that of the format, and that of Excel's settings. Formatted text is in the
/// namespace of HTML, which is not listed.
const NAMESPACES: Namespaces = &[
    (SPREADSHEET, "ss"),
    ("urn:schemas-microsoft-com:office:excel", "x"),
];

/// Number of bytes at the beginning of a file that are searched for the namespace. Little may precede the root
/// element.
const HEAD: usize = 2048;

/// Maximum number of styles. Excel itself allows 64,000.
const MAX_STYLES: usize = 1 << 16;

/// Identifier of the style that others inherit from unless they state a parent.
const DEFAULT: &str = "Default";

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
    tables: Tables,
    named: Named,
}

/// Index of each style by its identifier. The default style, which is also that of cells without a style, has index 0.
#[derive(Default)]
struct Named {
    indices: HashMap<Box<str>, usize>,
    /// Index of the last style.
    last: usize,
}

impl Named {
    /// Adds the style of an element. Returns its index, and that of the style from which it inherits: its parent, or
    /// else the default style.
    fn add(&mut self, element: &Element<'_>) -> (usize, usize) {
        let (name, parent) = (attribute(element, "ID"), element.attribute("Parent"));
        let parent = self.indices.get(parent.as_deref().unwrap_or(DEFAULT));
        let parent = parent.copied().unwrap_or(0);
        let index = match &*name {
            DEFAULT => 0,
            _ => {
                self.last += 1;
                self.last
            }
        };
        self.indices.insert(name.into(), index);
        (index, parent)
    }

    /// Style that an element refers to.
    fn style(&self, element: &Element<'_>) -> Option<usize> {
        self.indices.get(&*element.attribute("StyleID")?).copied()
    }
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
        tables: Tables::new(Strings::default(), Styles::new(view), Epoch::default()),
        named: Named::default(),
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
        // Number format of each style, by the index of the style. The first one is the general format.
        let (mut formats, mut style, tables) = (vec![0], 0, &mut self.tables);
        let (mut sheets, mut is_1904) = (Vec::new(), false);
        let (mut in_date, mut in_visible) = (false, false);
        let mut xml = from_beginning(self.job, self.input)?;
        while let Some(token) = xml.next()? {
            match token {
                Token::Start(element) => match (element.space, element.name) {
                    ("ss", "Style") if formats.len() < MAX_STYLES => {
                        let parent;
                        (style, parent) = self.named.add(&element);
                        formats.resize(formats.len().max(style + 1), 0);
                        formats[style] = formats[parent];
                    }
                    ("ss", "NumberFormat") => {
                        formats[style] = FIRST_CODE + style as u32;
                        let code = attribute(&element, "Format");
                        tables.styles.add_code(formats[style], code_of(&code));
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
        if is_1904 {
            tables.epoch = Epoch::From1904;
        }
        for format in formats {
            tables.styles.add_cell(format);
        }
        Ok(())
    }
}

/// Start of the identifiers of the file's own number formats, which differ from those of all built-in formats.
const FIRST_CODE: u32 = 1 << 16;

/// Returns an attribute, or an empty text.
fn attribute(element: &Element<'_>, name: &str) -> String {
    element.attribute(name).unwrap_or_default().into_owned()
}

/// Returns whether a boolean attribute is set.
fn is_set(element: &Element<'_>, name: &str) -> bool {
    element.attribute(name).as_deref() == Some("1")
}

/// Returns an attribute as a number.
fn number(element: &Element<'_>, name: &str) -> Option<u32> {
    element.attribute(name)?.trim().parse().ok()
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let mut xml = from_beginning(self.job, self.input)?;
        let mut sheets_begun = 0;
        while let Some(token) = xml.next()? {
            if matches!(token, Token::Start(element) if (element.space, element.name) == ("ss", "Worksheet"))
            {
                sheets_begun += 1;
            }
            if sheets_begun > sheet {
                return read_sheet(self.job, &mut xml, &mut self.tables, &self.named, rows);
            }
        }
        Ok(())
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        _: &mut convertd_tree::Builder<'_>,
        notes: &mut Notes,
    ) -> Result<BookLooks> {
        let (bytes, _lease) = convertd_tree::input::read_all(self.job, self.input, 3)?;
        let text = xml::decode_owned(bytes);
        let xml = xml::Reader::new(self.job, &text, NAMESPACES);
        let book = shown::read(xml, sheets, &self.sheets, self.tables.epoch, notes)?;
        Ok(book.map_or(BookLooks::TooMany, |book| BookLooks::Read(Box::new(book))))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        self.tables.losses.tell(notes);
    }
}

/// Passes on the rows of the sheet whose start tag was just read.
fn read_sheet(
    job: &Job<'_>,
    xml: &mut Stream<'_, &mut dyn Input>,
    tables: &mut Tables,
    named: &Named,
    rows: &mut Rows<'_>,
) -> Result<()> {
    let (mut in_data, mut in_comment, mut has_value) = (false, false, false);
    let (mut place, mut cells) = (Place::default(), Cells::default());
    let (mut kind, mut text) = (String::new(), String::new());
    while let Some(token) = xml.next()? {
        match token {
            Token::Text(piece) if in_data => {
                if text.len() + piece.len() > MAX_TEXT {
                    let row = place.row + 1;
                    return Err(
                        job.unreadable(format!("a cell in row {row} holds more than 8 MiB"))
                    );
                }
                text.push_str(piece);
            }
            Token::Text(_) => {}
            Token::Start(element) if element.space == "ss" => match element.name {
                "Table" => place.begin_table(&element, named),
                "Column" => _ = place.add_columns(&element, named),
                "Row" => {
                    place.begin_row(&element, named);
                    cells.begin(place.row);
                    cells.hidden = is_set(&element, "Hidden");
                }
                "Cell" => {
                    place.begin_cell(&element, named);
                    has_value = false;
                }
                "Comment" => in_comment = true,
                "Data" if !in_comment && !has_value => {
                    in_data = true;
                    text.clear();
                    kind = attribute(&element, "Type");
                }
                _ => {}
            },
            Token::End("ss", "Worksheet") => break,
            Token::End("ss", "Comment") => in_comment = false,
            Token::End("ss", "Data") if in_data => {
                (in_data, has_value) = (false, true);
                if place.row >= MAX_ROWS {
                    return Err(job.unreadable(TOO_MANY_ROWS));
                }
                if place.column >= COLUMNS {
                    tables.losses.beyond += 1;
                    continue;
                }
                let value = place::value(&kind, &mut text);
                tables.push(place.style, place.column, value, &mut cells)?;
            }
            Token::End("ss", "Cell") => place.end_cell(),
            Token::End("ss", "Row") => {
                if !cells.is_empty() {
                    rows(&cells)?;
                }
                place.end_row();
            }
            _ => {}
        }
    }
    Ok(())
}
