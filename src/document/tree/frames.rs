//! The open nodes of a builder: what kind of content each of them takes, and what it becomes when it is closed. Decides
//! nothing about depth or memory; the builder does.

use super::{
    Alignment, Block, Cell, CellStyleId, Column, Definition, Group, GroupKind, Heading, Inline,
    Item, Length, Link, List, ListKind, ListLook, Mark, NoteId, NoteKind, Paragraph,
    ParagraphStyleId, Row, Table, TextStyleId, Width, table,
};

/// A node that a [`Builder`](super::Builder) can open. It has to be closed again, innermost first.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A [`Paragraph`]. Takes inlines.
    Paragraph(ParagraphStyleId),
    /// A [`Heading`]. Takes inlines.
    Heading {
        /// The level from 1; more than 9 becomes 9.
        level: u8,
        /// The name that the source gives it.
        id: Option<Box<str>>,
        /// Its number, if the source shows one that is not in its text.
        label: Option<Box<str>>,
        /// Its style.
        style: ParagraphStyleId,
    },
    /// A [`List`]. Takes items.
    List {
        /// Whether its items have bullets or numbers.
        kind: ListKind,
        /// Whether the list is tight, without space between its items.
        tight: bool,
        /// The indents of its items, and their bullet.
        look: ListLook,
    },
    /// An [`Item`] of a list. Takes blocks.
    Item {
        /// Whether its check box is checked; `None` if it has no check box.
        task: Option<bool>,
    },
    /// A list of [`Definition`]s. Takes terms and details.
    Definitions,
    /// A term of a definition list. Takes inlines.
    Term,
    /// A definition of the terms before it. Takes blocks.
    Details,
    /// A [`Table`]. Takes a caption and rows. It gets as many columns as its rows need, or as many as are given here if
    /// these are more.
    Table {
        /// What is known of its columns.
        columns: Vec<Column>,
        /// Its width.
        width: Option<Width>,
        /// Its position between the margins.
        alignment: Option<Alignment>,
    },
    /// The caption of the open table or figure. Takes blocks.
    Caption,
    /// A [`Row`] of a table. Takes cells.
    Row {
        /// The part of the table that it belongs to. Rows of different parts may come in any order.
        part: Part,
        /// The minimum height.
        height: Option<Length>,
    },
    /// A [`Cell`] of a row. Takes blocks.
    Cell(CellShape),
    /// A block quotation. Takes blocks.
    Quote,
    /// A figure: pictures, tables or code, with a caption. Takes blocks and a caption.
    Figure {
        /// The name that the source gives it.
        id: Option<Box<str>>,
    },
    /// A text box or a call-out. Takes blocks.
    Aside {
        /// The name that the source gives it.
        id: Option<Box<str>>,
    },
    /// Blocks in another language, given as a BCP 47 tag. Takes blocks.
    Language(Box<str>),
    /// A mark. Takes inlines.
    Marked(Mark),
    /// A span of text with a style. Takes inlines. With the default style it leaves no trace.
    Span(TextStyleId),
    /// A link. Takes inlines, but no further link.
    Link {
        /// The target: a URL, or `#name` for a place in this document.
        target: Box<str>,
        /// The tooltip. Empty if there is none.
        title: Box<str>,
    },
    /// A note whose text is where it is referred to. Takes blocks.
    Note(NoteKind),
    /// The text of a note that is referred to elsewhere; see [`Builder::reserve_note`](super::Builder::reserve_note). Takes
    /// blocks.
    NoteBody(NoteId),
}

/// The part of a table that a row belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The head, which is repeated on every page.
    Head,
    /// Neither head nor foot.
    #[default]
    Body,
    /// The foot.
    Foot,
}

/// The properties of a cell, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellShape {
    /// The number of rows that it spans. It is cut at the end of its part of the table.
    pub rows: u16,
    /// The number of columns that it spans. It is cut at [`MAX_COLUMNS`](super::MAX_COLUMNS).
    pub columns: u16,
    /// Whether it is the heading of a row or column.
    pub heading: bool,
    /// The alignment of its lines.
    pub alignment: Option<Alignment>,
    /// Its style.
    pub style: CellStyleId,
}

impl Default for CellShape {
    fn default() -> Self {
        Self {
            rows: 1,
            columns: 1,
            heading: false,
            alignment: None,
            style: CellStyleId::default(),
        }
    }
}

/// The kinds of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Blocks,
    Inlines,
    Items,
    TermsAndDetails,
    Rows,
    Cells,
}

impl Node {
    /// The kind of content that this node takes.
    pub(super) fn takes(&self) -> Takes {
        match self {
            Self::Paragraph(_)
            | Self::Heading { .. }
            | Self::Term
            | Self::Marked(_)
            | Self::Span(_)
            | Self::Link { .. } => Takes::Inlines,
            Self::List { .. } => Takes::Items,
            Self::Definitions => Takes::TermsAndDetails,
            Self::Table { .. } => Takes::Rows,
            Self::Row { .. } => Takes::Cells,
            Self::Item { .. }
            | Self::Details
            | Self::Caption
            | Self::Cell(_)
            | Self::Quote
            | Self::Figure { .. }
            | Self::Aside { .. }
            | Self::Language(_)
            | Self::Note(_)
            | Self::NoteBody(_) => Takes::Blocks,
        }
    }

    /// The kind of content that this node is. `None` for the text of a note, which may be anywhere.
    pub(super) fn is(&self) -> Option<Takes> {
        Some(match self {
            Self::Marked(_) | Self::Span(_) | Self::Link { .. } | Self::Note(_) => Takes::Inlines,
            Self::Item { .. } => Takes::Items,
            Self::Term | Self::Details => Takes::TermsAndDetails,
            Self::Row { .. } | Self::Caption => Takes::Rows,
            Self::Cell(_) => Takes::Cells,
            Self::Paragraph(_)
            | Self::Heading { .. }
            | Self::List { .. }
            | Self::Definitions
            | Self::Table { .. }
            | Self::Quote
            | Self::Figure { .. }
            | Self::Aside { .. }
            | Self::Language(_) => Takes::Blocks,
            Self::NoteBody(_) => return None,
        })
    }
}

/// An open node.
#[derive(Debug)]
pub(super) struct Frame {
    /// The node; `None` for the document itself and for fragments.
    pub(super) node: Option<Node>,
    pub(super) takes: Takes,
    /// Whether the builder opened it by itself, and will close it by itself.
    pub(super) implicit: bool,
    /// The nodes inside it that are open without a trace, because there was no room for them; and for each whether it begins
    /// and ends lines of its own.
    pub(super) flat: Vec<bool>,
    /// Whether the next inline begins a new line.
    pub(super) breaks: bool,
    /// The number of blocks around its blocks, or of inlines around its inlines.
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

/// What a node becomes when it is closed.
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
    /// `node` is `None` for the document itself and for fragments.
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

    /// Whether this node can directly hold `node`.
    pub(super) fn accepts(&self, node: &Node) -> bool {
        match node {
            Node::Caption if matches!(self.node, Some(Node::Figure { .. })) => true,
            _ => node.is().is_none_or(|kind| kind == self.takes),
        }
    }

    /// Adds the result of a closed node, which [`accepts`](Self::accepts) has admitted. Returns the additional memory in
    /// bytes.
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
                // In a tight list, two paragraphs of an item would run together.
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
                Product::Row(part, Row { cells, height })
            }
            (Some(node), Content::Blocks { blocks, caption }) => match node {
                Node::Item { task } => Product::Item(Item { task, blocks }),
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
                Node::Language(tag) => group(GroupKind::Language(tag), None, blocks),
                Node::Note(kind) => Product::InlineNote(kind, blocks),
                Node::NoteBody(id) => Product::Note(id, blocks),
                _ => Product::Nothing,
            },
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
    columns.resize(most, Column::default());
    table.columns = columns;
    table::align_columns(&mut table);
    table.width = width;
    table.alignment = alignment;
    (Product::Block(Block::Table(Box::new(table))), cut)
}

/// Adds one element. The first allocation has exactly one place instead of the usual four, because most paragraphs hold a
/// single text.
fn push<T>(all: &mut Vec<T>, one: T) -> usize {
    if all.capacity() == 0 {
        all.reserve_exact(1);
    }
    all.push(one);
    size_of::<T>()
}

fn has_neighbouring_paragraphs(item: &Item) -> bool {
    let is_text =
        |block: &Block| matches!(block, Block::Paragraph(text) if !text.content.is_empty());
    item.blocks.windows(2).any(|pair| pair.iter().all(is_text))
}
