//! The state of a document that is being written: styles, counters, and notes about what was lost. Writes no content itself.

use super::automatic::Automatic;
use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    document::{
        Losses, media,
        office::{self, Growth, Styles, Use, WrittenLists},
        options,
        tree::{Alignment, Document, Length, ResourceId},
    },
    error::Result,
    job::Job,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A document that is being written.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    pub(super) styles: Styles,
    pub(super) automatic: Automatic,
    pub(super) lists: WrittenLists,
    pub(super) losses: Losses,
    /// Whether headings are numbered automatically, and whether a period ends the number.
    pub(super) outline: Option<bool>,
    /// The names of the picture files, by resource.
    pictures: BTreeMap<usize, String>,
    /// The formulas, each of which becomes an embedded object.
    pub(super) formulas: Vec<String>,
    /// The names of the bookmarks that links point to.
    pub(super) targets: HashSet<&'a str>,
    /// The numbers of the notes, by first reference.
    pub(super) notes: HashMap<usize, usize>,
    pub(super) frames: usize,
    pub(super) tables: usize,
    /// What encloses the current position.
    pub(super) place: Place,
    /// The open lists, the outermost first.
    pub(super) open: Vec<OpenList>,
    /// Whether the lists in `open` have been closed in the file, for a block that cannot be in a list.
    pub(super) left: bool,
    /// Whether a page break, or another master page, precedes the next paragraph.
    pub(super) break_pending: bool,
    pub(super) master_pending: Option<String>,
    /// The state of the check box that the next paragraph begins with.
    pub(super) task_pending: Option<bool>,
    /// Whether a space at this position would be collapsed, so that it has to be written as an element.
    pub(super) space: bool,
    /// Whether the current text is in a link.
    pub(super) linked: bool,
    /// The width of the text area, for pictures and tables that fill it.
    pub(super) text_width: Length,
    growth: Growth,
}

/// A list that is being written.
#[derive(Clone, Debug)]
pub(super) struct OpenList {
    /// The number of the list.
    pub(super) number: u32,
    /// The name of its list style.
    pub(super) style: String,
}

/// What encloses a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The style of paragraphs that have none of their own.
    pub(super) within: Option<Use>,
    /// The alignment of the enclosing table cell.
    pub(super) alignment: Option<Alignment>,
    pub(super) language: Option<Box<str>>,
    pub(super) right_to_left: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            job,
            document,
            styles: Styles::new(document),
            automatic: Automatic::default(),
            lists: WrittenLists::new(),
            losses: Losses::default(),
            outline: None,
            pictures: BTreeMap::new(),
            formulas: Vec::new(),
            targets: office::targets(document, job.options().flag(options::TOC.name)),
            notes: HashMap::new(),
            frames: 0,
            tables: 0,
            place: Place::default(),
            open: Vec::new(),
            left: false,
            break_pending: false,
            master_pending: None,
            task_pending: None,
            space: true,
            linked: false,
            text_width: Length::inches(6.5),
            growth: Growth::default(),
        }
    }

    /// Reserves memory for the output as it grows.
    pub(super) fn grow(&mut self, xml: &Writer) -> Result<()> {
        self.growth
            .to(self.job, self.document, 4 * xml.len() as u64)
    }

    /// The file name of an embedded picture, or `None` if its format is not supported.
    pub(super) fn picture(&mut self, id: ResourceId) -> Option<String> {
        let kind = &self.document.resource(id).media_type;
        let name = format!(
            "Pictures/image{}.{}",
            id.index() + 1,
            media::extension(kind)
        );
        Some(self.pictures.entry(id.index()).or_insert(name).clone())
    }

    /// Adds the pictures to the archive.
    pub(super) fn write_pictures(&self, archive: &mut zip::Writer<'_>) -> Result<()> {
        for (index, name) in &self.pictures {
            let bytes = &self.document.resources()[*index].bytes;
            let packing = match name.rsplit('.').next() {
                Some("bmp" | "emf" | "wmf" | "svg") => Packing::Deflated,
                _ => Packing::Stored,
            };
            archive.add(name, bytes, packing)?;
        }
        Ok(())
    }

    /// `META-INF/manifest.xml`, which lists all files with their media types (part 2, 4).
    pub(super) fn manifest(&self) -> String {
        let mut xml = Writer::new();
        xml.start("manifest:manifest")
            .attribute(
                "xmlns:manifest",
                "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
            )
            .attribute("manifest:version", "1.3");
        let mut entry = |path: &str, kind: &str| {
            xml.start("manifest:file-entry")
                .attribute("manifest:full-path", path);
            if path.ends_with('/') {
                xml.attribute("manifest:version", "1.3");
            }
            xml.attribute("manifest:media-type", kind).end();
        };
        entry("/", super::super::MEDIA_TYPE);
        for name in ["content.xml", "styles.xml", "meta.xml"] {
            entry(name, "text/xml");
        }
        for number in 0..self.formulas.len() {
            let name = object(number);
            entry(
                &format!("{name}/"),
                "application/vnd.oasis.opendocument.formula",
            );
            entry(&format!("{name}/content.xml"), "text/xml");
        }
        for (index, name) in &self.pictures {
            entry(name, &self.document.resources()[*index].media_type);
        }
        xml.finish()
    }
}

/// The folder of an embedded object.
pub(super) fn object(number: usize) -> String {
    format!("Object {}", number + 1)
}
