//! The interface of a target format: a sink takes blocks and writes a file. A sink does not convert samples, because
//! every block has the description that the sink's plan asked for.

use super::{
    sound::{
        adapt::unmixable,
        channels::Channels,
        mix::Mix,
        pcm::{Block, Depth, Spec},
    },
    tags::Tags,
};
use convertd_core::{
    error::{Error, Result},
    job::Quality,
};
use std::cmp::Reverse;

/// Takes blocks and writes a file.
pub(crate) trait Sink {
    /// Takes a block of the planned description.
    fn write(&mut self, block: &Block) -> Result<()>;

    /// Writes the remaining data, and the parts of the file that depend on the whole sound, such as lengths in the
    /// header.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The sound that a target format stores for a source.
pub(crate) struct Plan {
    /// The description that the blocks must have.
    pub(crate) spec: Spec,
    /// Bytes of the result for each sample frame; 0 if that is not fixed.
    pub(crate) frame_bytes: u64,
}

/// Settings of a new sink.
pub(crate) struct Settings<'a> {
    /// The description of the blocks.
    pub(crate) spec: Spec,
    /// The tags that the file gets.
    pub(crate) tags: &'a Tags,
    /// The quality tier.
    pub(crate) quality: Quality,
    /// Bit rate of a lossy format, which overrides `quality`.
    pub(crate) rate: Option<Rate>,
    /// Bit rate of the whole sound in kbit/s, which overrides `quality` and `rate`.
    pub(crate) bit_rate: Option<u32>,
    /// The number of threads that an encoder may use besides its own.
    pub(crate) spare_threads: usize,
}

/// Bit rate of a lossy format on a scale without a unit. 0 is the lowest rate that is still acceptable for music; the
/// quality levels are at [`Rate::LOW`], [`Rate::MEDIUM`] and [`Rate::HIGH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rate(pub(crate) u8);

impl Rate {
    /// The steps between two tiers.
    const STEPS: u8 = 16;
    pub(crate) const LOW: Self = Self(Self::STEPS);
    pub(crate) const MEDIUM: Self = Self(2 * Self::STEPS);
    pub(crate) const HIGH: Self = Self(3 * Self::STEPS);
}

impl Settings<'_> {
    /// Returns the value for the quality or the rate, interpolated linearly between the given values for the lowest
    /// rate and for the tiers low, medium and high.
    pub(crate) fn pick(&self, least: f64, low: f64, medium: f64, high: f64) -> f64 {
        let rate = self
            .rate
            .unwrap_or(self.quality.pick(Rate::LOW, Rate::MEDIUM, Rate::HIGH));
        let (from, to) = match rate {
            rate if rate < Rate::LOW => (least, low),
            rate if rate < Rate::MEDIUM => (low, medium),
            rate if rate < Rate::HIGH => (medium, high),
            _ => return high,
        };
        from + (to - from) * f64::from(rate.0 % Rate::STEPS) / f64::from(Rate::STEPS)
    }
}

impl Plan {
    /// Makes the plan of a format that stores samples unchanged, in whole bytes.
    pub(crate) fn uncompressed(source: Spec) -> Self {
        let (depth, bytes) = match source.depth {
            Depth::Int(bits) => (Depth::Int(bits.next_multiple_of(8)), bits.div_ceil(8)),
            Depth::Float => (Depth::Float, 4),
        };
        Self {
            spec: Spec { depth, ..source },
            frame_bytes: u64::from(bytes) * source.channels.count() as u64,
        }
    }

    /// Makes the plan of a format whose size is known only at the end.
    pub(crate) fn compressed(spec: Spec) -> Self {
        Self {
            spec,
            frame_bytes: 0,
        }
    }
}

/// Chooses among an encoder's sample rates, in ascending order, the one that loses least: the source's own, or the next
/// higher one, or the highest.
pub(crate) fn rate_among(rates: &[u32], source: u32) -> u32 {
    let highest = rates.last().copied().unwrap_or(source);
    rates
        .iter()
        .copied()
        .find(|rate| *rate >= source)
        .unwrap_or(highest)
}

/// Makes a sample acceptable to every encoder: not NaN, and not far beyond full scale.
pub(crate) fn sanitised(sample: f32) -> f32 {
    if sample.is_nan() {
        0.0
    } else {
        sample.clamp(-4.0, 4.0)
    }
}

/// Returns the error of an encoder. The error is internal, because the encoder was given only what it accepts.
pub(crate) fn encoder_error(err: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("the encoder failed", err)
}

/// Chooses the layout, given as a speaker mask, that loses least. A layout with a silent speaker is not a candidate.
/// The best candidate keeps the most channels separate. Among equals, it keeps the most channels at their speakers, and
/// then it has the fewest speakers.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if there is no rule to mix the channels.
pub(crate) fn layout_among(layouts: &[u32], source: Channels) -> Result<Channels> {
    let mut best = None;
    for mask in layouts {
        let layout = Channels::with_mask(mask.count_ones(), *mask)?;
        let Some(separate) = Mix::new(source, layout).and_then(|mix| mix.separate_inputs()) else {
            continue;
        };
        let in_place = (source.mask() & mask).count_ones();
        let rank = (separate, in_place, Reverse(layout.count()));
        if best.is_none_or(|(least, _)| rank > least) {
            best = Some((rank, layout));
        }
    }
    best.map(|(_, layout)| layout)
        .ok_or_else(|| unmixable(source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::channels::LAYOUTS;

    #[test]
    fn rates_are_interpolated_between_the_tiers() {
        #[track_caller]
        fn check(quality: Quality, rate: Option<Rate>, expected: f64) {
            let settings = Settings {
                spec: Spec {
                    rate: 44100,
                    channels: Channels::of(2).unwrap(),
                    depth: Depth::Float,
                },
                tags: &Tags::default(),
                quality,
                rate,
                bit_rate: None,
                spare_threads: 0,
            };
            assert_eq!(settings.pick(64.0, 128.0, 224.0, 320.0), expected);
        }
        check(Quality::Low, None, 128.0);
        check(Quality::Medium, None, 224.0);
        check(Quality::Number(100), None, 320.0);
        check(Quality::High, Some(Rate(0)), 64.0);
        check(Quality::High, Some(Rate(8)), 96.0);
        check(Quality::High, Some(Rate::LOW), 128.0);
        check(Quality::Low, Some(Rate(17)), 134.0);
        check(Quality::Low, Some(Rate::MEDIUM), 224.0);
        check(Quality::Low, Some(Rate::HIGH), 320.0);
    }

    #[test]
    fn the_chosen_layout_has_no_silent_or_superfluous_speaker() {
        #[track_caller]
        fn check(source: u32, expected: u32) {
            let source = Channels::with_mask(source.count_ones(), source).unwrap();
            let found = layout_among(&LAYOUTS, source).unwrap();
            assert_eq!(found.mask(), expected, "{source} became {found}");
        }
        for layout in LAYOUTS {
            check(layout, layout);
        }
        // 2.1, 3.1 and 7.0: every layout with as many channels would have a silent speaker.
        check(0xb, 0x3);
        check(0xf, 0x7);
        check(0x637, 0x37);
        // 4.0 becomes 5.0: both speakers of the back pair play the back centre, and no other channel.
        check(0x107, 0x37);
        check(0x603, 0x33);
        check(0x60f, 0x3f);
        check(0x13f, 0x70f);
        assert!(layout_among(&LAYOUTS, Channels::of(12).unwrap()).is_err());
    }
}
