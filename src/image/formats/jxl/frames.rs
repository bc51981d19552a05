//! Reads all frames of an animated JPEG XL (ISO/IEC 18181-1, annex F) with jxl-oxide, which composes them on a canvas.
//! The decoder keeps every composed frame, so an animation that would need more memory than is available is not opened.
//!
//! The duration of a frame is in ticks, whose length is in the picture's header. A frame with duration 0 is a layer:
//! the decoder merges it with the next frame, and only the result counts as a frame.

use super::parse::{BYTES_A_SAMPLE, is_multiplied, parse};
use crate::{
    animation::Animation,
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows, alpha, colour, convert},
    source::failed,
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use jxl_oxide::{EnumColourEncoding, JxlImage, RenderingIntent};
use std::time::Duration;

/// Opens a file with several frames. `None` for a still picture, and if the memory does not suffice for all frames.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let mut image = parse(job, input)?;
    let Some((count, memory)) = frames(&image) else {
        return Ok(None);
    };
    let (width, height) = (image.width(), image.height());
    limits::check(job, width, height, None)?;
    if memory.saturating_add(2 * job.input_len) > job.gate.max_memory() {
        return Ok(None);
    }
    if image.pixel_format().has_black() {
        image.request_color_encoding(EnumColourEncoding::srgb(RenderingIntent::Relative));
    }
    let animation = image.image_header().metadata.animation.as_ref();
    let plays = animation
        .map(|animation| animation.num_loops)
        .filter(|plays| *plays > 0);
    let icc = Some(image.rendered_icc()).filter(|icc| !colour::is_srgb(icc));
    let is_lossless = !image.image_header().metadata.xyb_encoded;
    let drawn = (0..count as usize).map(move |at| draw(job, &image, at));
    let animation = Animation::new(job, (width, height), plays, count, Box::new(drawn));
    Ok(Some(Animation {
        icc,
        lossless: is_lossless,
        memory: animation.memory.saturating_add(memory),
        ..animation
    }))
}

/// The number of frames of an animation, and the memory that the decoder needs for all of them. `None` for a still
/// picture.
pub(super) fn frames(image: &JxlImage) -> Option<(u32, u64)> {
    let metadata = &image.image_header().metadata;
    let count = image.num_loaded_keyframes();
    if metadata.animation.is_none() || count < 2 {
        return None;
    }
    let pixels = u64::from(image.width()) * u64::from(image.height());
    let bytes = if metadata.bit_depth.bits_per_sample() > 8 {
        2
    } else {
        1
    };
    let channels = 3 + metadata.ec_info.len() as u64;
    // The sum is the memory to decode a frame, and 32 bits per sample of each frame that is kept, whether it is shown
    // or only a reference.
    let decoding = BYTES_A_SAMPLE * bytes * channels * pixels;
    let all_frames = image.num_loaded_frames() as u64 * 4 * channels * pixels;
    Some((count as u32, decoding.saturating_add(all_frames)))
}

/// The composed frame with this number, and its duration.
fn draw(job: &Job<'_>, image: &JxlImage, at: usize) -> Result<(Frame, Duration)> {
    let render = image.render_frame(at).map_err(|err| failed(job, err))?;
    let mut stream = render.stream();
    let channels = match stream.channels() {
        1 => Channels::Grey,
        2 => Channels::GreyAlpha,
        3 => Channels::Rgb,
        _ => Channels::Rgba,
    };
    let mut frame = Frame::new(Layout {
        width: stream.width(),
        height: stream.height(),
        channels,
        depth: Depth::Eight,
    });
    stream.write_to_buffer::<u8>(&mut frame.pixels);
    let mut rows: Box<dyn Rows> = Box::new(frame);
    if is_multiplied(image) {
        rows = alpha::straight(rows);
    }
    let frame = convert::convert(rows, Channels::Rgba, Depth::Eight, [0; 3]).into_frame()?;
    Ok((frame, duration(image, render.duration())))
}

/// Duration of a number of ticks.
fn duration(image: &JxlImage, ticks: u32) -> Duration {
    let animation = image.image_header().metadata.animation.as_ref();
    let (numerator, denominator) = animation.map_or((100, 1), |animation| {
        (animation.tps_numerator, animation.tps_denominator)
    });
    let seconds = f64::from(ticks) * f64::from(denominator) / f64::from(numerator.max(1));
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
