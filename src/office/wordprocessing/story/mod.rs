//! The story of a document: what every reader of a word processor format tells, in the order of its file.
//!
//! A file of this kind is a flat sequence of characters with marks in it: here a paragraph ends, here a cell, here a
//! field begins. A reader turns these marks into calls of [`Story`], and decides nothing: which role a paragraph has,
//! what a field shows, which runs share a look, what a list continues and where a caption belongs is decided here,
//! once. The calls are
//!
//! ```text
//! open_paragraph(style)                     what its style says, resolved by the reader
//!   set_run(properties)                     what a run says beside that
//!   text, line_break, page_break, symbol, formula, picture, bookmark
//!   open_link … close_link                  around its text, which may be several runs
//!   begin_field, instruct, begin_result, end_field
//!   note … and at any later time open_note … close_text
//!   anchor … and after the paragraph open_box … close_text
//! close_paragraph(what it says itself)
//! open_table, open_row, open_cell … close_cell, close_row, close_table
//! open_margin … close_margin                headers and footers, as blocks
//! end_section, finish
//! ```
//! A text (the main text, a cell, a list item, a note, a box, a margin) may hold paragraphs and tables; each is opened
//! inside another, and its line and its lists are its own. The three things that a new reader has to know:
//!
//! - Properties may come late. In RTF a paragraph's style is known for sure only at its end, so `open_paragraph` may be
//!   called again before every piece of text; the last call counts for the role, and each for the text behind it. A
//!   reader that opens cells only then takes what is written of the paragraph along, by [`Story::take_line`].
//! - If a format repeats in every paragraph what its style says already (RTF does), set [`Story::repeats_styles`].
//!   Formats that state only what differs (DOCX, ODT, the sprms of DOC) leave it alone.
//! - Lists of the kind that Word has (a paragraph names a list and a level) go into [`Story::lists`], and are counted
//!   here. In a format that has elements for items, the reader counts, and opens each item as a text.

mod fields;
mod inlines;
mod paragraphs;
mod resolved;
mod state;
mod tables;
mod text;
mod texts;

pub use paragraphs::Paragraph;
pub use resolved::Resolved;
pub use state::Story;
pub use tables::Caption;
pub use text::Within;
