//! Structures that xls and xlsb share: records, RK numbers, error codes (MS-XLS 2.1.4, 2.5.122, 2.5.198.42; MS-XLSB
//! 2.1.4, 2.5.122), formulas, and the codes of cell formats. Reads no files.

#[cfg(feature = "document")]
pub(crate) mod conditions;
#[cfg(feature = "document")]
mod functions;
#[cfg(feature = "document")]
mod looks;
#[cfg(feature = "document")]
mod rich;
#[cfg(feature = "document")]
mod scope;
#[cfg(feature = "document")]
mod shared;
#[cfg(feature = "document")]
mod tokens;
#[cfg(feature = "document")]
mod validation;

#[cfg(feature = "document")]
pub(crate) use looks::{PATTERNS, STROKES, across, down, underline};
#[cfg(feature = "document")]
pub(crate) use rich::rich;
#[cfg(feature = "document")]
pub(crate) use scope::{Link, Scope};
#[cfg(feature = "document")]
pub(crate) use shared::Shared;
#[cfg(feature = "document")]
pub(crate) use tokens::Formula;
#[cfg(feature = "document")]
pub(crate) use validation::{OPERATORS, validation};

/// Number of records between two checks of the job's deadline.
pub(crate) const RECORDS_PER_CHECK: u32 = 1 << 14;

/// A record: its type and its data.
#[derive(Clone, Copy)]
pub(crate) struct Record<'r> {
    /// Type of the record.
    pub(crate) kind: u16,
    pub(crate) data: &'r [u8],
}

/// Little-endian fields at byte offsets. A field beyond the end of the data reads as 0, because some programs write
/// short records.
impl Record<'_> {
    /// Returns the byte at an offset, or 0 if the record is too short, as in the other functions.
    pub(crate) fn u8(self, at: usize) -> u8 {
        self.data.get(at).copied().unwrap_or(0)
    }

    /// Returns the 16-bit number at an offset.
    pub(crate) fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.field(at))
    }

    /// Returns the 32-bit number at an offset.
    pub(crate) fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.field(at))
    }

    /// Returns the float at an offset.
    pub(crate) fn f64(self, at: usize) -> f64 {
        f64::from_le_bytes(self.field(at))
    }

    /// Returns the bytes at an offset, or zeros if the record is too short.
    pub(crate) fn field<const N: usize>(self, at: usize) -> [u8; N] {
        let rest = self.data.get(at..).unwrap_or_default();
        rest.first_chunk().copied().unwrap_or([0; N])
    }
}

/// Decodes an RK number. The upper 30 bits are a signed integer if bit 1 is set, and otherwise the most significant
/// bits of a floating-point number. If bit 0 is set, the value is divided by 100.
pub(crate) fn compressed(bits: u32) -> f64 {
    let value = match bits & 2 {
        0 => f64::from_bits(u64::from(bits & !3) << 32),
        _ => f64::from(bits.cast_signed() >> 2),
    };
    match bits & 1 {
        0 => value,
        _ => value / 100.0,
    }
}

/// Error value for a code. Unknown codes stand for `#N/A`.
pub(crate) fn error(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2b => "#GETTING_DATA",
        _ => "#N/A",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_numbers_have_four_kinds() {
        assert_eq!(compressed(0x3ff0_0000), 1.0);
        assert_eq!(compressed(0x3ff0_0001), 0.01);
        assert_eq!(compressed(12_345 << 2 | 2), 12_345.0);
        assert_eq!(compressed(12_345 << 2 | 3), 123.45);
        assert_eq!(compressed((-7_i32 << 2).cast_unsigned() | 2), -7.0);
    }
}
