//! GIF with the best palette that 256 entries can give. Never more than one palette a frame.

use super::{Extras, unwritable};
use crate::{
    convert::{
        Job, Notes, Output, Quality,
        image::{
            layout::Layout,
            quantise::{self, Palette},
            rows::Rows,
        },
    },
    error::{Error, Result},
};
use gif::{Encoder, EncodingError, Frame};
use std::{borrow::Cow, io::BufWriter, io::Write};

pub(super) const QUALITY: &str = "low and medium map each pixel to the nearest of at most 256 colours; high dithers (Floyd–Steinberg). Pictures of up to 256 colours keep them";

pub(super) fn memory(layout: Layout, _: Quality, _: bool) -> u64 {
    // The frame, its indices, and the compressed indices.
    layout.bytes() + 3 * layout.pixels() + quantise::MEMORY
}

pub(super) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let frame = rows.into_frame()?;
    let layout = frame.layout;
    job.check()?;
    let palette = Palette::of(&frame);
    job.check()?;
    let indices = palette.indices(&frame, job.quality.pick(false, false, true));
    drop(frame);
    job.check()?;
    let (width, height) = (layout.width as u16, layout.height as u16);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut encoder =
        Encoder::new(&mut output, width, height, palette.colours()).map_err(failed)?;
    encoder
        .write_frame(&Frame {
            width,
            height,
            transparent: palette.transparent(),
            buffer: Cow::Owned(indices),
            ..Frame::default()
        })
        .map_err(failed)?;
    drop(encoder);
    output.flush().map_err(unwritable)
}

fn failed(err: EncodingError) -> Error {
    match err {
        EncodingError::Io(err) => unwritable(err),
        err => Error::internal("the GIF could not be made", err),
    }
}
