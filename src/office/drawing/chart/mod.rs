//! Charts: what they say, and drawings of them. Knows no document, sheet or slide, and never opens the workbook that
//! the values come from: they are cached in the chart.
//!
//! ```text
//! read (DrawingML) ─┐
//! extended (cx)    ─┼─► model::Chart ─► derive ─► draw ─► SVG
//! odf              ─┘        └─► table of its values
//! ```
//! A chart is read once into a small model, which is all that its drawing is made of, at any size. The rules of the
//! automatic layout (how far the plot is from the edges, which steps an axis gets, what colours series have) are
//! Word's, measured on its own pages; the standard (ECMA-376 part 1, 21.2) says nothing about them.

mod axis;
mod bars;
mod boxes;
mod canvas;
mod derive;
mod diagram;
mod draw;
mod elements;
mod extended;
mod hierarchy;
mod labels;
mod layout;
mod legend;
mod lines;
mod measure;
mod model;
mod odf;
mod pens;
mod pie;
mod points;
mod radar;
mod ranges;
mod read;
mod ruler;
mod scale;
mod sunburst;
mod table;
#[cfg(test)]
mod tests;
mod treemap;

pub use diagram::draw_anchored;
pub use diagram::{draw_diagram, drawing_of_diagram};
pub use draw::draw;
pub use model::Chart;
