//! Options of a request to docling. Ignores fields that mean nothing to this service (engines, devices, models).

use super::super::base64_json::MAX_AROUND;
use crate::error::{Error, Kind, Result};
use serde_json::Value;

/// Output formats that this service writes.
pub(super) const OUTPUT_FORMATS: [&str; 4] = ["md", "html", "text", "json"];

/// Docling's placeholder for a picture in the text.
const PLACEHOLDER: &str = "<!-- image -->";

#[derive(Debug)]
pub(super) struct Options {
    /// Requested output formats that this service writes.
    formats: Vec<String>,
    /// Requested output formats that this service does not write.
    pub(super) unsupported: Vec<String>,
    /// Whether pictures are embedded in the text as data, instead of replaced by a placeholder.
    pub(super) embeds: bool,
    /// Kind of the answer.
    target: Target,
    /// Text between two pages in Markdown.
    page_break: String,
    /// Whether no format has been named yet, so that `formats` still has the default.
    is_default: bool,
}

/// Kind of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// JSON with the content in all formats.
    Body,
    /// A ZIP archive with a file for each format.
    Zip,
    /// Another kind, such as an upload to another server.
    Other(String),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            formats: vec![OUTPUT_FORMATS[0].to_owned()],
            unsupported: Vec::new(),
            embeds: true,
            target: Target::Body,
            page_break: String::new(),
            is_default: true,
        }
    }
}

impl Options {
    /// Takes a field of a form, or a member of a JSON object.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        match name {
            "to_formats" => value.split(',').for_each(|format| self.add(format.trim())),
            "image_export_mode" => self.embeds = value == "embedded",
            "target_type" => {
                self.target = match value {
                    "inbody" => Target::Body,
                    "zip" => Target::Zip,
                    other => Target::Other(other.chars().take(40).collect()),
                }
            }
            "md_page_break_placeholder" => value.clone_into(&mut self.page_break),
            _ => {}
        }
    }

    fn add(&mut self, format: &str) {
        // The first format that the client names replaces the default.
        if std::mem::take(&mut self.is_default) {
            self.formats.clear();
        }
        let list = match OUTPUT_FORMATS.contains(&format) {
            true => &mut self.formats,
            false => &mut self.unsupported,
        };
        if !format.is_empty() && list.iter().all(|known| known != format) {
            list.push(format.chars().take(40).collect());
        }
    }

    /// Returns whether the answer is an archive.
    ///
    /// Errors: [`Kind::BadInput`] for a kind of answer that this service does not give.
    pub(super) fn wants_zip(&self) -> Result<bool> {
        match &self.target {
            Target::Body => Ok(false),
            Target::Zip => Ok(true),
            Target::Other(kind) => {
                let text = format!(
                    "the target is {kind:?}; it can be inbody or zip, as this service makes no connections of its own"
                );
                Err(Error::new(Kind::BadInput, text))
            }
        }
    }

    /// Returns whether the client wants this format.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.formats.iter().any(|format| format == name)
    }

    /// Returns the text between two pages: the client's, or an empty line.
    pub(super) fn page_break(&self) -> &str {
        match self.page_break.is_empty() {
            true => "\n\n",
            false => &self.page_break,
        }
    }

    /// Replaces the pictures in Markdown, which are data URLs, by placeholders, unless the client wants them embedded.
    pub(super) fn placed(&self, text: &str) -> String {
        if self.embeds {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find("](data:") {
            let Some(open) = rest[..start].rfind("![") else {
                break;
            };
            let Some(end) = rest[start..].find(')') else {
                break;
            };
            out.push_str(&rest[..open]);
            out.push_str(PLACEHOLDER);
            rest = &rest[start + end + 1..];
        }
        out.push_str(rest);
        out
    }
}

/// A request in JSON, without its file.
#[derive(Debug)]
pub(super) struct JsonRequest {
    pub(super) name: String,
    pub(super) options: Options,
}

impl JsonRequest {
    /// Reads `{"options": …, "sources": [{"kind": "file", "base64_string": …, "filename": …}]}`, or `file_sources` of
    /// version 0.
    ///
    /// Errors: [`Kind::BadInput`] if the JSON has another shape, does not have exactly one file, or has an address
    /// instead of a file.
    pub(super) fn read(text: &[u8]) -> Result<Self> {
        let bad = |text: &str| Error::new(Kind::BadInput, text.to_owned());
        let json: Value =
            serde_json::from_slice(text).map_err(|err| bad(&invalid(text.len())).caused_by(err))?;
        let mut options = Options::default();
        for (name, value) in json["options"].as_object().into_iter().flatten() {
            match value {
                Value::Array(values) => {
                    let words = values.iter().filter_map(Value::as_str);
                    words.for_each(|word| options.set(name, word));
                }
                Value::String(word) => options.set(name, word),
                _ => {}
            }
        }
        if let Some(kind) = json["target"]["kind"].as_str() {
            options.set("target_type", kind);
        }
        let lists = ["sources", "file_sources", "http_sources"];
        let mut sources = lists
            .iter()
            .flat_map(|list| json[*list].as_array())
            .flatten();
        let (source, further) = (sources.next(), sources.next());
        let source = source.ok_or_else(|| bad("sources has no file"))?;
        if further.is_some() {
            return Err(bad(
                "sources has several files; send each in a request of its own",
            ));
        }
        if !source["base64_string"].is_string() {
            return Err(bad(
                "the source must hold the file as base64_string; an address is not fetched, as this service makes no connections of its own",
            ));
        }
        Ok(Self {
            name: source["filename"].as_str().unwrap_or_default().to_owned(),
            options,
        })
    }
}

/// Returns the error message for invalid JSON. `len` is the length of the JSON without the file.
fn invalid(len: usize) -> String {
    match len >= MAX_AROUND {
        true => "the JSON has several files, or more than 64 KiB beside its file; send each file in a request of its own".to_owned(),
        false => "the body is not valid JSON".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_become_placeholders_unless_requested() {
        #[track_caller]
        fn check(mode: &str, text: &str, expected: &str) {
            let mut options = Options::default();
            options.set("image_export_mode", mode);
            assert_eq!(options.placed(text), expected);
        }
        let text = "a ![b](data:image/png;base64,AA==) c [d](e)";
        check("placeholder", text, "a <!-- image --> c [d](e)");
        check("embedded", text, text);
        check("placeholder", "](data: ![", "](data: ![");
    }

    #[test]
    fn answers_are_in_the_body_or_in_an_archive() {
        let mut options = Options::default();
        assert!(!options.wants_zip().unwrap());
        options.set("target_type", "zip");
        assert!(options.wants_zip().unwrap());
        options.set("target_type", "s3");
        assert!(options.wants_zip().unwrap_err().message().contains("s3"));
    }

    #[test]
    fn formats_are_those_that_are_named() {
        let mut options = Options::default();
        assert_eq!(options.formats, ["md"]);
        for format in ["text", "doctags", "text"] {
            options.set("to_formats", format);
        }
        assert_eq!(options.formats, ["text"]);
        assert_eq!(options.unsupported, ["doctags"]);
    }

    #[test]
    fn sources_other_than_files_are_refused() {
        #[track_caller]
        fn check(json: &str, expected: Result<&str, &str>) {
            let found = JsonRequest::read(json.as_bytes());
            match expected {
                Ok(name) => assert_eq!(found.unwrap().name, name),
                Err(why) => {
                    let error = found.unwrap_err();
                    assert!(error.message().contains(why), "{error}");
                }
            }
        }
        let file = r#"{"kind":"file","base64_string":"YQ==","filename":"a.md"}"#;
        check(&format!("{{\"sources\":[{file}]}}"), Ok("a.md"));
        check(&format!("{{\"file_sources\":[{file}]}}"), Ok("a.md"));
        check(&format!("{{\"sources\":[{file},{file}]}}"), Err("several"));
        check(
            r#"{"sources":[{"kind":"http","url":"http://a"}]}"#,
            Err("not fetched"),
        );
        check("{}", Err("no file"));
        check("[", Err("not valid JSON"));
    }
}
