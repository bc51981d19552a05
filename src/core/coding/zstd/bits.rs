//! Reads the bits of a Zstandard block from the end to the beginning, because encoders write them in reverse. Returns
//! zeros before the beginning, where [`Backward::is_before_begin`] becomes true.

/// Reader of bits that begins at the last byte.
pub(super) struct Backward<'a> {
    data: &'a [u8],
    /// Number of bits that are left; negative if more were taken.
    left: i64,
}

impl<'a> Backward<'a> {
    /// Begins below the highest set bit of the last byte, which only marks the beginning of the bits (RFC 8878, section
    /// 4.1). `None` if the last byte is 0 or missing.
    pub(super) fn new(data: &'a [u8]) -> Option<Self> {
        let last = data.last().filter(|last| **last != 0)?;
        let left = 8 * data.len() as i64 - i64::from(last.leading_zeros()) - 1;
        Some(Self { data, left })
    }

    /// Returns the next bits, at most 32, without taking them.
    pub(super) fn peek(&self, bits: u32) -> u32 {
        let begin = self.left - i64::from(bits);
        let mask = (1_u64 << bits) - 1;
        let at = usize::try_from(begin).unwrap_or(0);
        let word = match self.data.get(at / 8..).and_then(|rest| rest.first_chunk()) {
            Some(word) => u64::from_le_bytes(*word),
            None => {
                let rest = self.data.get(at / 8..).unwrap_or_default();
                let mut word = [0; 8];
                word[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(word)
            }
        };
        let bits = match u32::try_from(-begin) {
            Ok(before @ 1..32) => word << before,
            Ok(32..) => 0,
            _ => word >> (at % 8),
        };
        (bits & mask) as u32
    }

    pub(super) fn skip(&mut self, bits: u32) {
        self.left -= i64::from(bits);
    }

    pub(super) fn take(&mut self, bits: u32) -> u32 {
        let value = self.peek(bits);
        self.skip(bits);
        value
    }

    pub(super) fn is_at_begin(&self) -> bool {
        self.left == 0
    }

    pub(super) fn is_before_begin(&self) -> bool {
        self.left < 0
    }
}
