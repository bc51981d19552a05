//! Estimates the cost of filling, of stroking, and of canvases for groups, before anything is drawn. Draws nothing.
//!
//! A shape takes time for each pixel that it covers, and a drawing can cover its canvas ten thousand times. The covered
//! area is at most that of the bounding box, and at most that of the triangles between the edges and the centre of the
//! box. So a line across the whole picture costs little, and a shape whose halves have opposite orientations is not
//! underestimated.
//!
//! The edges of an outline take time even if they cover little. The rasterizer keeps a list of the edges that cross a
//! row, sorted from left to right. Edges that cross each other are exchanged in this list again and again; edges side
//! by side, like those of letters, keep their order. And for each dash of a dashed line, the line is searched from its
//! beginning.

use resvg::{
    tiny_skia::{Path as Outline, PathSegment, Point, Transform},
    usvg::{Group, Node, Paint, Path},
};

/// Steps for each pixel that an opaque colour fills. A step takes about a nanosecond.
const OPAQUE: f64 = 0.5;
/// Steps for each pixel that a translucent colour fills, or that a stroke of any colour covers.
const CLEAR: f64 = 5.0;
/// Steps for each pixel that a gradient or a pattern covers.
const SHADED: f64 = 14.0;
/// Steps for each pixel along a line with antialiased edges.
const ALONG: f64 = 60.0;
/// Steps for each row that an edge crosses.
const EDGE: f64 = 50.0;
/// Steps for each pair of edges that cross the same row near each other.
const PAIR: f64 = 0.5;
/// Number of edges in the outline of a stroked line, for each edge or dash of the line.
const OUTLINED: f64 = 4.0;
/// Number of edges for each curve.
const FLATTENED: f64 = 4.0;
/// Steps for each pair of a dash and a segment of the same line.
const DASH: f64 = 0.3;
/// Steps for each pixel of a group with its own canvas.
const LAYER: f64 = 14.0;
/// Steps for each pixel of a mask or a clip path.
const MASK: f64 = 24.0;

/// Steps for a group itself, without its child groups, on a canvas of `canvas` pixels and at `scale`. `most` is the
/// largest number of pixels of a mask, which is not cut off at the edge of the canvas.
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

/// Steps for a group of outlines of letters, with its child groups.
fn letters(group: &Group, canvas: f64, scale: f64) -> f64 {
    let within = group.children().iter().map(|child| match child {
        Node::Group(group) => letters(group, canvas, scale),
        Node::Path(_) | Node::Image(_) | Node::Text(_) => 0.0,
    });
    within.sum::<f64>() + steps(group, canvas, canvas, scale)
}

/// Steps for filling and stroking a path. An area that a path covers several times counts several times, up to the area
/// of the bounding box.
fn painted(path: &Path, canvas: f64, scale: f64) -> f64 {
    let transform = path.abs_transform();
    let (x, y) = transform.get_scale();
    // The determinant is the factor by which the transform enlarges areas.
    let area = f64::from((transform.sx * transform.sy - transform.kx * transform.ky).abs());
    let area = area * scale * scale;
    let Measured {
        area: covered,
        len,
        edges,
        aside,
        down,
        searched,
    } = measure(path.data(), transform);
    let bounds = path.abs_bounding_box();
    let (whole, height) = (
        f64::from(bounds.width()) * scale,
        f64::from(bounds.height()) * scale,
    );
    // Rows beyond the canvas cost nothing. The shape of the canvas is unknown here. Its height is assumed to be at most
    // 16 times its width, and thus at most four times the root of its area.
    let seen = 4.0 * canvas.sqrt();
    let crossing = |pieces: f64, each: f64, width: f64| {
        let rows = (down / pieces.max(1.0) * scale).min(height) + width + 1.0;
        let columns = (aside / pieces.max(1.0) * scale).min(whole) + width + 1.0;
        let meets = rows / (height + width + 1.0) * columns / (whole + width + 1.0);
        let count = each * pieces;
        EDGE * count * rows.min(seen) + PAIR * count * count * meets
    };
    let mut sum = 0.0;
    if let Some(fill) = path.fill() {
        let each = match fill.paint() {
            Paint::Color(_) if fill.opacity().get() == 1.0 => OPAQUE,
            Paint::Color(_) => CLEAR,
            Paint::LinearGradient(_) | Paint::RadialGradient(_) | Paint::Pattern(_) => SHADED,
        };
        sum += each * (covered * area).min(canvas) + crossing(edges, 1.0, 0.0);
    }
    if let Some(stroke) = path.stroke() {
        let mut pieces = edges;
        if let Some(dashes) = stroke.dasharray() {
            let total: f32 = dashes.iter().sum();
            let each = (f64::from(total) * 2.0 / dashes.len().max(1) as f64).max(1e-6);
            sum += DASH * searched / each;
            pieces += len / each;
        }
        let grown = f64::from(x.max(y)) * scale;
        let len = (len * grown).min(1e12);
        let width = f64::from(stroke.width().get()) * grown;
        let each = match stroke.paint() {
            Paint::Color(_) => CLEAR,
            Paint::LinearGradient(_) | Paint::RadialGradient(_) | Paint::Pattern(_) => SHADED,
        };
        sum += ALONG * len.min(canvas) + each * (len * width).min(canvas);
        // Lines of at most one pixel in width are drawn without an outline.
        if width > 1.0 {
            sum += crossing(pieces, OUTLINED, width);
        }
    }
    sum
}

/// Measures of an outline, in its own units unless stated otherwise.
#[derive(Default)]
struct Measured {
    /// Upper bound of the area that it covers.
    area: f64,
    /// Its length. Curves count as the lines between their points.
    len: f64,
    /// Number of edges if it is filled.
    edges: f64,
    /// Sum of the horizontal extents of its lines, after the transform.
    aside: f64,
    /// Sum of the vertical extents of its lines, after the transform.
    down: f64,
    /// For each subpath, the number of its segments times its length, summed over all subpaths.
    searched: f64,
}

/// Measures an outline.
fn measure(outline: &Outline, transform: Transform) -> Measured {
    let bounds = outline.bounds();
    let middle = (
        f64::from(bounds.left() + bounds.right()) / 2.0,
        f64::from(bounds.top() + bounds.bottom()) / 2.0,
    );
    let (sx, kx) = (f64::from(transform.sx), f64::from(transform.kx));
    let (ky, sy) = (f64::from(transform.ky), f64::from(transform.sy));
    let mut found = Measured::default();
    // Number of segments of the current subpath, and the total length before it.
    let (mut segments, mut before) = (0.0, 0.0);
    let line = |found: &mut Measured, from: Point, to: Point| {
        let at = |point: Point| (f64::from(point.x), f64::from(point.y));
        let ((ax, ay), (bx, by)) = (at(from), at(to));
        let cross = (ax - middle.0) * (by - middle.1) - (bx - middle.0) * (ay - middle.1);
        found.area += cross.abs() / 2.0;
        found.len += (bx - ax).hypot(by - ay);
        found.aside += ((bx - ax) * sx + (by - ay) * kx).abs();
        found.down += ((bx - ax) * ky + (by - ay) * sy).abs();
    };
    let (mut start, mut last) = (Point::zero(), Point::zero());
    for segment in outline.segments() {
        segments += 1.0;
        found.edges += match segment {
            PathSegment::MoveTo(_) | PathSegment::LineTo(_) | PathSegment::Close => 1.0,
            PathSegment::QuadTo(..) | PathSegment::CubicTo(..) => FLATTENED,
        };
        match segment {
            PathSegment::MoveTo(to) => {
                // A fill closes open subpaths.
                line(&mut found, last, start);
                found.searched += segments * (found.len - before);
                (segments, before) = (0.0, found.len);
                (start, last) = (to, to);
            }
            PathSegment::LineTo(to) => {
                line(&mut found, last, to);
                last = to;
            }
            PathSegment::QuadTo(by, to) => {
                line(&mut found, last, by);
                line(&mut found, by, to);
                last = to;
            }
            PathSegment::CubicTo(by, then, to) => {
                line(&mut found, last, by);
                line(&mut found, by, then);
                line(&mut found, then, to);
                last = to;
            }
            PathSegment::Close => {
                line(&mut found, last, start);
                last = start;
            }
        }
    }
    line(&mut found, last, start);
    found.searched += segments * (found.len - before);
    let most = f64::from(bounds.width()) * f64::from(bounds.height());
    found.area = found.area.min(most);
    found
}
