//! Inflates the filtered lines of a PNG file that is not interlaced and whose samples are whole bytes.
//!
//! The reader of the `png` crate decompresses and unfilters on the same thread. Its streaming decoder, which is used
//! here, checks chunks and decompresses into a buffer of this module, so that another thread can unfilter the lines.
//!
//! The reason for this module is speed on two threads: the thread of the encoder unfilters. Compared with the reader of
//! `png` 0.18, a conversion of 12 megapixels to JPEG is then 1.1 times (grey) or 1.4 times as fast (colour, with and
//! without alpha), and to BMP 1.1 to 1.6 times (the best of thirty runs with each, in turn). On one thread, the reader
//! of `png` is as good: it takes 0.96 times (8 bits of grey and colour) or 1.13 times (RGBA of 16 bits) the processor
//! time of this module.

use super::unfilter::FILTERS;
use convertd_core::job::Input;
use png::{
    DecodeOptions, Decoded, DecodingError, StreamingDecoder, UnfilterRegion,
    chunk::{IEND, eXIf},
};
use std::io::{self, ErrorKind};

/// Largest size of colour profiles and similar chunks after decompression, in bytes.
pub(crate) const ANCILLARY: usize = 4 << 20;

/// Number of bytes that are decompressed before the content of the buffer is moved, besides one line. Together with the
/// window of Deflate, these bytes fit into a cache of the processor.
const AHEAD: usize = 1 << 18;

/// Window of Deflate in bytes (RFC 1951, section 2): data may repeat bytes up to this distance before it.
const WINDOW: usize = 1 << 15;

/// Memory of the decoder in bytes, for rows of `row_bytes`.
pub(crate) fn memory(row_bytes: usize) -> u64 {
    (AHEAD + 2 * WINDOW + 4 * row_bytes) as u64
}

/// The lines of a file, and the state of decompression.
pub(crate) struct Lines<'a> {
    input: Box<dyn Input + 'a>,
    decoder: StreamingDecoder,
    /// Decompressed data.
    buffer: Vec<u8>,
    /// The part of the buffer that the decoder uses.
    region: UnfilterRegion,
    /// Start of the next line in the buffer.
    start: usize,
    /// Number of bytes of the picture that have not been decompressed yet.
    left: u64,
    /// Whether the Deflate stream has ended.
    ended: bool,
}

impl<'a> Lines<'a> {
    /// Starts at the beginning of the file. The caller has read the header, and passes its values.
    pub(crate) fn new(input: Box<dyn Input + 'a>, row_bytes: usize, rows: u32) -> Self {
        let mut options = DecodeOptions::default();
        options.set_ignore_text_chunk(true);
        options.set_ignore_iccp_chunk(true);
        Self {
            input,
            decoder: StreamingDecoder::new_with_options(options),
            buffer: vec![0; 2 * WINDOW + 2 * row_bytes + AHEAD],
            region: UnfilterRegion::default(),
            start: 0,
            left: (row_bytes as u64 + 1) * u64::from(rows),
            ended: false,
        }
    }

    /// The next line, which has `bytes` bytes including its filter type. To be called once for each row.
    pub(crate) fn next(&mut self, bytes: usize) -> Result<&[u8], DecodingError> {
        while self.region.filled - self.start < bytes {
            if self.ended {
                return Err(eof());
            }
            self.unpack()?;
        }
        let line = &self.buffer[self.start..][..bytes];
        if line[0] >= FILTERS {
            let text = format!("the filter type {} is unknown", line[0]);
            return Err(io::Error::new(ErrorKind::InvalidData, text).into());
        }
        self.start += bytes;
        Ok(line)
    }

    /// Reads the chunks after the last row, up to IEND.
    pub(crate) fn finish(&mut self) -> Result<(), DecodingError> {
        while !matches!(self.step(false)?, Decoded::ChunkComplete(IEND)) {}
        Ok(())
    }

    /// Decompresses more data into the buffer.
    fn unpack(&mut self) -> Result<(), DecodingError> {
        let least = self.left.min(WINDOW as u64) as usize;
        if self.region.filled + least > self.buffer.len() {
            // Moves the lines that have not been returned, and the window, to the beginning of the buffer.
            let used = self.start.min(self.region.available);
            self.buffer.copy_within(used..self.region.filled, 0);
            self.start -= used;
            self.region.available -= used;
            self.region.filled -= used;
        }
        // Limits the buffer to the rest of the picture: viewers ignore surplus data in the Deflate stream.
        let free = (self.buffer.len() - self.region.filled) as u64;
        if self.left < free {
            self.buffer
                .truncate(self.region.filled + self.left as usize);
        }
        let before = self.region.filled;
        self.ended = matches!(self.step(true)?, Decoded::ImageDataFlushed);
        self.left -= (self.region.filled - before) as u64;
        Ok(())
    }

    /// Reads more of the file, and decompresses image data if `wanted`.
    fn step(&mut self, wanted: bool) -> Result<Decoded, DecodingError> {
        let bytes = self.input.fill_buf()?;
        if bytes.is_empty() {
            return Err(eof());
        }
        let mut target = self.region.as_buf(&mut self.buffer);
        let (used, decoded) = self.decoder.update(bytes, wanted.then_some(&mut target))?;
        self.input.consume(used);
        match decoded {
            // Of the chunks of arbitrary length, the decoder keeps only `eXIf` in memory, so only this one is limited.
            Decoded::ChunkBegin(len, kind) if kind == eXIf && len as usize > ANCILLARY => {
                Err(DecodingError::LimitsExceeded)
            }
            decoded => Ok(decoded),
        }
    }
}

fn eof() -> DecodingError {
    io::Error::from(ErrorKind::UnexpectedEof).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::png::unfilter::Unfilter;
    use png::{BitDepth, ColorType, Decoder, Encoder, Filter};
    use std::io::Cursor;

    struct Sample {
        row_bytes: usize,
        pixel_bytes: usize,
        rows: u32,
        file: Vec<u8>,
    }

    fn sample(
        colour: ColorType,
        depth: BitDepth,
        filter: Filter,
        (width, rows): (u32, u32),
    ) -> Sample {
        let pixel_bytes = colour.samples() * if depth == BitDepth::Sixteen { 2 } else { 1 };
        let row_bytes = width as usize * pixel_bytes;
        let mut random = 3_u32;
        let pixels: Vec<u8> = (0..row_bytes * rows as usize)
            .map(|at| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (at / row_bytes * 2 + at % row_bytes / 3) as u8 ^ (random >> 29) as u8
            })
            .collect();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width, rows);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.set_filter(filter);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        Sample {
            row_bytes,
            pixel_bytes,
            rows,
            file,
        }
    }

    fn ours(sample: &Sample, file: &[u8]) -> Result<Vec<u8>, DecodingError> {
        let mut input = Cursor::new(file);
        let mut lines = Lines::new(Box::new(&mut input), sample.row_bytes, sample.rows);
        let mut unfilter = Unfilter::new(sample.row_bytes, sample.pixel_bytes);
        let mut pixels = vec![0; sample.row_bytes * sample.rows as usize];
        for row in pixels.chunks_exact_mut(sample.row_bytes) {
            unfilter.row(lines.next(1 + sample.row_bytes)?, row);
        }
        lines.finish()?;
        Ok(pixels)
    }

    fn theirs(file: &[u8]) -> Result<Vec<u8>, DecodingError> {
        let mut reader = Decoder::new(Cursor::new(file)).read_info()?;
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let rows = pixels.chunks_exact_mut(reader.info().raw_row_length() - 1);
        for row in rows {
            reader.read_row(row)?;
        }
        reader.finish()?;
        Ok(pixels)
    }

    #[track_caller]
    fn check(sample: &Sample) {
        assert!(ours(sample, &sample.file).unwrap() == theirs(&sample.file).unwrap());
    }

    #[test]
    fn every_pixel_type_and_filter_is_read() {
        use ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
        for colour in [Grayscale, GrayscaleAlpha, Rgb, Rgba] {
            for depth in [BitDepth::Eight, BitDepth::Sixteen] {
                for filter in [
                    Filter::NoFilter,
                    Filter::Sub,
                    Filter::Up,
                    Filter::Avg,
                    Filter::Paeth,
                    Filter::Adaptive,
                ] {
                    for size in [(1, 1), (1, 90), (90, 1), (37, 41)] {
                        check(&sample(colour, depth, filter, size));
                    }
                }
            }
        }
    }

    #[test]
    fn pictures_larger_than_the_buffer_are_read() {
        let (rgb, eight) = (ColorType::Rgb, BitDepth::Eight);
        for size in [(200_000, 5), (1_000, 700), (3, 200_000)] {
            check(&sample(rgb, eight, Filter::Adaptive, size));
        }
    }

    #[test]
    fn a_truncated_file_is_refused() {
        let whole = sample(ColorType::Rgb, BitDepth::Eight, Filter::Adaptive, (37, 41));
        for len in (0..whole.file.len()).step_by(3) {
            assert!(ours(&whole, &whole.file[..len]).is_err(), "{len}");
        }
        assert!(ours(&whole, &whole.file[..whole.file.len() - 1]).is_err());
    }

    #[test]
    fn damage_is_detected() {
        let whole = sample(ColorType::Rgba, BitDepth::Eight, Filter::Adaptive, (29, 31));
        // The first 33 bytes, the header, have been read before.
        for at in (33..whole.file.len()).step_by(2) {
            let mut damaged = whole.file.clone();
            damaged[at] ^= 0x11;
            let (ours, theirs) = (ours(&whole, &damaged), theirs(&damaged));
            assert_eq!(ours.is_err(), theirs.is_err(), "damaged at {at}: {ours:?}");
            if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                assert!(ours == theirs, "damaged at {at}");
            }
        }
    }

    #[test]
    fn an_unknown_filter_is_refused() {
        // One grey pixel with the invalid filter 5, not compressed.
        let data = [0x78, 0x01, 0x01, 2, 0, 0xfd, 0xff, 5, 9, 0, 22, 0, 15];
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut head = [0; 13];
        (head[3], head[7], head[8]) = (1, 1, 8);
        for (kind, data) in [(b"IHDR", &head[..]), (b"IDAT", &data), (b"IEND", &[])] {
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(kind);
            file.extend(data);
            file.extend(checksum(&[kind, data].concat()).to_be_bytes());
        }
        let sample = Sample {
            row_bytes: 1,
            pixel_bytes: 1,
            rows: 1,
            file: Vec::new(),
        };
        let error = ours(&sample, &file).unwrap_err().to_string();
        assert_eq!(error, "the filter type 5 is unknown");
        assert!(theirs(&file).is_err());
    }

    fn checksum(data: &[u8]) -> u32 {
        !data.iter().fold(u32::MAX, |sum, &byte| {
            (0..8).fold(sum ^ u32::from(byte), |sum, _| {
                sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        })
    }
}
