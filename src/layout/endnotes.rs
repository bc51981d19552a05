//! Notes that are set at the end of a section or of the document. Does not number them.

use super::{
    context::{Flow, Layout, Place},
    pages::Pages,
    structure::NodeId,
};
use crate::error::Result;
use convertd_tree::Block;

impl Layout<'_> {
    /// Sets the notes that belong at the end of a section, and those of the whole document at its last section.
    pub(crate) fn notes_at_end(
        &mut self,
        pages: &mut Pages<'_, '_>,
        place: &Place,
        is_last: bool,
    ) -> Result<()> {
        let all = self.notes.take_ended(is_last);
        if all.is_empty() {
            return Ok(());
        }
        let around = self.note_place.take();
        let mut flow = Flow::new(pages);
        flow.space(10.0);
        self.blocks(&[Block::Rule], place, &mut flow)?;
        for id in all {
            let label = self.notes.label(id).to_owned();
            for strip in self.set_note(id, &label, place, NodeId::DOCUMENT)? {
                flow.put(place, strip)?;
            }
        }
        self.note_place = around;
        Ok(())
    }
}
