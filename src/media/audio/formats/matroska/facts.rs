//! Collects what Symphonia's demultiplexer does not report of a Matroska file (RFC 9559): how large packets are, and how
//! much of them is delay and padding. Decodes nothing.
//!
//! A walk over the heads of all elements comes before the sound is read. It is needed because a track does not state its
//! length: the packets of an Opus track are counted, with the duration that the first byte of each states.

use super::{info, lacing};
use crate::{
    audio::{
        codecs::opus,
        damage::{cut_bytes, header_error},
        sound::pcm::frames_in,
        sources::{overlay::Replaced, stored::Stored},
        stream::Stream,
    },
    containers::ebml::{Element, Elements, Number},
    error::Result,
};
use std::io::{Read, Seek, SeekFrom};

const SEGMENT: u64 = 0x1853_8067;
const INFO: u64 = 0x1549_a966;
const TRACKS: u64 = 0x1654_ae6b;
const TRACK_ENTRY: u64 = 0xae;
const TRACK_NUMBER: u64 = 0xd7;
const CODEC_DELAY: u64 = 0x56aa;
const CODEC_ID: u64 = 0x86;
/// How packets are stored: compressed (5.1.4.1.31).
const ENCODINGS: u64 = 0x6d80;
const ENCODING: u64 = 0x6240;
const COMPRESSION: u64 = 0x5034;
const ALGORITHM: u64 = 0x4254;
const SETTINGS: u64 = 0x4255;
const CLUSTER: u64 = 0x1f43_b675;
const BLOCK_GROUP: u64 = 0xa0;
const BLOCK: u64 = 0xa1;
const SIMPLE_BLOCK: u64 = 0xa3;
const DISCARD_PADDING: u64 = 0x75a2;

/// The flag bits of a block that tell how its packets are laced.
const LACING: u8 = 0x06;

/// Bytes of a block that are always read: its head and the first byte of its packet.
const HEAD: u64 = 16;
/// The largest laced block whose packets are counted, in bytes.
const MAX_LACED: u64 = 1 << 20;
/// The longest element with general information that is looked at, in bytes.
const MAX_INFO: u64 = 4096;
/// The number of the algorithm that leaves out what all packets begin with, and how many bytes that may be.
const STRIPPING: u64 = 3;
const MAX_STRIPPED: u64 = 256;
/// The number of tracks, and of paddings within a track, that are kept at most.
const MAX_KEPT: usize = 64;

/// The result of a walk over the elements.
#[derive(Default)]
pub(crate) struct Facts {
    /// Length of the largest element that the demultiplexer reads at once, in bytes.
    pub(crate) largest: u64,
    /// Describes what is missing if the file is shorter than its elements claim.
    pub(crate) loss: Option<String>,
    /// What the demultiplexer is to read instead of something that it refuses.
    pub(crate) replaced: Vec<Replaced>,
    /// Whether a track is WavPack.
    pub(crate) has_wavpack: bool,
    tracks: Vec<Track>,
    /// The index of the track to which the last block belongs.
    last: usize,
}

/// What the elements say about a track.
#[derive(Default)]
pub(crate) struct Track {
    number: u64,
    /// The delay at the beginning, in nanoseconds.
    pub(crate) delay: u64,
    /// The number of sample frames at 48 kHz if the track is Opus; `None` once it cannot be counted.
    frames: Option<u64>,
    pub(crate) packets: u64,
    /// The packets that end with padding: their number in the track, counted from 1, and the padding in nanoseconds.
    pub(crate) padding: Vec<(u64, u64)>,
    pub(crate) stored: Stored,
}

/// Walks over the whole file, and leaves the stream at its beginning.
pub(crate) fn scan(stream: &mut Stream<'_>) -> Result<Facts> {
    let mut facts = Facts::default();
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let length = stream.len();
    let mut elements = Elements::new(&mut *stream);
    // The walk ends at anything that is cut short or no element. The demultiplexer reports what that means.
    while let Some(end) = facts.visit(&mut elements) {
        facts.loss = facts.loss.take().or_else(|| cut_bytes(end, length));
    }
    drop(elements);
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(facts)
}

impl Facts {
    /// Whether packets of a track are to be unpacked.
    pub(crate) fn has_packed(&self) -> bool {
        let mut tracks = self.tracks.iter();
        tracks.any(|track| track.stored == Stored::Zlib)
    }

    /// The facts of the track with this number.
    pub(crate) fn track(&self, number: u64) -> Option<&Track> {
        self.tracks.iter().find(|track| track.number == number)
    }

    /// Visits the next element: enters it if it may hold blocks, and passes over it otherwise. Returns where the element
    /// ends, or 0 if its size is unknown. `None` at the end of the walk.
    fn visit<R: Read + Seek>(&mut self, elements: &mut Elements<R>) -> Option<u64> {
        let Element { id, size, end } = elements.next()?;
        if id == TRACK_ENTRY && self.tracks.len() < MAX_KEPT {
            self.tracks.push(Track::new());
        }
        let end = end.unwrap_or(0);
        if id == COMPRESSION
            && let Some(track) = self.tracks.last_mut()
        {
            // It is zlib, unless something else follows.
            track.stored = Stored::Zlib;
        }
        if matches!(id, SEGMENT | TRACKS | TRACK_ENTRY | CLUSTER | BLOCK_GROUP)
            || matches!(id, ENCODINGS | ENCODING | COMPRESSION)
        {
            elements.enter();
            return Some(end);
        }
        let size = size?;
        match id {
            INFO if size <= MAX_INFO && self.replaced.is_empty() => {
                let body = elements.body(size)?;
                if let Some(made) = info::completed(&body) {
                    self.replaced.push((end - size, made));
                }
            }
            BLOCK | SIMPLE_BLOCK => {
                self.largest = self.largest.max(size);
                let mut block = elements.body(HEAD)?;
                let is_laced = block.get(3).is_some_and(|flags| flags & LACING != 0);
                if is_laced && size <= MAX_LACED {
                    block.extend(elements.body(size)?);
                }
                self.block(&block, block.len() as u64 == size);
            }
            TRACK_NUMBER | CODEC_DELAY | DISCARD_PADDING | ALGORITHM if size <= 8 => {
                let bytes = elements.body(size)?;
                let value = bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
                match (id, self.tracks.last_mut()) {
                    (TRACK_NUMBER, Some(track)) => track.number = value,
                    (CODEC_DELAY, Some(track)) => track.delay = value,
                    // The settings may have come before.
                    (ALGORITHM, Some(track))
                        if value == STRIPPING && track.stored == Stored::Zlib =>
                    {
                        track.stored = Stored::Behind(Vec::new());
                    }
                    (DISCARD_PADDING, _) => {
                        // Negative padding is at the beginning of a block. No encoder writes it.
                        let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
                        self.pad(if is_negative { 0 } else { value });
                    }
                    _ => {}
                }
            }
            CODEC_ID if size <= 32 => {
                self.has_wavpack |= elements.body(size)?.starts_with(b"A_WAVPACK4");
            }
            // Of zlib, there are none.
            SETTINGS if (1..=MAX_STRIPPED).contains(&size) => {
                let bytes = elements.body(size)?;
                if let Some(track) = self.tracks.last_mut() {
                    track.stored = Stored::Behind(bytes);
                }
            }
            // Tags, attachments and other elements that do not matter here.
            _ => {}
        }
        Some(end)
    }

    /// Counts the packets of a block, of which `bytes` may be only the beginning.
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
        // A block without lacing holds one packet, whose first byte is enough.
        match lacing::packets(rest).filter(|_| whole || !is_laced) {
            Some(packets) => {
                track.packets += packets.len() as u64;
                let frames: u64 = packets.into_iter().map(opus::frames).sum();
                // Of what is compressed, the first byte says something else.
                let is_plain = track.stored == Stored::Plain;
                track.frames = track.frames.filter(|_| is_plain).map(|sum| sum + frames);
            }
            None => {
                track.packets += rest.get(1).map_or(0, |others| u64::from(*others) + 1);
                track.frames = None;
            }
        }
    }

    /// Records the padding at the end of the last block.
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

    /// The number of sample frames of an Opus track at 48 kHz, without padding. `None` if it cannot be told.
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
        // A block of four packets.
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
