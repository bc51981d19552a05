//! Quantisation: the tables of steps, and the dead zone.
//!
//! The example tables of T.81 (annex K.1) are from 1988. The tables here are polynomials in the distance from the DC
//! coefficient. Their factors were found by trial on photographs: they give the smallest files at the same SSIMULACRA 2
//! score. Compared with annex K, they have smaller steps for the DC coefficients and are flatter. Each table is scaled
//! so that quality 82 has the same score as with annex K.
//!
//! Rounding to the nearest step would not give the smallest files: a 1 costs many bits, and 0 is nearly as close to a
//! coefficient just above one half. So coefficients of less than [`Tables::least`] steps become 0 (a dead zone). A full
//! trellis search like that of `mozjpeg` was tried: it saves 0.2 % more, for ten times the time of quantisation.

use crate::formats::jpeg::zigzag::index_of;

/// Quantisation tables.
pub(crate) struct Tables {
    /// The steps of luma and of chroma, in zigzag order.
    pub(crate) steps: [[u8; 64]; 2],
    /// AC coefficients of less than this many steps become 0.
    pub(crate) least: f32,
}

/// The steps of a component at quality 50.
struct Curve {
    /// The step of the DC coefficient.
    dc: f32,
    /// The constant, linear and square factors of a polynomial in the distance from the DC coefficient.
    ac: [f32; 3],
}

/// Curves of luma and of chroma, and the dead zone, for 4:2:0: chroma has half as many samples as luma across, and half
/// as many down.
const HALVED: ([Curve; 2], f32) = (
    [
        Curve {
            dc: 10.0,
            ac: [16.0, 0.6, 1.15],
        },
        Curve {
            dc: 13.2,
            ac: [16.0, -0.2, 0.64],
        },
    ],
    0.59,
);

/// Curves of luma and of chroma, and the dead zone, for 4:4:4: chroma has as many samples as luma.
const FULL: ([Curve; 2], f32) = (
    [
        Curve {
            dc: 9.0,
            ac: [17.0, 0.0, 0.72],
        },
        Curve {
            dc: 16.0,
            ac: [18.0, 5.2, 4.8],
        },
    ],
    0.56,
);

/// The tables for a quality from 1 to 100 on the scale of the Independent JPEG Group.
pub(crate) fn of(halves_colour: bool, quality: u32) -> Tables {
    let percent = match quality {
        50.. => 200 - 2 * quality.min(100),
        below => 5000 / below.max(1),
    };
    let (curves, least) = if halves_colour { &HALVED } else { &FULL };
    Tables {
        steps: std::array::from_fn(|kind| steps(&curves[kind], percent)),
        least: *least,
    }
}

/// The steps in zigzag order, for `percent` of a curve.
fn steps(curve: &Curve, percent: u32) -> [u8; 64] {
    std::array::from_fn(|at| {
        let index = index_of(at);
        let (x, y) = ((index / 8) as f32, (index % 8) as f32);
        let distance = (x * x + y * y).sqrt();
        let [constant, linear, square] = curve.ac;
        let step = match at {
            0 => curve.dc,
            _ => constant + linear * distance + square * distance * distance,
        };
        (step * percent as f32 / 100.0).round().clamp(1.0, 255.0) as u8
    })
}
