//! Collects properties from the boxes of an MP4 file (ISO 14496-12) that Symphonia's demultiplexer does not report:
//! edit lists and exact lengths, the byte order of QuickTime integers, and the memory for the sample tables. Ignores
//! a box that claims to be longer than the box around it, and all boxes after it in the same box.
//!
//! An edit list states the part of a track that is played. The trap: its lengths are in the timescale of the movie,
//! often milliseconds, which is too coarse for samples. The length of the track's media is exact. So if the rest of the
//! media after the skipped part agrees with the edit list within about a tick of the movie, the length of the media is
//! used.
//!
//! iTunes writes no edit list for AAC. Instead, it writes a tag of its own, `iTunSMPB`, with the delay of the encoder,
//! the padding at the end, and the length of the sound between them, in hexadecimal.

use super::entry::Entry;
use crate::{
    damage::{bad, cut_bytes, header_error},
    sources::overlay::Replaced,
    stream::Stream,
};
use convertd_core::{containers::bmff::Head, error::Result};
use std::io::{self, Seek, SeekFrom};

/// Largest number of boxes that are visited.
const MAX_BOXES: usize = 10_000;
/// Largest `moov` box in bytes. The tables of a day of AAC are smaller.
const MAX_MOOV: u64 = 32 << 20;
/// Largest sample in bytes. A frame of a high-resolution video is smaller.
const MAX_SAMPLE: u64 = 16 << 20;
/// Largest number of patches to the bytes that the demultiplexer reads.
const MAX_REPLACED: usize = 64;
/// Type of boxes that readers skip (ISO/IEC 14496-12, 8.1.2).
const FREE: [u8; 4] = *b"free";
/// Largest number of bytes that are read from the name and from the value of a tag. `iTunSMPB` is shorter.
const MAX_TAG: u64 = 256;

/// The part of a track that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edit {
    /// ID of the track.
    pub(crate) track: u32,
    /// The timescale of the track: ticks per second for the two fields below.
    pub(crate) timescale: u32,
    /// Number of ticks to drop at the beginning.
    pub(crate) skip: u64,
    /// Number of ticks to play after that; 0 if unknown.
    pub(crate) length: u64,
    /// Whether the samples are PCM of 24 or 32 bits with the most significant byte first.
    pub(crate) big_endian: bool,
}

/// Position of a box's content in the file: type, offset and length in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) kind: [u8; 4],
    pub(crate) start: u64,
    pub(crate) length: u64,
}

impl Extent {
    /// Reads the numbers of a table after its first `skipped` bytes. They have eight bytes each if `wide`, otherwise
    /// four. Reads at most `most` bytes.
    pub(super) fn numbers(
        self,
        stream: &mut Stream<'_>,
        skipped: usize,
        wide: bool,
        most: u64,
    ) -> Result<Vec<u64>> {
        stream
            .seek(SeekFrom::Start(self.start))
            .map_err(header_error)?;
        let bytes = stream.up_to(self.length.min(most)).map_err(header_error)?;
        let bytes = bytes.get(skipped..).unwrap_or_default();
        Ok(match wide {
            true => {
                let words = bytes.as_chunks().0.iter();
                words.map(|b| u64::from_be_bytes(*b)).collect()
            }
            false => {
                let words = bytes.as_chunks().0.iter();
                words.map(|b| u32::from_be_bytes(*b).into()).collect()
            }
        })
    }
}

/// Properties from the boxes of a track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Description {
    pub(crate) edit: Edit,
    /// Whether an edit list leaves out the end of the track.
    is_cut: bool,
    /// Kind of the track: `soun`, `vide` or another one.
    pub(crate) handler: [u8; 4],
    /// Sample entry of the track, if the track is sound.
    pub(crate) entry: Option<Entry>,
    /// Content of the box `stco` or `co64`: offsets of chunks.
    pub(crate) chunks: Extent,
    /// Whether the offsets of chunks have eight bytes (`co64`).
    pub(crate) wide_chunks: bool,
    /// Content of the box `stsc`: numbers of samples in chunks.
    pub(crate) runs: Extent,
    /// Content of the box `stsz`: sizes of samples.
    pub(crate) sizes: Extent,
    /// Content of the box `stts`: durations of samples.
    pub(crate) times: Extent,
    /// ID of the track with the names of the chapters (`chap` in the track references of QuickTime).
    pub(crate) chapters: Option<u32>,
}

/// Result of a walk over the boxes.
#[derive(Default)]
pub(crate) struct Facts {
    /// All tracks.
    pub(crate) tracks: Vec<Description>,
    /// Whether there is a box `ftyp`, which old QuickTime files do not have.
    pub(crate) has_type: bool,
    /// Patches for Symphonia. Boxes that it rejects if they are long (the video configurations of x265) get another
    /// type, and boxes that extend to the end of their parent get an explicit length.
    pub(crate) replaced: Vec<Replaced>,
    /// Positions of the boxes with tags.
    pub(crate) tags: Vec<Extent>,
    /// Whether the samples are in fragments (boxes `moof`).
    pub(crate) fragmented: bool,
    /// Description of the missing part if the file is shorter than its boxes state.
    pub(crate) loss: Option<String>,
}

/// State of a walk over the boxes.
#[derive(Default)]
struct Scan {
    facts: Facts,
    /// Number of boxes so far.
    boxes: usize,
    /// Total length of the `moov` boxes, in bytes.
    moov: u64,
    /// Timescale of the movie: ticks per second.
    movie_scale: u32,
    /// Length in bytes of the largest sample in the tables.
    largest_sample: u64,
    /// The current track.
    track: Description,
    /// Length of the current track's media, in ticks of the track; 0 if unknown.
    media_length: u64,
    /// Length that the edit list of the current track states, in ticks of the movie.
    segment: u64,
    /// Whether the current tag is `iTunSMPB`.
    is_gapless: bool,
    /// Delay and length in samples from `iTunSMPB`.
    gapless: Option<(u64, u64)>,
}

/// Walks over the boxes of a file, and decides on the length of each track.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file ends within a field that is read.
pub(crate) fn facts(stream: &mut Stream<'_>) -> Result<Facts> {
    let mut scan = scan(stream)?;
    scan.skip_delay();
    scan.forget_lengths();
    Ok(scan.facts)
}

/// Returns the memory in bytes for the tables and the largest sample of the file.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the tables or a sample are too large, or if the
/// file ends within a field that is read.
pub(crate) fn memory(stream: &mut Stream<'_>) -> Result<u64> {
    let scan = scan(stream)?;
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    if scan.moov > MAX_MOOV || scan.largest_sample > MAX_SAMPLE {
        return Err(bad(format!(
            "the MP4 file's tables are too large: a moov box of {} bytes, samples of {} bytes; {MAX_MOOV} and {MAX_SAMPLE} are supported",
            scan.moov, scan.largest_sample
        )));
    }
    let samples = if scan.facts.fragmented {
        stream.len().min(MAX_SAMPLE)
    } else {
        scan.largest_sample
    };
    // The bytes of the tables take their own size, and the parsed numbers twice as much.
    Ok(3 * scan.moov + samples)
}

fn scan(stream: &mut Stream<'_>) -> Result<Scan> {
    let mut scan = Scan::default();
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let end = stream.len();
    scan.walk(stream, 0, end, 0).map_err(header_error)?;
    Ok(scan)
}

impl Scan {
    /// Adds a patch of four bytes.
    fn replace(&mut self, offset: u64, bytes: [u8; 4]) {
        if self.facts.replaced.len() < MAX_REPLACED {
            self.facts.replaced.push((offset, bytes.to_vec()));
        }
    }

    /// Visits the boxes between two offsets.
    fn walk(
        &mut self,
        stream: &mut Stream<'_>,
        mut offset: u64,
        end: u64,
        depth: u32,
    ) -> io::Result<()> {
        while offset.saturating_add(8) <= end && self.boxes < MAX_BOXES {
            self.boxes += 1;
            let head = match Head::read(stream, offset) {
                // The box is shorter than its own head. The demultiplexer will report that.
                Err(err) if err.kind() == io::ErrorKind::InvalidData => return Ok(()),
                head => head?,
            };
            if let (None, true, Ok(len)) = (head.len, depth > 0, u32::try_from(end - offset)) {
                self.replace(offset, len.to_be_bytes());
            }
            offset = match head.len {
                Some(len) => head.start.saturating_add(len),
                None => end,
            };
            if offset > end {
                if depth == 0 {
                    self.facts.loss = cut_bytes(offset, end);
                }
                return Ok(());
            }
            self.visit(stream, &head.kind, offset, depth)?;
        }
        Ok(())
    }

    /// Visits a box: enters containers, reads known boxes, and skips all others.
    fn visit(
        &mut self,
        stream: &mut Stream<'_>,
        kind: &[u8; 4],
        end: u64,
        depth: u32,
    ) -> io::Result<()> {
        let start = stream.position();
        let extent = Extent {
            kind: *kind,
            start,
            length: end - start,
        };
        match kind {
            b"ftyp" if depth == 0 => self.facts.has_type = true,
            b"hdlr" if self.track.handler == [0; 4] => {
                self.track.handler = *stream.array::<12>()?.last_chunk().unwrap_or(&[0; 4]);
            }
            b"stco" | b"co64" => {
                self.track.wide_chunks = kind == b"co64";
                self.track.chunks = extent;
            }
            b"stsc" => self.track.runs = extent,
            b"stts" => self.track.times = extent,
            b"tref" if depth < 8 => self.walk(stream, start, end, depth + 1)?,
            b"chap" if end - start >= 4 => {
                self.track.chapters = Some(u32::from_be_bytes(stream.array()?));
            }
            // A `moov` box is only valid at the top level. Nested ones could recurse endlessly.
            b"moov" if depth == 0 => {
                self.moov += end - start;
                self.walk(stream, start, end, depth + 1)?;
            }
            b"moof" => self.facts.fragmented = true,
            b"trak" if depth < 8 => {
                self.track = Description::default();
                (self.media_length, self.segment) = (0, 0);
                self.walk(stream, start, end, depth + 1)?;
                self.end_track();
            }
            b"mdia" | b"minf" | b"stbl" | b"edts" if depth < 8 => {
                self.walk(stream, start, end, depth + 1)?
            }
            // The tags of the movie. `meta` begins with four bytes of version and flags, which the walk skips.
            b"udta" if depth == 1 => {
                self.facts.tags.push(extent);
                self.walk(stream, start, end, depth + 1)?;
            }
            b"meta" if depth <= 1 => self.facts.tags.push(extent),
            b"meta" if depth == 2 => self.walk(stream, start + 4, end, depth + 1)?,
            b"ilst" if depth == 3 => self.walk(stream, start, end, depth + 1)?,
            b"----" if depth == 4 => {
                self.is_gapless = false;
                self.walk(stream, start, end, depth + 1)?;
            }
            b"name" if depth == 5 => {
                let name = stream.up_to((end - start).min(MAX_TAG))?;
                self.is_gapless = name.ends_with(b"iTunSMPB");
            }
            b"data" if depth == 5 && self.is_gapless => {
                let data = stream.up_to((end - start).min(MAX_TAG))?;
                self.gapless = data.get(8..).and_then(gapless);
            }
            b"mvhd" => {
                let version = stream.array::<4>()?[0];
                stream.skip(if version == 1 { 16 } else { 8 })?;
                self.movie_scale = u32::from_be_bytes(stream.array()?);
            }
            b"tkhd" => {
                let version = stream.array::<4>()?[0];
                stream.skip(if version == 1 { 16 } else { 8 })?;
                self.track.edit.track = u32::from_be_bytes(stream.array()?);
            }
            b"mdhd" => self.media_header(stream)?,
            b"stsd" => self.sample_entry(stream, start, end)?,
            b"elst" => self.edit_list(stream)?,
            b"stsz" => {
                self.track.sizes = extent;
                self.sample_sizes(stream, end)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a media header: the time scale and the length of the media (`mdhd`, 8.4.2).
    fn media_header(&mut self, stream: &mut Stream<'_>) -> io::Result<()> {
        let version = stream.array::<4>()?[0];
        stream.skip(if version == 1 { 16 } else { 8 })?;
        self.track.edit.timescale = u32::from_be_bytes(stream.array()?);
        // All ones mean an unknown length (8.4.2).
        self.media_length = match version {
            1 => Some(u64::from_be_bytes(stream.array()?)).filter(|len| *len < u64::MAX),
            _ => Some(u32::from_be_bytes(stream.array()?))
                .filter(|len| *len < u32::MAX)
                .map(u64::from),
        }
        .unwrap_or(0);
        Ok(())
    }

    /// Reads the first sample entry of a table of them (`stsd`) between two offsets, and hides the configuration of a
    /// video codec.
    fn sample_entry(&mut self, stream: &mut Stream<'_>, start: u64, end: u64) -> io::Result<()> {
        let table = stream.up_to((end - stream.position()).min(4096))?;
        for name in [b"avcC", b"hvcC"] {
            let at = table.windows(4).position(|window| window == name);
            if let Some(at) = at {
                self.replace(start + at as u64, FREE);
            }
        }
        let pcm = matches!(table.get(12..16), Some(b"in24" | b"in32"));
        // A value of 1 in the QuickTime box `enda` means little-endian. Without that box, samples are
        // big-endian.
        let order = table.windows(6).find(|window| window.starts_with(b"enda"));
        self.track.entry = Entry::read(&table);
        self.track.edit.big_endian = pcm && order.is_none_or(|order| order[5] == 0);
        Ok(())
    }

    /// Reads the size of the largest sample from a table of sizes (`stsz`) that ends at an offset.
    fn sample_sizes(&mut self, stream: &mut Stream<'_>, end: u64) -> io::Result<()> {
        let head = stream.array::<12>()?;
        let size = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
        self.largest_sample = self.largest_sample.max(u64::from(size));
        if size == 0 {
            let table = stream.up_to((end - stream.position()).min(MAX_MOOV))?;
            let largest = table
                .as_chunks()
                .0
                .iter()
                .map(|b| u32::from_be_bytes(*b))
                .max();
            self.largest_sample = self.largest_sample.max(u64::from(largest.unwrap_or(0)));
        }
        Ok(())
    }

    /// Takes the first entry of the edit list that plays a part of the media, among the first 16 entries. Empty entries
    /// (start −1) only delay the track.
    fn edit_list(&mut self, stream: &mut Stream<'_>) -> io::Result<()> {
        let version = stream.array::<4>()?[0];
        let count = u32::from_be_bytes(stream.array()?);
        for _ in 0..count.min(16) {
            let (length, start) = if version == 1 {
                let length = u64::from_be_bytes(stream.array()?);
                (length, i64::from_be_bytes(stream.array()?))
            } else {
                let length = u32::from_be_bytes(stream.array()?);
                (
                    u64::from(length),
                    i64::from(i32::from_be_bytes(stream.array()?)),
                )
            };
            stream.skip(4)?;
            if let Ok(start) = u64::try_from(start) {
                (self.track.edit.skip, self.segment) = (start, length);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Decides on the length of a track, and adds the track to the result.
    fn end_track(&mut self) {
        let rest = self.media_length.saturating_sub(self.track.edit.skip);
        let (scale, movie) = (
            u128::from(self.track.edit.timescale),
            u128::from(self.movie_scale.max(1)),
        );
        let coarse = (u128::from(self.segment) * scale / movie) as u64;
        let tick = (scale / movie + 2) as u64;
        self.track.is_cut = self.segment > 0 && coarse.abs_diff(rest) > tick;
        self.track.edit.length = if self.track.is_cut {
            coarse.min(rest)
        } else {
            rest
        };
        self.facts.tracks.push(std::mem::take(&mut self.track));
    }

    /// Drops the lengths of tracks in a file with fragments, because they may cover only the part before the first
    /// fragment. A length that an edit list or `iTunSMPB` shortens is kept.
    fn forget_lengths(&mut self) {
        if self.facts.fragmented {
            let tracks = self.facts.tracks.iter_mut();
            for track in tracks.filter(|track| !track.is_cut) {
                track.edit.length = 0;
            }
        }
    }

    /// Applies delay and length from `iTunSMPB` to the first audio track. If an edit list already skips samples, it has
    /// priority.
    fn skip_delay(&mut self) {
        let mut tracks = self.facts.tracks.iter_mut();
        let Some(track) = tracks.find(|track| track.handler == *b"soun") else {
            return;
        };
        let edit = &mut track.edit;
        if let Some((delay, length)) = self.gapless
            && edit.skip == 0
            && delay < edit.length
        {
            track.is_cut = true;
            edit.skip = delay;
            edit.length = length.min(edit.length - delay);
        }
    }
}

/// Parses the text of `iTunSMPB`: its second number is the delay, and its fourth number the length.
fn gapless(text: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(text).ok()?;
    let mut numbers = text
        .split_ascii_whitespace()
        .map(|number| u64::from_str_radix(number, 16));
    let delay = numbers.nth(1)?.ok()?;
    let length = numbers.nth(1)?.ok().filter(|length| *length > 0)?;
    Some((delay, length))
}
