//! Animations as GIF, WebP or APNG: only what changes from frame to frame is stored. Never drops a frame that can be seen.

use super::{gif::compressed, unwritable};
use crate::{
    error::{Error, Result},
    image::{
        animation::{Animation, Area, changed, clears, each_change},
        layout::Layout,
        quantise::Palette,
        rows::Frame,
    },
    job::{Job, Notes, Output},
};
use std::{borrow::Cow, io::BufWriter, io::Write, time::Duration};

/// Bytes that a writer of animations takes: frames before and after, the part that changes, and its encoded form.
pub(crate) fn memory(layout: Layout) -> u64 {
    8 * layout.bytes() + 8 * layout.pixels() + (16 << 20)
}

/// Units of `per_second` in `delay`, to the nearest.
fn ticks(delay: Duration, per_second: u32) -> u32 {
    let ticks = (delay.as_secs_f64() * f64::from(per_second)).round();
    ticks.min(f64::from(u32::MAX)) as u32
}

/// How long frames are shown in a format that counts in `per_second`, up to `most`.
struct Clock {
    per_second: u32,
    most: u32,
    /// Frames that should have been shown for longer.
    cut: u32,
}

impl Clock {
    fn new(per_second: u32, most: u32) -> Self {
        Self {
            per_second,
            most,
            cut: 0,
        }
    }

    fn ticks(&mut self, delay: Duration) -> u32 {
        let ticks = ticks(delay, self.per_second);
        if ticks > self.most {
            self.cut += 1;
        }
        ticks.min(self.most)
    }

    /// Says what was cut.
    fn note(&self, format: &str, notes: &mut Notes) {
        let seconds = f64::from(self.most) / f64::from(self.per_second);
        match self.cut {
            0 => {}
            1 => notes.add(format!(
                "A frame is shown for {seconds} s, the longest that {format} can hold."
            )),
            cut => notes.add(format!(
                "{cut} frames are shown for {seconds} s each, the longest that {format} can hold."
            )),
        }
    }
}

/// A delay as a fraction of two numbers of 16 bits, as fine as its length allows.
fn fraction(delay: Duration) -> (u16, u16) {
    [1000, 100, 10, 1]
        .into_iter()
        .find_map(|parts| Some((u16::try_from(ticks(delay, parts.into())).ok()?, parts)))
        .unwrap_or((u16::MAX, 1))
}

pub(crate) fn write_gif(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let failed = |err: gif::EncodingError| match err {
        gif::EncodingError::Io(err) => unwritable(err),
        err => Error::internal("the GIF could not be made", err),
    };
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let (width, height) = (
        animation.layout.width as u16,
        animation.layout.height as u16,
    );
    let mut encoder = gif::Encoder::new(&mut output, width, height, &[]).map_err(failed)?;
    match animation.plays {
        None => encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?,
        Some(0 | 1) => {}
        Some(plays) => encoder
            .set_repeat(gif::Repeat::Finite((plays - 1).min(65_535) as u16))
            .map_err(failed)?,
    }
    let dither = job.quality().pick(false, false, true);
    let mut clock = Clock::new(100, u16::MAX.into());
    // What is on the canvas before a frame is drawn; nothing, if it was cleared.
    let mut canvas: Option<Frame> = None;
    each_change(animation.frames, |frame, delay, next| {
        job.check()?;
        // Transparency cannot be drawn, so what is to vanish must be cleared, and all that stood there drawn.
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
            .write_lzw_pre_encoded_frame(&gif::Frame {
                delay: clock.ticks(delay) as u16,
                dispose: if clear {
                    gif::DisposalMethod::Background
                } else {
                    gif::DisposalMethod::Keep
                },
                transparent: palette.transparent(),
                left: area.left as u16,
                top: area.top as u16,
                width: area.width as u16,
                height: area.height as u16,
                palette: Some(palette.colours().to_vec()),
                buffer: buffer.into(),
                ..gif::Frame::default()
            })
            .map_err(failed)?;
        canvas = (!clear).then(|| frame.clone());
        Ok(())
    })?;
    drop(encoder);
    clock.note("gif", notes);
    output.flush().map_err(unwritable)
}

/// Makes transparent what is the same before and after: long runs of one index compress best.
fn hide_equal(part: &mut Frame, before: &Frame) {
    let (pixels, _) = part.pixels.as_chunks_mut::<4>();
    let (before, _) = before.pixels.as_chunks::<4>();
    for (pixel, before) in pixels.iter_mut().zip(before) {
        if pixel == before {
            *pixel = [0; 4];
        }
    }
}

pub(crate) fn write_png(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    use png::{BitDepth, BlendOp, ColorType, Compression, Encoder, EncodingError, Filter, Info};
    let failed = |err: EncodingError| match err {
        EncodingError::IoError(err) => unwritable(err),
        err => Error::internal("the PNG could not be made", err),
    };
    // The number of frames stands before them, so equal ones cannot be taken together.
    let layout = animation.layout;
    let mut info = Info::with_size(layout.width, layout.height);
    info.color_type = ColorType::Rgba;
    info.bit_depth = BitDepth::Eight;
    info.icc_profile = animation.icc.map(Cow::Owned);
    let mut encoder = Encoder::with_info(&mut *output, info).map_err(failed)?;
    encoder.set_compression(job.quality().pick(
        Compression::Fast,
        Compression::Fast,
        Compression::Balanced,
    ));
    encoder.set_filter(Filter::Adaptive);
    encoder
        .set_animated(animation.count, animation.plays.unwrap_or(0))
        .map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut canvas: Option<Frame> = None;
    for frame in animation.frames {
        job.check()?;
        let (frame, delay) = frame?;
        let area = match &canvas {
            Some(before) => changed(before, &frame),
            None => Area::whole(layout),
        };
        let part = area.cut(&frame);
        let (delay, parts) = fraction(delay);
        // The size is checked against the place of the frame before.
        writer
            .set_frame_position(0, 0)
            .and_then(|()| writer.set_frame_dimension(area.width, area.height))
            .and_then(|()| writer.set_frame_position(area.left, area.top))
            .and_then(|()| writer.set_frame_delay(delay, parts))
            .and_then(|()| writer.set_blend_op(BlendOp::Source))
            .and_then(|()| writer.write_image_data(&part.pixels))
            .map_err(failed)?;
        canvas = Some(frame);
    }
    writer.finish().map_err(failed)
}

#[cfg(feature = "libwebp")]
pub(crate) fn write_webp(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    use crate::image::{libwebp, quantise, riff};
    use std::io::SeekFrom;
    let layout = animation.layout;
    let mut head = Vec::new();
    let profile = animation.icc.as_ref().map_or(0, |_| riff::ICC);
    let flags = riff::ANIMATION | riff::ALPHA | profile;
    riff::put(
        &mut head,
        b"VP8X",
        &riff::extended(flags, layout.width, layout.height),
    );
    if let Some(icc) = &animation.icc {
        riff::put(&mut head, b"ICCP", icc);
    }
    let mut control = [0; 6];
    control[4..].copy_from_slice(&(animation.plays.unwrap_or(0).min(65_535) as u16).to_le_bytes());
    riff::put(&mut head, b"ANIM", &control);
    let head = riff::file(&head);
    output.write_all(&head).map_err(unwritable)?;
    let mut len = head.len() as u64;
    let mut canvas: Option<Frame> = None;
    let lossless_source = animation.lossless;
    let mut clock = Clock::new(1000, 0xff_ffff);
    each_change(animation.frames, |frame, delay, _| {
        job.check()?;
        let area = match &canvas {
            Some(before) => changed(before, frame).even(),
            None => Area::whole(layout),
        };
        let part = area.cut(frame);
        let lossless = lossless_source
            && job.quality().pick(false, true, true)
            && quantise::has_few_colours(&part);
        let settings = libwebp::Settings {
            quality: if lossless {
                50.0
            } else {
                job.quality().pick(60.0, 80.0, 92.0)
            },
            method: if lossless {
                2
            } else {
                job.quality().pick(3, 4, 4)
            },
            lossless,
            threads: job.spare_threads > 0,
        };
        let file = libwebp::encode(&part, settings, &|| job.check().is_ok());
        let Some(file) = file else {
            job.check()?;
            return Err(Error::internal(
                "the WebP could not be made",
                "libwebp failed",
            ));
        };
        let mut data = Vec::with_capacity(file.len() + 16);
        for value in [area.left / 2, area.top / 2, area.width - 1, area.height - 1] {
            data.extend(&value.to_le_bytes()[..3]);
        }
        data.extend(&clock.ticks(delay).to_le_bytes()[..3]);
        // Overwrite what is there, and leave it.
        data.push(0x02);
        for chunk in riff::chunks(&file).filter(|chunk| &chunk.name != b"VP8X") {
            riff::put(&mut data, &chunk.name, chunk.data);
        }
        let mut chunk = Vec::with_capacity(data.len() + 8);
        riff::put(&mut chunk, b"ANMF", &data);
        len += chunk.len() as u64;
        output.write_all(&chunk).map_err(unwritable)?;
        canvas = Some(frame.clone());
        Ok(())
    })?;
    clock.note("webp", notes);
    let size = u32::try_from(len - 8).map_err(|_| {
        Error::new(
            crate::error::Kind::BadInput,
            "the animation is too large for WebP, which holds at most 4 GiB",
        )
    })?;
    output
        .seek(SeekFrom::Start(4))
        .and_then(|_| output.write_all(&size.to_le_bytes()))
        .and_then(|()| output.seek(SeekFrom::End(0)))
        .map_err(unwritable)
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_as_fine_as_their_length_allows() {
        #[track_caller]
        fn check(millis: u64, expected: (u16, u16)) {
            assert_eq!(fraction(Duration::from_millis(millis)), expected);
        }
        check(0, (0, 1000));
        check(65_535, (65_535, 1000));
        check(65_536, (6554, 100));
        check(70_000, (7000, 100));
        check(655_360, (6554, 10));
        check(3_600_000, (36_000, 10));
        check(65_535_000, (65_535, 1));
        check(99_999_999, (65_535, 1));
    }

    #[test]
    fn delays_that_are_cut_are_counted() {
        let mut clock = Clock::new(100, 65_535);
        let mut notes = Notes::default();
        assert_eq!(clock.ticks(Duration::from_millis(655_350)), 65_535);
        clock.note("gif", &mut notes);
        assert!(notes.0.is_empty());
        assert_eq!(clock.ticks(Duration::from_secs(700)), 65_535);
        clock.note("gif", &mut notes);
        let expected = "A frame is shown for 655.35 s, the longest that gif can hold.";
        assert_eq!(notes.0, [expected]);
    }
}
