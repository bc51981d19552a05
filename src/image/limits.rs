//! Limits on pictures. The header, the requested size, and the limits of the target format are checked before any pixel
//! is decoded.

use crate::pixels::Layout;
use convertd_core::{
    error::{Error, Kind, Result},
    job::Job,
};

/// Largest width or height in pixels.
pub(crate) const MAX_SIDE: u32 = 100_000;

/// Largest number of pixels in a picture: 2^28, a square with sides of 16,384 pixels.
pub(crate) const MAX_PIXELS: u64 = 1 << 28;

/// Number of pixels up to which the compression ratio of a file is not limited.
const UNCHECKED_PIXELS: u64 = 1 << 22;

/// Largest number of pixels that a byte of a file can describe, in formats that store pixels, runs, or dictionary
/// strings of at most some thousand pixels. Complete files of these formats have far fewer pixels per byte.
pub(crate) const PIXELS_PER_BYTE: u64 = 10_000;

/// Memory that every conversion may use in addition to its pixels: headers, profiles, tables and buffers of codecs.
pub(crate) const BASE: u64 = 4 << 20;

/// Refuses implausible dimensions before memory is allocated for them. `density` is the largest number of pixels that a
/// byte of the file can describe; it is checked only above [`UNCHECKED_PIXELS`]. It is `None` for formats in which a
/// plain picture takes almost no bytes; for these the limits on pixels and memory suffice, and the decoder detects
/// missing data.
///
/// Errors: [`Kind::BadInput`] with the dimensions and the limit.
pub(crate) fn check(job: &Job<'_>, width: u32, height: u32, density: Option<u64>) -> Result<()> {
    let pixels = u64::from(width) * u64::from(height);
    let refuse = |limit: String| {
        Err(Error::new(
            Kind::BadInput,
            format!("the picture claims {width} × {height} pixels; {limit}"),
        ))
    };
    if pixels == 0 {
        return refuse("it must have at least one".into());
    }
    if width > MAX_SIDE || height > MAX_SIDE {
        return refuse(format!("the limit is {MAX_SIDE} on either side"));
    }
    if pixels > MAX_PIXELS {
        return refuse(format!("the limit is {MAX_PIXELS} pixels in all"));
    }
    match density {
        Some(most) if pixels > UNCHECKED_PIXELS && pixels / job.input_len.max(1) > most => {
            refuse(format!(
                "a file of {} bytes cannot hold that many (the limit is {most} pixels a byte)",
                job.input_len
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses requested dimensions that are too large.
pub(crate) fn check_size(width: u32, height: u32) -> Result<()> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Error::new(
            Kind::BadInput,
            format!(
                "width and height make {width} × {height} pixels; the limit is {MAX_PIXELS} pixels in all"
            ),
        ));
    }
    Ok(())
}

/// Refuses a picture that is too large for the target format.
pub(crate) fn check_target(layout: Layout, format: &str, max_side: u32) -> Result<()> {
    if layout.width > max_side || layout.height > max_side {
        return Err(Error::new(
            Kind::BadInput,
            format!(
                "the picture has {} × {} pixels; {format} holds at most {max_side} on either side",
                layout.width, layout.height
            ),
        ));
    }
    Ok(())
}
