//! What a builder has open, from the document down to the innermost piece: which kinds of content each takes, and what
//! becomes of it at its end. Decides nothing about depth or memory: that is the builder's.

use super::{
    Alignment, Block, Cell, CellStyleId, Column, Definition, Group, GroupKind, Heading, Inline,
    Item, Length, Link, List, ListKind, Mark, NoteId, NoteKind, Paragraph, ParagraphStyleId, Row,
    Table, TextStyleId, Width, table,
};

/// What a [`Builder`](super::Builder) can open. Whatever is opened is closed again, innermost first.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A [`Paragraph`]. Takes inlines.
    Paragraph(ParagraphStyleId),
    /// A [`Heading`]. Takes inlines.
    Heading {
        /// From 1; cut to 9.
        level: u8,
        /// The name that the source gave it.
        id: Option<Box<str>>,
        /// Its number, where the source shows one that is not in its text.
        label: Option<Box<str>>,
        /// How it looks.
        style: ParagraphStyleId,
    },
    /// A [`List`]. Takes items.
    List {
        /// What stands in front of its items.
        kind: ListKind,
        /// There is no room between its items.
        tight: bool,
    },
    /// An [`Item`] of a list. Takes blocks.
    Item {
        /// A box to tick, and whether it is ticked.
        task: Option<bool>,
    },
    /// A list of [`Definition`]s. Takes terms and details.
    Definitions,
    /// What is defined. Takes inlines.
    Term,
    /// What is said about the terms before it. Takes blocks.
    Details,
    /// A [`Table`]. Takes a caption and rows. It gets as many columns as its rows need, and more only if more are given here.
    Table {
        /// What is known of its columns.
        columns: Vec<Column>,
        /// How wide it is.
        width: Option<Width>,
        /// Where it stands between the margins.
        alignment: Option<Alignment>,
    },
    /// Words about the table or figure that is open. Takes blocks.
    Caption,
    /// A [`Row`] of a table. Takes cells.
    Row {
        /// Where in the table it stands, in whatever order rows come.
        part: Part,
        /// At least this high.
        height: Option<Length>,
    },
    /// A [`Cell`] of a row. Takes blocks.
    Cell(CellShape),
    /// A quotation. Takes blocks.
    Quote,
    /// Pictures, tables or code with words about them. Takes blocks and a caption.
    Figure {
        /// The name that the source gave it.
        id: Option<Box<str>>,
    },
    /// A text box or a box with a hint. Takes blocks.
    Aside {
        /// The name that the source gave it.
        id: Option<Box<str>>,
    },
    /// Blocks in another language: a BCP 47 tag. Takes blocks.
    Language(Box<str>),
    /// A mark. Takes inlines.
    Marked(Mark),
    /// A span of text with a style. Takes inlines; with the default style it is not there.
    Span(TextStyleId),
    /// A link. Takes inlines, but no further link.
    Link {
        /// Where to.
        target: Box<str>,
        /// Shown when pointed at. Empty if there is none.
        title: Box<str>,
    },
    /// A note whose text stands where it is referred to. Takes blocks.
    Note(NoteKind),
    /// The text of a note that stands elsewhere: see [`Builder::reserve_note`](super::Builder::reserve_note). Takes blocks.
    NoteBody(NoteId),
}

/// Where in a table a row stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Set again on every page.
    Head,
    /// Neither of the others.
    #[default]
    Body,
    /// At the end.
    Foot,
}

/// A cell without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellShape {
    /// How many rows it covers. What goes beyond the part it stands in is cut.
    pub rows: u16,
    /// How many columns it covers. What goes beyond [`MAX_COLUMNS`](super::MAX_COLUMNS) is cut.
    pub columns: u16,
    /// Names its row or column.
    pub heading: bool,
    /// Where its lines stand.
    pub alignment: Option<Alignment>,
    /// How it looks.
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
    /// What it takes.
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

    /// What it is, for those who take it. None for the text of a note, which stands nowhere.
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

/// Something that is open.
#[derive(Debug)]
pub(super) struct Frame {
    /// None for the document itself and for fragments.
    pub(super) node: Option<Node>,
    pub(super) takes: Takes,
    /// The builder opened it by itself, and closes it by itself.
    pub(super) implicit: bool,
    /// The nodes that are open in it and leave no trace, since there was no room for them: whether each stands in lines of
    /// its own.
    pub(super) flat: Vec<bool>,
    /// The next inline begins a line.
    pub(super) breaks: bool,
    /// How many blocks stand around its blocks, or inlines around its inlines.
    pub(super) depth: usize,
    pub(super) content: Content,
}

/// What an open node holds so far.
#[derive(Debug)]
pub(super) enum Content {
    Blocks {
        blocks: Vec<Block>,
        /// Of a figure.
        caption: Vec<Block>,
    },
    Inlines(Vec<Inline>),
    Items(Vec<Item>),
    Definitions(Vec<Definition>),
    Table(Box<Table>),
    Cells(Vec<Cell>),
}

/// What an open node becomes.
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
    /// It was empty, and would say nothing.
    Nothing,
}

impl Frame {
    /// `node` is none for the document itself and for fragments.
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

    /// Whether a node may stand in this one.
    pub(super) fn accepts(&self, node: &Node) -> bool {
        match node {
            Node::Caption if matches!(self.node, Some(Node::Figure { .. })) => true,
            _ => node.is().is_none_or(|kind| kind == self.takes),
        }
    }

    /// Puts in what a node has become, which [`accepts`](Self::accepts) has let pass. Also returns the memory that it takes
    /// here, beside what it has already.
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
                // Two terms that share their details: a line each, as in most printed ones.
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

    /// What this node is, now that all of it is there; and how many cells of a table had to be cut.
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
            (Some(Node::List { kind, tight }), Content::Items(items)) if !items.is_empty() => {
                // Without room between them, two paragraphs of an item would run together.
                let tight = tight && !items.iter().any(has_neighbouring_paragraphs);
                Product::Block(Block::List(Box::new(List { kind, tight, items })))
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

/// Adds one more. Most paragraphs hold a single text, for which four places would be three too many.
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
