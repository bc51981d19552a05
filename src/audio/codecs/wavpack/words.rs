//! Decodes the residuals of a block ("words"). Each channel keeps three adaptive medians of its magnitudes. A unary
//! code selects the interval between two medians, and plain bits select the magnitude within it; a lossy block stores
//! only some of these bits.
//!
//! Two traps: the unary code of a number contains a bit that belongs to the next number, so it is carried over; and a
//! run of silence is stored as the number of its zeros.

use super::{bits::Bits, header::Flags, logs::Logs};

/// Number of ones in a unary code that announces an escape code, which states a larger number.
const MAX_ONES: u32 = 16;
/// Binary logarithm of the number of samples over which a level adapts: each sample moves it by 1 / 2⁸ of the
/// difference.
const SLOWNESS: u32 = 8;

/// The adaptive state of a channel.
#[derive(Default)]
struct Channel {
    /// The medians, in 16ths.
    medians: [u32; 3],
    /// The running mean of the logarithms of the magnitudes, times 2⁸.
    level: u32,
    /// The largest error of a number in a lossy block.
    error: u32,
    /// Bit rate of a lossy block, as a logarithm in the upper 16 bits.
    rate: u32,
    /// Change of `rate` from sample to sample.
    rate_change: u32,
}

impl Channel {
    /// The width of the interval that ends with this median; beyond the last median, the width of each interval.
    fn zone(&self, number: usize) -> u32 {
        (self.medians[number] >> 4) + 1
    }

    /// Raises a median after a larger magnitude.
    fn raise(&mut self, number: usize) {
        let by = 128 >> number;
        let median = &mut self.medians[number];
        *median = median.wrapping_add((median.wrapping_add(by) / by).wrapping_mul(5));
    }

    /// Lowers a median after a smaller magnitude. A median rises by 5 steps and falls by 2, so 2 of 7 magnitudes are
    /// above it.
    fn lower(&mut self, number: usize) {
        let by = 128 >> number;
        let median = &mut self.medians[number];
        *median = median.wrapping_sub((median.wrapping_add(by - 2) / by).wrapping_mul(2));
    }

    /// The smallest and the largest magnitude for this unary code. Adapts the medians.
    #[inline(always)]
    fn range(&mut self, ones: u32) -> (u32, u32) {
        let mut low = 0;
        for number in 0..2 {
            let zone = self.zone(number);
            if ones == number as u32 {
                self.lower(number);
                return (low, low.wrapping_add(zone - 1));
            }
            self.raise(number);
            low = low.wrapping_add(zone);
        }
        let zone = self.zone(2);
        if ones == 2 {
            self.lower(2);
        } else {
            low = low.wrapping_add((ones - 2).wrapping_mul(zone));
            self.raise(2);
        }
        (low, low.wrapping_add(zone - 1))
    }

    /// The running mean of the logarithms, rounded.
    fn slow(&self) -> i32 {
        (self.level.wrapping_add(1 << (SLOWNESS - 1)) >> SLOWNESS) as i32
    }

    /// Moves the running mean towards 0, before a new logarithm is added.
    fn decay(&mut self) {
        self.level = self.level.wrapping_sub(self.slow() as u32);
    }

    /// Advances the bit rate, and returns it.
    fn next_rate(&mut self) -> i32 {
        self.rate = self.rate.wrapping_add(self.rate_change);
        (self.rate >> 16) as i32
    }
}

/// The state between the numbers of a block.
pub(super) struct Words<'l> {
    flags: Flags,
    logs: &'l Logs,
    channels: [Channel; 2],
    /// Zeros that remain in a run of silence.
    zeros: u32,
    /// Whether the last unary code left a one for the next number.
    holds_one: bool,
    /// Whether the last unary code left a zero for the next number.
    holds_zero: bool,
}

impl<'l> Words<'l> {
    pub(super) fn new(flags: Flags, logs: &'l Logs) -> Self {
        Self {
            flags,
            logs,
            channels: Default::default(),
            zeros: 0,
            holds_one: false,
            holds_zero: false,
        }
    }

    /// Reads the initial medians of the channels.
    pub(super) fn read_medians(&mut self, data: &[u8]) -> Option<()> {
        let channels = self.flags.coded_channels();
        if data.len() != 6 * channels {
            return None;
        }
        let values = data
            .as_chunks()
            .0
            .iter()
            .map(|pair| self.logs.power(u16::from_le_bytes(*pair).into()));
        let medians_of_all = self
            .channels
            .iter_mut()
            .flat_map(|channel| &mut channel.medians);
        medians_of_all
            .zip(values)
            .for_each(|(median, value)| *median = value as u32);
        Some(())
    }

    /// Reads the initial bit rates of a lossy block.
    pub(super) fn read_rates(&mut self, data: &[u8]) -> Option<()> {
        let count = self.flags.coded_channels();
        let mut values = data
            .as_chunks()
            .0
            .iter()
            .map(|pair| u16::from_le_bytes(*pair));
        let channels = &mut self.channels[..count];
        if self.flags.has(Flags::RATE) {
            for channel in &mut *channels {
                channel.level = self.logs.power(values.next()?.into()) as u32;
            }
        }
        for channel in &mut *channels {
            channel.rate = u32::from(values.next()?) << 16;
        }
        if values.len() > 0 {
            for channel in channels {
                channel.rate_change = self.logs.power((values.next()? as i16).into()) as u32;
            }
        }
        (values.len() == 0 && data.len().is_multiple_of(2)).then_some(())
    }

    /// Computes the error limits of both channels. Called before each number of the first channel.
    fn limit_errors(&mut self) {
        let (flags, logs) = (self.flags, self.logs);
        let [first, second] = &mut self.channels;
        let mut rates = [first.next_rate(), 0];
        let levels = [first.slow(), second.slow()];
        if flags.coded_channels() == 2 {
            rates[1] = second.next_rate();
            if flags.has(Flags::RATE) && flags.has(Flags::BALANCE) {
                // Distributes the bit rate so that both channels have about the same noise.
                let balance = (levels[1]
                    .wrapping_sub(levels[0])
                    .wrapping_add(rates[1])
                    .wrapping_add(1))
                    >> 1;
                rates = match rates[0] {
                    all if balance > all => [0, all * 2],
                    all if balance.wrapping_neg() > all => [all * 2, 0],
                    all => [all.wrapping_sub(balance), all.wrapping_add(balance)],
                };
            }
        }
        for ((channel, rate), level) in self.channels.iter_mut().zip(rates).zip(levels) {
            let log = match flags.has(Flags::RATE) {
                true => level.wrapping_sub(rate).wrapping_add(0x100),
                false => rate,
            };
            channel.error = match flags.has(Flags::RATE) && log <= 0 {
                true => 0,
                false => logs.power(log) as u32,
            };
        }
    }

    /// Reads a number that is preceded by its length in unary code. `None` if the length exceeds 32 bits, as in damaged
    /// data.
    fn long(bits: &mut Bits<'_>) -> Option<u32> {
        match bits.ones(33) {
            33 => None,
            short @ 0..2 => Some(short),
            length => Some(bits.take(length - 1) | 1 << (length - 1)),
        }
    }

    /// Decodes the next residual of this channel. `None` if a unary code is too long, as in damaged data.
    #[inline(always)]
    pub(super) fn next(&mut self, bits: &mut Bits<'_>, channel: usize) -> Option<i32> {
        let is_quiet = (self.channels[0].medians[0] | self.channels[1].medians[0]) & !1 == 0;
        if is_quiet && !self.holds_zero && !self.holds_one && self.is_silence(bits, channel)? {
            return Some(0);
        }
        let ones = if self.holds_zero {
            self.holds_zero = false;
            0
        } else {
            let ones = match bits.ones(MAX_ONES + 1) {
                ones if ones < MAX_ONES => ones,
                MAX_ONES => Self::long(bits)?.wrapping_add(MAX_ONES),
                _ => return None,
            };
            let carried = u32::from(self.holds_one);
            self.holds_one = ones & 1 != 0;
            self.holds_zero = !self.holds_one;
            (ones >> 1) + carried
        };
        let is_hybrid = self.flags.has(Flags::HYBRID);
        if is_hybrid && channel == 0 {
            self.limit_errors();
        }
        let state = &mut self.channels[channel];
        let (low, high) = state.range(ones);
        let (mut low, mut high) = (low & 0x7fff_ffff, high & 0x7fff_ffff);
        high = high.max(low);
        // Bits narrow the interval down, in a lossy block only to the error limit.
        let size = if state.error == 0 {
            low + bits.up_to(high - low)
        } else {
            let middle = |low: u32, high: u32| (high + low + 1) >> 1;
            let mut size = middle(low, high);
            while high - low > state.error {
                match bits.bit() {
                    true => low = size,
                    false => high = size - 1,
                }
                size = middle(low, high);
            }
            size
        };
        let is_negative = bits.bit();
        if self.flags.has(Flags::RATE) {
            state.decay();
            state.level = state.level.wrapping_add(self.logs.log(size));
        }
        Some(if is_negative {
            !size as i32
        } else {
            size as i32
        })
    }

    /// Returns whether the next number is a zero in a run of silence.
    #[cold]
    fn is_silence(&mut self, bits: &mut Bits<'_>, channel: usize) -> Option<bool> {
        if self.zeros > 0 {
            self.zeros -= 1;
        } else {
            self.zeros = Self::long(bits)?;
            if self.zeros > 0 {
                self.channels
                    .iter_mut()
                    .for_each(|channel| channel.medians = [0; 3]);
            }
        }
        if self.zeros > 0 {
            self.channels[channel].decay();
        }
        Some(self.zeros > 0)
    }
}
