//! Decodes GSM full rate speech (ETSI EN 300 961, GSM 06.10) as Microsoft packs it. `crate::formats` reads the
//! containers.
//!
//! A frame is 20 ms: 160 samples in 260 bits. Eight log-area ratios describe a filter, the vocal tract. Each of four
//! subframes of 40 samples describes the input of the filter: every third sample has a coded pulse (regular pulse
//! excitation), and the input of one pitch period earlier is added, times a gain (long term prediction). The
//! specification defines every operation on 16-bit integers, so that all decoders give the same samples; the names and
//! the order of operations here are those of the specification (section 5.3). Microsoft packs two frames in 65 bytes,
//! beginning at the lowest bit of each byte.

use super::decoder::Decoder;
use crate::sound::pcm::{Block, Spec};
use convertd_core::coding::bits::LsbReader;
use symphonia::core::{codecs::audio::AudioCodecId, common::FourCc, packet::PacketRef};

/// Identifier of the codec. Symphonia has none for it.
pub(crate) const CODEC_ID_GSM_MS: AudioCodecId = AudioCodecId::new(FourCc::new(*b"gsm1"));
/// Bytes of a block of two frames.
pub(crate) const BYTES: u32 = 65;
/// Samples of a block.
pub(crate) const FRAMES: u32 = 320;

/// The largest lag of the long term prediction in samples.
const MAX_LAG: usize = 120;
/// Samples of a subframe.
const SUBFRAME: usize = 40;

/// Bits of each log-area ratio, and the constants of its decoding: B, MIC and INVA (table 4.1).
const RATIOS: [(u32, i16, i16, i16); 8] = [
    (6, 0, -32, 13107),
    (6, 0, -32, 13107),
    (5, 2048, -16, 13107),
    (5, -2560, -16, 13107),
    (4, 94, -8, 19223),
    (4, -1792, -8, 17476),
    (3, -341, -4, 31454),
    (3, -1144, -4, 29708),
];
/// Gains of the long term prediction (QLB, table 4.3b).
const GAINS: [i16; 4] = [3277, 11469, 21299, 32767];
/// Mantissas of the pulses' scale (FAC, table 4.6).
const MANTISSAS: [i16; 8] = [18431, 20479, 22527, 24575, 26623, 28671, 30719, 32767];

/// A decoder for blocks of two frames of one channel.
pub(crate) struct Gsm {
    spec: Spec,
    /// The excitation of the last 120 samples (drp).
    past: [i16; MAX_LAG],
    /// The last lag that was valid (nrp).
    lag: usize,
    /// The log-area ratios of the last frame (LARpp).
    ratios: [i16; 8],
    /// The memory of the short term synthesis filter (v).
    memory: [i16; 9],
    /// The last sample of the deemphasis (msr).
    last: i16,
}

impl Gsm {
    /// Makes a decoder. The depth in `spec` must be 16 bits.
    pub(crate) fn new(spec: Spec) -> Self {
        Self {
            spec,
            past: [0; MAX_LAG],
            lag: SUBFRAME,
            ratios: [0; 8],
            memory: [0; 9],
            last: 0,
        }
    }

    /// Decodes a frame of 160 samples: log-area ratios, four subframes of excitation, and the synthesis filter.
    fn frame(&mut self, bits: &mut LsbReader<'_>, samples: &mut Vec<i32>) {
        let ratios = RATIOS.map(|(width, b, mic, inva)| {
            let ratio = (bits.take(width) as i16 + mic) << 10;
            let ratio = product(inva, ratio.saturating_sub(b << 1));
            ratio.saturating_add(ratio)
        });
        let mut excitation = [0; 4 * SUBFRAME];
        for part in excitation.as_chunks_mut().0 {
            self.subframe(bits, part);
        }
        let before = std::mem::replace(&mut self.ratios, ratios);
        // The filter of the last frame changes to the filter of this frame in three steps (section 5.3.2).
        for (range, weigh) in [
            (0..13, (|b, c| mean(b, c, b)) as fn(i16, i16) -> i16),
            (13..27, |b, c| (b >> 1).saturating_add(c >> 1)),
            (27..40, |b, c| mean(b, c, c)),
            (40..160, |_, c| c),
        ] {
            let filter = std::array::from_fn(|i| reflection(weigh(before[i], ratios[i])));
            for sample in &excitation[range] {
                samples.push(self.synthesise(&filter, *sample).into());
            }
        }
    }

    /// Decodes the excitation of a subframe.
    fn subframe(&mut self, bits: &mut LsbReader<'_>, part: &mut [i16; SUBFRAME]) {
        let lag = bits.take(7) as usize;
        if (SUBFRAME..=MAX_LAG).contains(&lag) {
            self.lag = lag;
        }
        let gain = GAINS[bits.take(2) as usize];
        let grid = bits.take(2) as usize;
        let (exponent, mantissa) = scale(bits.take(6) as i16);
        let shift = 6 - exponent;
        let half = if shift > 0 { 1 << (shift - 1) } else { 0 };
        *part = [0; SUBFRAME];
        for at in 0..13 {
            let pulse = ((bits.take(3) as i16 * 2) - 7) << 12;
            let pulse = product(MANTISSAS[mantissa], pulse).saturating_add(half);
            part[grid + 3 * at] = pulse >> shift;
        }
        for (at, sample) in part.iter_mut().enumerate() {
            // The lag is at least as long as the subframe, so the earlier samples are complete.
            let before = self.past[MAX_LAG - self.lag + at];
            *sample = sample.saturating_add(product(gain, before));
        }
        self.past.copy_within(SUBFRAME.., 0);
        self.past[MAX_LAG - SUBFRAME..].copy_from_slice(part);
    }

    /// Filters a sample of the excitation (section 5.3.3), and undoes the emphasis of high frequencies (section 5.3.5).
    fn synthesise(&mut self, filter: &[i16; 8], mut sample: i16) -> i16 {
        for (at, coefficient) in filter.iter().enumerate().rev() {
            sample = sample.saturating_sub(product(*coefficient, self.memory[at]));
            self.memory[at + 1] = self.memory[at].saturating_add(product(*coefficient, sample));
        }
        self.memory[0] = sample;
        self.last = sample.saturating_add(product(self.last, 28180));
        // The specification defines output samples of 13 bits, so the lowest three bits are cleared.
        self.last.saturating_add(self.last) & !7
    }
}

impl Decoder for Gsm {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        if packet.data.len() != BYTES as usize {
            return Err("a block is cut short".to_owned());
        }
        let samples = block.ints(self.spec);
        samples.reserve(FRAMES as usize);
        let mut bits = LsbReader::new(packet.data);
        for _ in 0..2 {
            self.frame(&mut bits, samples);
        }
        Ok(())
    }
}

/// The product of two fractions, rounded (mult_r, section 5.1).
fn product(a: i16, b: i16) -> i16 {
    let product = (i32::from(a) * i32::from(b) + 0x4000) >> 15;
    product.min(i16::MAX.into()) as i16
}

/// The sum of a quarter of `a`, a quarter of `b`, and a half of `third`.
fn mean(a: i16, b: i16, third: i16) -> i16 {
    (a >> 2).saturating_add(b >> 2).saturating_add(third >> 1)
}

/// The exponent and the mantissa of the pulses' scale (section 5.2.15).
fn scale(coded: i16) -> (i16, usize) {
    let mut exponent = if coded > 15 { (coded >> 3) - 1 } else { 0 };
    let mut mantissa = coded - (exponent << 3);
    if mantissa == 0 {
        return (-4, 7);
    }
    while mantissa <= 7 {
        mantissa = mantissa << 1 | 1;
        exponent -= 1;
    }
    (exponent, mantissa as usize - 8)
}

/// The reflection coefficient of a log-area ratio (section 5.3.2).
fn reflection(ratio: i16) -> i16 {
    let size = ratio.saturating_abs();
    let found = match size {
        ..11059 => size << 1,
        11059..20070 => size + 11059,
        20070.. => (size >> 2).saturating_add(26112),
    };
    if ratio < 0 { -found } else { found }
}
