//! CSS: from style sheets to the computed style of each element. Lays out neither boxes nor pages of paper.
//!
//! ```text
//! text ──► tokens ──► sheet (rules: selectors, declarations) ──► cascade ──► style
//! ```
//! The result is [`style::Style`]: a plain struct of computed values, with all lengths in px or
//! percent.

mod attributes;
mod background;
mod border_image;
pub mod cascade;
pub mod colour;
pub mod counter_style;
pub mod counters;
#[cfg(feature = "svg")]
pub mod drawing;
pub mod font_face;
pub mod fonts;
mod geometry;
pub mod grids;
mod images;
mod keywords;
mod longhand;
pub(crate) mod look;
pub mod looks;
mod marks;
mod matching;
pub mod media;
mod mixing;
mod properties;
pub mod property;
pub mod rgba;
mod rules;
mod selector_parser;
pub mod selectors;
mod shapes;
pub mod sheet;
mod shorthand;
mod sides;
pub mod space;
pub mod style;
#[cfg(test)]
mod tests;
mod text;
pub mod tokens;
mod tracks;
mod transforms;
pub mod value;
pub mod writing;
mod zoom;

/// Default style sheet, after that of browsers (HTML, 15.3).
pub const DEFAULT: &str = include_str!("default.css");
