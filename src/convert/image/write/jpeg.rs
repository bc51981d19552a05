//! Baseline JPEG, row by row. Never writes transparency: that is laid over a background before.

use super::{Extras, ROWS_BETWEEN_CHECKS, unwritable};
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
use std::{cell::RefCell, io::BufWriter, io::Write};

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
    encoder.set_sampling_factor(job.quality.pick(
        SamplingFactor::F_2_2,
        SamplingFactor::F_2_2,
        SamplingFactor::F_1_1,
    ));
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
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
    let layout = rows.layout();
    let feed = Feed {
        job,
        layout,
        state: RefCell::new(State {
            rows,
            row: vec![0; layout.row_bytes()],
            next: 0,
            fault: None,
        }),
    };
    encoder.encode_image(&feed).map_err(failed)?;
    if let Some(fault) = feed.state.into_inner().fault {
        return Err(fault);
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
    state: RefCell<State<'b>>,
}

struct State<'b> {
    rows: Box<dyn Rows + 'b>,
    row: Vec<u8>,
    next: u32,
    /// What stopped the rows. The encoder knows no errors here, so the rest of its blocks repeat the last row.
    fault: Option<Error>,
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
        if state.fault.is_none() && u32::from(y) >= state.next {
            state.next += 1;
            let fetched = if state.next.is_multiple_of(ROWS_BETWEEN_CHECKS) {
                self.job.check()
            } else {
                Ok(())
            };
            state.fault = fetched
                .and_then(|()| state.rows.next_row(&mut state.row))
                .err();
        }
        match self.layout.channels {
            Channels::Grey | Channels::GreyAlpha => buffers[0].extend_from_slice(&state.row),
            Channels::Rgb | Channels::Rgba => to_ycbcr(&state.row, buffers),
        }
    }
}

/// Appends a row of RGB as its three planes (JFIF 1.02, "RGB to YCbCr"), in fixed point with 16 bits.
fn to_ycbcr(row: &[u8], buffers: &mut [Vec<u8>; 4]) {
    let (pixels, _) = row.as_chunks::<3>();
    let [luma, blue, red, _] = buffers;
    let at = luma.len();
    for plane in [&mut *luma, &mut *blue, &mut *red] {
        plane.resize(at + pixels.len(), 0);
    }
    let planes = luma[at..]
        .iter_mut()
        .zip(&mut blue[at..])
        .zip(&mut red[at..]);
    for (((y, cb), cr), &[r, g, b]) in planes.zip(pixels) {
        let [r, g, b] = [i32::from(r), i32::from(g), i32::from(b)];
        *y = ((19_595 * r + 38_470 * g + 7_471 * b + 32_768) >> 16) as u8;
        *cb = ((-11_059 * r - 21_709 * g + 32_768 * b + (128 << 16) + 32_767) >> 16) as u8;
        *cr = ((32_768 * r - 27_439 * g - 5_329 * b + (128 << 16) + 32_767) >> 16) as u8;
    }
}
