//! Collects bits into the bytes of an entropy-coded segment, with byte stuffing (T.81, F.1.2.3). Encodes no symbols.

/// A writer of bits.
#[derive(Default)]
pub(crate) struct Bits {
    /// The bytes that are complete, with a stuffed 0x00 after each 0xFF.
    pub(crate) bytes: Vec<u8>,
    /// The bits that do not fill four bytes yet, at the low end. The bits above them are already in `bytes`.
    last: u64,
    /// Number of bits in `last` that are not in `bytes` yet, less than 32.
    count: u32,
}

impl Bits {
    /// Appends the low `count` bits of `bits`, at most 32. The other bits must be 0.
    #[inline(always)]
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.last = self.last << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.take((self.last >> self.count) as u32);
        }
    }

    /// Appends the four bytes of `word`: together in the usual case, in which none of them needs stuffing.
    #[inline(always)]
    fn take(&mut self, word: u32) {
        // If a byte is 0xFF, adding 1 to it clears its highest bit.
        if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            self.take_bytes(&word.to_be_bytes());
        }
    }

    /// Appends bytes with stuffing.
    #[cold]
    fn take_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.bytes.push(byte);
            if byte == 0xff {
                self.bytes.push(0);
            }
        }
    }

    /// Number of bits missing from the last byte.
    #[cfg(feature = "jxl")]
    pub(crate) fn spare(&self) -> u32 {
        self.count.wrapping_neg() % 8
    }

    /// Pads the last byte with 1-bits (T.81, F.1.2.3), and appends the bytes that are left.
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
    fn a_stuffed_zero_follows_0xff() {
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
