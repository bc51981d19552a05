//! Fields and links (see [`WordField`]): decides which part of a field is shown, and which link contains the next text.

use super::{state::Story, text::Within};
use crate::{
    error::Result,
    wordprocessing::{
        fields::{FieldMeaning, WordField},
        line::Formatting,
        script::Script,
        symbol::in_symbol_font,
    },
};
use convertd_tree::Field;

/// Max. number of open fields. Each run checks all of them, so a file with many fields that never end would take
/// quadratic time.
const MAX_FIELDS: usize = 64;

impl Story<'_> {
    /// Begins a link around the next text.
    pub fn open_link(&mut self, target: impl Into<Box<str>>, title: impl Into<Box<str>>) {
        self.links.push((target.into(), title.into()));
    }

    /// Ends the innermost link.
    pub fn close_link(&mut self) {
        self.links.pop();
    }

    /// Begins a field. Its instruction follows.
    pub fn begin_field(&mut self) {
        if self.fields.len() < MAX_FIELDS {
            self.fields.push(WordField::default());
        } else {
            self.fields_beyond += 1;
        }
    }

    /// Adds text to the instruction of the innermost field.
    pub fn instruct(&mut self, text: &str) {
        if let Some(field) = self.fields.last_mut().filter(|_| self.fields_beyond == 0) {
            field.instruct(text);
        }
    }

    /// Ends the instruction of the innermost field. Its result follows.
    pub fn begin_result(&mut self) -> Result<()> {
        if self.fields_beyond > 0 {
            return Ok(());
        }
        let Some(mut field) = self.fields.pop() else {
            return Ok(());
        };
        self.interpret(&mut field);
        if !field.is_reference() {
            self.show_field(&field.meaning)?;
        }
        self.fields.push(field);
        Ok(())
    }

    /// Parses the instruction of a field.
    fn interpret(&self, field: &mut WordField) {
        field.begin_result();
        // References to styles depend on the page only in headers and footers. In other texts, the stored result is
        // shown.
        let in_margin = || self.texts.iter().any(|text| text.within == Within::Margin);
        if field.is_reference() && !in_margin() {
            field.meaning = FieldMeaning::Result;
        }
    }

    /// Ends the innermost field.
    pub fn end_field(&mut self) -> Result<()> {
        if self.fields_beyond > 0 {
            self.fields_beyond -= 1;
            return Ok(());
        }
        match self.fields.pop() {
            Some(mut field) if !field.in_result => {
                self.interpret(&mut field);
                self.show_field(&field.meaning)
            }
            Some(field) if field.is_reference() => self.show_field(&field.ended()),
            _ => Ok(()),
        }
    }

    /// Adds the check box of a form field. The file states it inside the instruction of the field, which has no
    /// result.
    pub fn check_box(&mut self, ticked: bool) -> Result<()> {
        self.choice(if ticked { "\u{2612}" } else { "\u{2610}" })
    }

    /// Adds the selected value of a form field, which the file also states inside the instruction.
    pub fn choice(&mut self, words: &str) -> Result<()> {
        // The text is added outside the field, because instructions are not shown.
        let field = self.fields.pop();
        self.text(words)?;
        self.fields.extend(field);
        Ok(())
    }

    /// Adds a field that depends on the layout, such as the page number.
    pub fn layout_field(&mut self, field: Field) -> Result<()> {
        if self.shows() {
            let look = self.look(Script::Latin)?;
            self.line().field(look, field);
        }
        Ok(())
    }

    /// Adds the content that a field shows in place of its result, if any.
    fn show_field(&mut self, meaning: &FieldMeaning) -> Result<()> {
        match meaning {
            FieldMeaning::Layout(field) => self.layout_field(field.clone()),
            FieldMeaning::Symbol(c, font) => self.symbol(font, *c),
            FieldMeaning::Text(text) => self.text(text),
            FieldMeaning::Ruby(base, above) => self.ruby(base, above),
            FieldMeaning::Result | FieldMeaning::Link(_) | FieldMeaning::Nothing => Ok(()),
        }
    }

    /// Adds a character of a symbol font.
    pub fn symbol(&mut self, font: &str, c: char) -> Result<()> {
        let c = in_symbol_font(font, c);
        self.text(c.encode_utf8(&mut [0; 4]))
    }

    /// Returns whether the next text is in a link.
    pub fn is_linked(&self) -> bool {
        let links =
            |field: &WordField| field.in_result && matches!(field.meaning, FieldMeaning::Link(_));
        !self.links.is_empty() || self.fields.iter().any(links)
    }

    /// Returns whether the next content is visible. Hidden text, instructions, results that are replaced, and the
    /// content of fields beyond the limit are not visible.
    pub(super) fn shows(&self) -> bool {
        let shown = |field: &WordField| {
            let by_result = matches!(field.meaning, FieldMeaning::Result | FieldMeaning::Link(_));
            field.in_result && by_result
        };
        !self.is_hidden() && self.fields_beyond == 0 && self.fields.iter().all(shown)
    }

    /// Removes fields whose instructions have not ended at the end of a paragraph, and fields beyond the limit. They
    /// would hide the rest of the document.
    pub(super) fn drop_unfinished_fields(&mut self) {
        self.fields.retain(|field| field.in_result);
        self.fields_beyond = 0;
    }

    /// Adds the innermost open link to a formatting. Links of [`Self::open_link`] have priority over those of fields.
    pub(super) fn linked(&mut self, look: Formatting) -> Formatting {
        let of_field = |field: &WordField| match &field.meaning {
            FieldMeaning::Link(target) if field.in_result => Some(target.clone()),
            _ => None,
        };
        let link = match self.links.last() {
            Some(link) => Some(link.clone()),
            None => {
                let target = self.fields.iter().rev().find_map(of_field);
                target.map(|target| (target, Box::default()))
            }
        };
        Formatting {
            link: link.map(|(target, title)| self.line().link(&target, &title)),
            ..look
        }
    }
}
