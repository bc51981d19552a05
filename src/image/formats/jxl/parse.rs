//! Parses a file without decoding it, and states how much memory decoding takes.

use crate::{
    hdr_colour::{Curve, HdrColour},
    source::failed,
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use jxl_oxide::{
    JxlImage,
    color::{ColourEncoding, Primaries, TransferFunction, WhitePoint},
};

/// Bytes that the decoder holds for each byte of its output. It works with 32 bits per sample, with three channels even
/// for grey, and keeps the frames to which other frames refer. Measured with libjxl's conformance files: of the
/// pictures with 8 bits, the picture with photon noise takes the most memory, 37 bytes per pixel; of the pictures with
/// 16 bits, the picture with blended frames takes 89 bytes.
pub(super) const BYTES_A_SAMPLE: u64 = 13;

/// Returns whether colours are multiplied by alpha.
pub(super) fn is_multiplied(image: &JxlImage) -> bool {
    let mut extra = image.image_header().metadata.ec_info.iter();
    extra.find_map(|channel| channel.alpha_associated()) == Some(true)
}

/// The colour space, if the picture is HDR and its primaries have a code point in ITU-T H.273.
pub(super) fn hdr(image: &JxlImage) -> Option<HdrColour> {
    let ColourEncoding::Enum(space) = &image.image_header().metadata.colour_encoding else {
        return None;
    };
    let curve = match space.tf {
        TransferFunction::Pq => Curve::Pq,
        TransferFunction::Hlg => Curve::Hlg,
        _ => return None,
    };
    let primaries = match (&space.primaries, &space.white_point) {
        (Primaries::Srgb, WhitePoint::D65) => 1,
        (Primaries::Bt2100, WhitePoint::D65) => 9,
        (Primaries::P3, WhitePoint::Dci) => 11,
        (Primaries::P3, WhitePoint::D65) => 12,
        _ => return None,
    };
    Some(HdrColour { primaries, curve })
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
