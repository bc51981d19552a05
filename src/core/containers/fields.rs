//! The fields of binary records, by their offsets, in little-endian order. A reader need not check the length of a
//! record: bytes beyond its end read as 0. Older programs write records that are shorter than the latest specification
//! says, and their missing fields mean 0.

/// The bytes of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// Length of the record in bytes.
    // There is no `is_empty`, because an empty record is treated like any short one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// The byte at an offset. Like every number that the functions below return, it is 0 beyond the end.
    pub fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// The unsigned 16-bit number at an offset.
    pub fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.field(at))
    }

    /// The signed 16-bit number at an offset.
    pub fn i16(self, at: usize) -> i16 {
        i16::from_le_bytes(self.field(at))
    }

    /// The unsigned 32-bit number at an offset.
    pub fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.field(at))
    }

    /// The signed 32-bit number at an offset.
    pub fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.field(at))
    }

    /// The floating-point number of 64 bits at an offset (IEEE 754).
    pub fn f64(self, at: usize) -> f64 {
        f64::from_le_bytes(self.field(at))
    }

    /// Fields from this offset on; empty beyond the end.
    pub fn from(self, at: usize) -> Self {
        Self(self.0.get(at..).unwrap_or_default())
    }

    /// The `len` bytes from this offset on; fewer if the record ends earlier.
    pub fn part(self, at: usize, len: usize) -> Self {
        let rest = self.from(at).0;
        Self(&rest[..len.min(rest.len())])
    }

    /// Decodes this many UTF-16 units, from this offset on.
    pub fn utf16(self, at: usize, units: usize) -> String {
        let units = self.part(at, units.saturating_mul(2)).0.chunks_exact(2);
        let units: Vec<u16> = units.map(|unit| Fields(unit).u16(0)).collect();
        String::from_utf16_lossy(&units)
    }

    fn field<const N: usize>(self, at: usize) -> [u8; N] {
        let rest = self.0.get(at..).unwrap_or_default();
        rest.first_chunk().copied().unwrap_or([0; N])
    }
}
