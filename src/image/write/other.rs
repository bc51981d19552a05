//! Formats that are written through the `image` crate's encoders, from a whole frame. Never hands them a pixel type they refuse.

use super::{Extras, unwritable};
use crate::{
    error::{Error, Result},
    image::{
        alpha,
        layout::{Channels, Depth, Layout},
        rows::Rows,
    },
    job::{Job, Notes, Output},
};
use image::{
    ExtendedColorType, ImageEncoder, ImageError, ImageResult, Rgb,
    codecs::{hdr::HdrEncoder, openexr::OpenExrEncoder, qoi::QoiEncoder},
};

pub(crate) fn write_qoi(
    _: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    encode(rows, QoiEncoder::new(output))
}

pub(crate) fn write_exr(
    _: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    // The format knows no other ("Technical Introduction to OpenEXR", alpha).
    encode(alpha::associated(rows), OpenExrEncoder::new(output))
}

pub(crate) fn write_hdr(
    _: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let frame = rows.into_frame()?;
    let pixels: Vec<Rgb<f32>> = frame
        .pixels
        .as_chunks::<4>()
        .0
        .as_chunks::<3>()
        .0
        .iter()
        .map(|pixel| Rgb(pixel.map(f32::from_ne_bytes)))
        .collect();
    done(HdrEncoder::new(output).encode(
        &pixels,
        frame.layout.width as usize,
        frame.layout.height as usize,
    ))
}

fn encode(rows: Box<dyn Rows + '_>, encoder: impl ImageEncoder) -> Result<()> {
    let frame = rows.into_frame()?;
    let Layout { width, height, .. } = frame.layout;
    done(encoder.write_image(&frame.pixels, width, height, name(frame.layout)))
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

fn done(result: ImageResult<()>) -> Result<()> {
    result.map_err(|err| match err {
        ImageError::IoError(err) => unwritable(err),
        err => Error::internal("the picture could not be encoded", err),
    })
}
