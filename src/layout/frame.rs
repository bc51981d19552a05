//! Sets blocks in a frame of a given width: a text box, a cell, a header or a footer. Does not break content over
//! pages.

use super::{
    context::{BlockContext, Flow, LIST_INDENT, Layout, SliceCollector},
    float::ReferenceAreas,
    item::Slice,
    medium::Placed,
    rows::row_items,
    structure::NodeId,
    text_format::TextFormat,
};
use crate::error::Result;
use convertd_tree::{Alignment, Block, Document, Typesetter};
use std::rc::Rc;

impl Layout<'_> {
    /// Sets blocks, one below another. [`height`](super::item::height) returns their total height.
    pub fn frame(&mut self, blocks: &[Block], context: &BlockContext) -> Result<Vec<Slice>> {
        self.frame_and_after(blocks, context)
            .map(|(slices, _)| slices)
    }

    /// Sets blocks, and returns their slices and the space below the last block, in points.
    pub(crate) fn frame_and_after(
        &mut self,
        blocks: &[Block],
        context: &BlockContext,
    ) -> Result<(Vec<Slice>, f32)> {
        let mut collector = SliceCollector::new(
            self.memory,
            ReferenceAreas::within(context.left, context.width),
        );
        let mut flow = Flow::new(&mut collector);
        self.blocks(blocks, context, &mut flow)?;
        let after = flow.after;
        Ok((collector.finish(), after))
    }

    /// Default formatting of the document's text.
    pub fn base(&mut self) -> Rc<TextFormat> {
        let mut text_format = TextFormat::plain();
        if self.document.typesetter == Typesetter::Word {
            // Word kerns letters and joins them in ligatures only where a document asks for it.
            text_format.kerned_from = None;
            text_format.ligated = false;
        }
        text_format.language = self.document.metadata.language.as_deref().map(Rc::from);
        Rc::new(self.text_format(&text_format, &self.document.text))
    }
}

impl BlockContext {
    /// A column of this width, in points, with this default formatting.
    pub fn new(document: &Document, text_format: Rc<TextFormat>, width: f32) -> Self {
        Self {
            left: 0.0,
            width,
            // Documents from Word state the space below every paragraph. Other documents get this program's own default
            // of 0.64 em.
            after: match document.typesetter {
                Typesetter::Own | Typesetter::Writer => text_format.size * 0.64,
                Typesetter::Word => 0.0,
            },
            overlap: document.spaces_overlap,
            direction: text_format.direction,
            text_format,
            node: NodeId::DOCUMENT,
            alignment: Alignment::Start,
            list_indent: LIST_INDENT,
            list_left: None,
            bars: Vec::new(),
            lists: 0,
            numbers: Vec::new(),
            background: None,
        }
    }
}

/// Places slices one below the other, downwards from a point of the page. The space above the first slice is omitted.
pub fn stacked(slices: Vec<Slice>, x: f32, mut y: f32) -> Vec<Placed> {
    let mut stacked = Vec::with_capacity(slices.len());
    for (at, slice) in slices.into_iter().enumerate() {
        let before = if at == 0 { 0.0 } else { slice.before };
        y += before;
        let frames = slice.frames.iter();
        let mut items: Vec<_> = frames
            .map(|frame| frame.draw(0.0, slice.height, before))
            .collect();
        items.extend(slice.items);
        if let Some(row) = &slice.row {
            items.extend(row_items(row, slice.height));
        }
        stacked.push(Placed { x, y, items });
        y += slice.height;
    }
    stacked
}
