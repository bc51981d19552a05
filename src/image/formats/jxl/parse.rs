//! Parses a file without decoding it, and computes the memory for decoding.

use crate::source::failed;
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use jxl_oxide::JxlImage;

/// Bytes that the decoder holds for each byte of its output. It works with 32 bits a sample, with three channels even
/// for grey, and keeps the frames that others refer to. Of libjxl's conformance files, photon noise takes the most of 8
/// bits, 37 bytes a pixel, and blended frames the most of 16, 89.
pub(super) const BYTES_A_SAMPLE: u64 = 13;

/// Returns whether colours are multiplied by alpha.
pub(super) fn is_multiplied(image: &JxlImage) -> bool {
    let mut extra = image.image_header().metadata.ec_info.iter();
    extra.find_map(|channel| channel.alpha_associated()) == Some(true)
}

/// Reads the whole file and decodes nothing.
pub(super) fn parse(job: &Job<'_>, input: &mut dyn Input) -> Result<JxlImage> {
    let image = JxlImage::builder()
        .read(input)
        .map_err(|err| failed(job, err))?;
    if !image.is_loading_done() {
        return Err(job.unreadable("it ends before the picture does"));
    }
    Ok(image)
}
