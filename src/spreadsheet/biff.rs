//! What the binary formats of Excel share: compressed numbers and the codes of errors (MS-XLS 2.5.122, 2.5.198.42; MS-XLSB
//! 2.5.122).

use crate::spreadsheet::{cells::Value, number::Number, number_format::Shown, time::Epoch};

/// A number in 30 bits: the upper ones of a floating-point number, or a whole one; and whether it is in hundredths.
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

/// What a cell with an error shows.
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

/// A number, or the moment that it stands for. What is no number shows the error that Excel shows.
pub(crate) fn value(value: f64, shown: Shown, epoch: Epoch) -> Value<'static> {
    if !value.is_finite() {
        return Value::Error("#NUM!");
    }
    match shown {
        Shown::Number(look) => Value::Number(Number { value, look }),
        Shown::Moment(clock) => match epoch.moment(value, clock) {
            Some(moment) => Value::Moment(moment),
            None => Value::Number(Number::general(value)),
        },
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
