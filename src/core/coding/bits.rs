//! Reads bits from bytes in memory, in either order. Never fails: beyond the end of the data, all bits are zeros, and
//! `overran` returns true.
//!
//! Formats number the bits of a byte in one of two ways. If the most significant bit comes first ([`MsbReader`]), the
//! first bit of a number is its highest; if the least significant bit comes first ([`LsbReader`]), it is the lowest.
//! Both readers store only a position, which is fast enough for headers and for a few million bits. The decoders of
//! FLAC, JPEG and WavPack read many times more, and have readers of their own that cache a word.

/// Reads from the most significant bit of each byte.
#[derive(Clone, Debug)]
pub struct MsbReader<'a> {
    data: &'a [u8],
    /// The position, in bits.
    at: usize,
}

impl<'a> MsbReader<'a> {
    /// Begins with the highest bit of the first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Takes an unsigned number of `count` bits, at most 24.
    #[inline]
    pub fn take(&mut self, count: u32) -> u32 {
        let byte = |at: usize| u32::from(self.data.get(at).copied().unwrap_or(0));
        let first = self.at / 8;
        let word = match self.data.get(first..).and_then(<[u8]>::first_chunk) {
            Some(word) => u32::from_be_bytes(*word),
            None => {
                byte(first) << 24 | byte(first + 1) << 16 | byte(first + 2) << 8 | byte(first + 3)
            }
        };
        let offset = (self.at % 8) as u32;
        self.at += count as usize;
        (word << offset).checked_shr(32 - count).unwrap_or(0)
    }

    /// Takes a bit as a flag.
    pub fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// Skips this many bits.
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Returns whether more bits were taken or skipped than there are.
    pub fn overran(&self) -> bool {
        self.at > self.data.len() * 8
    }

    /// Position of the next bit, in bits.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Takes a number of `count` bits in two's complement, 1 to 24.
    pub fn signed(&mut self, count: u32) -> i32 {
        let value = self.take(count) << (32 - count);
        value as i32 >> (32 - count)
    }
}

/// Reads from the least significant bit of each byte.
#[derive(Clone, Debug)]
pub struct LsbReader<'a> {
    data: &'a [u8],
    /// The position, in bits.
    at: usize,
}

impl<'a> LsbReader<'a> {
    /// Begins with the lowest bit of the first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Takes an unsigned number of `count` bits, at most 32.
    #[inline]
    pub fn take(&mut self, count: u32) -> u32 {
        let first = self.at / 8;
        let rest = self.data.get(first..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => {
                let mut word = [0; 8];
                word[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(word)
            }
        };
        let value = word >> (self.at % 8) & ((1 << count) - 1);
        self.at += count as usize;
        value as u32
    }

    /// Takes a bit as a flag.
    pub fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// Returns whether more bits were taken than there are.
    pub fn overran(&self) -> bool {
        self.at > self.data.len() * 8
    }

    /// The bytes after the byte with the last bit that was taken.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.at.div_ceil(8)..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_give_zeros_beyond_the_end() {
        let data = [0b1010_0110, 0b0000_1111];
        let mut high = MsbReader::new(&data);
        assert_eq!((high.take(3), high.take(7)), (0b101, 0b001_1000));
        assert_eq!((high.signed(3), high.take(0)), (0b001, 0));
        assert!(!high.overran());
        assert_eq!((high.take(5), high.overran()), (0b11100, true));
        let mut low = LsbReader::new(&data);
        assert_eq!((low.take(3), low.take(7)), (0b110, 0b111_0100));
        assert_eq!((low.take(32), low.take(32)), (0b11, 0));
    }
}
