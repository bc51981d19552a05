//! Assembles docling's answer. Only the Markdown of a document is in memory as a whole. Other content is copied from
//! files piece by piece.

use super::{
    super::{item::Item, json_text::escape, work::Work},
    options::OUTPUT_FORMATS,
};
use crate::{
    error::{Error, Kind, Result},
    format::stem,
};
use serde_json::{Value, json};
use siphasher::sip::SipHasher13;
use std::{
    hash::Hasher,
    io::{self, Write},
    time::Duration,
};

/// The media types of this program's formats that `docling-core` accepts in the origin of a document. It refuses a type
/// that Python's `mimetypes` does not know.
const KNOWN: [&str; 22] = [
    "application/epub+zip",
    "application/json",
    "application/msword",
    "application/pdf",
    "application/rtf",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "text/csv",
    "text/html",
    "text/markdown",
    "text/plain",
];

/// Media type in an origin, for every type that docling does not know.
const UNKNOWN: &str = "application/octet-stream";

/// Content of a document in one format.
pub(super) enum Content {
    None,
    Text(String),
    /// A file with text in UTF-8.
    File(Item),
    /// A file with the JSON of a document.
    Json(Item),
}

/// An answer about one file.
pub(super) struct Answer<'a> {
    /// The file that was sent.
    pub(super) item: &'a Item,
    pub(super) media_type: &'a str,
    /// Content in the formats of [`OUTPUT_FORMATS`], in their order.
    pub(super) contents: [Content; OUTPUT_FORMATS.len()],
    pub(super) errors: Vec<String>,
}

impl Answer<'_> {
    /// Writes the answer as JSON.
    pub(super) fn write(&self, to: &mut dyn Write, time: Duration) -> Result<()> {
        let name = Value::from(self.item.name.as_str());
        put(to, format_args!("{{\"document\":{{\"filename\":{name}"))?;
        for (member, content) in OUTPUT_FORMATS.iter().zip(&self.contents) {
            put(to, format_args!(",\"{member}_content\":"))?;
            match content {
                Content::None => put(to, format_args!("null"))?,
                Content::Text(text) => {
                    serde_json::to_writer(&mut *to, text).map_err(|err| unstored(err.into()))?;
                }
                Content::File(item) => {
                    put(to, format_args!("\""))?;
                    item.each_piece(|piece| escape(piece, to).map_err(unstored))?;
                    put(to, format_args!("\""))?;
                }
                Content::Json(item) => self.document(item, to)?,
            }
        }
        let errors = self.errors.iter().map(|text| {
            json!({
                "component_type": "user_input",
                "module_name": "convertd",
                "error_message": text,
            })
        });
        let errors = Value::Array(errors.collect());
        let status = match self.errors.is_empty() {
            true => "success",
            false => "partial_success",
        };
        let seconds = time.as_secs_f64();
        put(
            to,
            format_args!(
                ",\"doctags_content\":null}},\"status\":\"{status}\",\"errors\":{errors},\"processing_time\":{seconds:.6},\"timings\":{{}}}}"
            ),
        )
    }

    /// Packs an archive with a file for each format that has content. The files are named like the file that was sent.
    pub(super) fn pack(&self, work: &Work<'_, '_>) -> Result<Item> {
        let stem = stem(&self.item.name);
        let stem = if stem.is_empty() { "document" } else { stem };
        let mut files = Vec::new();
        for (format, content) in OUTPUT_FORMATS.iter().zip(&self.contents) {
            let extension = match *format {
                "text" => "txt",
                format => format,
            };
            let file = match content {
                Content::None => continue,
                Content::Text(text) => {
                    work.write("", |to| to.write_all(text.as_bytes()).map_err(unstored))?
                }
                Content::File(item) => item.clone(),
                Content::Json(item) => work.write("", |to| {
                    self.document(item, to)?;
                    put(to, format_args!("\n"))
                })?,
            };
            files.push((format!("{stem}.{extension}"), file));
        }
        if files.is_empty() {
            return Err(Error::new(Kind::BadInput, self.errors.join("; ")));
        }
        let named: Vec<_> = files
            .iter()
            .map(|(name, item)| (name.clone(), item))
            .collect();
        work.pack(&named)
    }

    /// Writes the JSON of a document. Inserts its origin, which describes the file that was sent, as the first member.
    fn document(&self, item: &Item, to: &mut dyn Write) -> Result<()> {
        let mut hasher = SipHasher13::new();
        self.item.each_piece(|piece| {
            hasher.write(piece);
            Ok(())
        })?;
        let media_type = self.media_type.split(';').next().unwrap_or_default();
        let known = KNOWN.iter().find(|known| **known == media_type);
        let origin = json!({
            "mimetype": known.unwrap_or(&UNKNOWN),
            "binary_hash": hasher.finish(),
            "filename": self.item.name,
        });
        put(to, format_args!("{{\"origin\":{origin},"))?;
        let mut is_first = true;
        item.each_piece(|piece| {
            let rest = match std::mem::take(&mut is_first) {
                true => piece.strip_prefix(b"{").unwrap_or(piece),
                false => piece,
            };
            to.write_all(rest).map_err(unstored)
        })
    }
}

fn put(to: &mut dyn Write, text: std::fmt::Arguments<'_>) -> Result<()> {
    to.write_fmt(text).map_err(unstored)
}

fn unstored(err: io::Error) -> Error {
    Error::storage("the answer could not be stored", err)
}
