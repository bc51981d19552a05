//! Pixels whose channels are bit fields, described by masks of any width and position. Never overflows, whatever the
//! masks are.

/// Position of a channel's bits in a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Field {
    /// The bits of the channel.
    mask: u32,
    /// The number of bits below them.
    shift: u32,
    /// The largest value; 0 if the channel has no bits.
    most: u32,
}

impl Field {
    /// The field of a mask.
    fn of(mask: u32) -> Self {
        // A mask of 0 has 32 trailing zeros, but a shift by 32 would overflow.
        let shift = mask.trailing_zeros() % 32;
        Self {
            mask,
            shift,
            most: mask >> shift,
        }
    }

    /// Returns the sample in 8 bits, rounded to the nearest; 0 if the channel has no bits.
    fn sample(self, pixel: u32) -> u8 {
        if self.most == 0 {
            return 0;
        }
        let value = u64::from((pixel & self.mask) >> self.shift);
        let most = u64::from(self.most);
        ((value * 255 + most / 2) / most).min(255) as u8
    }
}

/// The bits of red, green, blue and alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fields([Field; 4]);

impl Fields {
    /// The fields of four masks.
    pub(crate) fn of(masks: [u32; 4]) -> Self {
        Self(masks.map(Field::of))
    }

    /// The samples of a pixel. Alpha has no meaning if its mask is 0.
    pub(crate) fn samples(&self, pixel: u32) -> [u8; 4] {
        self.0.map(|field| field.sample(pixel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(masks: [u32; 4], pixel: u32, expected: [u8; 4]) {
        assert_eq!(Fields::of(masks).samples(pixel), expected);
    }

    #[test]
    fn samples_are_scaled_to_eight_bits() {
        check([0xf800, 0x07e0, 0x001f, 0], 0xffff, [255, 255, 255, 0]);
        check([0x7c00, 0x03e0, 0x001f, 0x8000], 0x8010, [0, 0, 132, 255]);
        check([0x0008, 0x0ff0, 0xf000, 0x0007], 0x0808, [255, 128, 0, 0]);
        // A mask as wide as the pixel, and one with a hole.
        check([u32::MAX, 0, 0, 0], u32::MAX / 2 + 1, [128, 0, 0, 0]);
        check([0b101, 0, 0, 0], 0b101, [255, 0, 0, 0]);
    }
}
