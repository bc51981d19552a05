//! AVIF, one picture of 8 bits with full colour resolution (4:4:4), by rav1e. Never takes its slower settings: without
//! the encoder's assembler they would not end in time.

use super::{Extras, unwritable};
use crate::{
    convert::{
        Job, Notes, Output, Quality,
        image::{
            layout::{Channels, Layout},
            rows::Rows,
        },
    },
    error::{Error, Result},
};
use ravif::{BitDepth, Encoder, Img, RGB8, RGBA8};

pub(super) const QUALITY: &str =
    "50, 68 and 82 on the scale of ravif; high also takes more time, about 2 s a megapixel";

/// Largest side (AV1, 5.5.1: frame sizes have 16 bits).
pub(super) const MAX_SIDE: u32 = 65_535;

pub(super) fn memory(layout: Layout, _: Quality, _: bool) -> u64 {
    // The frame, its planes with their borders, and what is rebuilt of them; the stacks of threads.
    let codec = if layout.channels.has_alpha() { 44 } else { 32 };
    2 * layout.bytes() + codec * layout.pixels() + (16 << 20)
}

pub(super) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let frame = rows.into_frame()?;
    job.check()?;
    let layout = frame.layout;
    let (width, height) = (layout.width as usize, layout.height as usize);
    let encoder = Encoder::new()
        .with_quality(job.quality.pick(50.0, 68.0, 82.0))
        .with_alpha_quality(job.quality.pick(60.0, 75.0, 88.0))
        .with_speed(job.quality.pick(10, 10, 9))
        .with_bit_depth(BitDepth::Eight)
        .with_num_threads(Some(1 + job.spare_threads));
    let encoded = match layout.channels {
        Channels::Rgb | Channels::Grey => {
            let pixels = frame.pixels.as_chunks().0.iter();
            let pixels: Vec<RGB8> = pixels.map(|&[r, g, b]| RGB8 { r, g, b }).collect();
            drop(frame);
            encoder.encode_rgb(Img::new(&pixels, width, height))
        }
        Channels::Rgba | Channels::GreyAlpha => {
            let pixels = frame.pixels.as_chunks().0.iter();
            let pixels: Vec<RGBA8> = pixels.map(|&[r, g, b, a]| RGBA8 { r, g, b, a }).collect();
            drop(frame);
            encoder.encode_rgba(Img::new(&pixels, width, height))
        }
    };
    let encoded = encoded.map_err(|err| Error::internal("the AVIF could not be made", err))?;
    output.write_all(&encoded.avif_file).map_err(unwritable)
}
