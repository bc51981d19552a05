//! The state of the reader: the open elements, the current line, and the open tables. Reads nothing itself.

use super::{controls::Select, lists::Counter, origin::Origin, ruby::Ruby};
use crate::{
    css::{counter_style::CounterStyles, look::EdgeBreaks, looks::Looks},
    html::mathml,
    syntax::tag::Tag,
};
use convertd_tree::{
    Alignment, Builder, Colour, Column, Direction, Mark, NoteId, TextStyleId, Width, losses::Loss,
};
use std::collections::HashMap;

/// The notes that have been referred to, by name.
pub type NoteNames = HashMap<String, NoteId>;

pub(super) static CLOSED: Loss = Loss {
    one: "Content that the page shows only after a click (dialog, details) was left out.",
    many: "Content that the page shows only after a click (dialog, details) was left out.",
};

pub(super) static MEDIA: Loss = Loss {
    one: "A video, audio player or frame in the page was left out.",
    many: "{} videos, audio players or frames in the page were left out.",
};

/// An open element.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) tag: Tag,
    /// The number of nodes of the tree that the element has opened.
    pub(super) nodes: u8,
    /// The marks, links and styles that the element gives to the text inside.
    pub(super) wraps: Vec<Wrap>,
    /// The alignment of the text inside the element.
    pub(super) alignment: Option<Alignment>,
    pub(super) direction: Option<Direction>,
    /// The background of the element, without transparency.
    pub(super) ground: Option<Colour>,
    /// Whether words inside the element are hyphenated.
    pub(super) hyphenated: Option<bool>,
    /// Direction of all letters inside the element, whatever their own is.
    pub(super) overrides: Option<Direction>,
    /// Whether the text inside the element is isolated from the direction of the text around it.
    pub(super) isolated: bool,
    /// Whether its content is hidden.
    pub(super) hidden: bool,
    /// Whether a page break follows the element.
    pub(super) breaks_after: bool,
    /// Whether it contains only notes.
    pub(super) notes: bool,
    /// Separation of the element from the text around it by style sheets: a word or a line break.
    pub(super) parted: EdgeBreaks,
    /// Whether the element is a closed `details`, of which only the summary is shown.
    pub(super) closed: bool,
    /// Generated text (`::before`) that has not been added yet.
    pub(super) before: Option<Box<str>>,
    /// Generated text for the end of the element (`::after`).
    pub(super) after: Option<Box<str>>,
    /// Numbers of the items, if the element is a list.
    pub(super) counter: Option<Counter>,
}

impl Open {
    pub(super) fn new(tag: Tag) -> Self {
        Self {
            tag,
            nodes: 0,
            wraps: Vec::new(),
            alignment: None,
            direction: None,
            ground: None,
            hyphenated: None,
            overrides: None,
            isolated: false,
            hidden: false,
            breaks_after: false,
            notes: false,
            parted: EdgeBreaks::Not,
            before: None,
            after: None,
            closed: false,
            counter: None,
        }
    }
}

/// Text that is collected instead of being added to a paragraph.
#[derive(Debug)]
pub(super) enum Capture {
    /// The title of the page.
    Title(String),
    /// The subtitle in the title block.
    Subtitle(String),
    /// The lines of a code block, with its info string.
    Code { info: Box<str>, text: String },
    /// A formula.
    Math(mathml::MathReader),
    /// The options of a `select` element.
    Select(Select),
    /// The text in a form control.
    Textarea(String),
    /// A word with its pronunciation.
    Ruby(Ruby),
}

/// A page that is being read.
pub(super) struct PageReader<'b, 'j, 'o> {
    pub(super) build: &'b mut Builder<'j>,
    pub(super) origin: &'o mut dyn Origin,
    pub(super) stack: Vec<Open>,
    /// Height of the stack at the beginning of each element that is open in the page. Not all of them are on the stack.
    pub(super) heights: Vec<usize>,
    /// Whether the content of the element that has just begun is left out.
    pub(super) skips: bool,
    pub(super) capture: Option<Capture>,
    /// The number of open elements whose content is hidden.
    pub(super) hidden: usize,
    /// The number of open elements that override the direction of letters.
    pub(super) overriding: usize,
    pub(super) line: Line,
    /// The names of the link targets at the position of the next content.
    pub(super) places: Vec<String>,
    pub(super) notes: &'o mut NoteNames,
    pub(super) tables: Vec<Table>,
    /// Whether the last content was a formula.
    pub(super) behind_formula: bool,
    /// Whether a case of the open `epub:switch` has been used.
    pub(super) switched: bool,
    /// Whether the content of closed elements is left out, as in a page that is just displayed.
    pub(super) as_shown: bool,
    /// Looks that style sheets give to the elements.
    pub(super) looks: Option<&'o Looks>,
    /// Predefined styles of the numbers of items, which are parsed once for a page.
    pub(super) counter_styles: CounterStyles,
    /// Letters inside each open element whose text is isolated.
    pub(super) isolates: Vec<Letters>,
}

/// Directions of the letters in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Letters {
    pub(super) left_to_right: bool,
    pub(super) right_to_left: bool,
}

/// Properties that an element gives to the text inside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrap {
    Mark(Mark),
    Span(TextStyleId),
    Link { target: Box<str>, title: Box<str> },
    Code,
}

/// The current line.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Whether the line has content.
    pub(super) begun: bool,
    /// Whether the reader, and not the builder, has opened the paragraph of the line.
    pub(super) paragraph: bool,
    /// Whether white space precedes the next content.
    pub(super) space: bool,
    /// The number of line breaks that precede the next content.
    pub(super) breaks: usize,
    /// The marks, links and styles that are open in the tree.
    pub(super) wraps: Vec<Wrap>,
    /// The overrides of the direction of letters that are open in the text.
    pub(super) overrides: Vec<Direction>,
    /// Whether the marks that the stack requires may differ from those that are open.
    pub(super) stale: bool,
    /// Inline code that is being collected.
    pub(super) code: Option<String>,
    /// Whether the line is in a heading or a term (`dt`), which can contain only inline content.
    pub(super) in_heading: bool,
}

/// An open table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    /// Whether the table was passed to the builder. This happens with the caption, or else with the first row, because
    /// the columns have to be known then.
    pub(super) begun: bool,
    pub(super) width: Option<Width>,
    pub(super) alignment: Option<Alignment>,
}

impl<'b, 'j, 'o> PageReader<'b, 'j, 'o> {
    /// The state at the beginning of a page.
    pub(super) fn new(
        build: &'b mut Builder<'j>,
        origin: &'o mut dyn Origin,
        notes: &'o mut NoteNames,
    ) -> Self {
        Self {
            build,
            origin,
            stack: Vec::new(),
            heights: Vec::new(),
            skips: false,
            capture: None,
            hidden: 0,
            overriding: 0,
            line: Line::default(),
            places: Vec::new(),
            notes,
            tables: Vec::new(),
            behind_formula: false,
            switched: false,
            as_shown: false,
            looks: None,
            counter_styles: CounterStyles::default(),
            isolates: Vec::new(),
        }
    }
}
