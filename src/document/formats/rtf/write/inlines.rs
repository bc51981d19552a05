//! Writes inline content: text, links, notes and pictures. Writes no paragraphs.

use super::{
    context::{Context, DRAWN, FOREIGN, Place, escape},
    header::CODE,
    look,
};
use crate::{
    document::{
        math,
        office::{self, Use, losses},
        tree::{Field, Inline, Link, NoteId, NoteKind, ParagraphStyleId, Picture, PictureSource},
    },
    error::Result,
};
use std::fmt::Write as _;

impl<'a> Context<'a> {
    /// Writes inlines.
    pub(super) fn inlines(&mut self, content: &'a [Inline]) -> Result<()> {
        for inline in content {
            self.inline(inline)?;
        }
        Ok(())
    }

    fn inline(&mut self, inline: &'a Inline) -> Result<()> {
        match inline {
            Inline::Text(words) => self.text(words),
            Inline::Marked(mark, content) => {
                self.out.push('{');
                self.word(look::mark(*mark));
                self.out.push(' ');
                self.inlines(content)?;
                self.out.push('}');
            }
            Inline::Span(style, content) => {
                self.out.push('{');
                self.text_look(self.document.text_style(*style));
                self.out.push(' ');
                self.inlines(content)?;
                self.out.push('}');
            }
            Inline::Code(code) => {
                write!(self.out, "{{\\cs{CODE}\\f1 ").unwrap_or_default();
                self.text(code);
                self.out.push('}');
            }
            Inline::Link(link) => self.link(link)?,
            Inline::Picture(picture) => self.show(picture)?,
            Inline::Note(note) => self.note(*note)?,
            Inline::LineBreak => self.out.push_str("\\line "),
            Inline::SoftBreak => self.out.push(' '),
            Inline::Math(formula) => {
                self.losses.add(&math::AS_TEXT);
                self.text(&formula.tex);
            }
            Inline::Bookmark(name) => self.bookmark(name),
            Inline::Field(field) => {
                let instruction = match field {
                    Field::Page => "PAGE",
                    Field::Pages => "NUMPAGES",
                };
                write!(
                    self.out,
                    "{{\\field{{\\*\\fldinst {instruction}}}{{\\fldrslt 1}}}}"
                )
                .unwrap_or_default();
            }
            Inline::RawHtml(_) => {}
        }
        Ok(())
    }

    /// Writes a bookmark, if a link points to it.
    pub(super) fn bookmark(&mut self, name: &str) {
        for word in ["bkmkstart", "bkmkend"] {
            write!(self.out, "{{\\*\\{word} ").unwrap_or_default();
            self.text(name);
            self.out.push('}');
        }
    }

    /// Begins a link. Its text follows, and [`end_link`](Self::end_link) ends it.
    pub(super) fn begin_link(&mut self, target: &str) {
        self.out.push_str("{\\field{\\*\\fldinst HYPERLINK ");
        let (switch, target) = match target.strip_prefix('#') {
            Some(name) => ("\\\\l ", name),
            None => ("", target),
        };
        self.out.push_str(switch);
        self.out.push('"');
        // A quotation mark would end the URL.
        escape(&mut self.out, &target.replace('"', "%22"));
        self.out.push_str("\"}{\\fldrslt{\\ul\\cf1 ");
    }

    pub(super) fn end_link(&mut self) {
        self.out.push_str("}}}");
    }

    fn link(&mut self, link: &'a Link) -> Result<()> {
        self.begin_link(&link.target);
        self.inlines(&link.content)?;
        self.end_link();
        Ok(())
    }

    fn note(&mut self, id: NoteId) -> Result<()> {
        let document = self.document;
        let note = document.note(id);
        let (word, place) = match note.kind {
            NoteKind::Footnote => ("", Use::Footnote),
            NoteKind::Endnote => ("\\ftnalt", Use::Endnote),
        };
        write!(self.out, "{{\\super\\chftn}}{{\\footnote{word}").unwrap_or_default();
        let around = std::mem::replace(
            &mut self.place,
            Place {
                within: Some(place),
                ..Place::default()
            },
        );
        let open = std::mem::take(&mut self.open);
        self.note_mark = true;
        self.blocks(&note.blocks)?;
        if self.note_mark {
            self.begin_paragraph(place, ParagraphStyleId::default(), true);
        }
        self.place = around;
        self.open = open;
        self.out.push('}');
        Ok(())
    }

    fn show(&mut self, picture: &'a Picture) -> Result<()> {
        let words = match &*picture.alternative {
            "" => "[picture]",
            words => words,
        };
        let id = match &picture.source {
            PictureSource::Resource(id) => *id,
            PictureSource::Address(address) => {
                self.losses.add(&losses::ADDRESSES);
                self.begin_link(address);
                self.text(words);
                self.end_link();
                return Ok(());
            }
        };
        let resource = self.document.resource(id);
        let Some((bytes, media_type)) = resource.as_one_of(&super::super::PICTURES) else {
            self.losses.add(&FOREIGN);
            self.text(words);
            return Ok(());
        };
        if &*resource.media_type == "image/svg+xml" {
            self.losses.add(&DRAWN);
        }
        let (width, height) = office::extent(picture, bytes, self.text_width);
        // Of a metafile, the hundredths of a millimetre are stated as well; without them readers take it for a point.
        let (across, down) = (width.to_points() * 35.28, height.to_points() * 35.28);
        let extent = format!("\\picw{across:.0}\\pich{down:.0}");
        let (kind, bytes) = match media_type {
            "image/jpeg" => ("jpegblip".to_owned(), bytes),
            "image/emf" => (format!("emfblip{extent}"), bytes),
            // The header that says where on a page the metafile goes is for files of their own.
            "image/wmf" => (
                format!("wmetafile8{extent}"),
                match bytes.starts_with(b"\xd7\xcd\xc6\x9a") {
                    true => bytes.get(22..).unwrap_or_default(),
                    false => bytes,
                },
            ),
            _ => ("pngblip".to_owned(), bytes),
        };
        self.out.push_str("{\\*\\shppict{\\pict");
        if !picture.alternative.is_empty() {
            self.out
                .push_str("{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv ");
            escape(&mut self.out, &picture.alternative);
            self.out.push_str("}}}");
        }
        writeln!(
            self.out,
            "\\{kind}\\picwgoal{}\\pichgoal{}",
            width.to_twips().max(1),
            height.to_twips().max(1)
        )
        .unwrap_or_default();
        for line in bytes.chunks(64) {
            self.grow()?;
            for byte in line {
                write!(self.out, "{byte:02x}").unwrap_or_default();
            }
            self.out.push('\n');
        }
        self.out.push_str("}}");
        Ok(())
    }
}
