//! Ends paragraphs, and decides their roles and their parents.

use super::{
    resolved::Resolved,
    state::Story,
    text::{Text, Within},
};
use crate::{
    error::Result,
    wordprocessing::{
        names::ParagraphRole,
        numbering::Label,
        properties::{ParagraphProperties, RunProperties},
        role::{Facts, Item, Listed, Role},
        script::Script,
        text::difference,
        title::take_title,
    },
};
use convertd_tree::{
    Length, Mark, ParagraphStyle, ParagraphStyleId, TextStyle, TextStyleId, Typesetter,
};
use std::rc::Rc;

/// Properties of a paragraph at its end.
#[derive(Debug, Default)]
pub struct Paragraph {
    /// Stated properties: those that differ from its style, or all of them if the format repeats the style.
    pub own: ParagraphProperties,
    /// Level of the heading, from 1, and its number, which the reader has counted and which may be empty. `None` if the
    /// file does not state that the paragraph is a heading, except by its style.
    pub heading: Option<(u8, String)>,
    /// List item that begins with the paragraph, if the item has its own label, and is in no list of [`Story::lists`].
    pub item: Option<Item>,
    /// Level of the open item with the same indent.
    pub continues: Option<u8>,
}

impl Story<'_> {
    /// Begins a paragraph with this style, or changes the style of the current paragraph. Resets the properties of the
    /// run.
    pub fn open_paragraph(&mut self, style: Rc<Resolved>) {
        self.style = style;
        self.run = RunProperties::default();
    }

    /// Makes the text of this style, without bold and italics, the default of the document. Other styles store only
    /// differences from it. If the metadata states no language, the document gets the language of this style.
    pub fn set_default_text(&mut self, style: &Resolved) {
        self.build.text = TextStyle {
            bold: None,
            italic: None,
            ..style.text.clone()
        };
        let language = &mut self.build.metadata.language;
        if language.is_none() {
            *language = self.build.text.language.as_deref().map(Into::into);
        }
    }

    /// Returns whether a list is open, which the next item could continue.
    pub fn in_list(&self) -> bool {
        self.texts.last().is_some_and(|text| text.flow.in_list())
    }

    /// Returns the level of the item that a paragraph with this indent continues.
    pub fn item_at(&self, indent: Length) -> Option<u8> {
        self.texts.last().and_then(|text| text.flow.item_at(indent))
    }

    /// Ends the current paragraph, and adds it to the tree.
    pub fn close_paragraph(&mut self, paragraph: Paragraph) -> Result<()> {
        self.drop_unfinished_fields();
        let style = self.style.clone();
        let (text, build) = self.text_and_build();
        let begins = std::mem::take(&mut text.begins);
        match text.within {
            // Remove the white space after the note's number, and its reference mark, from the beginning of the text.
            Within::Note if begins => {
                text.line.trim_start();
                if let Some(mark) = text.mark.take() {
                    text.line.cut_mark(&mark);
                }
            }
            Within::Item if begins => {
                if let Some(done) = text.line.take_task() {
                    build.set_task(done);
                }
            }
            _ => {}
        }
        let boxes = std::mem::take(&mut text.boxes);
        let is_rule = std::mem::take(&mut text.rule) || style.role == ParagraphRole::Rule;
        if is_rule && text.line.is_blank() {
            text.line.clear();
            text.flow.block(build, false)?;
            return build.rule();
        }
        if self.take_title(&style, &paragraph, boxes)? {
            return Ok(());
        }
        let own = paragraph.own.clone();
        let (mut role, in_list) = self.role(&style, paragraph);
        self.style_label(&mut role)?;
        if self.within() == Within::Item && !own.is_tight_in(&style.paragraph) {
            self.build.set_loose();
        }
        let look = self.paragraph_look(&style, &own, in_list)?;
        let (text, build) = self.text_and_build();
        text.flow.paragraph(build, role, look, &mut text.line)
    }

    /// Returns the role of the current paragraph, and whether it is in a list.
    fn role(&mut self, style: &Resolved, paragraph: Paragraph) -> (Role, bool) {
        let Paragraph {
            own,
            heading,
            item,
            continues,
        } = paragraph;
        let nothing = ParagraphProperties::default();
        let repeats = self.repeats_styles;
        let in_list = self.in_list();
        let indent = |own: &ParagraphProperties| own.indent_start.unwrap_or_default();
        let is_continuation = repeats && in_list && indent(&own) > indent(&style.paragraph);
        let (Text { within, line, .. }, _) = self.text_and_build();
        let mut facts = Facts {
            style: style.role,
            heading: heading.as_ref().map(|(level, _)| *level),
            outline: own.outline,
            continues_item: is_continuation || own.list == Some(0),
            item: continues,
            is_indented: is_continuation
                || match within {
                    // The list determines the indent.
                    Within::Item => false,
                    // Programs that write RTF store the margins of cells as indents, so indents in cells do not count.
                    Within::Cell if repeats => false,
                    _ => own.is_indented_in(&style.paragraph),
                },
            is_blank: line.is_blank(),
            is_picture: line.is_picture(),
            is_code: repeats && line.is_code(),
            ..Facts::default()
        };
        let within = *within;
        // Empty paragraphs continue no item.
        if facts.is_blank {
            facts.continues_item = false;
            facts.item = None;
        }
        // If paragraphs repeat the properties of their styles, the list of the style is ignored.
        let of_style = if repeats { &nothing } else { &style.paragraph };
        let place = self.lists.place(&own, of_style, style.id.as_deref());
        let counted =
            place.filter(|_| !facts.is_blank || (facts.heading_level().is_none() && !repeats));
        let label = counted.map(|(list, level)| self.lists.count(list, level));
        facts.listed = match (&label, place, item) {
            (Some(label), Some((list, level)), _) => match label.kind {
                None => Listed::Unlabelled(level),
                Some(kind) => Listed::Item(Item {
                    place: label.place(list, level),
                    kind,
                    task: label.task,
                    label: (label.simplified).then(|| label.text.as_str().into()),
                    tight: own.is_tight_in(&style.paragraph),
                    look: self.lists.look((list, level), &own, of_style),
                }),
            },
            (.., Some(item)) => Listed::Item(Item {
                tight: own.is_tight_in(&style.paragraph),
                ..item
            }),
            _ => Listed::No,
        };
        let mut role = facts.role();
        if let Role::Heading {
            id, label: number, ..
        } = &mut role
        {
            let line = self.line();
            // If runs repeat the properties of their styles, the text is bold because of its heading style, and needs
            // no mark.
            if repeats {
                line.unmark(Mark::Strong);
            }
            let name = line.leading_bookmark();
            *id = name.filter(|name| !name.starts_with('_')).map(Into::into);
            *number = match heading {
                Some((_, number)) => (!number.is_empty()).then(|| number.into()),
                None => label.and_then(Label::number),
            };
        }
        let in_list = within == Within::Item
            || match role {
                Role::Item(_) => true,
                Role::ItemText(_) | Role::ItemCode(_) => in_list,
                _ => false,
            };
        (role, in_list)
    }

    /// Adds the formatting of an item's label to the document.
    fn style_label(&mut self, role: &mut Role) -> Result<()> {
        let Role::Item(item) = role else {
            return Ok(());
        };
        let place = (item.place.list, item.place.level);
        if let Some(run) = self.lists.label_look(place) {
            let text = self.fonts.text_style(run, Script::Latin);
            let style = self.build.text_style(text)?;
            item.look.label_style = Some(style).filter(|style| *style != TextStyleId::DEFAULT);
        }
        Ok(())
    }

    /// Adds the formatting of a paragraph to the document.
    pub(super) fn paragraph_look(
        &mut self,
        style: &Resolved,
        own: &ParagraphProperties,
        in_list: bool,
    ) -> Result<ParagraphStyleId> {
        let mut all = ParagraphProperties::default();
        if !self.repeats_styles {
            all.clone_from(&style.paragraph);
        }
        all.apply(own);
        if in_list {
            all.put_in_list();
        }
        // LibreOffice measures indents to the borders.
        if self.build.typesetter == Typesetter::Writer {
            all.indent_to_text();
        }
        // In Word's formats, a paragraph can only turn off the hyphenation of the document. In LibreOffice's, it can
        // also turn hyphenation on. Only a value that differs from that of the document is stored.
        let automatic = self.build.hyphenation.automatic;
        let may_differ = automatic || self.build.typesetter == Typesetter::Writer;
        all.hyphenated = all.hyphenated.filter(|own| may_differ && *own != automatic);
        let text = TextStyle {
            // Runs state these properties themselves, and could not turn off properties of their paragraph.
            raised: None,
            underline: None,
            emphasis: None,
            border: None,
            ..difference(&style.text, &self.build.text)
        };
        self.build.paragraph_style(ParagraphStyle {
            name: style.name.clone().filter(|name| !name.is_empty()),
            text,
            ..all.style()
        })
    }

    /// Moves a paragraph of the title block to the metadata, if only such paragraphs and empty ones precede it. Returns
    /// whether it was moved.
    fn take_title(
        &mut self,
        style: &Resolved,
        paragraph: &Paragraph,
        boxes: usize,
    ) -> Result<bool> {
        let (text, _) = self.text_and_build();
        let is_empty = text.line.is_blank() && boxes == 0;
        if text.within != Within::Main || is_empty || paragraph.heading.is_some() {
            return Ok(false);
        }
        if !std::mem::take(&mut self.at_title) {
            return Ok(false);
        }
        let (text, build) = self.text_and_build();
        if boxes > 0 || !take_title(&mut build.metadata, style.role, &text.line) {
            return Ok(false);
        }
        self.at_title = true;
        self.line().clear();
        // Add the style although the paragraph is not added, because writers that format the title block look it up by
        // name.
        self.paragraph_look(style, &paragraph.own, false)?;
        Ok(true)
    }
}
