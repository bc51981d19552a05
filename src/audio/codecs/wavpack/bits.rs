//! Reads the bits of a WavPack block, the lowest bit of a byte first. Beyond the end of the data, all bits are zeros,
//! and the block's checksum reveals the damage.

/// A position in the data of a block.
pub(super) struct Bits<'a> {
    rest: &'a [u8],
    /// The lowest `count` bits come next; those above are zeros.
    cache: u64,
    /// Number of bits in the cache.
    count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self {
            rest: data,
            cache: 0,
            count: 0,
        }
    }

    /// Makes sure that at least 32 bits are cached.
    #[inline(always)]
    fn refill(&mut self) {
        if self.count < 32 {
            if let Some((word, rest)) = self.rest.split_first_chunk() {
                self.cache |= u64::from(u32::from_le_bytes(*word)) << self.count;
                self.rest = rest;
            } else {
                self.refill_slowly();
            }
            self.count += 32;
        }
    }

    #[cold]
    fn refill_slowly(&mut self) {
        let mut word = [0; 4];
        word[..self.rest.len()].copy_from_slice(self.rest);
        self.cache |= u64::from(u32::from_le_bytes(word)) << self.count;
        self.rest = &[];
    }

    /// Takes a number of at most 32 bits.
    #[inline(always)]
    pub(super) fn take(&mut self, bits: u32) -> u32 {
        self.refill();
        let value = self.cache & ((1 << bits) - 1);
        self.cache >>= bits;
        self.count -= bits;
        value as u32
    }

    #[inline(always)]
    pub(super) fn bit(&mut self) -> bool {
        self.take(1) != 0
    }

    /// Takes a unary code, which is a run of ones and a zero, and returns the number of ones. If there are `most` ones,
    /// no zero follows.
    #[inline(always)]
    pub(super) fn ones(&mut self, most: u32) -> u32 {
        self.refill();
        let ones = self.cache.trailing_ones();
        if ones < most.min(self.count) {
            self.cache >>= ones + 1;
            self.count -= ones + 1;
            return ones;
        }
        let mut ones = 0;
        while ones < most && self.bit() {
            ones += 1;
        }
        ones
    }

    /// Takes a number that is at most `most`, in a truncated binary code.
    #[inline(always)]
    pub(super) fn up_to(&mut self, most: u32) -> u32 {
        if most == 0 {
            return 0;
        }
        let bits = 32 - most.leading_zeros();
        // The number of codes that are shorter by one bit.
        let short = ((1_u64 << bits) - 1 - u64::from(most)) as u32;
        let code = self.take(bits - 1);
        match code < short {
            true => code,
            false => (code << 1).wrapping_sub(short) + u32::from(self.bit()),
        }
    }
}
