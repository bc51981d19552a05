//! PNG, row by row (W3C PNG, third edition). Filters and compresses; keeps a palette, and never makes one.

use super::{Extras, each_row, unwritable};
use crate::{
    convert::{
        Job, Notes, Output,
        image::{
            layout::{Channels, Depth},
            metadata::exif::PNG_KEYWORD,
            palette::{self, Colours},
            rows::Rows,
        },
    },
    error::{Error, Result},
};
use png::{
    BitDepth, ColorType, Compression, DeflateCompression, Encoder, EncodingError, Filter, Info,
    chunk::ChunkType, text_metadata::ITXtChunk,
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
    let bits = extras.colours.as_ref().map(Colours::bits);
    if let Some(colours) = &extras.colours {
        info.color_type = ColorType::Indexed;
        info.bit_depth = match colours.bits() {
            1 => BitDepth::One,
            2 => BitDepth::Two,
            4 => BitDepth::Four,
            _ => BitDepth::Eight,
        };
        let entries = colours.entries();
        let opaque = |colour: &[u8; 4]| colour[3] == 255;
        // Those behind the last one that is not opaque may be left out.
        let alphas = entries.len() - entries.iter().rev().take_while(|at| opaque(at)).count();
        let palette: Vec<u8> = entries.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        info.palette = Some(palette.into());
        let alphas: Vec<u8> = entries[..alphas].iter().map(|colour| colour[3]).collect();
        info.trns = (!alphas.is_empty()).then(|| alphas.into());
    }
    info.icc_profile = extras.icc.map(Cow::Owned);
    info.exif_metadata = extras.metadata.exif.map(Cow::Owned);
    // XML in another encoding is not what the chunk may hold.
    if let Some(Ok(xmp)) = extras.metadata.xmp.map(String::from_utf8) {
        info.utf8_text = vec![ITXtChunk::new(PNG_KEYWORD, xmp)];
    }
    let mut encoder = Encoder::with_info(&mut *output, info).map_err(failed)?;
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Adaptive);
    if bits.is_some() {
        // Neighbouring indices say nothing about one another; repetitions do.
        encoder.set_filter(Filter::NoFilter);
        encoder.set_deflate_compression(DeflateCompression::Level(job.quality.pick(2, 4, 9)));
    } else if job.quality.pick(false, false, true) {
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
    let mut stored = Vec::new();
    each_row(job, rows, |row| {
        let row = match (layout.depth, bits) {
            (Depth::Eight, None) => row,
            (Depth::Eight, Some(bits)) => {
                palette::pack(row, bits, &mut stored);
                &stored
            }
            (Depth::Sixteen | Depth::Float, _) => {
                stored.clear();
                stored.extend(
                    row.as_chunks::<2>()
                        .0
                        .iter()
                        .flat_map(|&sample| u16::from_ne_bytes(sample).to_be_bytes()),
                );
                &stored
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
