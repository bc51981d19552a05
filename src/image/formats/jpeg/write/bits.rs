//! Bits as bytes. Never knows what they mean.

/// Bits, for whoever takes the bytes.
#[derive(Default)]
pub(crate) struct Bits {
    /// Whole bytes, with a zero behind each 0xFF.
    pub(crate) bytes: Vec<u8>,
    /// The last bits, at the low end; those above were taken.
    last: u64,
    /// How many they are, less than 32.
    count: u32,
}

impl Bits {
    /// Appends the `count` low bits of `bits`, of which the others are 0. At most 32.
    #[inline(always)]
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.last = self.last << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.take((self.last >> self.count) as u32);
        }
    }

    #[inline(always)]
    fn take(&mut self, word: u32) {
        // A byte of ones is one that adding 1 carries out of.
        if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            self.take_bytes(&word.to_be_bytes());
        }
    }

    #[cold]
    fn take_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.bytes.push(byte);
            if byte == 0xff {
                self.bytes.push(0);
            }
        }
    }

    /// Fills the last byte up with ones.
    pub(crate) fn finish(&mut self) {
        let spare = self.count.wrapping_neg() % 8;
        self.put((1 << spare) - 1, spare);
        let bytes = (self.last as u32).to_be_bytes();
        self.take_bytes(&bytes[4 - self.count as usize / 8..]);
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_ones_is_followed_by_zero() {
        for lead in 0..40 {
            let mut bits = Bits::default();
            for _ in 0..lead {
                bits.put(0, 1);
            }
            for _ in 0..48 {
                bits.put(1, 1);
            }
            bits.finish();
            let ones = bits.bytes.iter().filter(|&&byte| byte == 0xff).count();
            assert!(ones >= 5);
            for pair in bits.bytes.windows(2) {
                assert!(pair[0] != 0xff || pair[1] == 0);
            }
            assert_eq!(bits.bytes.len() - ones, (lead + 48usize).div_ceil(8));
        }
    }
}
