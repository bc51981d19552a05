//! Fills and lines of shapes (OpenDocument 1.3, part 3, 20.110 to 20.180), with the named gradients, bitmaps and
//! dashes that they refer to. Draws nothing.

use super::properties::{Filling, ShapeStyle, Stroke};
use convertd_office::drawing::{
    Fill, Line, Rgba,
    odf::paints::{Paints, arrow, opaque},
};

/// Fill of a shape. A gradient that is not defined becomes a solid fill, and a solid fill without a colour has the
/// default blue of LibreOffice.
pub(super) fn fill(paints: &Paints, style: &ShapeStyle) -> Fill {
    let alpha = style.opacity.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    let solid = || {
        let colour = style.colour.map_or(Rgba::opaque([114, 159, 207]), opaque);
        Fill::Solid(Rgba { alpha, ..colour })
    };
    match style.fill {
        None | Some(Filling::None) => Fill::None,
        Some(Filling::Solid) => solid(),
        Some(Filling::Gradient) => {
            let gradient = style.gradient.as_deref();
            let gradient = gradient.and_then(|name| paints.gradient(name, alpha));
            gradient.unwrap_or_else(solid)
        }
        Some(Filling::Bitmap) => {
            let picture = style.bitmap.as_deref();
            let picture = picture.and_then(|name| paints.picture(name, alpha));
            picture.unwrap_or_default()
        }
        Some(Filling::Hatch) => paints.hatch(style.hatch.as_deref().unwrap_or_default(), alpha),
    }
}

/// Line of a shape. `None` if the shape has no line.
pub(super) fn line(paints: &Paints, style: &ShapeStyle) -> Option<Line> {
    let stroke = style.stroke.filter(|stroke| *stroke != Stroke::None)?;
    let colour = style.stroke_colour.map_or(Rgba::BLACK, opaque);
    let dash = style.dash.as_deref();
    let dash = dash.filter(|_| stroke == Stroke::Dash);
    Some(Line {
        width: style.width.unwrap_or(0.0).clamp(0.0, 2e7) as i64,
        colour: Rgba {
            alpha: style.stroke_opacity.unwrap_or(1.0).clamp(0.0, 1.0) as f32,
            ..colour
        },
        dashes: dash.map_or(&[], |name| paints.dashes(name)),
        round: false,
        ends: style.markers.each_ref().map(|name| arrow(name.as_deref())),
    })
}
