//! Builds a document from the calls of a reader, in the order of the file.
//!
//! Files of word processors are sequences of characters with marks: the end of a paragraph, the end of a cell, the
//! beginning of a field. A reader translates these marks to calls of [`Story`], and makes no decisions. The story
//! decides the role of a paragraph, the visible text of a field, the continuation of lists and the place of captions,
//! and joins runs with the same formatting. The calls are:
//!
//! ```text
//! open_paragraph(style)                     properties of its style, resolved by the reader
//!   set_run(properties)                     properties of a run that differ from the style
//!   text, line_break, page_break, symbol, formula, picture, bookmark
//!   open_link … close_link                  around the text of a link, which may be several runs
//!   begin_field, instruct, begin_result, end_field
//!   note … and at any later time open_note … close_text
//!   anchor … and after the paragraph open_box … close_text
//! close_paragraph(properties of its own)
//! open_table, open_row, open_cell … close_cell, close_row, close_table
//! open_margin … close_margin                headers and footers, as blocks
//! end_section, finish
//! ```
//! Texts (the main text, cells, list items, notes, boxes, margins) contain paragraphs and tables. They can be nested,
//! and each has its own line and lists. A new reader needs to consider three things:
//!
//! - Properties may come late. In RTF, the style of a paragraph is certain only at its end. `open_paragraph` may
//!   therefore be called again before each piece of text. The last call determines the role of the paragraph; each call
//!   applies to the text after it. A reader that learns only at the end of a paragraph that the paragraph is in a cell
//!   opens the cell, and moves the content of the paragraph into it with [`Story::take_line`].
//! - If paragraphs repeat the properties of their styles, as in RTF, set [`Story::repeats_styles`]. In formats that
//!   state only differences (DOCX, ODT, the property modifiers of DOC), it stays unset.
//! - Lists in Word's model (paragraphs refer to a list and a level) belong to [`Story::lists`], and are counted here.
//!   In formats with elements for items, the reader counts them, and opens each item as a text.

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
