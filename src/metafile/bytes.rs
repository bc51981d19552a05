//! Reads numbers of a record at any offset, all of them little-endian. A read beyond the end returns `None`, or fewer
//! bytes or points if their number is not fixed.

/// The bytes of a record.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    /// Bytes at an offset as an array.
    fn field<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        let bytes = self.0.get(at..at.checked_add(N)?)?;
        bytes.try_into().ok()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        self.field(at).map(u16::from_le_bytes)
    }

    pub(super) fn i16(self, at: usize) -> Option<i16> {
        self.field(at).map(i16::from_le_bytes)
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        self.field(at).map(u32::from_le_bytes)
    }

    pub(super) fn i32(self, at: usize) -> Option<i32> {
        self.field(at).map(i32::from_le_bytes)
    }

    /// A floating-point number; `None` also for infinity and NaN.
    pub(super) fn f32(self, at: usize) -> Option<f64> {
        let number = self.field(at).map(f32::from_le_bytes)?;
        number.is_finite().then_some(f64::from(number))
    }

    /// `len` bytes from an offset on.
    pub(super) fn part(self, at: usize, len: usize) -> Option<Self> {
        self.0.get(at..at.checked_add(len)?).map(Self)
    }

    /// Bytes from an offset on.
    pub(super) fn rest(self, at: usize) -> Self {
        Self(self.0.get(at..).unwrap_or_default())
    }

    /// The number of bytes of the record.
    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// A point of two 32-bit numbers if `wide`, otherwise of two 16-bit numbers.
    pub(super) fn point(self, at: usize, wide: bool) -> Option<(f64, f64)> {
        Some(match wide {
            true => (self.i32(at)?.into(), self.i32(at + 4)?.into()),
            false => (self.i16(at)?.into(), self.i16(at + 2)?.into()),
        })
    }

    /// `count` points, or fewer if the record ends earlier.
    pub(super) fn points(self, at: usize, count: usize, wide: bool) -> Vec<(f64, f64)> {
        let size = if wide { 8 } else { 4 };
        let available = self.len().saturating_sub(at) / size;
        let points = (0..count.min(available)).map(|nth| self.point(at + nth * size, wide));
        points.flatten().collect()
    }

    /// A rectangle of four numbers of 32 bits: left, top, right, bottom.
    pub(super) fn rectangle(self, at: usize) -> Option<[f64; 4]> {
        let ((left, top), (right, bottom)) = (self.point(at, true)?, self.point(at + 8, true)?);
        Some([left, top, right, bottom])
    }
}
