//! Styles of paragraphs, the table of contents, and lists that are closed and opened again (OpenDocument 1.3, part 3, 5
//! and 8.3).
//!
//! The trap is that a list item cannot contain a table. Before a table inside a list, all open lists are closed. If
//! more content of these lists follows the table, they are opened again and continue their numbers.

use super::{automatic::StyleFamily, context::Odt, properties, styles::name};
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use, without,
    write::{Containers, blocks},
};
use convertd_tree::{
    Alignment, Block, Direction, ParagraphStyle, ParagraphStyleId, TextStyle, contents::Entry,
};

impl<'a> Odt<'a> {
    /// Returns the style of a paragraph: a common style, or an automatic style if the formatting of the paragraph
    /// differs from the common style.
    pub(super) fn style_name(&mut self, place: Use, own: ParagraphStyleId) -> String {
        let context = &self.context;
        let (id, base) = context.styles.style(place, own, context.document);
        let base = base.clone();
        let common = name(&context.styles.all[context.styles.built_in(id)]);
        let mut own = context.styles.look(place, own, context.document).clone();
        // The list style determines the indents of an item, so the paragraphs in it state none.
        if !self.lists.all.is_empty() {
            own.indent_start = None;
            own.first_line = None;
        }
        // The alignment of the table cell applies to paragraphs that state no alignment.
        let of_cell = context.place.alignment;
        let of_cell = of_cell.filter(|side| *side != Alignment::Start);
        own.alignment = own.alignment.or(of_cell);
        if context.place.right_to_left {
            own.direction = own.direction.or(Some(Direction::RightToLeft));
        }
        self.automatic_name(&common, &own, &base)
    }

    /// Returns the style of a paragraph with this formatting, and takes over a pending page break or master page.
    fn automatic_name(
        &mut self,
        common: &str,
        own: &ParagraphStyle,
        base: &ParagraphStyle,
    ) -> String {
        let mut paragraph_attributes = Vec::new();
        if std::mem::take(&mut self.context.break_pending) && !own.page_break_before {
            paragraph_attributes.push(("fo:break-before", "page".to_owned()));
        }
        // The language of the enclosing group of blocks applies to text without its own.
        let text = TextStyle {
            language: own
                .text
                .language
                .clone()
                .or(self.context.place.language.clone()),
            ..own.text.clone()
        };
        let text = without(text, &base.text);
        let master = self.master_pending.take();
        if let Some(number) = master.as_ref().and_then(|master| master.number) {
            paragraph_attributes.push(("style:page-number", number.to_string()));
        }
        let properties = properties::paragraph(own, base, &paragraph_attributes)
            + &properties::text_of_paragraph(&text, None, self.hyphenation(own, base));
        // Without differences, the common style suffices.
        if properties.is_empty() && master.is_none() {
            return common.to_owned();
        }
        let mut attributes = vec![("style:parent-style-name", common)];
        if let Some(master) = &master {
            attributes.push(("style:master-page-name", &master.name));
        }
        self.automatic
            .name(StyleFamily::Paragraph, &attributes, &properties)
    }

    /// Opens closed lists again, to continue the current item.
    pub(super) fn reopen_lists(&mut self) {
        if self.lists.is_closed {
            self.open_again("text:list-header");
        }
    }

    /// Opens lists again after content that cannot be in them, with continued numbers. `innermost` is the name of the
    /// element for the innermost item: `text:list-item`, or `text:list-header`, which has no label.
    pub(super) fn open_again(&mut self, innermost: &'static str) {
        self.lists.is_closed = false;
        let last = self.lists.all.len().saturating_sub(1);
        for (at, list) in self.lists.all.iter().enumerate() {
            self.xml
                .start("text:list")
                .attribute("text:style-name", &list.style)
                .attribute("text:continue-numbering", "true");
            self.xml.start(match at == last {
                true => innermost,
                false => "text:list-header",
            });
        }
    }

    /// Closes all open lists, before a block that cannot be in a list.
    pub(super) fn leave_lists(&mut self) {
        if !self.lists.is_closed {
            for _ in &self.lists.all {
                self.xml.end().end();
            }
        }
        self.lists.is_closed = !self.lists.all.is_empty();
    }

    /// Writes a table of contents with links to the headings (part 3, 8.3).
    pub(super) fn contents(&mut self, entries: &[Entry]) {
        if entries.is_empty() {
            return;
        }
        let xml = &mut self.xml;
        xml.start("text:table-of-content")
            .attribute("text:name", "Contents");
        xml.start("text:table-of-content-source")
            .attribute("text:outline-level", "3")
            .end();
        xml.start("text:index-body");
        self.entries(entries, 1);
        self.xml.end().end();
    }

    /// Writes entries of the table of contents. Styles exist for three levels; deeper levels have the style of
    /// the third.
    fn entries(&mut self, entries: &[Entry], level: u8) {
        for entry in entries {
            let style = format!("Contents_20_{level}");
            self.space = true;
            let xml = &mut self.xml;
            xml.start("text:p").attribute("text:style-name", style);
            xml.start("text:a")
                .attribute("xlink:type", "simple")
                .attribute("xlink:href", format!("#{}", entry.id));
            self.plain_text(&entry.text);
            self.xml.end().end();
            self.entries(&entry.below, (level + 1).min(3));
        }
    }

    /// Writes a separate text, such as a note or a header. An empty text gets a paragraph, as the schema requires.
    pub(super) fn separate_text(&mut self, place: Use, all: &'a [Block]) -> Result<()> {
        // The text has its own place and lists.
        let around = std::mem::replace(&mut self.context.place, Containers::of(place));
        let lists = std::mem::take(&mut self.lists);
        let space = self.space;
        let before = self.xml.len();
        blocks(self, all)?;
        if self.xml.len() == before {
            self.xml.start("text:p").end();
        }
        self.context.place = around;
        self.lists = lists;
        self.space = space;
        Ok(())
    }
}
