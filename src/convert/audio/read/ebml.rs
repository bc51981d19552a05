//! The part of a Matroska file's elements (RFC 9559) that Symphonia passes over: how large packets are, and how much
//! of the last one is padding. Decodes nothing.

use super::{super::stream::Stream, cut_bytes, header_error, opus};
use crate::error::Result;
use std::io::{BufReader, Read, Seek, SeekFrom};

const SEGMENT: u64 = 0x1853_8067;
const CLUSTER: u64 = 0x1f43_b675;
const BLOCK_GROUP: u64 = 0xa0;
const BLOCK: u64 = 0xa1;
const SIMPLE_BLOCK: u64 = 0xa3;
const DISCARD_PADDING: u64 = 0x75a2;

/// Bytes of a block that tell what it is: track, time, flags, the beginning of its packet.
const HEAD: u64 = 16;

/// What a walk over the elements finds.
#[derive(Default)]
pub(super) struct Facts {
    /// Bytes of the largest element that is read as one.
    pub(super) largest: u64,
    /// What the file lacks of the length that its elements promise.
    pub(super) loss: Option<String>,
    tracks: Vec<Track>,
    last: usize,
}

#[derive(Default)]
struct Track {
    number: u64,
    /// Frames at 48 kHz, if the packets are Opus; `None` once that cannot be told.
    frames: Option<u64>,
    /// Nanoseconds of padding at the end.
    padding: u64,
}

/// Walks over the whole file and leaves the stream at its beginning.
pub(super) fn scan(stream: &mut Stream<'_>) -> Result<Facts> {
    let mut facts = Facts::default();
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let length = stream.len();
    let mut input = BufReader::with_capacity(1 << 15, &mut *stream);
    // Ends with whatever is cut short or no element; the demultiplexer says what that means.
    while let Some(end) = facts.element(&mut input) {
        facts.loss = facts.loss.take().or_else(|| cut_bytes(end, length));
    }
    drop(input);
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(facts)
}

impl Facts {
    /// Frames of an Opus track at 48 kHz, padding left out.
    pub(super) fn opus_frames(&self, number: u64) -> Option<u64> {
        let track = self.tracks.iter().find(|track| track.number == number)?;
        let padding = u128::from(track.padding) * u128::from(opus::RATE) + 500_000_000;
        Some(
            track
                .frames?
                .saturating_sub((padding / 1_000_000_000) as u64),
        )
    }

    /// Visits the next element: enters what holds blocks, passes over the rest. Gives the position where it ends, 0
    /// if that is open.
    fn element<R: Read + Seek>(&mut self, input: &mut BufReader<R>) -> Option<u64> {
        let (id, _) = number(input, true)?;
        let (size, unknown) = number(input, false)?;
        let end = match unknown {
            true => 0,
            false => input.stream_position().ok()?.saturating_add(size),
        };
        if matches!(id, SEGMENT | CLUSTER | BLOCK_GROUP) {
            return Some(end);
        }
        if unknown {
            return None;
        }
        let mut rest = size;
        match id {
            BLOCK | SIMPLE_BLOCK => {
                self.largest = self.largest.max(size);
                let mut head = Vec::new();
                input
                    .by_ref()
                    .take(size.min(HEAD))
                    .read_to_end(&mut head)
                    .ok()?;
                rest -= head.len() as u64;
                self.block(&head);
            }
            DISCARD_PADDING if size <= 8 => {
                let mut bytes = Vec::new();
                input.by_ref().take(size).read_to_end(&mut bytes).ok()?;
                rest = 0;
                let padding = bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
                if let Some(track) = self.tracks.get_mut(self.last) {
                    track.padding = padding;
                }
            }
            // Tags, attachments and the like.
            _ => {}
        }
        input.seek_relative(i64::try_from(rest).ok()?).ok()?;
        Some(end)
    }

    fn block(&mut self, head: &[u8]) {
        let mut head = head;
        let Some((track, _)) = number(&mut head, false) else {
            return;
        };
        let found = self.tracks.iter().position(|known| known.number == track);
        self.last = found.unwrap_or(self.tracks.len());
        if found.is_none() && self.tracks.len() < 64 {
            self.tracks.push(Track {
                number: track,
                frames: Some(0),
                padding: 0,
            });
        }
        let laced = head.get(2).is_none_or(|flags| flags & 0x06 != 0);
        if let Some(known) = self.tracks.get_mut(self.last) {
            let frames = head.get(3..).map(opus::frames).filter(|_| !laced);
            known.frames = known.frames.zip(frames).map(|(sum, frames)| sum + frames);
        }
    }
}

/// A variable-length number (RFC 8794, section 4), with its length marker or without, and whether all its bits are set.
fn number(input: &mut impl Read, with_marker: bool) -> Option<(u64, bool)> {
    let mut first = [0];
    input.read_exact(&mut first).ok()?;
    let length = first[0].leading_zeros() as usize + 1;
    if length > 8 {
        return None;
    }
    let mut rest = [0; 7];
    input.read_exact(&mut rest[..length - 1]).ok()?;
    let marked = rest[..length - 1]
        .iter()
        .fold(u64::from(first[0]), |n, byte| n << 8 | u64::from(*byte));
    let mask = (1u64 << (7 * length)) - 1;
    let value = if with_marker { marked } else { marked & mask };
    Some((value, marked & mask == mask))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::Unlimited;
    use std::io::Cursor;

    #[test]
    fn packets_are_counted_and_padding_is_left_out() {
        let mut file =
            b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff".to_vec();
        file.extend(b"\x1f\x43\xb6\x75\xff");
        file.extend(b"\xa3\x86\x81\0\0\x80\xf8\0");
        file.extend(b"\xa0\x8f\xa1\x86\x81\0\0\0\xf8\0\x75\xa2\x84\0\x98\x96\x80");
        let mut input = Cursor::new(file);
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        let facts = scan(&mut stream).unwrap();
        assert_eq!(facts.largest, 6);
        assert_eq!(facts.opus_frames(1), Some(2 * 960 - 480));
        assert_eq!(facts.opus_frames(2), None);
    }
}
