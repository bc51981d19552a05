//! Reads a notebook cell by cell, and drops each cell before it reads the next. Never runs code.

use super::cells::{Cell, Head, Shown};
use crate::{
    document::{
        Loss,
        formats::md,
        input::read_all,
        tree::{Builder, Document, Node, ParagraphStyleId, Picture, PictureSource},
    },
    error::{Error, Result},
    job::{Input, Job, Notes},
};
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};

static OUTPUTS: Loss = Loss {
    one: "An output of a code cell was left out: it exists only in a format for web browsers.",
    many: "{} outputs of code cells were left out: they exist only in formats for web browsers.",
};

static ATTACHMENTS: Loss = Loss {
    one: "The pictures that are attached to a cell were left out.",
    many: "The pictures that are attached to {} cells were left out.",
};

/// Base64 with or without padding, since programs write both.
const PICTURES: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads a notebook.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is not JSON, is not a notebook, or is of a version before
/// 4.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // In memory at the same time: the file, one cell, and what the Markdown parser builds from that cell.
    const TIMES: u64 = 4 + md::PARSED;
    let (file, _lease) = read_all(job, input, TIMES)?;
    let mut build = Builder::new(job);
    let head: Head = serde_json::from_slice(&file).map_err(|err| job.unreadable(err))?;
    if head.nbformat < 4 {
        return Err(job.unreadable(format!(
            "its nbformat version is {}: open it with Jupyter and save it again",
            head.nbformat
        )));
    }
    let metadata = head.metadata;
    build.metadata.title = metadata["title"].as_str().map(Into::into);
    let authors = metadata["authors"].as_array().into_iter().flatten();
    let names = authors.filter_map(|author| author["name"].as_str());
    build.metadata.authors.extend(names.map(Into::into));
    let language = metadata["language_info"]["name"].as_str();
    let language = language.or(metadata["kernelspec"]["language"].as_str());
    let mut reader = Reader {
        job,
        build: &mut build,
        language: language.unwrap_or_default().to_owned(),
        failed: None,
    };
    let mut json = serde_json::Deserializer::from_slice(&file);
    let read = json.deserialize_map(Notebook(&mut reader));
    if let Some(failed) = reader.failed {
        return Err(failed);
    }
    read.map_err(|err| job.unreadable(err))?;
    build.finish(notes)
}

struct Reader<'b, 'j> {
    job: &'j Job<'j>,
    build: &'b mut Builder<'j>,
    /// The programming language of the notebook.
    language: String,
    /// The error that stopped the tree, kept here because the JSON parser can only report one of its own.
    failed: Option<Error>,
}

impl Reader<'_, '_> {
    fn cell(&mut self, cell: &Cell) -> Result<()> {
        self.job.check()?;
        if cell.attachments.as_ref().is_some_and(|all| !all.is_empty()) {
            self.build.lost(&ATTACHMENTS);
        }
        let source = &cell.source.0;
        match cell.cell_type.as_str() {
            "markdown" => md::fill(self.build, source)?,
            "code" if !source.trim().is_empty() => {
                self.build
                    .code_block(self.language.as_str(), source.trim_end())?;
            }
            "code" => {}
            // A raw cell is meant for another program, so it is kept as it is.
            _ => self.build.code_block("", source.trim_end())?,
        }
        for _ in 0..cell.outputs.lost {
            self.build.lost(&OUTPUTS);
        }
        for output in &cell.outputs.shown {
            match output {
                Shown::Picture(letters) => self.picture(letters)?,
                Shown::Markdown(text) => md::fill(self.build, text)?,
                Shown::Text(text) => {
                    let text = uncoloured(text);
                    if !text.trim().is_empty() {
                        self.build.code_block("", text.trim_end())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn picture(&mut self, letters: &str) -> Result<()> {
        let letters: Vec<u8> = letters
            .bytes()
            .filter(|c| !c.is_ascii_whitespace())
            .collect();
        let Ok(bytes) = PICTURES.decode(letters) else {
            return Err(self
                .job
                .unreadable("a picture in it is not written in Base64"));
        };
        let resource = self.build.resource(bytes, "", None)?;
        self.build
            .open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
        self.build.picture(Picture {
            source: PictureSource::Resource(resource),
            alternative: "".into(),
            title: "".into(),
            width: None,
            height: None,
            frame: None,
        })?;
        self.build.close()
    }
}

/// Removes the escape sequences that colour text in a terminal (ECMA-48, 5.4).
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| ('@'..='~').contains(&c));
        out.push_str(end.and_then(|end| part.get(end + 1..)).unwrap_or_default());
    }
    out
}

/// The visitor for the top-level object. It uses only the cells.
struct Notebook<'r, 'b, 'j>(&'r mut Reader<'b, 'j>);

impl<'de> Visitor<'de> for Notebook<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a notebook")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if key == "cells" {
                map.next_value_seed(Cells(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Cells<'r, 'b, 'j>(&'r mut Reader<'b, 'j>);

impl<'de> DeserializeSeed<'de> for Cells<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Cells<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> std::result::Result<(), A::Error> {
        while let Some(cell) = cells.next_element::<Cell>()? {
            if let Err(err) = self.0.cell(&cell) {
                self.0.failed = Some(err);
                return Err(serde::de::Error::custom("the document could not be made"));
            }
        }
        Ok(())
    }
}
