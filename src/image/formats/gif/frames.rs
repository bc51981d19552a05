//! Reads all frames of an animated GIF by the `image` crate, which composes them on a canvas.

use super::blocks;
use crate::{
    adapter::moving,
    animation::Animation,
    edited_input::EditedInput,
    limits,
    source::{failed, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::{AnimationDecoder, ImageDecoder, Limits, codecs::gif::GifDecoder};

/// Opens a GIF with several frames. `None` if there is at most one.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let Some(blocks) = blocks::walk(job, input)?.filter(|blocks| blocks.frames > 1) else {
        return Ok(None);
    };
    rewind(input)?;
    let input: Box<dyn Input + 'a> = Box::new(EditedInput::edited(input, blocks.edits()));
    let mut decoder = GifDecoder::new(input).map_err(|err| failed(job, err))?;
    let (width, height) = decoder.dimensions();
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let mut caps = Limits::no_limits();
    caps.max_image_width = Some(limits::MAX_SIDE);
    caps.max_image_height = Some(limits::MAX_SIDE);
    decoder.set_limits(caps).map_err(|err| failed(job, err))?;
    let frames = moving::frames(job, decoder.into_frames());
    let sides = (width, height);
    let mut animation = Animation::new(job, sides, blocks.plays, blocks.frames, frames);
    animation.memory += 8 * blocks.beyond;
    Ok(Some(animation))
}
