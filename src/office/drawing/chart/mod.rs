//! Charts: a model of their content, and drawings of them. Does not depend on documents, sheets or slides. Never opens
//! the workbook that the values come from, since the chart has cached copies.
//!
//! ```text
//! read (DrawingML) ─┐
//! extended (cx)    ─┼─► model::Chart ─► derive ─► draw ─► SVG
//! odf              ─┘        └─► table of its values
//! ```
//! A chart is read once into a small model, from which it is drawn at any size. The rules of the automatic layout are
//! those of Word, measured on its pages: the distance of the plot from the edges, the steps of an axis, and the colours
//! of series. The standard (ECMA-376 part 1, 21.2) does not define them.

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
