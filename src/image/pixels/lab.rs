//! Converts CIELAB to sRGB. CIELAB describes a colour by lightness and two opponent colours under the white point D50
//! (ISO 11664-4; ICC.1:2022, annex A). Does not depend on a file format.

use super::convert::to_gamma;

/// D50, the white point of printing and of colour profiles, in XYZ.
const WHITE: [f32; 3] = [0.9642, 1.0, 0.8249];

/// The matrix from XYZ under D50 to linear sRGB, whose white point is D65 (Bradford adaptation).
const TO_SRGB: [[f32; 3]; 3] = [
    [3.133_856, -1.616_867, -0.490_615],
    [-0.978_768, 1.916_142, 0.033_454],
    [0.071_945, -0.228_991, 1.405_243],
];

/// Converts a lightness from 0 to 100 and two opponent colours to gamma-encoded red, green and blue from 0 to 1.
pub(crate) fn to_srgb([lightness, a, b]: [f32; 3]) -> [f32; 3] {
    let y = (lightness + 16.0) / 116.0;
    let share = |t: f32| {
        // The inverse of a function of CIELAB that is a cube root, but a line near black.
        let cube = t * t * t;
        if cube > 216.0 / 24_389.0 {
            cube
        } else {
            (116.0 * t - 16.0) / (24_389.0 / 27.0)
        }
    };
    let shares = [y + a / 500.0, y, y - b / 200.0].map(share);
    TO_SRGB.map(|weights| {
        let light: f32 = (0..3).map(|at| weights[at] * shares[at] * WHITE[at]).sum();
        to_gamma(light.clamp(0.0, 1.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_equal_known_values() {
        #[track_caller]
        fn check(lab: [f32; 3], expected: [u8; 3]) {
            let found = to_srgb(lab).map(|sample| (sample * 255.0 + 0.5) as u8);
            let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(near, "{found:?} instead of {expected:?}");
        }
        check([0.0, 0.0, 0.0], [0; 3]);
        check([100.0, 0.0, 0.0], [255; 3]);
        check([53.585, 0.0, 0.0], [128; 3]);
        // The red and the blue of sRGB under D50.
        check([54.29, 80.81, 69.89], [255, 0, 0]);
        check([29.57, 68.30, -112.03], [0, 0, 255]);
    }
}
