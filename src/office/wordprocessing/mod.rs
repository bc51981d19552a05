//! Common parts of word processor formats such as DOCX, ODT, RTF and DOC.
//!
//! In these formats, a document is a sequence of paragraphs. Lists and block quotations are not enclosed by an element.
//! Each paragraph refers to a style and a list level, and a reader must infer the structure. This module contains the
//! common model of styles, properties, numbering and fields, and converts the sequence to a tree. Reads no files.

mod about;
pub mod cells;
pub mod charts;
mod fields;
mod flow;
mod highlights;
mod language;
mod line;
pub mod losses;
mod marks;
mod measure;
mod metadata;
mod names;
mod numbering;
mod ornaments;
mod properties;
mod role;
mod script;
mod story;
mod styles;
mod symbol;
mod text;
mod title;
mod uri;
pub mod write;
mod written_lists;

pub use about::about;
pub use cells::{GridCell, GridRow};
pub use fields::{instruction, ruby_instruction};
pub use highlights::{highlight, indexed, patterned, pen};
pub use language::{
    language, language_and_country, language_number, script_of_language, usual_tag,
};
pub use measure::{column_widths, extent, over, without};
pub use metadata::{
    add_authors, add_keywords, add_summary, authors, keywords, read_core_properties,
    read_open_metadata,
};
pub use names::{ParagraphRole, TextRole, role_of_paragraph, role_of_text};
pub use numbering::{Definition, LEVELS, Label, Level, LevelFormat, List, Lists, label};
pub use ornaments::{
    emphasis_names, emphasis_of_code, emphasis_of_name, emphasis_of_word, underline_names,
    underline_of_code, underline_of_name, underline_of_word,
};
pub use properties::{Font, ParagraphProperties, Raised, RunProperties, ThemeFonts};
pub use role::{Item, ListPlace};
pub use script::Script;
pub use story::{Caption, Paragraph, Resolved, Story, Within};
pub use styles::{Style, Styles, Use};
pub use symbol::{is_symbol_font, is_typewriter};
pub use uri::{place_name, uri_reference};
pub use written_lists::{WrittenLabel, WrittenLevel, WrittenLists};
pub use {
    flow::Flow,
    line::{Formatting, Line},
    marks::Marks,
    role::Role,
    symbol::in_symbol_font,
};
