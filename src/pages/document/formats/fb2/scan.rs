//! A first pass over the book: the pictures, which come after the text that shows them, the sections that are notes,
//! and the names that links refer to. Builds no tree.

use crate::{
    coding::base64,
    containers::xml::{Element, Piece, Reader},
    error::Result,
};
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Pictures by name, with their media type and bytes.
    pub(super) pictures: HashMap<String, (String, Vec<u8>)>,
    /// Names of the sections that are notes.
    pub(super) notes: HashSet<String>,
    /// Names that links refer to.
    pub(super) targets: HashSet<String>,
    /// Number of pictures whose Base64 is damaged or empty.
    pub(super) damaged: usize,
}

impl Scan {
    /// Reads the whole file.
    ///
    /// Errors: those of [`Reader::next`].
    pub(super) fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut scan = Self::default();
        xml.root()?;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "binary" => scan.picture(xml, &element)?,
                "body" => scan.inside(xml, is_notes(&element))?,
                _ => scan.inside(xml, false)?,
            }
        }
        Ok(scan)
    }

    fn picture(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let Some(id) = element.attribute("id") else {
            return Ok(());
        };
        let media_type = element.attribute("content-type").unwrap_or_default();
        let (id, media_type) = (id.into_owned(), media_type.into_owned());
        match base64::decode(xml.text()?) {
            Some(bytes) if !bytes.is_empty() => {
                self.pictures.entry(id).or_insert((media_type, bytes));
            }
            _ => self.damaged += 1,
        }
        Ok(())
    }

    /// Collects link targets and the identifiers of notes in a first pass, because text refers to notes before they are
    /// defined.
    fn inside(&mut self, xml: &mut Reader<'_>, is_notes: bool) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            let Piece::Element(element) = piece else {
                continue;
            };
            if element.name == "a"
                && let Some(address) = element.attribute("href")
                && let Some(name) = address.strip_prefix('#')
            {
                self.targets.insert(name.to_owned());
            }
            if is_notes
                && element.name == "section"
                && let Some(id) = element.attribute("id")
            {
                self.notes.insert(id.into_owned());
            }
            self.inside(xml, is_notes)?;
        }
        Ok(())
    }
}

/// Returns whether a body contains notes, by its name.
pub(super) fn is_notes(body: &Element<'_>) -> bool {
    let name = body.attribute("name").unwrap_or_default();
    ["notes", "footnotes", "comments"].contains(&name.to_ascii_lowercase().trim())
}
