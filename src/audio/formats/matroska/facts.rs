//! First pass over a Matroska file (RFC 9559), which visits the heads of all elements before the sound is read. It
//! collects the tracks, the metadata, the size of the largest block, and the padding in packets. Nothing is decoded
//! here.
//!
//! The pass is needed for two reasons. A track does not state its length, so the length of an Opus track is the sum of
//! the durations in the first byte of each packet. And tags and chapters may come after the sound.
//!
//! Only clusters and tracks decide whether a file can be read. A damaged chapter, tag, attachment or cue is left out,
//! and a file need not have any of them. Symphonia's demultiplexer, which was used before, refused files with chapters
//! as FFmpeg writes them, because FFmpeg gives its chapters no number.

use super::{about, lacing, tracks::Entry};
use crate::{
    codecs::opus,
    damage::{cut_bytes, header_error},
    sound::pcm::frames_in,
    stream::Stream,
    tags::Tags,
};
use convertd_core::{
    containers::ebml::{Element, Elements, Number, unsigned},
    error::Result,
};
use std::io::{Read, Seek, SeekFrom};

// Identifiers of the elements that this pass treats (RFC 9559, section 5.1).
const SEGMENT: u64 = 0x1853_8067;
const INFO: u64 = 0x1549_a966;
const TRACKS: u64 = 0x1654_ae6b;
const TRACK_ENTRY: u64 = 0xae;
const CLUSTER: u64 = 0x1f43_b675;
const BLOCK_GROUP: u64 = 0xa0;
const BLOCK: u64 = 0xa1;
const SIMPLE_BLOCK: u64 = 0xa3;
const DISCARD_PADDING: u64 = 0x75a2;
const SEEK_HEAD: u64 = 0x114d_9b74;
const CUES: u64 = 0x1c53_bb6b;
const CHAPTERS: u64 = 0x1043_a770;
const TAGS: u64 = 0x1254_c367;
const ATTACHMENTS: u64 = 0x1941_a469;
const VOID: u64 = 0xec;

/// The bits of a block's flags that give the kind of lacing; 0 if the block holds a single packet.
const LACING: u8 = 0x06;

/// Bytes of a block that are always read: its head and the first byte of its packet.
pub(super) const HEAD: u64 = 16;
/// Length of the longest laced block whose packets are counted, in bytes.
const MAX_LACED: u64 = 1 << 20;
/// The longest description of a track, in bytes. The headers of Vorbis and FLAC may hold a cover picture.
const MAX_ENTRY: u64 = 8 << 20;
/// Longest elements with general information, chapters and tags that are parsed, in bytes.
const MAX_ABOUT: u64 = 1 << 20;
/// Maximum number of tracks, and of paddings within a track, that are recorded.
const MAX_KEPT: usize = 64;

/// Treatment of an element of the file.
pub(super) enum Treatment {
    /// A parent, whose children are visited.
    Entered,
    /// A block with packets.
    Block,
    /// Any other element, which is skipped or read whole.
    Other,
}

/// Treatment of an element with this identifier.
pub(super) fn treatment(id: u64) -> Treatment {
    match id {
        SEGMENT | CLUSTER | BLOCK_GROUP => Treatment::Entered,
        BLOCK | SIMPLE_BLOCK => Treatment::Block,
        _ => Treatment::Other,
    }
}

/// The result of a walk over the elements.
#[derive(Default)]
pub(super) struct Facts {
    /// Length of the largest track description or block, in bytes.
    pub(super) largest: u64,
    /// Describes what is missing if the file is shorter than its elements claim.
    pub(super) loss: Option<String>,
    /// Reason why the walk ended before the end of the file.
    pub(super) stop: Option<String>,
    /// The audio and video tracks in the order of the file.
    pub(super) tracks: Vec<Track>,
    /// The metadata found so far.
    pub(super) about: about::Collected,
    /// The index of the track to which the last block belongs; `usize::MAX` if the block belongs to none of the tracks.
    last: usize,
    /// Whether there was a cluster.
    has_cluster: bool,
    /// Offset of the end of the segment in bytes, if the segment states its size.
    end: Option<u64>,
}

/// A track by its elements.
pub(super) struct Track {
    /// The description of the track.
    pub(super) entry: Entry,
    /// The number of sample frames at 48 kHz if the track is Opus; `None` once it cannot be counted.
    frames: Option<u64>,
    /// The number of packets so far.
    pub(super) packets: u64,
    /// The packets that end with padding: their number in the track, counted from 1, and the padding in nanoseconds.
    pub(super) padding: Vec<(u64, u64)>,
}

/// Walks over the whole file, and leaves the stream at its beginning.
pub(super) fn scan(stream: &mut Stream<'_>) -> Result<Facts> {
    let mut facts = Facts::default();
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let length = stream.len();
    let mut elements = Elements::new(&mut *stream);
    let mut reached = 0;
    while let Some(element) = elements.next_element() {
        reached = element.end.unwrap_or(reached);
        if element.id == SEGMENT {
            facts.end = element.end;
        }
        if facts.visit(element, &mut elements, length).is_none() {
            break;
        }
    }
    drop(elements);
    facts.settle(reached, length);
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(facts)
}

/// Visits the children of the last element, which ends at byte `end`: `visit` gets the identifier and the size of each.
/// `None` if the walk cannot go on.
fn each_child<R: Read + Seek>(
    elements: &mut Elements<R>,
    end: u64,
    mut visit: impl FnMut(&mut Elements<R>, u64, u64) -> Option<()>,
) -> Option<()> {
    elements.enter();
    while let Some(child) = elements
        .next_element()
        .filter(|child| child.end <= Some(end))
    {
        visit(elements, child.id, child.size?)?;
        if child.end == Some(end) {
            break;
        }
    }
    elements.go_on_at(end)
}

impl Facts {
    /// The facts of the track with this number.
    pub(super) fn track(&self, number: u64) -> Option<&Track> {
        self.tracks
            .iter()
            .find(|track| track.entry.number == number)
    }

    /// The tags of the file.
    pub(super) fn tags(&mut self, has_video: bool) -> Tags {
        std::mem::take(&mut self.about).into_tags(has_video)
    }

    /// Visits an element: enters it if it may hold blocks, and passes over it otherwise. `None` if the walk cannot go
    /// on.
    fn visit<R: Read + Seek>(
        &mut self,
        element: Element,
        elements: &mut Elements<R>,
        length: u64,
    ) -> Option<()> {
        let Element { id, size, end } = element;
        self.has_cluster |= id == CLUSTER;
        let is_needed = !matches!(
            id,
            SEEK_HEAD | CUES | CHAPTERS | TAGS | ATTACHMENTS | VOID | SEGMENT
        );
        // The length of the segment is checked at the end.
        if is_needed || !self.has_cluster && id != SEGMENT {
            let loss = cut_bytes(end.unwrap_or(0), length);
            self.loss = self.loss.take().or(loss);
        }
        if matches!(treatment(id), Treatment::Entered) {
            elements.enter();
            return Some(());
        }
        let size = size?;
        let end = end?;
        match id {
            // Descriptions that are too long are passed over, as are tracks beyond `MAX_KEPT`.
            TRACKS => each_child(elements, end, |elements, id, size| {
                if id == TRACK_ENTRY && size <= MAX_ENTRY && self.tracks.len() < MAX_KEPT {
                    self.largest = self.largest.max(size);
                    let entry = Entry::read(&elements.body(size)?);
                    self.tracks.push(Track {
                        entry,
                        frames: Some(0),
                        packets: 0,
                        padding: Vec::new(),
                    });
                }
                Some(())
            })?,
            INFO if size <= MAX_ABOUT => self.about.info(&elements.body(size)?),
            CHAPTERS if size <= MAX_ABOUT => self.about.chapters(&elements.body(size)?),
            TAGS if size <= MAX_ABOUT => self.about.tags(&elements.body(size)?),
            ATTACHMENTS => each_child(elements, end, |elements, id, size| {
                if id == about::FILE {
                    let body = elements.body(size.min(about::MAX_FILE))?;
                    self.about.attached(&body, size);
                }
                Some(())
            })?,
            // The head is enough for a single packet; laced packets are counted in the whole block.
            BLOCK | SIMPLE_BLOCK => {
                self.largest = self.largest.max(size);
                let mut block = elements.body(HEAD.min(size))?;
                let is_laced = block.get(3).is_some_and(|flags| flags & LACING != 0);
                if is_laced && size <= MAX_LACED {
                    block.extend(elements.body(size)?);
                }
                self.block(&block, block.len() as u64 == size);
            }
            DISCARD_PADDING if size <= 8 => {
                let bytes = elements.body(size)?;
                // Negative padding is at the beginning of a block. No encoder writes it.
                let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
                self.pad(if is_negative { 0 } else { unsigned(&bytes) });
            }
            _ => {}
        }
        Some(())
    }

    /// Decides, after the walk, whether the file is complete. `reached` is the end of the last element that was
    /// visited.
    fn settle(&mut self, reached: u64, length: u64) {
        let end = self.end.unwrap_or(length);
        // The length of the segment is the best measure of what is missing.
        if self.loss.is_some() {
            self.loss = cut_bytes(end, length).or(self.loss.take());
        }
        if self.loss.is_some() || reached >= end.min(length) {
            // If the walk came to the end of the file without a loss, only tables after the last cluster can be cut
            // off, which is no loss.
            let is_whole = self.loss.is_none() && self.has_cluster && reached >= length;
            if !is_whole || reached > end {
                self.loss = self.loss.take().or(cut_bytes(end, length));
            }
            return;
        }
        self.stop = Some(format!(
            "it cannot be read beyond byte {reached} of {length}"
        ));
    }

    /// Counts the packets of a block. `bytes` is the whole block if `whole` is true, otherwise its beginning.
    fn block(&mut self, bytes: &[u8], whole: bool) {
        let mut rest = bytes;
        let Some(number) = Number::read(&mut rest).map(Number::value) else {
            return;
        };
        let mut tracks = self.tracks.iter();
        let found = tracks.position(|track| track.entry.number == number);
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
                // The first byte of a compressed packet does not state a duration.
                let is_plain = track.entry.stored == Default::default();
                track.frames = track.frames.filter(|_| is_plain).map(|sum| sum + frames);
            }
            // Without the sizes of the packets, only their number is known.
            None => {
                track.packets += rest
                    .get(1)
                    .map_or(0, |before_last| u64::from(*before_last) + 1);
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
    /// The number of sample frames of an Opus track at 48 kHz, without padding. `None` if it is unknown.
    pub(super) fn opus_frames(&self) -> Option<u64> {
        let padding = self.padding.iter();
        let padding = padding.map(|(_, nanoseconds)| frames_in(*nanoseconds, opus::RATE));
        Some(self.frames?.saturating_sub(padding.sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::Unlimited;
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
        assert_eq!(track.entry.delay, 6_500_000);
        assert_eq!(track.padding, [(6, 10_000_000)]);
        assert!(facts.track(2).is_none());
        assert_eq!((facts.loss, facts.stop), (None, None));
    }
}
