//! Encodes FLAC frames (RFC 9639, section 9): the header, and the choice of the stereo mode. No frame depends on
//! another, so threads can encode them in parallel with the same result.
//!
//! A stereo frame can be written as left and right, left and side, side and right, or mid and side. At the highest
//! effort, all four signals are encoded and the cheapest pair is kept. Otherwise the pair is chosen in advance by the
//! sums of second differences, because residuals resemble second differences.

use super::{
    bits::Writer,
    subframe::{Chooser, Effort, Subframe},
};
use crate::sound::pcm::{Depth, Spec};
use convertd_core::coding::crc::crc8;

/// The block size: samples of each channel in a frame. The last frame may have fewer.
pub(crate) const BLOCK: usize = 4096;

/// Encodes the frames of one stream, in any order.
#[derive(Clone)]
pub(crate) struct Encoder {
    effort: Effort,
    chooser: Chooser,
    channels: usize,
    bits: u32,
    rate: u32,
    planes: Vec<Vec<i32>>,
}

impl Encoder {
    pub(crate) fn new(spec: Spec, effort: Effort) -> Self {
        let bits = match spec.depth {
            Depth::Int(bits) => bits,
            Depth::Float => 24,
        };
        Self {
            effort,
            chooser: Chooser::new(effort),
            channels: spec.channels.count(),
            bits,
            rate: spec.rate,
            planes: Vec::new(),
        }
    }

    /// Encodes a frame of interleaved samples, at most [`BLOCK`] in each channel.
    pub(crate) fn encode(&mut self, samples: &[i32], number: u64) -> Vec<u8> {
        let channels = self.channels;
        let mut planes = std::mem::take(&mut self.planes);
        planes.resize_with(channels + 2, Vec::new);
        for (channel, plane) in planes.iter_mut().take(channels).enumerate() {
            plane.clear();
            plane.extend(samples.iter().skip(channel).step_by(channels));
        }
        let frames = samples.len() / channels;
        // 32-bit samples get no side channel, because it would have 33 bits, more than an `i32` holds.
        let (assignment, subframes) = if channels == 2 && self.bits < 32 {
            let (left, rest) = planes.split_at_mut(1);
            let (right, rest) = rest.split_at_mut(1);
            let (middle, side) = rest.split_at_mut(1);
            let (middle, side) = (&mut middle[0], &mut side[0]);
            middle.clear();
            side.clear();
            middle.extend(left[0].iter().zip(&right[0]).map(|(l, r)| (l + r) >> 1));
            side.extend(left[0].iter().zip(&right[0]).map(|(l, r)| l - r));
            self.stereo([&left[0], &right[0], middle, side])
        } else {
            let bits = self.bits;
            let all = planes
                .iter()
                .take(channels)
                .map(|plane| self.chooser.choose(plane, bits));
            (channels as u32 - 1, all.collect())
        };
        let widths = match assignment {
            8 | 10 => [self.bits, self.bits + 1],
            9 => [self.bits + 1, self.bits],
            _ => [self.bits; 2],
        };
        let signals: Vec<usize> = match assignment {
            8 => vec![0, 3],
            9 => vec![3, 1],
            10 => vec![2, 3],
            _ => (0..channels).collect(),
        };
        let mut writer = Writer::default();
        self.header(&mut writer, frames, assignment, number);
        for (i, (subframe, signal)) in subframes.iter().zip(signals).enumerate() {
            let width = widths[i.min(1)];
            subframe.write(&mut writer, &planes[signal], width);
        }
        self.planes = planes;
        writer.finish()
    }

    /// Chooses which two of left, right, mid and side to write. Returns the code of the channel assignment, and the two
    /// subframes.
    fn stereo(&mut self, signals: [&[i32]; 4]) -> (u32, Vec<Subframe>) {
        // Each code of the channel assignment, and the indices of the two signals that it stores.
        const WAYS: [(u32, usize, usize); 4] = [(1, 0, 1), (8, 0, 3), (9, 3, 1), (10, 2, 3)];
        let bits = self.bits;
        let width = |signal: usize| bits + u32::from(signal == 3);
        let best = |cost: &dyn Fn(usize) -> u64| {
            let ways = WAYS.iter().min_by_key(|(_, a, b)| cost(*a) + cost(*b));
            ways.copied().unwrap_or(WAYS[0])
        };
        if self.effort.all_stereo {
            let widths: Vec<u32> = (0..4).map(width).collect();
            let mut all: Vec<Option<Subframe>> = Vec::new();
            for (signal, width) in signals.iter().zip(widths) {
                all.push(Some(self.chooser.choose(signal, width)));
            }
            let cost = |i: usize| all[i].as_ref().map_or(0, |subframe| subframe.cost);
            let (code, first, second) = best(&cost);
            let chosen = [first, second]
                .into_iter()
                .filter_map(|i| all[i].take())
                .collect();
            (code, chosen)
        } else {
            let costs = signals.map(second_difference);
            let (code, first, second) = best(&|i| costs[i]);
            let widths = [width(first), width(second)];
            let first = self.chooser.choose(signals[first], widths[0]);
            let second = self.chooser.choose(signals[second], widths[1]);
            (code, vec![first, second])
        }
    }

    /// Writes the frame header (RFC 9639, section 9.1). A sample rate without a code is stated in hertz before the
    /// CRC-8 if it fits into 16 bits, and otherwise only in STREAMINFO.
    fn header(&self, writer: &mut Writer, frames: usize, assignment: u32, number: u64) {
        let size = if frames == BLOCK { 12 } else { 7 };
        let (rate, rate_bits) = match self.rate {
            88_200 => (1, 0),
            176_400 => (2, 0),
            192_000 => (3, 0),
            8_000 => (4, 0),
            16_000 => (5, 0),
            22_050 => (6, 0),
            24_000 => (7, 0),
            32_000 => (8, 0),
            44_100 => (9, 0),
            48_000 => (10, 0),
            96_000 => (11, 0),
            rate if rate < 1 << 16 => (13, 16),
            _ => (0, 0),
        };
        let depth = match self.bits {
            8 => 1,
            12 => 2,
            16 => 4,
            20 => 5,
            24 => 6,
            32 => 7,
            _ => 0,
        };
        writer.put(0xfff8, 16);
        writer.put(size << 4 | rate, 8);
        writer.put(assignment << 4 | depth << 1, 8);
        writer.number(number);
        if size == 7 {
            writer.put(frames as u32 - 1, 16);
        }
        if rate_bits > 0 {
            writer.put(self.rate, rate_bits);
        }
        writer.align();
        writer.put(u32::from(crc8(&writer.bytes)), 8);
    }
}

/// The sum of the magnitudes of second differences, a rough measure of how many bits a signal takes.
fn second_difference(signal: &[i32]) -> u64 {
    let difference = |w: &[i32]| w[2].wrapping_sub(w[1].wrapping_mul(2)).wrapping_add(w[0]);
    signal
        .windows(3)
        .map(|w| u64::from(difference(w).unsigned_abs()))
        .sum()
}
