//! Writes OpenDocument spreadsheets, streaming rows into the archive. Holds one row and a buffer in memory.

use super::{MEDIA_TYPE, styles};
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, Value},
    coding::escape,
    containers::zip::{self, Packing},
    error::{Error, Kind, Result},
    job::{Job, Notes, Output},
    sheet::{Sheet, Writer},
    time::Moment,
    types::infer,
};
use std::fmt::Write as _;

/// Number of bytes that are compressed at a time.
const BUFFER: usize = 1 << 16;

/// State of the writer.
struct Document<'a> {
    /// Archive of the result.
    zip: zip::Writer<'a>,
    /// Output that is not compressed yet.
    out: String,
    /// Number of the next row.
    next: u32,
    /// Buffer for the text of a cell.
    text: String,
    /// Number of texts with characters that XML cannot represent.
    unwritable: u64,
}

/// Begins a file. All parts before the first sheet are written immediately, so that rows can be streamed.
pub(super) fn create<'a>(
    job: &'a Job<'a>,
    output: &'a mut dyn Output,
    _: &[Sheet],
) -> Result<Box<dyn Writer + 'a>> {
    let mut zip = zip::Writer::new(job, output);
    manifest(job, &mut zip, None)?;
    zip.begin("content.xml", Some(job.quality().pick(1, 4, 9)))?;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content {NAMESPACES_OF_CONTENT} office:version=\"1.3\"><office:automatic-styles>",
    );
    out += &styles::written();
    out += "</office:automatic-styles><office:body><office:spreadsheet>";
    Ok(Box::new(Document {
        zip,
        out,
        next: 0,
        text: String::new(),
        unwritable: 0,
    }))
}

/// Namespaces of the written parts, as attributes.
pub(super) const NAMESPACES_OF_CONTENT: &str = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\" xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:of=\"urn:oasis:names:tc:opendocument:xmlns:of:1.2\" xmlns:calcext=\"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:convertd=\"urn:convertd:1.0\"";

/// Writes the media type and the manifest, which lists the parts of the package. `pictures` are the entries of the
/// pictures; `None` if the spreadsheet is written without styles.
pub(super) fn manifest(
    job: &Job<'_>,
    zip: &mut zip::Writer<'_>,
    pictures: Option<&str>,
) -> Result<()> {
    let media_type = match job.task.to.as_str() {
        "ots" => format!("{MEDIA_TYPE}-template"),
        _ => MEDIA_TYPE.to_owned(),
    };
    // The first entry is not compressed, so that the media type is at a fixed offset (part 2, 3.3).
    zip.add("mimetype", media_type.as_bytes(), Packing::Stored)?;
    let pictures_of = pictures.unwrap_or_default();
    let styles = match pictures {
        Some(_) => {
            "<manifest:file-entry manifest:full-path=\"styles.xml\" manifest:media-type=\"text/xml\"/><manifest:file-entry manifest:full-path=\"settings.xml\" manifest:media-type=\"text/xml\"/>"
        }
        None => "",
    };
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.3\"><manifest:file-entry manifest:full-path=\"/\" manifest:version=\"1.3\" manifest:media-type=\"{media_type}\"/><manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/>{styles}{pictures_of}</manifest:manifest>"
    );
    zip.add(
        "META-INF/manifest.xml",
        manifest.as_bytes(),
        Packing::Deflated,
    )
}

impl Document<'_> {
    /// Compresses the output if it has at least `least` bytes.
    fn flush(&mut self, least: usize) -> Result<()> {
        if self.out.len() >= least {
            self.zip.append(self.out.as_bytes())?;
            self.out.clear();
        }
        Ok(())
    }

    /// Writes a cell with its type, and with a style for its number format.
    fn cell(&mut self, value: Value<'_>) {
        let value = match value {
            Value::Written(text) => infer(text),
            Value::Digits(digits) => infer(digits),
            value => value,
        };
        self.text.clear();
        value.write(&mut self.text);
        let out = &mut self.out;
        out.push_str("<table:table-cell");
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Number(number) => {
                if let Some(style) = styles::of_number(number.look) {
                    let _ = write!(out, " table:style-name=\"{style}\"");
                }
                let share = self.text.ends_with('%');
                let kind = if share { "percentage" } else { "float" };
                let _ = write!(out, " office:value-type=\"{kind}\" office:value=\"");
                number.write_plain(out);
                write!(out, "\"")
            }
            Value::Boolean(is) => {
                write!(
                    out,
                    " office:value-type=\"boolean\" office:boolean-value=\"{is}\""
                )
            }
            Value::Moment(moment) => {
                let _ = write!(out, " table:style-name=\"{}\"", styles::of_moment(moment));
                self::moment(moment, out);
                Ok(())
            }
            Value::Error(_) => write!(
                out,
                " office:value-type=\"string\" calcext:value-type=\"error\""
            ),
            Value::Text(_) | Value::Shown(_) | Value::Written(_) | Value::Digits(_) => {
                write!(out, " office:value-type=\"string\"")
            }
        };
        out.push_str("><text:p>");
        self.unwritable += u64::from(paragraphs(&self.text, out));
        out.push_str("</text:p></table:table-cell>");
    }
}

/// Appends the attributes of a date or time.
pub(super) fn moment(moment: Moment, out: &mut String) {
    match moment {
        Moment::Date(_) | Moment::DateTime(_) => {
            out.push_str(" office:value-type=\"date\" office:date-value=\"");
            moment.write(out);
        }
        Moment::Time(millis) | Moment::Duration(millis) => {
            out.push_str(" office:value-type=\"time\" office:time-value=\"");
            length(millis, out);
        }
    }
    out.push('"');
}

/// Appends a duration in the notation of XML Schema.
fn length(millis: i64, out: &mut String) {
    let sign = if millis < 0 { "-" } else { "" };
    let (seconds, thousandths) = (millis.unsigned_abs() / 1000, millis.unsigned_abs() % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let _ = write!(out, "{sign}PT{hours:02}H{minutes:02}M{seconds:02}");
    if thousandths > 0 {
        let _ = write!(out, ".{thousandths:03}");
    }
    out.push('S');
}

/// Appends text as the content of paragraphs. Tabs, line ends, and spaces at the beginning or after another space
/// become elements, because readers collapse white space. Returns whether characters were dropped that XML cannot
/// represent.
pub(super) fn paragraphs(text: &str, out: &mut String) -> bool {
    let mut lost = false;
    let mut spaced = true;
    for c in text.chars() {
        let space = c == ' ';
        match c {
            ' ' if spaced => out.push_str("<text:s/>"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' => out.push_str("<text:tab/>"),
            '\n' => out.push_str("</text:p><text:p>"),
            '\r' => {}
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => lost = true,
            c => out.push(c),
        }
        spaced = space || c == '\n';
    }
    // A trailing space could be mistaken for indentation of the XML and dropped.
    if text.ends_with(' ') && out.ends_with(' ') {
        out.pop();
        out.push_str("<text:s/>");
    }
    lost
}

impl Writer for Document<'_> {
    fn begin(&mut self, sheet: &Sheet) -> Result<()> {
        self.next = 0;
        self.out.push_str("<table:table table:name=\"");
        escape::attribute(sheet.name(), &mut self.out);
        self.out.push_str(match sheet.hidden {
            true => "\" table:style-name=\"hidden\"><table:table-column/>",
            false => "\"><table:table-column/>",
        });
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<()> {
        if cells.is_empty() {
            return Ok(());
        }
        if cells.row >= MAX_ROWS || cells.filled() > COLUMNS {
            return Err(Error::new(
                Kind::BadInput,
                "the table has more than 1,048,576 rows or 16,384 columns, the limits of programs for ods; convert it in parts",
            ));
        }
        let gap = cells.row.saturating_sub(self.next);
        if gap > 0 {
            let _ = write!(
                self.out,
                "<table:table-row table:number-rows-repeated=\"{gap}\"><table:table-cell/></table:table-row>"
            );
        }
        self.next = cells.row + 1;
        self.out.push_str(match cells.hidden {
            true => "<table:table-row table:visibility=\"collapse\">",
            false => "<table:table-row>",
        });
        let mut next = 0;
        for (column, value) in cells.iter() {
            match column - next {
                0 => {}
                1 => self.out.push_str("<table:table-cell/>"),
                gap => {
                    let _ = write!(
                        self.out,
                        "<table:table-cell table:number-columns-repeated=\"{gap}\"/>"
                    );
                }
            }
            self.cell(value);
            self.flush(BUFFER)?;
            next = column + 1;
        }
        self.out.push_str("</table:table-row>");
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        if self.next == 0 {
            // A table has at least one row (part 3, 9.1.2).
            self.out
                .push_str("<table:table-row><table:table-cell/></table:table-row>");
        }
        self.out.push_str("</table:table>");
        self.flush(BUFFER)
    }

    fn finish(mut self: Box<Self>, notes: &mut Notes) -> Result<()> {
        self.out
            .push_str("</office:spreadsheet></office:body></office:document-content>");
        self.flush(1)?;
        self.zip.end()?;
        if self.unwritable > 0 {
            notes.add("Control characters, which ods cannot hold, were left out.");
        }
        self.zip.finish()
    }
}
