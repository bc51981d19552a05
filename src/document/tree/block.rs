//! What stands one below the other. Every kind is a plain value; that they stand in one another no deeper than
//! [`MAX_DEPTH`](super::MAX_DEPTH) is the builder's word, not theirs.

use super::{Inline, ParagraphStyleId, Table};

/// A piece of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Text. An empty paragraph is room between others: layouts keep it, formats for text leave it out.
    Paragraph(Paragraph),
    /// A title of what follows.
    Heading(Box<Heading>),
    /// Items with bullets or numbers.
    List(Box<List>),
    /// Terms, and what is said about each.
    Definitions(Vec<Definition>),
    /// Rows of cells.
    Table(Box<Table>),
    /// Lines of computer code.
    Code(Box<Code>),
    /// Said by somebody else.
    Quote(Vec<Block>),
    /// Blocks that belong together, for a reason.
    Group(Box<Group>),
    /// A line across, between two parts.
    Rule,
    /// What follows begins a page.
    PageBreak,
    /// Lines of HTML as Markdown holds them. Only where the writer asked for such pieces.
    RawHtml(Box<str>),
}

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// How it looks.
    pub style: ParagraphStyleId,
    /// What it holds.
    pub content: Vec<Inline>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// From 1, the highest, to 9.
    pub level: u8,
    /// What a link's `#name` leads to. Unique in the document, never empty: where the source gave none, it is made from
    /// the text as GitHub makes it.
    pub id: Box<str>,
    /// Its number, as the source shows it in front of the text (`2.1`, `Chapter IV`), which does not hold it.
    pub label: Option<Box<str>>,
    /// How it looks.
    pub style: ParagraphStyleId,
    /// What it holds.
    pub content: Vec<Inline>,
}

/// A list.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// What stands in front of its items.
    pub kind: ListKind,
    /// There is no room between its items: each is, at first, one paragraph that is not set as one.
    pub tight: bool,
    /// At least one.
    pub items: Vec<Item>,
}

/// What stands in front of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// A bullet. The writer chooses which, by depth.
    Bullet,
    /// A number.
    Ordered(Numbering),
}

/// How the items of a list are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// The number of the first item.
    pub start: u32,
    /// How numbers are written.
    pub numeral: Numeral,
    /// What stands around a number.
    pub delimiter: Delimiter,
    /// The numbers of the lists around it stand in front: 2.1.3.
    pub nested: bool,
}

impl Default for Numbering {
    fn default() -> Self {
        Self {
            start: 1,
            numeral: Numeral::Decimal,
            delimiter: Delimiter::Period,
            nested: false,
        }
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeral {
    /// 1, 2, 3.
    Decimal,
    /// a, b, c, … z, aa, bb.
    LowerAlpha,
    /// A, B, C.
    UpperAlpha,
    /// i, ii, iii.
    LowerRoman,
    /// I, II, III.
    UpperRoman,
}

/// What stands around a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// `1.`
    Period,
    /// `1)`
    Parenthesis,
    /// `(1)`
    Parentheses,
    /// `1`
    None,
}

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// A box to tick, and whether it is ticked.
    pub task: Option<bool>,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A term, and what is said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    /// What is defined.
    pub term: Vec<Inline>,
    /// Each of them says something about it.
    pub details: Vec<Vec<Block>>,
}

/// Lines of computer code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// What Markdown has behind its fence: the language, then whatever else. Empty if nobody said.
    pub info: Box<str>,
    /// Lines, separated by `\n`, without one at the end. Everything counts.
    pub text: String,
}

impl Code {
    /// The name of the language, the first word of `info`.
    pub fn language(&self) -> Option<&str> {
        self.info.split_whitespace().next()
    }
}

/// Blocks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Why they do.
    pub kind: GroupKind,
    /// What a link's `#name` leads to.
    pub id: Option<Box<str>>,
    /// What they are.
    pub blocks: Vec<Block>,
}

/// Why blocks belong together.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupKind {
    /// Pictures, tables or code with words about them.
    Figure {
        /// The words.
        caption: Vec<Block>,
    },
    /// Stands beside the text: a text box, a box with a hint.
    Aside,
    /// Runs the other way, or is in another language than what is around. A BCP 47 tag.
    Language(Box<str>),
}
