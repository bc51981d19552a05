//! What is known while a document is written: its styles, what was counted, what was lost. Writes no text itself.

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
    /// Headings count themselves; whether a period ends their numbers.
    pub(super) outline: Option<bool>,
    /// The parts with pictures that have been written, with their names.
    pictures: BTreeMap<usize, String>,
    /// Formulas, each an object of its own.
    pub(super) formulas: Vec<String>,
    /// Names of places that links lead to.
    pub(super) targets: HashSet<&'a str>,
    /// The numbers of notes, in the order in which they are referred to.
    pub(super) notes: HashMap<usize, usize>,
    pub(super) frames: usize,
    pub(super) tables: usize,
    /// What stands where the text is being written.
    pub(super) place: Place,
    /// The lists that are open, outermost first.
    pub(super) open: Vec<OpenList>,
    /// These lists were left for something that cannot stand in them, and are not open in the file.
    pub(super) left: bool,
    /// The next paragraph begins a page, or pages of this kind.
    pub(super) break_pending: bool,
    pub(super) master_pending: Option<String>,
    /// A box to tick that stands in front of the next paragraph.
    pub(super) task_pending: Option<bool>,
    /// White space that comes next has to be written as an element.
    pub(super) space: bool,
    /// The width of the text, for pictures and tables that are as wide as it.
    pub(super) text_width: Length,
    growth: Growth,
}

/// A list that is being written.
#[derive(Clone, Debug)]
pub(super) struct OpenList {
    /// Its number among those that are written.
    pub(super) number: u32,
    /// The name of its style.
    pub(super) style: String,
}

/// What a paragraph stands in.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// What its style is, if it has none of its own.
    pub(super) within: Option<Use>,
    /// Where lines stand in a cell.
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
            text_width: Length::inches(6.5),
            growth: Growth::default(),
        }
    }

    /// Reserves memory for what is being written, as it grows.
    pub(super) fn grow(&mut self, xml: &Writer) -> Result<()> {
        self.growth
            .to(self.job, self.document, 4 * xml.len() as u64)
    }

    /// The name of an embedded picture. None if it is not shown.
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

    /// `META-INF/manifest.xml`: what each part is (part 2, 4).
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

/// The name of an object.
pub(super) fn object(number: usize) -> String {
    format!("Object {}", number + 1)
}
