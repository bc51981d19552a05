//! Converts an animation frame by frame. Never has all frames in memory: each step has only the current frame and a few
//! of its neighbours.

use super::{
    animation::{self, Animation, Area},
    cropped, limits,
    options::Wishes,
    pixels::{colour, orient, resize::Resize},
    salvage::{Missing, SalvagedFrames},
    target::{Target, WriteMoving},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Damage, Job, Notes, Output},
};
use image::metadata::Orientation;

/// Converts all frames of an animation. The steps are chained as iterators, so each frame passes through all of them
/// before the next is decoded.
pub(crate) fn convert<'a>(
    job: &'a Job<'a>,
    target: &Target,
    write: WriteMoving,
    mut animation: Animation<'a>,
    wishes: &Wishes,
    output: &mut dyn Output,
) -> Result<Notes> {
    animation.check()?;
    let from = animation.layout;
    if let Some(icc) = animation.icc.take() {
        animation.memory += 2 * icc.len() as u64;
        // The profile is kept if the target can store it, the client does not strip it, and it fits the samples.
        // Otherwise, the samples are converted to sRGB, if they are not sRGB already and the profile is usable.
        if target.carries_icc && !wishes.strip_profile && colour::fits(&icc, from.channels) {
            animation.icc = Some(icc);
        } else if !colour::is_srgb(&icc)
            && let Some(transform) = colour::Conversion::to_srgb(&icc, from)
        {
            animation.memory += from.bytes();
            animation.frames = Box::new(animation.frames.map(move |frame| {
                let (frame, delay) = frame?;
                Ok((transform.rows(Box::new(frame)).into_frame()?, delay))
            }));
        }
    }
    if wishes.max_size.is_some() {
        return Err(Error::new(
            Kind::BadInput,
            "max_size is for still pictures, and this is an animation; the field page chooses one of its frames",
        ));
    }
    let turned = orient::upright(from, wishes.turn);
    let from = match wishes.crop {
        Some(area) => {
            cropped::check(area, turned)?;
            turned.sized(area[0], area[1])
        }
        None => turned,
    };
    let resize = Resize::of(wishes.bounds, from.width, from.height);
    let to = resize.map_or(from, |plan| from.sized(plan.width, plan.height));
    limits::check_size(to.width, to.height)?;
    limits::check_target(to, job.to.name, target.max_side)?;
    let missing = Missing::default();
    if wishes.damage == Damage::Keep {
        let (frames, count) = (animation.frames, animation.count);
        animation.frames = Box::new(SalvagedFrames::new(job, frames, count, missing.clone()));
        animation.memory += animation.layout.bytes();
    }
    let is_turned = wishes.turn != Orientation::NoTransforms;
    // Rotating and cropping each need memory for a frame before the change and for one after it.
    let changed = u64::from(is_turned) + u64::from(wishes.crop.is_some());
    job.reserve(
        limits::BASE
            + animation.memory
            + changed * turned.bytes()
            + resize.map_or(0, |plan| plan.memory(from))
            + animation::writing(to),
    )?;
    if is_turned {
        let turn = wishes.turn;
        animation.frames = Box::new(animation.frames.map(move |frame| {
            let (frame, delay) = frame?;
            Ok((orient::apply(frame, turn), delay))
        }));
        animation.layout = from;
    }
    if let Some([width, height, left, top]) = wishes.crop {
        let area = Area {
            left,
            top,
            width,
            height,
        };
        animation.frames = Box::new(animation.frames.map(move |frame| {
            let (frame, delay) = frame?;
            Ok((area.cut(&frame), delay))
        }));
        animation.layout = from;
    }
    if let Some(plan) = resize {
        animation.layout = to;
        animation.frames = Box::new(animation.frames.map(move |frame| {
            let (frame, delay) = frame?;
            Ok((plan.apply(Box::new(frame)).into_frame()?, delay))
        }));
    }
    let mut notes = Notes::default();
    animation.notes.drain(..).for_each(|note| notes.add(note));
    write(job, animation, output, &mut notes)?;
    wishes.damage.judge(missing.frames(), &mut notes)?;
    if wishes.keep_metadata {
        notes.add("EXIF and XMP are kept in still pictures only.");
    }
    Ok(notes)
}
