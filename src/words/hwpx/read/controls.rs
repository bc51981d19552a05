//! Reads the controls (`ctrl`) of a text: fields, notes, headers and footers, columns, page numbers and bookmarks. The
//! texts in them are read by `Body::text`.

use super::{body::Body, lengths::number, numbering::number_format};
use crate::{
    containers::xml::{Element, Node},
    error::Result,
};
use convertd_office::wordprocessing::{Within, losses, place_name};
use convertd_tree::{Field, NoteKind};

/// Maximum number of open fields.
const MAX_FIELDS: usize = 64;

impl<'x> Body<'_, '_, 'x> {
    /// Reads a `ctrl`, the innermost open element.
    pub(super) fn controls(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            self.control(&element)?;
        }
        Ok(())
    }

    fn control(&mut self, element: &Element<'x>) -> Result<()> {
        let own = |name| element.attribute(name).unwrap_or_default();
        let is_main = self.story.within() == Within::Main;
        match element.name {
            "colPr" if is_main => {
                let node = Node::read(&mut self.xml, *element)?;
                // New columns begin on a new line, so text before them in the paragraph ends here.
                if !self.context.pages.is_at_start() && !self.story.is_blank() {
                    self.cut()?;
                    self.context.pages.change_columns(self.story, &node)?;
                    self.continue_paragraph();
                } else {
                    self.context.pages.change_columns(self.story, &node)?;
                }
            }
            "header" | "footer" if is_main => return self.margin(element),
            "footNote" | "endNote" => {
                let kind = match element.name {
                    "footNote" => NoteKind::Footnote,
                    _ => NoteKind::Endnote,
                };
                return self.note(kind);
            }
            "autoNum" => return self.automatic_number(element),
            "newNum" if is_main && own("numType") == "PAGE" => {
                let first = number(element, "num").and_then(|first| u32::try_from(first).ok());
                self.context.pages.count_from(first);
            }
            "pageNum" if is_main => self.context.pages.add_numbers(element),
            "pageHiding" if is_main => self.context.pages.hide(element),
            "bookmark" => self.story.bookmark(&place_name(own("name").trim())),
            "hiddenComment" => self.story.build.lost(&losses::COMMENTS),
            "fieldBegin" => return self.begin_field(element),
            "fieldEnd" => {
                let id = own("beginIDRef");
                if let Some(at) = self.state.fields.iter().rposition(|(own, _)| **own == *id)
                    && self.state.fields.remove(at).1
                {
                    self.story.close_link();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads the beginning of a field. Its result follows as ordinary text, up to the end of the field. Only links need
    /// more than this text.
    fn begin_field(&mut self, element: &Element<'x>) -> Result<()> {
        let kind = element.attribute("type").unwrap_or_default();
        let id = element.attribute("id").unwrap_or_default();
        if kind == "MEMO" {
            self.story.build.lost(&losses::COMMENTS);
        }
        let mut link = None;
        if kind == "HYPERLINK" {
            let node = Node::read(&mut self.xml, *element)?;
            let command = node.named("parameters").and_then(|all| {
                let mut all = all.all_named("stringParam");
                all.find(|parameter| parameter.attribute("name").as_deref() == Some("Command"))
            });
            link = command.and_then(|command| target(&command.text));
        }
        if self.state.fields.len() < MAX_FIELDS {
            self.state.fields.push((id.into(), link.is_some()));
            if let Some(link) = link {
                self.story.open_link(link, "");
            }
        }
        Ok(())
    }

    fn note(&mut self, kind: NoteKind) -> Result<()> {
        let level = self.xml.level();
        let note = self.story.note(kind)?;
        let mut is_read = false;
        while let Some(list) = self.xml.next_element(level)? {
            if list.name == "subList" && !std::mem::replace(&mut is_read, true) {
                self.story.open_note(note)?;
                self.text()?;
                self.story.close_text()?;
            }
        }
        Ok(())
    }

    /// Reads a header or footer.
    fn margin(&mut self, element: &Element<'x>) -> Result<()> {
        let level = self.xml.level();
        let begin = self.xml.position();
        while let Some(list) = self.xml.next_element(level)? {
            if list.name == "subList" {
                self.story.open_margin();
                self.text()?;
                let blocks = self.story.close_margin()?;
                let size = self.xml.position().saturating_sub(begin) as u64;
                self.context
                    .pages
                    .add_margin(self.story, element, blocks, size);
            }
        }
        Ok(())
    }

    /// Reads an `autoNum`, a number that the word processor counts. A note number within a note is left out, because
    /// the tree numbers notes itself.
    fn automatic_number(&mut self, element: &Element<'x>) -> Result<()> {
        let kind = element.attribute("numType").unwrap_or_default();
        match &*kind {
            "PAGE" => self.story.layout_field(Field::Page),
            "TOTAL_PAGE" => self.story.layout_field(Field::Pages),
            "FOOTNOTE" | "ENDNOTE" if self.story.within() == Within::Note => Ok(()),
            _ => {
                let value = number(element, "num").and_then(|n| u32::try_from(n).ok());
                let node = Node::read(&mut self.xml, *element)?;
                let format = node.named("autoNumFormat");
                let format = format.and_then(|format| format.attribute("type"));
                let format = number_format(&format.unwrap_or_default());
                self.note_size();
                self.story
                    .text(&value.map(|n| format.write(n)).unwrap_or_default())
            }
        }
    }
}

/// Target of a link, from the command of its field. The command is a list of values that end with `;`, and the first of
/// them is the address. A backslash escapes the next character. An address that begins with `?` is a bookmark in the
/// document.
pub(super) fn target(command: &str) -> Option<Box<str>> {
    let mut address = String::new();
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ';' => break,
            '\\' => address.extend(chars.next()),
            c => address.push(c),
        }
    }
    let address = address.trim();
    match address.strip_prefix('?') {
        Some(name) => Some(format!("#{}", place_name(name.trim())).into()),
        None => (!address.is_empty()).then(|| address.into()),
    }
}
