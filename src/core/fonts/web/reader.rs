//! Reads the numbers of font files from the front of a slice. Interprets no table.

/// Unread bytes. All numbers are big-endian; `None` after the end.
pub(super) struct ByteReader<'b>(pub(super) &'b [u8]);

impl<'b> ByteReader<'b> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// A variable-length number with seven bits in each byte (WOFF 2.0, 4.1: UIntBase128).
    pub(super) fn base128(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for at in 0..5 {
            let byte = self.u8()?;
            if at == 0 && byte == 0x80 || number > u32::MAX >> 7 {
                return None;
            }
            number = number << 7 | u32::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A 16-bit number that takes one byte if it is less than 253 (WOFF 2.0, 4.1: 255UInt16).
    pub(super) fn short(&mut self) -> Option<u16> {
        match self.u8()? {
            253 => self.u16(),
            254 => Some(u16::from(self.u8()?) + 506),
            255 => Some(u16::from(self.u8()?) + 253),
            byte => Some(u16::from(byte)),
        }
    }
}
