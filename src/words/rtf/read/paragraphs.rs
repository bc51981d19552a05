//! Builds paragraphs from text: the formatting of runs relative to the style of the paragraph, and list items whose
//! labels are text. Reads no control words.

use super::{
    reader::RtfReader,
    state::{Destination, State},
    text::Text,
};
use crate::error::Result;
use convertd_office::wordprocessing::{
    Font, Item, Paragraph, ParagraphRole, Resolved, RunProperties, TextRole, is_symbol_font, losses,
};
use convertd_tree::{Length, TextStyle};
use std::rc::Rc;

/// Number of states while the group of the whole document is the innermost group.
const DOCUMENT: usize = 2;

impl RtfReader<'_> {
    /// Adds text to the current paragraph. Text that a tracked change deleted is left out.
    pub(super) fn add_text(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.state().deleted {
            self.story.build.lost(&losses::CHANGES);
            return Ok(());
        }
        self.go_to_frame()?;
        self.begin_run();
        self.story.text(text)
    }

    /// Passes the style of the current paragraph on to the story.
    fn open_paragraph(&mut self) -> Rc<Resolved> {
        // The default text is set at the first text, when the font table is known.
        if !std::mem::replace(&mut self.has_text, true) {
            self.set_default_text();
        }
        let number = self.state().style.unwrap_or(0);
        let style = self.styles.paragraphs.get(&number);
        let style = style
            .map(|style| style.resolved.clone())
            .unwrap_or_default();
        self.story.open_paragraph(style.clone());
        style
    }

    /// Passes the default formatting of text on to the story: the default font, in the size that the specification
    /// states.
    fn set_default_text(&mut self) {
        let face = self.default_font.and_then(|font| self.fonts.get(&font));
        let name = face.map(|face| &*face.name).filter(|name| !name.is_empty());
        let text = TextStyle {
            font: name.map(Into::into),
            size: Some(Length::points(12.0)),
            ..TextStyle::default()
        };
        self.story.set_default_text(&Resolved {
            text,
            ..Resolved::default()
        });
    }

    /// Passes on the direct formatting of the text that follows: its differences from the style of the paragraph.
    pub(super) fn begin_run(&mut self) {
        let style = self.open_paragraph();
        let latin = self.informative_font();
        let is_code = self.is_code();
        let state = self.state();
        let role = state.character_style;
        // RTF repeats the properties of a style as direct formatting. The run gets only the differences from the
        // style.
        let mut run = state.run.beyond(&style.run);
        run.hidden = state.run.hidden;
        run.latin = latin;
        let role = role.and_then(|number| self.styles.texts.get(&number).copied().flatten());
        if is_code || role == Some(TextRole::Code) {
            run.code = Some(true);
        }
        // The target format has its own formatting for links.
        if role == Some(TextRole::Link) || self.story.is_linked() {
            run.underline = None;
            run.colour = None;
        }
        // The height of a drop cap in lines decides the size of its letter, so the formatting of the letter is dropped.
        if self.state().frame.drop_cap().is_some() {
            run = RunProperties::default();
        }
        self.story.set_run(run);
    }

    /// Returns the font of the text, unless it is the default font of the document, which carries no information.
    /// Symbol fonts always count, because they change the characters.
    pub(super) fn informative_font(&mut self) -> Option<Font> {
        let state = self.state();
        let (own, latin) = (state.font, state.run.latin.clone()?);
        let default = self.default_font;
        let of_default = default.and_then(|font| self.fonts.get(&font));
        let named = |name: &str| of_default.is_some_and(|face| *face.name == *name);
        // The default font may have several numbers.
        let is_default = own == default || latin.name().is_some_and(named);
        let is_symbol = latin.name().is_some_and(is_symbol_font);
        (is_symbol || !is_default).then_some(latin)
    }

    /// Returns whether the next text is code, judging by its fixed-width font. The font carries no information if
    /// the document begins in a fixed-width font.
    fn is_code(&mut self) -> bool {
        let state = self.state();
        let (font, style) = (state.font, state.style.unwrap_or(0));
        let typewriter = |font: Option<i32>| {
            let face = font.and_then(|font| self.fonts.get(&font));
            face.is_some_and(|face| face.typewriter)
        };
        let of_style = self.styles.paragraphs.get(&style);
        let of_style = of_style.and_then(|style| style.font);
        // Code in a style with a fixed-width font has its role from the style.
        let is_monospaced = font != self.default_font && typewriter(font) && !typewriter(of_style);
        let is_document_font = *self.typed.get_or_insert(is_monospaced);
        is_monospaced && !is_document_font
    }

    /// Handles `\par`, the end of a paragraph.
    pub(super) fn end_paragraph(&mut self) -> Result<()> {
        let drop_cap = self.state().frame.drop_cap();
        if drop_cap.is_some() && !self.story.line().is_blank() {
            // The letter of the drop cap becomes the first letter of the next paragraph.
            self.drop_cap = drop_cap;
            return Ok(());
        }
        self.go_to_frame()?;
        self.enter_table()?;
        if let Some(table) = self.open().tables.last_mut() {
            table.after_table = false;
        }
        self.finish_paragraph()
    }

    /// Ends the current paragraph. If a cell is open, it contains the paragraph.
    pub(super) fn finish_paragraph(&mut self) -> Result<()> {
        let label = std::mem::take(&mut self.open().label);
        let style = self.open_paragraph();
        let mut state = self.state().clone();
        state.paragraph.drop_cap = self.drop_cap.take();
        let (item, is_listed) = self.item(&state, &style, &label);
        if !label.trim().is_empty() && (is_listed || item.is_some()) {
            // Some programs also write a space after the group of a label.
            self.story.line().trim_start();
        }
        // A paragraph with the indent of an item continues that item.
        let indent = state.paragraph.indent_start.unwrap_or_default();
        let is_indented = indent > style.paragraph.indent_start.unwrap_or_default();
        let continues = match is_indented && self.story.in_list() {
            true => self.item_at(indent),
            false => None,
        };
        self.story.close_paragraph(Paragraph {
            own: state.paragraph,
            item,
            continues,
            ..Paragraph::default()
        })
    }

    /// Returns the list item that a paragraph begins, unless its list is in the list table. Also returns whether the
    /// paragraph is in a list of the list table.
    fn item(&mut self, state: &State, style: &Resolved, group_label: &str) -> (Option<Item>, bool) {
        let own = &state.paragraph;
        let is_listed = self
            .story
            .lists
            .place(own, &Default::default(), None)
            .is_some();
        // Lists of the list table and of Word 95 (`\pn`) end the open lists whose labels are text.
        if is_listed || state.old_number.is_some() {
            self.open().labels.clear();
        }
        let is_text = matches!(style.role, ParagraphRole::Body | ParagraphRole::ListText);
        let is_heading = matches!(own.outline, Some(0..=8));
        let item = match state.old_number {
            _ if is_listed || self.story.line().is_blank() => None,
            Some(old) => Some(old.item()),
            None if is_text && !is_heading => self.labelled(state, group_label),
            None => None,
        };
        (item, is_listed)
    }

    /// Returns the list item whose label is text: `group_label`, or the beginning of the paragraph, which is then
    /// removed.
    fn labelled(&mut self, state: &State, group_label: &str) -> Option<Item> {
        let indent = state.paragraph.indent_start.unwrap_or_default();
        let first_line = state.paragraph.first_line.unwrap_or_default();
        let in_list = self.story.in_list();
        let Text { labels, .. } = self.texts.last_mut()?;
        // Labels of earlier lists are not continued.
        if !in_list {
            labels.clear();
        }
        let group_label = group_label.trim();
        if !group_label.is_empty() {
            return labels.item(group_label, (indent, first_line), true);
        }
        let line = self.story.line();
        // A label at the beginning of the text needs a hanging indent.
        let label = line.label().filter(|_| first_line < Length::ZERO)?;
        let item = labels.item(label.trim_start(), (indent, first_line), false)?;
        line.cut_label();
        Some(item)
    }

    /// Level of the item that a paragraph with this indent continues.
    fn item_at(&mut self, indent: Length) -> Option<u8> {
        let labels = &self.open().labels;
        if labels.is_open() {
            return labels.level_at(indent);
        }
        // Lists of Word 95 do not state the indents of their items. Half an inch per level is assumed.
        let default = || (indent.to_twips() / 720 - 1).clamp(0, 8) as u8;
        self.story.item_at(indent).or_else(|| Some(default()))
    }

    /// Ends a group: the text, shape or field that began in it, and the destination whose text it collected.
    pub(super) fn end_group(&mut self) -> Result<()> {
        let group = self.states.len();
        // The group may contain a text, such as a note or a header.
        if self.texts.len() > 1 && self.texts.last().is_some_and(|text| text.group == group) {
            if !self.story.line().is_blank() {
                self.end_paragraph()?;
            }
            self.leave_table()?;
            let text = self.texts.pop();
            match text.and_then(|text| text.margin) {
                Some((margin, began)) => self.end_margin(margin, began)?,
                None => self.story.close_text()?,
            }
        }
        // The last paragraph of a document may end with the group of the document. It must end before the group,
        // because its formatting belongs to the group.
        if group == DOCUMENT && self.texts.len() == 1 && !self.story.line().is_blank() {
            self.end_paragraph()?;
        }
        self.end_shape()?;
        let Some(ended) = self.states.pop() else {
            return Ok(());
        };
        if ended.is_field {
            self.story.end_field()?;
        }
        let around = self.state().destination;
        match ended.destination {
            // A picture within the properties of a shape: the shape consists of it or is filled with it.
            Destination::Picture if around == Destination::PropertyValue => {
                let picture = std::mem::take(&mut self.picture);
                self.keep_for_shape(picture);
            }
            // A picture, except a second version of the picture around it.
            Destination::Picture if around != Destination::Picture => {
                let picture = std::mem::take(&mut self.picture);
                if let Some(picture) = picture.finish(&mut self.story.build)? {
                    self.begin_run();
                    self.story.picture(picture);
                }
            }
            // Properties of pictures and shapes: the name precedes the value.
            Destination::PropertyName if around == Destination::Properties => {
                self.picture.property = std::mem::take(&mut self.gathered);
            }
            Destination::PropertyValue if around == Destination::Properties => {
                let value = std::mem::take(&mut self.gathered);
                let name = std::mem::take(&mut self.picture.property);
                // The group of a property is directly in the group of its shape.
                let depth = self.states.len().saturating_sub(1);
                if let Some(shape) = &mut self.shape {
                    shape.set(&name, &value);
                } else if let Some(level) = self.group_at(depth) {
                    level.set(&name, &value);
                } else {
                    self.picture.property = name;
                    self.picture.set_property(&value);
                }
            }
            Destination::Label if around != Destination::Label => {
                self.open().label = std::mem::take(&mut self.gathered);
            }
            Destination::Bookmark if around != Destination::Bookmark => {
                let name = std::mem::take(&mut self.gathered);
                self.story.bookmark(name.trim());
            }
            Destination::ListText if around != Destination::ListText => self.end_level_text(),
            // Definitions and overrides of lists end with their groups.
            Destination::Lists if around == Destination::Lists && ended.in_list => self.end_list(),
            Destination::Overrides if around == Destination::Overrides && ended.in_list => {
                self.end_override()
            }
            Destination::Info if around == Destination::Info => self.end_info(),
            Destination::Fonts | Destination::Styles if ended.destination == around => {
                self.gathered.clear();
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the current section of the main text. Does nothing within any other text, such as a note.
    pub(super) fn end_section(&mut self) -> Result<()> {
        if self.texts.len() > 1 {
            return Ok(());
        }
        self.leave_table()?;
        self.leave_frame()?;
        let page = self.section_page()?;
        self.story.end_section(page)
    }

    /// Ends the last paragraph, table and frame, and sets the page of the last section.
    pub(super) fn end_document(&mut self) -> Result<()> {
        if !self.story.line().is_blank() {
            self.end_paragraph()?;
        }
        self.leave_table()?;
        self.leave_frame()?;
        if let Some(page) = self.section_page()? {
            self.story.build.set_page(page);
        }
        Ok(())
    }
}
