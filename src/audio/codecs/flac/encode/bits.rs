//! Writes the bits of a FLAC frame and its codes: unary codes, Rice codes and coded numbers (RFC 9639, sections 9.1.5
//! and 9.2.7). Does not depend on the structure of a frame.

use convertd_core::coding::crc::crc16;

/// Collects bits into bytes, the most significant first.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet: the lowest `count` bits.
    pending: u64,
    /// Number of bits in `pending`.
    count: u32,
}

impl Writer {
    /// Appends the low `bits` bits of `value`, at most 32.
    pub(crate) fn put(&mut self, value: u32, bits: u32) {
        if self.count + bits > 64 {
            self.drain();
        }
        let value = u64::from(value) & ((1 << bits) - 1);
        self.pending = self.pending << bits | value;
        self.count += bits;
    }

    /// Moves whole bytes to the output.
    fn drain(&mut self) {
        let whole = self.count / 8;
        if whole == 0 {
            return;
        }
        let aligned = self.pending << (64 - self.count);
        self.bytes
            .extend_from_slice(&aligned.to_be_bytes()[..whole as usize]);
        self.count -= 8 * whole;
        self.pending &= (1 << self.count) - 1;
    }

    pub(crate) fn signed(&mut self, value: i32, bits: u32) {
        if bits > 32 {
            // More than 32 bits occur only in the side channel of 32-bit stereo, which this encoder never writes.
            self.put((value >> 31) as u32, bits - 32);
        }
        self.put(value as u32, bits.min(32));
    }

    /// Appends a unary code: `zeros` zeros and a one.
    pub(crate) fn unary(&mut self, zeros: u32) {
        let mut left = zeros;
        while left >= 32 {
            self.put(0, 32);
            left -= 32;
        }
        self.put(1, left + 1);
    }

    pub(crate) fn rice(&mut self, value: i32, parameter: u32) {
        let folded = (value << 1 ^ value >> 31) as u32;
        let high = folded >> parameter;
        if high + 1 + parameter <= 32 {
            let low = folded & ((1u32 << parameter) - 1);
            self.put(1 << parameter | low, high + 1 + parameter);
        } else {
            self.unary(high);
            self.put(folded, parameter);
        }
    }

    /// Appends a frame's number, which uses the scheme of UTF-8, extended to 36 bits.
    pub(crate) fn number(&mut self, number: u64) {
        if number < 0x80 {
            return self.put(number as u32, 8);
        }
        let bits = 64 - number.leading_zeros();
        let more = if bits <= 11 { 1 } else { (bits - 2) / 5 };
        let mut shift = 6 * more;
        self.put((0xff00u64 >> (more + 1) & 0xff | number >> shift) as u32, 8);
        while shift > 0 {
            shift -= 6;
            self.put(0x80 | (number >> shift & 0x3f) as u32, 8);
        }
    }

    pub(crate) fn align(&mut self) {
        let over = self.count % 8;
        if over > 0 {
            self.put(0, 8 - over);
        }
        self.drain();
    }

    /// Ends the frame with its CRC-16 and returns the frame.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes.extend(crc16(&self.bytes).to_be_bytes());
        self.bytes
    }
}
