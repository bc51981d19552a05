//! Assembles paragraphs from text, and determines their roles. Reads no control words.

use super::{
    definitions::Style,
    reader::Reader,
    state::{Destination, State},
    story::Story,
};
use crate::{
    document::{
        office::{
            Facts, Item, Label, Listed, Look, ParagraphProperties, ParagraphRole, Role,
            RunProperties, Script, TextRole, difference, look, losses, take_title,
        },
        tree::{Builder, Length, Mark, ParagraphStyle, ParagraphStyleId, TextStyle},
    },
    error::Result,
};

/// The number of states while the group of the document is the innermost one.
const DOCUMENT: usize = 2;

impl Reader<'_> {
    /// Adds text to the current paragraph.
    pub(super) fn add_text(&mut self, build: &mut Builder<'_>, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let state = self.state();
        if state.deleted {
            build.lost(&losses::CHANGES);
            return Ok(());
        }
        if state.run.hidden == Some(true) {
            build.lost(&losses::HIDDEN);
            return Ok(());
        }
        let look = self.look(build, Script::of(text))?;
        let look = self.linked(look);
        let font = self.state().run.latin.clone();
        self.story().line.text_in(look, font.as_ref(), text);
        Ok(())
    }

    /// The style of the current paragraph, if it is defined.
    fn style(&mut self) -> Option<Style> {
        let number = self.state().style.unwrap_or(0);
        self.styles.paragraphs.get(&number).cloned()
    }

    fn look(&mut self, build: &mut Builder<'_>, script: Script) -> Result<Look> {
        let state = self.state().clone();
        let base = match self.styles.paragraphs.get(&state.style.unwrap_or(0)) {
            Some(style) => style.state.run.clone(),
            None => RunProperties::default(),
        };
        let role = state
            .character_style
            .and_then(|number| self.styles.texts.get(&number));
        let role = role.copied().flatten();
        let mut own = state.run.beyond(&base);
        if role == Some(TextRole::Code) || self.is_code() {
            own.style = Some("code".into());
        }
        if role == Some(TextRole::Link) || state.link.is_some() {
            own.underline = None;
            own.colour = None;
        }
        let of_paragraph = text_style(&base, script);
        let text = text_style(&state.run, script);
        let mut text = text;
        if own.colour.is_none() {
            text.colour = of_paragraph.colour;
        }
        // The document's default font carries no information.
        if state.font == self.default_font {
            text.font.clone_from(&of_paragraph.font);
        }
        let mut key = own.clone();
        key.latin = state.run.latin.clone();
        self.looks.get(&key, &of_paragraph, script, || {
            look(build, &own, own.style.is_some(), text, &of_paragraph)
        })
    }

    /// Whether the next text is code, judging by its fixed-width font. In a document that begins in such a font, this means
    /// nothing.
    fn is_code(&mut self) -> bool {
        let state = self.state();
        let (font, style) = (state.font, state.style.unwrap_or(0));
        let typewriter = |font: Option<i32>| {
            let face = font.and_then(|font| self.fonts.get(&font));
            face.is_some_and(|face| face.typewriter)
        };
        let of_style = self.styles.paragraphs.get(&style);
        let of_style = of_style.and_then(|style| style.state.font);
        let is = font != self.default_font && typewriter(font) && !typewriter(of_style);
        let set_in_it = *self.typed.get_or_insert(is);
        is && !set_in_it
    }

    /// Adds the open link to a look.
    pub(super) fn linked(&mut self, look: Look) -> Look {
        let target = self.state().link.clone();
        let line = &mut self.story().line;
        Look {
            link: target.map(|target| line.link(&target, "")),
            ..look
        }
    }

    /// Handles `\par`, the end of a paragraph.
    pub(super) fn end_paragraph(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.enter_table(build)?;
        if let Some(table) = self.story().tables.last_mut() {
            table.after_table = false;
        }
        self.finish_paragraph(build)
    }

    /// Adds the current paragraph to the tree.
    pub(super) fn finish_paragraph(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let story = self.story();
        let label = std::mem::take(&mut story.label);
        if std::mem::take(&mut story.note) {
            story.line.trim_start();
        }
        let style = self.style();
        let state = self.state().clone();
        let role = style
            .as_ref()
            .and_then(|style| style.role)
            .unwrap_or_default();
        let main = self.story().main;
        if main && self.at_title && !self.story().line.is_blank() {
            let taken =
                !state.in_table && take_title(&mut build.metadata, role, &self.story().line);
            if taken {
                let look = self.paragraph_look(&state, style.as_ref(), false);
                build.paragraph_style(look)?;
                self.story().line.clear();
                return Ok(());
            }
            self.at_title = false;
        }
        if role == ParagraphRole::Rule && self.story().line.is_blank() {
            let Story { flow, line, .. } = self.story();
            line.clear();
            flow.block(build, false)?;
            return build.rule();
        }
        let (role, in_list) = self.role(&state, style.as_ref(), role, &label);
        if !label.trim().is_empty() && matches!(role, Role::Item(_)) {
            // Some programs write a space behind the group of a label, too.
            self.story().line.trim_start();
        }
        let look = self.paragraph_look(&state, style.as_ref(), in_list);
        let look: ParagraphStyleId = build.paragraph_style(look)?;
        let Story { flow, line, .. } = self.story();
        flow.paragraph(build, role, look, line)
    }

    /// The role of a paragraph, and whether it belongs to a list.
    fn role(
        &mut self,
        state: &State,
        style: Option<&Style>,
        role: ParagraphRole,
        apart: &str,
    ) -> (Role, bool) {
        let own = &state.paragraph;
        let plain = Default::default();
        let base = style.map_or(&plain, |style| &style.state.paragraph);
        let line = &self.story().line;
        let mut facts = Facts {
            style: role,
            outline: own.outline,
            is_blank: line.is_blank(),
            is_picture: line.is_picture(),
            is_code: line.is_code(),
            ..Facts::default()
        };
        let heading = facts.heading_level().is_some();
        let place = self.lists.place(own, &plain, None);
        let counted = place.filter(|_| !facts.is_blank);
        let label = counted.map(|(list, level)| self.lists.count(list, level));
        let in_list = self.story().flow.in_list();
        if place.is_some() || state.old_number.is_some() {
            self.story().labels.clear();
        }
        facts.listed = match (&label, place, state.old_number) {
            (Some(label), Some((list, level)), _) => match label.kind {
                None => Listed::Unlabelled(level),
                Some(kind) => Listed::Item(Item {
                    place: label.place(list, level),
                    kind,
                    task: label.task,
                    tight: false,
                    look: self.lists.look((list, level), own, &plain),
                }),
            },
            _ if facts.is_blank || heading => Listed::No,
            (.., Some(old)) => Listed::Item(old.item()),
            (_, None, None) if matches!(role, ParagraphRole::Body | ParagraphRole::ListText) => {
                self.labelled(own, apart).map_or(Listed::No, Listed::Item)
            }
            _ => Listed::No,
        };
        if let Listed::Item(item) = &mut facts.listed {
            item.tight = own.is_tight_in(base);
        }
        // What is indented in a list like an item goes on with the item.
        let indent = own.indent_start.unwrap_or_default();
        let beyond = indent > base.indent_start.unwrap_or_default();
        facts.goes_on = in_list && beyond && !facts.is_blank && !heading;
        if facts.goes_on {
            facts.item = self.item_at(indent);
        }
        facts.is_indented = facts.goes_on || (own.is_indented_in(base) && !state.in_table);
        let mut role = facts.role();
        if let Role::Heading {
            id, label: number, ..
        } = &mut role
        {
            let line = &mut self.story().line;
            line.unmark(Mark::Strong);
            let name = line.leading_bookmark();
            *id = name.filter(|name| !name.starts_with('_')).map(Into::into);
            *number = label.and_then(Label::number);
        }
        let in_list = match role {
            Role::Item(_) => true,
            Role::ItemText(_) | Role::ItemCode(_) => in_list,
            _ => false,
        };
        (role, in_list)
    }

    /// The list item that a paragraph begins by a label in its text, which is then removed from it, or `apart` from it.
    fn labelled(&mut self, own: &ParagraphProperties, apart: &str) -> Option<Item> {
        let indent = own.indent_start.unwrap_or_default();
        let first_line = own.first_line.unwrap_or_default();
        let Story {
            flow, line, labels, ..
        } = self.story();
        if !flow.in_list() {
            labels.clear();
        }
        let apart = apart.trim();
        if !apart.is_empty() {
            return labels.item(apart, (indent, first_line), true);
        }
        let label = line.label().filter(|_| first_line < Length::ZERO)?;
        let item = labels.item(label.trim_start(), (indent, first_line), false)?;
        line.cut_label();
        Some(item)
    }

    /// The level of the item that a paragraph with this indent continues.
    fn item_at(&mut self, indent: Length) -> Option<u8> {
        let Story { flow, labels, .. } = self.story();
        if labels.is_open() {
            return labels.level_at(indent);
        }
        let found = flow.item_at(indent);
        found.or_else(|| Some(self.level_of(indent)))
    }

    /// The list level that corresponds to an indent.
    fn level_of(&self, indent: crate::document::tree::Length) -> u8 {
        let twips = indent.to_twips();
        ((twips / 720) - 1).clamp(0, 8) as u8
    }

    fn paragraph_look(
        &mut self,
        state: &State,
        style: Option<&Style>,
        in_list: bool,
    ) -> ParagraphStyle {
        let mut all = state.paragraph.clone();
        if in_list {
            all.put_in_list();
        }
        let text = style.map(|style| {
            let mut text = text_style(&style.state.run, Script::Latin);
            if style.state.font == self.default_font {
                text.font = None;
            }
            difference(&text, &TextStyle::default())
        });
        ParagraphStyle {
            name: style
                .map(|style| style.name.clone())
                .filter(|name| !name.is_empty()),
            text: text.unwrap_or_default(),
            ..all.style()
        }
    }

    /// Ends a group.
    pub(super) fn end_group(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let group = self.states.len();
        if self.stories.len() > 1
            && self
                .stories
                .last()
                .is_some_and(|story| story.group == group)
        {
            if !self.story().line.is_blank() {
                self.end_paragraph(build)?;
            }
            self.leave_table(build)?;
            if let Some(mut story) = self.stories.pop() {
                story.flow.end(build)?;
            }
            build.close()?;
        }
        // The last paragraph of the document may end with the document's group, whose formatting is its own.
        if group == DOCUMENT && self.stories.len() == 1 && !self.story().line.is_blank() {
            self.end_paragraph(build)?;
        }
        let Some(ended) = self.states.pop() else {
            return Ok(());
        };
        let around = self.state().destination;
        match ended.destination {
            Destination::Picture if around != Destination::Picture => {
                if let Some(picture) = std::mem::take(&mut self.picture).finish(build)? {
                    let look = self.linked(Look::default());
                    self.story().line.picture(look, picture);
                }
            }
            Destination::PropertyName if around == Destination::Properties => {
                self.picture.property = std::mem::take(&mut self.gathered);
            }
            Destination::PropertyValue if around == Destination::Properties => {
                let value = std::mem::take(&mut self.gathered);
                self.picture.set_property(&value);
            }
            Destination::Label if around != Destination::Label => {
                self.story().label = std::mem::take(&mut self.gathered);
            }
            Destination::Bookmark if around != Destination::Bookmark => {
                let name = std::mem::take(&mut self.gathered);
                let name = name.trim();
                if !name.is_empty() && !name.starts_with('_') {
                    self.story().line.bookmark(name);
                }
            }
            Destination::ListText if around != Destination::ListText => self.end_level_text(),
            Destination::Lists if around == Destination::Lists && ended.in_list => self.end_list(),
            Destination::Overrides if around == Destination::Overrides && ended.in_list => {
                self.end_override()
            }
            Destination::Info if around == Destination::Info => self.end_info(build),
            Destination::Fonts | Destination::Styles if ended.destination == around => {
                self.gathered.clear();
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends a section.
    pub(super) fn end_section(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if !self.story().main {
            return Ok(());
        }
        self.leave_table(build)?;
        self.story().flow.end(build)?;
        if self.paper_said {
            build.set_page(self.paper.clone());
        }
        build.begin_section()
    }

    /// Ends the document.
    pub(super) fn end_document(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if !self.story().line.is_blank() {
            self.end_paragraph(build)?;
        }
        self.leave_table(build)?;
        self.story().flow.end(build)?;
        if self.paper_said {
            build.set_page(self.paper.clone());
        }
        Ok(())
    }
}

fn text_style(run: &RunProperties, script: Script) -> TextStyle {
    run.text_style(script, |font| font.name().map(Into::into))
}
