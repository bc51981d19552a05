//! Writes the parts around the slides: content types, the list of slides, and pictures (ECMA-376 part 1, 13 and
//! 19.2).

use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    error::Result,
};
use convertd_office::wordprocessing::write::Relationships;
use convertd_tree::{
    Document, ResourceId,
    losses::{Loss, Losses},
    media,
};
use std::collections::BTreeMap;

/// Identifier of the table style: the default of PowerPoint, which is built into every program.
pub(super) const TABLE_STYLE: &str = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}";

/// Media types of pictures that PowerPoint can show. SVG pictures are accompanied by a PNG.
pub(in crate::formats::pptx) const PICTURES: [&str; 6] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/tiff",
    "image/emf",
    "image/wmf",
];

static FOREIGN_PICTURES: Loss = Loss {
    one: "A picture was replaced by its alternative text: PowerPoint cannot show its format.",
    many: "{} pictures were replaced by their alternative texts: PowerPoint cannot show their formats.",
};

/// Prefix of the content types of presentations.
const PRESENTATION: &str = "application/vnd.openxmlformats-officedocument.presentationml.";

/// Begins a part with its root element, which declares the namespaces.
pub(super) fn part(element: &'static str) -> Writer {
    let mut xml = Writer::new();
    xml.start(element);
    for (name, space) in [
        (
            "xmlns:a",
            "http://schemas.openxmlformats.org/drawingml/2006/main",
        ),
        (
            "xmlns:r",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        ),
        (
            "xmlns:p",
            "http://schemas.openxmlformats.org/presentationml/2006/main",
        ),
    ] {
        xml.attribute(name, space);
    }
    xml
}

/// Writes `[Content_Types].xml`: the types of pictures by file extension, and the types of all other parts by name.
/// `slides` states for each slide whether it has notes.
pub(super) fn content_types(slides: &[bool], layouts: usize, document: &Document) -> String {
    let has_notes = slides.contains(&true);
    let mut xml = Writer::new();
    xml.start("Types").attribute(
        "xmlns",
        "http://schemas.openxmlformats.org/package/2006/content-types",
    );
    let mut defaults = BTreeMap::from([
        (
            "rels",
            "application/vnd.openxmlformats-package.relationships+xml",
        ),
        ("xml", "application/xml"),
    ]);
    for resource in document.resources() {
        if let Some((_, kind)) = resource.as_one_of(&PICTURES) {
            defaults.insert(media::extension(kind), kind);
        }
    }
    for (extension, kind) in defaults {
        xml.start("Default")
            .attribute("Extension", extension)
            .attribute("ContentType", kind)
            .end();
    }
    let mut part = |name: &str, kind: &str| {
        xml.start("Override")
            .attribute("PartName", name)
            .attribute("ContentType", kind)
            .end();
    };
    part(
        "/docProps/core.xml",
        "application/vnd.openxmlformats-package.core-properties+xml",
    );
    let mut own = |name: &str, kind: &str| {
        part(
            &format!("/ppt/{name}.xml"),
            &format!("{PRESENTATION}{kind}+xml"),
        );
    };
    own("presentation", "presentation.main");
    own("tableStyles", "tableStyles");
    own("slideMasters/slideMaster1", "slideMaster");
    for layout in 1..=layouts {
        own(&format!("slideLayouts/slideLayout{layout}"), "slideLayout");
    }
    for (number, has_notes) in (1..).zip(slides) {
        own(&format!("slides/slide{number}"), "slide");
        if *has_notes {
            own(&format!("notesSlides/notesSlide{number}"), "notesSlide");
        }
    }
    if has_notes {
        own("notesMasters/notesMaster1", "notesMaster");
    }
    for theme in 1..=1 + u32::from(has_notes) {
        part(
            &format!("/ppt/theme/theme{theme}.xml"),
            "application/vnd.openxmlformats-officedocument.theme+xml",
        );
    }
    xml.finish()
}

/// Writes `ppt/presentation.xml` and its relationships. `size` is the width and height of the slides.
pub(super) fn presentation(
    slides: usize,
    size: (i64, i64),
    has_notes: bool,
) -> (String, Relationships) {
    let mut relationships = Relationships::default();
    let mut xml = part("p:presentation");
    let master = relationships.add("slideMaster", "slideMasters/slideMaster1.xml", false);
    // Identifiers of masters and layouts are at least 2³¹; identifiers of slides are at least 256 (19.7.8 and
    // 19.7.13).
    xml.start("p:sldMasterIdLst")
        .start("p:sldMasterId")
        .number("id", 2_147_483_648_i64)
        .attribute("r:id", master)
        .end()
        .end();
    if has_notes {
        let notes = relationships.add("notesMaster", "notesMasters/notesMaster1.xml", false);
        xml.start("p:notesMasterIdLst")
            .start("p:notesMasterId")
            .attribute("r:id", notes)
            .end()
            .end();
    }
    xml.start("p:sldIdLst");
    for number in 0..slides {
        let target = format!("slides/slide{}.xml", number + 1);
        let slide = relationships.add("slide", &target, false);
        xml.start("p:sldId")
            .number("id", 256 + number as i64)
            .attribute("r:id", slide)
            .end();
    }
    xml.end();
    xml.start("p:sldSz")
        .number("cx", size.0)
        .number("cy", size.1)
        .end();
    xml.start("p:notesSz")
        .number("cx", 6_858_000)
        .number("cy", 9_144_000)
        .end();
    relationships.add("theme", "theme/theme1.xml", false);
    relationships.add("tableStyles", "tableStyles.xml", false);
    (xml.finish(), relationships)
}

/// Returns the relationships of a part of the template: a master, a layout or the notes master. Other parts have none.
/// `layouts` is the number of layouts.
pub(super) fn fixed(name: &str, layouts: usize) -> Relationships {
    let mut relationships = Relationships::default();
    match name.split('/').next() {
        Some("slideMasters") => {
            for layout in 1..=layouts {
                let target = format!("../slideLayouts/slideLayout{layout}.xml");
                relationships.add("slideLayout", &target, false);
            }
            relationships.add("theme", "../theme/theme1.xml", false);
        }
        Some("slideLayouts") => {
            relationships.add("slideMaster", "../slideMasters/slideMaster1.xml", false);
        }
        Some("notesMasters") => {
            relationships.add("theme", "../theme/theme2.xml", false);
        }
        _ => {}
    }
    relationships
}

/// Writes `ppt/tableStyles.xml`, which names the default table style. It contains no definitions, because programs
/// have the built-in styles.
pub(super) fn table_styles() -> String {
    let mut xml = Writer::new();
    xml.start("a:tblStyleLst")
        .attribute(
            "xmlns:a",
            "http://schemas.openxmlformats.org/drawingml/2006/main",
        )
        .attribute("def", TABLE_STYLE);
    xml.finish()
}

/// Pictures of a presentation.
pub(super) struct Media<'d> {
    document: &'d Document,
    /// Part names of the pictures in use, by their numbers.
    used: BTreeMap<usize, String>,
    pub(super) losses: Losses,
}

impl<'d> Media<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self {
            document,
            used: BTreeMap::new(),
            losses: Losses::default(),
        }
    }

    /// Returns the name of a picture's part in the folder `ppt/media`. `None` if PowerPoint cannot show the picture.
    pub(super) fn name(&mut self, id: ResourceId) -> Option<String> {
        let Some((_, kind)) = self.document.resource(id).as_one_of(&PICTURES) else {
            self.losses.add(&FOREIGN_PICTURES);
            return None;
        };
        let number = id.index();
        let name = format!("image{}.{}", number + 1, media::extension(kind));
        self.used.insert(number, name.clone());
        Some(name)
    }

    /// Adds the pictures to the archive.
    pub(super) fn write(&self, archive: &mut zip::Writer<'_>) -> Result<()> {
        for (number, name) in &self.used {
            let resource = &self.document.resources()[*number];
            let Some((bytes, kind)) = resource.as_one_of(&PICTURES) else {
                continue;
            };
            let packing = Packing::of_picture(kind);
            archive.add(&format!("ppt/media/{name}"), bytes, packing)?;
        }
        Ok(())
    }
}
