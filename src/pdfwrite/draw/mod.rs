//! Drawings (SVG) in a PDF. Knows no pages.
//!
//! A drawing is resvg's tree of it, written as operators of a content stream:
//! ```text
//! groups ──► paths, texts, images ──► paint ──► gradients
//!   │                                   │          │
//!   └──► clips (clip paths, masks)      ▼          ▼
//!                                     sheet (a content stream)
//! ```
//! Features that SVG and PDF share go over as they are: paths, strokes, transforms, opacity, blend modes, gradients, tiling
//! patterns, glyphs. What PDF has otherwise becomes something that looks the same: clip paths of overlapping shapes are soft
//! masks, opacity of stops is a second gradient in a soft mask, a gradient that repeats is one with many stops. Filters have no
//! counterpart: a group with one is drawn by resvg, and its words lie invisibly above it, so that they are found.
//!
//! Written for the tree of resvg 0.49. `svg2pdf` 0.13 takes that of 0.45 and `krilla-svg` 0.8 that of 0.47; each would bring a
//! second copy of resvg, a tenth of the whole program.

mod clips;
mod fonts;
mod gradients;
mod groups;
mod images;
mod paint;
mod painter;
mod paths;
mod sheet;
mod texts;
mod written;

pub use {
    fonts::{Fonts, Set},
    written::{content, form},
};
