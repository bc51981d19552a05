//! Metadata of a file, under ExifTool's names. Changes nothing.

use super::{claims::Claims, metadata, store::Store, value::Value};
use crate::{
    format::{PDF_A_CONFORMANCE, PDF_A_PART, PDF_UA_PART},
    job::Job,
};
use hayro::hayro_syntax::{Pdf, PdfVersion};
use serde_json::{Map, Value as Json, json};

/// Limit on a text, in characters.
const MOST_TEXT: usize = 10_000;

/// The fields of the information dictionary, the version and the number of pages.
pub fn about(job: &Job<'_>, pdf: &Pdf) -> Map<String, Json> {
    let mut store = Store::new(job, vec![pdf]);
    let info = metadata::info(&mut store);
    let mut about = Map::new();
    for (name, key) in metadata::fields() {
        let text = match info.get(key) {
            Some(Value::Text(bytes)) => text(bytes),
            Some(Value::Name(bytes)) => text(bytes),
            _ => continue,
        };
        let text: String = text.chars().take(MOST_TEXT).collect();
        let value = match name {
            _ if name.ends_with("Date") => match date(&text) {
                Some(date) => date.into(),
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
    let claims = Claims::of(&mut store, &catalog);
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

/// A text string (ISO 32000-2, 7.9.2.2).
fn text(bytes: &[u8]) -> String {
    if let Some(wide) = bytes.strip_prefix(b"\xfe\xff") {
        let units = wide
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        return char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
    }
    let narrow = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(narrow) {
        Ok(text) => text.to_owned(),
        Err(_) => narrow.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Converts a date (7.9.4) to ExifTool's form: `D:20060918162750-04'00'` becomes `2006:09:18 16:27:50-04:00`.
fn date(text: &str) -> Option<String> {
    let digits = text.strip_prefix("D:").unwrap_or(text);
    let len = digits
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count()
        .min(14);
    let (moment, zone) = digits.split_at(len);
    if len < 4 {
        return None;
    }
    let part =
        |from: usize, otherwise: &str| moment.get(from..from + 2).unwrap_or(otherwise).to_owned();
    let zone = match zone.replace('\'', ":").trim_end_matches(':') {
        "" => String::new(),
        zone if zone.starts_with('Z') => "Z".to_owned(),
        zone => zone.chars().take(6).collect(),
    };
    Some(format!(
        "{}:{}:{} {}:{}:{}{zone}",
        &moment[..4],
        part(4, "01"),
        part(6, "01"),
        part(8, "00"),
        part(10, "00"),
        part(12, "00")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_texts_are_read() {
        assert_eq!(
            date("D:20060918162750-04'00'").as_deref(),
            Some("2006:09:18 16:27:50-04:00")
        );
        assert_eq!(date("D:2006").as_deref(), Some("2006:01:01 00:00:00"));
        assert_eq!(
            date("D:20060918162750Z").as_deref(),
            Some("2006:09:18 16:27:50Z")
        );
        assert_eq!(date("é"), None);
        assert_eq!(text(b"\xfe\xff\0a\x20\xac"), "a€");
        assert_eq!(text(b"caf\xe9"), "café");
    }
}
