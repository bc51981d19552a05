//! Reads inline content: text, spans, links, notes and fields (OpenDocument 1.3, part 3, 6 and 7). The story leaves
//! out text that is formatted as hidden.

use super::{body::Body, context::place};
use crate::{
    containers::xml::{Element, Piece},
    error::Result,
};
use convertd_office::wordprocessing::{Within, losses};
use convertd_tree::{Field, NoteKind, Numeral, StyleReference, numerals::Format};

/// Max. number of spaces of a single `text:s`.
const MAX_SPACES: usize = 1000;

impl<'x> Body<'_, '_, 'x> {
    /// Reads the inline content of the innermost open element.
    pub(super) fn inlines(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(piece) = self.xml.next(level)? {
            match piece {
                Piece::Text(text) => self.collapsed(&text)?,
                Piece::Element(element) => self.inline(&element)?,
            }
        }
        Ok(())
    }

    /// Reads an element inside a paragraph.
    pub(super) fn inline(&mut self, element: &Element<'x>) -> Result<()> {
        let value = |name| element.attribute(name);
        match (element.space, element.name) {
            ("text", "span") => {
                let mut inner = self.story.run().clone();
                if let Some(name) = value("style-name") {
                    inner.apply(&self.context.styles.run(&name));
                }
                let around = self.story.set_run(inner);
                self.within()?;
                self.story.set_run(around);
                Ok(())
            }
            ("text", "a") => self.link(element),
            ("text", "s") => {
                let count = value("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                let spaces = " ".repeat(count.min(MAX_SPACES));
                self.exact(&spaces)
            }
            ("text", "tab") => self.exact("\t"),
            // Check box of a form, in the extension that LibreOffice uses for Word documents.
            ("field", "fieldmark")
                if value("type").is_some_and(|kind| kind.ends_with("FORMCHECKBOX")) =>
            {
                self.check_box()
            }
            ("text", "line-break") => {
                self.story.line().trim_end();
                self.story.line_break()?;
                self.space = true;
                Ok(())
            }
            ("text", "note") => self.note(element),
            ("text", "bookmark" | "bookmark-start" | "reference-mark" | "reference-mark-start") => {
                let name = value("name").unwrap_or_default();
                self.story.bookmark(&place(&name));
                Ok(())
            }
            // Number of a caption, which cross-references can refer to (7.4.13).
            ("text", "sequence") => {
                if let Some(name) = value("ref-name") {
                    self.story.bookmark(&place(&name));
                }
                self.within()
            }
            ("text", "bibliography-mark") if value("url").is_some_and(|url| !url.is_empty()) => {
                self.story.open_link(value("url").unwrap_or_default(), "");
                self.within()?;
                self.story.close_link();
                Ok(())
            }
            ("text", "bookmark-ref" | "reference-ref" | "sequence-ref") => {
                let name = value("ref-name").unwrap_or_default();
                self.story.open_link(format!("#{}", place(&name)), "");
                self.within()?;
                self.story.close_link();
                Ok(())
            }
            // In a header or footer, the text of the current chapter is a running title, which the layout fills in.
            ("text", "chapter")
                if self.story.within() == Within::Margin
                    && value("display").is_some_and(|display| display.contains("name")) =>
            {
                self.running_title(element)
            }
            ("text", "page-number") => self.page_field(element, Field::Page),
            ("text", "page-count") => self.page_field(element, Field::Pages),
            ("text", "change" | "change-start" | "change-end" | "soft-page-break") => Ok(()),
            ("text", "hidden-text" | "hidden-paragraph") => {
                self.story.build.lost(&losses::HIDDEN);
                Ok(())
            }
            ("text", "ruby") => self.ruby(),
            ("text", "script" | "tracked-changes") => Ok(()),
            ("text", _) if value("display").as_deref() == Some("none") => Ok(()),
            ("office", "annotation") => {
                self.story.build.lost(&losses::COMMENTS);
                Ok(())
            }
            ("office", "change-info") => {
                self.story.build.lost(&losses::CHANGES);
                Ok(())
            }
            // Every other field contains its text as it was last displayed.
            ("text", _) => self.within(),
            ("draw", "a") => {
                self.story.open_link(value("href").unwrap_or_default(), "");
                let level = self.xml.level();
                while let Some(element) = self.xml.next_element(level)? {
                    self.drawing(&element)?;
                }
                self.story.close_link();
                Ok(())
            }
            ("draw", _) => self.drawing(element),
            _ => Ok(()),
        }
    }

    /// Reads a link with its content.
    fn link(&mut self, element: &Element<'x>) -> Result<()> {
        let value = |name| element.attribute(name);
        let address = value("href").unwrap_or_default();
        let target = match address.strip_prefix('#') {
            Some(name) => format!("#{}", place(name)),
            None => address.into_owned(),
        };
        if target.is_empty() {
            return self.within();
        }
        self.story
            .open_link(target, value("title").unwrap_or_default());
        self.within()?;
        self.story.close_link();
        Ok(())
    }

    /// Reads the parameters of a check box, and adds the box as a sign.
    fn check_box(&mut self) -> Result<()> {
        let level = self.xml.level();
        let mut ticked = false;
        while let Some(parameter) = self.xml.next_element(level)? {
            ticked |= parameter.attribute("name").as_deref() == Some("Checkbox_Checked")
                && parameter.attribute("value").as_deref() == Some("true");
        }
        let shown = if ticked { "\u{2612}" } else { "\u{2610}" };
        self.exact(shown)
    }

    /// Adds a field with the heading of the current chapter.
    fn running_title(&mut self, element: &Element<'x>) -> Result<()> {
        let level = element.attribute("outline-level");
        let level = level.and_then(|level| level.parse().ok());
        let reference = StyleReference {
            name: format!("heading {}", level.unwrap_or(1_u8)).into(),
            last: false,
            stored: self.xml.text()?.into(),
        };
        self.story.layout_field(Field::Styled(reference.into()))?;
        self.space = false;
        Ok(())
    }

    /// Adds the number of the page or of all pages, in the format of the element.
    fn page_field(&mut self, element: &Element<'x>, field: Field) -> Result<()> {
        let format = element.attribute("num-format");
        let format = format.and_then(|format| Format::of_example(&format));
        self.story.layout_field(match format {
            Some(Format::Plain(Numeral::Decimal)) if field == Field::Pages => field,
            Some(format) => Field::Formatted(field.into(), format),
            None => field,
        })?;
        self.space = false;
        Ok(())
    }

    /// Reads inline content one level deeper.
    fn within(&mut self) -> Result<()> {
        self.deeper(Self::inlines)
    }

    /// Adds text. A sequence of white space is collapsed to one space, across elements (6.1.2).
    fn collapsed(&mut self, text: &str) -> Result<()> {
        let white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        // Most texts need no copy.
        let collapses = text.contains("  ")
            || text.contains(['\t', '\n', '\r'])
            || (self.space && text.starts_with(' '));
        if !collapses {
            return self.exact(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut space = self.space;
        for c in text.chars() {
            if !white(c) {
                clean.push(c);
            } else if !space {
                clean.push(' ');
            }
            space = white(c);
        }
        if clean.is_empty() {
            return Ok(());
        }
        self.exact(&clean)
    }

    /// Adds text with all of its spaces. Whether the next space is collapsed does not depend on hidden text.
    fn exact(&mut self, text: &str) -> Result<()> {
        self.story.text(text)?;
        if self.story.run().hidden != Some(true) {
            self.space = text.ends_with(' ');
        }
        Ok(())
    }

    /// Reads a note. Its text is in the element that refers to it (6.3).
    fn note(&mut self, element: &Element<'x>) -> Result<()> {
        let kind = match element.attribute("note-class").as_deref() {
            Some("endnote") => NoteKind::Endnote,
            _ => NoteKind::Footnote,
        };
        let note = self.story.note(kind)?;
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            // A note with its own mark states it as the label of its number.
            if child.name == "note-citation"
                && let Some(mark) = child.attribute("label")
            {
                self.story.build.mark_note(note, &mark);
            }
            if child.name == "note-body" {
                self.story.open_note(note)?;
                self.deeper(|body| body.text(None))?;
                self.story.close_text()?;
            }
        }
        self.space = false;
        Ok(())
    }

    /// Reads ruby text, which shows the pronunciation above the base text (6.4).
    fn ruby(&mut self) -> Result<()> {
        let (start, mut above) = (self.story.end(), String::new());
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            match child.name {
                "ruby-base" => self.within()?,
                "ruby-text" => above = self.xml.text()?,
                _ => {}
            }
        }
        self.space = false;
        self.story.ruby_from(start, &above)
    }
}
