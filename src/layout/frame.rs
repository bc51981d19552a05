//! Sets blocks in a frame of a given width: a text box, a cell, a header or a footer. Does not break content over
//! pages.

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
    /// Sets blocks, one below another. Their total height is [`height`](super::item::height).
    pub fn frame(&mut self, blocks: &[Block], place: &Place) -> Result<Vec<Strip>> {
        self.frame_and_after(blocks, place)
            .map(|(strips, _)| strips)
    }

    /// Sets blocks, and returns their strips and the space below the last block, in points.
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

    /// Default formatting of the document's text.
    pub fn base(&mut self) -> Rc<Look> {
        let mut look = Look::plain();
        if self.document.typesetter == Typesetter::Word {
            // Word kerns letters and joins them in ligatures only where a document asks for it.
            look.kerned_from = None;
            look.ligated = false;
        }
        look.language = self.document.metadata.language.as_deref().map(Rc::from);
        Rc::new(self.look(&look, &self.document.text))
    }
}

impl Place {
    /// A column of this width, in points, with this default formatting.
    pub fn new(document: &Document, look: Rc<Look>, width: f32) -> Self {
        Self {
            left: 0.0,
            width,
            // Documents from Word state the space below every paragraph. Other documents get this program's own default
            // of 0.64 em.
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
            ground: None,
        }
    }
}

/// Places strips one below the other, downwards from a point of the page. The space above the first strip is omitted.
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
