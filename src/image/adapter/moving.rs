//! Animations that the `image` crate decodes. Never decodes a frame before its consumer requests it.

use crate::{
    animation::Frames,
    pixels::{Channels, Depth, Frame, Layout},
    source::failed,
};
use convertd_core::job::Job;
use image::Frames as Decoded;
use std::time::Duration;

/// Converts the frames of the `image` crate, which are whole canvases of 8-bit RGBA.
pub(crate) fn frames<'a>(job: &'a Job<'a>, decoded: Decoded<'a>) -> Frames<'a> {
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
