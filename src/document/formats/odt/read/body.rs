//! Reads block-level content (part 3, 5.1): paragraphs and headings, of the main text as well as of table cells, notes, headers
//! and text boxes. Determines the role of each paragraph; lists, tables and inline content are read elsewhere.

use super::{
    context::{Context, Story, place},
    styles::Resolved,
};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        office::{Facts, ParagraphRole, Role, RunProperties, losses, take_title},
        tree::{Builder, Node},
    },
    error::Result,
};

impl Context<'_> {
    /// Reads all block-level content of the innermost open element.
    pub(super) fn story<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        mut story: Story<'x>,
    ) -> Result<()> {
        let links = self.links.len();
        self.blocks(build, xml, &mut story)?;
        self.links.truncate(links);
        self.end_loose(build, &mut story)?;
        story.flow.end(build)
    }

    fn blocks<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            self.deeper(build, xml, story, |this, build, xml, story| {
                this.block(build, xml, &element, story)
            })?;
        }
        Ok(())
    }

    fn block<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("text", "p") if story.skipped > 0 => {
                story.skipped -= 1;
                Ok(())
            }
            ("text", "p") => self.paragraph(build, xml, element, story, None),
            ("text", "h") => {
                let level = element.attribute("outline-level");
                let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                self.paragraph(build, xml, element, story, Some(level.clamp(1, 9)))
            }
            ("text", "list") => {
                self.end_loose(build, story)?;
                self.list(build, xml, element, story)
            }
            ("table", "table") => {
                self.end_loose(build, story)?;
                if story.main {
                    self.at_title = false;
                }
                self.table(build, xml, element, story)
            }
            ("text", "section") if element.attribute("display").as_deref() == Some("none") => {
                build.lost(&losses::HIDDEN);
                Ok(())
            }
            ("text", name) if is_container(name) => self.blocks(build, xml, story),
            ("text", "tracked-changes") => {
                let level = xml.level();
                while let Some(region) = xml.next_element(level)? {
                    if region.name == "changed-region" {
                        build.lost(&losses::CHANGES);
                    }
                }
                Ok(())
            }
            ("office", "annotation") => {
                build.lost(&losses::COMMENTS);
                Ok(())
            }
            ("draw", _) | ("text", "bookmark" | "bookmark-start") => {
                // A drawing that is anchored to a page is outside of any paragraph.
                let style = self.styles.paragraph(None);
                self.inline(
                    build,
                    xml,
                    element,
                    story,
                    &style,
                    &RunProperties::default(),
                )
            }
            _ => Ok(()),
        }
    }

    /// Ends the implicit paragraph around drawings that are outside of any paragraph.
    fn end_loose(&mut self, build: &mut Builder<'_>, story: &mut Story<'_>) -> Result<()> {
        if story.line.is_blank() && story.boxes.is_empty() {
            return Ok(());
        }
        let style = self.styles.paragraph(None);
        self.end_paragraph(build, &style, story, None)
    }

    fn paragraph<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        heading: Option<u8>,
    ) -> Result<()> {
        let style = self
            .styles
            .paragraph(element.attribute("style-name").as_deref());
        if story.main {
            self.begin_page(build, story, style.page.as_deref(), style.all.page_number)?;
        }
        if std::mem::take(&mut story.page_break) {
            story.flow.block(build, false)?;
            build.page_break()?;
        }
        story.space = true;
        if let Some(id) = element
            .attribute("id")
            .filter(|id| self.targets.contains(&**id))
        {
            story.line.bookmark(&place(&id));
        }
        self.inlines(build, xml, story, &style, &RunProperties::default())?;
        let heading = match (heading, style.outline, style.role) {
            (None, Some(level @ 1..=9), ParagraphRole::Heading(_)) => Some(level),
            (heading, ..) => heading,
        };
        let heading = heading.map(|level| {
            let numbered = element.attribute("is-list-header").as_deref() != Some("true");
            let label = if numbered && !story.line.is_blank() {
                self.styles.outline.count(level)
            } else {
                String::new()
            };
            (level, label)
        });
        self.end_paragraph(build, &style, story, heading)?;
        story.page_break = style.all.break_after == Some(true) && story.main;
        Ok(())
    }

    /// Adds the paragraph that has just been read, followed by the text boxes that are anchored in it. A heading has a level
    /// and a number.
    pub(super) fn end_paragraph<'x>(
        &mut self,
        build: &mut Builder<'_>,
        style: &Resolved,
        story: &mut Story<'x>,
        heading: Option<(u8, String)>,
    ) -> Result<()> {
        story.line.trim_end();
        if let Some((_, label)) = &heading {
            self.place_heading(story, label);
        }
        if std::mem::take(&mut story.item_begins)
            && let Some(done) = story.line.take_task()
        {
            build.set_task(done);
        }
        let is_rule = style.role == ParagraphRole::Rule;
        if is_rule && story.line.is_blank() && story.boxes.is_empty() {
            story.line.clear();
            story.flow.block(build, false)?;
            build.rule()?;
        } else if !(story.main && heading.is_none() && self.title(build, style, story)?) {
            let in_list = story.list.is_some();
            let role = role(style, story, heading);
            if in_list && !style.direct.is_tight_in(&style.base) {
                build.set_loose();
            }
            let look = build.paragraph_style(self.styles.look(style, in_list))?;
            story.line.show_alone();
            story.flow.paragraph(build, role, look, &mut story.line)?;
        }
        for mut inner in std::mem::take(&mut story.boxes) {
            story.flow.block(build, true)?;
            if self.figure(build, &mut inner.clone())? {
                continue;
            }
            build.lost(&losses::TEXT_BOXES);
            build.open(Node::Aside { id: None })?;
            self.story(build, &mut inner, Story::new())?;
            build.close()?;
        }
        Ok(())
    }

    /// Adds a bookmark with the heading's text, because links may refer to a heading by its text.
    fn place_heading(&self, story: &mut Story<'_>, label: &str) {
        let words = story.line.lines();
        let names = [
            place(&format!("{words}|outline")),
            place(&format!("{label}{words}|outline")),
            place(&format!("{label} {words}|outline")),
        ];
        for name in names {
            if self.targets.contains(&*name) {
                story.line.bookmark(&name);
            }
        }
    }

    /// Moves a paragraph of the title block into the metadata, if only such paragraphs precede it.
    fn title(
        &mut self,
        build: &mut Builder<'_>,
        style: &Resolved,
        story: &mut Story<'_>,
    ) -> Result<bool> {
        if !self.at_title || (story.line.is_blank() && story.boxes.is_empty()) {
            return Ok(false);
        }
        let taken =
            story.boxes.is_empty() && take_title(&mut build.metadata, style.role, &story.line);
        if taken {
            // The style is registered all the same, because writers that lay out the title block look it up by its name.
            build.paragraph_style(self.styles.look(style, false))?;
            story.line.clear();
        } else {
            self.at_title = false;
        }
        Ok(taken)
    }
}

/// The role of a paragraph.
fn role(style: &Resolved, story: &Story<'_>, heading: Option<(u8, String)>) -> Role {
    let (line, in_list) = (&story.line, story.list.is_some());
    let facts = Facts {
        // Only an outline level makes a heading of a paragraph that is none by its element.
        style: match style.role {
            ParagraphRole::Heading(_) => ParagraphRole::Body,
            role => role,
        },
        heading: heading.as_ref().map(|(level, _)| *level),
        is_indented: !in_list && style.direct.is_indented_in(&style.base),
        is_blank: line.is_blank(),
        is_picture: line.is_picture(),
        ..Facts::default()
    };
    let mut role = facts.role();
    if let (Role::Heading { id, label, .. }, Some((_, number))) = (&mut role, heading) {
        let name = line.leading_bookmark();
        *id = name.filter(|name| !name.starts_with('_')).map(Into::into);
        *label = (!number.is_empty()).then(|| number.into());
    }
    role
}

/// Whether this element only groups blocks.
fn is_container(name: &str) -> bool {
    matches!(
        name,
        "section"
            | "index-body"
            | "index-title"
            | "table-of-content"
            | "illustration-index"
            | "table-index"
            | "object-index"
            | "user-index"
            | "alphabetical-index"
            | "bibliography"
            | "numbered-paragraph"
    )
}
