//! Metadata of a file, under Tika's names. For formats without a metadata reader, the metadata is taken from the head
//! of the HTML page that the engine makes of the file.

use super::{detect::File, extract, names, paths::Content};
use crate::{
    api::compat::work::Work,
    coding::escape,
    error::{Kind, Result},
    format::Category,
    registry,
};
use serde_json::{Map, Value};

/// Number of bytes of an HTML page that are read for its metadata; its head is within them.
const HEAD: u64 = 64 << 10;

/// Returns all metadata of a file.
pub(super) fn of(work: &Work<'_, '_>, file: &File) -> Result<Map<String, Value>> {
    let mut about = Map::new();
    let mut set = |name: &str, value: Value| {
        about.insert(name.to_owned(), value);
    };
    let is_text = file.media_type.starts_with("text/");
    let charset = if is_text { "; charset=UTF-8" } else { "" };
    let bare = file.media_type.split(';').next().unwrap_or_default();
    set("Content-Type", format!("{bare}{charset}").into());
    set("Content-Length", file.item.len().to_string().into());
    if let Some(name) = &file.name {
        set("resourceName", name.as_str().into());
    }
    set(
        "X-TIKA:Parsed-By",
        vec!["org.apache.tika.parser.DefaultParser", "convertd"].into(),
    );
    let name = file.format.name;
    match file.format.category {
        Category::Image => {
            // A picture without a readable header has no size, but is still a picture, so that error is ignored.
            let metadata = unless_unreadable(work.about(&file.item))?;
            names::of_picture(&metadata, name, &mut about);
            return Ok(about);
        }
        Category::Audio => {
            names::of_sound(
                &unless_unreadable(work.about(&file.item))?,
                name,
                &mut about,
            );
            return Ok(about);
        }
        Category::Mail => {
            names::of_mail(&work.about(&file.item)?, &mut about);
            return Ok(about);
        }
        _ if registry::has_metadata(file.format) && name != "pdf" => {
            names::of_office(&work.about(&file.item)?, &mut about);
            return Ok(about);
        }
        _ if name == "pdf" => {
            names::of_pdf(&work.about(&file.item)?, &mut about);
            return Ok(about);
        }
        Category::Document | Category::Spreadsheet | Category::Presentation | Category::Archive => {
        }
    }
    if !extract::converts(file, "html") {
        return Ok(about);
    }
    let Some(page) = extract::content(work, file, Content::Html)? else {
        return Ok(about);
    };
    let len = page.len().min(HEAD);
    let head = page.part(String::new(), 0..len).bytes(HEAD)?;
    read(&String::from_utf8_lossy(&head), &mut about);
    if file.name.is_none() && about.get("dc:title") == Some(&"file".into()) {
        // If a file has no title, the conversion uses the file name as the title. Here the request gave no file name,
        // and `file` is only a name that this service made up.
        about.remove("dc:title");
    }
    Ok(about)
}

/// Treats a file whose metadata cannot be read as a file without metadata.
fn unless_unreadable(metadata: Result<Map<String, Value>>) -> Result<Map<String, Value>> {
    match metadata {
        Err(error) if error.kind() == Kind::BadInput => Ok(Map::new()),
        metadata => metadata,
    }
}

/// Reads the metadata from the head of an HTML page. The engine wrote that page, so its form is known, and searching it
/// is enough.
fn read(page: &str, about: &mut Map<String, Value>) {
    let head = page.split("</head>").next().unwrap_or_default();
    if let Some(title) = between(head, "<title>", "</title>").filter(|title| *title != "Untitled") {
        about.insert("dc:title".into(), escape::decoded(title.into()).into());
    }
    if let Some(language) = between(head, "<html lang=\"", "\"") {
        about.insert(
            "dc:language".into(),
            escape::decoded(language.into()).into(),
        );
    }
    for piece in head.split("<meta name=\"").skip(1) {
        let (Some((name, _)), Some(value)) =
            (piece.split_once('"'), between(piece, "content=\"", "\""))
        else {
            continue;
        };
        let value = escape::decoded(value.into()).into_owned();
        let (key, value) = match name {
            "author" => ("dc:creator", value),
            "dcterms.date" => match names::moment(&value) {
                Some(moment) => ("dcterms:created", moment),
                None => continue,
            },
            "dcterms.subject" => ("dc:subject", value),
            "description" => ("dc:description", value),
            "keywords" => ("meta:keyword", value),
            _ => continue,
        };
        add(about, key, value);
    }
}

/// Adds a value. Several values under one name become a list.
fn add(about: &mut Map<String, Value>, key: &str, value: String) {
    match about.get_mut(key) {
        None => {
            about.insert(key.to_owned(), value.into());
        }
        Some(Value::Array(list)) => list.push(value.into()),
        Some(one) => *one = vec![one.take(), value.into()].into(),
    }
}

/// Returns the text between the first `start` and the next `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, after) = text.split_once(start)?;
    after.split_once(end).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read_from_the_head_of_a_page() {
        let mut about = Map::new();
        read(
            "<html lang=\"de\"><head><title>A &amp; B</title><meta name=\"author\" content=\"X\" />\n\
             <meta name=\"author\" content=\"Y\" />\n<meta name=\"dcterms.date\" content=\"2020-01-02\" /></head><title>no</title>",
            &mut about,
        );
        let expected = serde_json::json!({
            "dc:title": "A & B",
            "dc:language": "de",
            "dc:creator": ["X", "Y"],
            "dcterms:created": "2020-01-02T00:00:00Z",
        });
        assert_eq!(Value::Object(about), expected);
    }
}
