//! Writes Radiance RGBE with the `image` crate, from a whole frame of linear light. The format has no alpha.

use crate::{adapter::write::done, pixels::Rows, target::Extras};
use convertd_core::{
    error::Result,
    job::{Job, Notes, Output},
};
use image::{Rgb, codecs::hdr::HdrEncoder};

pub(crate) fn write(
    _: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let frame = rows.into_frame()?;
    let samples = frame.pixels.as_chunks::<4>().0;
    let pixels: Vec<Rgb<f32>> = samples
        .as_chunks::<3>()
        .0
        .iter()
        .map(|pixel| Rgb(pixel.map(f32::from_ne_bytes)))
        .collect();
    let (width, height) = (frame.layout.width as usize, frame.layout.height as usize);
    done(HdrEncoder::new(output).encode(&pixels, width, height))
}
