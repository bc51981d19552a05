//! Reads the bits of a FLAC frame (RFC 9639), the most significant first, and the Rice codes in them. Beyond the end of
//! the data, all bits are zeros, and [`Bits::check`] returns an error.
//!
//! A FLAC file consists almost entirely of Rice codes (section 9.2.7.1): a quotient in unary, which is a run of zeros
//! and a one, and then the low bits. To read them fast, a 64-bit cache holds at least the next 56 bits, one instruction
//! counts the zeros of a quotient, and two codes are taken in one step if both fit into the cache. The end of the data
//! is checked after each partition, not after each code.

/// Reason why a frame cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The data ends within the frame. More data may make the frame whole.
    Short,
    /// The data is not a frame, or is damaged. The text describes the fault.
    Wrong(&'static str),
}

/// A position in the data of a frame.
#[derive(Clone)]
pub(crate) struct Bits<'a> {
    /// The bytes that do not count as cached. The cache may hold bits of them already.
    rest: &'a [u8],
    /// Position of `rest` in the data, in bytes. It keeps growing beyond the end of the data.
    next: usize,
    /// Length of the data in bytes.
    length: usize,
    /// The cache: its top `count` bits come next. The bits below are either zeros or already the bits that follow; a
    /// refill writes them again with the same values.
    cache: u64,
    /// Number of valid bits at the top of the cache.
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

    /// Fills the cache to at least 56 bits; beyond the end of the data with zeros.
    fn refill(&mut self) {
        if !self.quick_refill() {
            let mut word = [0; 8];
            word[..self.rest.len()].copy_from_slice(self.rest);
            self.add(word);
        }
    }

    /// Fills the cache with a single load. Returns false and changes nothing if fewer than eight bytes are left.
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

    /// Drops `bits` bits from the cache, at most 63. The cache must hold that many.
    #[inline(always)]
    fn drop(&mut self, bits: u32) {
        self.cache <<= bits;
        self.count -= bits;
    }

    /// Takes an unsigned number of at most 32 bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, bits: u32) -> u32 {
        self.refill();
        let value = self.cache >> 1 >> (63 - bits);
        self.drop(bits);
        value as u32
    }

    /// Takes a number in two's complement of at most 33 bits.
    #[inline(always)]
    pub(crate) fn signed(&mut self, bits: u32) -> i64 {
        self.refill();
        let value = self.cache as i64 >> 1 >> (63 - bits);
        self.drop(bits);
        // A number of zero bits has no sign bit; the shift above would repeat the first bit of what follows.
        if bits == 0 { 0 } else { value }
    }

    /// Takes a unary code: the number of zero bits before the next 1 bit.
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

    /// Takes a residual in Rice code, whose parameter is at most 30.
    pub(crate) fn rice(&mut self, parameter: u32) -> Result<i32, Fault> {
        let high = self.unary()?;
        let low = self.take(parameter);
        Ok(unfold(high << parameter | low))
    }

    /// Takes two residuals in one step. `None` if the cache may not contain the two codes completely, or fewer than
    /// eight bytes are left; then no bits are taken.
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

    /// Skips to the next whole byte and returns its position.
    pub(crate) fn align(&mut self) -> usize {
        self.drop(self.count % 8);
        self.next - (self.count / 8) as usize
    }

    /// Fails if more bits have been taken than there were.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), Fault> {
        // Whole bytes that are still in the cache have not been taken.
        if self.next > self.length + (self.count / 8) as usize {
            return Err(Fault::Short);
        }
        Ok(())
    }
}

/// Decodes the Rice code at the top of the cache. Returns the residual, and the length of the code in bits. If that is
/// more than the 56 bits that are sure to be cached, both results may be wrong; the caller has to check.
#[inline(always)]
fn short_rice(cache: u64, parameter: u32) -> (i32, u32) {
    // Setting the last bit keeps the count below 64, the width of a shift. A code of that length is too long anyway.
    let zeros = (cache | 1).leading_zeros();
    // `low` includes the 1 bit that ends the quotient, above the low bits of the code. `high` is smaller by 1 to
    // compensate.
    let low = (cache << zeros >> (63 - parameter)) as u32;
    let high = zeros.wrapping_sub(1) << parameter;
    (unfold(high.wrapping_add(low)), zeros + parameter + 1)
}

/// Undoes the zigzag code of residuals (section 9.2.7.3), in which 0, 1, 2, 3, … stand for 0, −1, 1, −2, …
#[inline(always)]
fn unfold(folded: u32) -> i32 {
    (folded >> 1) as i32 ^ -((folded & 1) as i32)
}
