//! Text boxes (MS-DOC 2.8.27, 2.8.30, 2.9.100): which text belongs to which drawing, by the number of its shape. Reads no drawings.

use super::{
    fib::{Part, Table},
    plex::Plex,
    read::Doc,
};
use std::{collections::HashMap, ops::Range};

/// Bytes of the records of a drawing and of a text.
const DRAWING: usize = 26;
const TEXT: usize = 22;

/// The text boxes of a document.
pub(super) struct Boxes {
    /// The shapes by the CPs where they are anchored.
    shapes: HashMap<u32, u32>,
    /// The texts by the numbers of their shapes.
    texts: HashMap<u32, Range<u32>>,
}

impl Boxes {
    /// Reads which boxes there are.
    pub(super) fn read(doc: &Doc<'_>) -> Self {
        let mut boxes = Self {
            shapes: HashMap::new(),
            texts: HashMap::new(),
        };
        boxes.add(
            doc,
            (Part::Main, Table::Shapes),
            (Part::Boxes, Table::BoxTexts),
        );
        boxes.add(
            doc,
            (Part::Headers, Table::HeaderShapes),
            (Part::HeaderBoxes, Table::HeaderBoxTexts),
        );
        boxes
    }

    fn add(&mut self, doc: &Doc<'_>, anchors: (Part, Table), texts: (Part, Table)) {
        let plex = Plex::new(doc.table(anchors.1), DRAWING);
        let start = doc.fib.part(anchors.0).start;
        for at in 0..plex.len() {
            let anchor = start.saturating_add(plex.position(at));
            self.shapes.insert(anchor, plex.record(at).u32(0));
        }
        let plex = Plex::new(doc.table(texts.1), TEXT);
        for at in 0..plex.len() {
            let text = doc.within(texts.0, plex.position(at), plex.position(at + 1));
            // A text of a mark alone is that of an empty box.
            if text.len() > 1 {
                self.texts.insert(plex.record(at).u32(14), text);
            }
        }
    }

    /// The texts of the drawing that is anchored at a CP.
    pub(super) fn anchored(&mut self, at: u32) -> Vec<Range<u32>> {
        let shape = self.shapes.get(&at);
        let text = shape.and_then(|shape| self.texts.remove(shape));
        text.into_iter().collect()
    }

    /// The texts of the main text that nothing refers to, in their order.
    pub(super) fn left_over(&mut self, doc: &Doc<'_>) -> Vec<Range<u32>> {
        let part = doc.fib.part(Part::Boxes);
        if doc.fib.is_old {
            let text = doc.within(Part::Boxes, 0, u32::MAX);
            return if text.len() > 1 {
                vec![text]
            } else {
                Vec::new()
            };
        }
        let texts = std::mem::take(&mut self.texts).into_values();
        let mut texts: Vec<_> = texts.filter(|text| part.contains(&text.start)).collect();
        texts.sort_by_key(|text| text.start);
        texts
    }
}
