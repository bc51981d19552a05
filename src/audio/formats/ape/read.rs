//! Reads Monkey's Audio with `ape-decoder`, a frame at a time. A frame that cannot be decoded becomes silence of the
//! same length, and is reported.
//!
//! The trap: the bits of a frame are in words of four bytes that are counted from the first frame, but a frame may
//! begin at any byte. So a frame is read from up to three bytes before its beginning.

use super::header::Header;
use crate::{
    damage::{bad, cut_short, header_error, nothing_decoded},
    sound::pcm::{BLOCK_FRAMES, Block, Spec},
    source::{Opened, Source},
    stream::Stream,
    tags::id3,
};
use ape_decoder::FrameDecoder;
use convertd_core::error::Result;
use std::io::{Read, Seek, SeekFrom};

/// Bytes that a decoder reads ahead.
const AHEAD: u64 = 8;
/// Memory of the decoder's filters for a channel, in bytes.
const FILTERS: u64 = 128 << 10;

/// Memory that a file needs in addition to the memory of every conversion, in bytes: a packed frame, the same frame as
/// words, its samples, which the decoder may hold twice, and the filters of all channels.
pub(crate) fn memory(stream: &mut Stream<'_>) -> Result<u64> {
    id3::pass(stream).map_err(header_error)?;
    let header = Header::read(stream)?;
    let packed = most_packed(&header).min(stream.len());
    let filters = FILTERS * header.spec.channels.count() as u64;
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(2 * packed + 2 * header.frame_bytes() + filters)
}

/// Upper bound on a packed frame in bytes. Even noise does not take more.
fn most_packed(header: &Header) -> u64 {
    header.frame_bytes() + header.frame_bytes() / 2 + 4096
}

/// Opens the sound of a file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let tags = id3::strip(&mut stream).map_err(header_error)?;
    let header = Header::read(&mut stream)?;
    let channels = header.spec.channels.count() as u16;
    let decoder = FrameDecoder::new(header.version, channels, header.bits, header.level)
        .map_err(|err| bad(format!("the file cannot be decoded: {err}")))?;
    Ok(Opened::new(
        Frames {
            stream,
            header,
            decoder,
            start: None,
            high: 0,
            frame: 0,
            samples: Vec::new(),
            taken: 0,
            done: 0,
            good: 0,
            damaged: 0,
            first_damage: None,
            losses: Vec::new(),
        },
        tags,
    ))
}

/// The frames of a file.
struct Frames<'a> {
    stream: Stream<'a>,
    header: Header,
    decoder: FrameDecoder,
    /// Positions of the first frame and of the next one. `None` before the first frame.
    start: Option<(u64, u64)>,
    /// Offset added to the entries of the table, which have only 32 bits, in files of more than 4 GiB.
    high: u64,
    /// The number of the next frame.
    frame: u32,
    /// The bytes of the current frame's samples.
    samples: Vec<u8>,
    /// Number of bytes of `samples` that have been returned.
    taken: usize,
    /// Sample frames so far, including silence.
    done: u64,
    /// Number of decoded frames.
    good: u32,
    /// Number of frames that could not be decoded.
    damaged: u32,
    /// Position of the first damaged frame in sample frames, and the reason why it cannot be decoded.
    first_damage: Option<(u64, String)>,
    losses: Vec<String>,
}

impl Frames<'_> {
    /// Position of a frame according to the table. `before` is the position of the frame before it.
    fn offset(&mut self, frame: u32, before: u64) -> Result<u64> {
        let at = self.header.table + 4 * u64::from(frame);
        self.stream
            .seek(SeekFrom::Start(at))
            .map_err(header_error)?;
        let low = u32::from_le_bytes(self.stream.array().map_err(header_error)?);
        let mut offset = self.high + u64::from(low);
        if offset < before && before - offset > 1 << 31 {
            // The 32-bit entry has overflowed, so the frame is in the next 4 GiB.
            self.high += 1 << 32;
            offset += 1 << 32;
        }
        Ok(offset)
    }

    /// Decodes the next frame. Returns false if the file ends before the frame does.
    fn next(&mut self) -> Result<bool> {
        let is_last = self.frame + 1 == self.header.frames;
        let (first, start) = match self.start {
            Some(known) => known,
            None => {
                let first = self.offset(0, 0)?;
                (first, first)
            }
        };
        let end = match is_last {
            true => self.stream.len().saturating_sub(self.header.trailing_bytes),
            false => self.offset(self.frame + 1, start)?,
        };
        self.start = Some((first, end));
        self.frame += 1;
        if start >= self.stream.len() {
            return Ok(false);
        }
        let length = match is_last {
            true => self.header.last_length,
            false => self.header.length,
        };
        let wanted = end.saturating_sub(start);
        let remainder = start.wrapping_sub(first) % 4;
        let decoded = if start < first || wanted > most_packed(&self.header) {
            Err("the table of frames is wrong".to_owned())
        } else {
            let from = start.saturating_sub(remainder);
            self.stream
                .seek(SeekFrom::Start(from))
                .map_err(header_error)?;
            let mut packed = Vec::with_capacity((wanted + remainder + AHEAD) as usize);
            (&mut self.stream)
                .take(wanted + remainder + AHEAD)
                .read_to_end(&mut packed)
                .map_err(header_error)?;
            // If the file ends within the frame, the frame cannot be decoded, and is the last one.
            if (packed.len() as u64) < remainder + wanted {
                return Ok(false);
            }
            self.decoder
                .decode_frame(&packed, remainder as u32, length as usize)
                .map_err(|err| err.to_string())
        };
        let bytes = self.header.spec.channels.count() * usize::from(self.header.bits / 8);
        let expected = length as usize * bytes;
        self.taken = 0;
        match decoded {
            Ok(samples) if samples.len() == expected => {
                self.samples = samples;
                self.good += 1;
            }
            decoded => {
                let cause = decoded.err().unwrap_or_default();
                self.damaged += 1;
                self.first_damage.get_or_insert((self.done, cause));
                self.samples.clear();
                // Samples of 8 bits are stored without a sign.
                let silence = if self.header.bits == 8 { 0x80 } else { 0 };
                self.samples.resize(expected, silence);
            }
        }
        self.done += u64::from(length);
        Ok(true)
    }

    /// Reports, at the end, the damaged and the missing frames.
    fn report_losses(&mut self) -> Result<()> {
        let rate = self.header.spec.rate;
        if self.good == 0 {
            let cause = self.first_damage.take().map(|(_, cause)| cause);
            return Err(nothing_decoded(
                &cause.unwrap_or_else(|| "it ends before its first frame".into()),
            ));
        }
        if let Some((at, cause)) = self.first_damage.take() {
            self.losses.push(format!(
                "{} of its frames cannot be decoded, the first at {:.2} s ({cause})",
                self.damaged,
                at as f64 / f64::from(rate)
            ));
        }
        let short = cut_short(rate, self.header.total(), self.done);
        self.losses.extend(short);
        Ok(())
    }
}

impl Source for Frames<'_> {
    fn spec(&self) -> Spec {
        self.header.spec
    }

    fn frames(&self) -> Option<u64> {
        Some(self.header.total())
    }

    fn lossy(&self) -> bool {
        false
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        while self.taken == self.samples.len() {
            if self.frame == self.header.frames || !self.next()? {
                self.frame = self.header.frames;
                self.report_losses()?;
                return Ok(false);
            }
        }
        let width = usize::from(self.header.bits / 8);
        let most = BLOCK_FRAMES * self.header.spec.channels.count() * width;
        let end = self.samples.len().min(self.taken + most);
        let bytes = &self.samples[self.taken..end];
        let out = block.ints(self.header.spec);
        match width {
            1 => out.extend(bytes.iter().map(|byte| i32::from(*byte) - 128)),
            2 => out.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|b| i32::from(i16::from_le_bytes(*b))),
            ),
            3 => out.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|[a, b, c]| i32::from_le_bytes([0, *a, *b, *c]) >> 8),
            ),
            _ => out.extend(bytes.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b))),
        }
        self.taken = end;
        Ok(true)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
