//! Bits of a FLAC frame (RFC 9639), the most significant first, and the Rice codes in them. Never reads beyond its bytes:
//! there it finds zeros, and says so.

/// Why a frame cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end within it.
    Short,
    /// It is none, or damaged.
    Wrong(&'static str),
}

/// A position in bytes.
#[derive(Clone)]
pub(crate) struct Bits<'a> {
    /// The bytes of which nothing is certain to be in the cache.
    rest: &'a [u8],
    /// Bytes from the beginning to those, and to the end.
    next: usize,
    length: usize,
    /// At the top `count` bits that come next; below them some more of the same, or zeros.
    cache: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self {
            rest: data,
            next: 0,
            length: data.len(),
            cache: 0,
            count: 0,
        }
    }

    /// Makes sure that there are at least 56 bits in the cache.
    fn refill(&mut self) {
        if !self.quick_refill() {
            let mut word = [0; 8];
            word[..self.rest.len()].copy_from_slice(self.rest);
            self.add(word);
        }
    }

    /// The same where it costs little; false where it does not.
    #[inline(always)]
    fn quick_refill(&mut self) -> bool {
        let word = self.rest.first_chunk();
        word.map(|word| self.add(*word)).is_some()
    }

    #[inline(always)]
    fn add(&mut self, word: [u8; 8]) {
        let bytes = ((63 - self.count) >> 3) as usize;
        self.cache |= u64::from_be_bytes(word) >> self.count;
        self.count |= 56;
        self.next += bytes;
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Drops up to 63 bits that are in the cache.
    #[inline(always)]
    fn drop(&mut self, bits: u32) {
        self.cache <<= bits;
        self.count -= bits;
    }

    /// The next bits, 32 at most.
    #[inline(always)]
    pub(crate) fn take(&mut self, bits: u32) -> u32 {
        self.refill();
        let value = self.cache >> 1 >> (63 - bits);
        self.drop(bits);
        value as u32
    }

    /// The next bits as a number in two's complement, 33 at most.
    #[inline(always)]
    pub(crate) fn signed(&mut self, bits: u32) -> i64 {
        self.refill();
        let value = self.cache as i64 >> 1 >> (63 - bits);
        self.drop(bits);
        // Of no bits at all the sign is none.
        if bits == 0 { 0 } else { value }
    }

    /// The number of zeros before the next one, which is dropped, too.
    pub(crate) fn unary(&mut self) -> Result<u32, Fault> {
        let mut zeros = 0u32;
        loop {
            self.refill();
            let more = self.cache.leading_zeros().min(55);
            zeros += more;
            if more < 55 {
                self.drop(more + 1);
                return Ok(zeros);
            }
            self.drop(55);
            self.check()?;
        }
    }

    /// A number in Rice code: its sign is in the last bit, and the `parameter` last bits, 30 at most, stand as they are.
    pub(crate) fn rice(&mut self, parameter: u32) -> Result<i32, Fault> {
        let high = self.unary()?;
        let low = self.take(parameter);
        Ok(unfold(high << parameter | low))
    }

    /// Two of them, unless they are long or the bytes are about to end: then nothing is read.
    #[inline(always)]
    pub(crate) fn two_rice(&mut self, parameter: u32) -> Option<[i32; 2]> {
        if !self.quick_refill() {
            return None;
        }
        let (first, first_bits) = short_rice(self.cache, parameter);
        let cache = self.cache.wrapping_shl(first_bits);
        let (second, second_bits) = short_rice(cache, parameter);
        let bits = first_bits + second_bits;
        if bits > 56 {
            return None;
        }
        self.cache = cache << second_bits;
        self.count -= bits;
        Some([first, second])
    }

    /// Goes to the next whole byte, and gives its position.
    pub(crate) fn align(&mut self) -> usize {
        self.drop(self.count % 8);
        self.next - (self.count / 8) as usize
    }

    /// That what has been read was there.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), Fault> {
        // Whole bytes in the cache have not been read.
        if self.next > self.length + (self.count / 8) as usize {
            return Err(Fault::Short);
        }
        Ok(())
    }
}

/// The number in Rice code at the top, and how many bits it takes; what is longer than the 56 that count is wrong.
#[inline(always)]
fn short_rice(cache: u64, parameter: u32) -> (i32, u32) {
    // A one at the very end changes nothing in the bits that count.
    let zeros = (cache | 1).leading_zeros();
    // The one that ended the zeros comes along, and is taken off again.
    let low = (cache << zeros >> (63 - parameter)) as u32;
    let high = zeros.wrapping_sub(1) << parameter;
    (unfold(high.wrapping_add(low)), zeros + parameter + 1)
}

/// The number whose sign is in the last bit.
#[inline(always)]
fn unfold(folded: u32) -> i32 {
    (folded >> 1) as i32 ^ -((folded & 1) as i32)
}
