//! Finds strips and tiles in the file, and decompresses them into rows of bytes. Does not interpret the bytes.
//!
//! An image is divided into strips (of full width, with some rows) or into a grid of tiles. Each of them is compressed
//! separately, by one of the methods of [`Compression`]. The last strip may have fewer rows, while tiles at the edges
//! are padded to full size.

use super::{compression::Compression, jpegs::Streams, thunder};
use convertd_core::{
    coding::{fax, pack_bits, xz, zstd},
    containers::ifd::{Directory, Numbers},
    job::{Input, Job},
};
use image::{ImageDecoder, codecs::webp::WebPDecoder};
use std::io::{self, Cursor, Read, SeekFrom};
use tiff::tags::Tag;
use weezl::{BitOrder, LzwStatus};

/// Largest number of entries that are read from a directory: the limit of classic TIFF, which BigTIFF exceeds.
pub(crate) const MAX_ENTRIES: usize = 65_535;

/// Numbers (libtiff, `tiff.h`) and names of compression methods without a decoder here.
const UNDECODABLE: [(u64, &str); 10] = [
    (32_766, "NeXT"),
    (32_771, "CCITT RLE with word alignment"),
    (32_908, "PixarFilm"),
    (32_909, "PixarLog"),
    (33_003, "JPEG 2000"),
    (33_005, "JPEG 2000"),
    (34_661, "JBIG"),
    (34_712, "JPEG 2000"),
    (34_887, "LERC"),
    (50_002, "JPEG XL"),
];

/// Name of the first image's compression, if it has no decoder here.
pub(crate) fn undecodable(input: &mut dyn Input) -> io::Result<Option<&'static str>> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        return Ok(None);
    };
    let directory = Directory::read(input, numbers, first, MAX_ENTRIES)?;
    let method = directory.value(input, Tag::Compression)?;
    let known = UNDECODABLE
        .iter()
        .find(|(number, _)| Some(*number) == method);
    Ok(known.map(|(_, name)| *name))
}

/// The strips or tiles of an image, and their coding.
pub(crate) struct Chunks {
    pub(crate) compression: Compression,
    /// Width of a strip or tile in pixels.
    pub(crate) width: u32,
    /// Height of a strip or tile in pixels. The last strip may have fewer rows.
    pub(crate) height: u32,
    /// Number of tiles in a row of the image; 1 for strips.
    pub(crate) across: u32,
    /// Number of planes that are read.
    pub(crate) planes: usize,
    /// Number of strips or tiles in each plane.
    pub(crate) in_plane: usize,
    /// Offset and length of each strip or tile in the file.
    pub(crate) ranges: Vec<(u64, u64)>,
    /// Whether the tag FillOrder is 2: the first pixel is in the lowest bit of each byte. Always false for JPEG
    /// streams, to which the tag does not apply.
    pub(crate) reversed: bool,
    /// With horizontal differencing: distance in bytes between a sample and the same sample of the next pixel.
    pub(crate) predicted: Option<usize>,
    /// Tables that complete JPEG streams.
    pub(crate) streams: Option<Streams>,
}

impl Chunks {
    /// Finds the strips or tiles of an image of this size. `None` if the tags do not describe all of them.
    pub(crate) fn find(
        directory: &Directory,
        input: &mut dyn Input,
        (width, height): (u32, u32),
        (compression, planes): (Compression, usize),
        file_len: u64,
    ) -> io::Result<Option<Self>> {
        let mut number = |tag| directory.value(input, tag);
        let side = |value: Option<u64>| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
        let tile = (
            side(number(Tag::TileWidth)?),
            side(number(Tag::TileLength)?),
        );
        let rows = side(number(Tag::RowsPerStrip)?)
            .unwrap_or(height)
            .min(height);
        let reversed = number(Tag::FillOrder)? == Some(2);
        let (tags, across, sides) = match tile {
            (Some(wide), Some(high)) if wide > 0 && high > 0 => (
                (Tag::TileOffsets, Tag::TileByteCounts),
                width.div_ceil(wide),
                (wide, high),
            ),
            (None, None) if rows > 0 => {
                ((Tag::StripOffsets, Tag::StripByteCounts), 1, (width, rows))
            }
            _ => return Ok(None),
        };
        let in_plane = across as usize * height.div_ceil(sides.1) as usize;
        let Some(count) = in_plane.checked_mul(planes) else {
            return Ok(None);
        };
        let mut starts = directory.values(input, tags.0, count)?;
        let mut lengths = directory.values(input, tags.1, count)?;
        // Some writers of tiles use the tags of strips.
        if starts.is_empty() {
            starts = directory.values(input, Tag::StripOffsets, count)?;
            lengths = directory.values(input, Tag::StripByteCounts, count)?;
        }
        // Some writers leave out StripByteCounts if there is only one strip, or set it to 0.
        if let ([start], [] | [0]) = (&starts[..], &lengths[..]) {
            lengths = vec![file_len.saturating_sub(*start)];
        }
        if starts.len() != count || lengths.len() != count {
            return Ok(None);
        }
        Ok(Some(Self {
            compression,
            width: sides.0,
            height: sides.1,
            across,
            planes,
            in_plane,
            ranges: starts.into_iter().zip(lengths).collect(),
            reversed: reversed && !compression.is_jpeg(),
            predicted: None,
            streams: None,
        }))
    }

    /// Length of the longest strip or tile in the file, in bytes.
    pub(crate) fn longest(&self) -> u64 {
        self.ranges.iter().map(|(_, len)| *len).max().unwrap_or(0)
    }

    /// Fills `rows`, of `row_len` bytes each, from a strip or a tile. `None` if it is damaged.
    pub(crate) fn read(
        &self,
        job: &Job<'_>,
        input: &mut dyn Input,
        index: usize,
        row_len: usize,
        rows: &mut [u8],
    ) -> io::Result<Option<()>> {
        let Some(mut data) = self.stored(job, input, index)? else {
            return Ok(None);
        };
        if self.reversed {
            data.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        let most = (self.width as usize).saturating_mul(self.height as usize);
        let done = match self.compression {
            Compression::Plain => plain(&data, rows),
            Compression::Fax(coding) => fax::unpack(&data, coding, self.width, rows),
            Compression::Lzw => lzw(&data, rows),
            Compression::Deflate => deflate(&data, rows),
            Compression::PackBits => pack_bits::unpack::<1>(&data, rows),
            Compression::Lzma => xz::unpack(&data, rows),
            Compression::Zstandard => zstd::unpack(&data, rows),
            Compression::Jpeg | Compression::OldJpeg => {
                let streams = self.streams.as_ref();
                streams.and_then(|streams| streams.decode(&data, most, row_len, rows))
            }
            Compression::LosslessJpeg => {
                let streams = self.streams.as_ref();
                streams.and_then(|streams| streams.decode_lossless(&data, most, row_len, rows))
            }
            Compression::WebP => webp(&data, self.height, row_len, rows),
            Compression::ThunderScan => thunder::unpack(&data, self.width as usize, row_len, rows),
            Compression::Log(log) => log.unpack(&data, row_len, rows),
        };
        // Undoes horizontal differencing (TIFF 6.0, section 14) of 8-bit samples.
        if let (Some(()), Some(step)) = (done, self.predicted) {
            for row in rows.chunks_exact_mut(row_len) {
                for at in step..row.len() {
                    row[at] = row[at].wrapping_add(row[at - step]);
                }
            }
        }
        Ok(done)
    }

    /// The bytes of a strip or a tile as stored. `None` if some are missing.
    pub(crate) fn stored(
        &self,
        job: &Job<'_>,
        input: &mut dyn Input,
        index: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        let Some(&(start, len)) = self.ranges.get(index) else {
            return Ok(None);
        };
        let mut data = Vec::new();
        input.seek(SeekFrom::Start(start))?;
        (&mut *input)
            .take(len.min(job.input_len))
            .read_to_end(&mut data)?;
        Ok((data.len() as u64 == len).then_some(data))
    }
}

/// Decodes a WebP picture with as many samples per pixel as the rows have. It may have more rows than are asked for, up
/// to `height`, because tiles at the lower edge are padded.
fn webp(data: &[u8], height: u32, row_len: usize, rows: &mut [u8]) -> Option<()> {
    // The decoder is generic. With the same type of input as in the reader of WebP files, its code is compiled only
    // once.
    let input: Box<dyn Input> = Box::new(Cursor::new(data.to_vec()));
    let decoder = WebPDecoder::new(input).ok()?;
    let ((across, down), samples) = (decoder.dimensions(), decoder.color_type().channel_count());
    let len = row_len.checked_mul(down as usize)?;
    if across as usize * usize::from(samples) != row_len || down > height || len < rows.len() {
        return None;
    }
    let mut pixels = vec![0; len];
    decoder.read_image(&mut pixels).ok()?;
    rows.copy_from_slice(&pixels[..rows.len()]);
    Some(())
}

/// Copies uncompressed rows.
fn plain(data: &[u8], rows: &mut [u8]) -> Option<()> {
    rows.copy_from_slice(data.get(..rows.len())?);
    Some(())
}

/// Returns whether the first strip has the LZW coding from before TIFF 5.0.
pub(crate) fn is_old_lzw(directory: &Directory, input: &mut dyn Input) -> io::Result<bool> {
    let Some(start) = directory.value(input, Tag::StripOffsets)? else {
        return Ok(false);
    };
    let mut first = [0; 2];
    input.seek(SeekFrom::Start(start))?;
    // A missing strip is reported later.
    Ok(input.read_exact(&mut first).is_ok() && is_lsb_first(&first))
}

/// Returns whether LZW codes have their lowest bit first. The first code shows this, because every stream begins with
/// the clear code (256).
fn is_lsb_first(data: &[u8]) -> bool {
    matches!(data, [0, second, ..] if second & 1 == 1)
}

/// Decompresses LZW. The coding from before TIFF 5.0 has its codes in the other bit order.
fn lzw(mut data: &[u8], mut rows: &mut [u8]) -> Option<()> {
    let mut decoder = if is_lsb_first(data) {
        // In this coding, codes also become longer one code later.
        weezl::decode::Decoder::new(BitOrder::Lsb, 8)
    } else {
        weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8)
    };
    while !rows.is_empty() {
        let result = decoder.decode_bytes(data, rows);
        data = &data[result.consumed_in..];
        rows = &mut rows[result.consumed_out..];
        match result.status.ok()? {
            LzwStatus::Ok if result.consumed_in + result.consumed_out > 0 => {}
            LzwStatus::Ok | LzwStatus::NoProgress | LzwStatus::Done => break,
        }
    }
    rows.is_empty().then_some(())
}

/// Decompresses a zlib stream until the rows are full.
fn deflate(data: &[u8], rows: &mut [u8]) -> Option<()> {
    let mut decoder = fdeflate::Decompressor::new();
    let (mut used, mut made) = (0, 0);
    while made < rows.len() && !decoder.is_done() {
        let (read, written) = decoder.read(&data[used..], rows, made, true).ok()?;
        (used, made) = (used + read, made + written);
        if (read, written) == (0, 0) {
            break;
        }
    }
    (made == rows.len()).then_some(())
}
