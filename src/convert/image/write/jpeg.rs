//! Baseline JPEG, row by row. Never writes transparency: that is laid over a background before.

use super::{Extras, ROWS_BETWEEN_CHECKS, unwritable, ycbcr};
use crate::{
    convert::{
        Job, Notes, Output,
        image::{
            layout::{Channels, Layout},
            rows::Rows,
        },
    },
    error::{Error, Result},
};
use jpeg_encoder::{
    ChromaSubsamplingMethod, Encoder, EncodingError, ImageBuffer, JpegColorType, SamplingFactor,
};
use std::{
    cell::RefCell,
    io::{BufWriter, Write},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

pub(super) const QUALITY: &str = "60, 82 and 92 on the usual scale; high also keeps colour at full resolution (4:4:4 instead of 4:2:0)";

/// Most bytes of EXIF, and of XMP: a segment, without what tells the one from the other.
pub(super) const MOST_METADATA: usize = 65_533 - 29;

pub(super) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut encoder = Encoder::new(&mut output, job.quality.pick(60, 82, 92));
    let layout = rows.layout();
    let halves_colour = job.quality.pick(true, true, false) && !layout.channels.is_grey();
    encoder.set_sampling_factor(if halves_colour {
        SamplingFactor::F_2_2
    } else {
        SamplingFactor::F_1_1
    });
    // The means are made here, and the encoder takes the sample of each four where they stand.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Nearest);
    let metadata = [
        (&b"Exif\0\0"[..], extras.metadata.exif),
        (b"http://ns.adobe.com/xap/1.0/\0", extras.metadata.xmp),
    ];
    for (prefix, data) in metadata {
        if let Some(data) = data {
            let segment = [prefix, &data].concat();
            encoder.add_app_segment(1, segment).map_err(failed)?;
        }
    }
    if let Some(icc) = extras.icc {
        encoder.add_icc_profile(&icc).map_err(failed)?;
    }
    let feed = Feed {
        job,
        layout,
        halves_colour,
        state: RefCell::new(State {
            rows,
            pair: [vec![0; layout.row_bytes()], vec![0; layout.row_bytes()]],
            next: 0,
            sums: Vec::new(),
            last: None,
            fault: None,
        }),
    };
    let encoded = catch_unwind(AssertUnwindSafe(|| encoder.encode_image(&feed)));
    if let Some(fault) = feed.state.into_inner().fault {
        return Err(fault);
    }
    match encoded {
        Ok(encoded) => encoded.map_err(failed)?,
        Err(panic) => resume_unwind(panic),
    }
    output.flush().map_err(unwritable)
}

fn failed(err: EncodingError) -> Error {
    match err {
        EncodingError::IoError(err) => unwritable(err),
        err => Error::internal("the JPEG could not be made", err),
    }
}

/// Rows as the encoder pulls them. It asks for the last one again to fill its last blocks.
struct Feed<'a, 'b> {
    job: &'a Job<'a>,
    layout: Layout,
    /// Whether there is one sample of colour for four pixels.
    halves_colour: bool,
    state: RefCell<State<'b>>,
}

struct State<'b> {
    rows: Box<dyn Rows + 'b>,
    /// The last even row and the last odd one.
    pair: [Vec<u8>; 2],
    next: u32,
    /// The sums of two rows.
    sums: Vec<u16>,
    /// The row that was asked for before.
    last: Option<u32>,
    /// What stopped the rows.
    fault: Option<Error>,
}

impl State<'_> {
    /// Has row `y` in its place. An error unwinds: the encoder knows no other way to be stopped.
    fn fetch(&mut self, job: &Job<'_>, y: u32) {
        if y < self.next {
            return;
        }
        self.next += 1;
        let checked = if self.next.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            job.check()
        } else {
            Ok(())
        };
        let row = &mut self.pair[y as usize % 2];
        self.fault = checked.and_then(|()| self.rows.next_row(row)).err();
        if self.fault.is_some() {
            resume_unwind(Box::new("the rows ended"));
        }
    }
}

impl ImageBuffer for &Feed<'_, '_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        match self.layout.channels {
            Channels::Grey | Channels::GreyAlpha => JpegColorType::Luma,
            Channels::Rgb | Channels::Rgba => JpegColorType::Ycbcr,
        }
    }

    fn width(&self) -> u16 {
        self.layout.width as u16
    }

    fn height(&self) -> u16 {
        self.layout.height as u16
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let state = &mut *self.state.borrow_mut();
        let y = u32::from(y);
        state.fetch(self.job, y);
        let row = y as usize % 2;
        match self.layout.channels {
            Channels::Grey | Channels::GreyAlpha => buffers[0].extend_from_slice(&state.pair[row]),
            Channels::Rgb | Channels::Rgba if !self.halves_colour => {
                to_ycbcr(&state.pair[row], buffers);
            }
            Channels::Rgb | Channels::Rgba => {
                let below = if y + 1 < self.layout.height {
                    state.fetch(self.job, y | 1);
                    1
                } else {
                    row
                };
                luma(&state.pair[row], &mut buffers[0]);
                let [_, blue, red, _] = buffers;
                let at = blue.len();
                blue.resize(at + self.layout.width as usize, 0);
                red.resize(at + self.layout.width as usize, 0);
                // Colour is taken from even rows only: of the picture, or among those that repeat its last.
                let again = state.last == Some(y);
                if row == 0 || again {
                    let [above, below] = if again { [row; 2] } else { [0, below] };
                    let pair = [&*state.pair[above], &*state.pair[below]];
                    means(pair, &mut state.sums, &mut blue[at..], &mut red[at..]);
                }
                state.last = Some(y);
            }
        }
    }
}

/// Appends a row of RGB as its three planes (JFIF 1.02, "RGB to YCbCr"), in fixed point with 16 bits.
fn to_ycbcr(row: &[u8], buffers: &mut [Vec<u8>; 4]) {
    let (pixels, _) = row.as_chunks::<3>();
    let [y, blue, red, _] = buffers;
    luma(row, y);
    let at = blue.len();
    blue.resize(at + pixels.len(), 0);
    red.resize(at + pixels.len(), 0);
    let planes = blue[at..].iter_mut().zip(&mut red[at..]);
    for ((cb, cr), &pixel) in planes.zip(pixels) {
        [*cb, *cr] = chroma(pixel.map(i32::from), 16, 32_767);
    }
}

fn luma(row: &[u8], plane: &mut Vec<u8>) {
    let (pixels, _) = row.as_chunks::<3>();
    plane.extend(pixels.iter().map(|&pixel| ycbcr::luma(pixel)));
}

/// Blue and red of a sum of `1 << (bits - 16)` pixels. What is between two values goes up or down by `bias`.
fn chroma(sum: [i32; 3], bits: u32, bias: i32) -> [u8; 2] {
    ycbcr::chroma(sum).map(|sample| ((sample + (128 << bits) + bias) >> bits) as u8)
}

/// Puts the colour of each two by two pixels where they stand. A column at the right that is alone stands for two.
fn means([above, below]: [&[u8]; 2], sums: &mut Vec<u16>, blue: &mut [u8], red: &mut [u8]) {
    sums.clear();
    let samples = above.iter().zip(below);
    sums.extend(samples.map(|(&above, &below)| u16::from(above) + u16::from(below)));
    let (pairs, last) = sums.as_chunks::<6>();
    let (blue_pairs, blue_last) = blue.as_chunks_mut::<2>();
    let (red_pairs, red_last) = red.as_chunks_mut::<2>();
    let places = blue_pairs.iter_mut().zip(red_pairs);
    for ((cb, cr), pair) in places.zip(pairs) {
        let sum = std::array::from_fn(|at| i32::from(pair[at]) + i32::from(pair[at + 3]));
        let [blue, red] = chroma(sum, 18, 131_071);
        // The encoder repeats the last sample, which may be that of the second column.
        *cb = [blue; 2];
        *cr = [red; 2];
    }
    if let ([cb], [cr], &[r, g, b]) = (blue_last, red_last, last) {
        [*cb, *cr] = chroma([r, g, b].map(|sum| 2 * i32::from(sum)), 18, 131_071);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_what_the_formula_says() {
        for pixel in [
            [0, 0, 0],
            [255, 255, 255],
            [255, 0, 0],
            [0, 0, 255],
            [9, 99, 200],
        ] {
            let mut planes: [Vec<u8>; 4] = Default::default();
            to_ycbcr(&pixel, &mut planes);
            let [r, g, b] = pixel.map(f64::from);
            let expected = [
                0.299 * r + 0.587 * g + 0.114 * b,
                128.0 - 0.168_736 * r - 0.331_264 * g + 0.5 * b,
                128.0 + 0.5 * r - 0.418_688 * g - 0.081_312 * b,
            ];
            for (plane, expected) in planes.iter().zip(expected) {
                assert!((f64::from(plane[0]) - expected).abs() < 0.51, "{pixel:?}");
            }
            // Four of them are as one.
            let row = [pixel; 5].concat();
            let (mut blue, mut red) = ([0; 5], [0; 5]);
            means([&row; 2], &mut Vec::new(), &mut blue, &mut red);
            assert_eq!((blue, red), ([planes[1][0]; 5], [planes[2][0]; 5]));
        }
    }

    #[test]
    fn the_mean_is_that_of_four() {
        let (above, below) = ([0, 0, 0, 0, 0, 255], [0, 0, 255, 0, 0, 255]);
        let (mut blue, mut red) = ([0; 2], [0; 2]);
        means([&above, &below], &mut Vec::new(), &mut blue, &mut red);
        // Three quarters of the way to pure blue.
        assert_eq!((blue, red), ([224; 2], [112; 2]));
    }
}
