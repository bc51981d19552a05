//! Rules for the place of a node among the open containers, and for a missing container around it. Opens nothing
//! itself.

use super::{
    MAX_BLOCK_DEPTH, MAX_INLINE_DEPTH, Node, ParagraphStyleId, TextStyleId,
    frames::Frame,
    node::{CellShape, Part, Takes},
};

/// Decision on opening a node in the innermost container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Allowed {
    /// Allowed, at this depth.
    At(usize),
    /// Not allowed: the node is left out, but its content stays.
    Nowhere,
    /// Not allowed, because the node is a note inside a note. Its content stays as well.
    NoteInNote,
    /// Not allowed, because the node would be nested too deeply. Its content stays as well.
    TooDeep,
}

impl Allowed {
    fn less(self, by: usize) -> Self {
        match self {
            Self::At(depth) => Self::At(depth - by),
            other => other,
        }
    }
}

/// Returns whether `node` may be opened in the innermost container, which accepts this kind of node, and the depth that
/// it gets there.
pub(super) fn place_of(stack: &[Frame], node: &Node) -> Allowed {
    let around = stack.last().map_or(0, |top| top.depth);
    let in_line = stack.last().is_some_and(|top| top.takes == Takes::Inlines);
    let at = |depth, most| {
        if depth > most {
            Allowed::TooDeep
        } else {
            Allowed::At(depth)
        }
    };
    match node {
        Node::Note(_) | Node::NoteBody(_) if in_note(stack) => Allowed::NoteInNote,
        Node::Note(_) | Node::NoteBody(_) => Allowed::At(0),
        Node::Link { .. } if in_link(stack) => Allowed::Nowhere,
        Node::Span(style) if *style == TextStyleId::default() => Allowed::Nowhere,
        Node::Marked(_) | Node::Span(_) | Node::Link { .. } => {
            at(if in_line { around + 1 } else { 1 }, MAX_INLINE_DEPTH - 1)
        }
        Node::Paragraph(_) | Node::Heading { .. } | Node::Term => Allowed::At(0),
        // Their items, details and cells are one level deeper, so that level has to be allowed, too.
        Node::List { .. } | Node::Definitions | Node::Table { .. } => {
            at(around + 1, MAX_BLOCK_DEPTH).less(1)
        }
        Node::Row { .. } => Allowed::At(around),
        Node::Item { .. }
        | Node::Details
        | Node::Cell(_)
        | Node::Caption
        | Node::Quote
        | Node::Figure { .. }
        | Node::Aside { .. }
        | Node::Speaker
        | Node::Frame(_)
        | Node::Language(_)
        | Node::Regions(_) => at(around + 1, MAX_BLOCK_DEPTH),
    }
}

/// Returns whether the innermost container is in a note.
pub(super) fn in_note(stack: &[Frame]) -> bool {
    let open = stack.iter().rev();
    let mut open = open.take_while(|frame| frame.node.is_some());
    open.any(|frame| matches!(frame.node, Some(Node::Note(_) | Node::NoteBody(_))))
}

fn in_link(stack: &[Frame]) -> bool {
    let open = stack.iter().rev();
    let mut open = open.take_while(|frame| frame.takes == Takes::Inlines);
    open.any(|frame| matches!(frame.node, Some(Node::Link { .. })))
}

/// The container that is missing between `node` and an open container that `takes` other nodes, if it is obvious: an
/// item in a list, a row and a cell in a table, details in a definition list, a paragraph around inlines.
pub(super) fn missing(takes: Takes, node: &Node) -> Option<Node> {
    let row = Node::Row {
        part: Part::Body,
        height: None,
    };
    match (node.is(), takes) {
        (Some(Takes::Cells), Takes::Rows) => Some(row),
        (Some(Takes::Blocks | Takes::Inlines), Takes::Items) => Some(Node::Item {
            task: None,
            label: None,
        }),
        (Some(Takes::Blocks | Takes::Inlines), Takes::TermsAndDetails) => Some(Node::Details),
        (Some(Takes::Blocks | Takes::Inlines), Takes::Rows) => Some(row),
        (Some(Takes::Blocks | Takes::Inlines), Takes::Cells) => {
            Some(Node::Cell(CellShape::default()))
        }
        (Some(Takes::Inlines), Takes::Blocks) => Some(Node::Paragraph(ParagraphStyleId::default())),
        _ => None,
    }
}
