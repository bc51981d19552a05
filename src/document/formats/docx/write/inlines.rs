//! Writes inline content: runs, hyperlinks, pictures and note references (ECMA-376 part 1, 17.3.2 and 17.3.3). Writes no
//! paragraphs.

use super::{
    context::{Context, bookmark},
    properties::Run,
};
use crate::{
    containers::xml::Writer,
    document::{
        math,
        office::{self, losses},
        tree::{Field, Inline, Length, Link, NoteId, NoteKind, Picture, PictureSource},
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes inlines with these run properties.
    pub(super) fn inlines(
        &mut self,
        xml: &mut Writer,
        content: &'a [Inline],
        run: &Run,
    ) -> Result<()> {
        for inline in content {
            self.inline(xml, inline, run)?;
        }
        Ok(())
    }

    fn inline(&mut self, xml: &mut Writer, inline: &'a Inline, run: &Run) -> Result<()> {
        match inline {
            Inline::Text(words) => text(xml, run, words),
            Inline::Marked(mark, content) => {
                let mut inner = run.clone();
                inner.marks.push(*mark);
                self.inlines(xml, content, &inner)?;
            }
            Inline::Span(style, content) => {
                let mut inner = run.clone();
                inner.text = office::over(&run.text, self.document.text_style(*style));
                self.inlines(xml, content, &inner)?;
            }
            Inline::Code(code) => {
                let inner = Run {
                    code: true,
                    ..run.clone()
                };
                text(xml, &inner, code);
            }
            Inline::Link(link) => self.link(xml, link, run)?,
            Inline::Picture(picture) => self.show(xml, picture, run),
            Inline::Note(note) => self.reference(xml, *note),
            Inline::LineBreak => {
                xml.raw("<w:r><w:br/></w:r>");
            }
            Inline::SoftBreak => text(xml, run, " "),
            Inline::Math(formula) => {
                if !math::omml::write(xml, &formula.tex, formula.display) {
                    self.losses.add(&math::AS_TEXT);
                    text(xml, run, &formula.tex);
                }
            }
            Inline::Bookmark(name) => {
                let id = self.open_bookmark(xml, name);
                xml.start("w:bookmarkEnd").number("w:id", id).end();
            }
            Inline::Field(field) => {
                let instruction = match field {
                    Field::Page => "PAGE",
                    Field::Pages => "NUMPAGES",
                };
                xml.start("w:fldSimple").attribute("w:instr", instruction);
                text(xml, run, "1");
                xml.end();
            }
            Inline::RawHtml(_) => {}
        }
        Ok(())
    }

    fn link(&mut self, xml: &mut Writer, link: &'a Link, run: &Run) -> Result<()> {
        let inner = Run {
            link: true,
            ..run.clone()
        };
        xml.start("w:hyperlink");
        match link.bookmark() {
            Some(name) => {
                xml.attribute("w:anchor", bookmark(name));
            }
            None => {
                let id = self.relationships.add("hyperlink", &link.target, true);
                xml.attribute("r:id", id);
            }
        }
        if !link.title.is_empty() {
            xml.attribute("w:tooltip", &link.title);
        }
        self.inlines(xml, &link.content, &inner)?;
        xml.end();
        Ok(())
    }

    fn reference(&mut self, xml: &mut Writer, note: NoteId) {
        let next = self.notes.len() + 1;
        let number = *self.notes.entry(note.index()).or_insert(next);
        let (style, element) = match self.document.note(note).kind {
            NoteKind::Footnote => ("FootnoteReference", "w:footnoteReference"),
            NoteKind::Endnote => ("EndnoteReference", "w:endnoteReference"),
        };
        xml.start("w:r").start("w:rPr");
        xml.start("w:rStyle").attribute("w:val", style).end().end();
        xml.start(element).number("w:id", number as i64).end().end();
    }

    /// Opens a bookmark and returns the identifier that closes it.
    pub(super) fn open_bookmark(&mut self, xml: &mut Writer, name: &str) -> u32 {
        let id = self.id();
        xml.start("w:bookmarkStart")
            .number("w:id", id)
            .attribute("w:name", bookmark(name))
            .end();
        id
    }

    fn show(&mut self, xml: &mut Writer, picture: &'a Picture, run: &Run) {
        let words = match &*picture.alternative {
            "" => "[picture]",
            words => words,
        };
        if let Some(address) = Self::address(&picture.source) {
            self.losses.add(&losses::ADDRESSES);
            let id = self.relationships.add("hyperlink", address, true);
            let inner = Run {
                link: true,
                ..run.clone()
            };
            // Hyperlinks cannot be nested.
            if !run.link {
                xml.start("w:hyperlink").attribute("r:id", id);
            }
            text(xml, &inner, words);
            if !run.link {
                xml.end();
            }
            return;
        }
        let PictureSource::Resource(resource) = &picture.source else {
            return;
        };
        let Some(files) = self.picture(*resource) else {
            text(xml, run, words);
            return;
        };
        let resource = self.document.resource(*resource);
        let bytes = resource.pixels.as_ref().unwrap_or(&resource.bytes);
        let extent = office::extent(picture, bytes, self.text_width);
        let id = self.id();
        drawing(xml, picture, &files, id, extent);
    }
}

/// Writes a run of text. Tabs are elements of their own in it.
pub(super) fn text(xml: &mut Writer, run: &Run, text: &str) {
    if text.is_empty() {
        return;
    }
    xml.start("w:r");
    run.write(xml);
    for (number, piece) in text.split('\t').enumerate() {
        if number > 0 {
            xml.start("w:tab").end();
        }
        if !piece.is_empty() {
            xml.start("w:t");
            if piece.starts_with(char::is_whitespace)
                || piece.ends_with(char::is_whitespace)
                || piece.contains("  ")
            {
                xml.attribute("xml:space", "preserve");
            }
            xml.text(piece).end();
        }
    }
    xml.end();
}

/// Writes an inline picture (20.4.2.8).
fn drawing(
    xml: &mut Writer,
    picture: &Picture,
    (shown, vectors): &(String, Option<String>),
    id: u32,
    (width, height): (Length, Length),
) {
    let extent = |xml: &mut Writer, name: &'static str| {
        xml.start(name)
            .number("cx", width.to_emu().max(1))
            .number("cy", height.to_emu().max(1))
            .end();
    };
    let name = format!("Picture {id}");
    xml.start("w:r").start("w:drawing").start("wp:inline");
    // Without these, LibreOffice leaves a gap on either side.
    for side in ["distT", "distB", "distL", "distR"] {
        xml.number(side, 0);
    }
    extent(xml, "wp:extent");
    xml.start("wp:docPr")
        .number("id", id)
        .attribute("name", &name);
    if !picture.alternative.is_empty() {
        xml.attribute("descr", &picture.alternative);
    }
    if !picture.title.is_empty() {
        xml.attribute("title", &picture.title);
    }
    xml.end();
    const MAIN: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
    const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";
    xml.start("a:graphic").attribute("xmlns:a", MAIN);
    xml.start("a:graphicData").attribute("uri", PICTURE);
    xml.start("pic:pic").attribute("xmlns:pic", PICTURE);
    xml.start("pic:nvPicPr");
    xml.start("pic:cNvPr")
        .number("id", id)
        .attribute("name", &name)
        .end();
    xml.start("pic:cNvPicPr").end().end();
    xml.start("pic:blipFill");
    xml.start("a:blip").attribute("r:embed", shown);
    if let Some(vectors) = vectors {
        // MS-ODRAWXML, 2.3.2.3: programs that know it draw it instead of the pixels.
        xml.start("a:extLst").start("a:ext");
        xml.attribute("uri", "{96DAC541-7B7A-43D3-8B79-37D633B846F1}");
        xml.start("asvg:svgBlip");
        xml.attribute(
            "xmlns:asvg",
            "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
        );
        xml.attribute("r:embed", vectors).end().end().end();
    }
    xml.end();
    xml.start("a:stretch").start("a:fillRect").end().end().end();
    xml.start("pic:spPr").start("a:xfrm");
    xml.start("a:off").number("x", 0).number("y", 0).end();
    extent(xml, "a:ext");
    xml.end();
    xml.start("a:prstGeom")
        .attribute("prst", "rect")
        .start("a:avLst")
        .end()
        .end();
    for _ in 0..7 {
        xml.end();
    }
}
