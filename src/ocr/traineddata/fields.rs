//! Reads numbers and strings from the bytes of a model, all of them little-endian. Never reads beyond the end, and
//! trusts a length only if the data has as many bytes.

use super::unusable;
use convertd_core::error::Result;

/// Unread rest of a part of a model file.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

macro_rules! number {
    ($($name:ident: $type:ident),*) => {$(
        pub(crate) fn $name(&mut self) -> Result<$type> {
            self.array().map($type::from_le_bytes)
        }
    )*};
}

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Takes `len` bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(len)
            .ok_or_else(|| unusable("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    number!(u8: u8, i8: i8, i16: i16, u32: u32, i32: i32, i64: i64, f64: f64);

    /// Reads a 32-bit number that is a count or a size. It must be from 0 to `most`; `what` names it in the error.
    pub(crate) fn count(&mut self, what: &str, most: usize) -> Result<usize> {
        let value = self.i32()?;
        usize::try_from(value)
            .ok()
            .filter(|count| *count <= most)
            .ok_or_else(|| unusable(format!("{what} is {value}; the limit is {most}")))
    }

    /// Takes a string: its length in 32 bits, and its bytes.
    pub(crate) fn string(&mut self) -> Result<&'a [u8]> {
        let len = self.u32()?;
        // The length fits, because this program does not run where `usize` has 16 bits.
        self.bytes(len as usize)
    }
}
