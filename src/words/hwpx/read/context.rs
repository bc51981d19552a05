//! State of the reader that is not in the story: the package, properties and pages. Reads no paragraphs.

use super::{super::SECTION, NAMESPACES, header::Header, pages::Pages};
use crate::{
    containers::{odf::Package, xml::Reader},
    error::Result,
    job::{Input, Job},
};
use convertd_office::wordprocessing::{self as office, Story};
use convertd_tree::{Colour, PictureSource, losses::Loss};
use std::collections::HashMap;

pub(super) static DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep was left out.",
    many: "{} parts that are nested more than 64 levels deep were left out.",
};

/// Name of the part that lists all parts (Open Packaging Format).
const PACKAGE: &str = "Contents/content.hpf";

/// Name of the part that states which parts are encrypted (OpenDocument, part 2).
const MANIFEST: &str = "META-INF/manifest.xml";

/// Maximum number of sections.
const MAX_SECTIONS: usize = 4000;

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    package: Package<'a>,
    /// Names of parts, by the identifiers that texts use for them.
    items: HashMap<Box<str>, Box<str>>,
    /// Names of the parts in the spine (the reading order of the package).
    spine: Vec<Box<str>>,
    pub(super) header: Header,
    pub(super) pages: Pages,
    /// Whether the position is inside of text that a tracked change deleted.
    pub(super) deleting: bool,
    /// Colour of the marker pen at the position.
    pub(super) pen: Option<Colour>,
    /// Number of inline drawings so far.
    pub(super) letters: i64,
    /// Number of texts and objects around the position.
    pub(super) depth: usize,
}

impl<'a> Context<'a> {
    /// Opens the package.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        Ok(Self {
            job,
            package: Package::open(job, input)?,
            items: HashMap::new(),
            spine: Vec::new(),
            header: Header::default(),
            pages: Pages::default(),
            deleting: false,
            pen: None,
            letters: 0,
            depth: 0,
        })
    }

    /// Returns whether the document is encrypted. Parts are encrypted one by one, as in OpenDocument.
    pub(super) fn is_encrypted(&mut self, story: &mut Story<'_>) -> Result<bool> {
        let manifest = self.part(story, MANIFEST)?;
        Ok(manifest.is_some_and(|text| text.contains("encryption-data")))
    }

    /// Reads the list of parts and the metadata in it. Without this list, parts have their default names.
    pub(super) fn read_package(&mut self, story: &mut Story<'_>) -> Result<()> {
        let Some(text) = self.part(story, PACKAGE)? else {
            return Ok(());
        };
        let mut xml = Reader::new(self.job, &text, NAMESPACES);
        xml.root()?;
        while let Some(outer) = xml.next_element(1)? {
            while let Some(element) = xml.next_element(2)? {
                let own = |name| element.attribute(name).unwrap_or_default();
                match (outer.name, element.name) {
                    ("metadata", name) => {
                        let name = match name {
                            "meta" => own("name"),
                            name => name.into(),
                        };
                        let value = xml.text()?;
                        add_metadata(story, &name, value.trim());
                    }
                    ("manifest", "item") => {
                        self.items.insert(own("id").into(), own("href").into());
                    }
                    ("spine", "itemref") => {
                        self.spine.extend(self.items.get(&*own("idref")).cloned());
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Names of the parts with text, in the order of the document: those in the spine, or else those with numbers from
    /// 0.
    pub(super) fn sections(&self) -> Vec<Box<str>> {
        let listed = self.spine.iter().filter(|name| name.starts_with(SECTION));
        let mut listed: Vec<Box<str>> = listed.take(MAX_SECTIONS).cloned().collect();
        let mut seen = std::collections::HashSet::new();
        listed.retain(|name| self.package.size(name).is_some() && seen.insert(name.clone()));
        if listed.is_empty() {
            let names = (0..MAX_SECTIONS).map(|number| format!("{SECTION}{number}.xml"));
            let existing = names.take_while(|name| self.package.size(name).is_some());
            listed.extend(existing.map(Into::into));
        }
        listed
    }

    /// Reads the text of a part. `None` if there is no such part. The memory of the text stays reserved until the end
    /// of the document.
    pub(super) fn part(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        // Twice the size: for the conversion from UTF-16, and for indexes of the part.
        story.hold(size.saturating_mul(2))?;
        self.package.text(name).map(Some)
    }

    /// Name of the part with this identifier. Some programs state it relative to the folder `Contents`.
    fn item(&self, id: &str) -> Option<Box<str>> {
        let name = self.items.get(id)?;
        let beside = format!("Contents/{name}");
        let exists = |name: &str| self.package.size(name).is_some();
        match () {
            () if exists(name) => Some(name.clone()),
            () if exists(&beside) => Some(beside.into()),
            () => None,
        }
    }

    /// Reads the bytes of the part with this identifier. The caller must drop them soon, because their memory is not
    /// reserved.
    pub(super) fn bytes(&mut self, story: &mut Story<'_>, id: &str) -> Result<Option<Vec<u8>>> {
        let Some((name, size)) = self
            .item(id)
            .and_then(|name| Some((name.clone(), self.package.size(&name)?)))
        else {
            return Ok(None);
        };
        story.make_room(size)?;
        let bytes = self.package.bytes(&name)?;
        story.make_room(0)?;
        Ok(Some(bytes))
    }

    /// Returns the picture with this identifier. `None` if it is not in the file.
    pub(super) fn picture(
        &mut self,
        story: &mut Story<'_>,
        id: &str,
    ) -> Result<Option<PictureSource>> {
        if let Some(known) = story.known_picture(id) {
            return Ok(known);
        }
        let bytes = self.bytes(story, id)?;
        story.add_picture(id, bytes)
    }
}

fn add_metadata(story: &mut Story<'_>, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    let metadata = &mut story.build.metadata;
    let own = Some(value.to_owned());
    match name {
        "title" => metadata.title = own,
        "language" => metadata.language = own,
        "creator" => office::add_authors(metadata, value),
        "subject" => metadata.subject = own,
        "description" => metadata.description = own,
        "keyword" => office::add_keywords(metadata, value),
        "CreatedDate" => metadata.date = own,
        _ => {}
    }
}
