//! Text recognition: a page of grey pixels becomes lines of words, each with its place and a confidence.
//!
//! - [`languages`]: languages by name, and the files of their models.
//! - [`page`]: the types that callers see: pages, lines, words, rectangles.
//!
//! Never: knows a document, a PDF or a file format of pictures; opens a file; allocates what a file sets the size of without a
//! lease; gives other bytes on another processor.

pub mod languages;
pub mod page;

pub use page::{Baseline, Line, Page, Rect, Text, Turn, Word};
