//! Writes animated JPEG XL without loss. Each frame after the first stores only the rectangle that differs from the
//! frame before. Consecutive equal frames are merged.

use super::header;
use crate::{
    animation::{Animation, Area, changed, each_change},
    delays::{Clock, as_shown},
    pixels::{Frame, colour},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use jixel::{ColorSpace, FlMeta, encode_fast_lossless};

/// Writes an animation. The encoder supports only still pictures, so the headers of the frames are written here.
pub(crate) fn write(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let canvas = animation.layout;
    let mut put = |bytes: &[u8]| output.write_all(bytes).map_err(Error::unwritten);
    put(&header::animation(canvas, animation.plays))?;
    // The headers of an animation do not hold a profile, so the samples are converted.
    let to_srgb = animation
        .icc
        .and_then(|icc| colour::Conversion::to_srgb(&icc, canvas));
    let mut clock = Clock::new(1000, u32::MAX);
    let mut before: Option<Frame> = None;
    each_change(animation.frames, |frame, delay, next| {
        job.check()?;
        let area = match &before {
            Some(before) => changed(before, frame),
            None => Area::whole(canvas),
        };
        let mut part = area.cut(frame);
        if let Some(transform) = &to_srgb {
            part = transform.rows(Box::new(part)).into_frame()?;
        }
        put(&header::Frame {
            canvas,
            area,
            delay: clock.ticks(as_shown(delay)),
            is_last: next.is_none(),
        }
        .header())?;
        put(&sections(&part)?)?;
        before = Some(frame.clone());
        Ok(())
    })?;
    clock.note(job.to.name, notes);
    Ok(())
}

/// A coded frame, from the sizes of its sections on.
fn sections(part: &Frame) -> Result<Vec<u8>> {
    let (width, height) = (part.layout.width as usize, part.layout.height as usize);
    let meta = FlMeta::default();
    let mut file = encode_fast_lossless(&part.pixels, width, height, ColorSpace::Rgb, true, &meta)
        .map_err(|err| Error::internal("a frame could not be encoded", format!("{err:?}")))?;
    // Removes the encoder's own headers. The caller writes those of the frame instead.
    file.drain(..header::len_of_jixels(part.layout).min(file.len()));
    Ok(file)
}
