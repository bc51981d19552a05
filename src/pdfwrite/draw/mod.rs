//! Drawings (SVG) in a PDF. Does not depend on documents.
//!
//! The tree of resvg becomes operators of a content stream:
//! ```text
//! groups ──► paths, texts, images ──► paint ──► gradients
//!   │                                   │          │
//!   └──► clips (clip paths, masks)      ▼          ▼
//!                                     sheet (a content stream)
//! ```
//! Features that SVG and PDF share are written directly: paths, strokes, transforms, opacity, blend modes, gradients,
//! tiling patterns, glyphs. Others are expressed differently: clip paths of overlapping shapes become soft masks, the
//! opacity of stops becomes a second gradient in a soft mask, and a repeated gradient gets more stops. Filters have no
//! counterpart: resvg renders a group with a filter to pixels, and the text of the group lies invisibly above the
//! pixels, so that a search finds the text.
//!
//! Written for the tree of resvg 0.49. `svg2pdf` 0.13 needs the tree of 0.45, and `krilla-svg` 0.8 the tree of 0.47;
//! each would bring a second copy of resvg, a tenth of the whole program.

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
