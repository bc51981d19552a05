//! The part of a Matroska file's elements (RFC 9559) that Symphonia passes over: how large packets are, and what of them
//! is delay and padding. Decodes nothing.
//!
//! The whole file is walked before it is read, head by head: a track does not say how long it is, so the packets of an
//! Opus track are counted with the length that each has in its first byte.

use super::lacing;
use crate::{
    audio::{
        codecs::opus,
        damage::{cut_bytes, header_error},
        sound::pcm::frames_in,
        stream::Stream,
    },
    containers::ebml::{Element, Elements, Number},
    error::Result,
};
use std::io::{Read, Seek, SeekFrom};

const SEGMENT: u64 = 0x1853_8067;
const TRACKS: u64 = 0x1654_ae6b;
const TRACK_ENTRY: u64 = 0xae;
const TRACK_NUMBER: u64 = 0xd7;
const CODEC_DELAY: u64 = 0x56aa;
const CLUSTER: u64 = 0x1f43_b675;
const BLOCK_GROUP: u64 = 0xa0;
const BLOCK: u64 = 0xa1;
const SIMPLE_BLOCK: u64 = 0xa3;
const DISCARD_PADDING: u64 = 0x75a2;

/// The flags of a block that say whether and how several packets are laced together.
const LACING: u8 = 0x06;

/// Bytes of a block that are read in any case: its head and the first byte of its packet.
const HEAD: u64 = 16;
/// Largest block of several packets that is looked into, in bytes.
const MAX_LACED: u64 = 1 << 20;
/// Tracks, and paddings in the middle of a track, that are kept.
const MAX_KEPT: usize = 64;

/// What a walk over the elements finds.
#[derive(Default)]
pub(crate) struct Facts {
    /// Bytes of the largest element that is read as one.
    pub(crate) largest: u64,
    /// What is missing of the length that the elements promise.
    pub(crate) loss: Option<String>,
    tracks: Vec<Track>,
    /// The index of the track that the last block belongs to.
    last: usize,
}

/// What the elements say of one track.
#[derive(Default)]
pub(crate) struct Track {
    number: u64,
    /// Nanoseconds of delay at the beginning.
    pub(crate) delay: u64,
    /// Frames at 48 kHz, if the packets are Opus; `None` once that cannot be told.
    frames: Option<u64>,
    pub(crate) packets: u64,
    /// Packets of which the end is padding, counted from 1, with nanoseconds of it.
    pub(crate) padding: Vec<(u64, u64)>,
}

/// Walks over the whole file and leaves the stream at its beginning.
pub(crate) fn scan(stream: &mut Stream<'_>) -> Result<Facts> {
    let mut facts = Facts::default();
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let length = stream.len();
    let mut elements = Elements::new(&mut *stream);
    // Ends with whatever is cut short or no element; the demultiplexer says what that means.
    while let Some(end) = facts.visit(&mut elements) {
        facts.loss = facts.loss.take().or_else(|| cut_bytes(end, length));
    }
    drop(elements);
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(facts)
}

impl Facts {
    /// What is known of a track.
    pub(crate) fn track(&self, number: u64) -> Option<&Track> {
        self.tracks.iter().find(|track| track.number == number)
    }

    /// Visits the next element: enters what holds blocks, passes over the rest. Gives the position where it ends, 0
    /// if that is left open; `None` behind the last.
    fn visit<R: Read + Seek>(&mut self, elements: &mut Elements<R>) -> Option<u64> {
        let Element { id, size, end } = elements.next()?;
        if id == TRACK_ENTRY && self.tracks.len() < MAX_KEPT {
            self.tracks.push(Track::new());
        }
        let end = end.unwrap_or(0);
        if matches!(id, SEGMENT | TRACKS | TRACK_ENTRY | CLUSTER | BLOCK_GROUP) {
            elements.enter();
            return Some(end);
        }
        let size = size?;
        match id {
            BLOCK | SIMPLE_BLOCK => {
                self.largest = self.largest.max(size);
                let mut block = elements.body(HEAD)?;
                let is_laced = block.get(3).is_some_and(|flags| flags & LACING != 0);
                if is_laced && size <= MAX_LACED {
                    block.extend(elements.body(size)?);
                }
                self.block(&block, block.len() as u64 == size);
            }
            TRACK_NUMBER | CODEC_DELAY | DISCARD_PADDING if size <= 8 => {
                let bytes = elements.body(size)?;
                let value = bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
                match (id, self.tracks.last_mut()) {
                    (TRACK_NUMBER, Some(track)) => track.number = value,
                    (CODEC_DELAY, Some(track)) => track.delay = value,
                    (DISCARD_PADDING, _) => {
                        // Negative padding is at the beginning of a block, where no encoder puts it.
                        let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
                        self.pad(if is_negative { 0 } else { value });
                    }
                    _ => {}
                }
            }
            // Tags, attachments and the like.
            _ => {}
        }
        Some(end)
    }

    /// Takes a block, or its beginning.
    fn block(&mut self, bytes: &[u8], whole: bool) {
        let mut rest = bytes;
        let Some(number) = Number::read(&mut rest).map(Number::value) else {
            return;
        };
        let found = self.tracks.iter().position(|track| track.number == number);
        self.last = found.unwrap_or(usize::MAX);
        let (Some(track), Some(rest)) = (self.tracks.get_mut(self.last), rest.get(2..)) else {
            return;
        };
        let is_laced = rest.first().is_none_or(|flags| flags & LACING != 0);
        // Without lacing, the beginning of the packet is enough.
        match lacing::packets(rest).filter(|_| whole || !is_laced) {
            Some(packets) => {
                track.packets += packets.len() as u64;
                let frames: u64 = packets.into_iter().map(opus::frames).sum();
                track.frames = track.frames.map(|sum| sum + frames);
            }
            None => {
                track.packets += rest.get(1).map_or(0, |others| u64::from(*others) + 1);
                track.frames = None;
            }
        }
    }

    /// Takes the padding at the end of the last block.
    fn pad(&mut self, nanoseconds: u64) {
        if let Some(track) = self.tracks.get_mut(self.last)
            && nanoseconds > 0
            && track.padding.len() < MAX_KEPT
        {
            track.padding.push((track.packets, nanoseconds));
        }
    }
}

impl Track {
    fn new() -> Self {
        Self {
            frames: Some(0),
            ..Self::default()
        }
    }

    /// Frames of an Opus track at 48 kHz, padding left out.
    pub(crate) fn opus_frames(&self) -> Option<u64> {
        let padding = self.padding.iter();
        let padding = padding.map(|(_, nanoseconds)| frames_in(*nanoseconds, opus::RATE));
        Some(self.frames?.saturating_sub(padding.sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Unlimited;
    use std::io::Cursor;

    #[test]
    fn packets_are_counted_and_padding_is_left_out() {
        let mut file =
            b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff".to_vec();
        file.extend(b"\x16\x54\xae\x6b\x8b\xae\x89\xd7\x81\x01\x56\xaa\x83\x63\x2e\xa0");
        file.extend(b"\x1f\x43\xb6\x75\xff");
        file.extend(b"\xa3\x86\x81\0\0\x80\xf8\0");
        // Four packets in one block.
        file.extend(b"\xa3\x8d\x81\0\0\x04\x03\xf8\0\xf8\0\xf8\0\xf8\0");
        file.extend(b"\xa0\x8f\xa1\x86\x81\0\0\0\xf8\0\x75\xa2\x84\0\x98\x96\x80");
        let mut input = Cursor::new(file);
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        let facts = scan(&mut stream).unwrap();
        assert_eq!(facts.largest, 13);
        let track = facts.track(1).unwrap();
        assert_eq!(track.opus_frames(), Some(6 * 960 - 480));
        assert_eq!(track.delay, 6_500_000);
        assert_eq!(track.padding, [(6, 10_000_000)]);
        assert!(facts.track(2).is_none());
    }
}
