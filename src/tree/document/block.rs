//! The blocks of a document, which are set one below another. They are plain values without limits: the builder ensures
//! that they nest no deeper than [`MAX_DEPTH`](super::MAX_DEPTH).

use super::{Frame, Inline, Length, ParagraphStyleId, Region, Table, TextStyleId};
pub use crate::numerals::plain::Numeral;
use std::borrow::Cow;

/// A block-level part of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Text. An empty paragraph is vertical space: formats with a layout show it, formats of plain text drop it.
    Paragraph(Paragraph),
    /// A heading.
    Heading(Box<Heading>),
    /// A list with bullets or numbers.
    List(Box<List>),
    /// A definition list.
    Definitions(Vec<Definition>),
    /// A table.
    Table(Box<Table>),
    /// A code block.
    Code(Box<Code>),
    /// A block quotation.
    Quote(Vec<Block>),
    /// Blocks that belong together.
    Group(Box<Group>),
    /// A horizontal rule (a thematic break).
    Rule,
    /// A page break: the next block begins on a new page.
    PageBreak,
    /// A column break: the next block begins in a new column of the page.
    ColumnBreak,
    /// Lines of HTML in a Markdown document. Occurs only if the writer's format can hold HTML.
    RawHtml(Box<str>),
}

/// A paragraph with its style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// The style of the paragraph.
    pub style: ParagraphStyleId,
    /// The text of the paragraph, with its pictures and formulas.
    pub content: Vec<Inline>,
}

/// A heading, which is also a target of links.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// The level, from 1 (the highest) to 9.
    pub level: u8,
    /// The target of links to `#name`. Unique in the document and never empty: if the source has none, it is made from
    /// the text by GitHub's rules.
    pub id: Box<str>,
    /// The number that the source shows before the text (`2.1`, `Chapter IV`). It is not part of the text.
    pub label: Option<Box<str>>,
    /// The style of the heading.
    pub style: ParagraphStyleId,
    /// The text of the heading.
    pub content: Vec<Inline>,
}

/// A list with bullets or numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// Whether the items have bullets or numbers.
    pub kind: ListKind,
    /// Whether the list is tight, without space between its items. The first paragraph of an item is then not set off
    /// as a paragraph.
    pub tight: bool,
    /// The indents and the bullet of the items.
    pub look: ListLook,
    /// The items of the list, at least one.
    pub items: Vec<Item>,
}

/// Layout of a list's items. The writer chooses everything that the source does not state (`None`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListLook {
    /// The indent of the items' text, measured from the edge at which the outermost list begins.
    pub indent: Option<Length>,
    /// The position of the number or bullet relative to the text; negative if it hangs to the left of the text.
    pub label: Option<Length>,
    /// The bullet character.
    pub bullet: Option<char>,
    /// The formatting of numbers and bullets. `None` if they have the formatting of the text.
    pub label_style: Option<TextStyleId>,
    /// Space between a number or bullet and the text.
    pub label_end: LabelEnd,
}

/// Space between the label of an item and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelEnd {
    /// The text begins at its indent.
    #[default]
    Tab,
    /// A space.
    Space,
    /// Nothing: the text follows the label directly.
    Nothing,
}

impl LabelEnd {
    /// The end with this name in WordprocessingML (`w:suff`) and OpenDocument (`text:label-followed-by`).
    pub fn of_name(name: &str) -> Self {
        match name {
            "space" => Self::Space,
            "nothing" => Self::Nothing,
            _ => Self::Tab,
        }
    }

    /// The end with this number in Word's binary format (`ixchFollow`) and in RTF (`\levelfollow`).
    pub fn of_code(code: i32) -> Self {
        match code {
            1 => Self::Space,
            2 => Self::Nothing,
            _ => Self::Tab,
        }
    }
}

/// Kind of a list: with bullets or with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// Bullets. If [`ListLook::bullet`] is `None`, the writer chooses their shape by the depth of the list.
    Bullet,
    /// Numbers.
    Ordered(Numbering),
}

/// Numbering of a list's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    /// The number of the first item.
    pub start: u32,
    /// The kind of numeral.
    pub numeral: Numeral,
    /// The characters around a number.
    pub delimiter: Delimiter,
    /// Whether the numbers of the enclosing lists come before the number: 2.1.3.
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

/// The characters around a number.
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
    /// Whether the check box of the item is checked; `None` if the item has no check box.
    pub task: Option<bool>,
    /// The label as text, if it does not follow from the kind of the list: `Article I.`
    pub label: Option<Box<str>>,
    /// The blocks of the item.
    pub blocks: Vec<Block>,
}

impl Item {
    /// Returns the item with its label at the beginning of its text, for formats whose items cannot have labels.
    pub fn labelled(&self) -> Cow<'_, Self> {
        let Some(label) = &self.label else {
            return Cow::Borrowed(self);
        };
        let mut item = self.clone();
        let words = Inline::Text(format!("{label} "));
        match item.blocks.first_mut() {
            Some(Block::Paragraph(first)) => first.content.insert(0, words),
            _ => item.blocks.insert(
                0,
                Block::Paragraph(Paragraph {
                    content: vec![words],
                    ..Paragraph::default()
                }),
            ),
        }
        Cow::Owned(item)
    }
}

/// A term with its definitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    /// The term that is defined.
    pub term: Vec<Inline>,
    /// The definitions, each of one or more blocks.
    pub details: Vec<Vec<Block>>,
}

/// Lines of program code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The info string of a fenced code block in Markdown: the language, and anything after it. Empty if absent.
    pub info: Box<str>,
    /// The lines, separated by `\n`, without a `\n` at the end. All white space is significant.
    pub text: String,
}

impl Code {
    /// The name of the language, which is the first word of `info`.
    pub fn language(&self) -> Option<&str> {
        self.info.split_whitespace().next()
    }
}

/// Blocks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Reason why the blocks belong together.
    pub kind: GroupKind,
    /// The target of links to `#name`.
    pub id: Option<Box<str>>,
    /// The blocks that belong together.
    pub blocks: Vec<Block>,
}

/// Reason why blocks belong together.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupKind {
    /// A figure: pictures, tables or code, with a caption.
    Figure {
        /// The caption of the figure.
        caption: Vec<Block>,
    },
    /// A text box or a call-out, set apart from the main text.
    Aside,
    /// Speaker notes of the slide that is made of the blocks before.
    Speaker,
    /// Blocks in a frame, at their own position on the page.
    Frame(Box<Frame>),
    /// Blocks in another language than the text around them. A BCP 47 tag.
    Language(Box<str>),
    /// A block whose regions on the pages of the source are known. The regions are in reading order, and have no effect
    /// on the layout.
    Regions(Box<[Region]>),
}
