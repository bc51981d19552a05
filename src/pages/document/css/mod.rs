//! Style sheets: what each element of a page looks like. Knows no box and no page of paper.
//!
//! ```text
//! text ──► tokens ──► sheet (rules: selectors, declarations) ──► cascade ──► style
//! ```
//! [`style::Style`] is what comes out: a plain struct, with every length in px.

mod attributes;
mod background;
mod border_image;
pub(crate) mod cascade;
pub(crate) mod colour;
pub(crate) mod counter_style;
#[cfg(feature = "svg")]
pub(crate) mod drawing;
pub(crate) mod font_face;
pub(crate) mod fonts;
mod geometry;
pub(crate) mod grids;
mod images;
mod keywords;
mod longhand;
pub(crate) mod looks;
mod marks;
mod matching;
pub(crate) mod media;
mod mixing;
mod properties;
pub(crate) mod property;
pub(crate) mod rgba;
mod rules;
mod selector_parser;
pub(crate) mod selectors;
mod shapes;
pub(crate) mod sheet;
mod shorthand;
mod sides;
pub(crate) mod space;
pub(crate) mod style;
mod text;
pub(crate) mod tokens;
mod tracks;
mod transforms;
pub(crate) mod value;
pub(crate) mod writing;
mod zoom;

/// The sheet of the browser (HTML, 15.3).
pub(crate) const DEFAULT: &str = include_str!("default.css");
