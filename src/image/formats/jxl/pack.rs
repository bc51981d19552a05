//! Stores the coefficients of a JPEG in a JPEG XL file by jixel (ISO/IEC 18181-2, annex A). The result is a fifth
//! smaller than the JPEG. Stores only files that the reader restores byte for byte.

use super::{original, parse::parse};
use crate::{pixels::Layout, whole::Packer};
use convertd_core::{error::Result, job::Job};
use jixel::{JpegTranscodeConfig, Speed};
use std::io::Cursor;

pub(super) static JPEGS: Packer = Packer {
    of: "jpg",
    memory,
    pack,
};

/// Memory in bytes for restoring the JPEG, which takes more than storing it.
fn memory(layout: Layout, len: u64) -> u64 {
    original::BYTES_A_PIXEL * layout.pixels() + 6 * len
}

fn pack(job: &Job<'_>, file: &[u8]) -> Result<Option<Vec<u8>>> {
    let config = JpegTranscodeConfig {
        num_threads: 1 + job.spare_threads,
        speed: Speed::Fast,
        ..JpegTranscodeConfig::default()
    };
    let Ok(packed) = jixel::encode_jpeg_lossless_with_config(file, &config) else {
        return Ok(None);
    };
    job.check()?;
    let image = parse(job, &mut Cursor::new(&packed[..]))?;
    let back = original::restore(job, &image, &mut Cursor::new(&packed[..]));
    job.check()?;
    Ok((back.as_deref() == Some(file)).then_some(packed))
}
