//! Rules that the word processor formats (DOCX, ODT, RTF, DOC) share.
//!
//! In these formats a document is a flat sequence of paragraphs. Nothing encloses a list or a block quotation: each
//! paragraph names a style and a list level, and a reader has to infer the structure from them. This module holds the shared
//! model of styles, properties, numbering and fields, and the code that turns the flat sequence into a tree. It knows no
//! file format.

mod about;
pub(crate) mod cells;
#[cfg_attr(not(feature = "presentation"), allow(dead_code))]
pub(crate) mod charts;
mod fields;
mod flow;
mod highlights;
mod language;
mod line;
pub(crate) mod losses;
mod marks;
mod measure;
mod metadata;
mod names;
mod numbering;
mod properties;
mod role;
mod script;
mod story;
mod styles;
mod symbol;
mod text;
mod title;
mod uri;
pub(crate) mod write;
mod written_lists;

pub use about::about;
pub(crate) use cells::{GridCell, GridRow};
pub(crate) use highlights::{highlight, indexed, pen};
pub(crate) use language::language;
pub(crate) use measure::{column_widths, extent, over};
pub(crate) use metadata::{
    add_authors, add_keywords, add_summary, authors, keywords, read_core_properties,
    read_open_metadata,
};
pub(crate) use names::{ParagraphRole, TextRole, role_of_paragraph, role_of_text};
pub(crate) use numbering::{Definition, LEVELS, Label, Level, LevelFormat, List, Lists, label};
pub(crate) use properties::{Font, ParagraphProperties, Raised, RunProperties, ThemeFonts};
pub(crate) use role::{Item, ListPlace};
pub(crate) use story::{Caption, Paragraph, Resolved, Story, Within};
pub(crate) use styles::{Style, Styles, Use};
pub(crate) use symbol::{is_symbol_font, is_typewriter};
pub(crate) use uri::uri_reference;
pub(crate) use written_lists::{WrittenLabel, WrittenLevel, WrittenLists};
#[cfg(feature = "presentation")]
pub(crate) use {
    flow::Flow,
    line::{Line, Look},
    marks::Marks,
    role::Role,
    symbol::in_symbol_font,
};
