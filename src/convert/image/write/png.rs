//! PNG, row by row (W3C PNG, third edition). Filters and compresses; never reduces colours.

use super::{Extras, each_row, unwritable};
use crate::{
    convert::{
        Job, Notes, Output,
        image::{
            layout::{Channels, Depth},
            rows::Rows,
        },
    },
    error::{Error, Result},
};
use png::{
    BitDepth, ColorType, Compression, DeflateCompression, Encoder, EncodingError, Filter, Info,
    chunk::ChunkType,
};
use std::{borrow::Cow, io::Write};

pub(super) const QUALITY: &str = "low and medium compress quickly; high takes several times as long and saves about a tenth. No pixel changes";

pub(super) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let mut info = Info::with_size(layout.width, layout.height);
    info.color_type = match layout.channels {
        Channels::Grey => ColorType::Grayscale,
        Channels::GreyAlpha => ColorType::GrayscaleAlpha,
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
    };
    info.bit_depth = match layout.depth {
        Depth::Eight => BitDepth::Eight,
        Depth::Sixteen | Depth::Float => BitDepth::Sixteen,
    };
    info.icc_profile = extras.icc.map(Cow::Owned);
    let mut encoder = Encoder::with_info(&mut *output, info).map_err(failed)?;
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Adaptive);
    if job.quality.pick(false, false, true) {
        encoder.set_deflate_compression(DeflateCompression::Level(6));
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    if job.to.name == "apng" {
        // A still picture is an animation of one frame, so that the file is what its name says.
        for (name, data) in one_frame(layout.width, layout.height) {
            writer.write_chunk(ChunkType(name), &data).map_err(failed)?;
        }
    }
    let mut stream = writer.stream_writer_with_size(1 << 16).map_err(failed)?;
    let mut swapped = Vec::new();
    each_row(job, rows, |row| {
        let row = match layout.depth {
            Depth::Eight => row,
            Depth::Sixteen | Depth::Float => {
                swapped.clear();
                swapped.extend(
                    row.as_chunks::<2>()
                        .0
                        .iter()
                        .flat_map(|&sample| u16::from_ne_bytes(sample).to_be_bytes()),
                );
                &swapped
            }
        };
        stream.write_all(row).map_err(unwritable)
    })?;
    stream.finish().map_err(failed)?;
    writer.finish().map_err(failed)
}

/// The animation control and the frame control of a single frame (W3C PNG, third edition, section 11.3.6).
fn one_frame(width: u32, height: u32) -> [([u8; 4], Vec<u8>); 2] {
    let [frames, plays, sequence, x, y] = [1u32, 0, 0, 0, 0];
    let control = [frames, plays]
        .iter()
        .flat_map(|n| n.to_be_bytes())
        .collect();
    let mut frame: Vec<u8> = [sequence, width, height, x, y]
        .iter()
        .flat_map(|n| n.to_be_bytes())
        .collect();
    // A delay of 0/100 s; not disposed of, not blended.
    frame.extend_from_slice(&[0, 0, 0, 100, 0, 0]);
    [(*b"acTL", control), (*b"fcTL", frame)]
}

fn failed(err: EncodingError) -> Error {
    match err {
        EncodingError::IoError(err) => unwritable(err),
        err => Error::internal("the PNG could not be made", err),
    }
}
