//! Pictures: header first, then memory, then pixels, row by row wherever both formats allow it.
//! Never decodes anything that the header has not paid for.
//!
//! [`read`] opens a file and tells its size and pixel type. [`write`] knows what each target can hold.
//! In between stand [`orient`], which turns the picture upright, and [`pixels`], which changes its pixel type.

mod layout;
#[cfg(feature = "libwebp")]
mod libwebp;
mod limits;
mod orient;
mod pixels;
mod quantise;
mod read;
mod riff;
mod rows;
#[cfg(test)]
mod tests;
mod write;

use super::{Converter, Input, Job, Notes, Output};
use crate::{
    error::{Error, Result},
    format::Format,
};
use image::metadata::Orientation;
use layout::Channels;

/// All pictures.
pub static CONVERTER: Converter = Converter {
    name: "image",
    reads: &[
        "jpg", "png", "gif", "webp", "tiff", "bmp", "ico", "qoi", "hdr", "exr", "ff", "dds", "pbm",
        "pgm", "ppm", "pam", "tga",
    ],
    writes: &[
        "jpg", "png", "gif", "webp", "tiff", "bmp", "ico", "qoi", "hdr", "exr", "ff", "pbm", "pgm",
        "ppm", "pam", "tga",
    ],
    options: &[],
    quality,
    recognise: Some(read::tga::recognise),
    convert,
};

/// What transparency is laid over where the target has none.
const WHITE: [u8; 3] = [255; 3];

fn quality(format: &Format) -> &'static str {
    write::target(format).map_or("", |target| target.quality)
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let Some(target) = write::target(job.to) else {
        return Err(Error::internal("no such target", job.to.name));
    };
    let mut notes = Notes::default();
    let mut source = read::open(job, input)?;
    let header = source.header();
    let orientation = header.orientation;
    let mut upright = header.layout;
    if orient::swaps_sides(orientation) {
        upright = upright.sized(upright.height, upright.width);
    }
    let (channels, depth) = (target.accepts)(upright.channels, upright.depth);
    let wanted = upright.with(channels, depth);
    limits::check_target(wanted, target.name, target.max_side)?;
    let icc = header.icc.take().filter(|icc| profile_fits(icc, channels));
    let lossless = header.lossless;
    if header.animated {
        notes.add("Only the first frame is kept.");
    }

    // A picture that has to be turned is held as a whole, whether its source streams or not.
    let turning = match orientation {
        Orientation::NoTransforms => 0,
        _ if orient::needs_copy(orientation) => 2 * upright.bytes(),
        _ => upright.bytes(),
    };
    let stage = 16 * u64::from(upright.width) + upright.row_bytes() as u64;
    job.reserve(
        limits::BASE
            + header.memory
            + turning
            + stage
            + (target.memory)(wanted, job.quality)
            + wanted.row_bytes() as u64,
    )?;

    let mut rows = source.decode()?;
    if orientation != Orientation::NoTransforms {
        rows = Box::new(orient::apply(rows.into_frame()?, orientation));
    }
    let rows = pixels::convert(rows, channels, depth, WHITE);
    let extras = write::Extras {
        lossless,
        icc: icc.filter(|_| target.carries_icc),
    };
    (target.write)(job, rows, extras, output, &mut notes)?;
    Ok(notes)
}

/// Whether a profile describes pixels of this kind (ICC.1:2022, 7.2.6: data colour space).
fn profile_fits(icc: &[u8], channels: Channels) -> bool {
    let space: &[u8] = if channels.is_grey() { b"GRAY" } else { b"RGB " };
    icc.get(16..20) == Some(space)
}
