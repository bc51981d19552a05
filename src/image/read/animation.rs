//! Opening animations: GIF, WebP and PNG with several frames. A still picture is none.

use super::{apng, failed, gif, guarded, rewind};
use crate::{
    error::Result,
    image::{
        animation::{Animation, Frames},
        layout::{Channels, Depth, Layout},
        limits,
        rows::Frame,
    },
    job::{Input, Job},
};
use image::{
    AnimationDecoder, Frames as Decoded, ImageDecoder, Limits,
    codecs::{gif::GifDecoder, webp::WebPDecoder},
};
use std::{io::SeekFrom, time::Duration};

/// The animation in `input`, if it is one. Otherwise `input` stands at its beginning again.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let Some((plays, count)) = frames(job, input)? else {
        return Ok(None);
    };
    let unreadable = |err| failed(job, err);
    let (size, icc, decoded) = guarded(job, || match job.from.name {
        "gif" => {
            let input: Box<dyn Input + 'a> = Box::new(input);
            let mut decoder = GifDecoder::new(input).map_err(unreadable)?;
            let size = decoder.dimensions();
            limits::check(job, size.0, size.1)?;
            let mut caps = Limits::no_limits();
            caps.max_image_width = Some(limits::MAX_SIDE);
            caps.max_image_height = Some(limits::MAX_SIDE);
            decoder.set_limits(caps).map_err(unreadable)?;
            Ok((size, None, frames_of(job, decoder.into_frames())))
        }
        "webp" => {
            let input: Box<dyn Input + 'a> = Box::new(input);
            let mut decoder = WebPDecoder::new(input).map_err(unreadable)?;
            let size = decoder.dimensions();
            limits::check(job, size.0, size.1)?;
            let icc = decoder.icc_profile().unwrap_or(None);
            Ok((size, icc, frames_of(job, decoder.into_frames())))
        }
        _ => apng::open(job, input, count),
    })?;
    let layout = Layout {
        width: size.0,
        height: size.1,
        channels: Channels::Rgba,
        depth: Depth::Eight,
    };
    Ok(Some(Animation {
        layout,
        icc,
        plays,
        count,
        // The canvas, the frame on it, a copy, and the decoder's own buffers, which may have 16 bits a sample.
        memory: job.input_len + 7 * layout.bytes(),
        lossless: job.from.name != "webp",
        frames: Box::new(Guarded {
            job,
            decoded,
            layout,
            left: count,
        }),
    }))
}

/// How many frames there are; 1 in a still picture. Leaves `input` at its beginning.
pub(crate) fn count(job: &Job<'_>, input: &mut dyn Input) -> Result<u32> {
    Ok(frames(job, input)?.map_or(1, |(_, count)| count))
}

/// How often the frames are shown, and how many there are. `None` for a still picture.
fn frames(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<(Option<u32>, u32)>> {
    let found = match job.from.name {
        "gif" => gif::walk(job, input)?
            .filter(|gif| gif.frames > 1)
            .map(|gif| (gif.plays, gif.frames)),
        "webp" => walk_webp(input).map_err(|err| failed(job, err))?,
        "png" | "apng" => walk_png(input).map_err(|err| failed(job, err))?,
        _ => None,
    };
    rewind(input)?;
    Ok(found)
}

/// From the heads of the chunks alone.
fn walk_webp(input: &mut dyn Input) -> std::io::Result<Option<(Option<u32>, u32)>> {
    let mut plays = None;
    let mut frames = 0;
    let mut head = [0; 8];
    input.seek(SeekFrom::Start(12))?;
    while input.read_exact(&mut head).is_ok() {
        let [n0, n1, n2, n3, l0, l1, l2, l3] = head;
        let len = i64::from(u32::from_le_bytes([l0, l1, l2, l3]));
        let mut skip = len + (len & 1);
        match &[n0, n1, n2, n3] {
            b"ANIM" if len >= 6 => {
                let mut data = [0; 6];
                input.read_exact(&mut data)?;
                plays = Some(u32::from(u16::from_le_bytes([data[4], data[5]])));
                skip -= 6;
            }
            b"ANMF" => frames += 1,
            _ => {}
        }
        input.seek_relative(skip)?;
    }
    Ok(plays
        .filter(|_| frames > 0)
        .map(|plays| (Some(plays).filter(|plays| *plays > 0), frames)))
}

/// From the chunk that stands before the first image data.
fn walk_png(input: &mut dyn Input) -> std::io::Result<Option<(Option<u32>, u32)>> {
    let mut head = [0; 8];
    input.seek(SeekFrom::Start(8))?;
    while input.read_exact(&mut head).is_ok() {
        let [l0, l1, l2, l3, name @ ..] = head;
        match &name {
            b"acTL" => {
                let mut data = [0; 8];
                input.read_exact(&mut data)?;
                let [f0, f1, f2, f3, p0, p1, p2, p3] = data;
                let frames = u32::from_be_bytes([f0, f1, f2, f3]);
                let plays = u32::from_be_bytes([p0, p1, p2, p3]);
                return Ok((frames > 1).then_some((Some(plays).filter(|plays| *plays > 0), frames)));
            }
            b"IDAT" | b"IEND" => return Ok(None),
            _ => {
                input.seek_relative(i64::from(u32::from_be_bytes([l0, l1, l2, l3])) + 4)?;
            }
        }
    }
    Ok(None)
}

/// Frames as the `image` crate gives them.
fn frames_of<'a>(job: &'a Job<'a>, decoded: Decoded<'a>) -> Frames<'a> {
    Box::new(decoded.map(|frame| {
        let frame = frame.map_err(|err| failed(job, err))?;
        let delay = Duration::from(frame.delay());
        let pixels = frame.into_buffer();
        let layout = Layout {
            width: pixels.width(),
            height: pixels.height(),
            channels: Channels::Rgba,
            depth: Depth::Eight,
        };
        Ok((Frame::from_pixels(layout, pixels.into_raw()), delay))
    }))
}

/// Frames of a decoder that may panic, and may give fewer than were promised.
struct Guarded<'a> {
    job: &'a Job<'a>,
    decoded: Frames<'a>,
    layout: Layout,
    left: u32,
}

impl Iterator for Guarded<'_> {
    type Item = Result<(Frame, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(stopped) = self.job.check() {
            return Some(Err(stopped));
        }
        let (job, layout) = (self.job, self.layout);
        let decoded = guarded(job, || self.decoded.next().transpose());
        let Some(frame) = decoded.transpose() else {
            let missing = self.left;
            self.left = 0;
            return (missing > 0)
                .then(|| Err(job.unreadable(format!("{missing} of its frames are missing"))));
        };
        self.left = self.left.saturating_sub(1);
        Some(frame.and_then(|(frame, delay)| {
            if frame.layout != layout {
                return Err(job.unreadable("a frame is not of the size of the canvas"));
            }
            Ok((frame, delay))
        }))
    }
}
