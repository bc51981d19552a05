//! The parts of a notebook that are looked at, as `serde_json` fills them. Everything else in the file is passed over.

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// What a notebook says of itself. It stands behind the cells, which are read in a second pass.
#[derive(Deserialize)]
pub(super) struct Head {
    /// Free in form, but for a few fields.
    #[serde(default)]
    pub(super) metadata: serde_json::Value,
    /// The version of the format; the cells of those before 4 stand elsewhere.
    pub(super) nbformat: u32,
}

#[derive(Deserialize)]
pub(super) struct Cell {
    pub(super) cell_type: String,
    #[serde(default)]
    pub(super) source: Text,
    #[serde(default)]
    pub(super) outputs: Outputs,
    pub(super) attachments: Option<BTreeMap<String, IgnoredAny>>,
}

/// What code has printed and drawn.
#[derive(Default)]
pub(super) struct Outputs {
    pub(super) shown: Vec<Shown>,
    /// How many there are in formats that are not looked at.
    pub(super) lost: usize,
}

/// Of the formats that an output is there in, the one that shows most.
pub(super) enum Shown {
    /// A picture in Base64.
    Picture(String),
    Markdown(String),
    Text(String),
}

#[derive(Deserialize)]
struct Output {
    /// What a stream printed.
    text: Option<Text>,
    /// Where an error came from, line by line.
    #[serde(default)]
    traceback: Vec<String>,
    #[serde(default)]
    data: Data,
}

/// The same in several formats.
#[derive(Default, Deserialize)]
struct Data {
    #[serde(rename = "text/plain")]
    plain: Option<Text>,
    #[serde(rename = "text/markdown")]
    markdown: Option<Text>,
    #[serde(rename = "image/png")]
    png: Option<Text>,
    #[serde(rename = "image/jpeg")]
    jpeg: Option<Text>,
}

impl Output {
    fn shown(self) -> Option<Shown> {
        let data = self.data;
        if let Some(picture) = data.png.or(data.jpeg) {
            return Some(Shown::Picture(picture.0));
        }
        if let Some(markdown) = data.markdown {
            return Some(Shown::Markdown(markdown.0));
        }
        let trace = (!self.traceback.is_empty()).then(|| Text(self.traceback.join("\n")));
        let text = data.plain.or(self.text).or(trace);
        text.map(|text| Shown::Text(text.0))
    }
}

impl<'de> Deserialize<'de> for Outputs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(All)
    }
}

/// Reads outputs one by one, because an empty one takes fifty times the memory that it takes in the file.
struct All;

impl<'de> Visitor<'de> for All {
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

/// Text, which a file holds as one string or as one for each line.
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
