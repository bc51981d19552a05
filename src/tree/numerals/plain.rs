//! Numerals that all formats of documents have. Contains no others.

/// The kind of numeral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeral {
    /// 1, 2, 3.
    Decimal,
    /// a, b, c, … z, aa, bb.
    LowerAlpha,
    /// A, B, C.
    UpperAlpha,
    /// i, ii, iii.
    LowerRoman,
    /// I, II, III.
    UpperRoman,
}

/// Writes a number in this kind of numeral.
pub fn write(number: u32, numeral: Numeral) -> String {
    match numeral {
        Numeral::Decimal => number.to_string(),
        Numeral::LowerAlpha => letters(number),
        Numeral::UpperAlpha => letters(number).to_ascii_uppercase(),
        Numeral::LowerRoman => roman(number),
        Numeral::UpperRoman => roman(number).to_ascii_uppercase(),
    }
}

/// Writes a to z, then aa, bb to zz, as Word and OpenDocument count. Writes digits for 0, and for numbers that would
/// repeat a letter more than ten times.
fn letters(number: u32) -> String {
    let Some(index) = number.checked_sub(1).filter(|index| *index < 26 * 10) else {
        return number.to_string();
    };
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}

/// Writes Roman numerals, but digits for 0 and for numbers from 4000, which have no agreed Roman form.
fn roman(number: u32) -> String {
    const VALUES: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number == 0 || number >= 4000 {
        return number.to_string();
    }
    let mut left = number;
    let mut text = String::new();
    for (value, letters) in VALUES {
        while left >= value {
            text.push_str(letters);
            left -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_roman_numerals_are_written() {
        #[track_caller]
        fn check(number: u32, numeral: Numeral, expected: &str) {
            assert_eq!(write(number, numeral), expected);
        }
        check(0, Numeral::Decimal, "0");
        check(1, Numeral::LowerAlpha, "a");
        check(27, Numeral::UpperAlpha, "AA");
        check(0, Numeral::LowerAlpha, "0");
        check(u32::MAX, Numeral::LowerAlpha, "4294967295");
        check(1994, Numeral::UpperRoman, "MCMXCIV");
        check(3999, Numeral::LowerRoman, "mmmcmxcix");
        check(4000, Numeral::LowerRoman, "4000");
    }
}
