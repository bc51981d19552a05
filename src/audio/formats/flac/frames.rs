//! Reads the frames of a FLAC file (RFC 9639, section 9), which no container separates. Passes over damaged parts, and
//! always reports them.
//!
//! The trap: a frame does not state its length; its end is known only when it has been decoded. So frames are decoded
//! from a buffer that was large enough for every frame so far, and a frame that needs more is decoded again from twice
//! as much. After a frame that cannot be decoded, the reader looks for the next one byte by byte. The fifteen bits of
//! the sync code occur by chance everywhere, but the CRC-8 of the header and the CRC-16 of the frame have to match as
//! well, which happens by chance in only one of 2²⁴ cases. The number in each frame reveals whether frames before it
//! are missing (a hole).

use crate::{
    codecs::{
        decoder::Decoder,
        flac::{
            decode::{
                bits::Fault,
                frame::{Header, MAX_HEADER},
            },
            decoder::Flac,
        },
    },
    damage::{bad, cut_short, header_error, nothing_decoded},
    sound::pcm::{Block, Spec},
    source::Source,
    stream::Stream,
};
use convertd_core::error::Result;
use std::io::Read;

/// Number of bytes that are read ahead when the buffer is filled.
const READ: usize = 64 << 10;
/// Expected length of a frame in bytes.
const FRAME: usize = 32 << 10;
/// Limit on the length of a frame in bytes: twice the size of 65,535 samples of 8 channels with 32 bits.
const MAX_FRAME: usize = 4 << 20;

/// The frames after the metadata blocks.
pub(crate) struct Frames<'a> {
    input: Stream<'a>,
    input_ended: bool,
    /// Bytes from the file.
    buffer: Vec<u8>,
    /// Index of the first byte in `buffer` that has not been decoded.
    start: usize,
    /// A number of bytes that has been enough for every frame so far.
    enough: usize,
    flac: Flac,
    /// The number of samples of each channel that have been decoded.
    done: u64,
    /// The number of frames that have been decoded.
    count: u64,
    /// Position of the first hole, in samples from the beginning.
    hole: Option<u64>,
    /// Fault of the last frame that could not be decoded; `None` if a good frame followed.
    fault: Option<&'static str>,
    ended: bool,
    losses: Vec<String>,
}

/// Result of decoding at the current byte.
enum Found {
    /// A frame, and its length in bytes.
    Frame(usize),
    /// The header of a frame, without a good frame after it.
    Damage(&'static str),
    /// No frame begins here.
    Nothing,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(input: Stream<'a>, flac: Flac) -> Self {
        Self {
            input,
            input_ended: false,
            buffer: Vec::new(),
            start: 0,
            enough: FRAME,
            flac,
            done: 0,
            count: 0,
            hole: None,
            fault: None,
            ended: false,
            losses: Vec::new(),
        }
    }

    /// Reads until the buffer has `count` bytes, or the rest of the file.
    fn fill(&mut self, count: usize) -> Result<()> {
        if self.buffer.len() - self.start >= count || self.input_ended {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let mut filled = self.buffer.len();
        self.buffer.resize(count + READ, 0);
        while filled < self.buffer.len() && !self.input_ended {
            let read = self.input.read(&mut self.buffer[filled..]);
            let read = read.map_err(header_error)?;
            self.input_ended = read == 0;
            filled += read;
        }
        self.buffer.truncate(filled);
        Ok(())
    }

    /// Moves to the next byte that may begin a frame.
    fn pass(&mut self) {
        let rest = self.buffer.get(self.start + 1..).unwrap_or_default();
        let next = memchr::memchr(0xff, rest);
        self.start = next.map_or(self.buffer.len(), |at| self.start + 1 + at);
    }

    /// Decodes the frame at the current byte, or reports that no frame begins there.
    fn frame(&mut self, block: &mut Block) -> Result<Found> {
        loop {
            self.fill(self.enough)?;
            let bytes = &self.buffer[self.start..];
            let head = &bytes[..bytes.len().min(MAX_HEADER)];
            let header = match Header::parse(head) {
                Ok(header) if self.flac.takes(&header) => header,
                Ok(_) | Err(_) => return Ok(Found::Nothing),
            };
            match self.flac.frame(&header, bytes, block) {
                Ok(length) => {
                    self.look_for_hole(&header);
                    return Ok(Found::Frame(length));
                }
                Err(Fault::Short) if !self.input_ended && self.enough < MAX_FRAME => {
                    self.enough *= 2;
                }
                Err(Fault::Short) => return Ok(Found::Damage("a frame is cut short")),
                Err(Fault::Wrong(cause)) => return Ok(Found::Damage(cause)),
            }
        }
    }

    /// Compares the number in a frame header with the frames so far, to find a hole before the frame. The number counts
    /// samples if the block size varies, and otherwise frames. A bit of the frame header says which of the two it
    /// counts; in files from before 2007, only STREAMINFO does.
    fn look_for_hole(&mut self, header: &Header) {
        let so_far = if header.variable || self.flac.info().varies {
            self.done
        } else {
            self.count
        };
        if header.number > so_far {
            self.hole.get_or_insert(self.done);
        }
    }

    fn seconds(&self, frames: u64) -> f64 {
        frames as f64 / f64::from(self.spec().rate)
    }

    /// Reports, at the end of the file, what is missing or damaged.
    fn report_losses(&mut self) -> Result<()> {
        let total = self.flac.info().total;
        if self.done == 0 {
            return Err(match (self.fault, total) {
                (Some(cause), _) => nothing_decoded(cause),
                (None, Some(total)) => nothing_decoded(&format!(
                    "its STREAMINFO block promises {:.2} s, but the file ends before its first frame is complete",
                    self.seconds(total)
                )),
                (None, None) => bad("no frame follows the metadata of the FLAC file"),
            });
        }
        let rate = self.spec().rate;
        let loss = if let Some(at) = self.hole {
            // A hole makes the file too short as well, but is reported only once.
            Some(format!("frames are missing at {:.2} s", self.seconds(at)))
        } else if let Some(total) = total {
            cut_short(rate, total, self.done)
        } else {
            self.fault.map(|_| {
                let done = self.seconds(self.done);
                format!("it ends early: within a frame, after {done:.2} s")
            })
        };
        let wrong = self.flac.verified() == Some(false);
        let checksum = wrong.then(|| "the MD5 checksum of its samples is wrong".to_owned());
        self.losses.extend(loss.or(checksum));
        Ok(())
    }
}

impl Source for Frames<'_> {
    fn spec(&self) -> Spec {
        self.flac.info().spec
    }

    fn frames(&self) -> Option<u64> {
        self.flac.info().total
    }

    fn lossy(&self) -> bool {
        false
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        let total = self.flac.info().total.unwrap_or(u64::MAX);
        while self.done < total {
            self.fill(MAX_HEADER)?;
            if self.start == self.buffer.len() {
                break;
            }
            match self.frame(block)? {
                Found::Frame(length) => {
                    self.start += length;
                    self.fault = None;
                    let left = usize::try_from(total - self.done).unwrap_or(usize::MAX);
                    block.trim(0, left);
                    self.done += block.frames() as u64;
                    self.count += 1;
                    return Ok(true);
                }
                Found::Nothing => self.pass(),
                Found::Damage(cause) => {
                    self.fault = Some(cause);
                    self.pass();
                    // Decoding the damaged frame took time, so the caller gets a chance to stop the job.
                    block.trim(0, 0);
                    return Ok(true);
                }
            }
        }
        if !std::mem::replace(&mut self.ended, true) {
            self.report_losses()?;
        }
        Ok(false)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
