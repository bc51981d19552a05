//! Coefficients as bits (T.81, annex F.1.2). Never chooses a code.

use super::{fdct::Block, tables::Code};
use crate::convert::image::jpeg::place;

/// The words of a code by symbol: the bits, and how many they are.
pub(super) struct Words([(u16, u8); 256]);

impl Words {
    /// Words of the same length follow one another (T.81, annex C).
    pub(super) fn of(code: &Code) -> Self {
        let mut words = [(0, 0); 256];
        let mut symbols = code.symbols.iter();
        let mut next = 0u32;
        for (length, &count) in (1..).zip(&code.counts) {
            for &symbol in symbols.by_ref().take(count.into()) {
                words[usize::from(symbol)] = (next as u16, length);
                next += 1;
            }
            next <<= 1;
        }
        Self(words)
    }
}

/// Blocks as bits, for whoever takes the bytes.
pub(super) struct Bits {
    /// Whole bytes, with a zero behind each 0xFF.
    pub(super) bytes: Vec<u8>,
    /// The last bits, at the low end; those above were taken.
    last: u64,
    /// How many they are, less than 32.
    count: u32,
}

impl Bits {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            last: 0,
            count: 0,
        }
    }

    /// Appends the `count` low bits of `bits`, of which the others are 0. At most 32.
    #[inline(always)]
    fn put(&mut self, bits: u32, count: u32) {
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

    /// Appends a block, of which only the difference of its mean to the one `before` is stored.
    #[inline(always)]
    pub(super) fn block(&mut self, block: &Block, before: i16, [dc, ac]: &[Words; 2]) {
        let (size, bits) = number(block[0] - before);
        let (word, length) = dc.0[size as usize & 255];
        self.put(u32::from(word) << size | bits, u32::from(length) + size);
        let mut left = others(block);
        let mut at = 0;
        while left != 0 {
            let next = left.trailing_zeros();
            left &= left - 1;
            let mut zeros = next - at - 1;
            at = next;
            while zeros > 15 {
                let (word, length) = ac.0[0xf0];
                self.put(word.into(), length.into());
                zeros -= 16;
            }
            let (size, bits) = number(block[place(next as usize) & 63]);
            let (word, length) = ac.0[(zeros << 4 | size) as usize & 255];
            self.put(u32::from(word) << size | bits, u32::from(length) + size);
        }
        if at < 63 {
            let (word, length) = ac.0[0];
            self.put(word.into(), length.into());
        }
    }

    /// Fills the last byte up with ones.
    pub(super) fn finish(&mut self) {
        let spare = self.count.wrapping_neg() % 8;
        self.put((1 << spare) - 1, spare);
        let bytes = (self.last as u32).to_be_bytes();
        self.take_bytes(&bytes[4 - self.count as usize / 8..]);
        self.count = 0;
    }
}

/// How many bits a number takes, and these (T.81, table F.1).
#[inline(always)]
fn number(value: i16) -> (u32, u32) {
    let value = i32::from(value);
    let size = u32::BITS - value.unsigned_abs().leading_zeros();
    let sign = value >> 31;
    (size, (value + sign) as u32 & ((1 << size) - 1))
}

/// Which coefficients are not zero, but for the mean, in zigzag order.
#[inline(always)]
fn others(block: &Block) -> u64 {
    let mut flags = [0; 64];
    for (flag, &value) in flags.iter_mut().zip(block) {
        *flag = u8::from(value != 0);
    }
    let mut all = 0;
    for (at, part) in flags.as_chunks::<8>().0.iter().enumerate() {
        // Brings the low bits of all bytes into the highest one, each to its place.
        let bits = u64::from_le_bytes(*part).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all |= bits << (8 * at);
    }
    let mut left = all & !1;
    let mut ordered = 0;
    while left != 0 {
        ordered |= 1 << ZIGZAG[left.trailing_zeros() as usize & 63];
        left &= left - 1;
    }
    ordered
}

/// The other way round than [`place`].
const ZIGZAG: [u8; 64] = {
    let mut order = [0; 64];
    let mut at = 0;
    while at < 64 {
        order[place(at)] = at as u8;
        at += 1;
    }
    order
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::image::write::jpeg::tables;

    #[test]
    fn numbers_have_their_size_and_bits() {
        for (value, expected) in [
            (0, (0, 0)),
            (1, (1, 1)),
            (-1, (1, 0)),
            (5, (3, 5)),
            (-5, (3, 2)),
            (-2047, (11, 0)),
            (2047, (11, 2047)),
        ] {
            assert_eq!(number(value), expected, "{value}");
        }
    }

    #[test]
    fn flags_stand_where_their_coefficients_do() {
        for at in 0..64 {
            let mut block = [0; 64];
            block[place(at)] = -1;
            let expected = if at == 0 { 0 } else { 1 << at };
            assert_eq!(others(&block), expected);
        }
        assert_eq!(others(&[7; 64]), !1);
    }

    #[test]
    fn words_are_those_of_the_standard() {
        // Table K.5: no zeros and one bit; the end; sixteen zeros; fifteen zeros and ten bits.
        let words = Words::of(&tables::AC[0]);
        for (symbol, expected) in [
            (0x01, (0b00, 2)),
            (0x00, (0b1010, 4)),
            (0xf0, (0b111_1111_1001, 11)),
            (0xfa, (0xfffe, 16)),
        ] {
            assert_eq!(words.0[symbol], expected, "{symbol:x}");
        }
    }

    #[test]
    fn a_byte_of_ones_is_followed_by_zero() {
        for lead in 0..40 {
            let mut bits = Bits::new();
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
