//! Headers and footers (RTF 1.9.1, "Headers and Footers"): their texts, and the page setup of a section. Reads no
//! text itself.

use super::{margin::Margin, reader::RtfReader, state::Destination, text::Text};
use crate::error::Result;
use convertd_tree::PageSetup;

impl RtfReader<'_> {
    /// Begins a header or footer in the current group.
    pub(super) fn begin_margin(&mut self, margin: Margin) {
        self.story.open_margin();
        self.texts.push(Text {
            group: self.states.len(),
            margin: Some((margin, self.tokens.left())),
            ..Text::default()
        });
        let state = self.state();
        state.plain();
        state.plain_paragraph();
        state.destination = Destination::Text;
    }

    /// Ends a header or footer. `began` is the number of bytes that were left in the file at its beginning.
    pub(super) fn end_margin(&mut self, margin: Margin, began: usize) -> Result<()> {
        let blocks = self.story.close_margin()?;
        let size = began.saturating_sub(self.tokens.left()) as u64;
        self.headers_footers.set(margin, blocks, size);
        Ok(())
    }

    /// Page setup of the section that ends. `None` if the file states no paper (`states_paper`), headers or footers,
    /// and the section has no other property of pages.
    pub(super) fn section_page(&mut self) -> Result<Option<PageSetup>> {
        let own = &self.headers_footers;
        let mut page = PageSetup {
            first_number: self.paged.first_number(),
            borders: self.paged.borders(&self.colours),
            notes: self.notes.setups(self.story.build.note_setups),
            ..self.paper.clone()
        };
        if !self.states_paper && own.is_empty() && page == PageSetup::default() {
            return Ok(None);
        }
        self.dimensions.apply(&mut page);
        page.headers = own.shown(&own.headers);
        page.footers = own.shown(&own.footers);
        // Each section of the tree has copies of the headers and footers, which the builder does not count. 16 is an
        // estimate of the bytes in the tree per byte of the file.
        let held = own.size().saturating_mul(16);
        self.story.hold(held)?;
        Ok(Some(page))
    }
}
