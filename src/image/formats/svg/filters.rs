//! What the filters and the pictures of a drawing take, before any of them is drawn: none can be stopped. Draws nothing.

use super::{groups::each_group, pictures};
use resvg::usvg::{Group, filter::Kind};

/// The most that is allowed, in steps of about a nanosecond. The weights below were measured with 4 MP pictures.
const MAX_STEPS: f64 = 2e9;
/// Steps for each pixel of a picture, which is decoded each time that it is drawn.
const DECODED: f64 = 20.0;
/// Steps for each pixel that it covers.
const COVERED: f64 = 80.0;

/// Whether all filters and pictures together take too long when `group` is drawn on `canvas` pixels, `scale` times as
/// large in each direction.
pub(crate) fn are_too_slow(group: &Group, canvas: f64, scale: f64) -> bool {
    let mut sum = Sum {
        canvas,
        scale,
        steps: 0.0,
    };
    !each_group(group, &mut |group| {
        sum.add(group);
        sum.steps <= MAX_STEPS
    })
}

struct Sum {
    canvas: f64,
    scale: f64,
    steps: f64,
}

impl Sum {
    /// Counts what the group itself has, without the groups in it.
    fn add(&mut self, group: &Group) {
        let transform = group.abs_transform();
        let (x, y) = transform.get_scale();
        let (x, y) = (f64::from(x) * self.scale, f64::from(y) * self.scale);
        for filter in group.filters() {
            let region = filter.rect();
            // What lies outside of the canvas is not computed.
            let pixels = (f64::from(region.width()) * x * f64::from(region.height()) * y)
                .abs()
                .min(self.canvas);
            for primitive in filter.primitives() {
                self.steps += pixels * steps(primitive.kind(), x, y);
            }
        }
        for image in pictures::shown(group) {
            let area = image.abs_bounding_box();
            let covered = f64::from(area.width()) * f64::from(area.height());
            let covered = (covered * self.scale * self.scale).min(self.canvas);
            self.steps += DECODED * pictures::pixels(image) as f64 + COVERED * covered;
        }
    }
}

/// Steps for each pixel.
fn steps(kind: &Kind, x: f64, y: f64) -> f64 {
    match kind {
        Kind::Turbulence(it) => 20.0 + 80.0 * f64::from(it.num_octaves()),
        Kind::Morphology(it) => {
            let (rx, ry) = (
                f64::from(it.radius_x().get()),
                f64::from(it.radius_y().get()),
            );
            40.0 + 1.2 * (2.0 * rx * x + 1.0) * (2.0 * ry * y + 1.0)
        }
        Kind::ConvolveMatrix(it) => {
            20.0 + 5.0 * f64::from(it.matrix().columns()) * f64::from(it.matrix().rows())
        }
        Kind::DiffuseLighting(_) => 40.0,
        Kind::SpecularLighting(_) => 70.0,
        Kind::GaussianBlur(it) => blur(it.std_dev_x().get(), it.std_dev_y().get(), x, y),
        Kind::DropShadow(it) => 40.0 + blur(it.std_dev_x().get(), it.std_dev_y().get(), x, y),
        Kind::Blend(_)
        | Kind::ColorMatrix(_)
        | Kind::ComponentTransfer(_)
        | Kind::Composite(_)
        | Kind::DisplacementMap(_)
        | Kind::Flood(_)
        | Kind::Image(_)
        | Kind::Merge(_)
        | Kind::Offset(_)
        | Kind::Tile(_) => 40.0,
    }
}

/// A narrow blur is computed exactly, and takes three times as long as a wide one.
fn blur(across: f32, down: f32, x: f64, y: f64) -> f64 {
    let (across, down) = (f64::from(across) * x, f64::from(down) * y);
    if across > 2.0 || down > 2.0 {
        110.0
    } else {
        300.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::{Options, Tree};

    #[test]
    fn filters_are_weighed_by_what_they_take() {
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
        check(4000, &"<feGaussianBlur stdDeviation='20'/>".repeat(2), true);
        check(1000, "<feMorphology radius='5'/>", false);
        check(1000, "<feMorphology radius='500'/>", true);
    }
}
