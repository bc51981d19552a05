//! Reads Radiance RGBE with the `image` crate, which supports one of the eight orders of rows and columns. The
//! resolution line is replaced by one with the supported order, and the picture is turned afterwards.

use crate::{
    adapter::read::{self, Codec},
    edited_input::EditedInput,
    limits,
    pages::Patch,
    source::{Source, lost, rewind, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::{
    codecs::hdr::{HdrDecoder, SIGNATURE},
    metadata::Orientation,
};
use std::io::{BufRead, Read};

/// The longest header that is searched for the size, in bytes. Files with longer headers are left to the decoder
/// unchanged.
const MAX_HEADER: u64 = 1 << 16;

static CODEC: Codec = Codec {
    open: |mut input| {
        // A strict decoder accepts only one of the two signatures. A decoder that is not strict takes the other one for
        // a comment, so strictness depends on the signature.
        let is_usual = input.fill_buf()?.starts_with(SIGNATURE);
        Ok(Box::new(HdrDecoder::with_strictness(input, is_usual)?))
    },
    memory: read::output_and_copy,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};

/// Opens a Radiance picture. Its text header ends with an empty line and a line with the size.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut lines = (&mut *input).take(MAX_HEADER);
    let (mut line, mut start) = (Vec::new(), 0);
    let mut is_size = false;
    while !is_size {
        is_size = line == b"\n";
        start += line.len() as u64;
        line.clear();
        if lines.read_until(b'\n', &mut line).map_err(lost)? == 0 {
            break;
        }
        if line.starts_with(b"FORMAT=") && line.windows(4).any(|part| part == b"xyze") {
            return Err(unsupported(job, "colours as XYZ instead of RGB"));
        }
    }
    rewind(input)?;
    let Some((default, orientation)) = turned(&line) else {
        return read::open(job, input, &CODEC);
    };
    let patch = Patch {
        from: 0,
        start,
        bytes: default,
    };
    let mut source = read::open_keeping(job, Box::new(EditedInput::new(input, patch)), &CODEC, 0)?;
    source.header().orientation = orientation;
    Ok(source)
}

/// Replaces the resolution line by one with the supported order, and returns the orientation that restores the picture.
/// `None` if the line already has that order or is invalid.
///
/// The first axis of the line is the direction from scanline to scanline. The sign states whether the coordinate grows
/// in that direction; Y grows upwards, and X to the right.
fn turned(line: &[u8]) -> Option<(Vec<u8>, Orientation)> {
    let mut default = line.to_vec();
    let mut signs = default
        .iter_mut()
        .filter(|byte| !byte.is_ascii_digit() && !byte.is_ascii_whitespace());
    let mut axes = [(); 4].map(|()| signs.next());
    let orientation = match axes.each_ref().map(|byte| byte.as_ref().map(|byte| **byte)) {
        [Some(b'-'), Some(b'Y'), Some(b'-'), Some(b'X')] => Orientation::FlipHorizontal,
        [Some(b'+'), Some(b'Y'), Some(b'+'), Some(b'X')] => Orientation::FlipVertical,
        [Some(b'+'), Some(b'Y'), Some(b'-'), Some(b'X')] => Orientation::Rotate180,
        [Some(b'+'), Some(b'X'), Some(b'-'), Some(b'Y')] => Orientation::Rotate90FlipH,
        [Some(b'+'), Some(b'X'), Some(b'+'), Some(b'Y')] => Orientation::Rotate270,
        [Some(b'-'), Some(b'X'), Some(b'-'), Some(b'Y')] => Orientation::Rotate90,
        [Some(b'-'), Some(b'X'), Some(b'+'), Some(b'Y')] => Orientation::Rotate270FlipH,
        _ => return None,
    };
    for (byte, to) in axes.iter_mut().flatten().zip(*b"-Y+X") {
        **byte = to;
    }
    Some((default, orientation))
}
