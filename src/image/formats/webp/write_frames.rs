//! Writes animated WebP (RFC 9649, 2.7.1.1). Each frame after the first stores only the rectangle that differs from the
//! frame before. No visible frame is left out.

use super::{libwebp, vp8x};
use crate::{
    animation::{Animation, Area, changed, each_change},
    delays::Clock,
    options::Wishes,
    pixels::{Frame, quantise},
};
use convertd_core::{
    containers::riff,
    error::{Error, Kind, Result},
    job::{Job, Notes, Output},
};
use std::io::SeekFrom;

/// Writes an animation. The size of the file is written into its header at the end.
pub(crate) fn write(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let layout = animation.layout;
    let mut head = Vec::new();
    let profile = animation.icc.as_ref().map_or(0, |_| vp8x::ICC);
    let flags = vp8x::ANIMATION | vp8x::ALPHA | profile;
    riff::put(
        &mut head,
        b"VP8X",
        &vp8x::extended(flags, layout.width, layout.height),
    );
    if let Some(icc) = &animation.icc {
        riff::put(&mut head, b"ICCP", icc);
    }
    let mut control = [0; 6];
    control[4..].copy_from_slice(&(animation.plays.unwrap_or(0).min(65_535) as u16).to_le_bytes());
    riff::put(&mut head, b"ANIM", &control);
    let head = riff::file(b"WEBP", &head);
    output.write_all(&head).map_err(Error::unwritten)?;
    let mut len = head.len() as u64;
    let mut canvas: Option<Frame> = None;
    let lossless_source = animation.lossless;
    let asked = Wishes::of(job.options()).lossless;
    // Delays are in milliseconds, with 24 bits.
    let mut clock = Clock::new(1000, 0xff_ffff);
    each_change(animation.frames, |frame, delay, _| {
        job.check()?;
        let area = match &canvas {
            // Positions are stored divided by two.
            Some(before) => changed(before, frame).even(),
            None => Area::whole(layout),
        };
        let part = area.cut(frame);
        let is_drawing = !asked && lossless_source && quantise::has_few_colours(&part);
        let encode = |lossless: bool| {
            let settings = libwebp::Settings {
                quality: match lossless {
                    true => 50.0,
                    false => job.quality().number(60, 80, 92).into(),
                },
                method: if lossless { 2 } else { 4 },
                lossless,
                threads: job.spare_threads > 0,
            };
            libwebp::encode(&part, settings, &|| job.check().is_ok())
                .map_err(|failure| failure.error(job))
        };
        let mut file = encode(asked || is_drawing)?;
        // A drawing at low quality is encoded in both ways, and the smaller file is used.
        if is_drawing && job.quality().pick(true, false, false) {
            let other = encode(false)?;
            if other.len() < file.len() {
                file = other;
            }
        }
        let mut data = Vec::with_capacity(file.len() + 16);
        for value in [area.left / 2, area.top / 2, area.width - 1, area.height - 1] {
            data.extend(&value.to_le_bytes()[..3]);
        }
        data.extend(&clock.ticks(delay).to_le_bytes()[..3]);
        // Flags: pixels are not blended with the canvas, and the canvas is kept after the frame.
        data.push(0x02);
        for (name, part) in riff::chunks(&file).filter(|(name, _)| name != b"VP8X") {
            riff::put(&mut data, &name, part);
        }
        let mut chunk = Vec::with_capacity(data.len() + 8);
        riff::put(&mut chunk, b"ANMF", &data);
        len += chunk.len() as u64;
        output.write_all(&chunk).map_err(Error::unwritten)?;
        canvas = Some(frame.clone());
        Ok(())
    })?;
    clock.note(job.to.name, notes);
    let size = u32::try_from(len - 8).map_err(|_| {
        Error::new(
            Kind::BadInput,
            "the animation is too large for WebP, which holds at most 4 GiB",
        )
    })?;
    output
        .seek(SeekFrom::Start(4))
        .and_then(|_| output.write_all(&size.to_le_bytes()))
        .and_then(|()| output.seek(SeekFrom::End(0)))
        .map_err(Error::unwritten)
        .map(|_| ())
}
