//! Recognition of text on pages: letters by position, lines by the gaps between letters, paragraphs by the sequence of
//! lines. A PDF records neither lines nor paragraphs, so all of this recognition is heuristic.

mod accents;
mod arabic;
mod bidi;
pub(super) mod block;
pub(super) mod blocks;
mod bullets;
mod code;
mod columns;
mod compare;
mod continued;
pub(super) mod document_styles;
mod drawn;
pub(super) mod figures;
mod footnotes;
pub(super) mod headings;
mod images;
mod leaders;
pub(super) mod letters;
pub(super) mod lines;
pub(super) mod links;
pub(super) mod marked;
mod order;
pub(super) mod page_text;
pub(super) mod paragraphs;
pub(super) mod passages;
pub(crate) mod places;
pub(super) mod plain;
#[cfg(feature = "ocr")]
pub(super) mod recognised;
mod rules;
mod running;
mod spaces;
pub(crate) mod strings;
pub(super) mod styles;
pub(super) mod tables;
pub(crate) mod unmapped;
mod vertical;
pub(super) mod widgets;
