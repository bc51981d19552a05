//! The state of an OpenDocument text that is being written: the part, automatic styles, pictures. Writes no content
//! itself.

use super::automatic::Automatic;
use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    error::Result,
    job::Job,
};
use convertd_office::wordprocessing::write::Context;
use convertd_tree::{Document, ResourceId, media};
use std::collections::BTreeMap;

/// A document that is being written.
pub(super) struct Odt<'a> {
    pub(super) context: Context<'a>,
    /// The part that is being written.
    pub(super) xml: Writer,
    pub(super) automatic: Automatic,
    /// The names of the picture files, by resource.
    pictures: BTreeMap<usize, String>,
    /// The formulas, each of which becomes an embedded object.
    pub(super) formulas: Vec<String>,
    pub(super) frames: Frames,
    pub(super) tables: usize,
    /// The lists around the current position.
    pub(super) lists: OpenLists,
    /// The lists around each table that is open.
    pub(super) around_tables: Vec<OpenLists>,
    /// Start of the content of each open cell.
    pub(super) cells: Vec<usize>,
    /// For each span that is open, whether it has an element.
    pub(super) spans: Vec<bool>,
    /// The master page that the next paragraph begins.
    pub(super) master_pending: Option<String>,
    /// Whether a space at this position would be collapsed, so that it has to be written as an element.
    pub(super) space: bool,
}

/// Frames that are written, and the state that is kept while the text of one is written.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Number of frames so far.
    pub(super) count: usize,
    /// Frames that wait for a paragraph.
    pub(super) waiting: Vec<String>,
    /// Text that was written before the open frame, and whether a page break and a master page were still to come.
    pub(super) around: Option<(Writer, bool, Option<String>)>,
}

/// The lists around a position.
#[derive(Debug, Default)]
pub(super) struct OpenLists {
    /// The lists, the outermost first.
    pub(super) all: Vec<OpenList>,
    /// Whether they have been closed in the file, for a block that cannot be in a list.
    pub(super) left: bool,
}

/// A list that is being written.
#[derive(Debug)]
pub(super) struct OpenList {
    /// The name of its list style.
    pub(super) style: String,
    /// The number of its first item, if it is numbered.
    pub(super) start: Option<u32>,
}

impl<'a> Odt<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            context: Context::new(job, document),
            xml: Writer::fragment(),
            automatic: Automatic::default(),
            pictures: BTreeMap::new(),
            formulas: Vec::new(),
            frames: Frames::default(),
            tables: 0,
            lists: OpenLists::default(),
            around_tables: Vec::new(),
            cells: Vec::new(),
            spans: Vec::new(),
            master_pending: None,
            space: true,
        }
    }

    /// The file name of an embedded picture.
    pub(super) fn file(&mut self, id: ResourceId) -> String {
        let kind = &self.context.document.resource(id).media_type;
        let name = format!(
            "Pictures/image{}.{}",
            id.index() + 1,
            media::extension(kind)
        );
        self.pictures.entry(id.index()).or_insert(name).clone()
    }

    /// Adds the pictures to the archive.
    pub(super) fn write_pictures(&self, archive: &mut zip::Writer<'_>) -> Result<()> {
        for (index, name) in &self.pictures {
            let bytes = &self.context.document.resources()[*index].bytes;
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
            entry(name, &self.context.document.resources()[*index].media_type);
        }
        xml.finish()
    }
}

/// The folder of an embedded object.
pub(super) fn object(number: usize) -> String {
    format!("Object {}", number + 1)
}
