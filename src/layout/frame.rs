//! Blocks in a frame of a given width: a text box, a cell, the margin of a page. Breaks nothing over pages.

use super::{
    context::{Flow, Kept, LIST_INDENT, Layout, Place},
    float::Ground,
    item::Strip,
    look::Look,
    medium::Placed,
    rows::row_items,
    structure::NodeId,
};
use crate::error::Result;
use convertd_tree::{Alignment, Block, Document, Typesetter};
use std::rc::Rc;

impl Layout<'_> {
    /// Sets blocks in a frame, one below another. How high they are together is said by [`height`](super::item::height).
    pub fn frame(&mut self, blocks: &[Block], place: &Place) -> Result<Vec<Strip>> {
        self.frame_and_after(blocks, place)
            .map(|(strips, _)| strips)
    }

    /// The same, and the room that the last of them wants below itself.
    pub(crate) fn frame_and_after(
        &mut self,
        blocks: &[Block],
        place: &Place,
    ) -> Result<(Vec<Strip>, f32)> {
        let mut kept = Kept::new(self.memory, Ground::within(place.left, place.width));
        let mut flow = Flow::new(&mut kept);
        self.blocks(blocks, place, &mut flow)?;
        let after = flow.after;
        Ok((kept.finish(), after))
    }

    /// Text by default.
    pub fn base(&mut self) -> Rc<Look> {
        let mut look = Look::plain();
        if self.document.typesetter == Typesetter::Word {
            // It joins letters only where a document asks for it.
            look.kerned_from = None;
            look.ligated = false;
        }
        look.language = self.document.metadata.language.as_deref().map(Rc::from);
        Rc::new(self.look(&look, &self.document.text))
    }
}

impl Place {
    /// A column of this width in points, whose text looks so by default.
    pub fn new(document: &Document, look: Rc<Look>, width: f32) -> Self {
        Self {
            left: 0.0,
            width,
            // What Word writes says of every paragraph how much room is below it.
            after: match document.typesetter {
                Typesetter::Own | Typesetter::Writer => look.size * 0.64,
                Typesetter::Word => 0.0,
            },
            overlap: document.spaces_overlap,
            direction: look.direction,
            look,
            node: NodeId::DOCUMENT,
            alignment: Alignment::Start,
            list_indent: LIST_INDENT,
            list_left: None,
            bars: Vec::new(),
            lists: 0,
            numbers: Vec::new(),
            silent: false,
        }
    }
}

/// Strips one below the other, from a point of the page downwards.
pub fn stacked(strips: Vec<Strip>, x: f32, mut y: f32) -> Vec<Placed> {
    let mut stacked = Vec::with_capacity(strips.len());
    for (at, strip) in strips.into_iter().enumerate() {
        let before = if at == 0 { 0.0 } else { strip.before };
        y += before;
        let frames = strip.frames.iter();
        let mut items: Vec<_> = frames
            .map(|frame| frame.draw(0.0, strip.height, before))
            .collect();
        items.extend(strip.items);
        if let Some(row) = &strip.row {
            items.extend(row_items(row, strip.height));
        }
        stacked.push(Placed { x, y, items });
        y += strip.height;
    }
    stacked
}
