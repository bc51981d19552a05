//! Writes workbooks, streaming rows into the archive. Texts are inline in their cells (`inlineStr`), because a shared
//! string table would have to be kept in memory; Deflate removes the repetitions instead. Writes no formulas.

use super::styles;
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, Value, letters},
    containers::zip::{self, Packing},
    error::{Error, Kind, Result},
    job::{Job, Notes, Output, Quality},
    number::NumberStyle,
    numbered,
    ooxml::{escape, escaped},
    sheet::{Sheet, Writer},
    types::infer,
};
use std::fmt::Write as _;

/// Maximum length of a cell's text in Excel, in UTF-16 code units.
const CHARACTERS: usize = 32_767;

/// Error values that a cell can have (18.17.3).
const ERRORS: [&str; 8] = [
    "#NULL!",
    "#DIV/0!",
    "#VALUE!",
    "#REF!",
    "#NAME?",
    "#NUM!",
    "#N/A",
    "#GETTING_DATA",
];

/// Size in bytes from which collected output is compressed.
const BUFFER: usize = 1 << 16;

/// XML declaration of all parts.
pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
/// Namespace of SpreadsheetML.
pub(super) const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
/// Prefix of the namespaces of packages.
pub(super) const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
/// Namespace of relationship identifiers, and prefix of relationship types.
pub(super) const OFFICE: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// State of the writer.
struct Book<'a> {
    /// Archive of the result.
    zip: zip::Writer<'a>,
    /// Compression level.
    level: i32,
    /// Output that is not compressed yet.
    buffer: Vec<u8>,
    /// Number of the current sheet, from 1.
    sheet: usize,
    /// Cached letters of the columns.
    letters: Vec<String>,
    /// Buffer for the text of a cell.
    text: String,
    /// Number of texts that were cut.
    cut: u64,
}

/// Begins a workbook. Writes all parts other than the sheets now, so that rows can be streamed.
pub(super) fn create<'a>(
    job: &'a Job<'a>,
    output: &'a mut dyn Output,
    sheets: &[Sheet],
) -> Result<Box<dyn Writer + 'a>> {
    let level = level(job.quality());
    let mut zip = zip::Writer::new(job, output);
    let kind = kind(job);
    zip.add(
        "[Content_Types].xml",
        types(kind, sheets.len()).as_bytes(),
        Packing::Deflated,
    )?;
    let root = format!(
        "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    zip.add("_rels/.rels", root.as_bytes(), Packing::Deflated)?;
    zip.add("xl/workbook.xml", &workbook(sheets), Packing::Deflated)?;
    zip.add(
        "xl/_rels/workbook.xml.rels",
        references(sheets.len()).as_bytes(),
        Packing::Deflated,
    )?;
    zip.add(
        "xl/styles.xml",
        styles::part().as_bytes(),
        Packing::Deflated,
    )?;
    Ok(Box::new(Book {
        zip,
        level,
        buffer: Vec::with_capacity(2 * BUFFER),
        sheet: 0,
        letters: Vec::new(),
        text: String::new(),
        cut: 0,
    }))
}

/// Content type of the workbook part.
pub(super) fn kind(job: &Job<'_>) -> &'static str {
    match job.task.to.as_str() {
        "xlsm" => "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
        "xltx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml",
        "xltm" => "application/vnd.ms-excel.template.macroEnabled.main+xml",
        _ => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
    }
}

/// Compression level of Deflate. Rows resemble one another so much that levels above the middle gain little.
pub(super) fn level(quality: Quality) -> i32 {
    quality.pick(1, 4, 9)
}

/// Writes the part `[Content_Types].xml`.
pub(super) fn types(kind: &str, sheets: usize) -> String {
    let mut xml = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{kind}\"/><Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>"
    );
    for number in 1..=sheets {
        // Writing to a string cannot fail.
        let _ = write!(
            xml,
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>"
        );
    }
    xml + "</Types>"
}

/// Writes the relationships of the workbook part to its sheets and styles.
pub(super) fn references(sheets: usize) -> String {
    let mut xml = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for number in 1..=sheets {
        let _ = write!(
            xml,
            "<Relationship Id=\"rId{number}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
    }
    let _ = write!(
        xml,
        "<Relationship Id=\"rId{}\" Type=\"{OFFICE}/styles\" Target=\"styles.xml\"/></Relationships>",
        sheets + 1
    );
    xml
}

/// Writes the part `xl/workbook.xml`, which lists the sheets. Their names are made unique and valid for Excel.
fn workbook(sheets: &[Sheet]) -> Vec<u8> {
    let mut xml =
        format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>").into_bytes();
    let names = names(sheets);
    // Excel does not open a workbook without a visible sheet.
    let all_hidden = sheets.iter().all(|sheet| sheet.hidden);
    for (number, (sheet, name)) in sheets.iter().zip(&names).enumerate() {
        xml.extend(b"<sheet name=\"");
        xml.extend(escaped(name).as_bytes());
        let state = match sheet.hidden && !all_hidden {
            true => " state=\"hidden\"",
            false => "",
        };
        let number = number + 1;
        xml.extend(format!("\" sheetId=\"{number}\"{state} r:id=\"rId{number}\"/>").as_bytes());
    }
    xml.extend(b"</sheets></workbook>");
    xml
}

/// Makes names of sheets that Excel accepts: at most 31 UTF-16 code units without control characters and
/// `\ / ? * [ ] :`, no apostrophe at either end, and no two names that differ only in case.
pub(super) fn names(sheets: &[Sheet]) -> Vec<String> {
    let mut known = std::collections::HashSet::new();
    let mut names = Vec::new();
    for (number, sheet) in sheets.iter().enumerate() {
        let clean: String = (sheet.name().chars())
            .map(|c| match c {
                '\\' | '/' | '?' | '*' | '[' | ']' | ':' => '_',
                c if c.is_control() => '_',
                c => c,
            })
            .collect();
        let clean = clean.trim_matches('\'');
        let base = match clean.trim().is_empty() {
            true => format!("Sheet{}", number + 1),
            false => clean.to_owned(),
        };
        names.push(numbered::free(
            |end| {
                // Cutting may leave an apostrophe at the end.
                let prefix = utf16_prefix(&base, 31 - end.len()).trim_end_matches('\'');
                format!("{prefix}{end}")
            },
            |name| known.insert(name.to_lowercase()),
        ));
    }
    names
}

/// Longest prefix of a text with at most `most` UTF-16 code units.
fn utf16_prefix(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > most {
            return &text[..at];
        }
    }
    text
}

impl Book<'_> {
    /// Compresses the buffer if it has at least `least` bytes.
    fn flush(&mut self, least: usize) -> Result<()> {
        if self.buffer.len() >= least {
            self.zip.append(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Appends a cell. Its reference is stated, because Excel needs it for cells after a gap.
    fn cell(&mut self, column: u32, row: &str, value: Value<'_>) {
        let out = &mut self.buffer;
        out.extend(b"<c r=\"");
        while self.letters.len() <= column as usize {
            self.letters.push(letters(self.letters.len() as u32));
        }
        out.extend(self.letters[column as usize].as_bytes());
        out.extend(row.as_bytes());
        self.text.clear();
        let value = match value {
            Value::Written(text) => infer(text),
            Value::Digits(digits) => infer(digits),
            value => value,
        };
        let style = match value {
            Value::Number(number) => {
                number.write_plain(&mut self.text);
                styles::of_number(number.look)
            }
            Value::Moment(moment) => match moment.serial() {
                Some(days) => {
                    // Some readers do not expect an exponent here; Rust's `Display` of `f64` writes none.
                    let _ = write!(self.text, "{days}");
                    styles::of_moment(moment)
                }
                // Serial dates begin in 1900, so an earlier date becomes text.
                None => {
                    let mut text = String::new();
                    moment.write(&mut text);
                    return string(&text, out, &mut self.cut);
                }
            },
            Value::Boolean(is) => {
                out.extend(
                    if is {
                        "\" t=\"b\"><v>1</v></c>"
                    } else {
                        "\" t=\"b\"><v>0</v></c>"
                    }
                    .as_bytes(),
                );
                return;
            }
            // Excel does not open a workbook with an unknown error value, so errors of other programs become
            // text.
            Value::Error(text) if !ERRORS.contains(&text) => {
                return string(text, out, &mut self.cut);
            }
            Value::Error(text) => {
                out.extend(b"\" t=\"e\"><v>");
                escape(text, out);
                out.extend(b"</v></c>");
                return;
            }
            Value::Text(text) | Value::Shown(text) | Value::Written(text) | Value::Digits(text) => {
                return string(text, out, &mut self.cut);
            }
        };
        if style != styles::of_number(NumberStyle::General) {
            out.extend(format!("\" s=\"{style}").as_bytes());
        }
        out.extend(b"\"><v>");
        out.extend(self.text.as_bytes());
        out.extend(b"</v></c>");
    }
}

/// Appends the rest of a text cell, after its reference.
fn string(text: &str, out: &mut Vec<u8>, cut: &mut u64) {
    let kept = utf16_prefix(text, CHARACTERS);
    *cut += u64::from(kept.len() < text.len());
    let space = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let bytes = kept.as_bytes();
    let preserve = space(bytes.first()) || space(bytes.last()) || bytes.contains(&b'\n');
    out.extend(match preserve {
        true => "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">".as_bytes(),
        false => b"\" t=\"inlineStr\"><is><t>",
    });
    escape(kept, out);
    out.extend(b"</t></is></c>");
}

impl Writer for Book<'_> {
    fn begin(&mut self, _: &Sheet) -> Result<()> {
        self.sheet += 1;
        let name = format!("xl/worksheets/sheet{}.xml", self.sheet);
        self.zip.begin(&name, Some(self.level))?;
        self.buffer
            .extend(format!("{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetData>").as_bytes());
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<()> {
        if cells.is_empty() {
            return Ok(());
        }
        if cells.row >= MAX_ROWS || cells.filled() > COLUMNS {
            return Err(Error::new(
                Kind::BadInput,
                "the table has more than 1,048,576 rows or 16,384 columns, the limits of xlsx; convert it in parts",
            ));
        }
        let row = (cells.row + 1).to_string();
        self.buffer.extend(b"<row r=\"");
        self.buffer.extend(row.as_bytes());
        self.buffer.extend(
            if cells.hidden {
                "\" hidden=\"1\">"
            } else {
                "\">"
            }
            .as_bytes(),
        );
        for (column, value) in cells.iter() {
            self.cell(column, &row, value);
            self.flush(BUFFER)?;
        }
        self.buffer.extend(b"</row>");
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        self.buffer.extend(b"</sheetData></worksheet>");
        self.flush(1)?;
        self.zip.end()
    }

    fn finish(self: Box<Self>, notes: &mut Notes) -> Result<()> {
        match self.cut {
            0 => {}
            1 => notes.add("The text of a cell was cut after 32,767 characters, the most that a cell of xlsx holds."),
            many => notes.add(format!("The texts of {many} cells were cut after 32,767 characters, the most that a cell of xlsx holds.")),
        }
        self.zip.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sheets_neither_begin_nor_end_with_an_apostrophe() {
        let thirty = "x".repeat(30);
        let titles = ["'a'", "'", &format!("{thirty}'b"), &format!("{thirty}'c")];
        let sheets = titles.map(|title| Sheet {
            title: Some(title.to_owned()),
            ..Sheet::default()
        });
        let cut = format!("{} (2)", "x".repeat(27));
        assert_eq!(names(&sheets), ["a", "Sheet2", &thirty, &cut]);
    }
}
