//! Reads the bits of a frame, the most significant first. Gives zeros beyond its end, and tells that it did.

pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// The position, in bits.
    at: usize,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// An unsigned number of at most 24 bits.
    #[inline]
    pub(super) fn take(&mut self, count: u32) -> u32 {
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

    /// A number in two's complement of at most 24 bits.
    pub(super) fn signed(&mut self, count: u32) -> i32 {
        let value = self.take(count) << (32 - count);
        value as i32 >> (32 - count)
    }

    pub(super) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    pub(super) fn overran(&self) -> bool {
        self.at > self.data.len() * 8
    }
}
