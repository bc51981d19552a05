//! Plays a track without Symphonia's demultiplexer: samples one after another (QuickTime's uncompressed sound, G.711),
//! packets of a fixed size (`ima4`), or frames that state their own length (AMR). Fragmented files are not supported.
//!
//! Symphonia's demultiplexer supports few of these tracks, and refuses the whole file if fields of a track's
//! description have unexpected values. This reader needs only the position and the length of each chunk. The trap is
//! the length: a "sample" of the tables is one sample frame. QuickTime counts in this way even if 64 sample frames form
//! a packet. The size in the tables is then 1, or the size of one channel.

use super::{boxes::Description, entry::Entry};
use crate::{
    codecs::{
        amr::{Amr, Band},
        decoder::{Decoder, packet},
        ima4::{self, Ima4},
        raw::Raw,
    },
    damage::{bad, header_error},
    sound::{
        channels::Channels,
        pcm::{BLOCK_FRAMES, Block, Depth, Spec},
    },
    source::Source,
    sources::track::Track,
    stream::Stream,
};
use convertd_core::error::Result;
use std::io::{Read, Seek, SeekFrom};

/// The bytes of a track, chunk by chunk.
pub(crate) struct Stored<'a> {
    stream: Stream<'a>,
    track: Track,
    /// Length in bytes, and number of sample frames, of the smallest unit: a sample frame or a packet. For
    /// AMR, a byte that counts as 16 sample frames.
    unit: (u64, u64),
    /// Positions in the file of the chunks that follow the current chunk.
    chunks: std::vec::IntoIter<u64>,
    /// Runs of chunks with the same number of samples, the last run first: the number of the first chunk, and the
    /// number of samples in each chunk.
    runs: Vec<(u64, u64)>,
    sizes: Sizes,
    /// Number of the current chunk, counted from 1.
    number: u64,
    /// Bytes of the current chunk that have not been read.
    left: u64,
    buffer: Vec<u8>,
    losses: Vec<String>,
    ended: bool,
}

/// The sizes of samples.
enum Sizes {
    Equal(u64),
    Table(std::vec::IntoIter<u64>),
}

/// A decoder, the description of its output, and the unit; see [`Stored`].
type Decoding = (Box<dyn Decoder>, Spec, (u64, u64));

/// Makes the decoder for a track; `None` if its samples are stored in another way.
fn decoder(entry: &Entry, rate: u32) -> Result<Option<Decoding>> {
    let count = u64::from(entry.channels);
    let channels = || Channels::of(entry.channels);
    Ok(if let Some(encoding) = entry.encoding() {
        let spec = Spec::new(rate, channels()?, encoding.depth())?;
        let unit = (u64::from(encoding.bytes()) * count, 1);
        Some((Box::new(Raw { encoding, spec }), spec, unit))
    } else if entry.kind == *b"ima4" {
        let spec = Spec::new(rate, channels()?, Depth::Int(16))?;
        let unit = (u64::from(ima4::BYTES) * count, u64::from(ima4::FRAMES));
        Some((Box::new(Ima4::new(spec)), spec, unit))
    } else if let Some(band) = speech(entry) {
        // A frame may be a single byte that stands for 320 samples. So a byte counts as 16 sample frames, which keeps
        // each read short.
        Some((Box::new(Amr::new(band)?), band.spec()?, (1, 16)))
    } else {
        None
    })
}

/// Returns the band of an AMR track: narrow or wide. `None` for other codecs.
fn speech(entry: &Entry) -> Option<Band> {
    match &entry.kind {
        b"samr" => Some(Band::Narrow),
        b"sawb" => Some(Band::Wide),
        _ => None,
    }
}

/// Returns whether this reader can play the track.
pub(crate) fn is_stored(entry: &Entry) -> bool {
    entry.encoding().is_some() || entry.kind == *b"ima4" || speech(entry).is_some()
}

impl<'a> Stored<'a> {
    /// Opens a track.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if its tables are missing or too large.
    pub(crate) fn new(mut stream: Stream<'a>, sound: &Description, entry: &Entry) -> Result<Self> {
        let edit = &sound.edit;
        let rate = match entry.rate {
            0 => edit.timescale,
            rate => rate,
        };
        let (decoder, spec, unit) = decoder(entry, rate)?
            .ok_or_else(|| bad("the codec of the sound track is not supported"))?;
        let rate = spec.rate;
        let is_lossy = entry.kind == *b"ima4" || speech(entry).is_some();
        let mut track = Track::new(decoder, spec, is_lossy);
        let scale =
            |ticks: u64| ticks.saturating_mul(u64::from(rate)) / u64::from(edit.timescale.max(1));
        track.cut(
            scale(edit.skip),
            (edit.length > 0).then(|| scale(edit.length)),
        );
        track.be_strict();
        let chunks = sound.chunks;
        let chunks = chunks.numbers(&mut stream, 8, sound.wide_chunks, u64::MAX)?;
        let runs = sound.runs.numbers(&mut stream, 8, false, u64::MAX)?;
        let sizes = sound.sizes.numbers(&mut stream, 4, false, u64::MAX)?;
        let mut sizes = sizes.into_iter();
        let (Some(size), Some(_)) = (sizes.next(), sizes.next()) else {
            return Err(bad("the sound track has no table of sizes (box \"stsz\")"));
        };
        let mut runs: Vec<_> = runs
            .as_chunks::<3>()
            .0
            .iter()
            .map(|run| (run[0], run[1]))
            .collect();
        runs.reverse();
        let sizes = match size {
            0 => Sizes::Table(sizes),
            size => Sizes::Equal(size),
        };
        let buffer_len = (BLOCK_FRAMES as u64).div_ceil(unit.1) * unit.0;
        Ok(Self {
            stream,
            track,
            unit,
            chunks: chunks.into_iter(),
            runs,
            sizes,
            number: 0,
            left: 0,
            buffer: vec![0; buffer_len as usize],
            losses: Vec::new(),
            ended: false,
        })
    }

    /// Goes to the next chunk. Returns false after the last chunk.
    fn next_chunk(&mut self) -> Result<bool> {
        let Some(start) = self.chunks.next() else {
            return Ok(false);
        };
        self.number += 1;
        while let [.., (first, _)] = self.runs.as_slice()
            && self.runs.len() > 1
            && self.runs[self.runs.len() - 2].0 <= self.number
            && *first <= self.number
        {
            self.runs.pop();
        }
        let samples = self.runs.last().map_or(0, |(_, samples)| *samples);
        let (unit, frames) = self.unit;
        let bytes = match &mut self.sizes {
            Sizes::Equal(size) if size.is_multiple_of(unit) => samples.saturating_mul(*size),
            Sizes::Equal(_) => (samples / frames).saturating_mul(unit),
            Sizes::Table(sizes) => {
                let samples = usize::try_from(samples).unwrap_or(usize::MAX);
                sizes.take(samples).fold(0, u64::saturating_add)
            }
        };
        self.left = bytes - bytes % unit;
        self.stream
            .seek(SeekFrom::Start(start))
            .map_err(header_error)?;
        Ok(true)
    }
}

impl Source for Stored<'_> {
    fn spec(&self) -> Spec {
        self.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        self.track.total()
    }

    fn lossy(&self) -> bool {
        self.track.lossy()
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        while self.left == 0 {
            if self.track.is_complete() || !self.next_chunk()? {
                self.ended = true;
                self.losses = self.track.finish()?;
                return Ok(false);
            }
        }
        let wanted = self.left.min(self.buffer.len() as u64);
        let mut bytes = std::mem::take(&mut self.buffer);
        bytes.clear();
        let read = self.stream.by_ref().take(wanted).read_to_end(&mut bytes);
        read.map_err(header_error)?;
        self.left -= wanted;
        if (bytes.len() as u64) < wanted {
            // If fewer bytes were read, the file has ended, and the remaining chunks are dropped.
            self.left = 0;
            self.chunks = Vec::new().into_iter();
        }
        let whole = bytes.len() as u64 / self.unit.0;
        let data = &bytes[..(whole * self.unit.0) as usize];
        if data.is_empty() {
            block.silence(self.track.spec(), 0);
        } else {
            self.track.push(&packet(data, whole * self.unit.1), block);
        }
        bytes.resize(bytes.capacity().max(wanted as usize), 0);
        self.buffer = bytes;
        Ok(true)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
