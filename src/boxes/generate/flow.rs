//! A block container while its content is collected: pieces of lines between block-level children (CSS 2.2, 9.2.1.1).

use super::Generator;
use crate::tree::{BoxContent, BoxId, Inlines, Piece, Span};
use convertd_layout::structure::NodeId as StructureId;
use convertd_markup::{
    css::style::{Display, Style, made},
    dom::NodeId,
};
use std::rc::Rc;

/// A block container under construction.
pub(crate) struct Flow {
    /// Style of the container.
    pub style: Rc<Style>,
    /// Finished block-level children.
    pub blocks: Vec<BoxId>,
    /// Spans of the inline content after the last of these children.
    pub spans: Vec<Span>,
    /// Pieces of the same inline content, in document order.
    pub pieces: Vec<Piece>,
    /// Indexes of the open spans, outermost first.
    pub open: Vec<usize>,
    /// Names of link targets between the blocks, each with the number of finished blocks before it.
    targets: Vec<(usize, Rc<str>)>,
}

impl Flow {
    /// Begins an empty container.
    pub(crate) fn new(style: Rc<Style>) -> Self {
        let mut flow = Self {
            style,
            blocks: Vec::new(),
            spans: Vec::new(),
            pieces: Vec::new(),
            open: Vec::new(),
            targets: Vec::new(),
        };
        flow.begin();
        flow
    }

    /// Takes the collected inline content. Excess capacity is released: documents have many short
    /// lines.
    fn inlines(&mut self) -> Inlines {
        let mut inlines = Inlines {
            spans: std::mem::take(&mut self.spans),
            pieces: std::mem::take(&mut self.pieces),
            first: None,
        };
        inlines.spans.shrink_to_fit();
        inlines.pieces.shrink_to_fit();
        inlines
    }

    /// Begins inline content with the root inline box, span 0.
    pub(crate) fn begin(&mut self) {
        self.spans = vec![Span {
            style: self.style.clone(),
            parent: None,
            dom: None,
            node: StructureId::DOCUMENT,
            link: None,
            begins: false,
            ends: false,
        }];
    }

    /// Index of the innermost open span; 0 (the root) if no span is open.
    pub(crate) fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    /// Returns whether an inline element is open.
    pub(crate) fn is_in_element(&self) -> bool {
        self.open.iter().any(|span| self.spans[*span].dom.is_some())
    }

    /// Opens a span. `begins` is `false` if the span continues an element after a block.
    pub(crate) fn open(&mut self, style: Rc<Style>, dom: Option<NodeId>, begins: bool) {
        let parent = Some(self.current());
        self.spans.push(Span {
            style,
            parent,
            dom,
            node: StructureId::DOCUMENT,
            link: None,
            begins,
            ends: true,
        });
        let span = self.spans.len() - 1;
        self.pieces.push(Piece::Open(span));
        self.open.push(span);
    }

    /// Closes the innermost open span.
    pub(crate) fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.pieces.push(Piece::Close(span));
        }
    }

    /// Adds text to the innermost open span.
    pub(crate) fn text(&mut self, text: String) {
        if !text.is_empty() {
            let span = self.current();
            self.pieces.push(Piece::Text(text, span));
        }
    }
}

impl Generator<'_, '_> {
    /// Finishes a block container. It gets lines if it has inline content only and is no flex or grid container, and
    /// otherwise blocks. Flex and grid items are sorted by `order`.
    pub(crate) fn finish(&mut self, mut flow: Flow, dom: Option<NodeId>) -> BoxId {
        let items = flow.style.has_items();
        // With inline content only, the box is an inline formatting context.
        if flow.blocks.is_empty() && !items {
            let inlines = flow.inlines();
            // Content of floats alone stays inline, too: the layout of lines places floats.
            return self
                .boxes
                .add(flow.style, BoxContent::Lines(Rc::new(inlines)), dom);
        }
        self.wrap_lines(&mut flow, false);
        // A target without text around it becomes that of the next block, or of the last one if no block follows.
        for (before, name) in std::mem::take(&mut flow.targets) {
            if let Some(block) = flow.blocks.get(before).or(flow.blocks.last()) {
                self.boxes.get_mut(*block).anchors.push(name);
            }
        }
        // Items are laid out by their values of `order`. Items with equal values stay in document order (CSS Flexbox 1,
        // 5.4).
        if items {
            let order = |id: &BoxId| self.boxes.get(*id).style.order;
            flow.blocks.sort_by_key(order);
        }
        // Spanning elements deep in the content move up to the container.
        if flow.style.column_count.is_some() || flow.style.column_width.is_some() {
            flow.blocks = self.spanners_out(flow.blocks, 0);
        }
        self.boxes
            .add(flow.style, BoxContent::Blocks(flow.blocks), dom)
    }

    /// Wraps the collected inline content in an anonymous block (CSS 2.2, 9.2.1.1). With `continues`, the open elements
    /// continue after it in another block. Then their end edges are not drawn in this block, and their start edges are
    /// not drawn in the next block.
    pub(crate) fn wrap_lines(&mut self, flow: &mut Flow, continues: bool) {
        let open: Vec<(Rc<Style>, Option<NodeId>)> = flow
            .open
            .iter()
            .map(|span| (flow.spans[*span].style.clone(), flow.spans[*span].dom))
            .collect();
        // An element that is broken by a block has no end edge before the block.
        if continues {
            for span in flow.open.clone() {
                flow.spans[span].ends = false;
            }
        }
        // Spans cannot cross blocks, so the open ones are closed here and opened again after the block.
        while !flow.open.is_empty() {
            flow.close();
        }
        let inlines = flow.inlines();
        flow.begin();
        if !inlines.is_empty() {
            let style = made(|| flow.style.inherited(Display::Block));
            let id = self
                .boxes
                .add(style, BoxContent::Lines(Rc::new(inlines)), None);
            flow.blocks.push(id);
        } else {
            // Out-of-flow boxes and link targets without text need no line. The boxes become children of the block
            // flow.
            for piece in inlines.pieces {
                match piece {
                    Piece::Float(id) | Piece::Absolute(id) => flow.blocks.push(id),
                    Piece::Anchor(name) => flow.targets.push((flow.blocks.len(), name)),
                    _ => {}
                }
            }
        }
        for (style, dom) in open {
            flow.open(style, dom, false);
        }
    }
}
