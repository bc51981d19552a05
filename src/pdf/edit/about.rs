//! Metadata of a file, under ExifTool's names. Changes nothing.

use super::{bookmarks, claims::Claims, metadata, store::Store, value::Value};
use crate::{
    coding::date::Date,
    error::Result,
    format::{PDF_A_CONFORMANCE, PDF_A_PART, PDF_OUTLINE, PDF_UA_PART},
    job::Job,
    read::text::strings,
};
use hayro::hayro_syntax::{Pdf, PdfVersion};
use serde_json::{Map, Value as Json, json};

/// Limit on the value of a field, in characters.
const MAX_TEXT: usize = 10_000;

/// The fields of the information dictionary, the parts of PDF/A and PDF/UA that the file claims, the version and the
/// number of pages.
pub fn about(job: &Job<'_>, pdf: &Pdf) -> Map<String, Json> {
    fields(&mut Store::new(job, vec![pdf]), pdf)
}

/// The fields that [`about`] returns, and the bookmarks, which may be many times as long as all other fields.
///
/// Errors: the memory for the bookmarks is not granted, or the job is to end.
pub fn about_with_bookmarks(job: &Job<'_>, pdf: &Pdf) -> Result<Map<String, Json>> {
    let mut store = Store::new(job, vec![pdf]);
    let mut about = fields(&mut store, pdf);
    about.insert(PDF_OUTLINE.to_owned(), bookmarks::of_file(&mut store)?);
    Ok(about)
}

fn fields(store: &mut Store<'_>, pdf: &Pdf) -> Map<String, Json> {
    let info = metadata::info(store);
    let mut about = Map::new();
    for (name, key) in metadata::fields() {
        let text = match info.get(key) {
            Some(Value::Text(bytes)) => strings::decode(bytes),
            Some(Value::Name(bytes)) => strings::decode(bytes),
            _ => continue,
        };
        let text: String = text.chars().take(MAX_TEXT).collect();
        let value = match name {
            _ if name.ends_with("Date") => match Date::parse(&text) {
                Some(date) => date.exiftool().into(),
                None => continue,
            },
            "Keywords" => match text.split(", ").collect::<Vec<_>>() {
                words if words.len() > 1 => json!(words),
                _ => text.into(),
            },
            "Marked" if matches!(text.as_str(), "true" | "false") => Json::Bool(text == "true"),
            _ => text.into(),
        };
        about.insert(name.to_owned(), value);
    }
    let catalog = store.catalog(0);
    let claims = Claims::of(store, &catalog);
    if let Some(part) = claims.part {
        about.insert(PDF_A_PART.to_owned(), part.into());
        let level = claims.conformance.unwrap_or_default();
        about.insert(PDF_A_CONFORMANCE.to_owned(), level.into());
    }
    if let Some(part) = claims.accessible {
        about.insert(PDF_UA_PART.to_owned(), part.into());
    }
    about.insert("PDFVersion".to_owned(), version(pdf.version()).into());
    about.insert("PageCount".to_owned(), pdf.pages().len().into());
    about
}

fn version(version: PdfVersion) -> f64 {
    match version {
        PdfVersion::Pdf10 => 1.0,
        PdfVersion::Pdf11 => 1.1,
        PdfVersion::Pdf12 => 1.2,
        PdfVersion::Pdf13 => 1.3,
        PdfVersion::Pdf14 => 1.4,
        PdfVersion::Pdf15 => 1.5,
        PdfVersion::Pdf16 => 1.6,
        PdfVersion::Pdf17 => 1.7,
        PdfVersion::Pdf20 => 2.0,
    }
}
