//! State of an OpenDocument text that is being written: the current part, automatic styles, and pictures. Writes no
//! text.

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
    // Source and target.
    pub(super) context: Context<'a>,
    /// Part that is being written.
    pub(super) xml: Writer,
    /// Automatic styles of this part.
    pub(super) automatic: Automatic,
    /// Names of the picture files, by resource.
    pictures: BTreeMap<usize, String>,
    /// Formulas, each of which becomes an embedded object.
    pub(super) formulas: Vec<String>,
    pub(super) frames: Frames,
    /// Number of tables so far.
    pub(super) tables: usize,
    /// Lists around the current position.
    pub(super) lists: OpenLists,
    /// Lists around each open table.
    pub(super) around_tables: Vec<OpenLists>,
    /// Position in `xml` where the content of each open cell begins.
    pub(super) cells: Vec<usize>,
    /// For each open span, whether it has an element.
    pub(super) spans: Vec<bool>,
    /// Master page that the next paragraph begins.
    pub(super) master_pending: Option<Master>,
    /// Whether a section with several columns is open.
    pub(super) in_columns: bool,
    /// Number of sections with several columns so far.
    pub(super) sections: usize,
    /// Whether a space at this position would be collapsed and therefore has to be written as an element.
    pub(super) space: bool,
}

/// A master page that a paragraph begins.
#[derive(Debug)]
pub(super) struct Master {
    pub(super) name: String,
    /// Number of the first page, if page numbers begin again.
    pub(super) number: Option<u32>,
}

/// Frames that are written, and the state while the text of a frame is written.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Number of frames so far.
    pub(super) count: usize,
    /// Finished frames that wait for a paragraph.
    pub(super) waiting: Vec<String>,
    /// State outside of the open frame: the text before it, whether a page break is pending, and the pending master
    /// page.
    pub(super) around: Option<(Writer, bool, Option<Master>)>,
}

/// Lists around a position.
#[derive(Debug, Default)]
pub(super) struct OpenLists {
    /// The lists, outermost first.
    pub(super) all: Vec<OpenList>,
    /// Whether they are closed in the file, because of a block that cannot be in a list.
    pub(super) is_closed: bool,
}

/// A list that is being written.
#[derive(Debug)]
pub(super) struct OpenList {
    /// Name of the list style.
    pub(super) style: String,
    /// Number of the first item, if the list is numbered.
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
            in_columns: false,
            sections: 0,
            space: true,
        }
    }

    /// Returns the file name of an embedded picture, which [`Self::write_pictures`] adds to the archive.
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
                // Pictures in these formats are not compressed yet.
                Some("bmp" | "emf" | "wmf" | "svg") => Packing::Deflated,
                _ => Packing::Stored,
            };
            archive.add(name, bytes, packing)?;
        }
        Ok(())
    }

    /// Returns `META-INF/manifest.xml`, which lists all files with their media types (part 2, 4).
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

/// Folder of an embedded object.
pub(super) fn object(number: usize) -> String {
    format!("Object {}", number + 1)
}
