//! The state of a document that is being written: styles, counters, and notes about what was lost. Writes no content
//! itself.

use super::{super::PICTURES, properties::Run, relationships::Relationships};
use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    document::{
        Loss, Losses, media,
        office::{self, Growth, Styles, Use, WrittenLists},
        options,
        tree::{Document, Length, PictureSource, ResourceId},
    },
    error::Result,
    job::Job,
};
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) static FOREIGN_PICTURES: Loss = Loss {
    one: "A picture was replaced by its alternative text: Word cannot show its format.",
    many: "{} pictures were replaced by their alternative texts: Word cannot show their formats.",
};

/// A document that is being written.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    pub(super) styles: Styles,
    pub(super) lists: WrittenLists,
    pub(super) losses: Losses,
    /// The relationships of the part that is being written.
    pub(super) relationships: Relationships,
    /// The image parts, by resource, with a drawing after the pixels of it.
    pub(super) media: BTreeMap<(usize, bool), Part<'a>>,
    /// The names of the bookmarks that links point to.
    pub(super) targets: HashSet<&'a str>,
    /// The next identifier. Bookmarks and drawings share one sequence.
    pub(super) next_id: u32,
    /// The identifiers of the notes, numbered by first reference.
    pub(super) notes: HashMap<usize, usize>,
    /// What encloses the current position.
    pub(super) place: Place,
    /// Whether the next paragraph has to begin a new page.
    pub(super) break_pending: bool,
    /// The reference mark that the next paragraph of a note begins with.
    pub(super) note_mark: Option<String>,
    /// The properties of the section that the next paragraph ends.
    pub(super) section_pending: Option<String>,
    /// The width of the text area, for pictures and tables that fill it.
    pub(super) text_width: Length,
    growth: Growth,
}

/// An image part.
pub(super) struct Part<'a> {
    name: String,
    bytes: &'a [u8],
    pub(super) media_type: &'a str,
}

/// What encloses a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The style of paragraphs that have none of their own.
    pub(super) within: Option<Use>,
    /// The list and level of the current item.
    pub(super) list: Option<(u32, usize)>,
    /// Whether the current item has its number.
    pub(super) numbered: bool,
    /// The number of enclosing lists.
    pub(super) depth: usize,
    /// The alignment of the enclosing table cell.
    pub(super) alignment: Option<crate::document::tree::Alignment>,
    pub(super) language: Option<Box<str>>,
    pub(super) right_to_left: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            job,
            document,
            styles: Styles::new(document),
            lists: WrittenLists::new(),
            losses: Losses::default(),
            relationships: Relationships::default(),
            media: BTreeMap::new(),
            targets: office::targets(document, job.options().flag(options::TOC.name)),
            next_id: 1,
            notes: HashMap::new(),
            place: Place::default(),
            break_pending: false,
            note_mark: None,
            section_pending: None,
            text_width: Length::inches(6.5),
            growth: Growth::default(),
        }
    }

    /// Reserves memory for the output as it grows.
    pub(super) fn grow(&mut self, xml: &Writer) -> Result<()> {
        self.growth
            .to(self.job, self.document, 2 * xml.len() as u64)
    }

    /// An identifier that is unique in the document.
    pub(super) fn id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The run properties of text without marks or styles of its own.
    pub(super) fn run(&self) -> Run {
        let mut run = Run::default();
        run.text.language.clone_from(&self.place.language);
        run
    }

    /// The relationship identifiers of an embedded picture: of the file that every program shows, or `None` if Word cannot
    /// show its format, and of the drawing (SVG) that it was made of.
    pub(super) fn picture(&mut self, id: ResourceId) -> Option<(String, Option<String>)> {
        let resource = self.document.resource(id);
        let Some((bytes, media_type)) = resource.as_one_of(&PICTURES) else {
            self.losses.add(&FOREIGN_PICTURES);
            return None;
        };
        let shown = self.part(id, bytes, media_type, false);
        let own = &*resource.media_type;
        let drawing = (own == "image/svg+xml").then(|| self.part(id, &resource.bytes, own, true));
        Some((shown, drawing))
    }

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
        let part = Part {
            name,
            bytes,
            media_type,
        };
        self.media.insert((id.index(), drawing), part);
        identifier
    }

    /// The address of a picture that is not in the document.
    pub(super) fn address(source: &PictureSource) -> Option<&str> {
        match source {
            PictureSource::Address(address) => Some(address),
            PictureSource::Resource(_) => None,
        }
    }

    /// Adds the image parts to the archive.
    pub(super) fn write_media(&self, archive: &mut zip::Writer<'_>) -> Result<()> {
        for part in self.media.values() {
            let packing = match part.media_type {
                "image/png" | "image/jpeg" | "image/gif" => Packing::Stored,
                _ => Packing::Deflated,
            };
            archive.add(&format!("word/{}", part.name), part.bytes, packing)?;
        }
        Ok(())
    }
}

/// A bookmark name that Word accepts: at most 40 characters, mostly letters and digits. Any other name is shortened and gets
/// a hash of the whole at its end, so that it stays unique.
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
