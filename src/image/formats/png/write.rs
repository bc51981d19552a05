//! Writes PNG row by row (W3C PNG, third edition). Keeps a palette, but never makes one.

use super::{filter::Filters, metadata::XMP};
use crate::{
    hdr_colour::HdrColour,
    pixels::{
        Channels, Depth, Layout, Rows,
        palette::{self, Colours},
    },
    target::{Extras, by_rows, each_row},
};
use convertd_core::{
    coding::deflate::{self, Compressor},
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};
use miniz_oxide::deflate::compress_to_vec_zlib;
use png::{
    BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter, Info, PixelDimensions,
    Unit,
    chunk::{self, ChunkType},
    text_metadata::ITXtChunk,
};
use std::{borrow::Cow, io::Write};

/// Description of the quality levels for the manual.
pub(crate) const QUALITY: &str = "low and medium compress quickly; high takes many times as long and never gives a larger file: drawings become much smaller, photographs a few per cent. No level changes a pixel";

/// Memory for filtering and compressing, in bytes.
pub(crate) fn memory(layout: Layout, quality: Quality, lossless: bool) -> u64 {
    by_rows(layout, quality, lossless) + deflate::memory(searches(quality))
}

/// Returns whether the compressor searches for repetitions.
fn searches(quality: Quality) -> bool {
    quality.pick(false, false, true)
}

/// Writes a still picture.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    write_file(job, rows, extras, output, false)
}

/// Writes a still picture as an animation of one frame, because the client asked for an animated format.
pub(crate) fn write_animated(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    write_file(job, rows, extras, output, true)
}

/// Writes a PNG, or an APNG with a single frame.
fn write_file(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    is_animated: bool,
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
        // Entries at the end of the palette that are opaque may be left out of `tRNS` (11.3.1.1).
        let alphas = entries.len() - entries.iter().rev().take_while(|at| opaque(at)).count();
        let palette: Vec<u8> = entries.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        info.palette = Some(palette.into());
        let alphas: Vec<u8> = entries[..alphas].iter().map(|colour| colour[3]).collect();
        info.trns = (!alphas.is_empty()).then(|| alphas.into());
    }
    // Programs recognise an animation by the chunk `acTL` after the header. The encoder would write a profile and
    // `pHYs` before it. So an animation has no `pHYs`, and its profile is written here.
    let profile = match (extras.icc, is_animated) {
        (Some(icc), true) => Some(profile_chunk(&icc)),
        (icc, _) => {
            info.icc_profile = icc.map(Cow::Owned);
            None
        }
    };
    let resolution = extras.metadata.resolution.filter(|_| !is_animated);
    info.pixel_dims = resolution.map(|resolution| {
        let ([xppu, yppu], is_absolute) = resolution.metres();
        let unit = match is_absolute {
            true => Unit::Meter,
            false => Unit::Unspecified,
        };
        PixelDimensions { xppu, yppu, unit }
    });
    info.exif_metadata = extras.metadata.exif.map(Cow::Owned);
    // The chunk iTXt contains UTF-8 only.
    if let Some(Ok(xmp)) = extras.metadata.xmp.map(String::from_utf8) {
        info.utf8_text = vec![ITXtChunk::new(XMP, xmp)];
    }
    let mut encoder = Encoder::with_info(&mut *output, info).map_err(failed)?;
    // The encoder filters and compresses only indexed pictures; all others go through `compress`. For indexed pictures,
    // the specification advises against filters (12.7), because neighbouring indices are unrelated.
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(job.quality().pick(2, 4, 9)));
    let mut writer = encoder.write_header().map_err(failed)?;
    if is_animated {
        let [control, frame] = one_frame(layout.width, layout.height);
        let profile = profile.map(|profile| (*b"iCCP", profile));
        for (name, data) in [control].into_iter().chain(profile).chain([frame]) {
            writer.write_chunk(ChunkType(name), &data).map_err(failed)?;
        }
    }
    if let Some(hdr) = extras.hdr.filter(|_| bits.is_none()) {
        let data = code_points(hdr);
        writer
            .write_chunk(ChunkType(*b"cICP"), &data)
            .map_err(failed)?;
    }
    if bits.is_some() {
        let mut stream = writer.stream_writer_with_size(1 << 16).map_err(failed)?;
        each_stored_row(job, rows, bits, |row| {
            stream.write_all(row).map_err(Error::unwritten)
        })?;
        stream.finish().map_err(failed)?;
    } else {
        compress(job, rows, |data| {
            writer.write_chunk(chunk::IDAT, data).map_err(failed)
        })?;
    }
    writer.finish().map_err(failed)
}

/// Content of the chunk iCCP (W3C PNG, third edition, 11.3.2.3): a name, the compression method 0 (zlib), and the
/// compressed profile.
pub(crate) fn profile_chunk(icc: &[u8]) -> Vec<u8> {
    let mut data = b"ICC profile\0\0".to_vec();
    data.extend(compress_to_vec_zlib(icc, 9));
    data
}

/// The chunk cICP (W3C PNG, third edition, 11.3.2.6): RGB, which has no matrix, with the full range of samples.
fn code_points(hdr: HdrColour) -> [u8; 4] {
    [hdr.primaries, hdr.curve as u8, 0, 1]
}

/// Filters and compresses all rows, and passes the compressed stream on in parts.
fn compress(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let layout = rows.layout();
    let searches = searches(job.quality());
    let mut filters = Filters::new(layout.row_bytes(), layout.pixel_bytes(), searches);
    let mut compressor = Compressor::new(searches, layout.bytes());
    let (mut part, mut stream) = (Vec::new(), Vec::new());
    let mut left = layout.height;
    each_stored_row(job, rows, None, |row| {
        filters.filter(row, &mut part);
        left -= 1;
        // A part ends before the row that would exceed its length.
        if left > 0 && part.len() + 1 + row.len() <= compressor.part_len() {
            return Ok(());
        }
        compressor.part(&part, left == 0);
        part.clear();
        compressor.take(&mut stream);
        put(&stream)
    })
}

/// Passes every row to `put` in the form that PNG stores: indices are packed with `bits` bits each, and 16-bit samples
/// are big-endian.
fn each_stored_row(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    bits: Option<u32>,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let depth = rows.layout().depth;
    let mut stored = Vec::new();
    each_row(job, rows, |row| match (depth, bits) {
        (Depth::Eight, None) => put(row),
        (Depth::Eight, Some(bits)) => {
            palette::pack(row, bits, &mut stored);
            put(&stored)
        }
        (Depth::Sixteen | Depth::Float, _) => {
            stored.clear();
            stored.extend(
                row.as_chunks::<2>()
                    .0
                    .iter()
                    .flat_map(|&sample| u16::from_ne_bytes(sample).to_be_bytes()),
            );
            put(&stored)
        }
    })
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
    // A delay of 0/100 s, no disposal, no blending.
    frame.extend_from_slice(&[0, 0, 0, 100, 0, 0]);
    [(*b"acTL", control), (*b"fcTL", frame)]
}

/// The error of an encoder: an error of the output, or else an internal error.
pub(crate) fn failed(err: EncodingError) -> Error {
    match err {
        EncodingError::IoError(err) => Error::unwritten(err),
        err => Error::internal("the PNG could not be made", err),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pixels::Frame, tests};
    use convertd_core::job::{Ledger, Options, Task, Unlimited, testing::with_job};
    use png::{Decoder, Transformations};
    use std::io::Cursor;

    /// Writes a picture and reads it again. Returns the size of the file.
    #[track_caller]
    fn check(layout: Layout, pixels: &[u8], quality: Quality) -> usize {
        let task = Task {
            from: "ppm".into(),
            to: "png".into(),
            quality,
            options: Options::default(),
            file_title: None,
        };
        let ledger = Ledger::new(&Unlimited);
        let job = tests::job(&task, 1, 0, &ledger).unwrap();
        let frame = Box::new(Frame::from_pixels(layout, pixels.to_vec()));
        let mut file = Cursor::new(Vec::new());
        let mut notes = Notes::default();
        write(&job, frame, Extras::default(), &mut file, &mut notes).unwrap();
        file.set_position(0);
        let mut decoder = Decoder::new(&mut file);
        decoder.set_transformations(Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut found = vec![0; pixels.len()];
        reader.next_frame(&mut found).unwrap();
        reader.finish().unwrap();
        if layout.depth == Depth::Sixteen {
            for sample in found.as_chunks_mut::<2>().0 {
                *sample = u16::from_be_bytes(*sample).to_ne_bytes();
            }
        }
        assert!(found == pixels, "{layout:?} {quality}");
        file.into_inner().len()
    }

    /// Pixels that are flat in one half of the picture, and noise in the other.
    fn pixels(layout: Layout) -> Vec<u8> {
        let mut seed = 3u32;
        let len = layout.bytes() as usize;
        (0..len)
            .map(|at| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if at < len / 2 { 77 } else { (seed >> 26) as u8 }
            })
            .collect()
    }

    #[test]
    fn every_size_and_pixel_type_is_read_back() {
        for (width, height) in [(1, 1), (1, 300), (31, 2), (700, 1), (257, 600), (90_000, 3)] {
            for channels in [
                Channels::Grey,
                Channels::GreyAlpha,
                Channels::Rgb,
                Channels::Rgba,
            ] {
                for depth in [Depth::Eight, Depth::Sixteen] {
                    let layout = Layout {
                        width,
                        height,
                        channels,
                        depth,
                    };
                    check(layout, &pixels(layout), Quality::Low);
                }
            }
        }
    }

    #[test]
    fn every_quality_keeps_the_pixels_and_high_is_smallest() {
        let layout = Layout {
            width: 400,
            height: 300,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        };
        // A pattern that repeats.
        let pixels: Vec<u8> = (0..layout.bytes())
            .map(|at| (at % 1200 / 7) as u8)
            .collect();
        let [low, medium, high] =
            [Quality::Low, Quality::Medium, Quality::High].map(|tier| check(layout, &pixels, tier));
        assert!(low >= medium && medium >= high);
    }

    #[test]
    fn an_animation_of_one_frame_is_recognised_in_spite_of_its_profile() {
        let layout = Layout {
            width: 2,
            height: 1,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        };
        let extras = Extras {
            icc: Some(vec![7; 300]),
            ..Extras::default()
        };
        let mut file = Cursor::new(Vec::new());
        with_job(|job| {
            let frame = Box::new(Frame::from_pixels(layout, vec![9; 6]));
            write_animated(job, frame, extras, &mut file, &mut Notes::default()).unwrap();
        });
        assert_eq!(&file.get_ref()[37..41], b"acTL");
        file.set_position(0);
        let reader = Decoder::new(&mut file).read_info().unwrap();
        let info = reader.info();
        assert_eq!(info.icc_profile.as_deref(), Some(&[7; 300][..]));
        assert!(info.is_animated());
    }
}
