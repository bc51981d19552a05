//! Reads the smaller parts: footnotes and endnotes (ECMA-376 part 1, 17.11), document settings (17.15), and core properties
//! (part 2, 8.3). Reads no paragraphs itself.

use super::{
    super::NAMESPACES,
    context::{Context, Story},
    properties::on,
};
use crate::{
    containers::xml::Reader,
    document::{
        office,
        tree::{Builder, Node, NoteKind},
    },
    error::Result,
};

impl Context<'_> {
    /// Reads the notes that the main text refers to.
    pub(super) fn read_notes(
        &mut self,
        build: &mut Builder<'_>,
        part: &str,
        text: &str,
    ) -> Result<()> {
        self.relationships = self.package.relationships(part)?;
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            let kind = match element.name {
                "footnote" => NoteKind::Footnote,
                "endnote" => NoteKind::Endnote,
                _ => continue,
            };
            let id = element.attribute("id").and_then(|id| id.parse().ok());
            // If an identifier occurs twice, the first note wins.
            if let Some(id) = id.and_then(|id| self.notes.remove(&(kind, id))) {
                build.open(Node::NoteBody(id))?;
                let story = Story {
                    note: true,
                    ..Story::new()
                };
                self.story(build, &mut xml, story)?;
                build.close()?;
            }
        }
        Ok(())
    }

    /// Reads the settings that affect the layout, such as whether the spaces between paragraphs add up, as they did before
    /// Word followed HTML (17.15.3.21).
    pub(super) fn read_settings(&mut self, build: &mut Builder<'_>, text: &str) -> Result<()> {
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            match (element.space, element.name) {
                ("w", "evenAndOddHeaders") => self.even_and_odd = on(&element),
                ("w", "compat") => {
                    while let Some(element) = xml.next_element(2)? {
                        if element.name == "doNotUseHTMLParagraphAutoSpacing" {
                            build.spaces_overlap = !on(&element);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the core properties into the metadata.
    pub(super) fn read_properties(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let parts = self.package.relationships("")?;
        let Some(name) = parts.part("core-properties") else {
            return Ok(());
        };
        let Some(text) = self.part(build, name)? else {
            return Ok(());
        };
        office::read_core_properties(self.job, &text, &mut build.metadata)
    }

    /// Collects the names of all bookmarks that links and fields in this part refer to, so that other bookmarks can be
    /// dropped. A plain text search is enough: a false match only keeps a bookmark that nothing refers to.
    pub(super) fn find_targets(&mut self, text: &str) {
        for (before, end) in [("w:anchor=\"", '"'), ("HYPERLINK \\l ", '<'), ("REF ", '<')] {
            let mut rest = text;
            while let Some(at) = memchr::memmem::find(rest.as_bytes(), before.as_bytes()) {
                rest = &rest[at + before.len()..];
                let name = &rest[..rest.floor_char_boundary(100)];
                let name = name.split(end).next().unwrap_or_default();
                let name = name
                    .trim_start_matches(['"', ' '])
                    .trim_start_matches("&quot;");
                let name = name.split(['"', ' ', '&', '\\']).next().unwrap_or_default();
                if !name.is_empty() && name.len() <= 80 && self.targets.len() < 100_000 {
                    self.targets.insert(name.into());
                }
            }
        }
    }
}
