//! Shapes as office programs describe them: colours and themes, fills and lines, outlines, charts. Reads DrawingML (ECMA-376
//! part 1, 20 and 21); what other notations say becomes the same types. Drawings
//! are made of them as SVG. Opens no part of a package: whoever reads a file hands over elements of it.

mod art;
mod chart;
mod colour;
mod definition;
#[cfg(feature = "presentation")]
mod enhanced;
mod fill;
mod geometry;
mod names;
#[cfg(feature = "presentation")]
pub(crate) mod odf;
mod pattern;
pub(super) mod pen;
mod place;
mod presets;
mod sketch;
mod svg;
mod theme;
mod vml;

pub(crate) use art::{Art, Shown};
#[cfg(feature = "spreadsheet")]
pub(crate) use chart::draw_anchored;
pub(crate) use chart::{Chart, draw as draw_chart, draw_diagram, drawing_of_diagram};
#[cfg(feature = "spreadsheet")]
pub(crate) use colour::lightened;
pub(crate) use colour::{Colour, Palette, Rgba};
pub(crate) use definition::Shade;
#[cfg(feature = "presentation")]
use enhanced::{Enhanced, View, outline_of_points, outline_of_svg};
pub(crate) use fill::{
    Arrow, Crop, Fill, FillStyle, Gradient, GradientPath, Line, LineStyle, Picture as PictureFill,
    dashes,
};
pub(crate) use geometry::{Command, Geometry, Outline, Path};
pub(crate) use names::{hexadecimal, preset as named_colour};
pub(crate) use pattern::Pattern;
#[cfg(feature = "presentation")]
use place::joined;
pub(crate) use place::{Place, Space};
pub(crate) use sketch::{Sketch, Sketched};
pub(crate) use svg::POINT;
pub(crate) use theme::Theme;
pub(crate) use vml::VmlOutline;

use crate::containers::xml::Node;

/// A whole number in an attribute.
pub(crate) fn number(node: &Node<'_>, name: &str) -> Option<i64> {
    let value = node.attribute(name)?;
    let value = value.trim();
    // Some programs write fractions, which the schema does not allow.
    let whole = value.parse::<i64>();
    whole.ok().or_else(|| {
        let number = value
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite());
        number.map(|number| number as i64)
    })
}

/// A share in an attribute (22.9.2.9): in thousandths of a percent, or with a percent sign in strict files.
pub(crate) fn share(node: &Node<'_>, name: &str) -> Option<f64> {
    let value = node.attribute(name)?;
    let share = match value.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => value.trim().parse::<f64>().ok()? / 100_000.0,
    };
    share.is_finite().then_some(share)
}

/// A truth value in an attribute (22.9.2.7).
pub(crate) fn flag(node: &Node<'_>, name: &str) -> Option<bool> {
    match &*node.attribute(name)? {
        "1" | "true" | "on" => Some(true),
        "0" | "false" | "off" => Some(false),
        _ => None,
    }
}
