//! Lengths, transforms and rectangles of OpenDocument (OpenDocument 1.3, part 3, 19.228 and 19.570 to 19.580). Reads
//! no shapes.

use crate::{
    containers::xml::Element,
    drawing::{Place, joined},
};
use convertd_tree::Length;

/// Number of English Metric Units in a hundredth of a millimetre, which is the unit of paths.
pub const UNIT: f64 = 360.0;

/// Max. absolute value of positions and sizes after a transform, in English Metric Units.
const MAX: f64 = 1e10;

/// Reads a length in an attribute, in English Metric Units.
pub fn length(element: &Element<'_>, name: &str) -> Option<f64> {
    emu(&element.attribute(name)?)
}

/// Parses a length, in English Metric Units.
pub fn emu(text: &str) -> Option<f64> {
    Length::parse(text).map(|length| length.to_emu() as f64)
}

/// Parses a percentage such as `50%` as a share.
pub fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    number.is_finite().then_some(number / 100.0)
}

/// Conversion from a point of the shape to a point of the slide: x' = a·x + c·y + e, y' = b·x + d·y + f.
type Matrix = [f64; 6];

/// Reads the place of a shape from its position, its size and its transform. `None` if it has no width.
pub fn place(element: &Element<'_>) -> Option<Place> {
    let side = |name| length(element, name);
    let place = Place {
        x: side("x").unwrap_or(0.0),
        y: side("y").unwrap_or(0.0),
        width: side("width")?.abs(),
        height: side("height").unwrap_or(0.0).abs(),
        ..Place::default()
    };
    let Some(transform) = element.attribute("transform") else {
        return Some(place);
    };
    Some(placed(place, matrix(&transform)))
}

/// Applies a transform to a place. The result is a rectangle that is rotated about its centre, so skewing is lost.
fn placed(place: Place, [a, b, c, d, e, f]: Matrix) -> Place {
    let (x, y) = place.middle();
    let (x, y) = (a * x + c * y + e, b * x + d * y + f);
    let (width, height) = (place.width * a.hypot(b), place.height * c.hypot(d));
    let flipped = a * d - b * c < 0.0;
    let side = |value: f64| value.clamp(-MAX, MAX);
    Place {
        x: side(x - width / 2.0),
        y: side(y - height / 2.0),
        width: side(width),
        height: side(height),
        turn: b.atan2(a).to_degrees().rem_euclid(360.0),
        flips: (false, flipped),
    }
}

/// Parses a list of transforms. The first transform is applied first. Angles are in radians; positive angles are
/// counterclockwise.
fn matrix(list: &str) -> Matrix {
    let mut all: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    for transform in list.split(')').take(64) {
        let Some((name, values)) = transform.split_once('(') else {
            continue;
        };
        let words = values.split(|c: char| c.is_whitespace() || c == ',');
        let words = words.filter(|word| !word.is_empty());
        let values: Vec<f64> = words
            .map(|word| word.parse().ok().or_else(|| emu(word)).unwrap_or(0.0))
            .collect();
        let value = |at: usize| values.get(at).copied().unwrap_or(0.0);
        let (sin, cos) = (-value(0)).sin_cos();
        let own: Matrix = match name.trim_matches(|c: char| c.is_whitespace() || c == ',') {
            "translate" => [1.0, 0.0, 0.0, 1.0, value(0), value(1)],
            "rotate" => [cos, sin, -sin, cos, 0.0, 0.0],
            "scale" => {
                let down = values.get(1).copied().unwrap_or(value(0));
                [value(0), 0.0, 0.0, down, 0.0, 0.0]
            }
            "skewX" => [1.0, 0.0, (-value(0)).tan(), 1.0, 0.0, 0.0],
            "skewY" => [1.0, (-value(0)).tan(), 0.0, 1.0, 0.0, 0.0],
            "matrix" => std::array::from_fn(value),
            _ => continue,
        };
        // The transforms so far are applied before this one.
        all = joined(own, all);
    }
    match all.iter().all(|value| value.is_finite()) {
        true => all,
        false => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    }
}

/// Returns the rectangle between two points. It is flipped so that the line from its upper left to its lower right
/// corner goes from the first point to the second point.
pub fn between((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Place {
    Place {
        x: x1.min(x2),
        y: y1.min(y2),
        width: (x2 - x1).abs(),
        height: (y2 - y1).abs(),
        turn: 0.0,
        flips: (x2 < x1, y2 < y1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_is_converted_to_one_about_the_centre() {
        let own = Place {
            width: 200.0,
            height: 100.0,
            ..Place::default()
        };
        // A counterclockwise quarter turn about the corner, and a move down by the width.
        let place = placed(own, matrix("rotate (1.5707963267949) translate (0in 200)"));
        let is_near = |found: f64, expected: f64| (found - expected).abs() < 0.01;
        assert!(is_near(place.turn, 270.0), "{place:?}");
        assert!(
            is_near(place.x, -50.0) && is_near(place.y, 50.0),
            "{place:?}"
        );
        assert!(is_near(place.width, 200.0), "{place:?}");
    }
}
