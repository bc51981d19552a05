//! Writes GIF with a palette of at most 256 colours for each frame, chosen for its pixels.

use crate::{
    pixels::{
        Layout, Rows, ahead,
        quantise::{self, Palette},
        rows::check_row,
        stages::Stages,
    },
    target::Extras,
};
use convertd_core::{
    coding::lzw::Compressor,
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};
use gif::{Encoder, EncodingError, Frame};
use std::{borrow::Cow, io::BufWriter, io::Write};

pub(crate) const QUALITY: &str = "low and medium map each pixel to the nearest of at most 256 colours; high dithers (Floyd–Steinberg). A picture of up to 256 colours keeps its colours";

/// Memory for a still picture of this layout, in bytes.
pub(crate) fn memory(layout: Layout, _: Quality, _: bool) -> u64 {
    // This covers the frame, the buffer of compressed indices while it grows, and some rows of indices.
    layout.bytes() + 3 * layout.pixels() + quantise::MEMORY + ahead::memory(layout)
}

/// Writes a single frame. Mapping pixels to the palette and compressing them take about equally long, so they run on
/// two threads if the job has a spare one.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let dither = job.quality().pick(false, false, true);
    let (palette, frame) = Palette::of_rows(rows, dither)?;
    job.check()?;
    let indices = Box::new(palette.indices(&frame, dither));
    let compress = |rows: Box<dyn Rows + '_>| compressed(job, rows, &palette);
    let buffer = if job.spare_threads > 0 {
        ahead::run(Stages::of(indices), compress)?
    } else {
        compress(indices)?
    };
    let (width, height) = (frame.layout.width as u16, frame.layout.height as u16);
    drop(frame);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut encoder =
        Encoder::new(&mut output, width, height, palette.colours()).map_err(failed)?;
    encoder
        .write_lzw_pre_encoded_frame(&Frame {
            width,
            height,
            transparent: palette.transparent(),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })
        .map_err(failed)?;
    drop(encoder);
    output.flush().map_err(Error::unwritten)
}

/// Compresses palette indices by LZW (GIF89a, appendix F).
pub(crate) fn compressed(
    job: &Job<'_>,
    mut indices: Box<dyn Rows + '_>,
    palette: &Palette,
) -> Result<Vec<u8>> {
    let layout = indices.layout();
    let most = palette.colours().len() as u32 / 3 - 1;
    let mut compressor = Compressor::new((u32::BITS - most.leading_zeros()).max(2));
    let mut row = vec![0; layout.row_bytes()];
    for y in 0..layout.height {
        check_row(job, y)?;
        indices.next_row(&mut row)?;
        compressor.add(&row);
    }
    Ok(compressor.finish())
}

/// The error for a failed encoder: that of the output, or else an internal error.
pub(crate) fn failed(err: EncodingError) -> Error {
    match err {
        EncodingError::Io(err) => Error::unwritten(err),
        err => Error::internal("the GIF could not be made", err),
    }
}
