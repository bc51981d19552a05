//! Converts luminance and chroma of OpenEXR (Technical Introduction to OpenEXR, "Luminance/Chroma Images") to red,
//! green and blue. Reads no file.
//!
//! Y is a weighted sum of red, green and blue; RY is (R − Y) / Y, and BY accordingly. Chroma usually has half the
//! samples in each direction. The missing samples are interpolated by the filter of the OpenEXR library
//! (`ImfRgbaYca.cpp`) with 27 samples, half of which are zeros. The library also corrects saturated colours; this
//! correction is left out, because the artefacts that it removes are hardly visible.

use super::planes::Plane;
use exr::meta::attribute::Chromaticities;

/// Nonzero weights of half of the filter, from the outside to the middle. The other half is its mirror image.
const FILTER: [f32; 7] = [
    0.002128, -0.007540, 0.019597, -0.043159, 0.087929, -0.186077, 0.627123,
];

/// Weights of red, green and blue in luminance; those of ITU-R BT.709 for a file without usable primaries.
pub(crate) fn weights(primaries: Option<&Chromaticities>) -> [f32; 3] {
    const REC_709: [f32; 3] = [0.2126, 0.7152, 0.0722];
    let Some(given) = primaries else {
        return REC_709;
    };
    // Each column is a primary in XYZ with an unknown factor. The sum of the three columns must be white.
    let columns = [given.red, given.green, given.blue].map(|at| {
        let (x, y) = (f64::from(at.0), f64::from(at.1));
        [x, y, 1.0 - x - y]
    });
    let (x, y) = (f64::from(given.white.0), f64::from(given.white.1));
    let white = [x / y, 1.0, (1.0 - x - y) / y];
    // The factors are found by Cramer's rule.
    let determinant = |[a, b, c]: [[f64; 3]; 3]| {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
            + c[0] * (a[1] * b[2] - a[2] * b[1])
    };
    let whole = determinant(columns);
    let found = std::array::from_fn(|at| {
        let mut replaced = columns;
        replaced[at] = white;
        (determinant(replaced) / whole * columns[at][1]) as f32
    });
    if found.iter().all(|weight: &f32| weight.is_finite()) && found[1] != 0.0 {
        found
    } else {
        REC_709
    }
}

/// Fills `out` with the chroma of row `y` of the picture, interpolated to full width. `line` is a buffer.
pub(crate) fn chroma(plane: &Plane, y: usize, line: &mut Vec<f32>, out: &mut [f32]) {
    line.clear();
    let down = plane.step.1;
    if down == 2 && y % 2 == 1 {
        line.resize(plane.columns, 0.0);
        for (at, weight) in FILTER.iter().enumerate() {
            let near = (y / 2 + at).saturating_sub(6);
            let far = y / 2 + 7 - at;
            for (sum, (a, b)) in line
                .iter_mut()
                .zip(plane.row(near).iter().zip(plane.row(far)))
            {
                *sum += weight * (a + b);
            }
        }
    } else {
        line.extend_from_slice(plane.row(y / down));
    }
    let across = plane.step.0;
    for (x, sample) in out.iter_mut().enumerate() {
        *sample = if across == 2 && x % 2 == 1 {
            let at = |index: usize| line[index.min(line.len() - 1)];
            let sums = FILTER.iter().enumerate();
            sums.map(|(tap, weight)| {
                weight * (at((x / 2 + tap).saturating_sub(6)) + at(x / 2 + 7 - tap))
            })
            .sum()
        } else {
            line[x / across]
        };
    }
}

/// Converts luminance and chroma to red, green and blue.
pub(crate) fn colour([y, ry, by]: [f32; 3], [wr, wg, wb]: [f32; 3]) -> [f32; 3] {
    if ry == 0.0 && by == 0.0 {
        return [y; 3];
    }
    let (r, b) = ((ry + 1.0) * y, (by + 1.0) * y);
    [r, (y - r * wr - b * wb) / wg, b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use exr::math::Vec2;

    #[test]
    fn rec_709_primaries_give_rec_709_weights() {
        let found = weights(Some(&Chromaticities {
            red: Vec2(0.64, 0.33),
            green: Vec2(0.3, 0.6),
            blue: Vec2(0.15, 0.06),
            white: Vec2(0.3127, 0.329),
        }));
        for (found, expected) in found.into_iter().zip(weights(None)) {
            assert!((found - expected).abs() < 0.001, "{found}, {expected}");
        }
    }

    #[test]
    fn interpolated_chroma_lies_between_its_neighbours() {
        let plane = Plane {
            columns: 20,
            rows: 20,
            step: (2, 2),
            samples: (0..400).map(|at| (at % 20 + at / 20) as f32).collect(),
        };
        let (mut line, mut row) = (Vec::new(), vec![0.0; 40]);
        for y in 14..26 {
            chroma(&plane, y, &mut line, &mut row);
            for (x, found) in row.iter().enumerate().take(26).skip(14) {
                let expected = (x + y) as f32 / 2.0;
                assert!((found - expected).abs() < 0.001, "{x}, {y}: {found}");
            }
        }
    }
}
