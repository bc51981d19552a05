//! WordprocessingML 2003 ("Word 2003 XML Document"), by the schemas that Microsoft published with Word 2003. It is the
//! predecessor of the docx format: the same elements with another namespace and spelling ([`names`]).
//!
//! Content that packages store in separate parts is embedded where it is used: notes in their runs, headers in their
//! sections, pictures in Base64 next to their shapes, and addresses in their links. All of these are moved to the parts
//! in which the reader of packages expects them. Revisions are `aml:annotation` elements around the text, and become
//! the elements of DOCX. The module only translates; the package is read elsewhere.

use super::names;
use crate::{
    coding::base64,
    containers::{
        xml::{self, Element, Namespaces, Piece, Reader},
        zip::{self, Packing},
    },
    error::Result,
};
use std::{collections::HashMap, mem};

/// Namespace of the documents' elements.
pub(super) const NAMESPACE: &str = "http://schemas.microsoft.com/office/word/2003/wordml";

/// Namespaces in the files, with the prefixes under which they are read.
pub(super) const NAMESPACES: Namespaces = &[
    (NAMESPACE, "w"),
    ("http://schemas.microsoft.com/aml/2001/core", "aml"),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("urn:schemas-microsoft-com:office:office", "o"),
    ("urn:schemas-microsoft-com:office:word", "w10"),
];

/// Prefixes and namespaces of the parts that are written.
const DECLARED: [(&str, &str); 5] = [
    (
        "xmlns:w",
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    ("xmlns:r", RELATIONSHIPS),
    ("xmlns:v", "urn:schemas-microsoft-com:vml"),
    ("xmlns:o", "urn:schemas-microsoft-com:office:office"),
    ("xmlns:w10", "urn:schemas-microsoft-com:office:word"),
];

/// Beginning of the addresses of relationship types.
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Adds the parts of the document to a package. `xml` has entered its root.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is malformed.
pub(super) fn pack(mut xml: Reader<'_>, zip: &mut zip::Writer<'_>) -> Result<()> {
    let mut word = Word {
        zip,
        pictures: HashMap::new(),
        relationships: Relationships::default(),
        notes: [Notes::new("w:footnotes"), Notes::new("w:endnotes")],
        margins: 0,
        in_note: false,
    };
    let mut fonts = Vec::new();
    let mut package = Relationships::default();
    while let Some(element) = xml.next_element(1)? {
        match (element.space, element.name) {
            ("o", "DocumentProperties") => {
                let name = "docProps/core.xml";
                word.add(name, &properties(&mut xml)?)?;
                package.add("metadata/core-properties", name, false);
            }
            ("w", "fonts") => fonts = default_fonts(&mut xml)?,
            ("w", "lists") => word.part(&mut xml, "numbering", "w:numbering", &[])?,
            ("w", "styles") => word.part(&mut xml, "styles", "w:styles", &fonts)?,
            ("w", "docPr") => word.part(&mut xml, "settings", "w:settings", &[])?,
            ("w", "body") => {
                let mut out = root("w:document");
                out.start("w:body");
                word.content(&mut xml, &mut out)?;
                word.add("word/document.xml", &out.finish())?;
            }
            _ => {}
        }
    }
    word.finish(package)
}

/// Document that is being written as a package.
struct Word<'z, 'o> {
    /// Archive to which parts are added.
    zip: &'z mut zip::Writer<'o>,
    /// Names of picture parts by the names of the pictures in the file.
    pictures: HashMap<String, String>,
    /// Relationships of the part that is being written.
    relationships: Relationships,
    /// Footnotes and endnotes.
    notes: [Notes; 2],
    /// Number of headers and footers so far.
    margins: usize,
    /// Whether the content of a note is being written.
    in_note: bool,
}

/// Part that contains footnotes or endnotes.
struct Notes {
    /// Notes so far.
    out: xml::Writer,
    /// Relationships of the notes.
    relationships: Relationships,
    /// Number of notes so far.
    count: u32,
}

impl Notes {
    /// Creates a part without notes. `name` is its root element.
    fn new(name: &'static str) -> Self {
        Self {
            out: root(name),
            relationships: Relationships::default(),
            count: 0,
        }
    }
}

impl Word<'_, '_> {
    /// Adds an XML part to the package.
    fn add(&mut self, name: &str, text: &str) -> Result<()> {
        self.zip.add(name, text.as_bytes(), Packing::Stored)
    }

    /// Writes the innermost open element as a part, with a relationship of type `kind` in the main part. Default
    /// `fonts` precede its content.
    fn part(
        &mut self,
        xml: &mut Reader<'_>,
        kind: &str,
        name: &'static str,
        fonts: &[(String, String)],
    ) -> Result<()> {
        let mut out = root(name);
        if !fonts.is_empty() {
            out.start("w:docDefaults").start("w:rPrDefault");
            out.start("w:rPr").start("w:rFonts");
            for (name, value) in fonts {
                out.attribute(name, value);
            }
            out.end().end().end().end();
        }
        self.content(xml, &mut out)?;
        self.add(&format!("word/{kind}.xml"), &out.finish())?;
        self.relationships.add(kind, &format!("{kind}.xml"), false);
        Ok(())
    }

    /// Writes the notes and all relationships.
    fn finish(mut self, mut package: Relationships) -> Result<()> {
        package.add("officeDocument", "word/document.xml", false);
        let notes = mem::replace(
            &mut self.notes,
            [Notes::new("w:footnotes"), Notes::new("w:endnotes")],
        );
        for (notes, name) in notes.into_iter().zip(["footnotes", "endnotes"]) {
            if notes.count > 0 {
                self.add(&format!("word/{name}.xml"), &notes.out.finish())?;
                let relationships_part = notes.relationships.finish();
                self.add(&format!("word/_rels/{name}.xml.rels"), &relationships_part)?;
                self.relationships.add(name, &format!("{name}.xml"), false);
            }
        }
        let own = mem::take(&mut self.relationships).finish();
        self.add("word/_rels/document.xml.rels", &own)?;
        self.add("_rels/.rels", &package.finish())
    }

    /// Translates the content of the innermost open element.
    fn content(&mut self, xml: &mut Reader<'_>, out: &mut xml::Writer) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            self.element(xml, &element, out)?;
        }
        Ok(())
    }

    /// Translates an element to Office Open XML. Most elements have the same name and content, and are copied.
    fn element(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        out: &mut xml::Writer,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("aml", "annotation") => self.annotation(xml, element, out),
            // Spaces are always significant in WordprocessingML 2003, but in DOCX only with `xml:space`.
            ("w", "t" | "instrText") => {
                copy(element, out);
                out.attribute("xml:space", "preserve");
                let level = xml.level();
                while let Some(piece) = xml.next(level)? {
                    if let Piece::Text(text) = piece {
                        out.text(&text);
                    }
                }
                out.end();
                Ok(())
            }
            ("w", "hlink") => self.link(xml, element, out),
            ("w", "footnote") => self.note(xml, 0, out),
            ("w", "endnote") => self.note(xml, 1, out),
            ("w", "hdr" | "ftr") => self.margin(xml, element, out),
            ("w", "binData") => self.binary(xml, element),
            ("v", "imagedata") => {
                copy(element, out);
                if let Some(source) = element.attribute("src") {
                    let id = self.picture(&source);
                    out.attribute("r:id", id);
                }
                out.end();
                Ok(())
            }
            // Deleted text, data of fields, properties of notes, and context-free chunks are left out.
            ("w", "delText" | "fldData" | "footnotePr" | "endnotePr" | "cfChunk") => Ok(()),
            ("w" | "v" | "o" | "w10", _) => {
                copy(element, out);
                self.content(xml, out)?;
                out.end();
                Ok(())
            }
            // Elements of other schemas, such as Word's hints (`wx:sect`), enclose the document's elements: only their
            // content is translated.
            _ => self.content(xml, out),
        }
    }

    /// Translates an annotation (`aml:annotation`), such as a revision.
    fn annotation(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        out: &mut xml::Writer,
    ) -> Result<()> {
        match &*element.attribute("type").unwrap_or_default() {
            "Word.Insertion" => {
                out.start("w:ins");
                self.content(xml, out)?;
                out.end();
            }
            // Deleted text is left out. The element shows that there was a deletion.
            "Word.Deletion" => {
                out.start("w:del").end();
            }
            "Word.Bookmark.Start" => {
                let name = element.attribute("name").unwrap_or_default();
                out.start("w:bookmarkStart").attribute("w:name", name).end();
            }
            "Word.Comment" => {
                out.start("w:commentReference").end();
            }
            // Former formatting, and the ends of annotations, are left out.
            _ => {}
        }
        Ok(())
    }

    /// Translates a link. Its address becomes a relationship, as Office Open XML requires.
    fn link(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        out: &mut xml::Writer,
    ) -> Result<()> {
        out.start("w:hyperlink");
        if let Some(address) = element.attribute("dest").filter(|to| !to.is_empty()) {
            let id = self.relationships.add("hyperlink", &address, true);
            out.attribute("r:id", id);
        }
        for (name, written) in [("bookmark", "w:anchor"), ("screenTip", "w:tooltip")] {
            if let Some(value) = element.attribute(name) {
                out.attribute(written, value);
            }
        }
        self.content(xml, out)?;
        out.end();
        Ok(())
    }

    /// Translates a footnote (`kind` 0) or an endnote (1), which is the innermost open element. It is moved to the part
    /// of notes, and a reference is written.
    fn note(&mut self, xml: &mut Reader<'_>, kind: usize, out: &mut xml::Writer) -> Result<()> {
        // Notes cannot contain notes, so a nested note is left out.
        if mem::replace(&mut self.in_note, true) {
            return Ok(());
        }
        let (name, reference) = match kind {
            0 => ("w:footnote", "w:footnoteReference"),
            _ => ("w:endnote", "w:endnoteReference"),
        };
        let mut notes = mem::replace(&mut self.notes[kind], Notes::new("w:notes"));
        // Relationships of a note belong to the part of notes.
        mem::swap(&mut self.relationships, &mut notes.relationships);
        notes.count += 1;
        let id = notes.count.to_string();
        notes.out.start(name).attribute("w:id", &id);
        self.content(xml, &mut notes.out)?;
        notes.out.end();
        mem::swap(&mut self.relationships, &mut notes.relationships);
        self.notes[kind] = notes;
        self.in_note = false;
        out.start(reference).attribute("w:id", id).end();
        Ok(())
    }

    /// Moves a header or footer to a part of its own, and writes a reference.
    fn margin(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        out: &mut xml::Writer,
    ) -> Result<()> {
        let (kind, reference) = match element.name {
            "hdr" => ("header", "w:headerReference"),
            _ => ("footer", "w:footerReference"),
        };
        self.margins += 1;
        let name = format!("{kind}{}.xml", self.margins);
        let around = mem::take(&mut self.relationships);
        let mut part = root(if kind == "header" { "w:hdr" } else { "w:ftr" });
        self.content(xml, &mut part)?;
        let own = mem::replace(&mut self.relationships, around);
        self.add(&format!("word/{name}"), &part.finish())?;
        self.add(&format!("word/_rels/{name}.rels"), &own.finish())?;
        let id = self.relationships.add(kind, &name, false);
        let pages = element.attribute("type");
        let pages = match pages.as_deref() {
            Some("first") => "first",
            Some("even") => "even",
            _ => "default",
        };
        out.start(reference).attribute("w:type", pages);
        out.attribute("r:id", id).end();
        Ok(())
    }

    /// Adds a part for a picture that is embedded in the file. Damaged pictures are treated as missing.
    fn binary(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let name = element.attribute("name").unwrap_or_default();
        if let Some(bytes) = base64::decode(xml.text()?)
            && !self.pictures.contains_key(&*name)
        {
            let part = format!("media/{}", self.pictures.len());
            self.zip
                .add(&format!("word/{part}"), &bytes, Packing::Stored)?;
            self.pictures.insert(name.into_owned(), part);
        }
        Ok(())
    }

    /// Adds a relationship to a picture, and returns its identifier. Pictures that are not embedded are external.
    fn picture(&mut self, source: &str) -> String {
        match self.pictures.get(source) {
            Some(part) => self.relationships.add("image", part, false),
            None => self.relationships.add("image", source, true),
        }
    }
}

/// Relationships of a part.
#[derive(Default)]
struct Relationships {
    /// The relationships as XML. `None` while there are no relationships.
    out: Option<xml::Writer>,
    /// Number of relationships so far.
    count: u32,
}

impl Relationships {
    /// Adds a relationship, and returns its identifier.
    fn add(&mut self, kind: &str, target: &str, external: bool) -> String {
        self.count += 1;
        let id = format!("rId{}", self.count);
        let out = self.out.get_or_insert_with(begun);
        out.start("Relationship").attribute("Id", &id);
        out.attribute("Type", format!("{RELATIONSHIPS}/{kind}"));
        out.attribute("Target", target);
        if external {
            out.attribute("TargetMode", "External");
        }
        out.end();
        id
    }

    /// Returns the part that contains the relationships, as XML.
    fn finish(self) -> String {
        self.out.unwrap_or_else(begun).finish()
    }
}

/// Begins a part that contains relationships.
fn begun() -> xml::Writer {
    let mut out = xml::Writer::new();
    out.start("Relationships").attribute(
        "xmlns",
        "http://schemas.openxmlformats.org/package/2006/relationships",
    );
    out
}

/// Begins a part with this root, and declares its namespaces.
fn root(name: &'static str) -> xml::Writer {
    let mut out = xml::Writer::new();
    out.start(name);
    for (name, namespace) in DECLARED {
        out.attribute(name, namespace);
    }
    out
}

/// Opens an element under its name in Office Open XML, and adds its attributes.
fn copy(element: &Element<'_>, out: &mut xml::Writer) {
    let is_word = element.space == "w";
    let name = match is_word {
        true => names::element(element.name),
        false => element.name.into(),
    };
    out.start(format!("{}:{name}", element.space));
    for (name, value) in element.attributes() {
        match name {
            // Identifiers of editing sessions, and shapes in an unsupported format, are left out.
            "rsidR" | "rsidRDefault" | "rsidP" | "rsidRPr" | "gfxdata" => {}
            _ if is_word => {
                let value = names::value(element.name, name, &value);
                out.attribute(&names::attribute(name), value);
            }
            _ => {
                out.attribute(name, value);
            }
        }
    }
}

/// Returns the core properties from `o:DocumentProperties`, which is the innermost open element.
fn properties(xml: &mut Reader<'_>) -> Result<String> {
    let mut out = xml::Writer::new();
    out.start("cp:coreProperties");
    while let Some(element) = xml.next_element(2)? {
        let name = match element.name {
            "Title" => "dc:title",
            "Subject" => "dc:subject",
            "Author" => "dc:creator",
            "Keywords" => "cp:keywords",
            "Description" => "dc:description",
            "Created" => "dcterms:created",
            _ => continue,
        };
        out.leaf(name, &xml.text()?);
    }
    Ok(out.finish())
}

/// Returns the default fonts from `w:fonts`, which is the innermost open element.
fn default_fonts(xml: &mut Reader<'_>) -> Result<Vec<(String, String)>> {
    while let Some(element) = xml.next_element(2)? {
        if element.name == "defaultFonts" {
            let all = element.attributes();
            let all =
                all.map(|(name, value)| (names::attribute(name).into_owned(), value.into_owned()));
            return Ok(all.collect());
        }
    }
    Ok(Vec::new())
}
