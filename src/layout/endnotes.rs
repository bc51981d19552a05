//! Notes that are set at the end of a section or of the document. Does not number them.

use super::{
    context::{BlockContext, Flow, Layout},
    pages::Pages,
    structure::NodeId,
};
use crate::error::Result;
use convertd_tree::Block;

impl Layout<'_> {
    /// Sets the notes that belong at the end of a section. If `is_last` is true, also sets those that belong at the end
    /// of the document.
    pub(crate) fn notes_at_end(
        &mut self,
        pages: &mut Pages<'_, '_>,
        context: &BlockContext,
        is_last: bool,
    ) -> Result<()> {
        let all = self.notes.take_ended(is_last);
        if all.is_empty() {
            return Ok(());
        }
        let around = self.note_place.take();
        let mut flow = Flow::new(pages);
        flow.space(10.0);
        self.blocks(&[Block::Rule], context, &mut flow)?;
        for id in all {
            let label = self.notes.label(id).to_owned();
            for slice in self.set_note(id, &label, context, NodeId::DOCUMENT)? {
                flow.put(context, slice)?;
            }
        }
        self.note_place = around;
        Ok(())
    }
}
