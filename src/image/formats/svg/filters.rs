//! Estimates the cost of the filters, pictures and paint of a drawing before any of it is drawn, because drawing cannot
//! be stopped. Draws nothing.
//!
//! The trap is the area outside of the canvas: resvg computes the region of a filter up to two canvases around it, and
//! further if a group is rotated, because each rotation enlarges the canvas to its bounding box.

use super::{groups::each_group, paint, pictures};
use resvg::usvg::{Group, ImageKind, filter::Kind};

/// Largest cost of a drawing, in steps of about a nanosecond. Steps in the constants below have the same unit.
const MAX_STEPS: f64 = 4e9;
/// Steps for each pixel of a picture. A picture is decoded each time that it is drawn.
const DECODED: f64 = 20.0;
/// Steps for each pixel of the canvas of a nested drawing.
const LAYER: f64 = 14.0;
/// Steps for each pixel that a picture covers.
const COVERED: f64 = 80.0;
/// Steps for each pixel of a filtered group that is stored as a picture in another format.
#[cfg(feature = "document")]
const STORED: f64 = 80.0;
/// Largest region that resvg computes, as a multiple of the canvas, unless something is rotated: the canvas and two
/// more on each side, which makes 5 × 5.
const MAX_REGION: f64 = 25.0;
/// Bytes of a pixel.
const PIXEL: f64 = 4.0;

/// Returns whether all filters, pictures and paint together take too long when `group` is drawn on `canvas` pixels,
/// with a `scale` in each direction.
pub(crate) fn are_too_slow(group: &Group, canvas: f64, scale: f64) -> bool {
    cost(group, canvas, scale) > MAX_STEPS
}

/// Returns whether all filters, pictures and paint together take too long if each filtered group is also drawn and
/// stored by itself.
#[cfg(feature = "document")]
pub(crate) fn are_too_slow_apart(group: &Group, canvas: f64, scale: f64) -> bool {
    let mut stored = 0.0;
    each_group(group, &mut |group, within| {
        if !group.filters().is_empty() {
            stored += STORED * area(group, scale * within).min(canvas);
        }
        true
    });
    stored + cost(group, canvas, scale) > MAX_STEPS
}

/// Cost of all filters, pictures and paint in steps of about a nanosecond; infinite above the limit, or if the drawing
/// has too many groups.
pub(crate) fn cost(group: &Group, canvas: f64, scale: f64) -> f64 {
    let mut sum = Sum {
        canvas,
        most: most(group, canvas),
        steps: 0.0,
    };
    let all = each_group(group, &mut |group, within| {
        sum.add(group, scale * within);
        sum.steps <= MAX_STEPS
    });
    if all { sum.steps } else { f64::INFINITY }
}

/// Memory in bytes for the pixels of filters outside of the canvas.
pub(crate) fn outside(group: &Group, canvas: f64, scale: f64) -> u64 {
    let most = most(group, canvas);
    let (mut largest, mut filters) = (0.0_f64, 0);
    each_group(group, &mut |group, within| {
        if !group.filters().is_empty() {
            filters += 1;
            largest = largest.max(area(group, scale * within).min(most) - canvas);
        }
        true
    });
    // A filter holds three pictures at a time: its source, its last result, and its current result. At most four
    // filters are assumed to be nested.
    (3.0 * PIXEL * largest * f64::from(filters.min(4))) as u64
}

/// Number of pixels of a filtered group.
fn area(group: &Group, scale: f64) -> f64 {
    let layer = group.layer_bounding_box();
    let (x, y) = group.abs_transform().get_scale();
    let (x, y) = (f64::from(x) * scale, f64::from(y) * scale);
    f64::from(layer.width()) * x * f64::from(layer.height()) * y
}

/// Largest number of pixels of a filter region that resvg computes. Infinite if an isolated group is skewed, or rotated
/// by other than right angles, or if the drawing has too many groups.
fn most(group: &Group, canvas: f64) -> f64 {
    let is_upright = each_group(group, &mut |group, _| {
        let transform = group.abs_transform();
        let (straight, across) = (
            transform.sx.abs() + transform.sy.abs(),
            transform.kx.abs() + transform.ky.abs(),
        );
        // The comparison has a tolerance, because a rotation by 90 degrees is not exact.
        let is_upright = straight.min(across) <= 1e-5 * straight.max(across);
        is_upright || !group.should_isolate()
    });
    if is_upright {
        MAX_REGION * canvas
    } else {
        f64::INFINITY
    }
}

/// The sum of costs.
struct Sum {
    canvas: f64,
    /// Largest number of pixels of a filter region that resvg computes.
    most: f64,
    steps: f64,
}

impl Sum {
    /// Adds the cost of a group itself, without its child groups.
    fn add(&mut self, group: &Group, scale: f64) {
        let transform = group.abs_transform();
        let (x, y) = transform.get_scale();
        let (x, y) = (f64::from(x) * scale, f64::from(y) * scale);
        for filter in group.filters() {
            let region = filter.rect();
            let pixels = (f64::from(region.width()) * x * f64::from(region.height()) * y)
                .abs()
                .min(self.most);
            for primitive in filter.primitives() {
                self.steps += pixels * steps(primitive.kind(), x, y);
            }
        }
        self.steps += paint::steps(group, self.canvas, self.most, scale);
        for image in pictures::shown(group) {
            let area = image.abs_bounding_box();
            let covered = f64::from(area.width()) * f64::from(area.height());
            let covered = (covered * scale * scale).min(self.canvas);
            self.steps += match image.kind() {
                // The nested drawing gets a canvas. Its own groups are counted separately.
                ImageKind::SVG(_) => LAYER * self.canvas,
                _ => DECODED * pictures::pixels(image) as f64 + COVERED * covered,
            };
        }
    }
}

/// Steps of a filter primitive for each pixel. `x` and `y` are the scales.
fn steps(kind: &Kind, x: f64, y: f64) -> f64 {
    match kind {
        Kind::Turbulence(it) => 40.0 + 160.0 * f64::from(it.num_octaves()),
        Kind::Morphology(it) => {
            let (rx, ry) = (
                f64::from(it.radius_x().get()),
                f64::from(it.radius_y().get()),
            );
            60.0 + 2.4 * (2.0 * rx * x + 1.0) * (2.0 * ry * y + 1.0)
        }
        Kind::ConvolveMatrix(it) => {
            40.0 + 9.0 * f64::from(it.matrix().columns()) * f64::from(it.matrix().rows())
        }
        Kind::DiffuseLighting(_) => 80.0,
        Kind::SpecularLighting(_) => 130.0,
        Kind::GaussianBlur(it) => blur(it.std_dev_x().get(), it.std_dev_y().get(), x, y),
        Kind::DropShadow(it) => blur(it.std_dev_x().get(), it.std_dev_y().get(), x, y),
        Kind::Blend(_)
        | Kind::ColorMatrix(_)
        | Kind::ComponentTransfer(_)
        | Kind::Composite(_)
        | Kind::DisplacementMap(_)
        | Kind::Image(_)
        | Kind::Merge(_)
        | Kind::Offset(_)
        | Kind::Tile(_) => 60.0,
        Kind::Flood(_) => 20.0,
    }
}

/// Steps of a blur for each pixel: resvg computes three box blurs for large deviations, and an IIR filter for small
/// ones.
fn blur(deviation_x: f32, deviation_y: f32, x: f64, y: f64) -> f64 {
    let most = (f64::from(deviation_x) * x).max(f64::from(deviation_y) * y);
    if most < 2.0 { 500.0 } else { 230.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::{Options, Tree};

    /// Without the limit, the first outline took 28 s to draw, and the second one 160 s.
    #[test]
    fn the_cost_of_outlines_follows_their_segments() {
        #[track_caller]
        fn check(path: &str, seconds: std::ops::Range<f64>) {
            let text = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'><path {path}'/></svg>"
            );
            let tree = Tree::from_str(&text, &Options::default()).unwrap();
            let found = (cost(tree.root(), 900.0 * 900.0, 1.0) / 1e9).min(1e9);
            assert!(seconds.contains(&found), "{found} s for {}", &path[..30]);
        }
        let many = |piece: &str, count: usize| format!("M0 0{}", piece.repeat(count));
        let thick = "stroke='red' stroke-width='3' d='";
        check(
            &format!("{thick}{}", many("C1 2 3 4 5 6", 80_000)),
            5.0..f64::INFINITY,
        );
        check(
            &format!("{thick}{}", many("L1 2L5 6", 80_000)),
            5.0..f64::INFINITY,
        );
        let dashed = format!(
            "stroke-dasharray='1 1' {thick}{}",
            many("C1 2 3 4 5 6", 60_000)
        );
        check(&format!("fill='none' {dashed}"), 5.0..f64::INFINITY);
        // Plots, and the outlines of a map.
        let plot: String = (0..20_000)
            .map(|at| format!("L{} {}", at % 900, at * 37 % 400))
            .collect();
        check(&format!("fill='none' {thick}M0 0{plot}"), 0.1..3.0);
        let coast: String = (0..100_000)
            .map(|at| {
                let (down, across) = (f64::from(at) / 15_000.0).sin_cos();
                let rough = f64::from(at * 37 % 4);
                format!(
                    "L{:.2} {:.2}",
                    450.0 + 400.0 * across,
                    450.0 + 400.0 * down + rough
                )
            })
            .collect();
        check(&format!("{thick}M0 0{coast}"), 0.01..4.0);
        check(&format!("{thick}M0 0L9e5 9e6"), 0.0..0.1);
    }

    #[test]
    fn filter_regions_count_beyond_the_canvas() {
        #[track_caller]
        fn check(region: &str, transform: &str, times: f64) {
            let text = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><filter id='f' \
                 filterUnits='userSpaceOnUse' {region}><feFlood/></filter>\
                 <g transform='{transform}'><rect width='9' height='9' filter='url(#f)'/></g></svg>"
            );
            let tree = Tree::from_str(&text, &Options::default()).unwrap();
            let canvas = 100.0 * 100.0;
            let found = cost(tree.root(), canvas, 1.0) / canvas / 20.0;
            assert!(
                (times - 0.1..times + 2.0).contains(&found),
                "{region}: {found}"
            );
            let outside = outside(tree.root(), canvas, 1.0) as f64 / canvas / (3.0 * PIXEL);
            let expected = (times - 1.0).max(0.0);
            assert!(
                (expected - 0.1..expected + 1.0).contains(&outside),
                "{outside}"
            );
        }
        let large = "x='-5000' y='-5000' width='10000' height='10000'";
        check("x='0' y='0' width='100' height='100'", "", 1.0);
        check(large, "", 25.0);
        check(large, "rotate(90)", 25.0);
        // A region at any other angle is not cut to the canvas.
        check(large, "rotate(45)", 10_000.0);
    }

    #[test]
    fn the_cost_of_filters_follows_their_kind() {
        #[track_caller]
        fn check(region: u32, filter: &str, expected: bool) {
            let text = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='{region}' height='{region}'><filter id='f' \
                 filterUnits='userSpaceOnUse' width='{region}' height='{region}'>{filter}</filter>\
                 <rect width='10' height='10' filter='url(#f)'/></svg>"
            );
            let tree = Tree::from_str(&text, &Options::default()).unwrap();
            let canvas = f64::from(region).powi(2);
            assert_eq!(are_too_slow(tree.root(), canvas, 1.0), expected, "{filter}");
        }
        check(4000, "<feGaussianBlur stdDeviation='20'/>", false);
        check(
            1000,
            "<feTurbulence baseFrequency='0.1' numOctaves='5'/>",
            false,
        );
        check(
            1000,
            "<feTurbulence baseFrequency='0.1' numOctaves='1000000'/>",
            true,
        );
        check(1000, "<feMorphology radius='5'/>", false);
        check(1000, "<feMorphology radius='500'/>", true);
        check(
            4000,
            "<feGaussianBlur stdDeviation='20'/><feGaussianBlur stdDeviation='20'/>",
            true,
        );
    }

    #[test]
    fn the_cost_of_paint_follows_the_covered_area() {
        #[track_caller]
        fn check(count: usize, shape: &str, expected: bool) {
            let text = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='4000' height='4000'><radialGradient id='g'>\
                 <stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue'/></radialGradient>{}</svg>",
                shape.repeat(count)
            );
            let tree = Tree::from_str(&text, &Options::default()).unwrap();
            assert_eq!(
                are_too_slow(tree.root(), 16e6, 1.0),
                expected,
                "{count} {shape}"
            );
        }
        let whole = "<rect width='4000' height='4000' fill='url(#g)'/>";
        check(5, whole, false);
        check(500, whole, true);
        // A drawing may have thousands of small shapes, and of thin ones that cross the whole canvas.
        check(
            20_000,
            "<rect width='40' height='40' fill='url(#g)'/>",
            false,
        );
        check(2_000, "<path d='M 0 0 L 4000 4000 L 3999 4000 Z'/>", false);
        check(2_000, "<path d='M 0 0 L 4000 4000' stroke='red'/>", false);
        check(
            500,
            "<g opacity='.5'><rect width='4000' height='4000'/><rect width='9' height='4000'/></g>",
            true,
        );
        // A shape whose halves have opposite orientations covers as much as one whose halves have the same.
        check(
            500,
            "<path fill-opacity='.5' d='M 0 0 H 4000 L 0 4000 H 4000 Z'/>",
            true,
        );
    }
}
