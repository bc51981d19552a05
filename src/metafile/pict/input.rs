//! Reads the numbers of a picture in sequence, all of them big-endian. A read beyond the end returns `None`.

use crate::objects::Rgb;

/// Unread bytes.
#[derive(Clone, Copy)]
pub(super) struct Input<'b> {
    rest: &'b [u8],
    /// Number of bytes that have been read.
    at: usize,
}

impl<'b> Input<'b> {
    /// Input from the beginning of `bytes`.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, at: 0 }
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        (self.rest, self.at) = (rest, self.at + len);
        Some(taken)
    }

    /// The next bytes as an array.
    fn field<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.field().map(u8::from_be_bytes)
    }

    pub(super) fn i8(&mut self) -> Option<i8> {
        self.field().map(i8::from_be_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.field().map(u16::from_be_bytes)
    }

    pub(super) fn i16(&mut self) -> Option<i16> {
        self.field().map(i16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.field().map(u32::from_be_bytes)
    }

    /// A point as (x, y). In the file, y comes first.
    pub(super) fn point(&mut self) -> Option<(f64, f64)> {
        let (y, x) = (self.i16()?, self.i16()?);
        Some((x.into(), y.into()))
    }

    /// A rectangle: left, top, right, bottom.
    pub(super) fn rectangle(&mut self) -> Option<[f64; 4]> {
        let ((left, top), (right, bottom)) = (self.point()?, self.point()?);
        Some([left, top, right, bottom])
    }

    /// A colour of three numbers of 16 bits.
    pub(super) fn colour(&mut self) -> Option<Rgb> {
        let mut part = || self.u16().map(|part| (part >> 8) as u8);
        Some([part()?, part()?, part()?])
    }

    /// A region or a polygon: data after a 16-bit length, which counts itself.
    pub(super) fn counted(&mut self) -> Option<Self> {
        let len = usize::from(self.u16()?).max(2);
        self.take(len - 2).map(Self::new)
    }

    /// Skips to an even position.
    pub(super) fn align(&mut self) {
        if self.at % 2 == 1 {
            self.take(1);
        }
    }

    /// The bytes that have not been read.
    pub(super) fn rest(self) -> &'b [u8] {
        self.rest
    }
}
