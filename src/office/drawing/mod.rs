//! Shapes of office programs: colours and themes, fills and lines, outlines and charts. Reads DrawingML (ECMA-376 part
//! 1, 20 and 21). Other notations are converted to the same types. Writes drawings as SVG. Opens no part of a package:
//! the reader of the file passes the elements to it.

mod art;
mod chart;
mod colour;
mod definition;
mod enhanced;
mod fill;
mod geometry;
mod names;
pub mod odf;
mod pattern;
pub mod pen;
mod place;
mod presets;
mod sketch;
mod svg;
mod theme;
mod vml;

pub use art::{Art, Shown};
pub use chart::draw_anchored;
pub use chart::{Chart, draw as draw_chart, draw_diagram, drawing_of_diagram};
pub use colour::lightened;
pub use colour::{Colour, Palette, Rgba};
pub use definition::Shade;
use enhanced::{Enhanced, View, outline_of_points, outline_of_svg};
pub use fill::{
    Arrow, Crop, Fill, FillStyle, Gradient, GradientPath, Line, LineStyle, Picture as PictureFill,
    dash_name, dashes,
};
pub use geometry::{Adjustment, Command, Geometry, Outline, Path};
pub use names::{hexadecimal, preset as named_colour};
pub use pattern::Pattern;
use place::joined;
pub use place::{Place, Space, is_tilted, quarter_turns};
pub use sketch::{Sketch, Sketched};
pub use theme::Theme;
pub use vml::VmlOutline;

use crate::containers::xml::Node;

/// Reads an integer in an attribute.
pub fn number(node: &Node<'_>, name: &str) -> Option<i64> {
    let value = node.attribute(name)?;
    let value = value.trim();
    // Some programs write fractions, although the schema does not allow them. Fractions are truncated.
    let whole = value.parse::<i64>();
    whole.ok().or_else(|| {
        let number = value
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite());
        number.map(|number| number as i64)
    })
}

/// Reads a share in an attribute (22.9.2.9): thousandths of a percent, or, in strict files, a number with a percent
/// sign. 1.0 is 100 %.
pub fn share(node: &Node<'_>, name: &str) -> Option<f64> {
    let value = node.attribute(name)?;
    let share = match value.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => value.trim().parse::<f64>().ok()? / 100_000.0,
    };
    share.is_finite().then_some(share)
}

/// Reads a truth value in an attribute (22.9.2.7).
pub fn flag(node: &Node<'_>, name: &str) -> Option<bool> {
    match &*node.attribute(name)? {
        "1" | "true" | "on" => Some(true),
        "0" | "false" | "off" => Some(false),
        _ => None,
    }
}
