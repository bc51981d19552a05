//! Decodes the bytes of a cell. Does not look up texts, which the cell refers to by key.
//!
//! A cell begins with its version, its type, and flags that say which values follow. In version 5, which Numbers has
//! written since 2017, the values are in the order of the flags. Older versions have other flags and another order.

use crate::time::Moment;

/// Seconds from 1970 to 2001. Dates in cells are counted from 2001.
const FROM_2001: f64 = 978_307_200.0;

/// Bias of the exponent of a decimal number (IEEE 754-2008, decimal128).
const BIAS: i32 = 6176;

/// Value of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Empty,
    Number(f64),
    Boolean(bool),
    Moment(Moment),
    /// A formula without a result.
    Error,
    /// Key of a text.
    Text(u32),
    /// Key of a text with character styles.
    Rich(u32),
}

/// Values of a cell. The flags of the cell say which of them it has.
#[derive(Default)]
struct Stored {
    decimal: Option<f64>,
    double: Option<f64>,
    seconds: Option<f64>,
    text: Option<u32>,
    rich: Option<u32>,
}

/// Decodes a cell. `None` if it is damaged, or has an unknown version or type.
pub(super) fn read(bytes: &[u8]) -> Option<Cell> {
    let (kind, stored) = match *bytes.first()? {
        5 => (*bytes.get(1)?, current(bytes)?),
        version @ 0..=3 => (*bytes.get(2)?, former(bytes, version)?),
        4 => (*bytes.get(1)?, former(bytes, 4)?),
        _ => return None,
    };
    let number = stored.decimal.or(stored.double);
    let number = number.filter(|number| number.is_finite());
    Some(match kind {
        0 => Cell::Empty,
        // Type 10 is an amount of money.
        2 | 10 => Cell::Number(number?),
        3 => Cell::Text(stored.text?),
        5 => Cell::Moment(moment(stored.seconds?)?),
        6 => Cell::Boolean(number? > 0.0),
        7 => Cell::Moment(Moment::Duration(millis(number?)?)),
        8 => Cell::Error,
        9 => match (stored.rich, stored.text) {
            (Some(key), _) => Cell::Rich(key),
            (None, Some(key)) => Cell::Text(key),
            (None, None) => return None,
        },
        _ => return None,
    })
}

/// Reads the values of a cell of version 5.
fn current(bytes: &[u8]) -> Option<Stored> {
    let flags = u32::from_le_bytes(*bytes.get(8..)?.first_chunk()?);
    let mut rest = bytes.get(12..)?;
    let mut stored = Stored::default();
    if flags & 1 != 0 {
        stored.decimal = Some(decimal(u128::from_le_bytes(take(&mut rest)?))?);
    }
    if flags & 2 != 0 {
        stored.double = Some(f64::from_le_bytes(take(&mut rest)?));
    }
    if flags & 4 != 0 {
        stored.seconds = Some(f64::from_le_bytes(take(&mut rest)?));
    }
    if flags & 8 != 0 {
        stored.text = Some(u32::from_le_bytes(take(&mut rest)?));
    }
    if flags & 16 != 0 {
        stored.rich = Some(u32::from_le_bytes(take(&mut rest)?));
    }
    Some(stored)
}

/// Reads the values of a cell of an earlier version. Keys of styles and formulas precede the values, and may be between
/// them.
fn former(bytes: &[u8], version: u8) -> Option<Stored> {
    let flags = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
    let is_first = version <= 1;
    // `before` and `between` are the flags of the 4-byte keys that are not read: those before the key of the rich text,
    // and those between it and the text's key.
    let (begin, before, between) = match is_first {
        true => (8, 0x018e, 0x1000),
        false => (12, 0x0d8e, 0x3000),
    };
    let keys = |mask: u32| 4 * (flags & mask).count_ones() as usize;
    let mut rest = bytes.get(begin + keys(before)..)?;
    let mut stored = Stored::default();
    if flags & 0x0200 != 0 {
        stored.rich = Some(u32::from_le_bytes(take(&mut rest)?));
    }
    rest = rest.get(keys(between)..)?;
    if flags & 0x0010 != 0 {
        stored.text = Some(u32::from_le_bytes(take(&mut rest)?));
    }
    if flags & 0x0020 != 0 {
        stored.double = Some(f64::from_le_bytes(take(&mut rest)?));
    }
    if flags & 0x0040 != 0 {
        stored.seconds = Some(f64::from_le_bytes(take(&mut rest)?));
    }
    Some(stored)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (value, next) = rest.split_first_chunk()?;
    *rest = next;
    Some(*value)
}

/// Decodes a decimal number: a sign, fourteen bits of exponent, and the digits as an integer.
fn decimal(bits: u128) -> Option<f64> {
    const DIGITS: u32 = 113;
    let exponent = ((bits >> DIGITS) & 0x3fff) as i32 - BIAS;
    let digits = bits & ((1 << DIGITS) - 1);
    let value: f64 = format!("{digits}e{exponent}").parse().ok()?;
    Some(if bits >> 127 == 0 { value } else { -value })
}

fn millis(seconds: f64) -> Option<i64> {
    let millis = (seconds * 1000.0).round();
    (millis.abs() < 1e15).then_some(millis as i64)
}

/// Converts seconds since 2001 to a date and time.
fn moment(seconds: f64) -> Option<Moment> {
    const DAY: i64 = 86_400_000;
    let millis = millis(seconds + FROM_2001)?;
    Some(match millis.rem_euclid(DAY) {
        0 => Moment::Date(millis.div_euclid(DAY)),
        _ => Moment::DateTime(millis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        #[track_caller]
        fn check(digits: u128, exponent: i32, is_negative: bool, expected: f64) {
            let bits =
                digits | (((exponent + BIAS) as u128) << 113) | u128::from(is_negative) << 127;
            assert_eq!(decimal(bits), Some(expected));
        }
        check(1, 0, false, 1.0);
        check(1234, -2, true, -12.34);
        check(1, -1, false, 0.1);
        check(5, 3, false, 5000.0);
    }

    #[test]
    fn damaged_cells_are_rejected() {
        for bytes in [
            &[][..],
            &[5],
            &[5, 2, 0, 0],
            &[9; 40],
            &[5, 3, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1],
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
        assert_eq!(
            read(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            Some(Cell::Empty)
        );
    }
}
