//! Definitions from the header: fonts, styles and lists. Reads nothing itself.

use crate::coding::code_page::CodePage;
use convertd_office::wordprocessing::{Definition, List, Resolved, TextRole};
use std::{collections::HashMap, rc::Rc};

/// Entry of the font table.
#[derive(Clone, Debug, Default)]
pub(super) struct FontFace {
    /// Name of the font family.
    pub(super) name: Box<str>,
    /// Code page of text in this font.
    pub(super) page: Option<CodePage>,
    /// Whether the font is a fixed-width font.
    pub(super) typewriter: bool,
}

/// Style sheet. The keys are style numbers.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    /// Paragraph styles.
    pub(super) paragraphs: HashMap<i32, Style>,
    /// Roles of character styles.
    pub(super) texts: HashMap<i32, Option<TextRole>>,
}

/// Paragraph style.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// Role and properties.
    pub(super) resolved: Rc<Resolved>,
    /// Number of the style's font.
    pub(super) font: Option<i32>,
}

/// State of the table entry that is being read.
#[derive(Debug, Default)]
pub(super) struct Header {
    // Font table and colour table.
    pub(super) font: Option<i32>,
    /// Components of the current colour.
    pub(super) colour: Option<[u8; 3]>,
    /// Number of the style, and whether it is a character style.
    pub(super) style: Option<(i32, bool)>,
    // List table and list override table.
    pub(super) list: Definition,
    /// Number of levels that have begun.
    pub(super) level: usize,
    /// Identifier of the current list definition.
    pub(super) list_id: i32,
    /// Numbers of the list definitions by their identifier.
    pub(super) list_ids: HashMap<i32, u32>,
    /// Number and content of the current list override.
    pub(super) list_override: (i32, List),
    /// Number of levels of the override that have begun.
    pub(super) override_level: usize,
    // Document information: the field, and year, month and day of a date.
    pub(super) info: Option<&'static str>,
    pub(super) date: [i32; 3],
}
