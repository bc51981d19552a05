//! The audio blocks of a frame (A/52, 5.3.3): their side information and their coefficients. A block may reuse side
//! information of the previous block; the first block of a frame must contain its own.

use super::{
    allocation::{Segment, Shape},
    channel::{Channel, DAMAGED},
    coupling::Coupling,
    header::Header,
};
use convertd_core::coding::bits::MsbReader;
use std::ops::Range;

/// Index of the low-frequency channel, after the full-bandwidth channels.
pub(super) const LOW: usize = 5;
/// Index of the coupling channel, which carries the shared high frequencies of several channels.
pub(super) const COUPLING: usize = 6;

/// Exponent strategies of a block: 0 reuses the exponents of the block before; any other n means new exponents, each
/// for 2ⁿ⁻¹ coefficients.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strategies {
    /// Strategy of the coupling channel.
    pub(super) coupling: u32,
    /// Strategies of the full-bandwidth channels.
    pub(super) full: [u32; LOW],
    /// Strategy of the low-frequency channel: reuse, or an exponent for each coefficient.
    pub(super) low: u32,
}

/// The state that is kept from block to block of a frame.
pub(super) struct Blocks {
    /// Header of the frame.
    pub(super) header: Header,
    /// The full-bandwidth channels, the low-frequency channel (`LOW`) and the coupling channel (`COUPLING`).
    pub(super) channels: [Channel; 7],
    /// The parameters of coupling, if channels are coupled.
    pub(super) coupling: Option<Coupling>,
    /// Rematrixing flags: the bands in which left and right are coded as sum and difference (A/52, 7.5).
    pub(super) sums: [bool; 4],
    /// Dynamic range gain of each program (A/52, 7.7.1).
    gains: [f32; 2],
    /// State of the random generator for dither.
    pub(super) seed: u32,
}

impl Blocks {
    /// Starts a frame. `seed` is the state of the random generator after the previous frame.
    pub(super) fn new(header: Header, seed: u32) -> Self {
        let mut channels = std::array::from_fn(|_| Channel::new());
        for channel in &mut channels {
            channel.terms.rate_code = header.rate_code;
        }
        channels[LOW].terms.is_low = true;
        // The low-frequency channel always has 7 coefficients.
        channels[LOW].end = 7;
        Self {
            header,
            channels,
            coupling: None,
            sums: [false; 4],
            gains: [1.0; 2],
            seed,
        }
    }

    /// Applies the dynamic range gain to the coefficients of a channel in the last block. Must be called once for each
    /// block.
    pub(super) fn amplified(&mut self, at: usize) -> &Channel {
        let is_second_program = self.header.mode == 0 && at == 1;
        let gain = self.gains[usize::from(is_second_program)];
        let channel = &mut self.channels[at];
        for coefficient in &mut channel.coefficients {
            *coefficient *= gain;
        }
        channel
    }

    /// Reads the next block: its side information, then the coefficients of all channels.
    pub(super) fn next(
        &mut self,
        bits: &mut MsbReader<'_>,
        is_first: bool,
    ) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        // Block switch flags, then dither flags.
        for channel in &mut self.channels[..full] {
            channel.is_short = bits.flag();
        }
        for channel in &mut self.channels[..full] {
            channel.has_noise = bits.flag();
        }
        self.read_gains(bits);
        if bits.flag() {
            self.read_coupling(bits)?;
        } else if is_first {
            return Err(DAMAGED);
        }
        if let Some(coupling) = &mut self.coupling {
            coupling.read_coordinates(bits, &mut self.channels[..full]);
        }
        // Rematrixing exists only in stereo, below the coupled frequencies.
        if self.header.mode == 2 && bits.flag() {
            let count = match self.coupling.as_ref().map(|coupling| coupling.first) {
                None | Some(3..) => 4,
                Some(0) => 2,
                Some(_) => 3,
            };
            for flag in &mut self.sums[..count] {
                *flag = bits.flag();
            }
        }
        let strategies = self.read_strategies(bits);
        self.read_exponents(bits, &strategies)?;
        self.read_allocation(bits, is_first)?;
        pass_skipped(bits);
        self.read_coefficients(bits, 0);
        self.decouple();
        self.part_sums();
        Ok(())
    }

    /// Reads the dynamic range gain of each program. Without a new gain the previous one stays.
    pub(super) fn read_gains(&mut self, bits: &mut MsbReader<'_>) {
        let programs = if self.header.mode == 0 { 2 } else { 1 };
        for gain in &mut self.gains[..programs] {
            if bits.flag() {
                *gain = dynamic_range(bits);
            }
        }
    }

    /// Reads which channels are coupled, and the parameters of coupling (A/52, 5.4.3.7 to 5.4.3.13).
    fn read_coupling(&mut self, bits: &mut MsbReader<'_>) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        self.coupling = None;
        let is_used = bits.flag();
        for channel in &mut self.channels[..full] {
            channel.is_coupled = is_used && bits.flag();
        }
        if !is_used {
            return Ok(());
        }
        // Mono and dual mono (modes below 2) have no channels that could share a spectrum.
        if self.header.mode < 2 {
            return Err(DAMAGED);
        }
        let (coupling, range) = Coupling::read(bits, self.header.mode == 2, None, None)?;
        self.couple(coupling, range);
        Ok(())
    }

    /// Begins coupling with these parameters, over this range of coefficients.
    pub(super) fn couple(&mut self, coupling: Coupling, range: Range<usize>) {
        let channel = &mut self.channels[COUPLING];
        (channel.begin, channel.end) = (range.start, range.end);
        channel.is_stale = true;
        self.coupling = Some(coupling);
    }

    /// Reads the exponent strategy of each channel: how many coefficients share an exponent.
    fn read_strategies(&self, bits: &mut MsbReader<'_>) -> Strategies {
        let mut strategies = Strategies::default();
        if self.coupling.is_some() {
            strategies.coupling = bits.take(2);
        }
        for strategy in &mut strategies.full[..self.header.full_channels()] {
            *strategy = bits.take(2);
        }
        if self.header.has_low {
            strategies.low = bits.take(1);
        }
        strategies
    }

    /// Reads the exponents (A/52, 7.1) of the channels whose strategy is not reuse, in the order of the stream: the
    /// bandwidths of the full-bandwidth channels, then the exponents of the coupling channel, the full-bandwidth
    /// channels and the low-frequency channel.
    pub(super) fn read_exponents(
        &mut self,
        bits: &mut MsbReader<'_>,
        strategies: &Strategies,
    ) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        let coupled_from = self.channels[COUPLING].begin;
        for (channel, &strategy) in self.channels[..full].iter_mut().zip(&strategies.full) {
            if strategy == 0 {
                continue;
            }
            // A channel ends where coupling or spectral extension begins, otherwise at its own bandwidth.
            channel.end = match channel.copied_from {
                _ if channel.is_coupled => coupled_from,
                Some(from) => from,
                None => {
                    let code = bits.take(6) as usize;
                    if code > 60 {
                        return Err(DAMAGED);
                    }
                    37 + 3 * (code + 12)
                }
            };
        }
        if strategies.coupling > 0 {
            let share = 1 << (strategies.coupling - 1);
            let first = (bits.take(4) << 1) as u8;
            let channel = &mut self.channels[COUPLING];
            let groups = (channel.end - channel.begin) / (3 * share);
            channel.read_exponents(bits, first, channel.begin, groups, share)?;
        }
        for (channel, &strategy) in self.channels[..full].iter_mut().zip(&strategies.full) {
            if strategy == 0 {
                continue;
            }
            let share = 1 << (strategy - 1);
            channel.exponents[0] = bits.take(4) as u8;
            let groups = (channel.end - 1 + 3 * (share - 1)) / (3 * share);
            channel.read_exponents(bits, channel.exponents[0], 1, groups, share)?;
            // The range of the gain (A/52, 5.4.3.29) is not used.
            bits.skip(2);
        }
        if strategies.low > 0 {
            let channel = &mut self.channels[LOW];
            channel.exponents[0] = bits.take(4) as u8;
            channel.read_exponents(bits, channel.exponents[0], 1, 2, 1)?;
        }
        Ok(())
    }

    /// Indices of the channels whose coding a block describes, in the order of the bit stream.
    pub(super) fn coded(&self) -> impl Iterator<Item = usize> + use<> {
        let coupling = self.coupling.is_some().then_some(COUPLING);
        let low = self.header.has_low.then_some(LOW);
        coupling
            .into_iter()
            .chain(0..self.header.full_channels())
            .chain(low)
    }

    /// Reads the parameters of bit allocation (A/52, 5.4.3.30 to 5.4.3.57).
    fn read_allocation(
        &mut self,
        bits: &mut MsbReader<'_>,
        is_first: bool,
    ) -> Result<(), &'static str> {
        if bits.flag() {
            self.read_shape(bits);
        } else if is_first {
            return Err(DAMAGED);
        }
        // Offsets of the signal-to-noise ratio: a coarse one for all channels, and a fine one for each.
        if bits.flag() {
            let coarse = bits.take(6) as i32;
            for at in self.coded() {
                let channel = &mut self.channels[at];
                let fine = bits.take(4) as i32;
                channel.terms.offset = ((coarse - 15) * 16 + fine) * 4;
                channel.terms.fast_gain = (bits.take(3) as i32 + 1) << 7;
                channel.is_stale = true;
            }
        } else if is_first {
            return Err(DAMAGED);
        }
        if self.coupling.is_some() && bits.flag() {
            self.read_leaks(bits);
        }
        if bits.flag() {
            self.read_segments(bits)?;
        }
        Ok(())
    }

    /// Reads the codes of the masking curve: slow and fast decay, slow gain, decibels per bit, and floor.
    pub(super) fn read_shape(&mut self, bits: &mut MsbReader<'_>) {
        let codes = [2, 2, 2, 2, 3].map(|count| bits.take(count) as usize);
        self.shape(codes);
    }

    /// Sets the masking curve of all channels.
    pub(super) fn shape(&mut self, codes: [usize; 5]) {
        let shape = Shape::of(codes, self.header.halvings);
        for channel in &mut self.channels {
            channel.terms.shape = shape;
            channel.is_stale = true;
        }
    }

    /// Reads the start values of the two leaks of the coupling channel's masking curve.
    pub(super) fn read_leaks(&mut self, bits: &mut MsbReader<'_>) {
        let leaks = [0; 2].map(|_: i32| ((bits.take(3) as i32) << 8) + 768);
        self.channels[COUPLING].terms.leaks = leaks;
        self.channels[COUPLING].is_stale = true;
    }

    /// Reads delta bit allocation (A/52, 5.4.3.47 to 5.4.3.57): corrections of the masking curve by segments.
    pub(super) fn read_segments(&mut self, bits: &mut MsbReader<'_>) -> Result<(), &'static str> {
        let coded: Vec<usize> = self.coded().filter(|&at| at != LOW).collect();
        let kinds: Vec<u32> = coded.iter().map(|_| bits.take(2)).collect();
        for (at, kind) in coded.into_iter().zip(kinds) {
            let channel = &mut self.channels[at];
            match kind {
                // The codes mean: reuse, new segments, no correction, reserved.
                0 => continue,
                1 => {
                    let count = bits.take(3) + 1;
                    channel.segments.clear();
                    for _ in 0..count {
                        let [offset, bands, code] = [5, 4, 3].map(|count| bits.take(count) as u8);
                        channel.segments.push(Segment {
                            offset,
                            bands,
                            code,
                        });
                    }
                }
                2 => channel.segments.clear(),
                _ => return Err(DAMAGED),
            }
            channel.is_stale = true;
        }
        Ok(())
    }
}

/// Skips the dummy bytes of a block (skiple, skipfld).
pub(super) fn pass_skipped(bits: &mut MsbReader<'_>) {
    if bits.flag() {
        let count = bits.take(9) as usize;
        bits.skip(count * 8);
    }
}

/// Reads a dynamic range gain: three bits of exponent, five of mantissa (A/52, 7.7.1.2).
fn dynamic_range(bits: &mut MsbReader<'_>) -> f32 {
    let exponent = bits.signed(3);
    let mantissa = bits.take(5);
    2f32.powi(exponent) * (1.0 + mantissa as f32 / 32.0)
}
