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
        office::{Facts, Item, Label, Listed, Role, losses, take_title},
        tree::{Builder, Node, ParagraphStyleId},
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
        let indent = own.indent_start.filter(|_| !story.line.is_blank());
        let mut facts = Facts {
            style: style.role,
            outline: own.outline,
            goes_on: own.list == Some(0),
            item: indent.and_then(|at| story.flow.item_at(at)),
            is_indented: own.is_indented_in(&style.paragraph),
            is_blank: story.line.is_blank(),
            is_picture: story.line.is_picture(),
            ..Facts::default()
        };
        let place = self.lists.place(own, &style.paragraph, style.id.as_deref());
        let counted = place.filter(|_| facts.heading_level().is_none() || !facts.is_blank);
        let label = counted.map(|(list, level)| self.lists.count(list, level));
        if let (Some((list, level)), Some(label)) = (place, &label) {
            facts.listed = match label.kind {
                None => Listed::Unlabelled(level),
                Some(kind) => Listed::Item(Item {
                    place: label.place(list, level),
                    kind,
                    task: label.task,
                    tight: own.is_tight_in(&style.paragraph),
                    look: self.lists.look((list, level), own, &style.paragraph),
                }),
            };
        }
        let mut role = facts.role();
        match &mut role {
            Role::Heading {
                id, label: number, ..
            } => {
                let name = story.line.leading_bookmark();
                *id = name.filter(|name| !name.starts_with('_')).map(Into::into);
                *number = label.and_then(Label::number);
            }
            Role::Item(_) if label.is_some_and(|label| label.simplified) => build.lost(&LABELS),
            _ => {}
        }
        let in_list = match role {
            Role::Item(_) => true,
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
