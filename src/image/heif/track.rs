//! Reads image sequences (ISO/IEC 23008-12, 7): a track whose samples are coded images, and a second track with their
//! alpha images. Only the first sample can be decoded alone; each of the others may depend on earlier ones.

use super::{
    fault::Fault,
    items::{self, Extents},
};
use convertd_core::{containers::bmff::Content, job::Input};
use std::time::Duration;

/// Largest number of samples of a track: three quarters of an hour at 24 samples per second.
const MAX_SAMPLES: usize = 1 << 16;

/// The pictures of a file, in their order.
#[derive(Debug)]
pub(crate) struct Sequence {
    pub(crate) colours: Track,
    pub(crate) alpha: Option<Track>,
    /// Whether the colours have been multiplied by alpha.
    pub(crate) premultiplied: bool,
    /// Number of times that it plays; `None` means endlessly.
    pub(crate) plays: Option<u32>,
}

/// A track: its samples, and the properties that a decoder needs.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The type and content of each box in its sample entry.
    pub(crate) properties: Vec<([u8; 4], Vec<u8>)>,
    /// The samples in their order, at least one.
    pub(crate) samples: Vec<Sample>,
}

impl Track {
    /// The content of all boxes of this type in the sample entry.
    pub(crate) fn named(&self, name: [u8; 4]) -> impl Iterator<Item = &[u8]> {
        let properties = self.properties.iter();
        properties
            .filter(move |(found, _)| *found == name)
            .map(|(_, content)| &content[..])
    }
}

/// A sample of the track: a coded image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Offset of its data in the file, in bytes.
    offset: u64,
    /// Length of its data in bytes.
    len: u64,
    /// The time for which it is displayed.
    pub(crate) delay: Duration,
}

impl Sample {
    pub(crate) fn extents(self) -> Extents {
        vec![(self.offset, self.len)]
    }
}

/// Contents of the boxes in a track that are used here (ISO/IEC 14496-12, 8.3 to 8.7).
#[derive(Clone, Copy, Default)]
struct Parts<'a> {
    /// `tkhd`: ID, duration and size.
    header: &'a [u8],
    /// `mdhd`: ticks in a second.
    media: &'a [u8],
    /// `elst`: repetition.
    edits: &'a [u8],
    /// `tref`: references to other tracks.
    references: &'a [u8],
    /// `hdlr`: kind of the track.
    handler: &'a [u8],
    /// `stsd`: sample entries, with the configuration of the decoder.
    descriptions: &'a [u8],
    /// `stco` or `co64`: offsets of chunks, which have 64 bits if `has_wide_chunks`.
    chunks: &'a [u8],
    has_wide_chunks: bool,
    /// `stsc`: number of samples in each chunk.
    runs: &'a [u8],
    /// `stsz`: lengths of samples.
    sizes: &'a [u8],
    /// `stts`: durations of samples.
    times: &'a [u8],
}

/// Finds the first track of pictures with this type of sample entry, and the track of its alpha images. `None` if the
/// file has no such track.
pub(crate) fn sequence(input: &mut dyn Input, kind: [u8; 4]) -> Result<Option<Sequence>, Fault> {
    let Some(head) = items::find(input, 0, *b"moov")? else {
        return Ok(None);
    };
    let movie = items::content(input, &head)?;
    let mut tracks = Vec::new();
    let mut boxes = Content(&movie);
    while let Some((name, track)) = boxes.next_box() {
        if &name == b"trak" {
            let mut parts = Parts::default();
            collect(track, &mut parts, 0);
            tracks.push(parts);
        }
    }
    let shown = tracks.iter().find_map(|parts| {
        let is_shown = matches!(parts.handler.get(8..12)?, b"pict" | b"vide");
        let track = is_shown.then(|| parts.track(kind))??;
        Some((parts, track))
    });
    let Some((parts, colours)) = shown else {
        return Ok(None);
    };
    let alpha_track = parts.id().and_then(|id| {
        tracks.iter().find_map(|other| {
            let is_alpha = other.handler.get(8..12)? == b"auxv" && other.refers(b"auxl", id);
            let track = is_alpha.then(|| other.track(kind))??;
            is_transparency(&track).then_some((other, track))
        })
    });
    let (alpha_parts, alpha) = alpha_track.unzip();
    Ok(Some(Sequence {
        premultiplied: alpha_parts
            .and_then(Parts::id)
            .is_some_and(|id| parts.refers(b"prem", id)),
        plays: parts.plays(),
        colours,
        alpha,
    }))
}

/// Returns whether an auxiliary track holds alpha images, or does not state its content.
fn is_transparency(track: &Track) -> bool {
    let stated = track.named(*b"auxi").next();
    stated.is_none_or(|content| items::names_alpha(content.get(4..).unwrap_or_default()))
}

impl Parts<'_> {
    /// The ID of the track (ISO/IEC 14496-12, 8.3.2).
    fn id(&self) -> Option<u64> {
        // Version and flags, then the times of creation and modification, precede the ID.
        let mut header = Content(self.header);
        let times = 2 * time_bytes(&mut header)?;
        header.take(times)?;
        header.number(4)
    }

    /// Returns whether the track has a reference of this type to another track (8.3.3).
    fn refers(&self, how: &[u8; 4], id: u64) -> bool {
        let mut references = Content(self.references);
        while let Some((name, Content(targets))) = references.next_box() {
            let mut targets = targets.as_chunks::<4>().0.iter();
            if &name == how && targets.any(|target| u64::from(u32::from_be_bytes(*target)) == id) {
                return true;
            }
        }
        false
    }

    /// Number of times that the track plays (8.6.6). If its edit list says that it is repeated, this is the duration of
    /// the track divided by the duration of one repetition. `None` means endlessly, also without an edit list.
    fn plays(&self) -> Option<u32> {
        let mut edits = Content(self.edits);
        let (version, flags) = edits.version()?;
        let mut header = Content(self.header);
        let bytes = time_bytes(&mut header)?;
        // The two times, the ID of the track, and a reserved field.
        header.take(2 * bytes + 8)?;
        let whole = header.number(bytes)?;
        edits.take(4)?;
        let part = edits.number(if version == 1 { 8 } else { 4 })?;
        let is_endless = whole >= u64::MAX >> (64 - 8 * bytes);
        match flags & 1 {
            0 => Some(1),
            _ if is_endless => None,
            _ => whole.checked_div(part)?.max(1).try_into().ok(),
        }
    }

    /// The samples of the track, if their entry has this type.
    fn track(&self, kind: [u8; 4]) -> Option<Track> {
        let mut descriptions = Content(self.descriptions.get(8..)?);
        let (name, mut entry) = descriptions.next_box()?;
        if name != kind {
            return None;
        }
        // Skips the fields at the beginning of every sample entry, and those of visual entries before and after width
        // and height (8.5.2 and 12.1.3).
        entry.take(8 + 16)?;
        let (width, height) = (entry.number(2)? as u32, entry.number(2)? as u32);
        entry.take(50)?;
        let mut properties = Vec::new();
        while let Some((name, content)) = entry.next_box() {
            properties.push((name, content.0.to_vec()));
        }
        let samples = self.samples();
        (!samples.is_empty()).then_some(Track {
            width,
            height,
            properties,
            samples,
        })
    }

    /// The samples of all chunks in order, without empty ones, up to the first sample that has no entry in the table of
    /// lengths or exceeds [`MAX_SAMPLES`].
    fn samples(&self) -> Vec<Sample> {
        let mut samples = Vec::new();
        let mut lens = SampleLengths::of(self.sizes);
        let mut runs = ChunkRuns::of(self.runs);
        let mut times = SampleDurations::of(self);
        let mut chunks = Content(self.chunks.get(8..).unwrap_or_default());
        let wide = if self.has_wide_chunks { 8 } else { 4 };
        while let Some(mut offset) = chunks.number(wide) {
            for _ in 0..runs.samples_of_next_chunk() {
                let Some(len) = lens.next().filter(|_| samples.len() < MAX_SAMPLES) else {
                    return samples;
                };
                let delay = times.next_delay();
                if len > 0 {
                    samples.push(Sample { offset, len, delay });
                }
                offset = offset.saturating_add(len);
            }
        }
        samples
    }
}

/// Reads the version of a box, and returns the length of its time fields in bytes.
fn time_bytes(content: &mut Content<'_>) -> Option<usize> {
    let (version, _) = content.version()?;
    Some(if version == 1 { 8 } else { 4 })
}

/// Iterates over the lengths of samples (8.7.3).
struct SampleLengths<'a> {
    /// Length of every sample in bytes, or 0 if each has its own.
    all: u64,
    /// Number of samples that follow.
    left: u64,
    each: Content<'a>,
}

impl<'a> SampleLengths<'a> {
    fn of(sizes: &'a [u8]) -> Self {
        let mut each = Content(sizes.get(4..).unwrap_or_default());
        Self {
            all: each.number(4).unwrap_or(0),
            left: each.number(4).unwrap_or(0),
            each,
        }
    }
}

impl Iterator for SampleLengths<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        match self.all {
            0 => self.each.number(4),
            all => Some(all),
        }
    }
}

/// Iterates over the numbers of samples in chunks (8.7.4). A run of chunks with equal numbers has one entry.
struct ChunkRuns<'a> {
    left: Content<'a>,
    /// Number of samples in each chunk of the current run.
    samples: u64,
    /// Number of the current chunk, from 1.
    chunk: u64,
    /// First chunk of the next run, and the number of samples of its chunks.
    next: Option<(u64, u64)>,
}

impl<'a> ChunkRuns<'a> {
    fn of(runs: &'a [u8]) -> Self {
        let mut found = Self {
            left: Content(runs.get(8..).unwrap_or_default()),
            samples: MAX_SAMPLES as u64,
            chunk: 0,
            next: None,
        };
        found.next = found.run();
        found
    }

    fn run(&mut self) -> Option<(u64, u64)> {
        let run = (self.left.number(4)?, self.left.number(4)?);
        self.left.number(4)?;
        Some(run)
    }

    fn samples_of_next_chunk(&mut self) -> u64 {
        self.chunk += 1;
        while let Some((_, samples)) = self.next.filter(|(first, _)| *first <= self.chunk) {
            self.samples = samples;
            self.next = self.run();
        }
        self.samples
    }
}

/// Iterates over the durations of samples (8.6.1.2). A run of samples with equal durations has one entry.
struct SampleDurations<'a> {
    left: Content<'a>,
    /// Ticks in a second, the unit of durations.
    ticks: u64,
    /// Number of samples that the current entry still covers.
    count: u64,
    /// Duration of each of these samples, in ticks.
    delta: u64,
}

impl<'a> SampleDurations<'a> {
    fn of(parts: &Parts<'a>) -> Self {
        let mut media = Content(parts.media);
        let ticks = time_bytes(&mut media).and_then(|bytes| {
            media.take(2 * bytes)?;
            media.number(4)
        });
        Self {
            left: Content(parts.times.get(8..).unwrap_or_default()),
            ticks: ticks.unwrap_or(0).max(1),
            count: 0,
            delta: 0,
        }
    }

    /// Returns the duration of the next sample. Samples beyond the end of the table have the duration of the last one.
    fn next_delay(&mut self) -> Duration {
        while self.count == 0 {
            let (Some(count), Some(delta)) = (self.left.number(4), self.left.number(4)) else {
                break;
            };
            (self.count, self.delta) = (count, delta);
        }
        self.count = self.count.saturating_sub(1);
        Duration::from_secs_f64(self.delta as f64 / self.ticks as f64)
    }
}

/// Collects the boxes of a track, also from the boxes nested in it. `depth` is the number of boxes around `boxes`
/// within the track.
fn collect<'a>(mut boxes: Content<'a>, parts: &mut Parts<'a>, depth: usize) {
    while let Some((name, content)) = boxes.next_box() {
        match &name {
            b"mdia" | b"minf" | b"stbl" | b"edts" if depth < 4 => {
                collect(content, parts, depth + 1);
            }
            b"tkhd" => parts.header = content.0,
            b"mdhd" => parts.media = content.0,
            b"elst" => parts.edits = content.0,
            b"tref" => parts.references = content.0,
            b"hdlr" if parts.handler.is_empty() => parts.handler = content.0,
            b"stsd" => parts.descriptions = content.0,
            b"stco" => parts.chunks = content.0,
            b"co64" => {
                parts.chunks = content.0;
                parts.has_wide_chunks = true;
            }
            b"stsc" => parts.runs = content.0,
            b"stsz" => parts.sizes = content.0,
            b"stts" => parts.times = content.0,
            _ => {}
        }
    }
}
