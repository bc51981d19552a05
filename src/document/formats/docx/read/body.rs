//! Reads block-level content (ECMA-376 part 1, 17.2): paragraphs and tables, of the main document as well as of table cells,
//! notes, headers and text boxes. Determines the role of each paragraph; runs are read elsewhere.

use super::{
    context::{Context, LABELS, Story},
    properties::DirectProperties,
    styles::Resolved,
};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        office::{Label, ListPlace, ParagraphRole, Role, losses, take_title},
        tree::{Builder, ListKind, Node, ParagraphStyleId},
    },
    error::Result,
};

/// How deep text boxes may be nested. Deeper ones are skipped.
const MAX_BOXES: usize = 4;

impl Context<'_> {
    /// Reads all block-level content of the innermost open element.
    pub(super) fn story<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        mut story: Story<'x>,
    ) -> Result<()> {
        let (fields, links) = (self.fields.len(), self.links.len());
        self.blocks(build, xml, &mut story)?;
        self.fields.truncate(fields);
        self.links.truncate(links);
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
            self.block(build, xml, &element, story)?;
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
            ("w", "p") if story.skipped > 0 => {
                story.skipped -= 1;
                Ok(())
            }
            ("w", "p") => self.paragraph(build, xml, story),
            ("w", "tbl") => {
                if story.main {
                    self.at_title = false;
                }
                self.table(build, xml, story)
            }
            ("w", "sdt" | "sdtContent" | "customXml" | "smartTag") => {
                self.blocks(build, xml, story)
            }
            ("w", "ins" | "moveTo") => {
                build.lost(&losses::CHANGES);
                self.blocks(build, xml, story)
            }
            ("w", "bookmarkStart") => {
                self.bookmark(element, story);
                Ok(())
            }
            ("w", "sectPr") if story.main => {
                story.flow.end(build)?;
                self.section(build, xml)
            }
            ("mc", "AlternateContent") => {
                let level = xml.level();
                let mut first = true;
                while xml.next_element(level)?.is_some() {
                    if std::mem::take(&mut first) {
                        self.blocks(build, xml, story)?;
                    }
                }
                Ok(())
            }
            ("m", "oMathPara" | "oMath") => {
                let style = self.styles.paragraph(None);
                self.inline(build, xml, element, story, &style)?;
                self.end_paragraph(build, &DirectProperties::default(), &style, story)
            }
            _ => Ok(()),
        }
    }

    fn paragraph<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let mut direct = DirectProperties::default();
        let mut style = None;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.space == "w" && element.name == "pPr" {
                direct = DirectProperties::read(xml)?;
                story.plain = direct.drop_cap;
                continue;
            }
            let style = style
                .get_or_insert_with(|| self.styles.paragraph(direct.paragraph.style.as_deref()));
            let style = style.clone();
            self.inline(build, xml, &element, story, &style)?;
        }
        story.plain = false;
        // A field that never ended, while its instruction was being read, would swallow the rest of the document.
        self.fields.retain(|field| field.in_result);
        let style = match style {
            Some(style) => style,
            None => self.styles.paragraph(direct.paragraph.style.as_deref()),
        };
        if direct.joined || direct.drop_cap {
            if direct.joined {
                build.lost(&losses::CHANGES);
            }
        } else {
            self.end_paragraph(build, &direct, &style, story)?;
        }
        if let Some(mut section) = direct.section
            && story.main
        {
            story.flow.end(build)?;
            self.section(build, &mut section)?;
        }
        Ok(())
    }

    /// Adds the paragraph that has just been read, followed by the text boxes that are anchored in it.
    fn end_paragraph<'x>(
        &mut self,
        build: &mut Builder<'_>,
        direct: &DirectProperties<'_>,
        style: &Resolved,
        story: &mut Story<'x>,
    ) -> Result<()> {
        if std::mem::take(&mut story.note) {
            story.line.trim_start();
        }
        if std::mem::take(&mut story.rule) && story.line.is_blank() {
            story.line.clear();
            story.flow.block(build, false)?;
            build.rule()?;
        } else if !(story.main && self.take_title(build, direct, style, story)?) {
            let (role, look) = self.role(build, direct, style, story)?;
            story.flow.paragraph(build, role, look, &mut story.line)?;
        }
        let boxes = std::mem::take(&mut story.boxes);
        for mut inner in boxes {
            if story.depth >= MAX_BOXES {
                continue;
            }
            story.flow.block(build, true)?;
            build.open(Node::Aside { id: None })?;
            let text = Story {
                depth: story.depth + 1,
                ..Story::new()
            };
            self.story(build, &mut inner, text)?;
            build.close()?;
        }
        Ok(())
    }

    /// Determines the role and the look of a paragraph.
    fn role(
        &mut self,
        build: &mut Builder<'_>,
        direct: &DirectProperties<'_>,
        style: &Resolved,
        story: &Story<'_>,
    ) -> Result<(Role, ParagraphStyleId)> {
        let own = &direct.paragraph;
        let place = self.lists.place(own, &style.paragraph, style.id.as_deref());
        let heading = match (style.role, own.outline) {
            (ParagraphRole::Heading(level), None | Some(0..=8)) => Some(level),
            (ParagraphRole::Body, Some(level @ 0..=8)) => Some(level + 1),
            _ => None,
        };
        let counted = place.filter(|_| heading.is_none() || !story.line.is_blank());
        let label = counted.map(|(list, level)| self.lists.count(list, level));
        // The item that has the indent of the paragraph.
        let item = own.indent_start.filter(|_| !story.line.is_blank());
        let item = item.and_then(|at| story.flow.item_at(at));
        let role = match (heading, style.role) {
            (Some(level), _) => {
                let id = story.line.leading_bookmark();
                Role::Heading {
                    level,
                    id: id.filter(|id| !id.starts_with('_')).map(Into::into),
                    label: label
                        .filter(|label| !label.text.is_empty())
                        .filter(|label| !matches!(label.kind, Some(ListKind::Bullet)))
                        .map(|label| label.text.into()),
                }
            }
            (None, ParagraphRole::Caption) => Role::Caption,
            (None, role) => match (label, place) {
                (
                    Some(Label {
                        kind: Some(kind),
                        simplified,
                        task,
                        ..
                    }),
                    Some((list, level)),
                ) => {
                    if simplified {
                        build.lost(&LABELS);
                    }
                    let look = self.lists.look((list, level), own, &style.paragraph);
                    // Word has no task lists: checked and unchecked items use different bullets, and therefore different
                    // lists. Give them one common number, so that they form one list.
                    let list = if task.is_some() { u32::MAX } else { list };
                    Role::Item {
                        place: ListPlace { list, level },
                        kind,
                        task,
                        tight: own.is_tight_in(&style.paragraph),
                        look,
                    }
                }
                (Some(_), Some((_, level))) => continued(role, level),
                _ => match role {
                    // A paragraph that says that it has no number belongs to the item with its indent.
                    _ if own.list == Some(0) && item.is_some() => {
                        continued(role, item.unwrap_or_default())
                    }
                    ParagraphRole::Quote => Role::Quote,
                    ParagraphRole::Code => Role::Code,
                    ParagraphRole::Figure if story.line.is_picture() => Role::Figure,
                    ParagraphRole::Term => Role::Term,
                    ParagraphRole::Details => Role::Details,
                    ParagraphRole::ListText => Role::ItemText(8),
                    _ if own.is_indented_in(&style.paragraph) && !story.line.is_blank() => {
                        // An unnumbered paragraph whose indent matches the items above continues the last of them; any other
                        // indented paragraph counts as a block quotation.
                        item.map_or(Role::Quote, Role::ItemText)
                    }
                    _ if story.line.is_picture() => Role::Figure,
                    _ => Role::Body,
                },
            },
        };
        let in_list = match role {
            Role::Item { .. } => true,
            Role::ItemText(_) | Role::ItemCode(_) => story.flow.in_list(),
            _ => false,
        };
        let look = self.paragraph_look(build, direct, style, in_list)?;
        Ok((role, look))
    }

    fn paragraph_look(
        &mut self,
        build: &mut Builder<'_>,
        direct: &DirectProperties<'_>,
        style: &Resolved,
        in_list: bool,
    ) -> Result<ParagraphStyleId> {
        let mut all = style.paragraph.clone();
        all.apply(&direct.paragraph);
        if in_list {
            all.put_in_list();
        }
        let look = self.styles.paragraph_style(style, &all);
        build.paragraph_style(look)
    }

    /// Moves a paragraph of the title block into the metadata, if only such paragraphs precede it.
    fn take_title(
        &mut self,
        build: &mut Builder<'_>,
        direct: &DirectProperties<'_>,
        style: &Resolved,
        story: &mut Story<'_>,
    ) -> Result<bool> {
        if !self.at_title || (story.line.is_blank() && story.boxes.is_empty()) {
            return Ok(false);
        }
        let metadata = &mut build.metadata;
        if !(story.boxes.is_empty() && take_title(metadata, style.role, &story.line)) {
            self.at_title = false;
            return Ok(false);
        }
        // The style is registered all the same, because writers that lay out the title block look it up by its name.
        self.paragraph_look(build, direct, style, false)?;
        story.line.clear();
        Ok(true)
    }
}

/// The role of a paragraph that continues the item at this level.
fn continued(role: ParagraphRole, level: u8) -> Role {
    match role {
        ParagraphRole::Code => Role::ItemCode(level),
        _ => Role::ItemText(level),
    }
}
