//! Writes Vorbis in Ogg (Vorbis I, section A), mono or stereo: the pages, and the choice between long and short blocks.
//! [`Encoder`] encodes the blocks.
//!
//! Long blocks compress well but spread every attack over 40 ms; short blocks compress less well but spread it less. So
//! the writer looks for attacks in the difference signal, which emphasises high frequencies, in steps of 64 samples,
//! and encodes the surroundings of an attack in short blocks. The trap: the window of a block depends on the size of
//! the next block, so each block waits until that is known. And the last packet waits until the end, because the
//! granule position of its page states where the sound ends.

use crate::{
    codecs::vorbis::{block::Encoder, setup::setup},
    ogg,
    out::Out,
    sink::{Plan, Settings, Sink, layout_among, sanitised},
    sound::{
        channels::LAYOUTS,
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::comments,
};
use convertd_core::error::Result;
use rusty_vorbis::{BS0_LOG2, BS1_LOG2, write_ident_header};
use std::ops::RangeInclusive;

/// The size of a long block in samples.
const LONG: i64 = 1 << BS1_LOG2;
/// The size of a short block in samples.
const SHORT: i64 = 1 << BS0_LOG2;
/// The sample rates for which the codebooks were made, in hertz.
const RATES: RangeInclusive<u32> = 8_000..=48_000;
/// Samples over which energy is measured to find attacks.
const PART: i64 = 64;
/// A part is an attack if its energy exceeds the average before it, times this factor, by more than [`FLOOR`].
const ATTACK: f32 = 8.0;
/// Energy of a part whose pre-echo is too weak to be heard.
const FLOOR: f32 = 1e-5 * PART as f32;
/// The serial number of the stream. Any number is valid, because the file has no other stream.
const SERIAL: u32 = 0x766f_7262;

/// Returns the sample rate and the channels for the encoder that are closest to those of the source. A rate outside of
/// [`RATES`] becomes 44.1 or 48 kHz.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: if RATES.contains(&source.rate) {
            source.rate
        } else {
            source.rate.clamp(44_100, 48_000)
        },
        channels: layout_among(&LAYOUTS[..2], source.channels)?,
        depth: Depth::Float,
    }))
}

/// Begins an Ogg Vorbis file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Vorbis::new(out, settings)?))
}

/// An Ogg Vorbis file that is being written.
pub(crate) struct Vorbis<'a> {
    out: Out<'a>,
    pages: ogg::Writer,
    encoder: Encoder,
    /// The samples of each channel that are still needed.
    channels: Vec<Vec<f32>>,
    /// The number, in the sound, of the first sample in `channels`.
    start: i64,
    /// The number of samples so far.
    frames: i64,
    attacks: Attacks,
    /// The middle of the next block, where its output ends.
    middle: i64,
    /// Whether the next block is long.
    long: bool,
    /// Whether the last encoded block was long.
    previous_long: bool,
    /// The last packet, which is not yet written.
    held: Option<Vec<u8>>,
    /// The position in the sound at the end of the last packet.
    granule: i64,
}

impl<'a> Vorbis<'a> {
    /// Writes the three headers of Vorbis, and prepares the encoder.
    pub(crate) fn new(out: Out<'a>, settings: &Settings<'_>) -> Result<Self> {
        let (spec, tags) = (settings.spec, settings.tags);
        let channels = spec.channels.count();
        let (setup, tables) = setup(channels)?;
        let mut vorbis = Self {
            out,
            pages: ogg::Writer::new(SERIAL),
            encoder: Encoder::new(
                tables,
                spec.rate,
                settings.pick(-6.0, 3.0, 6.0, 10.0) as f32,
            )?,
            // The first block reaches back before the beginning of the sound, where there is silence.
            channels: vec![vec![0.0; LONG as usize]; channels],
            start: -LONG,
            frames: 0,
            attacks: Attacks::default(),
            middle: 0,
            // Some decoders lose samples if the first block is long and the second short, so the first is short.
            long: false,
            previous_long: false,
            held: None,
            granule: 0,
        };
        // The bit rate is not known before the end; 0 stands for unknown.
        let identification = write_ident_header(channels as u8, spec.rate, BS0_LOG2, BS1_LOG2, 0);
        vorbis.out.packet(&mut vorbis.pages, &identification, 0)?;
        vorbis.out.page(&mut vorbis.pages, ogg::FIRST)?;
        let mut header = b"\x03vorbis".to_vec();
        header.append(&mut comments::write(tags, comments::Stream::Vorbis, None));
        header.push(1);
        vorbis.out.packet(&mut vorbis.pages, &header, 0)?;
        vorbis.out.packet(&mut vorbis.pages, &setup, 0)?;
        vorbis.out.page(&mut vorbis.pages, 0)?;
        Ok(vorbis)
    }

    /// Encodes the blocks whose samples have all arrived and whose successor's size is known, up to the first block
    /// that ends at `until` or later.
    fn encode(&mut self, until: i64) -> Result<()> {
        while self.held.is_none() || self.granule < until {
            let half = if self.long { LONG / 2 } else { SHORT / 2 };
            // The size of the block after this one is chosen as if that block were long, because a long block reaches
            // furthest.
            let candidate = self.middle + half / 2 + LONG / 4;
            if candidate + LONG / 2 > self.start + self.channels[0].len() as i64 {
                return Ok(());
            }
            let next_long = !self.attacks.any(candidate - LONG / 2, candidate + LONG / 2);
            self.block(next_long)?;
        }
        Ok(())
    }

    /// Encodes the next block. `next_long` says whether the block after it is long.
    fn block(&mut self, next_long: bool) -> Result<()> {
        let half = if self.long { LONG / 2 } else { SHORT / 2 };
        let from = (self.middle - half - self.start) as usize;
        let size = 2 * half as usize;
        let channels = self.channels.iter();
        let block: Vec<&[f32]> = channels
            .map(|channel| &channel[from..from + size])
            .collect();
        let packet = self.encoder.encode(&block, self.previous_long, next_long)?;
        if let Some(held) = self.held.replace(packet) {
            self.out.packet(&mut self.pages, &held, self.granule)?;
            if self.pages.is_full() {
                self.out.page(&mut self.pages, 0)?;
            }
        }
        self.granule = self.middle;
        let next_half = if next_long { LONG / 2 } else { SHORT / 2 };
        self.middle += (half + next_half) / 2;
        self.previous_long = self.long;
        self.long = next_long;
        // Drops samples that no later block needs.
        let done = (self.middle - LONG / 2 - self.start).max(0) as usize;
        for channel in &mut self.channels {
            channel.drain(..done);
        }
        self.start += done as i64;
        self.attacks.forget(self.start);
        Ok(())
    }
}

impl Sink for Vorbis<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        let Samples::Float(samples) = &block.samples else {
            return Ok(());
        };
        for frame in samples.chunks_exact(self.channels.len()) {
            for (channel, x) in self.channels.iter_mut().zip(frame) {
                channel.push(sanitised(*x));
            }
            self.attacks.push(frame);
        }
        self.frames += block.frames() as i64;
        self.encode(i64::MAX)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        // Appends silence until a block ends after the last sample and the size of its successor is known.
        while self.granule < self.frames || self.held.is_none() {
            for channel in &mut self.channels {
                channel.resize(channel.len() + LONG as usize, 0.0);
            }
            self.encode(self.frames)?;
        }
        if !self.pages.is_empty() {
            self.out.page(&mut self.pages, 0)?;
        }
        if let Some(held) = self.held.take() {
            // This granule position, within the last block, states where the sound ends.
            self.out.packet(&mut self.pages, &held, self.frames)?;
            self.out.page(&mut self.pages, ogg::LAST)?;
        }
        self.out.finish()
    }
}

/// Finds attacks: positions at which the sound suddenly becomes loud at high frequencies, where the ear resolves time
/// best.
#[derive(Default)]
struct Attacks {
    /// The last sample of each channel.
    last: [f32; 2],
    /// The energy of the current part in each channel.
    energy: [f32; 2],
    /// The number of samples so far.
    count: i64,
    /// A moving average of the energy of each channel.
    before: [f32; 2],
    /// The beginnings of parts that are attacks.
    positions: std::collections::VecDeque<i64>,
}

impl Attacks {
    /// Takes one sample of each channel.
    fn push(&mut self, frame: &[f32]) {
        for ((last, energy), x) in self.last.iter_mut().zip(&mut self.energy).zip(frame) {
            let x = sanitised(*x);
            *energy += (x - *last).powi(2);
            *last = x;
        }
        self.count += 1;
        if self.count % PART == 0 {
            let mut attack = false;
            for channel in 0..2 {
                let energy = std::mem::take(&mut self.energy[channel]);
                attack |= energy > ATTACK * self.before[channel] + FLOOR;
                self.before[channel] = 0.7 * self.before[channel] + 0.3 * energy;
            }
            if attack {
                self.positions.push_back(self.count - PART);
            }
        }
    }

    /// Returns whether an attack lies between two positions.
    fn any(&self, from: i64, to: i64) -> bool {
        self.positions
            .iter()
            .any(|position| position + PART > from && *position < to)
    }

    /// Drops attacks before a position.
    fn forget(&mut self, before: i64) {
        while self
            .positions
            .front()
            .is_some_and(|position| position + PART <= before)
        {
            self.positions.pop_front();
        }
    }
}
