//! What is known while a page is read: the stack of open elements and the list of active formatting elements of the standard (HTML,
//! 13.2.4), the line that is being filled, the tables that are open. Reads nothing itself.

use super::origin::Origin;
use crate::document::{
    Loss,
    html::{mathml, tag::Tag, tokens::Syntax},
    tree::{Alignment, Builder, Column, Direction, Mark, NoteId, TextStyleId, Width},
};
use std::collections::HashMap;

/// The names of notes that were referred to.
pub(crate) type NoteNames = HashMap<String, NoteId>;

pub(super) static MEDIA: Loss = Loss {
    one: "A film, a sound or another page within the page was left out.",
    many: "{} films, sounds or other pages within the page were left out.",
};

/// An element that is open.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) tag: Tag,
    /// How many containers of the tree it has opened.
    pub(super) nodes: u8,
    /// What it says about the text in it.
    pub(super) wraps: Vec<Wrap>,
    /// Where lines in it begin and end.
    pub(super) alignment: Option<Alignment>,
    pub(super) direction: Option<Direction>,
    /// Nothing in it is shown.
    pub(super) hidden: bool,
    /// A page begins behind it.
    pub(super) breaks_after: bool,
    /// Which formatting element it is, from 1.
    pub(super) formatting: usize,
    /// It holds nothing but notes.
    pub(super) notes: bool,
}

impl Open {
    pub(super) fn new(tag: Tag) -> Self {
        Self {
            tag,
            nodes: 0,
            wraps: Vec::new(),
            alignment: None,
            direction: None,
            hidden: false,
            breaks_after: false,
            formatting: 0,
            notes: false,
        }
    }
}

/// An entry of the list of active formatting elements.
#[derive(Debug)]
pub(super) struct Active {
    /// None for a marker: what stands before it does not count in the cell that is open.
    pub(super) tag: Option<Tag>,
    pub(super) wraps: Vec<Wrap>,
    /// Its number, from 1.
    pub(super) number: usize,
    /// It is on the stack.
    pub(super) open: bool,
}

/// What becomes of text that is no part of a paragraph.
#[derive(Debug)]
pub(super) enum Capture {
    /// It is left out, up to the end tag of this element and of those of its kind within.
    Skip(Tag, usize),
    /// The title of the page.
    Title(String),
    /// The subtitle in the block at the beginning.
    Subtitle(String),
    /// Lines of code, and what is known about them.
    Code { info: Box<str>, text: String },
    /// A formula.
    Math(mathml::Reader),
}

/// A page that is being read.
pub(super) struct Reader<'b, 'j, 'o> {
    pub(super) build: &'b mut Builder<'j>,
    pub(super) syntax: Syntax,
    pub(super) origin: &'o mut dyn Origin,
    pub(super) stack: Vec<Open>,
    pub(super) active: Vec<Active>,
    pub(super) numbers: usize,
    pub(super) capture: Option<Capture>,
    /// How many open elements hide what is in them.
    pub(super) hidden: usize,
    pub(super) line: Line,
    /// Names of places that stand in front of what comes next.
    pub(super) places: Vec<String>,
    pub(super) notes: &'o mut NoteNames,
    pub(super) tables: Vec<Table>,
    /// What comes last in the line is a formula.
    pub(super) behind_formula: bool,
    /// A case of the `epub:switch` that is open was shown.
    pub(super) switched: bool,
}

/// What an element says about the text in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrap {
    Mark(Mark),
    Span(TextStyleId),
    Link { target: Box<str>, title: Box<str> },
    Code,
}

/// The line that is being filled.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// It has content.
    pub(super) begun: bool,
    /// The paragraph around it was opened here.
    pub(super) paragraph: bool,
    /// White space came, and belongs in front of what comes next.
    pub(super) space: bool,
    /// Line ends came, and belong in front of what comes next.
    pub(super) breaks: usize,
    /// What is open in the tree.
    pub(super) wraps: Vec<Wrap>,
    /// The elements on the stack may say something else than what is open.
    pub(super) stale: bool,
    /// Code that is being gathered.
    pub(super) code: Option<String>,
    /// It stands in an element that takes inlines only.
    pub(super) in_heading: bool,
}

/// What is known of a table that is open.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    /// It was given to the builder, which wants to know its columns before.
    pub(super) begun: bool,
    pub(super) width: Option<Width>,
    pub(super) alignment: Option<Alignment>,
}

impl<'b, 'j, 'o> Reader<'b, 'j, 'o> {
    /// A page of which nothing has been read.
    pub(super) fn new(
        build: &'b mut Builder<'j>,
        syntax: Syntax,
        origin: &'o mut dyn Origin,
        notes: &'o mut NoteNames,
    ) -> Self {
        Self {
            build,
            syntax,
            origin,
            stack: Vec::new(),
            active: Vec::new(),
            numbers: 0,
            capture: None,
            hidden: 0,
            line: Line::default(),
            places: Vec::new(),
            notes,
            tables: Vec::new(),
            behind_formula: false,
            switched: false,
        }
    }
}
