//! The fields of binary records, by their offsets, in little-endian order. Whoever reads a record has to know its layout; where a
//! record is, and that it is long enough, it need not check: what is beyond the end reads as 0, because programs of every age
//! write shorter records than the specification of the latest one has.

/// The bytes of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// In bytes.
    // A record with nothing in it is as good as one that is short.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// The byte at an offset. Here as below, what is beyond the end is 0.
    pub fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Little-endian, as all that follow.
    pub fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.field(at))
    }

    /// With a sign.
    pub fn i16(self, at: usize) -> i16 {
        i16::from_le_bytes(self.field(at))
    }

    /// Reads four bytes.
    pub fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.field(at))
    }

    /// Reads four bytes, with a sign.
    pub fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.field(at))
    }

    /// A floating-point number (IEEE 754).
    #[cfg(feature = "spreadsheet")]
    pub fn f64(self, at: usize) -> f64 {
        f64::from_le_bytes(self.field(at))
    }

    /// Fields from this offset on; empty beyond the end.
    pub fn from(self, at: usize) -> Self {
        Self(self.0.get(at..).unwrap_or_default())
    }

    /// The bytes from this offset on; fewer, if the record ends before.
    pub fn part(self, at: usize, len: usize) -> Self {
        let rest = self.from(at).0;
        Self(&rest[..len.min(rest.len())])
    }

    /// So many units of UTF-16 from this offset on.
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
