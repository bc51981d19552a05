//! Writes TIFF 6.0 in strips, little-endian, uncompressed or by Deflate with horizontal differencing, one page after
//! another. Rejects files above 4 GiB, the limit of classic TIFF.

use crate::{
    metadata::{
        Metadata, Resolution,
        exif::{Tree, XMP},
    },
    pixels::{Depth, Layout, Rows, rows::check_row},
    target::Extras,
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Job, Notes, Output, Quality},
};
use std::io::SeekFrom;
use tiff::tags::{
    CompressionMethod, ExtraSamples, PhotometricInterpretation, PlanarConfiguration, Predictor,
    ResolutionUnit, Tag, Type,
};

/// Description of the quality levels for the manual.
pub(crate) const QUALITY: &str = "low stores pixels uncompressed, medium compresses quickly (Deflate with a predictor), high compresses slowly and better. No level changes a pixel";

/// Approximate size of a strip in bytes, before compression.
const STRIP: usize = 1 << 18;

/// Peak memory in bytes.
pub(crate) fn memory(layout: Layout, _: Quality, _: bool) -> u64 {
    // This covers a strip, its differences, its compressed form, and the offset and length of each strip.
    4 * (STRIP + layout.row_bytes()) as u64 + 16 * u64::from(layout.height)
}

/// Position in the file of the offset of the first directory.
const FIRST: u64 = 4;

/// Writes a file with one page.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    append(job, rows, extras, output, &mut 0)
}

/// Adds a page. `link` is the position in the file at which the offset of its directory must be written, or 0 for the
/// first page.
pub(crate) fn append(
    job: &Job<'_>,
    mut rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    link: &mut u64,
) -> Result<()> {
    let layout = rows.layout();
    let rows_per_strip = (STRIP / layout.row_bytes()).clamp(1, layout.height as usize) as u32;
    let packing = job
        .quality()
        .pick(Packing::None, Packing::Quick, Packing::Dense);
    if *link == 0 {
        output
            .write_all(b"II*\0\0\0\0\0")
            .map_err(Error::unwritten)?;
        *link = FIRST;
    }
    let mut at = output.stream_position().map_err(Error::unwritten)?;
    let mut offsets = Vec::new();
    let mut lengths = Vec::new();
    let mut strip = vec![0; rows_per_strip as usize * layout.row_bytes()];
    for first in (0..layout.height).step_by(rows_per_strip as usize) {
        let count = rows_per_strip.min(layout.height - first);
        let strip = &mut strip[..count as usize * layout.row_bytes()];
        for (y, row) in (first..).zip(strip.chunks_exact_mut(layout.row_bytes())) {
            check_row(job, y)?;
            rows.next_row(row)?;
            to_little_endian(row, layout.depth);
        }
        let packed = packing.pack(strip, layout);
        let bytes = packed.as_deref().unwrap_or(strip);
        output.write_all(bytes).map_err(Error::unwritten)?;
        offsets.push(offset(at)?);
        lengths.push(offset(bytes.len() as u64)?);
        at += bytes.len() as u64;
    }
    // The directory follows its strips, because their offsets and lengths are not known before.
    let mut directory = Directory {
        output,
        at,
        entries: Vec::new(),
    };
    directory.align()?;
    let samples = layout.channels.count() as u16;
    let bits = layout.depth.bytes() as u16 * 8;
    directory.longs(Tag::ImageWidth, &[layout.width])?;
    directory.longs(Tag::ImageLength, &[layout.height])?;
    directory.shorts(Tag::BitsPerSample, &vec![bits; samples.into()])?;
    directory.shorts(Tag::Compression, &[packing.compression()])?;
    let photometric = if layout.channels.is_grey() {
        PhotometricInterpretation::BlackIsZero
    } else {
        PhotometricInterpretation::RGB
    };
    directory.shorts(Tag::PhotometricInterpretation, &[photometric.to_u16()])?;
    directory.longs(Tag::StripOffsets, &offsets)?;
    directory.shorts(Tag::SamplesPerPixel, &[samples])?;
    directory.longs(Tag::RowsPerStrip, &[rows_per_strip])?;
    directory.longs(Tag::StripByteCounts, &lengths)?;
    // Both resolution tags are required. Without a resolution, they state only that pixels are square (section 8,
    // ResolutionUnit).
    let resolution = extras.metadata.resolution.map(Resolution::fractions);
    let ([across, down], unit) = resolution.unwrap_or(([[1, 1]; 2], ResolutionUnit::None));
    directory.rational(Tag::XResolution, across)?;
    directory.rational(Tag::YResolution, down)?;
    directory.shorts(
        Tag::PlanarConfiguration,
        &[PlanarConfiguration::Chunky.to_u16()],
    )?;
    directory.shorts(Tag::ResolutionUnit, &[unit.to_u16()])?;
    if packing.differs() {
        directory.shorts(Tag::Predictor, &[Predictor::Horizontal.to_u16()])?;
    }
    if layout.channels.has_alpha() {
        directory.shorts(
            Tag::ExtraSamples,
            &[ExtraSamples::UnassociatedAlpha.to_u16()],
        )?;
    }
    if let Some(icc) = extras.icc {
        directory.value(Tag::IccProfile, Type::UNDEFINED, icc.len() as u32, &icc)?;
    }
    directory.metadata(extras.metadata)?;
    directory.finish(link)
}

/// Converts an offset or a length to 32 bits, as the file stores it.
fn offset(at: u64) -> Result<u32> {
    u32::try_from(at).map_err(|_| {
        Error::new(
            Kind::BadInput,
            "the picture is too large for a TIFF file, which holds at most 4 GiB",
        )
    })
}

/// Compression of strips.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    /// Deflate by `fdeflate`, which is fast.
    Quick,
    /// Deflate by `miniz_oxide`, which makes smaller files.
    Dense,
}

impl Packing {
    /// The value of the tag Compression.
    fn compression(self) -> u16 {
        let method = match self {
            Self::None => CompressionMethod::None,
            Self::Quick | Self::Dense => CompressionMethod::Deflate,
        };
        method.to_u16()
    }

    /// Returns whether samples are replaced by their differences, which compress better.
    fn differs(self) -> bool {
        matches!(self, Self::Quick | Self::Dense)
    }

    /// The compressed form of a strip, or `None` without compression. Overwrites `strip` with the differences.
    fn pack(self, strip: &mut [u8], layout: Layout) -> Option<Vec<u8>> {
        if self.differs() {
            for row in strip.chunks_exact_mut(layout.row_bytes()) {
                difference(row, layout);
            }
        }
        match self {
            Self::None => None,
            Self::Quick => Some(fdeflate::compress_to_vec(strip)),
            Self::Dense => Some(miniz_oxide::deflate::compress_to_vec_zlib(strip, 6)),
        }
    }
}

/// Replaces samples by their differences from the pixel to the left (TIFF 6.0, section 14), from right to left, so that
/// each left neighbour still has its value. Takes a fifteenth of the time of compression.
fn difference(row: &mut [u8], layout: Layout) {
    let samples = layout.channels.count();
    match layout.depth {
        Depth::Eight => {
            for at in (samples..row.len()).rev() {
                row[at] = row[at].wrapping_sub(row[at - samples]);
            }
        }
        Depth::Sixteen | Depth::Float => {
            let (row, _) = row.as_chunks_mut::<2>();
            for at in (samples..row.len()).rev() {
                let left = u16::from_le_bytes(row[at - samples]);
                row[at] = u16::from_le_bytes(row[at]).wrapping_sub(left).to_le_bytes();
            }
        }
    }
}

/// Converts 16-bit samples to the byte order of the file.
fn to_little_endian(row: &mut [u8], depth: Depth) {
    if depth == Depth::Sixteen {
        for sample in row.as_chunks_mut::<2>().0 {
            *sample = u16::from_ne_bytes(*sample).to_le_bytes();
        }
    }
}

/// An image file directory (IFD) under construction.
struct Directory<'a> {
    output: &'a mut dyn Output,
    /// The position in the output.
    at: u64,
    /// Entries of 12 bytes: tag, type, count, and the value or its offset.
    entries: Vec<[u8; 12]>,
}

impl Directory<'_> {
    fn shorts(&mut self, tag: Tag, values: &[u16]) -> Result<()> {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.value(tag, Type::SHORT, values.len() as u32, &bytes)
    }

    fn longs(&mut self, tag: Tag, values: &[u32]) -> Result<()> {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.value(tag, Type::LONG, values.len() as u32, &bytes)
    }

    fn rational(&mut self, tag: Tag, value: [u32; 2]) -> Result<()> {
        let bytes = value.map(u32::to_le_bytes);
        self.value(tag, Type::RATIONAL, 1, bytes.as_flattened())
    }

    /// Adds an entry. A value that does not fit into the four bytes of the entry is written now, before the directory.
    fn value(&mut self, tag: Tag, kind: Type, count: u32, bytes: &[u8]) -> Result<()> {
        let mut entry = [0; 12];
        entry[..2].copy_from_slice(&tag.to_u16().to_le_bytes());
        entry[2..4].copy_from_slice(&kind.to_u16().to_le_bytes());
        entry[4..8].copy_from_slice(&count.to_le_bytes());
        if bytes.len() <= 4 {
            entry[8..8 + bytes.len()].copy_from_slice(bytes);
        } else {
            entry[8..].copy_from_slice(&offset(self.at)?.to_le_bytes());
            self.put(bytes)?;
            self.align()?;
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Adds the EXIF tags, including the Exif and GPS directories, and XMP.
    fn metadata(&mut self, metadata: Metadata) -> Result<()> {
        if let Some(xmp) = metadata.xmp {
            self.value(XMP, Type::BYTE, xmp.len() as u32, &xmp)?;
        }
        let Some(tree) = metadata.exif.and_then(|block| Tree::of(&block)) else {
            return Ok(());
        };
        for (tag, entries) in [
            (Tag::ExifDirectory, tree.exif),
            (Tag::GpsDirectory, tree.gps),
        ] {
            if entries.is_empty() {
                continue;
            }
            // Nested directories use the same list of entries, so the entries of the page are set aside first.
            let outer = std::mem::take(&mut self.entries);
            for entry in entries {
                self.value(entry.tag, entry.kind, entry.count, &entry.value)?;
            }
            let at = offset(self.at)?;
            self.put_entries()?;
            self.entries = outer;
            self.longs(tag, &[at])?;
        }
        for entry in tree.first.into_iter().filter(|entry| entry.tag != XMP) {
            self.value(entry.tag, entry.kind, entry.count, &entry.value)?;
        }
        Ok(())
    }

    /// Writes the directory itself, in ascending order of tags as required. Its pointer to a next directory is 0.
    fn put_entries(&mut self) -> Result<()> {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_key(|&[low, high, ..]| u16::from_le_bytes([low, high]));
        self.put(&(entries.len() as u16).to_le_bytes())?;
        self.put(entries.as_flattened())?;
        self.put(&[0; 4])
    }

    /// Pads the output to an even offset, which values and directories require (TIFF 6.0, section 2).
    fn align(&mut self) -> Result<()> {
        if self.at % 2 == 1 {
            self.put(&[0])?;
        }
        Ok(())
    }

    /// Writes bytes, and counts them.
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).map_err(Error::unwritten)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes the directory, and its offset at `link`. Then sets `link` to the position of this directory's own pointer
    /// to the next one. The output ends at an even offset, where the next page may begin.
    fn finish(mut self, link: &mut u64) -> Result<()> {
        let at = offset(self.at)?;
        self.put_entries()?;
        let before = std::mem::replace(link, self.at - 4);
        self.output
            .seek(SeekFrom::Start(before))
            .and_then(|_| self.output.write_all(&at.to_le_bytes()))
            .and_then(|()| self.output.seek(SeekFrom::End(0)))
            .map_err(Error::unwritten)
            .map(|_| ())
    }
}
