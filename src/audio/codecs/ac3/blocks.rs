//! The audio blocks of a frame (A/52, 5.3.3): what each says of the channels, and their coefficients. A block may go on with what
//! the one before it said; a frame begins anew.

use super::{
    allocation::{Segment, Shape, classes},
    channel::{Channel, DAMAGED, power},
    coupling::Coupling,
    header::Header,
    mantissas::Mantissas,
};
use crate::coding::bits::MsbReader;

/// The place of the low-frequency channel, behind those with the full range.
pub(super) const LOW: usize = 5;
/// The place of the coupling channel, which holds what several channels share at high frequencies.
const COUPLING: usize = 6;
/// The bands in which left and right may be coded as their sum and their difference (table 5.7).
const SUM_BANDS: [usize; 5] = [13, 25, 37, 61, 253];

/// What is known while the blocks of a frame are read.
pub(super) struct Blocks {
    header: Header,
    channels: [Channel; 7],
    coupling: Option<Coupling>,
    /// In which bands left and right are coded as sum and difference.
    sums: [bool; 4],
    /// What the two programs are multiplied with (A/52, 7.7.1).
    gains: [f32; 2],
    /// The state of a generator of noise.
    seed: u32,
}

impl Blocks {
    pub(super) fn new(header: Header, seed: u32) -> Self {
        let mut channels = std::array::from_fn(|_| Channel::new());
        for channel in &mut channels {
            channel.terms.rate_code = header.rate_code;
        }
        channels[LOW].terms.is_low = true;
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

    pub(super) fn seed(&self) -> u32 {
        self.seed
    }

    /// A channel of the block that was read last, as loud as it is to be.
    pub(super) fn amplified(&mut self, at: usize) -> &Channel {
        let is_second_program = self.header.mode == 0 && at == 1;
        let gain = self.gains[usize::from(is_second_program)];
        let channel = &mut self.channels[at];
        for coefficient in &mut channel.coefficients {
            *coefficient *= gain;
        }
        channel
    }

    /// Reads the next block, to the coefficients of its channels.
    pub(super) fn next(
        &mut self,
        bits: &mut MsbReader<'_>,
        is_first: bool,
    ) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        for channel in &mut self.channels[..full] {
            channel.is_short = bits.flag();
        }
        for channel in &mut self.channels[..full] {
            channel.has_noise = bits.flag();
        }
        for gain in self
            .gains
            .iter_mut()
            .take(if self.header.mode == 0 { 2 } else { 1 })
        {
            if bits.flag() {
                *gain = dynamic_range(bits);
            }
        }
        if bits.flag() {
            self.read_coupling(bits)?;
        } else if is_first {
            return Err(DAMAGED);
        }
        if let Some(coupling) = &mut self.coupling {
            coupling.read_coordinates(bits, &mut self.channels[..full]);
        }
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
        self.read_all_exponents(bits)?;
        self.read_allocation(bits, is_first)?;
        if bits.flag() {
            let count = bits.take(9) as usize;
            bits.skip(count * 8);
        }
        self.read_coefficients(bits);
        self.decouple();
        self.part_sums();
        Ok(())
    }

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
        if self.header.mode < 2 {
            return Err(DAMAGED);
        }
        let (coupling, range) = Coupling::read(bits, self.header.mode == 2)?;
        let channel = &mut self.channels[COUPLING];
        (channel.begin, channel.end) = (range.start, range.end);
        channel.is_stale = true;
        self.coupling = Some(coupling);
        Ok(())
    }

    fn read_all_exponents(&mut self, bits: &mut MsbReader<'_>) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        let is_coupling = self.coupling.is_some();
        let of_coupling = if is_coupling { bits.take(2) } else { 0 };
        let strategies: Vec<u32> = (0..full).map(|_| bits.take(2)).collect();
        let of_low = if self.header.has_low { bits.take(1) } else { 0 };
        let coupled_from = self.channels[COUPLING].begin;
        for (channel, &strategy) in self.channels.iter_mut().zip(&strategies) {
            if strategy == 0 {
                continue;
            }
            channel.end = coupled_from;
            if !channel.is_coupled {
                let code = bits.take(6) as usize;
                if code > 60 {
                    return Err(DAMAGED);
                }
                channel.end = 37 + 3 * (code + 12);
            }
        }
        if of_coupling > 0 {
            let share = 1 << (of_coupling - 1);
            let first = (bits.take(4) << 1) as u8;
            let channel = &mut self.channels[COUPLING];
            let groups = (channel.end - channel.begin) / (3 * share);
            channel.read_exponents(bits, first, channel.begin, groups, share)?;
        }
        for (channel, &strategy) in self.channels.iter_mut().zip(&strategies) {
            if strategy == 0 {
                continue;
            }
            let share = 1 << (strategy - 1);
            channel.exponents[0] = bits.take(4) as u8;
            let groups = (channel.end - 1 + 3 * (share - 1)) / (3 * share);
            channel.read_exponents(bits, channel.exponents[0], 1, groups, share)?;
            // The range of the gain (A/52, 5.4.3.29), which nothing uses.
            bits.skip(2);
        }
        if of_low > 0 {
            let channel = &mut self.channels[LOW];
            channel.exponents[0] = bits.take(4) as u8;
            channel.read_exponents(bits, channel.exponents[0], 1, 2, 1)?;
        }
        Ok(())
    }

    /// The places of the channels for which a block says how they are coded, in its order.
    fn coded(&self) -> impl Iterator<Item = usize> + use<> {
        let coupling = self.coupling.is_some().then_some(COUPLING);
        let low = self.header.has_low.then_some(LOW);
        coupling
            .into_iter()
            .chain(0..self.header.full_channels())
            .chain(low)
    }

    fn read_allocation(
        &mut self,
        bits: &mut MsbReader<'_>,
        is_first: bool,
    ) -> Result<(), &'static str> {
        if bits.flag() {
            let codes = [2, 2, 2, 2, 3].map(|count| bits.take(count) as usize);
            let shape = Shape::of(codes, self.header.halvings);
            for channel in &mut self.channels {
                channel.terms.shape = shape;
                channel.is_stale = true;
            }
        } else if is_first {
            return Err(DAMAGED);
        }
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
            let leaks = [0; 2].map(|_: i32| ((bits.take(3) as i32) << 8) + 768);
            self.channels[COUPLING].terms.leaks = leaks;
            self.channels[COUPLING].is_stale = true;
        }
        if bits.flag() {
            self.read_segments(bits)?;
        }
        Ok(())
    }

    fn read_segments(&mut self, bits: &mut MsbReader<'_>) -> Result<(), &'static str> {
        let coded: Vec<usize> = self.coded().filter(|&at| at != LOW).collect();
        let kinds: Vec<u32> = coded.iter().map(|_| bits.take(2)).collect();
        for (at, kind) in coded.into_iter().zip(kinds) {
            let channel = &mut self.channels[at];
            match kind {
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

    fn noise(&mut self) -> f32 {
        self.seed = self
            .seed
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        // Between -1/√2 and 1/√2 (A/52, 7.3.4).
        self.seed as i32 as f32 * (std::f32::consts::FRAC_1_SQRT_2 / 2_147_483_648.0)
    }

    fn read_coefficients(&mut self, bits: &mut MsbReader<'_>) {
        let mut mantissas = Mantissas::default();
        let mut is_coupling_due = self.coupling.is_some();
        for at in 0..self.header.full_channels() {
            self.read_channel(at, bits, &mut mantissas);
            // The coupling channel follows the first channel that is coupled.
            if is_coupling_due && self.channels[at].is_coupled {
                is_coupling_due = false;
                self.read_channel(COUPLING, bits, &mut mantissas);
            }
        }
        if self.header.has_low {
            self.read_channel(LOW, bits, &mut mantissas);
        }
    }

    fn read_channel(&mut self, at: usize, bits: &mut MsbReader<'_>, mantissas: &mut Mantissas) {
        let channel = &mut self.channels[at];
        let range = channel.begin..channel.end;
        if channel.is_stale && !range.is_empty() {
            classes(
                &channel.exponents,
                range.clone(),
                &channel.terms,
                &channel.segments,
                &mut channel.classes,
            );
            channel.is_stale = false;
        }
        channel.coefficients.fill(0.0);
        for place in range {
            let channel = &self.channels[at];
            let class = channel.classes[place];
            let mantissa = match class {
                0 if channel.has_noise => self.noise(),
                0 => 0.0,
                class => mantissas.next(bits, class),
            };
            let channel = &mut self.channels[at];
            channel.coefficients[place] = mantissa * power(channel.exponents[place]);
        }
    }

    /// Gives each coupled channel its part of the coupling channel. Noise is another one in each of them.
    fn decouple(&mut self) {
        let Some(coupling) = self.coupling.take() else {
            return;
        };
        for at in 0..self.header.full_channels() {
            if !self.channels[at].is_coupled {
                continue;
            }
            let mut place = self.channels[COUPLING].begin;
            for (band, &size) in coupling.bands.iter().enumerate() {
                let turned = at == 1 && coupling.phases[band];
                let loud = self.channels[at]
                    .coordinates
                    .get(band)
                    .copied()
                    .unwrap_or(0.0);
                let factor = if turned { -loud } else { loud };
                for place in place..place + size {
                    let shared = &self.channels[COUPLING];
                    let value = if shared.classes[place] > 0 {
                        shared.coefficients[place]
                    } else if self.channels[at].has_noise {
                        power(shared.exponents[place]) * self.noise()
                    } else {
                        0.0
                    };
                    self.channels[at].coefficients[place] = value * factor;
                }
                place += size;
            }
        }
        self.coupling = Some(coupling);
    }

    /// Left and right from their sum and difference (A/52, 7.5).
    fn part_sums(&mut self) {
        if self.header.mode != 2 {
            return;
        }
        let [left, right, ..] = &mut self.channels;
        let end = left.end.min(right.end);
        for (edges, _) in SUM_BANDS
            .windows(2)
            .zip(self.sums)
            .filter(|(_, is_sum)| *is_sum)
        {
            for place in edges[0]..edges[1].min(end) {
                let (sum, difference) = (left.coefficients[place], right.coefficients[place]);
                left.coefficients[place] = sum + difference;
                right.coefficients[place] = sum - difference;
            }
        }
    }
}

/// A factor for the dynamic range: three bits of exponent, five of mantissa (A/52, 7.7.1.2).
fn dynamic_range(bits: &mut MsbReader<'_>) -> f32 {
    let exponent = bits.signed(3);
    let mantissa = bits.take(5);
    2f32.powi(exponent) * (1.0 + mantissa as f32 / 32.0)
}
