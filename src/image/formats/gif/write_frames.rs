//! Writes animated GIF. A frame stores only the rectangle that differs from the frame before, unless one of the two is
//! cleared after it was shown. Consecutive equal frames are merged.

use super::write::{compressed, failed};
use crate::{
    animation::{Animation, Area, changed, clears, each_change},
    delays::Clock,
    pixels::{Frame, quantise::Palette},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use gif::{DisposalMethod, Encoder, Frame as GifFrame, Repeat};
use std::io::{BufWriter, Write};

/// Writes an animation, with a palette for each frame.
pub(crate) fn write(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let (width, height) = (
        animation.layout.width as u16,
        animation.layout.height as u16,
    );
    let mut encoder = Encoder::new(&mut output, width, height, &[]).map_err(failed)?;
    match animation.plays {
        None => encoder.set_repeat(Repeat::Infinite).map_err(failed)?,
        Some(0 | 1) => {}
        // GIF states the repetitions after the first time.
        Some(plays) => encoder
            .set_repeat(Repeat::Finite((plays - 1).min(65_535) as u16))
            .map_err(failed)?,
    }
    let dither = job.quality().pick(false, false, true);
    // Delays are in hundredths of a second, with 16 bits.
    let mut clock = Clock::new(100, u16::MAX.into());
    // The canvas before a frame is drawn; `None` if it is empty: before the first frame, or because it was cleared.
    let mut canvas: Option<Frame> = None;
    each_change(animation.frames, |frame, delay, next| {
        job.check()?;
        // A frame cannot make pixels transparent. If the next frame needs that, this frame is drawn whole and then
        // disposed of by clearing its area, so that the next frame is drawn on an empty canvas.
        let clear = next.is_some_and(|next| clears(frame, next));
        let (area, part) = match &canvas {
            Some(before) if !clear => {
                let area = changed(before, frame);
                let mut part = area.cut(frame);
                let before = area.cut(before);
                hide_equal(&mut part, &before);
                (area, part)
            }
            _ => (Area::whole(frame.layout), frame.clone()),
        };
        let palette = Palette::of(&part, dither);
        let indices = Box::new(palette.indices(&part, dither));
        let buffer = compressed(job, indices, &palette)?;
        drop(part);
        encoder
            .write_lzw_pre_encoded_frame(&GifFrame {
                delay: clock.ticks(delay) as u16,
                dispose: if clear {
                    DisposalMethod::Background
                } else {
                    DisposalMethod::Keep
                },
                transparent: palette.transparent(),
                left: area.left as u16,
                top: area.top as u16,
                width: area.width as u16,
                height: area.height as u16,
                palette: Some(palette.colours().to_vec()),
                buffer: buffer.into(),
                ..GifFrame::default()
            })
            .map_err(failed)?;
        canvas = (!clear).then(|| frame.clone());
        Ok(())
    })?;
    drop(encoder);
    clock.note(job.to.name, notes);
    output.flush().map_err(Error::unwritten)
}

/// Makes unchanged pixels transparent, because long runs of one index compress best.
fn hide_equal(part: &mut Frame, before: &Frame) {
    let (pixels, _) = part.pixels.as_chunks_mut::<4>();
    let (before, _) = before.pixels.as_chunks::<4>();
    for (pixel, before) in pixels.iter_mut().zip(before) {
        if pixel == before {
            *pixel = [0; 4];
        }
    }
}
