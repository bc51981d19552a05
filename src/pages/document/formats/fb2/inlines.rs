//! Text within a paragraph: marks, links, references to notes, and pictures. Reads no blocks.

use super::read::Book;
use crate::{
    containers::xml::{Element, Piece, Reader},
    error::Result,
};
use convertd_tree::{Mark, Node, NoteId, NoteKind, Picture, PictureSource, losses::Loss};

static PICTURES: Loss = Loss {
    one: "A picture that the book refers to is missing.",
    many: "{} pictures that the book refers to are missing.",
};

impl Book<'_> {
    /// Reads the content of the innermost open element.
    pub(super) fn inlines(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            match piece {
                Piece::Text(text) => self.build.text(&text)?,
                Piece::Element(element) => self.inline(xml, &element)?,
            }
        }
        Ok(())
    }

    /// Reads an inline element of FictionBook 2.1.
    fn inline(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let mark = match element.name {
            "strong" => Mark::Strong,
            "emphasis" => Mark::Emphasis,
            "strikethrough" => Mark::Strikethrough,
            "sub" => Mark::Subscript,
            "sup" => Mark::Superscript,
            "code" => {
                let text = xml.text()?;
                return self.build.code(text.replace(['\r', '\n'], " "));
            }
            "a" => return self.link(xml, element),
            "image" => return self.image(element),
            // Of other elements only the content is read. The file does not define the formatting of a named style.
            _ => return self.inlines(xml),
        };
        self.build.open(Node::Marked(mark))?;
        self.inlines(xml)?;
        self.build.close()
    }

    fn link(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let Some(target) = element.attribute("href") else {
            return self.inlines(xml);
        };
        let target = target.trim();
        let note = target.strip_prefix('#');
        if let Some(name) = note.filter(|name| !self.in_note && self.scan.notes.contains(*name)) {
            // The text of the reference is dropped, because the writer of the target format numbers the notes.
            let note = self.note(name)?;
            return self.build.note(note);
        }
        self.build.open(Node::Link {
            target: target.into(),
            title: "".into(),
        })?;
        self.inlines(xml)?;
        self.build.close()
    }

    /// Returns the number of the note with this name, and reserves one when the name occurs for the first time.
    pub(super) fn note(&mut self, name: &str) -> Result<NoteId> {
        if let Some(note) = self.notes.get(name) {
            return Ok(*note);
        }
        let note = self.build.reserve_note(NoteKind::Footnote)?;
        self.notes.insert(name.to_owned(), note);
        Ok(note)
    }

    /// Adds the picture that an `image` element refers to.
    pub(super) fn image(&mut self, element: &Element<'_>) -> Result<()> {
        let text = |name: &str| -> Box<str> {
            let text = element.attribute(name);
            text.as_deref().unwrap_or_default().into()
        };
        let address = text("href");
        let name = address.trim_start_matches('#');
        self.picture(name, text("alt"), text("title"))
    }

    /// Adds the picture with this name. A missing picture is recorded as a loss.
    pub(super) fn picture(
        &mut self,
        name: &str,
        alternative: Box<str>,
        title: Box<str>,
    ) -> Result<()> {
        let known = self.resources.get(name).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let Some((media_type, bytes)) = self.scan.pictures.remove(name) else {
                    self.build.lost(&PICTURES);
                    return Ok(());
                };
                let id = self.build.resource(bytes, name, Some(&media_type))?;
                self.resources.insert(name.to_owned(), id);
                id
            }
        };
        self.build.picture(Picture {
            source: PictureSource::Resource(id),
            alternative,
            title,
            width: None,
            height: None,
            frame: None,
        })
    }
}
