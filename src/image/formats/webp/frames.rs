//! Reads all frames of an animated WebP with the `image` crate, which composes them on a canvas.

use crate::{
    adapter::moving,
    animation::Animation,
    limits,
    source::{failed, rewind},
};
use convertd_core::{
    containers::riff::Walk,
    error::Result,
    job::{Input, Job},
};
use image::{AnimationDecoder, ImageDecoder, codecs::webp::WebPDecoder};
use std::io;

/// Opens a WebP that is an animation. `None` for a still picture.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let Some((plays, count)) = walk(input).map_err(|err| failed(job, err))? else {
        return Ok(None);
    };
    rewind(input)?;
    let input: Box<dyn Input + 'a> = Box::new(input);
    let mut decoder = WebPDecoder::new(input).map_err(|err| failed(job, err))?;
    let (width, height) = decoder.dimensions();
    limits::check(job, width, height, None)?;
    let icc = decoder.icc_profile().unwrap_or(None);
    let frames = moving::frames(job, decoder.into_frames());
    let animation = Animation::new(job, (width, height), plays, count, frames);
    Ok(Some(Animation {
        icc,
        lossless: false,
        ..animation
    }))
}

/// Finds the number of times that the animation is played (`None` for endlessly) and the number of frames. Reads only
/// the headers of the chunks, and the data of `ANIM`. Returns `None` without `ANIM` or without frames.
fn walk(input: &mut dyn Input) -> io::Result<Option<(Option<u32>, u32)>> {
    let (mut plays, mut frames) = (None, 0);
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next_chunk()? {
        match &head.name {
            // The chunk has a background colour and the loop count, in which 0 means endlessly (RFC 9649, 2.7.1.1).
            b"ANIM" if head.len >= 6 => {
                if let [_, _, _, _, low, high] = walk.data(6)?[..] {
                    plays = Some(u32::from(u16::from_le_bytes([low, high])));
                }
            }
            b"ANMF" => frames += 1,
            _ => {}
        }
    }
    let plays = plays.filter(|_| frames > 0);
    Ok(plays.map(|plays| (Some(plays).filter(|plays| *plays > 0), frames)))
}
