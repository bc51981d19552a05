//! State of a Word document that is being written: the current part, its relationships, and the pictures. Writes no
//! paragraphs.

use super::{super::PICTURES, properties::Run};
use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    error::Result,
    job::Job,
};
use convertd_office::wordprocessing::write::{Context, Relationships};
use convertd_tree::{Document, ResourceId, losses::Loss, media};
use std::collections::BTreeMap;

pub(super) static FOREIGN_PICTURES: Loss = Loss {
    one: "A picture was replaced by its alternative text: Word cannot show its format.",
    many: "{} pictures were replaced by their alternative texts: Word cannot show their formats.",
};

/// A document that is being written.
pub(super) struct Docx<'a> {
    pub(super) context: Context<'a>,
    /// Part that is being written.
    pub(super) xml: Writer,
    /// Relationships of this part.
    pub(super) relationships: Relationships,
    /// Run properties: those of the current text come last, after those of the text around it.
    pub(super) runs: Vec<Run>,
    /// Image parts, by resource. The flag is true for the SVG drawing of a picture.
    pub(super) media: BTreeMap<(usize, bool), ImagePart<'a>>,
    /// Next identifier. Bookmarks and drawings share one sequence.
    next_id: u32,
    /// Reference mark for the beginning of the next paragraph, in a note.
    pub(super) note_mark: Option<String>,
    /// Whether the current cell, note, header, footer or section does not end with a paragraph so far.
    pub(super) lacks_paragraph: bool,
    /// Properties of the section that the next paragraph ends.
    pub(super) section_pending: Option<String>,
}

/// Image part.
pub(super) struct ImagePart<'a> {
    name: String,
    bytes: &'a [u8],
    pub(super) media_type: &'a str,
}

impl<'a> Docx<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            context: Context::new(job, document),
            xml: super::part("w:document"),
            relationships: Relationships::default(),
            runs: Vec::new(),
            media: BTreeMap::new(),
            next_id: 1,
            note_mark: None,
            lacks_paragraph: true,
            section_pending: None,
        }
    }

    /// Returns an identifier that is unique in the document.
    pub(super) fn id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Run properties of the current text.
    pub(super) fn run(&self) -> Run {
        self.runs.last().cloned().unwrap_or_default()
    }

    /// Returns the relationship identifiers of an embedded picture: one for a file that every program can show, and one
    /// for the SVG drawing from which that file was rendered, if any. `None` if Word cannot show its format.
    pub(super) fn files(&mut self, id: ResourceId) -> Option<(String, Option<String>)> {
        let resource = self.context.document.resource(id);
        let Some((bytes, media_type)) = resource.as_one_of(&PICTURES) else {
            self.context.losses.add(&FOREIGN_PICTURES);
            return None;
        };
        let shown = self.part(id, bytes, media_type, false);
        let own = &*resource.media_type;
        let drawing = (own == "image/svg+xml").then(|| self.part(id, &resource.bytes, own, true));
        Some((shown, drawing))
    }

    /// Adds a picture as a part, and returns the identifier of its relationship.
    fn part(
        &mut self,
        id: ResourceId,
        bytes: &'a [u8],
        media_type: &'a str,
        drawing: bool,
    ) -> String {
        let extension = media::extension(media_type);
        let name = format!("media/image{}.{extension}", id.index() + 1);
        let identifier = self.relationships.add("image", &name, false);
        let part = ImagePart {
            name,
            bytes,
            media_type,
        };
        self.media.insert((id.index(), drawing), part);
        identifier
    }

    /// Adds the image parts to the archive.
    pub(super) fn write_media(&self, archive: &mut zip::Writer<'_>) -> Result<()> {
        for part in self.media.values() {
            let packing = Packing::of_picture(part.media_type);
            archive.add(&format!("word/{}", part.name), part.bytes, packing)?;
        }
        Ok(())
    }
}

/// Converts a name to a bookmark name that Word accepts: at most 40 characters, only letters, digits, `_`, `-` and `.`.
/// A changed name gets a hash of the original at its end, so that it stays unique.
pub(super) fn bookmark(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') {
                c
            } else {
                '_'
            }
        })
        .collect();
    if clean.chars().count() <= 40 && clean == name {
        return clean;
    }
    let hash = crc32fast::hash(name.as_bytes());
    let head: String = clean.chars().take(31).collect();
    format!("{head}_{hash:08x}")
}
