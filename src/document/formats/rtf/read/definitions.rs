//! What the tables in front of the text define: fonts, styles and lists. Reads nothing itself.

use super::{characters::CodePage, state::State};
use crate::document::office::{Definition, List, ParagraphRole, TextRole};
use std::collections::HashMap;

/// A font of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct FontFace {
    pub(super) name: Box<str>,
    pub(super) page: Option<CodePage>,
    /// All its letters have one width.
    pub(super) typewriter: bool,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    pub(super) paragraphs: HashMap<i32, Style>,
    pub(super) texts: HashMap<i32, Option<TextRole>>,
}

/// A style of paragraphs.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    pub(super) name: Box<str>,
    pub(super) role: Option<ParagraphRole>,
    pub(super) state: State,
}

/// What is being read of the tables.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) font: Option<i32>,
    pub(super) colour: Option<[u8; 3]>,
    /// The number of the style, and whether it is one of texts.
    pub(super) style: Option<(i32, bool)>,
    pub(super) list: Definition,
    pub(super) level: usize,
    pub(super) list_id: i32,
    /// The definitions of lists, by their identifiers.
    pub(super) list_ids: HashMap<i32, u32>,
    pub(super) list_override: (i32, List),
    pub(super) override_level: usize,
    pub(super) info: Option<&'static str>,
    pub(super) date: [i32; 3],
}
