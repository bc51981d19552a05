//! Decodes the blocks of WavPack, versions 4 and 5: lossless ones, and lossy ones without their correction file.
//!
//! Follows "WavPack 4 & 5 Binary File / Block Format" and, where that text is not precise, the reference decoder. It is
//! our own code because `oxideav-wavpack` 0.0.4 decodes mono files that were compressed with `-hx6` wrongly, rejects
//! floating-point samples in more than two channels and integers in lossy files, and takes twice the time. For 620
//! files in all modes of the reference encoder, every sample equals the reference decoder's.

mod bits;
mod extra;
mod header;
mod logs;
pub(crate) mod packets;
mod passes;
mod words;

pub(crate) use self::header::{Flags, HEADER, Header, MAGIC, MAX_BYTES, MAX_FRAMES, spec};
use self::{
    bits::Bits,
    extra::{Extra, Float, Long},
    header::Parts,
    logs::Logs,
    words::Words,
};

/// A decoder of blocks. No block depends on another.
pub(crate) struct WavPack {
    logs: Logs,
}

/// Identifiers of a block's sub-blocks.
mod part {
    pub(super) const TERMS: u8 = 2;
    pub(super) const WEIGHTS: u8 = 3;
    pub(super) const PAST: u8 = 4;
    pub(super) const MEDIANS: u8 = 5;
    pub(super) const RATES: u8 = 6;
    pub(super) const FLOAT: u8 = 8;
    pub(super) const LONG: u8 = 9;
    pub(super) const WORDS: u8 = 0xa;
    pub(super) const CORRECTION: u8 = 0xb;
    pub(super) const EXTRA: u8 = 0xc;
    pub(super) const LIMITED_EXTRA: u8 = 0x2c;
}

/// Returns whether a block belongs to a correction file, which completes a lossy file.
pub(crate) fn is_correction(body: &[u8]) -> bool {
    let has = |id| Parts(body).any(|part| part.0 == id);
    has(part::CORRECTION) && !has(part::WORDS)
}

impl WavPack {
    pub(crate) fn new() -> Self {
        Self { logs: Logs::new() }
    }

    /// Decodes the samples of a block: those of one channel, or interleaved pairs. Floating-point samples are returned
    /// as their bits.
    ///
    /// Errors: the reason why the block cannot be decoded. The samples are then undefined, and may be too few.
    pub(crate) fn decode(
        &self,
        header: &Header,
        body: &[u8],
        samples: &mut Vec<i32>,
    ) -> Result<(), &'static str> {
        samples.clear();
        let flags = header.flags;
        let mut passes = Vec::new();
        let mut words = Words::new(flags, &self.logs);
        let (mut main, mut extra, mut long, mut float) = (None, None, None, None);
        for (id, data) in Parts(body) {
            let is_good = match id {
                part::TERMS => {
                    let read = passes::read_terms(data, flags);
                    read.map(|read| passes = read).is_some()
                }
                part::WEIGHTS => passes::read_weights(&mut passes, data, flags).is_some(),
                part::PAST => {
                    // The oldest lossy blocks store the error terms of each channel first.
                    let is_oldest = header.version == 0x402 && flags.has(Flags::HYBRID);
                    let skipped = if is_oldest {
                        2 * flags.coded_channels()
                    } else {
                        0
                    };
                    let past = data.get(skipped..);
                    past.and_then(|past| passes::read_past(&mut passes, past, flags, &self.logs))
                        .is_some()
                }
                part::MEDIANS => words.read_medians(data).is_some(),
                part::RATES => words.read_rates(data).is_some(),
                part::FLOAT => {
                    float = Float::read(data);
                    float.is_some()
                }
                part::LONG => {
                    long = Long::read(data);
                    long.is_some()
                }
                part::WORDS => {
                    main = Some(Bits::new(data));
                    true
                }
                part::EXTRA | part::LIMITED_EXTRA => {
                    extra = Extra::new(data, id == part::LIMITED_EXTRA);
                    extra.is_some()
                }
                _ => true,
            };
            if !is_good {
                return Err("a part of it is malformed");
            }
        }
        let mut bits = main.ok_or("it has no samples")?;
        let channels = flags.coded_channels();
        let count = header.frames as usize * channels;
        samples.reserve(header.frames as usize * flags.channels());
        for at in 0..count {
            let word = words.next(&mut bits, at % channels);
            samples.push(word.ok_or("it ends early")?);
        }
        for pass in &mut passes {
            pass.run(samples, channels);
        }
        if checksum(samples, flags) != header.checksum {
            return Err("its checksum is wrong");
        }
        let mut shift = flags.shift();
        if flags.has(Flags::FLOAT) {
            let float = float.ok_or("the description of its floating-point samples is missing")?;
            float
                .restore(extra, samples)
                .ok_or("the checksum of its low bits is wrong")?;
        } else {
            if let Some(long) = long.filter(|_| flags.has(Flags::LONG)) {
                shift += long
                    .restore(extra, flags, samples)
                    .ok_or("the checksum of its low bits is wrong")?;
            }
            extra::finish(samples, flags, shift);
        }
        if channels < flags.channels() {
            double(samples);
        }
        Ok(())
    }
}

/// Undoes the joint stereo of sum and difference, and returns the checksum of all samples.
fn checksum(samples: &mut [i32], flags: Flags) -> u32 {
    let mut sum = u32::MAX;
    if flags.coded_channels() == 1 {
        for sample in samples {
            sum = sum.wrapping_mul(3).wrapping_add(*sample as u32);
        }
        return sum;
    }
    let is_joint = flags.has(Flags::JOINT);
    for [left, right] in samples.as_chunks_mut().0 {
        if is_joint {
            *right = right.wrapping_sub(*left >> 1);
            *left = left.wrapping_add(*right);
        }
        let both = (*left as u32).wrapping_mul(3).wrapping_add(*right as u32);
        sum = sum.wrapping_mul(9).wrapping_add(both);
    }
    sum
}

/// Duplicates each sample, for two equal channels.
fn double(samples: &mut Vec<i32>) {
    let count = samples.len();
    samples.resize(2 * count, 0);
    for at in (0..count).rev() {
        samples[2 * at] = samples[at];
        samples[2 * at + 1] = samples[at];
    }
}
