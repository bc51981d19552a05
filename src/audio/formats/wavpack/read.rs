//! Reads WavPack in sets: the blocks of one time span, which together have all channels. A set that cannot be decoded
//! or is missing is replaced by silence of the same length, and reported.

use super::blocks::{self, Facts};
use crate::{
    codecs::wavpack::{Flags, Header, MAX_BYTES, MAX_FRAMES, WavPack},
    damage::{cut_short, header_error, nothing_decoded},
    sound::pcm::{BLOCK_FRAMES, Block, Depth, Spec},
    source::{Opened, Source},
    stream::Stream,
    tags::id3,
};
use convertd_core::error::Result;
use std::io::{Seek, SeekFrom};

/// Message for a set of blocks that has fewer channels than the first set.
const INCOMPLETE: &str = "a block with the other channels is missing";

/// Returns the memory that a file needs in addition to the memory of every conversion, in bytes: for a packed block,
/// and for the samples of a set.
pub(crate) fn memory(stream: &mut Stream<'_>) -> Result<u64> {
    id3::pass(stream).map_err(header_error)?;
    let spec = Facts::find(stream)?.spec;
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let samples = spec.channels.count() as u64 * u64::from(MAX_FRAMES);
    Ok(2 * u64::from(MAX_BYTES) + 4 * samples)
}

/// Opens the sound of a file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let tags = id3::strip(&mut stream).map_err(header_error)?;
    let facts = Facts::find(&mut stream)?;
    let sets = Sets {
        stream,
        decoder: WavPack::new(),
        spec: facts.spec,
        begin: facts.begin,
        total: facts.total,
        body: Vec::new(),
        parts: Vec::new(),
        frames: 0,
        taken: 0,
        silence: 0,
        done: 0,
        count: SetCount::default(),
        losses: Vec::new(),
        is_over: false,
    };
    let mut opened = Opened::new(sets, tags);
    if facts.is_lossy {
        opened.remarks.push(
            "The file is the lossy part of hybrid WavPack; it was converted without its correction file (.wvc)."
                .into(),
        );
    }
    Ok(opened)
}

/// The samples of a block, which has one or two channels of the sound.
#[derive(Default)]
struct BlockSamples {
    channels: usize,
    samples: Vec<i32>,
}

/// Number of sets that were decoded, and of sets that could not be decoded.
#[derive(Default)]
struct SetCount {
    good: u64,
    damaged: u64,
    /// Position of the first damaged set, and the reason why it cannot be decoded.
    first_damage: Option<(u64, &'static str)>,
}

/// The sets of a file.
struct Sets<'a> {
    stream: Stream<'a>,
    decoder: WavPack,
    spec: Spec,
    /// Number of the first sample frame.
    begin: u64,
    /// Number of all sample frames, if it is known.
    total: Option<u64>,
    /// The last block, still packed.
    body: Vec<u8>,
    /// The blocks of the current set.
    parts: Vec<BlockSamples>,
    /// Number of sample frames in `parts`; 0 if silence takes the place of the set.
    frames: usize,
    /// Number of sample frames of `parts` that have been returned.
    taken: usize,
    /// Frames of silence before the decoded set.
    silence: u64,
    /// Sample frames so far, including silence.
    done: u64,
    count: SetCount,
    losses: Vec<String>,
    is_over: bool,
}

impl Sets<'_> {
    /// Decodes the next set. Returns false at the end.
    fn next(&mut self) -> Result<bool> {
        let (mut count, mut channels, mut fault) = (0, 0, None);
        let mut first: Option<Header> = None;
        loop {
            let Some(header) = blocks::next(&mut self.stream, &mut self.body)? else {
                return Ok(false);
            };
            if header.flags.has(Flags::FIRST) {
                // If the set before is incomplete, it is dropped, and silence takes its place.
                first = Some(header);
                (count, channels, fault) = (0, 0, None);
            }
            let Some(first) =
                first.filter(|first| (first.index, first.frames) == (header.index, header.frames))
            else {
                continue;
            };
            if self.parts.len() == count {
                self.parts.push(BlockSamples::default());
            }
            let part = &mut self.parts[count];
            part.channels = header.flags.channels();
            count += 1;
            channels += part.channels;
            if header.flags.depth() != self.spec.depth {
                fault = Some("the sample format of a block differs from that of the first block");
            } else if let Err(cause) = self.decoder.decode(&header, &self.body, &mut part.samples) {
                fault = Some(cause);
            }
            if header.flags.has(Flags::LAST) || channels >= self.spec.channels.count() {
                self.parts.truncate(count);
                let is_all = channels == self.spec.channels.count();
                self.schedule(&first, fault.or((!is_all).then_some(INCOMPLETE)));
                return Ok(true);
            }
        }
    }

    /// Schedules a set at its time, after silence for missing sets. A set with a fault becomes silence, too.
    fn schedule(&mut self, first: &Header, fault: Option<&'static str>) {
        let frames = u64::from(first.frames);
        let at = first.index.saturating_sub(self.begin);
        let left = match self.total {
            Some(total) => total.saturating_sub(self.done),
            None => u64::from(MAX_FRAMES),
        };
        let missing = at.saturating_sub(self.done);
        if missing > 0 {
            self.note("a block is missing");
            // A frame number beyond the end of the sound (or, if the end is unknown, far ahead) is damaged itself, so
            // the gap gets no silence.
            if missing + frames <= left {
                self.silence += missing;
                self.done += missing;
            }
        }
        let left = self
            .total
            .map_or(frames, |total| total.saturating_sub(self.done));
        let frames = frames.min(left);
        self.taken = 0;
        match fault {
            Some(cause) => {
                self.note(cause);
                self.silence += frames;
                self.frames = 0;
            }
            None => {
                self.count.good += 1;
                self.frames = frames as usize;
            }
        }
        self.done += frames;
    }

    /// Counts a damaged set.
    fn note(&mut self, cause: &'static str) {
        self.count.damaged += 1;
        self.count.first_damage.get_or_insert((self.done, cause));
    }

    /// Reports, at the end, the damaged and the missing parts.
    fn report_losses(&mut self) -> Result<()> {
        let rate = self.spec.rate;
        if self.count.good == 0 {
            let cause = self.count.first_damage.map(|(_, cause)| cause);
            return Err(nothing_decoded(
                cause.unwrap_or("it ends before its first block"),
            ));
        }
        if let Some((at, cause)) = self.count.first_damage.take() {
            self.losses.push(format!(
                "{} of its blocks cannot be decoded, the first at {:.2} s ({cause})",
                self.count.damaged,
                at as f64 / f64::from(rate)
            ));
        }
        let total = self.total.unwrap_or(0);
        self.losses.extend(cut_short(rate, total, self.done));
        Ok(())
    }

    /// Returns the interleaved samples of the set from frame `taken` to frame `end`.
    fn samples(&self, end: usize) -> impl Iterator<Item = i32> {
        let frames = self.taken..end;
        frames.flat_map(|frame| {
            let parts = self.parts.iter();
            parts.flat_map(move |part| {
                let at = frame * part.channels;
                part.samples[at..at + part.channels].iter().copied()
            })
        })
    }
}

impl Source for Sets<'_> {
    fn spec(&self) -> Spec {
        self.spec
    }

    fn frames(&self) -> Option<u64> {
        self.total
    }

    fn lossy(&self) -> bool {
        false
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        while self.silence == 0 && self.taken == self.frames {
            let is_all = self.total.is_some_and(|total| self.done >= total);
            if self.is_over || is_all || !self.next()? {
                self.is_over = true;
                self.report_losses()?;
                return Ok(false);
            }
        }
        if self.silence > 0 {
            let frames = self.silence.min(BLOCK_FRAMES as u64);
            block.silence(self.spec, frames as usize);
            self.silence -= frames;
            return Ok(true);
        }
        let end = self.frames.min(self.taken + BLOCK_FRAMES);
        let one = match &self.parts[..] {
            [part] => Some(&part.samples[self.taken * part.channels..end * part.channels]),
            _ => None,
        };
        match self.spec.depth {
            Depth::Int(_) => {
                let out = block.ints(self.spec);
                match one {
                    Some(samples) => out.extend_from_slice(samples),
                    None => out.extend(self.samples(end)),
                }
            }
            Depth::Float => {
                let out = block.floats(self.spec);
                out.extend(self.samples(end).map(|bits| f32::from_bits(bits as u32)));
            }
        }
        self.taken = end;
        Ok(true)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
