//! Reads a notebook cell by cell, and drops each cell before it reads the next. Never runs code.

use super::cells::{Cell, Head, Shown};
use crate::{
    document::formats::md,
    error::{Error, Result},
    job::{Input, Job, Notes},
};
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use convertd_markup::html;
use convertd_tree::{
    Builder, Document, Node, ParagraphStyleId, Picture, PictureSource, input::read_all,
    losses::Loss,
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

/// Base64 with or without padding, because programs write both.
const PICTURES: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads a notebook.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is not JSON, is not a notebook, or is of version 1.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // The file, one cell, and the Markdown parser's data about this cell are in memory at the same time.
    const TIMES: u64 = 4 + md::PARSED;
    let (file, _lease) = read_all(job, input, TIMES)?;
    let mut build = Builder::new(job);
    let head: Head = serde_json::from_slice(&file).map_err(|err| job.unreadable(err))?;
    // Version 1 was never released.
    if head.nbformat < 2 {
        return Err(job.unreadable(format!(
            "its nbformat version is {}: open it with Jupyter and save it again",
            head.nbformat
        )));
    }
    let metadata = head.metadata;
    // Before version 4, a notebook stated its name, which becomes the title if there is no other.
    let name = metadata["name"].as_str().filter(|name| !name.is_empty());
    let title = metadata["title"].as_str();
    build.metadata.title = title.or(name).map(Into::into);
    let authors = metadata["authors"].as_array().into_iter().flatten();
    let names = authors.filter_map(|author| author["name"].as_str());
    build.metadata.authors.extend(names.map(Into::into));
    let language = metadata["language_info"]["name"].as_str();
    let language = language.or(metadata["kernelspec"]["language"].as_str());
    let mut reader = NotebookReader {
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

struct NotebookReader<'b, 'j> {
    job: &'j Job<'j>,
    build: &'b mut Builder<'j>,
    /// The programming language of the notebook.
    language: String,
    /// The error that stopped the building of the tree. It is stored here because the JSON parser can report only
    /// errors of its own type.
    failed: Option<Error>,
}

impl NotebookReader<'_, '_> {
    /// Reads a cell with its outputs: Markdown, code, or raw text for another program.
    fn cell(&mut self, cell: &Cell) -> Result<()> {
        self.job.check()?;
        let source = with_attachments(cell);
        let source = &*source;
        match cell.cell_type.as_str() {
            "markdown" => md::fill(self.build, source)?,
            // Versions 2 and 3 have cells in HTML. They are not read as Markdown, which would take indented lines for
            // code.
            "html" => self.page(source)?,
            "heading" => {
                let marks = "#".repeat(cell.level.unwrap_or(1).clamp(1, 6));
                let text = source.split_whitespace().collect::<Vec<_>>().join(" ");
                md::fill(self.build, &format!("{marks} {text}"))?;
            }
            "code" => {
                let code = if source.is_empty() {
                    cell.input.as_ref().map_or("", |input| &*input.0)
                } else {
                    source
                };
                let language = cell.language.as_deref().unwrap_or(&self.language);
                if !code.trim().is_empty() {
                    self.build.code_block(language, code.trim_end())?;
                }
            }
            // A raw cell is meant for another program, so it is kept as it is.
            _ => self.build.code_block("", source.trim_end())?,
        }
        for _ in 0..cell.outputs.lost {
            self.build.lost(&OUTPUTS);
        }
        for output in &cell.outputs.shown {
            match output {
                Shown::Drawing(text) => {
                    self.picture(text.as_bytes().to_vec(), Some("image/svg+xml"))?;
                }
                Shown::Picture(letters) => {
                    let letters = letters.bytes().filter(|c| !c.is_ascii_whitespace());
                    let bytes = PICTURES.decode(letters.collect::<Vec<u8>>());
                    let unreadable =
                        |_| (self.job).unreadable("a picture in it is not valid Base64");
                    self.picture(bytes.map_err(unreadable)?, None)?;
                }
                Shown::Markdown(text) => md::fill(self.build, text)?,
                Shown::Html(text) => self.page(text)?,
                Shown::Latex(text) => match text.trim() {
                    text if text.contains('$') => md::fill(self.build, text)?,
                    text => md::fill(self.build, &format!("$$\n{text}\n$$"))?,
                },
                Shown::Text(text) => {
                    let text = uncoloured(text);
                    let text = terminal_text(&text);
                    if !text.trim().is_empty() {
                        self.build.code_block("", text.trim_end())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn page(&mut self, text: &str) -> Result<()> {
        let mut page = html::Page::new(text);
        html::read(self.job, self.build, text, html::Syntax::Html, &mut page)
    }

    fn picture(&mut self, bytes: Vec<u8>, media_type: Option<&str>) -> Result<()> {
        let resource = self.build.resource(bytes, "", media_type)?;
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

/// The source of a cell, in which the names of attachments are replaced by their content. Each attachment is inserted
/// at most twice, because every copy takes memory.
fn with_attachments(cell: &Cell) -> Cow<'_, str> {
    let mut source = Cow::Borrowed(&*cell.source.0);
    for (name, files) in cell.attachments.iter().flatten() {
        let Some((media_type, letters)) = files.iter().next() else {
            continue;
        };
        let letters = letters.0.split_ascii_whitespace().collect::<String>();
        for name in [name.clone(), name.replace(' ', "%20")] {
            let name = format!("attachment:{name}");
            if source.contains(&name) {
                let data = format!("data:{media_type};base64,{letters}");
                source = source.replacen(&name, &data, 2).into();
                break;
            }
        }
    }
    source
}

/// Removes escape sequences, such as those that colour text in a terminal, or set links and titles (ECMA-48, 5.4 and
/// 5.6).
fn uncoloured(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = match part.chars().next() {
            Some('[') => part[1..]
                .find(|c: char| ('@'..='~').contains(&c))
                .map_or(part.len(), |end| end + 2),
            // The sequence ends with BEL, or with ST, whose escape character begins the next part.
            Some(']') => part.find('\u{7}').map_or(part.len(), |end| end + 1),
            Some('(' | ')') => part.char_indices().nth(2).map_or(part.len(), |(at, _)| at),
            Some(other) => other.len_utf8(),
            None => 0,
        };
        out.push_str(part.get(end..).unwrap_or_default());
    }
    out
}

/// Returns the text as a terminal shows it: after a carriage return, text overwrites the line, and after a backspace,
/// the previous character.
fn terminal_text(text: &str) -> Cow<'_, str> {
    if !text.contains(['\r', '\u{8}']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.replace("\r\n", "\n").split_inclusive('\n') {
        let mut shown: Vec<char> = Vec::new();
        let mut at = 0_usize;
        for c in line.chars() {
            match c {
                '\r' => at = 0,
                '\u{8}' => at = at.saturating_sub(1),
                '\n' => shown.push(c),
                c if at < shown.len() => {
                    shown[at] = c;
                    at += 1;
                }
                c => {
                    shown.push(c);
                    at += 1;
                }
            }
        }
        out.extend(shown);
    }
    out.into()
}

/// The visitor for the top-level object, and for a worksheet. It reads the cells and worksheets, and skips all other
/// fields.
struct Notebook<'r, 'b, 'j>(&'r mut NotebookReader<'b, 'j>);

impl<'de> Visitor<'de> for Notebook<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a notebook")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            match &*key {
                "cells" => map.next_value_seed(Cells(self.0))?,
                "worksheets" => map.next_value_seed(Worksheets(self.0))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The worksheets of a notebook, which held the cells before version 4.
struct Worksheets<'r, 'b, 'j>(&'r mut NotebookReader<'b, 'j>);

impl<'de> DeserializeSeed<'de> for Worksheets<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Worksheets<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of worksheets")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> std::result::Result<(), A::Error> {
        while all.next_element_seed(Notebook(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Notebook<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

struct Cells<'r, 'b, 'j>(&'r mut NotebookReader<'b, 'j>);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_that_of_a_terminal() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(terminal_text(&uncoloured(text)), expected, "{text:?}");
        }
        check("a\r\nb\n", "a\nb\n");
        check(" 0%|  |\r50%|# |\r99%|##|\ndone", "99%|##|\ndone");
        check("long line\rnew", "newg line");
        check("ab\u{8}c", "ac");
        check("\u{1b}[31mred\u{1b}[0m", "red");
        check(
            "\u{1b}]8;;https://example.org\u{7}link\u{1b}]8;;\u{7}",
            "link",
        );
        check("\u{1b}[", "");
    }
}
