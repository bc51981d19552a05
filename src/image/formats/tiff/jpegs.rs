//! JPEG streams in strips and tiles, in two forms: the form of TIFF Technical Note 2, in which each stream has its own
//! headers; and the older form (TIFF 6.0, section 22), in which most strips contain only entropy-coded data, and tags
//! point to the headers.

use super::{
    compression::Compression,
    invalid,
    tags::{
        JPEG_AC_TABLES, JPEG_DC_TABLES, JPEG_INTERCHANGE_FORMAT, JPEG_INTERCHANGE_LENGTH,
        JPEG_Q_TABLES, JPEG_RESTART_INTERVAL,
    },
};
use crate::formats::jpeg::{
    markers::{self, DHT, DQT, DRI, PREFIX, SOF0, SOF1, segment},
    stream::{self, Lossless, is_lossless},
};
use convertd_core::{containers::ifd::Directory, job::Input};
use std::{
    borrow::Cow,
    io::{self, Read, SeekFrom},
};
use tiff::tags::Tag;

/// Largest length in bytes of the tag JPEGTables, and of the part that is read of a JPEG file to which a tag points.
const MAX_TABLES: usize = 1 << 16;

/// Marker of JPEG: start of image (T.81, table B.1).
const SOI: &[u8] = b"\xff\xd8";
/// Marker of JPEG: end of image.
const EOI: &[u8] = b"\xff\xd9";
/// Marker of JPEG: start of scan.
const SOS: &[u8] = b"\xff\xda";

/// Tables that complete the streams of strips or tiles.
pub(crate) enum Streams {
    /// Tables that all streams share: SOI, segments, and perhaps EOI.
    Whole { tables: Vec<u8> },
    /// Headers for streams that have none.
    Bare(Headers),
}

/// Headers for streams that have none.
pub(crate) struct Headers {
    /// Segments with quantisation and Huffman tables.
    tables: Vec<u8>,
    /// Identifier, sampling factors and quantisation table of each component.
    components: Vec<[u8; 3]>,
    /// The scan header (SOS), which precedes the data.
    scan: Vec<u8>,
}

impl Streams {
    /// Finds the tables for the streams of an image with `count` samples per pixel. `None` for other compressions, and
    /// for the older form unless it has three samples per pixel.
    ///
    /// Errors: `InvalidData` if the tables of the older form are missing.
    pub(crate) fn find(
        directory: &Directory,
        input: &mut dyn Input,
        compression: Compression,
        count: u64,
    ) -> io::Result<Option<Self>> {
        match (compression, count) {
            (Compression::Jpeg, _) => Self::whole(directory, input).map(Some),
            (Compression::OldJpeg, 3) => match Self::bare(directory, input, 3)? {
                None => Err(invalid("its JPEG tables are missing")),
                found => Ok(found),
            },
            _ => Ok(None),
        }
    }

    /// Reads the tables of the form in Technical Note 2.
    fn whole(directory: &Directory, input: &mut dyn Input) -> io::Result<Self> {
        let tables = directory.bytes(input, Tag::JPEGTables, MAX_TABLES)?;
        let tables = tables.unwrap_or_default();
        Ok(Self::Whole { tables })
    }

    /// Reads the older form, for images with `count` components. `None` if its tables are missing.
    fn bare(
        directory: &Directory,
        input: &mut dyn Input,
        count: usize,
    ) -> io::Result<Option<Self>> {
        let shared = directory.values(input, Tag::ChromaSubsampling, 2)?;
        let sampling = match shared[..] {
            [across @ 1..=4, down @ 1..=4] => (across << 4 | down) as u8,
            // Without valid numbers, 4:2:0 is assumed, which is the most common.
            _ => 0x22,
        };
        let mut headers = Headers {
            tables: Vec::new(),
            components: (0..count as u8)
                .map(|at| [at, if at == 0 { sampling } else { 0x11 }, at])
                .collect(),
            scan: Vec::new(),
        };
        let has_stream = match directory.value(input, JPEG_INTERCHANGE_FORMAT)? {
            // The tag points to a JPEG file, or to its beginning. Some writers state no length.
            Some(at) => {
                let len = directory.value(input, JPEG_INTERCHANGE_LENGTH)?;
                let len = len.filter(|len| *len > 0).unwrap_or(MAX_TABLES as u64);
                let mut start = Vec::new();
                input.seek(SeekFrom::Start(at))?;
                (&mut *input)
                    .take(len.min(MAX_TABLES as u64))
                    .read_to_end(&mut start)?;
                headers.take(&start)
            }
            None => false,
        };
        if !has_stream && !headers.gather(directory, input, count)? {
            return Ok(None);
        }
        let interval = directory.value(input, JPEG_RESTART_INTERVAL)?.unwrap_or(0);
        if let Ok(interval @ 1..) = u16::try_from(interval) {
            segment(&mut headers.tables, DRI, &interval.to_be_bytes());
        }
        if headers.scan.is_empty() {
            let mut scan = vec![count as u8];
            for (at, [id, ..]) in headers.components.iter().enumerate() {
                // Tables that were collected from tags are numbered by component; those of a JPEG file are numbered for
                // luma and chroma.
                let table = if has_stream { at.min(1) } else { at } as u8;
                scan.extend([*id, table << 4 | table]);
            }
            scan.extend([0, 63, 0]);
            segment(&mut headers.scan, markers::SOS, &scan);
        }
        Ok(Some(Self::Bare(headers)))
    }

    /// Returns the complete stream of a strip or a tile of this size. `None` if the data is damaged.
    fn complete<'d>(&self, data: &'d [u8], (width, height): (u32, u32)) -> Option<Cow<'d, [u8]>> {
        match self {
            Self::Whole { tables } if tables.is_empty() => Some(Cow::Borrowed(data)),
            Self::Whole { tables } => {
                let mut stream = tables.strip_suffix(EOI).unwrap_or(tables).to_vec();
                stream.extend_from_slice(data.strip_prefix(SOI)?);
                Some(Cow::Owned(stream))
            }
            // Some writers of the older form store complete streams.
            Self::Bare(_) if data.starts_with(SOI) => Some(Cow::Borrowed(data)),
            Self::Bare(headers) => {
                let mut stream = SOI.to_vec();
                stream.extend_from_slice(&headers.tables);
                let mut frame = vec![8];
                frame.extend(u16::try_from(height).ok()?.to_be_bytes());
                frame.extend(u16::try_from(width).ok()?.to_be_bytes());
                frame.push(headers.components.len() as u8);
                frame.extend(headers.components.as_flattened());
                segment(&mut stream, SOF0, &frame);
                if !data.starts_with(SOS) {
                    stream.extend_from_slice(&headers.scan);
                }
                stream.extend_from_slice(data);
                stream.extend_from_slice(EOI);
                Some(Cow::Owned(stream))
            }
        }
    }

    /// Returns whether the first strip or tile uses the lossless process. `len` is the length of the file.
    pub(crate) fn begin_lossless(
        &self,
        directory: &Directory,
        input: &mut dyn Input,
        len: u64,
    ) -> io::Result<bool> {
        let mut first = |of_tile, of_strip| match directory.value(input, of_tile)? {
            None => directory.value(input, of_strip),
            value => Ok(value),
        };
        let start = first(Tag::TileOffsets, Tag::StripOffsets)?;
        let count = first(Tag::TileByteCounts, Tag::StripByteCounts)?;
        let mut data = Vec::new();
        if let (Some(start), Some(count)) = (start, count) {
            input.seek(SeekFrom::Start(start))?;
            (&mut *input).take(count.min(len)).read_to_end(&mut data)?;
        }
        let stream = self.complete(&data, (1, 1));
        Ok(stream.is_some_and(|stream| is_lossless(&stream)))
    }

    /// Decodes a stream of at most `most` pixels to rows of three bytes per pixel: RGB, or YCbCr in the older form.
    /// `None` if the stream is damaged.
    pub(crate) fn decode(
        &self,
        data: &[u8],
        most: usize,
        row_len: usize,
        rows: &mut [u8],
    ) -> Option<()> {
        let (width, height) = (row_len / 3, rows.len() / row_len.max(1));
        let stream = self.complete(data, (width as u32, height as u32))?;
        let has_levels = matches!(self, Self::Bare(_));
        // Some writers state the height of a full strip even in the stream of the last strip, which may be lower, so
        // the stream may have more rows than `rows`.
        stream::decode(&stream, most, row_len, rows, has_levels)
    }

    /// Decodes a lossless stream of at most `most` pixels to rows of samples: one byte each, or two in the byte order
    /// of the machine if they have more than 8 bits. `None` if it is damaged.
    pub(crate) fn decode_lossless(
        &self,
        data: &[u8],
        most: usize,
        row_len: usize,
        rows: &mut [u8],
    ) -> Option<()> {
        let stream = self.complete(data, (1, 1))?;
        let found = Lossless::decode(&stream, most)?;
        if found.width() * found.count() * found.sample_bytes() != row_len
            || found.height() * row_len < rows.len()
        {
            return None;
        }
        for (y, row) in rows.chunks_exact_mut(row_len).enumerate() {
            found.put(y, row);
        }
        Some(())
    }
}

impl Headers {
    /// Takes over tables, restart interval, components and scan header from the beginning of a JPEG file. Returns
    /// whether the file has tables or a restart interval.
    fn take(&mut self, file: &[u8]) -> bool {
        let mut rest = file.strip_prefix(SOI).unwrap_or(&[]);
        while let [PREFIX, marker, high, low, ..] = *rest {
            let len = 2 + usize::from(u16::from_be_bytes([high, low]));
            let Some((whole, after)) = rest.split_at_checked(len) else {
                break;
            };
            match marker {
                DHT | DQT | DRI => self.tables.extend_from_slice(whole),
                SOF0 | SOF1 => {
                    let components = whole.get(10..).unwrap_or(&[]).as_chunks().0;
                    if components.len() == self.components.len() {
                        self.components = components.to_vec();
                    }
                }
                markers::SOS => {
                    self.scan = whole.to_vec();
                    break;
                }
                _ => {}
            }
            rest = after;
        }
        !self.tables.is_empty()
    }

    /// Collects the tables that tags point to: one of each kind for each component. Returns whether each tag exists and
    /// has enough values.
    fn gather(
        &mut self,
        directory: &Directory,
        input: &mut dyn Input,
        count: usize,
    ) -> io::Result<bool> {
        for (tag, marker, class) in [
            (JPEG_Q_TABLES, DQT, 0),
            (JPEG_DC_TABLES, DHT, 0),
            (JPEG_AC_TABLES, DHT, 0x10),
        ] {
            let offsets = directory.values(input, tag, count)?;
            if offsets.len() != count {
                return Ok(false);
            }
            for (at, offset) in offsets.into_iter().enumerate() {
                input.seek(SeekFrom::Start(offset))?;
                let mut table = vec![class | at as u8];
                // A Huffman table begins with the numbers of codes of 1 to 16 bits. Its symbols follow.
                let fixed = if marker == DQT { 64 } else { 16 };
                (&mut *input).take(fixed).read_to_end(&mut table)?;
                if marker == DHT {
                    let codes: u64 = table[1..].iter().map(|&count| u64::from(count)).sum();
                    (&mut *input).take(codes).read_to_end(&mut table)?;
                }
                segment(&mut self.tables, marker, &table);
            }
        }
        Ok(true)
    }
}
