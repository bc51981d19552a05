//! What filling and stroking take, and canvases of groups, before any of it is drawn. Draws nothing.
//!
//! A shape takes time for each pixel that it covers, and a drawing can cover its canvas ten thousand times. What a shape
//! covers is never more than its bounding box, and never more than the triangles between its edges and the middle of that
//! box: a line across the whole picture costs little, and a shape whose halves turn opposite ways does not hide.

use resvg::{
    tiny_skia::{Path as Outline, PathSegment, Point},
    usvg::{Group, Node, Paint, Path},
};

/// Steps of about a nanosecond for each pixel that is covered: by one opaque colour, by one that is not, and by gradients and
/// patterns.
const OPAQUE: f64 = 0.5;
const CLEAR: f64 = 5.0;
const SHADED: f64 = 14.0;
/// Steps for each pixel along a line with smooth edges.
const ALONG: f64 = 60.0;
/// Steps for each pixel of a group that has a canvas of its own, and of a mask or a clip path.
const LAYER: f64 = 14.0;
const MASK: f64 = 24.0;

/// Steps that a group takes by itself, without the groups in it, on `canvas` pixels, `scale` times as large. `most` is how many
/// pixels are computed of a mask, which is not cut off where the canvas ends.
pub(crate) fn steps(group: &Group, canvas: f64, most: f64, scale: f64) -> f64 {
    let mut sum = 0.0;
    let layer = group.abs_layer_bounding_box();
    let layer = f64::from(layer.width()) * f64::from(layer.height()) * scale * scale;
    if group.should_isolate() {
        sum += LAYER * layer.min(canvas);
    }
    if group.mask().is_some() || group.clip_path().is_some() {
        sum += MASK * layer.min(most);
    }
    for child in group.children() {
        sum += match child {
            Node::Path(path) => painted(path, canvas, scale),
            Node::Text(text) => letters(text.flattened(), canvas, scale),
            Node::Group(_) | Node::Image(_) => 0.0,
        };
    }
    sum
}

/// All in a group of outlines of letters.
fn letters(group: &Group, canvas: f64, scale: f64) -> f64 {
    let within = group.children().iter().map(|child| match child {
        Node::Group(group) => letters(group, canvas, scale),
        Node::Path(_) | Node::Image(_) | Node::Text(_) => 0.0,
    });
    within.sum::<f64>() + steps(group, canvas, canvas, scale)
}

fn painted(path: &Path, canvas: f64, scale: f64) -> f64 {
    let transform = path.abs_transform();
    let (x, y) = transform.get_scale();
    // Areas grow by what the transform does to a square.
    let area = f64::from((transform.sx * transform.sy - transform.kx * transform.ky).abs());
    let area = area * scale * scale;
    let (covered, len) = measure(path.data());
    let mut sum = 0.0;
    if let Some(fill) = path.fill() {
        let each = match fill.paint() {
            Paint::Color(_) if fill.opacity().get() == 1.0 => OPAQUE,
            Paint::Color(_) => CLEAR,
            Paint::LinearGradient(_) | Paint::RadialGradient(_) | Paint::Pattern(_) => SHADED,
        };
        sum += each * (covered * area).min(canvas);
    }
    if let Some(stroke) = path.stroke() {
        let grown = f64::from(x.max(y)) * scale;
        let len = (len * grown).min(1e12);
        let width = f64::from(stroke.width().get()) * grown;
        let each = match stroke.paint() {
            Paint::Color(_) => CLEAR,
            Paint::LinearGradient(_) | Paint::RadialGradient(_) | Paint::Pattern(_) => SHADED,
        };
        sum += ALONG * len.min(canvas) + each * (len * width).min(canvas);
    }
    sum
}

/// The area that an outline covers at most, and its length; curves count as the lines between their points.
fn measure(outline: &Outline) -> (f64, f64) {
    let bounds = outline.bounds();
    let middle = (
        f64::from(bounds.left() + bounds.right()) / 2.0,
        f64::from(bounds.top() + bounds.bottom()) / 2.0,
    );
    let (mut area, mut len) = (0.0, 0.0);
    let mut line = |from: Point, to: Point| {
        let at = |point: Point| (f64::from(point.x), f64::from(point.y));
        let ((ax, ay), (bx, by)) = (at(from), at(to));
        let cross = (ax - middle.0) * (by - middle.1) - (bx - middle.0) * (ay - middle.1);
        area += cross.abs() / 2.0;
        len += (bx - ax).hypot(by - ay);
    };
    let (mut start, mut last) = (Point::zero(), Point::zero());
    for segment in outline.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                // A fill closes what is open.
                line(last, start);
                (start, last) = (to, to);
            }
            PathSegment::LineTo(to) => {
                line(last, to);
                last = to;
            }
            PathSegment::QuadTo(by, to) => {
                line(last, by);
                line(by, to);
                last = to;
            }
            PathSegment::CubicTo(by, then, to) => {
                line(last, by);
                line(by, then);
                line(then, to);
                last = to;
            }
            PathSegment::Close => {
                line(last, start);
                last = start;
            }
        }
    }
    line(last, start);
    let most = f64::from(bounds.width()) * f64::from(bounds.height());
    (area.min(most), len)
}
