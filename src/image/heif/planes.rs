//! Converts luma and chroma to RGB (ITU-T H.273), row by row. Holds only a few rows.
//!
//! Chroma may have half the samples of luma across, or across and down. It is assumed to lie in the middle between the
//! luma samples that share it, as in JFIF: coded pictures may state another position, but still pictures hardly ever
//! do, and other readers make the same assumption. An interpolated chroma sample is three quarters of the nearer stored
//! sample and a quarter of the farther one.
//!
//! All computation is in floating point, in plain loops over a row that the compiler vectorises.

use crate::pixels::{Depth, Layout, simd};

/// The coding-independent code points (ITU-T H.273): colour primaries, transfer characteristics, matrix coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// Colour primaries (table 2 of H.273).
    pub(crate) primaries: u16,
    /// Transfer characteristics (table 3).
    pub(crate) transfer: u16,
    /// Matrix coefficients (table 4).
    pub(crate) matrix: u16,
    /// Whether samples use the full range, rather than the limited one of video.
    pub(crate) full: bool,
}

impl Code {
    /// The values for a file without a description: 2 means unspecified.
    pub(crate) const UNSPECIFIED: Self = Self {
        primaries: 2,
        transfer: 2,
        matrix: 2,
        full: false,
    };
}

/// The size and the sample format of a decoded image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// Width in samples of luma.
    pub(crate) width: usize,
    /// Height in samples of luma.
    pub(crate) height: usize,
    /// Bits per sample of luma, and of chroma: 8 to 16.
    pub(crate) bits: [u32; 2],
    /// Whether chroma has half the samples across, and down. `None` without chroma.
    pub(crate) halved: Option<[bool; 2]>,
    /// Colour description in the coded picture itself.
    pub(crate) code: Code,
}

/// A decoded picture.
pub(crate) trait Planes: Send {
    fn sampling(&self) -> Sampling;

    /// Fills `samples` with the beginning of row `y` of a plane: luma (0), Cb (1) or Cr (2). `samples` is no longer
    /// than the plane is wide.
    fn row(&self, plane: usize, y: usize, samples: &mut [f32]);
}

/// Converts planes to pixels. Holds the rows in conversion.
#[derive(Default)]
pub(crate) struct Converter {
    /// A row of each plane, upsampled to the width of the picture.
    rows: [Vec<f32>; 3],
    /// The stored row of chroma that is nearest to the row of luma.
    near: Vec<f32>,
    /// The next nearest stored row of chroma, with which `near` is interpolated.
    far: Vec<f32>,
}

/// The matrix coefficients of lossless YCgCo with two bits more than RGB (ITU-T H.273, table 4).
const YCGCO_RE: u16 = 16;
/// The matrix coefficients of lossless YCgCo with one bit more than RGB.
const YCGCO_RO: u16 = 17;

impl Converter {
    /// Converts row `y` of a picture to pixels in `row`, grey or RGB. The picture must be at least as large as
    /// `layout`. `code` is the description in the container, which takes precedence over the description in the coded
    /// data. If its matrix is unspecified, only its sample range is used.
    pub(crate) fn colours(
        &mut self,
        planes: &dyn Planes,
        code: Option<Code>,
        y: u32,
        row: &mut [u8],
        layout: Layout,
    ) {
        let (sampling, y) = (planes.sampling(), y as usize);
        let own = sampling.code;
        let code = match code {
            Some(code) if code.matrix != 2 => code,
            Some(code) => Code {
                full: code.full,
                ..own
            },
            None => own,
        };
        let width = layout.width as usize;
        let luma = Range::of_luma(sampling.bits[0], code.full);
        let [first, blue, red] = &mut self.rows;
        first.resize(width, 0.0);
        planes.row(0, y, first);
        luma.normalise(first);
        let most = most(layout.depth);
        let Some(halved) = sampling.halved.filter(|_| !layout.channels.is_grey()) else {
            let count = layout.channels.count();
            return put([&*first; 3], most, count, layout.depth, row);
        };
        // The identity matrix means that the planes are green, blue and red, all of which have the range of luma.
        let chroma = match code.matrix {
            0 => Range::of_luma(sampling.bits[1], code.full),
            _ => Range::of_chroma(sampling.bits[1], code.full),
        };
        for (plane, samples) in [(1, &mut *blue), (2, &mut *red)] {
            samples.resize(width, 0.0);
            self.near.resize(width, 0.0);
            self.far.resize(width, 0.0);
            let rows = [&mut self.near[..], &mut self.far[..]];
            let mut row = |at: usize, samples: &mut [f32]| planes.row(plane, at, samples);
            let last = sampling.height.div_ceil(2).saturating_sub(1);
            chroma_row(&mut row, (y, last), halved, rows, samples);
            chroma.normalise(samples);
        }
        match code.matrix {
            YCGCO_RE | YCGCO_RO => {
                let extra = u32::from(YCGCO_RO - code.matrix) + 1;
                let bits = sampling.bits[0] + 8;
                lift(
                    [unit(bits) - 1.0, unit(bits - extra) - 1.0],
                    [first, blue, red],
                );
            }
            matrix => simd::run(
                #[inline(always)]
                || mix(matrix, first, blue, red),
            ),
        }
        put([first, blue, red], most, 3, layout.depth, row);
    }

    /// Stores luma of row `y` in `row`, as grey. `is_ranged` is whether samples may have the limited range of video.
    pub(crate) fn alpha(
        &mut self,
        planes: &dyn Planes,
        is_ranged: bool,
        y: u32,
        row: &mut [u8],
        layout: Layout,
    ) {
        let sampling = planes.sampling();
        let is_full = !is_ranged || sampling.code.full;
        let [luma, ..] = &mut self.rows;
        luma.resize(layout.width as usize, 0.0);
        planes.row(0, y as usize, luma);
        Range::of_luma(sampling.bits[0], is_full).normalise(luma);
        put([&*luma; 3], most(layout.depth), 1, layout.depth, row);
    }
}

/// The range of samples: the sample that means 0, and its distance to the sample that means 1.
#[derive(Clone, Copy)]
struct Range {
    least: f32,
    len: f32,
}

impl Range {
    /// The range of luma: in video from 16 to 235, in 8 bits.
    fn of_luma(bits: u32, is_full: bool) -> Self {
        let (step, most) = (unit(bits), unit(bits + 8) - 1.0);
        if is_full {
            Self {
                least: 0.0,
                len: most,
            }
        } else {
            Self {
                least: 16.0 * step,
                len: 219.0 * step,
            }
        }
    }

    /// The range of chroma around its middle, for values from −0.5 to 0.5: in video from 16 to 240, in 8 bits.
    fn of_chroma(bits: u32, is_full: bool) -> Self {
        let (step, most) = (unit(bits), unit(bits + 8) - 1.0);
        Self {
            least: 128.0 * step,
            len: if is_full { most } else { 224.0 * step },
        }
    }

    /// Scales luma to 0..1, and chroma to −0.5..0.5.
    fn normalise(self, samples: &mut [f32]) {
        let scale = 1.0 / self.len;
        for sample in samples {
            *sample = (*sample - self.least) * scale;
        }
    }
}

/// The number of steps of samples with this many bits that one step of 8-bit samples spans.
fn unit(bits: u32) -> f32 {
    (1u32 << bits.saturating_sub(8)) as f32
}

/// The largest integer of an output sample.
fn most(depth: Depth) -> f32 {
    match depth {
        Depth::Eight => 255.0,
        Depth::Sixteen | Depth::Float => 65_535.0,
    }
}

/// Upsamples the chroma of row `y` to one sample for each sample of luma. `read` reads a row of the plane. `last` is
/// the last row of the plane if the plane has half the rows.
fn chroma_row(
    read: &mut dyn FnMut(usize, &mut [f32]),
    (y, last): (usize, usize),
    [across, down]: [bool; 2],
    [near, far]: [&mut [f32]; 2],
    samples: &mut [f32],
) {
    let len = if across {
        samples.len().div_ceil(2)
    } else {
        samples.len()
    };
    let (near, far) = (&mut near[..len], &mut far[..len]);
    if down {
        let nearer = y / 2;
        let farther = if y.is_multiple_of(2) {
            nearer.saturating_sub(1)
        } else {
            (nearer + 1).min(last)
        };
        read(nearer, near);
        read(farther, far);
        for (near, far) in near.iter_mut().zip(&*far) {
            *near = *near * 0.75 + *far * 0.25;
        }
    } else {
        read(y, near);
    }
    if !across {
        samples.copy_from_slice(near);
        return;
    }
    let (first, last) = (near[0], near[len - 1]);
    // A sample of luma lies between two samples of chroma, except the first sample, and the last one if their number is
    // even.
    samples[0] = first;
    let pairs = samples[1..].chunks_exact_mut(2);
    for (pair, neighbours) in pairs.zip(near.windows(2)) {
        pair[0] = neighbours[0] * 0.75 + neighbours[1] * 0.25;
        pair[1] = neighbours[0] * 0.25 + neighbours[1] * 0.75;
    }
    if samples.len().is_multiple_of(2) {
        samples[2 * len - 1] = last;
    }
}

/// Converts Y, Cg and Co to RGB in place, by the integer steps that make YCgCo lossless (ITU-T H.273, 8.3). These
/// samples have one or two bits more than RGB samples: `coded` is their largest value, `plain` that of RGB samples.
fn lift([coded, plain]: [f32; 2], [luma, green, orange]: [&mut Vec<f32>; 3]) {
    for ((y, u), v) in luma.iter_mut().zip(green).zip(orange) {
        let [luma, green, orange] = [*y, *u, *v].map(|sample| (sample * coded).round());
        let rest = luma - (green / 2.0).floor();
        let blue = rest - (orange / 2.0).floor();
        [*y, *u, *v] = [blue + orange, rest + green, blue].map(|sample| sample / plain);
    }
}

/// Converts Y, Cb and Cr to RGB, in place (ITU-T H.273, 8.3). `matrix` selects the weights of red and blue in luma, or
/// states that the planes are green, blue and red (0) or YCgCo (8).
#[inline(always)]
fn mix(matrix: u16, luma: &mut [f32], blue: &mut [f32], red: &mut [f32]) {
    let pixels = luma.iter_mut().zip(blue.iter_mut()).zip(red.iter_mut());
    let (kr, kb) = match matrix {
        // Identity: the planes are green, blue and red.
        0 => {
            for ((y, u), v) in pixels {
                (*y, *u, *v) = (*v, *y, *u);
            }
            return;
        }
        // YCgCo.
        8 => {
            for ((y, u), v) in pixels {
                let (luma, orange, green) = (*y, *v, *u);
                let rest = luma - green;
                (*y, *u, *v) = (rest + orange, luma + green, rest - orange);
            }
            return;
        }
        // BT.709; FCC; SMPTE 240M; BT.2020; and BT.601 for all others.
        1 => (0.2126, 0.0722),
        4 => (0.30, 0.11),
        7 => (0.212, 0.087),
        9 | 10 => (0.2627, 0.0593),
        _ => (0.299, 0.114),
    };
    let kg = 1.0 - kr - kb;
    let (from_red, from_blue): (f32, f32) = (2.0 * (1.0 - kr), 2.0 * (1.0 - kb));
    let (less_red, less_blue): (f32, f32) = (kr * from_red / kg, kb * from_blue / kg);
    for ((y, u), v) in pixels {
        let (luma, blue, red) = (*y, *u, *v);
        *y = luma + from_red * red;
        *u = luma - less_red * red - less_blue * blue;
        *v = luma + from_blue * blue;
    }
}

/// Stores samples from 0 to 1 as integers, the first `count` planes of each pixel.
fn put(planes: [&[f32]; 3], most: f32, count: usize, depth: Depth, row: &mut [u8]) {
    simd::run(
        #[inline(always)]
        || {
            let [a, b, c] = planes;
            match (depth, count) {
                (Depth::Eight, 1) => {
                    for (pixel, a) in row.iter_mut().zip(a) {
                        *pixel = whole(*a, most) as u8;
                    }
                }
                (Depth::Eight, _) => {
                    let pixels = row.as_chunks_mut::<3>().0.iter_mut();
                    for (((pixel, a), b), c) in pixels.zip(a).zip(b).zip(c) {
                        *pixel = [
                            whole(*a, most) as u8,
                            whole(*b, most) as u8,
                            whole(*c, most) as u8,
                        ];
                    }
                }
                (_, 1) => {
                    for (pixel, a) in row.as_chunks_mut::<2>().0.iter_mut().zip(a) {
                        *pixel = (whole(*a, most) as u16).to_ne_bytes();
                    }
                }
                (_, _) => {
                    let pixels = row.as_chunks_mut::<6>().0.iter_mut();
                    for (((pixel, a), b), c) in pixels.zip(a).zip(b).zip(c) {
                        let [a0, a1] = (whole(*a, most) as u16).to_ne_bytes();
                        let [b0, b1] = (whole(*b, most) as u16).to_ne_bytes();
                        let [c0, c1] = (whole(*c, most) as u16).to_ne_bytes();
                        *pixel = [a0, a1, b0, b1, c0, c1];
                    }
                }
            }
        },
    );
}

/// The integer for a sample from 0 to 1, where 1 becomes `most`.
#[inline(always)]
fn whole(sample: f32, most: f32) -> u32 {
    // 2^23: adding it to a floating-point number leaves the nearest integer in the lowest bits, without a slow
    // conversion.
    const SHIFT: f32 = 8_388_608.0;
    ((sample * most).clamp(0.0, most) + SHIFT).to_bits()
}

#[cfg(test)]
mod tests {
    use super::lift;

    #[test]
    fn lossless_ycgco_is_undone() {
        let mut planes: [Vec<f32>; 3] = Default::default();
        let colours = [
            [0, 0, 0],
            [255, 255, 255],
            [255, 0, 1],
            [3, 250, 128],
            [0, 1, 255],
        ];
        for [red, green, blue] in colours {
            // The forward steps, for which the standard has equations, too.
            let orange = red - blue;
            let rest = blue + (orange >> 1);
            let chroma = green - rest;
            let luma = rest + (chroma >> 1);
            for (plane, sample) in planes.iter_mut().zip([luma, chroma, orange]) {
                plane.push(sample as f32 / 1023.0);
            }
        }
        let [luma, chroma, orange] = &mut planes;
        lift([1023.0, 255.0], [luma, chroma, orange]);
        for (at, expected) in colours.into_iter().enumerate() {
            let found = planes
                .each_ref()
                .map(|plane| (plane[at] * 255.0).round() as i32);
            assert_eq!(found, expected);
        }
    }
}
