//! The open nodes of a builder: their content so far, and the result of closing them. Decides nothing about depth or
//! memory; the builder does.

use super::{
    Alignment, Block, Cell, Column, Definition, Group, GroupKind, Heading, Inline, Item, Link,
    List, Node, NoteId, NoteKind, Paragraph, Part, Row, Table, Width, node::Takes, table,
};

/// An open node.
#[derive(Debug)]
pub(super) struct Frame {
    /// The node. `None` for the document itself and for fragments.
    pub(super) node: Option<Node>,
    pub(super) takes: Takes,
    /// Whether the builder opened the node implicitly, and will also close the node.
    pub(super) implicit: bool,
    /// For each open inner node that is left out of the tree, because it is misplaced or too deep: whether it begins
    /// and ends a line.
    pub(super) flat: Vec<bool>,
    /// Whether the next inline begins a new line.
    pub(super) breaks: bool,
    /// Number of blocks around the blocks of this frame, or of inlines around its inlines.
    pub(super) depth: usize,
    pub(super) content: Content,
}

/// The content of an open node so far.
#[derive(Debug)]
pub(super) enum Content {
    Blocks {
        blocks: Vec<Block>,
        /// The caption, if the node is a figure.
        caption: Vec<Block>,
    },
    Inlines(Vec<Inline>),
    Items(Vec<Item>),
    Definitions(Vec<Definition>),
    Table(Box<Table>),
    Cells(Vec<Cell>),
}

/// Result of closing a node.
pub(super) enum Product {
    Block(Block),
    Inline(Inline),
    Item(Item),
    Term(Vec<Inline>),
    Details(Vec<Block>),
    Caption(Vec<Block>),
    Row(Part, Row),
    Cell(Cell),
    Note(NoteId, Vec<Block>),
    InlineNote(NoteKind, Vec<Block>),
    /// Nothing, because the node was empty.
    Nothing,
}

impl Frame {
    /// Opens a node. `node` is `None` for the document itself and for fragments.
    pub(super) fn new(node: Option<Node>, depth: usize, implicit: bool) -> Self {
        let takes = node.as_ref().map_or(Takes::Blocks, Node::takes);
        Self {
            content: match takes {
                Takes::Blocks => Content::Blocks {
                    blocks: Vec::new(),
                    caption: Vec::new(),
                },
                Takes::Inlines => Content::Inlines(Vec::new()),
                Takes::Items => Content::Items(Vec::new()),
                Takes::TermsAndDetails => Content::Definitions(Vec::new()),
                Takes::Rows => Content::Table(Box::default()),
                Takes::Cells => Content::Cells(Vec::new()),
            },
            node,
            takes,
            implicit,
            flat: Vec::new(),
            breaks: false,
            depth,
        }
    }

    /// Returns whether this node can directly hold `node`.
    pub(super) fn accepts(&self, node: &Node) -> bool {
        match node {
            Node::Caption if matches!(self.node, Some(Node::Figure { .. })) => true,
            _ => node.is().is_none_or(|kind| kind == self.takes),
        }
    }

    /// Adds the result of a closed node, which [`accepts`](Self::accepts) has admitted. Returns the additional memory
    /// in bytes.
    pub(super) fn take(&mut self, product: Product) -> usize {
        match (&mut self.content, product) {
            (Content::Blocks { blocks, .. }, Product::Block(block)) => push(blocks, block),
            (Content::Blocks { caption, .. }, Product::Caption(blocks)) => {
                caption.extend(blocks);
                0
            }
            (Content::Inlines(inlines), Product::Inline(inline)) => push(inlines, inline),
            (Content::Items(items), Product::Item(item)) => push(items, item),
            (Content::Definitions(all), Product::Term(term)) => match all.last_mut() {
                // Terms that share their definitions get a line each, as in most printed definition lists.
                Some(last) if last.details.is_empty() => {
                    last.term.push(Inline::LineBreak);
                    last.term.extend(term);
                    size_of::<Inline>()
                }
                _ => push(
                    all,
                    Definition {
                        term,
                        details: Vec::new(),
                    },
                ),
            },
            (Content::Definitions(all), Product::Details(details)) => {
                let mut size = 0;
                if all.is_empty() {
                    size += push(all, Definition::default());
                }
                all.last_mut()
                    .map_or(0, |last| size + push(&mut last.details, details))
            }
            (Content::Table(table), Product::Caption(blocks)) => {
                table.caption.extend(blocks);
                0
            }
            (Content::Table(table), Product::Row(part, row)) => match part {
                Part::Head => push(&mut table.head, row),
                Part::Body => push(&mut table.body, row),
                Part::Foot => push(&mut table.foot, row),
            },
            (Content::Cells(cells), Product::Cell(cell)) => push(cells, cell),
            _ => 0,
        }
    }

    /// Closes the node. Returns the result, and the number of table cells that had to be cut.
    pub(super) fn finish(self) -> (Product, usize) {
        let implicit = self.implicit;
        let product = match (self.node, self.content) {
            (Some(Node::Paragraph(style)), Content::Inlines(content)) => {
                if implicit && content.is_empty() {
                    Product::Nothing
                } else {
                    Product::Block(Block::Paragraph(Paragraph { style, content }))
                }
            }
            (
                Some(Node::Heading {
                    level,
                    id,
                    label,
                    style,
                }),
                Content::Inlines(content),
            ) => Product::Block(Block::Heading(Box::new(Heading {
                level: level.clamp(1, 9),
                id: id.unwrap_or_default(),
                label,
                style,
                content,
            }))),
            (Some(Node::Term), Content::Inlines(content)) => Product::Term(content),
            (Some(Node::Marked(mark)), Content::Inlines(content)) => {
                inline(content, |content| Inline::Marked(mark, content))
            }
            (Some(Node::Span(style)), Content::Inlines(content)) => {
                inline(content, |content| Inline::Span(style, content))
            }
            (Some(Node::Link { target, title }), Content::Inlines(content)) => {
                Product::Inline(Inline::Link(Box::new(Link {
                    target,
                    title,
                    content,
                })))
            }
            (Some(Node::List { kind, tight, look }), Content::Items(items))
                if !items.is_empty() =>
            {
                // In a tight list, two paragraphs of an item would run together, so the list becomes loose.
                let tight = tight && !items.iter().any(has_neighbouring_paragraphs);
                Product::Block(Block::List(Box::new(List {
                    kind,
                    tight,
                    look,
                    items,
                })))
            }
            (Some(Node::Definitions), Content::Definitions(all)) if !all.is_empty() => {
                Product::Block(Block::Definitions(all))
            }
            (
                Some(Node::Table {
                    columns,
                    width,
                    alignment,
                }),
                Content::Table(table),
            ) => return grid(*table, columns, width, alignment),
            (Some(Node::Row { part, height }), Content::Cells(cells)) => {
                let row = Row {
                    cells,
                    height,
                    exact: false,
                };
                Product::Row(part, row)
            }
            (Some(node), Content::Blocks { blocks, caption }) => with_blocks(node, blocks, caption),
            _ => Product::Nothing,
        };
        (product, 0)
    }
}

fn inline(content: Vec<Inline>, make: impl FnOnce(Vec<Inline>) -> Inline) -> Product {
    if content.is_empty() {
        Product::Nothing
    } else {
        Product::Inline(make(content))
    }
}

fn group(kind: GroupKind, id: Option<Box<str>>, blocks: Vec<Block>) -> Product {
    Product::Block(Block::Group(Box::new(Group { kind, id, blocks })))
}

/// The product of a node whose content is blocks.
fn with_blocks(node: Node, blocks: Vec<Block>, caption: Vec<Block>) -> Product {
    match node {
        Node::Item { task, label } => Product::Item(Item {
            task,
            label,
            blocks,
        }),
        Node::Details => Product::Details(blocks),
        Node::Caption => Product::Caption(blocks),
        Node::Cell(shape) => Product::Cell(Cell {
            rows: shape.rows.max(1),
            columns: shape.columns.max(1),
            heading: shape.heading,
            alignment: shape.alignment,
            style: shape.style,
            blocks,
        }),
        Node::Quote => Product::Block(Block::Quote(blocks)),
        Node::Figure { id } => group(GroupKind::Figure { caption }, id, blocks),
        Node::Aside { id } => group(GroupKind::Aside, id, blocks),
        Node::Speaker => group(GroupKind::Speaker, None, blocks),
        Node::Frame(frame) => group(GroupKind::Frame(frame), None, blocks),
        Node::Language(tag) => group(GroupKind::Language(tag), None, blocks),
        Node::Regions(regions) => group(GroupKind::Regions(regions), None, blocks),
        Node::Note(kind) => Product::InlineNote(kind, blocks),
        Node::NoteBody(id) => Product::Note(id, blocks),
        _ => Product::Nothing,
    }
}

/// Makes the first row of the body the head of a table without a head, if all cells of this row are headings that span
/// only this row, and the second row is not such a row. In HTML, heading cells may be the only sign of a head.
fn raise_heads(table: &mut Table) {
    let is_head = |row: &Row| {
        let own = |cell: &Cell| cell.heading && cell.rows == 1;
        !row.cells.is_empty() && row.cells.iter().all(own)
    };
    let [first, second, ..] = &table.body[..] else {
        return;
    };
    if table.head.is_empty() && is_head(first) && !is_head(second) {
        table.head.push(table.body.remove(0));
    }
}

/// Completes a table: fits its cells into a grid, and gives it as many columns as it needs. Returns the number of cells
/// that were cut.
fn grid(
    mut table: Table,
    mut columns: Vec<Column>,
    width: Option<Width>,
    alignment: Option<Alignment>,
) -> (Product, usize) {
    let mut cut = 0;
    let mut most = columns.len().clamp(1, table::MAX_COLUMNS);
    for part in [&mut table.head, &mut table.body, &mut table.foot] {
        let (columns, cells) = table::fit(part);
        most = most.max(columns);
        cut += cells;
    }
    if table.rows().next().is_none() {
        let product = if table.caption.is_empty() {
            Product::Nothing
        } else {
            group(GroupKind::Aside, None, table.caption)
        };
        return (product, cut);
    }
    raise_heads(&mut table);
    columns.resize(most, Column::default());
    table.columns = columns;
    table::align_columns(&mut table);
    table.width = width;
    table.alignment = alignment;
    (Product::Block(Block::Table(Box::new(table))), cut)
}

/// Adds one element, and returns its size in bytes. The first allocation has space for exactly one element instead of
/// the default four, because most paragraphs hold a single text.
fn push<T>(all: &mut Vec<T>, element: T) -> usize {
    if all.capacity() == 0 {
        all.reserve_exact(1);
    }
    all.push(element);
    size_of::<T>()
}

fn has_neighbouring_paragraphs(item: &Item) -> bool {
    let is_text =
        |block: &Block| matches!(block, Block::Paragraph(text) if !text.content.is_empty());
    item.blocks.windows(2).any(|pair| pair.iter().all(is_text))
}
