//! Reads inline content: text, spans, links, notes and fields (part 3, 6 and 7). Fills the line of the current flow.

use super::{
    context::{Context, Story, place},
    styles::Resolved,
};
use crate::{
    containers::xml::{Element, Piece, Reader},
    document::{
        office::{Look, RunProperties, Script, losses},
        tree::{Builder, Field, Node, NoteKind},
    },
    error::Result,
};

/// The limit on the spaces of a single `text:s`.
const MAX_SPACES: usize = 1000;

impl Context<'_> {
    /// Reads the inline content of the innermost open element. `run` holds the properties of the spans around it.
    pub(super) fn inlines<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            match piece {
                Piece::Text(text) => self.text(build, story, style, run, &text)?,
                Piece::Element(element) => {
                    self.inline(build, xml, &element, story, style, run)?;
                }
            }
        }
        Ok(())
    }

    /// Reads an element inside a paragraph.
    pub(super) fn inline<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        let value = |name| element.attribute(name);
        match (element.space, element.name) {
            ("text", "span") => {
                let mut inner = run.clone();
                if let Some(name) = value("style-name") {
                    inner.apply(&self.styles.run(&name));
                }
                self.within(build, xml, story, style, &inner)
            }
            ("text", "a") => {
                let address = value("href").unwrap_or_default();
                let target = match address.strip_prefix('#') {
                    Some(name) => format!("#{}", place(name)),
                    None => address.into_owned(),
                };
                let known = !target.is_empty();
                if known {
                    let title = value("title").unwrap_or_default();
                    self.links.push((target.into(), title.into()));
                }
                self.within(build, xml, story, style, run)?;
                if known {
                    self.links.pop();
                }
                Ok(())
            }
            ("text", "s") => {
                let count = value("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                let spaces = " ".repeat(count.min(MAX_SPACES));
                self.exact(build, story, style, run, &spaces)
            }
            ("text", "tab") => self.exact(build, story, style, run, "\t"),
            // A box of a form, as LibreOffice writes those of Word.
            ("field", "fieldmark")
                if value("type").is_some_and(|kind| kind.ends_with("FORMCHECKBOX")) =>
            {
                let level = xml.level();
                let mut ticked = false;
                while let Some(parameter) = xml.next_element(level)? {
                    ticked |= parameter.attribute("name").as_deref() == Some("Checkbox_Checked")
                        && parameter.attribute("value").as_deref() == Some("true");
                }
                let shown = if ticked { "\u{2612}" } else { "\u{2610}" };
                self.exact(build, story, style, run, shown)
            }
            ("text", "line-break") => {
                let look = self.linked(build, story, style, run, Script::Latin)?;
                story.line.trim_end();
                story.line.line_break(look);
                story.space = true;
                Ok(())
            }
            ("text", "note") => self.note(build, xml, element, story),
            ("text", "bookmark" | "bookmark-start" | "reference-mark" | "reference-mark-start") => {
                let name = value("name").unwrap_or_default();
                if !name.is_empty() && (!name.starts_with('_') || self.targets.contains(&*name)) {
                    story.line.bookmark(&place(&name));
                }
                Ok(())
            }
            ("text", "bookmark-ref" | "reference-ref" | "sequence-ref") => {
                let name = value("ref-name").unwrap_or_default();
                let target = format!("#{}", place(&name));
                self.links.push((target.into(), "".into()));
                self.within(build, xml, story, style, run)?;
                self.links.pop();
                Ok(())
            }
            ("text", "page-number" | "page-count") => {
                let look = self.linked(build, story, style, run, Script::Latin)?;
                let field = match element.name {
                    "page-number" => Field::Page,
                    _ => Field::Pages,
                };
                story.line.field(look, field);
                story.space = false;
                Ok(())
            }
            ("text", "change" | "change-start" | "change-end" | "soft-page-break") => Ok(()),
            ("text", "hidden-text" | "hidden-paragraph") => {
                build.lost(&losses::HIDDEN);
                Ok(())
            }
            ("text", "ruby") => self.ruby(build, xml, story, style, run),
            ("text", "script" | "tracked-changes") => Ok(()),
            ("text", _) if value("display").as_deref() == Some("none") => Ok(()),
            ("office", "annotation") => {
                build.lost(&losses::COMMENTS);
                Ok(())
            }
            ("office", "change-info") => {
                build.lost(&losses::CHANGES);
                Ok(())
            }
            // Every other field contains its text as it was last displayed.
            ("text", _) => self.within(build, xml, story, style, run),
            ("draw", "a") => {
                let target = value("href").unwrap_or_default();
                self.links.push((target.into(), "".into()));
                self.drawings(build, xml, story, style, run)?;
                self.links.pop();
                Ok(())
            }
            ("draw", _) => {
                let look = self.linked(build, story, style, run, Script::Latin)?;
                self.drawing(build, xml, element, story, look)
            }
            _ => Ok(()),
        }
    }

    fn within<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        self.deeper(build, xml, story, |this, build, xml, story| {
            this.inlines(build, xml, story, style, run)
        })
    }

    fn drawings<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let look = self.linked(build, story, style, run, Script::Latin)?;
            self.drawing(build, xml, &element, story, look)?;
        }
        Ok(())
    }

    /// Adds text, collapsing each run of white space to one space (6.1.2).
    fn text(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
        text: &str,
    ) -> Result<()> {
        let white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let collapses = text.contains("  ")
            || text.contains(['\t', '\n', '\r'])
            || (story.space && text.starts_with(' '));
        if !collapses {
            return self.exact(build, story, style, run, text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut space = story.space;
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
        self.exact(build, story, style, run, &clean)
    }

    /// Adds text with all its spaces.
    fn exact(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
        text: &str,
    ) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if run.hidden == Some(true) {
            build.lost(&losses::HIDDEN);
            return Ok(());
        }
        let look = self.linked(build, story, style, run, Script::of(text))?;
        story.line.text_in(look, run.latin.as_ref(), text);
        story.space = text.ends_with(' ');
        Ok(())
    }

    /// The look of text, including the link that is open around it.
    fn linked(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
        script: Script,
    ) -> Result<Look> {
        let look = self.look(build, run, style, script)?;
        let link = self.links.last();
        Ok(Look {
            link: link.map(|(target, title)| story.line.link(target, title)),
            ..look
        })
    }

    /// Reads a note. Its text is at the place of the reference (6.3).
    fn note<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let kind = match element.attribute("note-class").as_deref() {
            Some("endnote") => NoteKind::Endnote,
            _ => NoteKind::Footnote,
        };
        let note = build.reserve_note(kind)?;
        story.line.note(note);
        story.space = false;
        let links = std::mem::take(&mut self.links);
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.name != "note-body" {
                continue;
            }
            build.open(Node::NoteBody(note))?;
            self.deeper(build, xml, story, |this, build, xml, _| {
                this.story(build, xml, Story::new())
            })?;
            build.close()?;
        }
        self.links = links;
        Ok(())
    }

    /// Reads ruby text, which shows the pronunciation above the base text (6.4). The tree puts it behind, in parentheses.
    fn ruby<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match child.name {
                "ruby-base" => self.within(build, xml, story, style, run)?,
                "ruby-text" => {
                    let above = xml.text()?;
                    if !above.trim().is_empty() {
                        let above = format!("({})", above.trim());
                        self.exact(build, story, style, run, &above)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
