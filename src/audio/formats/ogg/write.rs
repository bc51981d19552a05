//! Vorbis in Ogg (Vorbis I, section A): pages, and the switching between long and short blocks. Mono and stereo.
//!
//! Long blocks compress well and smear every attack over 40 ms; short ones do neither. So attacks are looked for 64 samples
//! at a time in the difference signal, where high frequencies count, and a block with one in it is short. The window
//! of a block depends on the size of the next, so each waits until that is known; and the last packet waits until the end,
//! because its page says where the sound ends.

use crate::{
    audio::{
        codecs::vorbis::{block::Encoder, setup::setup},
        out::Out,
        sink::{Plan, Settings, Sink, sane},
        sound::pcm::{Block, Channels, Depth, Samples, Spec},
        tags::{Tags, comments},
    },
    containers::ogg,
    error::Result,
    job::Quality,
};
use rusty_vorbis::{BS0_LOG2, BS1_LOG2, write_ident_header};
use std::ops::RangeInclusive;

const LONG: i64 = 1 << BS1_LOG2;
const SHORT: i64 = 1 << BS0_LOG2;
/// Rates that the codebooks were made for.
const RATES: RangeInclusive<u32> = 8_000..=48_000;
/// Samples over which energy is measured, for finding attacks.
const PART: i64 = 64;
/// By how much the energy of a part has to exceed the average before it to count as an attack.
const ATTACK: f32 = 8.0;
/// Energy of a part whose pre-echo nobody hears.
const FLOOR: f32 = 1e-5 * PART as f32;
/// Nobody else shares the file, so any serial number will do.
const SERIAL: u32 = 0x766f_7262;

/// The closest description that the encoder can hold.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: if RATES.contains(&source.rate) {
            source.rate
        } else {
            source.rate.clamp(44_100, 48_000)
        },
        channels: match source.channels.count() {
            1 => Channels::MONO,
            _ => Channels::STEREO,
        },
        depth: Depth::Float,
    }))
}

/// Begins a file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Vorbis::new(
        out,
        settings.spec,
        settings.tags,
        settings.quality,
    )?))
}

/// An Ogg Vorbis file in the making.
pub(crate) struct Vorbis<'a> {
    out: Out<'a>,
    pages: ogg::Writer,
    encoder: Encoder,
    /// Samples of each channel from position `start` on.
    channels: Vec<Vec<f32>>,
    start: i64,
    frames: i64,
    attacks: Attacks,
    /// The middle of the next block, where its output ends, and whether it is long.
    middle: i64,
    long: bool,
    previous_long: bool,
    held: Option<Vec<u8>>,
    granule: i64,
}

impl<'a> Vorbis<'a> {
    pub(crate) fn new(out: Out<'a>, spec: Spec, tags: &Tags, quality: Quality) -> Result<Self> {
        let channels = spec.channels.count();
        let (setup, tables) = setup(channels)?;
        let mut vorbis = Self {
            out,
            pages: ogg::Writer::new(SERIAL),
            encoder: Encoder::new(tables, spec.rate, quality.pick(3.0, 6.0, 10.0))?,
            // Half a block of silence before the beginning.
            channels: vec![vec![0.0; LONG as usize]; channels],
            start: -LONG,
            frames: 0,
            attacks: Attacks::default(),
            middle: 0,
            // Some decoders lose the flat part of a first block that is long and has a short one after it.
            long: false,
            previous_long: false,
            held: None,
            granule: 0,
        };
        // The bit rate is not known before the end.
        let identification = write_ident_header(channels as u8, spec.rate, BS0_LOG2, BS1_LOG2, 0);
        vorbis.out.packet(&mut vorbis.pages, &identification, 0)?;
        vorbis.out.page(&mut vorbis.pages, ogg::FIRST)?;
        let mut header = b"\x03vorbis".to_vec();
        header.append(&mut comments::write(tags, true));
        header.push(1);
        vorbis.out.packet(&mut vorbis.pages, &header, 0)?;
        vorbis.out.packet(&mut vorbis.pages, &setup, 0)?;
        vorbis.out.page(&mut vorbis.pages, 0)?;
        Ok(vorbis)
    }

    /// Encodes the blocks whose samples and whose successor's size are known, up to the one that ends at or behind `until`.
    fn encode(&mut self, until: i64) -> Result<()> {
        while self.held.is_none() || self.granule < until {
            let half = if self.long { LONG / 2 } else { SHORT / 2 };
            // A long successor is the one that reaches furthest.
            let candidate = self.middle + half / 2 + LONG / 4;
            if candidate + LONG / 2 > self.start + self.channels[0].len() as i64 {
                return Ok(());
            }
            let calm = !self.attacks.any(candidate - LONG / 2, candidate + LONG / 2);
            self.block(calm)?;
        }
        Ok(())
    }

    /// Encodes the next block, knowing whether the one after it is long.
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
        // No later block reaches back to these samples.
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
                channel.push(sane(*x));
            }
            self.attacks.push(frame);
        }
        self.frames += block.frames() as i64;
        self.encode(i64::MAX)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        // Silence until a block ends behind the last sample, and its successor is known.
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
            // The position says where the sound ends, within the last block.
            self.out.packet(&mut self.pages, &held, self.frames)?;
            self.out.page(&mut self.pages, ogg::LAST)?;
        }
        self.out.finish()
    }
}

/// Where the sound is suddenly loud, in the upper band, where ears resolve time best.
#[derive(Default)]
struct Attacks {
    last: [f32; 2],
    energy: [f32; 2],
    count: i64,
    /// Moving average of the energy.
    before: [f32; 2],
    positions: std::collections::VecDeque<i64>,
}

impl Attacks {
    /// Takes a frame of one or two channels.
    fn push(&mut self, frame: &[f32]) {
        for ((last, energy), x) in self.last.iter_mut().zip(&mut self.energy).zip(frame) {
            let x = sane(*x);
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

    fn any(&self, from: i64, to: i64) -> bool {
        self.positions
            .iter()
            .any(|position| position + PART > from && *position < to)
    }

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
