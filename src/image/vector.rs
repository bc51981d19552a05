//! Drawings for other packages, whose formats can contain drawings, such as PDF: the tree of a drawing, the pictures
//! within it, and pixels for effects that a target format cannot express. Does not write these formats.

use super::{
    formats::svg,
    inlay, limits,
    pixels::{Channels, Depth, Frame, Layout},
    plate::{self, Canvas},
    source::unsupported,
    target::Extras,
};
use convertd_core::{error::Result, format::Format, job::Job};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Node, NonZeroRect, Tree},
};

pub use svg::{
    Parsed as Drawing, Resolved, Resolver, draw, faces, is_packed, resolve_with, unpack,
    unpacked_len,
};

/// Maximum number of pixels of a part that is drawn as pixels.
const MAX_PIXELS: f64 = 16e6;

/// The format of drawings: SVG.
pub fn format() -> &'static Format {
    &svg::ROW.format
}

/// Runs `work` with a job for a drawing of `len` bytes that is embedded in another file.
pub fn within<T>(job: &Job<'_>, len: u64, work: impl FnOnce(&Job<'_>) -> T) -> T {
    inlay::within(job, format(), job.to, len, &[], work)
}

/// Cost of reading a drawing and of drawing it at this width in pixels, in steps of about a nanosecond.
pub fn cost(drawing: &Drawing, width: f64) -> f64 {
    let size = drawing.tree.size();
    let scale = width / f64::from(size.width());
    let pixels = width * scale * f64::from(size.height());
    drawing.steps as f64 + svg::cost(drawing.tree.root(), pixels, scale)
}

/// Draws a group with its filters, without its surroundings, onto a canvas. `region` is the part of the group to draw,
/// in the coordinates within the group, and `scale` the desired number of pixels per unit, which is reduced if the part
/// would have more than 16 million pixels. Returns `false` if there is nothing to draw.
///
/// Errors: the same as for [`Job::lease`], and errors of the canvas.
pub fn filtered(
    job: &Job<'_>,
    drawing: &Drawing,
    node: &Node,
    region: NonZeroRect,
    scale: f32,
    canvas: &mut dyn Canvas,
) -> Result<bool> {
    let Node::Group(group) = node else {
        return Ok(false);
    };
    let (Some(bounds), Some(back)) = (node.abs_layer_bounding_box(), group.transform().invert())
    else {
        return Ok(false);
    };
    let area = f64::from(region.width()) * f64::from(region.height());
    let most = (MAX_PIXELS / area).sqrt() as f32;
    let scale = scale.min(most);
    let side = |len: f32| ((len * scale).ceil().max(1.0) as u32).min(limits::MAX_SIDE);
    let layout = Layout {
        width: side(region.width()),
        height: side(region.height()),
        channels: Channels::Rgba,
        depth: Depth::Eight,
    };
    let around = svg::outside(
        group,
        f64::from(layout.width) * f64::from(layout.height),
        f64::from(scale),
    );
    let layers = (4 + drawing.layers()) * layout.bytes();
    let _lease = job.lease(layers + around + drawing.decoded())?;
    // `render_node` moves the bounds of the node to the top left corner, and applies the transform of the node. This
    // transform undoes both, and moves and scales `region` to the pixels.
    let across = Transform::from_scale(
        layout.width as f32 / region.width(),
        layout.height as f32 / region.height(),
    )
    .pre_translate(-region.x(), -region.y())
    .pre_concat(back)
    .pre_translate(bounds.x(), bounds.y());
    let Some(mut pixmap) = Pixmap::new(layout.width, layout.height) else {
        return Ok(false);
    };
    resvg::render_node(node, across, &mut pixmap.as_mut());
    let frame = Frame::from_pixels(layout, pixmap.take_demultiplied());
    let extras = Extras {
        lossless: true,
        ..Extras::default()
    };
    within(job, 0, |job| {
        plate::paint(job, Box::new(frame), extras, canvas)
    })?;
    Ok(true)
}

/// Checks that the filters of a drawing do not take too long with this many pixels per unit.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if they do.
pub fn check_filters(job: &Job<'_>, tree: &Tree, scale: f64) -> Result<()> {
    let size = tree.size();
    let pixels = f64::from(size.width()) * f64::from(size.height()) * scale * scale;
    match svg::are_too_slow_apart(tree.root(), pixels, scale) {
        false => Ok(()),
        true => Err(unsupported(job, "filters that take too long at this size")),
    }
}
