//! Pictures on a sheet (OpenDocument 1.3, part 3, 10.4): in a cell, from whose corner they count, or anywhere on the sheet. A chart or
//! another object has a picture beside it that replaces it. Decodes none.

use super::lengths::points;
use crate::{
    containers::{xml::Node, zip::Archive},
    document::tree::Builder,
    error::Result,
    spreadsheet::{
        cells::reference,
        shown::book::{Anchor, Extent, Placed},
    },
};

/// The longest text that stands for a picture, in characters.
const MAX_WORDS: usize = 1024;

/// A picture before its file is read.
pub(super) struct Frame {
    at: Anchor,
    extent: Extent,
    file: String,
    words: Box<str>,
}

impl Frame {
    /// Reads a `draw:frame`. `None` if there is no picture in it.
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        let length = |name: &str| points(&node.attribute(name)?).filter(|size| size.is_finite());
        let image = node
            .children
            .iter()
            .find(|child| child.element.name == "image")?;
        let words = ["desc", "title"].into_iter().find_map(|name| {
            let child = node
                .children
                .iter()
                .find(|child| child.element.name == name)?;
            (!child.text.trim().is_empty()).then(|| child.text.chars().take(MAX_WORDS).collect())
        });
        let end = node.attribute("end-cell-address").and_then(|address| {
            let (column, row) = reference(address.rsplit_once('.')?.1)?;
            Some(Anchor {
                row,
                column,
                x: length("end-x").unwrap_or(0.0),
                y: length("end-y").unwrap_or(0.0),
            })
        });
        let size = || Some(Extent::Size(length("width")?, length("height")?));
        Some(Self {
            at: Anchor {
                x: length("x").unwrap_or(0.0),
                y: length("y").unwrap_or(0.0),
                ..Anchor::default()
            },
            // How large it is counts, and not where it ends: rows may have other heights here.
            extent: size().or(end.map(Extent::To))?,
            file: image.attribute("href")?.trim_start_matches("./").to_owned(),
            words: words.unwrap_or_default(),
        })
    }

    /// The same in a cell.
    pub(super) fn in_cell(mut self, row: u32, column: u32) -> Self {
        (self.at.row, self.at.column) = (row, column);
        self
    }

    /// Reads its file. `None` if it is not there, or longer than `most` bytes. `held` is the memory in use.
    pub(super) fn place(
        self,
        archive: &mut Archive<'_>,
        build: &mut Builder<'_>,
        held: &mut u64,
        most: u64,
    ) -> Result<Option<Placed>> {
        let entry = archive.entry(&self.file).filter(|entry| entry.size <= most);
        let Some(size) = entry.map(|entry| entry.size) else {
            return Ok(None);
        };
        *held += 2 * size;
        build.own_memory(*held)?;
        let bytes = archive.read(&self.file)?;
        let name = self.file.rsplit('/').next().unwrap_or_default();
        Ok(Some(Placed {
            from: self.at,
            extent: self.extent,
            picture: build.resource(bytes, name, None)?,
            alternative: self.words,
        }))
    }
}
