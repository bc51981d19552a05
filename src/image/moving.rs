//! An animation from file to file, frame by frame. Never holds more frames than the one that is seen, the one before
//! and the one after.

use super::{
    animation::{self, Animation},
    limits,
    options::Wishes,
    pixels::{colour, resize::Resize},
    target::{Target, WriteMoving},
};
use crate::{
    error::Result,
    job::{Job, Notes, Output},
};

/// Converts all frames of a moving picture.
pub(crate) fn convert(
    job: &Job<'_>,
    target: &Target,
    write: WriteMoving,
    mut animation: Animation<'_>,
    wishes: &Wishes,
    output: &mut dyn Output,
) -> Result<Notes> {
    animation.check()?;
    let from = animation.layout;
    if let Some(icc) = animation.icc.take() {
        animation.memory += 2 * icc.len() as u64;
        if target.carries_icc && !wishes.strip_profile && colour::fits(&icc, from.channels) {
            animation.icc = Some(icc);
        } else if !colour::is_srgb(&icc)
            && let Some(transform) = colour::ToSrgb::of(&icc, from)
        {
            animation.memory += from.bytes();
            animation.frames = Box::new(animation.frames.map(move |frame| {
                let (frame, delay) = frame?;
                Ok((transform.rows(Box::new(frame)).into_frame()?, delay))
            }));
        }
    }
    let resize = Resize::of(wishes.bounds, from.width, from.height);
    let to = resize.map_or(from, |plan| from.sized(plan.width, plan.height));
    limits::check_size(to.width, to.height)?;
    limits::check_target(to, job.to.name, target.max_side)?;
    job.reserve(
        limits::BASE
            + animation.memory
            + resize.map_or(0, |plan| plan.memory(from))
            + animation::writing(to),
    )?;
    if let Some(plan) = resize {
        animation.layout = to;
        animation.frames = Box::new(animation.frames.map(move |frame| {
            let (frame, delay) = frame?;
            Ok((plan.apply(Box::new(frame)).into_frame()?, delay))
        }));
    }
    let mut notes = Notes::default();
    write(job, animation, output, &mut notes)?;
    if wishes.keep_metadata {
        notes.add("EXIF and XMP are kept in still pictures only.");
    }
    Ok(notes)
}
