//! Bits of a FLAC frame (RFC 9639), the most significant first, and the Rice codes in them. Never reads beyond its bytes:
//! there it finds zeros, and [`Bits::check`] says so.
//!
//! Nearly all of a file is Rice codes (section 9.2.7.1): a quotient in unary, a one, and the low bits. So the next 56 bits
//! or more stand in a 64-bit cache, the zeros of a quotient are counted by one instruction, and two codes are taken at
//! once wherever they fit into the cache together. The check for the end is not made for
//! each code but after each partition.

/// Why a frame cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end within the frame; more of them may make it whole.
    Short,
    /// The frame is damaged, or no frame at all. Says what is wrong with it.
    Wrong(&'static str),
}

/// A position in bytes.
#[derive(Clone)]
pub(crate) struct Bits<'a> {
    /// Bytes that are not counted in the cache yet, though some of their bits may be there.
    rest: &'a [u8],
    /// Where `rest` begins, and the length of the whole, in bytes. Beyond the end `next` still counts.
    next: usize,
    length: usize,
    /// The next `count` bits at the top. Below them are more of the same or zeros: a refill may set them again.
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

    /// The same by one load of eight bytes; false where fewer are left.
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
        // A sample of zero bits has no sign bit: the shift above would give the sign of what follows it.
        if bits == 0 { 0 } else { value }
    }

    /// A unary code: the number of zero bits before the next one bit, which is taken, too.
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

    /// A residual in Rice code with a parameter of 30 at most.
    pub(crate) fn rice(&mut self, parameter: u32) -> Result<i32, Fault> {
        let high = self.unary()?;
        let low = self.take(parameter);
        Ok(unfold(high << parameter | low))
    }

    /// Two residuals at once. `None`, and nothing is taken, if they are longer than the cache or fewer than eight bytes are
    /// left.
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

    /// Fails if more has been taken than there was.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), Fault> {
        // Whole bytes in the cache have not been read.
        if self.next > self.length + (self.count / 8) as usize {
            return Err(Fault::Short);
        }
        Ok(())
    }
}

/// The Rice code at the top of the cache, and its length in bits; both are wrong if that exceeds the 56 bits that are
/// certain, which the caller has to find out.
#[inline(always)]
fn short_rice(cache: u64, parameter: u32) -> (i32, u32) {
    // The one keeps the count below 64, the width of a shift; codes that reach it are too long anyway.
    let zeros = (cache | 1).leading_zeros();
    // The one that ends the quotient comes along at the top of `low`; one less in `high` makes up for it.
    let low = (cache << zeros >> (63 - parameter)) as u32;
    let high = zeros.wrapping_sub(1) << parameter;
    (unfold(high.wrapping_add(low)), zeros + parameter + 1)
}

/// Undoes the zigzag code of residuals (section 9.2.7.3): 0, 1, 2, 3, … stand for 0, −1, 1, −2, …
#[inline(always)]
fn unfold(folded: u32) -> i32 {
    (folded >> 1) as i32 ^ -((folded & 1) as i32)
}
