//! The definitions from the header: fonts, styles and lists. Reads nothing itself.

use crate::coding::code_page::CodePage;
use convertd_office::wordprocessing::{Definition, List, Resolved, TextRole};
use std::{collections::HashMap, rc::Rc};

/// An entry of the font table.
#[derive(Clone, Debug, Default)]
pub(super) struct FontFace {
    pub(super) name: Box<str>,
    pub(super) page: Option<CodePage>,
    /// Whether it is a fixed-width font.
    pub(super) typewriter: bool,
}

/// The style sheet.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    pub(super) paragraphs: HashMap<i32, Style>,
    pub(super) texts: HashMap<i32, Option<TextRole>>,
}

/// A paragraph style.
#[derive(Debug, Default)]
pub(super) struct Style {
    pub(super) resolved: Rc<Resolved>,
    pub(super) font: Option<i32>,
}

/// The table entry that is being read.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) font: Option<i32>,
    pub(super) colour: Option<[u8; 3]>,
    /// The number of the style, and whether it is a character style.
    pub(super) style: Option<(i32, bool)>,
    pub(super) list: Definition,
    pub(super) level: usize,
    pub(super) list_id: i32,
    /// The list definitions, by list identifier.
    pub(super) list_ids: HashMap<i32, u32>,
    pub(super) list_override: (i32, List),
    pub(super) override_level: usize,
    pub(super) info: Option<&'static str>,
    pub(super) date: [i32; 3],
}
