//! Encoders of the `image` crate, which take a whole frame. Never passes an encoder a pixel type that it refuses.

use crate::pixels::{Channels, Depth, Layout, Rows};
use convertd_core::error::{Error, Result};
use image::{ExtendedColorType, ImageEncoder, ImageError, ImageResult};

/// Encodes a picture whose pixel type the format has accepted.
pub(crate) fn encode(rows: Box<dyn Rows + '_>, encoder: impl ImageEncoder) -> Result<()> {
    let frame = rows.into_frame()?;
    let Layout { width, height, .. } = frame.layout;
    done(encoder.write_image(&frame.pixels, width, height, name(frame.layout)))
}

/// Converts the error of an encoder: a storage error if the output failed, or else an internal one.
pub(crate) fn done(result: ImageResult<()>) -> Result<()> {
    result.map_err(|err| match err {
        ImageError::IoError(err) => Error::unwritten(err),
        err => Error::internal("the picture could not be encoded", err),
    })
}

fn name(layout: Layout) -> ExtendedColorType {
    match (layout.depth, layout.channels) {
        (Depth::Eight, Channels::Grey) => ExtendedColorType::L8,
        (Depth::Eight, Channels::GreyAlpha) => ExtendedColorType::La8,
        (Depth::Eight, Channels::Rgb) => ExtendedColorType::Rgb8,
        (Depth::Eight, Channels::Rgba) => ExtendedColorType::Rgba8,
        (Depth::Sixteen, Channels::Grey) => ExtendedColorType::L16,
        (Depth::Sixteen, Channels::GreyAlpha) => ExtendedColorType::La16,
        (Depth::Sixteen, Channels::Rgb) => ExtendedColorType::Rgb16,
        (Depth::Sixteen, Channels::Rgba) => ExtendedColorType::Rgba16,
        (Depth::Float, Channels::Grey | Channels::Rgb) => ExtendedColorType::Rgb32F,
        (Depth::Float, Channels::GreyAlpha | Channels::Rgba) => ExtendedColorType::Rgba32F,
    }
}
