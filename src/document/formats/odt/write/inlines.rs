//! Writes inline content: text, spans, links, pictures and notes (part 3, 6). Writes no paragraphs.

use super::{
    automatic::Kind,
    context::{Context, Place, object},
    properties::{self, points},
    styles::CODE,
};
use crate::{
    containers::xml::Writer,
    document::{
        math::{self, mathml},
        office::{self, Use, losses},
        tree::{Field, Inline, Length, Link, NoteId, NoteKind, Picture, PictureSource, TextStyle},
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes inlines.
    pub(super) fn inlines(&mut self, xml: &mut Writer, content: &'a [Inline]) -> Result<()> {
        for inline in content {
            self.inline(xml, inline)?;
        }
        Ok(())
    }

    fn inline(&mut self, xml: &mut Writer, inline: &'a Inline) -> Result<()> {
        match inline {
            Inline::Text(words) => self.plain_text(xml, words),
            Inline::Marked(mark, content) => {
                let properties = properties::text(&TextStyle::default(), Some(*mark));
                self.span(xml, &properties, content)?;
            }
            Inline::Span(style, content) => {
                let style = self.document.text_style(*style);
                self.span(xml, &properties::text(style, None), content)?;
            }
            Inline::Code(code) => {
                xml.start("text:span").attribute("text:style-name", CODE);
                self.plain_text(xml, code);
                xml.end();
            }
            Inline::Link(link) => self.link(xml, link)?,
            Inline::Picture(picture) => self.show(xml, picture),
            Inline::Note(note) => self.note(xml, *note)?,
            Inline::LineBreak => {
                xml.start("text:line-break").end();
                self.space = true;
            }
            Inline::SoftBreak => self.plain_text(xml, " "),
            Inline::Math(formula) => self.formula(xml, &formula.tex, formula.display),
            Inline::Bookmark(name) => self.bookmark(xml, name),
            Inline::Field(field) => {
                match field {
                    Field::Page => xml
                        .start("text:page-number")
                        .attribute("text:select-page", "current"),
                    Field::Pages => xml.start("text:page-count"),
                };
                xml.text("1").end();
                self.space = false;
            }
            Inline::RawHtml(_) => {}
        }
        Ok(())
    }

    /// Writes text. Leading and repeated spaces become elements, because readers collapse white space (6.1.3).
    pub(super) fn plain_text(&mut self, xml: &mut Writer, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('\t') {
                xml.start("text:tab").end();
                self.space = false;
                rest = after;
            } else if rest.starts_with(' ') && self.space {
                let spaces = rest.len() - rest.trim_start_matches(' ').len();
                xml.start("text:s").number("text:c", spaces as i64).end();
                self.space = false;
                rest = &rest[spaces..];
            } else {
                // Up to the next tab, or up to the second of two spaces.
                let tab = rest.find('\t').unwrap_or(rest.len());
                let end = rest[..tab].find("  ").map_or(tab, |at| at + 1);
                xml.text(&rest[..end]);
                self.space = rest[..end].ends_with(' ');
                rest = &rest[end..];
            }
        }
    }

    fn span(&mut self, xml: &mut Writer, properties: &str, content: &'a [Inline]) -> Result<()> {
        if properties.is_empty() {
            return self.inlines(xml, content);
        }
        let style = self.automatic.name(Kind::Text, &[], properties);
        xml.start("text:span").attribute("text:style-name", style);
        self.inlines(xml, content)?;
        xml.end();
        Ok(())
    }

    fn link(&mut self, xml: &mut Writer, link: &'a Link) -> Result<()> {
        self.linked = true;
        xml.start("text:a")
            .attribute("xlink:type", "simple")
            .attribute("xlink:href", office::uri_reference(&link.target));
        if !link.title.is_empty() {
            xml.attribute("office:title", &link.title);
        }
        xml.attribute("text:style-name", "Internet_20_link");
        self.inlines(xml, &link.content)?;
        xml.end();
        self.linked = false;
        Ok(())
    }

    /// Writes a bookmark, if a link points to it.
    pub(super) fn bookmark(&mut self, xml: &mut Writer, name: &str) {
        xml.start("text:bookmark")
            .attribute("text:name", name)
            .end();
    }

    fn note(&mut self, xml: &mut Writer, id: NoteId) -> Result<()> {
        self.space = false;
        let next = self.notes.len() + 1;
        let known = self.notes.contains_key(&id.index());
        let number = *self.notes.entry(id.index()).or_insert(next);
        let document = self.document;
        let note = document.note(id);
        let (class, place) = match note.kind {
            NoteKind::Footnote => ("footnote", Use::Footnote),
            NoteKind::Endnote => ("endnote", Use::Endnote),
        };
        let name = format!("ftn{number}");
        if known {
            xml.start("text:note-ref")
                .attribute("text:note-class", class)
                .attribute("text:ref-name", name)
                .attribute("text:reference-format", "text");
            xml.text(&number.to_string()).end();
            return Ok(());
        }
        xml.start("text:note")
            .attribute("text:id", name)
            .attribute("text:note-class", class);
        xml.leaf("text:note-citation", &number.to_string());
        xml.start("text:note-body");
        let place = Place {
            within: Some(place),
            ..Place::default()
        };
        let linked = std::mem::take(&mut self.linked);
        self.apart(xml, place, &note.blocks)?;
        self.linked = linked;
        xml.end().end();
        Ok(())
    }

    fn formula(&mut self, xml: &mut Writer, tex: &str, display: bool) {
        let mut formula = Writer::new();
        if !mathml::write(&mut formula, tex, display) {
            self.losses.add(&math::AS_TEXT);
            self.plain_text(xml, tex);
            return;
        }
        self.frame(xml, None);
        xml.start("draw:object")
            .attribute("xlink:href", format!("./{}", object(self.formulas.len())))
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad");
        xml.end().end();
        self.formulas.push(formula.finish());
    }

    /// Opens a frame that is anchored as a character.
    fn frame(&mut self, xml: &mut Writer, size: Option<(Length, Length)>) {
        self.space = false;
        self.frames += 1;
        xml.start("draw:frame")
            .attribute("draw:name", format!("Frame{}", self.frames))
            .attribute("text:anchor-type", "as-char");
        if let Some((width, height)) = size {
            let least = Length::points(1.0);
            xml.attribute("svg:width", points(width.max(least)))
                .attribute("svg:height", points(height.max(least)));
        }
    }

    fn show(&mut self, xml: &mut Writer, picture: &'a Picture) {
        let words = match &*picture.alternative {
            "" => "[picture]",
            words => words,
        };
        let id = match &picture.source {
            PictureSource::Resource(id) => *id,
            PictureSource::Address(address) => {
                self.losses.add(&losses::ADDRESSES);
                if self.linked {
                    // Links cannot be nested.
                    self.plain_text(xml, words);
                    return;
                }
                xml.start("text:a")
                    .attribute("xlink:type", "simple")
                    .attribute("xlink:href", office::uri_reference(address));
                self.plain_text(xml, words);
                xml.end();
                return;
            }
        };
        let Some(name) = self.picture(id) else {
            self.plain_text(xml, words);
            return;
        };
        let bytes = &self.document.resource(id).bytes;
        let size = office::extent(picture, bytes, self.text_width);
        self.frame(xml, Some(size));
        xml.start("draw:image")
            .attribute("xlink:href", name)
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad");
        xml.end();
        if !picture.title.is_empty() {
            xml.leaf("svg:title", &picture.title);
        }
        if !picture.alternative.is_empty() {
            xml.leaf("svg:desc", &picture.alternative);
        }
        xml.end();
    }
}
