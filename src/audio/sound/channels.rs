//! Channels: their number, their speakers, and the order of their samples, independent of file formats and codecs.

use convertd_core::error::{Error, Kind, Result};
use std::fmt;

/// Largest number of channels in a file.
pub(crate) const MAX_CHANNELS: u16 = 32;

/// Speaker positions as bits of a mask (WAVEFORMATEXTENSIBLE, `dwChannelMask`). The samples of a frame are in the order
/// of these bits.
pub(crate) mod speaker {
    pub(crate) const FRONT_LEFT: u32 = 1;
    pub(crate) const FRONT_RIGHT: u32 = 1 << 1;
    pub(crate) const FRONT_CENTRE: u32 = 1 << 2;
    pub(crate) const LOW_FREQUENCY: u32 = 1 << 3;
    pub(crate) const BACK_LEFT: u32 = 1 << 4;
    pub(crate) const BACK_RIGHT: u32 = 1 << 5;
    pub(crate) const FRONT_LEFT_OF_CENTRE: u32 = 1 << 6;
    pub(crate) const FRONT_RIGHT_OF_CENTRE: u32 = 1 << 7;
    pub(crate) const BACK_CENTRE: u32 = 1 << 8;
    pub(crate) const SIDE_LEFT: u32 = 1 << 9;
    pub(crate) const SIDE_RIGHT: u32 = 1 << 10;
}

/// The layouts that FLAC (RFC 9639, section 9.1.3), Vorbis and Opus assign to 1 to 8 channels, as speaker masks.
pub(crate) const LAYOUTS: [u32; 8] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];

/// Four speakers in a square: the front pair and the back pair.
pub(crate) const QUAD: u32 = 0x33;

/// Names of layouts, by their speaker masks. In a name such as 5.1, the number before the dot counts the speakers, and
/// the number after it the low-frequency channels.
const NAMES: [(u32, &str); 20] = [
    (0x4, "mono"),
    (0x3, "stereo"),
    (0xb, "2.1"),
    (0x7, "3.0"),
    (0x103, "3.0(back)"),
    (0xf, "3.1"),
    (0x107, "4.0"),
    (QUAD, "quad"),
    (0x603, "quad(side)"),
    (0x10f, "4.1"),
    (0x37, "5.0"),
    (0x607, "5.0(side)"),
    (0x3f, "5.1"),
    (0x60f, "5.1(side)"),
    (0x707, "6.0"),
    (0x70f, "6.1"),
    (0x13f, "6.1(back)"),
    (0x637, "7.0"),
    (0x63f, "7.1"),
    (0xff, "7.1(wide)"),
];

/// The number of channels and their speaker positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels {
    count: u16,
    mask: u32,
}

impl Channels {
    /// A single channel in the middle.
    pub(crate) const MONO: Self = Self {
        count: 1,
        mask: speaker::FRONT_CENTRE,
    };
    /// Left and right.
    pub(crate) const STEREO: Self = Self {
        count: 2,
        mask: speaker::FRONT_LEFT | speaker::FRONT_RIGHT,
    };

    /// Returns the [usual layout](LAYOUTS) of a number of channels. The positions of more than 8 channels are unknown.
    ///
    /// Errors: [`Kind::BadInput`] for 0, or more than [`MAX_CHANNELS`].
    pub(crate) fn of(count: u32) -> Result<Self> {
        match u16::try_from(count) {
            Ok(count) if (1..=MAX_CHANNELS).contains(&count) => Ok(Self {
                count,
                mask: (LAYOUTS.get(usize::from(count) - 1).copied()).unwrap_or(0),
            }),
            _ => Err(Error::new(
                Kind::BadInput,
                format!("the file has {count} channels; 1 to {MAX_CHANNELS} are supported"),
            )),
        }
    }

    /// Returns the layout of a speaker mask. A mask that does not match the number of channels is ignored.
    pub(crate) fn with_mask(count: u32, mask: u32) -> Result<Self> {
        let default = Self::of(count)?;
        // The position of a single channel is ignored, because it is heard from everywhere.
        Ok(if count > 1 && mask.count_ones() == count {
            Self { mask, ..default }
        } else {
            default
        })
    }

    /// Returns the number of channels.
    pub(crate) fn count(self) -> usize {
        usize::from(self.count)
    }

    /// Returns the speaker mask; 0 if the positions are unknown.
    pub(crate) fn mask(self) -> u32 {
        self.mask
    }

    /// Returns whether this is the default layout for its number of channels.
    pub(crate) fn is_default(self) -> bool {
        Self::of(u32::from(self.count)).is_ok_and(|default| default.mask == self.mask)
    }

    /// Returns the speaker positions, in the order of the samples in a frame.
    pub(crate) fn speakers(self) -> impl Iterator<Item = u32> {
        (0..32)
            .map(|bit| 1 << bit)
            .filter(move |bit| self.mask & bit != 0)
    }

    /// Returns the name of the layout; `None` for an unusual layout, or unknown positions.
    fn name(self) -> Option<&'static str> {
        let known = NAMES.iter().find(|(mask, _)| *mask == self.mask);
        known.map(|(_, name)| *name)
    }

    /// Returns the name of sound with this layout: "stereo sound", "6-channel sound (5.1)".
    pub(crate) fn sound(self) -> String {
        match (self.count, self.name()) {
            (1 | 2, Some(name)) => format!("{name} sound"),
            (count, Some(name)) => format!("{count}-channel sound ({name})"),
            (count, None) => format!("{count}-channel sound"),
        }
    }
}

/// Layouts with the same number of channels are equal if the positions of one are unknown, or if they differ only in
/// calling the rear pair "back" or "side", because codecs make no difference.
impl PartialEq for Channels {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
            && (self.mask == other.mask
                || self.mask == 0
                || other.mask == 0
                || rear(self.mask) == rear(other.mask))
    }
}

impl Eq for Channels {}

/// Replaces the side pair by the back pair. Leaves the layout unchanged if it has a back pair, or a speaker whose
/// samples come between those of the back pair and those of the side pair.
fn rear(mask: u32) -> u32 {
    const SIDE: u32 = speaker::SIDE_LEFT | speaker::SIDE_RIGHT;
    const BACK: u32 = speaker::BACK_LEFT | speaker::BACK_RIGHT;
    const BETWEEN: u32 =
        speaker::FRONT_LEFT_OF_CENTRE | speaker::FRONT_RIGHT_OF_CENTRE | speaker::BACK_CENTRE;
    if mask & SIDE == SIDE && mask & (BACK | BETWEEN) == 0 {
        mask & !SIDE | BACK
    } else {
        mask
    }
}

impl fmt::Display for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{} channels", self.count),
        }
    }
}

/// The order of channels in Vorbis and Opus (Vorbis I, section 4.3.9), which differs from that of speaker masks. Our
/// channel `i` is their channel `VORBIS_ORDER[count - 1][i]`.
pub(crate) const VORBIS_ORDER: [&[usize]; 8] = [
    &[0],
    &[0, 1],
    &[0, 2, 1],
    &[0, 1, 2, 3],
    &[0, 2, 1, 3, 4],
    &[0, 2, 1, 5, 3, 4],
    &[0, 2, 1, 6, 5, 3, 4],
    &[0, 2, 1, 7, 5, 6, 3, 4],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_masks_become_layouts() {
        #[track_caller]
        fn check(count: u32, mask: u32, expected: Option<(usize, u32)>) {
            let layout = Channels::with_mask(count, mask).ok();
            assert_eq!(
                layout.map(|layout| (layout.count(), layout.mask())),
                expected
            );
        }
        check(1, 0, Some((1, 0x4)));
        check(1, 0x1, Some((1, 0x4)));
        check(2, 0x3, Some((2, 0x3)));
        check(6, 0x60f, Some((6, 0x60f)));
        check(6, 0x3, Some((6, 0x3f)));
        check(9, 0, Some((9, 0)));
        check(0, 0, None);
        check(255, 0, None);
    }

    #[test]
    fn side_and_back_pairs_are_equal_unless_both_or_a_back_centre_exist() {
        let back = Channels::with_mask(6, 0x3f).unwrap();
        let side = Channels::with_mask(6, 0x60f).unwrap();
        let other = Channels::with_mask(6, 0x70f & !0x8).unwrap();
        assert_eq!(back, side);
        assert_ne!(back, other);
        // The back centre comes after the back pair, and before the side pair.
        let back = Channels::with_mask(7, 0x13f).unwrap();
        let side = Channels::with_mask(7, 0x70f).unwrap();
        assert_ne!(back, side);
    }

    #[test]
    fn layouts_have_names() {
        #[track_caller]
        fn check(count: u32, mask: u32, expected: &str) {
            assert_eq!(Channels::with_mask(count, mask).unwrap().sound(), expected);
        }
        check(1, 0, "mono sound");
        check(2, 0x3, "stereo sound");
        check(4, 0x33, "4-channel sound (quad)");
        check(4, 0x303, "4-channel sound");
        check(12, 0, "12-channel sound");
        for (mask, name) in NAMES {
            let layout = Channels::with_mask(mask.count_ones(), mask).unwrap();
            assert_eq!(layout.to_string(), name);
        }
    }

    #[test]
    fn orders_are_permutations() {
        for (i, order) in VORBIS_ORDER.iter().enumerate() {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..=i).collect::<Vec<_>>());
        }
    }
}
