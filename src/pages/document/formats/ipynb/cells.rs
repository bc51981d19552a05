//! The parts of a notebook's JSON that the reader uses, as `serde_json` deserialises them. All other fields are
//! skipped. Builds no tree.

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// The metadata of a notebook. In the file it comes after the cells, so the cells are read in a second pass.
#[derive(Deserialize)]
pub(super) struct Head {
    /// Metadata, free-form apart from a few well-known fields.
    #[serde(default)]
    pub(super) metadata: serde_json::Value,
    /// The major version of the format.
    pub(super) nbformat: u32,
}

#[derive(Deserialize)]
pub(super) struct Cell {
    pub(super) cell_type: String,
    #[serde(default)]
    pub(super) source: Text,
    /// The source of a code cell before version 4.
    pub(super) input: Option<Text>,
    /// The level of a heading cell, from 1 to 6. Version 4 has headings in Markdown only.
    pub(super) level: Option<usize>,
    /// The programming language of a code cell before version 4.
    pub(super) language: Option<String>,
    #[serde(default)]
    pub(super) outputs: Outputs,
    /// Files by name, which Markdown refers to as `attachment:NAME`. Each is stored in Base64, by media type.
    pub(super) attachments: Option<BTreeMap<String, BTreeMap<String, Text>>>,
}

/// The outputs of a code cell.
#[derive(Default)]
pub(super) struct Outputs {
    pub(super) shown: Vec<Shown>,
    /// The number of outputs that have no supported media type.
    pub(super) lost: usize,
}

/// An output, in the richest media type that the file has for it.
pub(super) enum Shown {
    /// A drawing, as the text of an SVG file.
    Drawing(String),
    /// A picture, in Base64.
    Picture(String),
    Markdown(String),
    Html(String),
    Latex(String),
    Text(String),
}

#[derive(Deserialize)]
struct Output {
    /// The text of a stream (stdout or stderr).
    text: Option<Text>,
    /// The stack trace of an error, line by line.
    #[serde(default)]
    traceback: Vec<String>,
    data: Option<Data>,
    // Before version 4, the media types were among the fields of the output.
    html: Option<Text>,
    latex: Option<Text>,
    svg: Option<Text>,
    png: Option<Text>,
    jpeg: Option<Text>,
}

/// The output in several media types.
#[derive(Deserialize)]
struct Data {
    #[serde(rename = "text/plain")]
    plain: Option<Text>,
    #[serde(rename = "text/markdown")]
    markdown: Option<Text>,
    #[serde(rename = "text/html")]
    html: Option<Text>,
    #[serde(rename = "text/latex")]
    latex: Option<Text>,
    #[serde(rename = "image/svg+xml")]
    svg: Option<Text>,
    #[serde(rename = "image/png")]
    png: Option<Text>,
    #[serde(rename = "image/jpeg")]
    jpeg: Option<Text>,
}

impl Output {
    /// Returns the richest of an output's representations that the tree can hold: drawing, picture, Markdown, table,
    /// formula, or else plain text. `None` if the output has none of them.
    fn shown(self) -> Option<Shown> {
        let data = self.data.unwrap_or(Data {
            plain: None,
            markdown: None,
            html: self.html,
            latex: self.latex,
            svg: self.svg,
            png: self.png,
            jpeg: self.jpeg,
        });
        if let Some(drawing) = data.svg {
            return Some(Shown::Drawing(drawing.0));
        }
        if let Some(picture) = data.png.or(data.jpeg) {
            return Some(Shown::Picture(picture.0));
        }
        if let Some(markdown) = data.markdown {
            return Some(Shown::Markdown(markdown.0));
        }
        if let Some(page) = data.html.filter(|page| is_table(&page.0)) {
            return Some(Shown::Html(page.0));
        }
        if let Some(formula) = data.latex {
            return Some(Shown::Latex(formula.0));
        }
        let trace = (!self.traceback.is_empty()).then(|| Text(self.traceback.join("\n")));
        let text = data.plain.or(self.text).or(trace);
        text.map(|text| Shown::Text(text.0))
    }
}

/// Returns whether an HTML output contains a table. Most other HTML is an empty element in which scripts draw.
fn is_table(page: &str) -> bool {
    memchr::memmem::find(page.as_bytes(), b"<table").is_some()
}

impl<'de> Deserialize<'de> for Outputs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(OutputsVisitor)
    }
}

/// Reads outputs one at a time. Deserialised, an empty output takes fifty times the memory of its JSON, so collecting
/// all of them first could exhaust the memory.
struct OutputsVisitor;

impl<'de> Visitor<'de> for OutputsVisitor {
    type Value = Outputs;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of outputs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Outputs, A::Error> {
        let mut outputs = Outputs::default();
        while let Some(output) = all.next_element::<Output>()? {
            match output.shown() {
                Some(shown) => outputs.shown.push(shown),
                None => outputs.lost += 1,
            }
        }
        Ok(outputs)
    }
}

/// A text, which the format stores either as one string or as a list of lines.
#[derive(Default)]
pub(super) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Lines)
    }
}

struct Lines;

impl<'de> Visitor<'de> for Lines {
    type Value = Text;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string or a list of strings")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Text, A::Error> {
        let mut text = String::new();
        while let Some(line) = lines.next_element::<Cow<'_, str>>()? {
            text.push_str(&line);
        }
        Ok(Text(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_fields_may_be_null() {
        let cell = r#"{"cell_type": "code", "level": null, "input": null, "language": null}"#;
        let cell: Cell = serde_json::from_str(cell).unwrap();
        assert!(cell.level.is_none() && cell.input.is_none());
    }
}
