//! Mantissas of the coefficients (A/52, 7.3). The class of a coefficient (its bit allocation pointer) determines
//! the precision of its mantissa. In the lowest classes, two or three mantissas share a code.

use convertd_core::coding::bits::MsbReader;

/// Reads the mantissas of one block. Groups that share a code may extend from one channel to the next.
#[derive(Default)]
pub(super) struct Mantissas {
    /// Values of the last code of classes 1, 2 and 4 that are still to be returned, in reverse order.
    left: [[f32; 2]; 3],
    /// Number of values in `left` that are still to be returned, for each of these classes.
    counts: [usize; 3],
}

/// Value of a code in a quantiser with an odd number of levels, which are symmetrical around 0 and between −1 and 1.
fn level(code: u32, levels: u32) -> f32 {
    // Encoders never write codes beyond the last level; such a code counts as the last level.
    let code = code.min(levels - 1) as i32;
    (2 * code - (levels as i32 - 1)) as f32 / levels as f32
}

impl Mantissas {
    /// Reads the next mantissa of a class other than 0, between −1 and 1.
    pub(super) fn next(&mut self, bits: &mut MsbReader<'_>, class: u8) -> f32 {
        match class {
            1 => self.shared(bits, 0, 5, 3, 3),
            2 => self.shared(bits, 1, 7, 5, 3),
            3 => level(bits.take(3), 7),
            4 => self.shared(bits, 2, 7, 11, 2),
            5 => level(bits.take(4), 15),
            _ => {
                let count = match class {
                    14 => 14,
                    15 => 16,
                    class => u32::from(class) - 1,
                };
                bits.signed(count) as f32 / (1u32 << (count - 1)) as f32
            }
        }
    }

    /// Returns the next mantissa of the last group, or, if none is left, reads a code of `size` bits for a new group.
    fn shared(
        &mut self,
        bits: &mut MsbReader<'_>,
        kind: usize,
        size: u32,
        levels: u32,
        count: usize,
    ) -> f32 {
        if self.counts[kind] == 0 {
            let code = bits.take(size);
            let first = match count {
                3 => code / (levels * levels),
                _ => code / levels,
            };
            self.left[kind] = [
                level(code % levels, levels),
                level(code / levels % levels, levels),
            ];
            self.counts[kind] = count - 1;
            return level(first, levels);
        }
        self.counts[kind] -= 1;
        self.left[kind][self.counts[kind]]
    }
}
