//! Writes answers as JSON, CSV, text or HTML, depending on the `Accept` field. The content of a file is copied piece by
//! piece, so it is never in memory as a whole.

use crate::{
    api::compat::{item::Item, json_text::escape, work::Work},
    coding,
    error::{Error, Result},
    http::{Head, Payload, Response, Status},
};
use serde_json::{Map, Value};

/// Format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Json,
    Csv,
    /// RDF in XML, for metadata only.
    Xmp,
    Text,
    Html,
    Markdown,
}

impl Shape {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Xmp => "application/rdf+xml",
            Self::Text => "text/plain; charset=UTF-8",
            Self::Html => "text/html; charset=UTF-8",
            Self::Markdown => "text/markdown; charset=UTF-8",
        }
    }
}

/// Returns an answer without a media type, to which the caller adds the content.
pub(super) fn plain(status: Status) -> Response {
    Response::new(status)
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .field("Content-Security-Policy", "sandbox")
}

/// Returns an answer without content.
pub(super) fn empty(status: Status) -> Response {
    plain(status).field("Content-Type", "text/plain")
}

/// Returns the first known format in `Accept`. Weights are ignored.
pub(super) fn accepted(head: &Head) -> Option<Shape> {
    let mut types = head.fields("accept").flat_map(|value| value.split(','));
    types.find_map(|media_type| {
        let name = media_type.split(';').next().unwrap_or_default();
        match name.trim().to_ascii_lowercase().as_str() {
            "application/json" => Some(Shape::Json),
            "text/csv" => Some(Shape::Csv),
            "application/rdf+xml" => Some(Shape::Xmp),
            "text/plain" => Some(Shape::Text),
            "text/html" | "text/xml" | "application/xhtml+xml" | "application/xml" => {
                Some(Shape::Html)
            }
            "text/markdown" => Some(Shape::Markdown),
            _ => None,
        }
    })
}

/// Answers with metadata and content as one JSON object, or as a list of one object.
pub(super) fn json(
    work: &Work<'_, '_>,
    about: &Map<String, Value>,
    content: Option<&Item>,
    is_list: bool,
) -> Result<Response> {
    let item = work.write("answer.json", |out| {
        let (open, close) = if is_list { ("[", "]") } else { ("", "") };
        let mut object = serde_json::to_string(about)
            .map_err(|err| Error::internal("the metadata is not valid JSON", err))?;
        // The metadata's closing brace is removed, and written again after the content.
        object.pop();
        write!(out, "{open}{object}").map_err(Error::unwritten)?;
        if let Some(content) = content {
            out.write_all(b",\"X-TIKA:content\":\"")
                .map_err(Error::unwritten)?;
            content.each_piece(|piece| escape(piece, out).map_err(Error::unwritten))?;
            out.write_all(b"\"").map_err(Error::unwritten)?;
        }
        write!(out, "}}{close}").map_err(Error::unwritten)
    })?;
    Ok(plain(Status::OK)
        .field("Content-Type", Shape::Json.media_type())
        .payload(item.payload()?))
}

/// Answers with the metadata as CSV, unless the client accepts JSON or RDF.
pub(super) fn metadata(about: &Map<String, Value>, shape: Option<Shape>) -> Result<Response> {
    if shape == Some(Shape::Json) {
        let body = serde_json::to_vec(about)
            .map_err(|err| Error::internal("the metadata is not valid JSON", err))?;
        return Ok(whole(Shape::Json, body));
    }
    if shape == Some(Shape::Xmp) {
        return Ok(whole(Shape::Xmp, rdf(about).into_bytes()));
    }
    Ok(whole(Shape::Csv, csv(about).into_bytes()))
}

/// Returns the metadata as CSV, with a row for each field.
pub(super) fn csv(about: &Map<String, Value>) -> String {
    about.iter().map(|(name, value)| row(name, value)).collect()
}

/// Returns the fields whose names have a prefix in `SPACES`, as RDF (ISO 16684-1, 7).
fn rdf(about: &Map<String, Value>) -> String {
    const SPACES: [(&str, &str); 7] = [
        ("dc", "http://purl.org/dc/elements/1.1/"),
        ("dcterms", "http://purl.org/dc/terms/"),
        ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("xmpDM", "http://ns.adobe.com/xmp/1.0/DynamicMedia/"),
        ("tiff", "http://ns.adobe.com/tiff/1.0/"),
        ("exif", "http://ns.adobe.com/exif/1.0/"),
        ("pdf", "http://ns.adobe.com/pdf/1.3/"),
    ];
    let mut out = String::from(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\"",
    );
    for (prefix, space) in SPACES {
        out.push_str(&format!(" xmlns:{prefix}=\"{space}\""));
    }
    out.push('>');
    for (name, value) in about {
        let known = name.split_once(':').is_some_and(|(prefix, local)| {
            SPACES.iter().any(|(known, _)| *known == prefix)
                && local.chars().all(|c| c.is_ascii_alphanumeric())
        });
        if known {
            let text = texts(value).join(", ");
            let text = coding::escape::escaped(&text);
            out.push_str(&format!("<{name}>{text}</{name}>"));
        }
    }
    out.push_str("</rdf:Description></rdf:RDF></x:xmpmeta>");
    out
}

/// Answers with a field of the metadata. `None` if the file does not have it.
pub(super) fn field(
    about: &Map<String, Value>,
    name: &str,
    shape: Option<Shape>,
) -> Option<Response> {
    let value = about.get(name)?;
    Some(match shape {
        Some(Shape::Json) => {
            let one: Map<String, Value> = [(name.to_owned(), value.clone())].into_iter().collect();
            whole(Shape::Json, Value::Object(one).to_string().into_bytes())
        }
        Some(Shape::Csv) => whole(Shape::Csv, row(name, value).into_bytes()),
        _ => whole(Shape::Text, texts(value).join(",").into_bytes()),
    })
}

/// Returns a row of CSV: the name, then each value in a cell of its own. All cells are in quotation marks.
fn row(name: &str, value: &Value) -> String {
    let mut cells = vec![name.to_owned()];
    cells.extend(texts(value));
    let quoted = cells
        .iter()
        .map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// Returns the values of a field as texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

fn whole(shape: Shape, body: Vec<u8>) -> Response {
    plain(Status::OK)
        .field("Content-Type", shape.media_type())
        .payload(Payload::Bytes(body.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_rdf_keep_their_lines() {
        let title = ("dc:title".to_owned(), "a\n<b>\u{1}".into());
        let rdf = rdf(&[title].into_iter().collect());
        assert!(
            rdf.contains("<dc:title>a&#10;&lt;b&gt;</dc:title>"),
            "{rdf}"
        );
    }
}
