//! Reads block-level content (part 3, 5.1): paragraphs, headings, lists and tables, of the main text as well as of table
//! cells, notes, headers and text boxes. Determines the role of each paragraph; inline content is read elsewhere.

use super::{
    context::{Context, ListPlace, Story, place},
    lists::{self, ListStyle},
    styles::Resolved,
};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        office::{LEVELS, ParagraphRole, Role, RunProperties, losses, take_title},
        tree::{Builder, Node},
    },
    error::Result,
};
use std::rc::Rc;

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

    fn list<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let outer = story.list.clone();
        let named = element.attribute("style-name").map(Into::into);
        let named = named.or_else(|| outer.as_ref().map(|outer| outer.style.clone()));
        let named = match named {
            Some(named) => named,
            None => self
                .list_of_paragraph(&mut xml.clone())?
                .unwrap_or_default(),
        };
        let place = ListPlace {
            style: named,
            level: outer.map_or(0, |outer| outer.level + 1),
        };
        let style = self.styles.list(&place.style).unwrap_or_default();
        if story.main && has_headings_alone(&mut xml.clone())? {
            return self.numbered_headings(
                build,
                xml,
                story,
                &style,
                &mut [0; LEVELS],
                place.level,
            );
        }
        if story.main {
            self.at_title = false;
        }
        let continued = element.attribute("continue-list");
        let goes_on = continued.is_some()
            || element.attribute("continue-numbering").as_deref() == Some("true");
        let next = goes_on
            .then(|| {
                self.counted
                    .next(continued.as_deref(), &place.style, place.level)
            })
            .flatten();
        let mut items = Items {
            next: next.unwrap_or_else(|| style.start(place.level)),
            style,
            place,
            open: None,
        };
        if std::mem::take(&mut story.page_break) {
            story.flow.block(build, false)?;
            build.page_break()?;
        }
        story.flow.block(build, false)?;
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.space != "text" || !matches!(child.name, "list-item" | "list-header") {
                continue;
            }
            if child.name == "list-item" {
                let start = child
                    .attribute("start-value")
                    .and_then(|start| start.parse().ok());
                items.begin(build, start)?;
            }
            let inner = Story {
                list: Some(items.place.clone()),
                item_begins: true,
                ..Story::new()
            };
            self.story(build, xml, inner)?;
        }
        items.end(build)?;
        let last = items.next.saturating_sub(1);
        let id = element.attribute("id");
        self.counted
            .end(id.as_deref(), &items.place.style, items.place.level, last);
        Ok(())
    }

    /// The list style of the first paragraph in the list, which is the innermost element. Lists without a style of their own
    /// take it from there.
    fn list_of_paragraph(&mut self, xml: &mut Reader<'_>) -> Result<Option<Box<str>>> {
        let level = xml.level();
        while let Some(item) = xml.next_element(level)? {
            while let Some(element) = xml.next_element(level + 1)? {
                if matches!(element.name, "p" | "h") {
                    let name = element.attribute("style-name");
                    return Ok(self.styles.paragraph(name.as_deref()).list.clone());
                }
            }
            if item.name == "list-item" {
                break;
            }
        }
        Ok(None)
    }

    /// Reads a list whose only purpose is to number headings, as headings and not as a list.
    fn numbered_headings<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Rc<ListStyle>,
        counts: &mut [u32; LEVELS],
        at: usize,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("text", "h") => {
                    let level = element.attribute("outline-level");
                    let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                    let look = self
                        .styles
                        .paragraph(element.attribute("style-name").as_deref());
                    self.begin_page(build, story, look.page.as_deref(), look.all.page_number)?;
                    story.space = true;
                    self.inlines(build, xml, story, &look, &RunProperties::default())?;
                    let label = if story.line.is_blank() {
                        String::new()
                    } else {
                        lists::count(style, counts, at.min(LEVELS - 1), None)
                    };
                    self.end_paragraph(build, &look, story, Some((level.clamp(1, 9), label)))?;
                }
                ("text", "list") => {
                    self.deeper(build, xml, story, |this, build, xml, story| {
                        this.numbered_headings(build, xml, story, style, counts, at + 1)
                    })?;
                }
                ("text", "list-item" | "list-header") => {
                    self.deeper(build, xml, story, |this, build, xml, story| {
                        this.numbered_headings(build, xml, story, style, counts, at)
                    })?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The items of a list that is being read.
struct Items {
    style: Rc<ListStyle>,
    place: ListPlace,
    /// The number of the next item.
    next: u32,
    /// Whether the open item is in a list of the tree. It is not if the list style shows no label. `None` before the first
    /// item.
    open: Option<bool>,
}

impl Items {
    /// Begins an item. `start` is its explicit number; if that is not the next one, a new list begins.
    fn begin(&mut self, build: &mut Builder<'_>, start: Option<u32>) -> Result<()> {
        let anew = start.is_some_and(|start| start != self.next);
        if anew {
            self.end(build)?;
        }
        self.next = start.unwrap_or(self.next);
        let mut numbers = [1; LEVELS];
        numbers[self.place.level.min(LEVELS - 1)] = self.next;
        let label = self.style.label(self.place.level, &numbers);
        if self.open == Some(true) {
            build.close()?;
        } else if let Some(kind) = label.kind {
            build.open(Node::List {
                kind,
                tight: true,
                look: self.style.look(self.place.level),
            })?;
            self.open = Some(true);
        } else {
            self.open = Some(false);
        }
        if self.open == Some(true) {
            build.open(Node::Item { task: label.task })?;
        }
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    fn end(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if self.open.take() == Some(true) {
            build.close()?;
            build.close()?;
        }
        Ok(())
    }
}

/// The role of a paragraph.
fn role(style: &Resolved, story: &Story<'_>, heading: Option<(u8, String)>) -> Role {
    if let Some((level, label)) = heading {
        let id = story.line.leading_bookmark();
        return Role::Heading {
            level,
            id: id.filter(|id| !id.starts_with('_')).map(Into::into),
            label: (!label.is_empty()).then(|| label.into()),
        };
    }
    match style.role {
        ParagraphRole::Quote => Role::Quote,
        ParagraphRole::Code => Role::Code,
        ParagraphRole::Caption => Role::Caption,
        ParagraphRole::Figure if story.line.is_picture() => Role::Figure,
        ParagraphRole::Term => Role::Term,
        ParagraphRole::Details => Role::Details,
        _ if story.list.is_none()
            && style.direct.is_indented_in(&style.base)
            && !story.line.is_blank() =>
        {
            Role::Quote
        }
        _ if story.line.is_picture() => Role::Figure,
        _ => Role::Body,
    }
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

/// Whether a list, which is the innermost element, contains headings and nothing else.
fn has_headings_alone(xml: &mut Reader<'_>) -> Result<bool> {
    let outer = xml.level();
    let mut headings = false;
    // The level of the innermost open list or item.
    let mut level = outer;
    loop {
        match xml.next_element(level)? {
            Some(element) => match (element.space, element.name) {
                ("text", "h") => headings = true,
                ("text", "list" | "list-item" | "list-header") => level = xml.level(),
                _ => return Ok(false),
            },
            None if level == outer => return Ok(headings),
            None => level -= 1,
        }
    }
}
