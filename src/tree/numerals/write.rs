//! Writes numbers in a number format: other digits, letters, Chinese or Hebrew numerals. Number words come from
//! [`words`].

use super::{
    plain,
    table::{BRANCHES, Named, Ones, STEMS, Written},
    words,
};

/// Limit on the repetitions of a letter ([`Written::Letters`]).
const LONGEST: usize = 40;

impl Named {
    pub(super) fn write(&self, number: u32) -> Option<String> {
        let index = number.checked_sub(1)?;
        let nth = |first: char, count: u32| {
            let code = u32::from(first) + (index < count).then_some(index)?;
            char::from_u32(code).map(String::from)
        };
        match self.written {
            Written::Plain(numeral) => Some(plain::write(number, numeral)),
            Written::Padded => Some(format!("{number:02}")),
            Written::Decimal(digits) => {
                let digits: Vec<char> = digits.chars().collect();
                let written = number.to_string().into_bytes().into_iter();
                written
                    .map(|digit| digits.get(usize::from(digit - b'0')))
                    .collect()
            }
            Written::Chinese(signs, ones) => {
                chinese(number, &signs.chars().collect::<Vec<char>>(), ones)
            }
            Written::Hebrew => hebrew(number),
            Written::Signs(signs) => signs.chars().nth(index as usize).map(String::from),
            Written::Letters(letters) => {
                let count = letters.chars().count();
                let letter = letters.chars().nth(index as usize % count)?;
                let times = index as usize / count + 1;
                (times <= LONGEST).then(|| std::iter::repeat_n(letter, times).collect())
            }
            Written::Consecutive(first, count) => nth(first, count),
            Written::Circled => match index {
                0..20 => nth('\u{2460}', 20),
                20..35 => char::from_u32(0x3251 + index - 20).map(String::from),
                35..50 => char::from_u32(0x32b1 + index - 35).map(String::from),
                _ => None,
            },
            Written::Ordinal => Some(format!("{number}{}", words::ordinal_ending(number))),
            Written::Cardinal => Some(words::capitalised(&words::cardinal(number)?)),
            Written::OrdinalText => Some(words::capitalised(&words::ordinal(number)?)),
            Written::Hexadecimal => Some(format!("{number:X}")),
            Written::Dashed => Some(format!("- {number} -")),
            Written::Sexagenary => {
                let stem = STEMS.chars().nth(index as usize % 10)?;
                let branch = BRANCHES.chars().nth(index as usize % 12)?;
                (index < 60).then(|| String::from_iter([stem, branch]))
            }
            Written::Vietnamese => words::vietnamese(number),
            Written::Native => words::korean(number),
        }
    }
}

/// Writes a number in Chinese: each digit is followed by the sign of its place. `signs` holds the ten digits, and then
/// the signs for ten, a hundred and a thousand. Returns `None` for numbers from 10,000, or if a sign is missing.
pub fn chinese<S: Copy>(number: u32, signs: &[S], ones: Ones) -> Option<String>
where
    String: Extend<S>,
{
    let digits = number.to_string();
    if digits.len() > 4 {
        return None;
    }
    let mut out = String::new();
    let mut skipped = false;
    for (at, digit) in digits.bytes().enumerate() {
        let place = digits.len() - 1 - at;
        let digit = usize::from(digit - b'0');
        if digit == 0 {
            skipped = true;
            continue;
        }
        // In formats with zeros, a single zero is written for a run of zeros before another digit.
        let writes_zeros = matches!(ones, Ones::WithZeros | Ones::Informal);
        if std::mem::take(&mut skipped) && writes_zeros {
            out.extend([*signs.first()?]);
        }
        // A one before ten, hundred or thousand may be omitted: 12 is "ten two" in informal Chinese.
        let is_unsaid = digit == 1
            && place > 0
            && match ones {
                Ones::WithZeros | Ones::Always => false,
                Ones::Informal => (10..20).contains(&number),
                Ones::Never => true,
            };
        if !is_unsaid {
            out.extend([*signs.get(digit)?]);
        }
        if place > 0 {
            out.extend([*signs.get(9 + place)?]);
        }
    }
    if out.is_empty() {
        out.extend([*signs.first()?]);
    }
    Some(out)
}

/// Writes a number below a thousand as a sum of Hebrew letters. 15 and 16 are 9 + 6 and 9 + 7, because their regular
/// forms would be a name of God.
fn hebrew(number: u32) -> Option<String> {
    const LETTERS: [(u32, &str); 24] = [
        (400, "ת"),
        (300, "ש"),
        (200, "ר"),
        (100, "ק"),
        (90, "צ"),
        (80, "פ"),
        (70, "ע"),
        (60, "ס"),
        (50, "נ"),
        (40, "מ"),
        (30, "ל"),
        (20, "כ"),
        (16, "טז"),
        (15, "טו"),
        (10, "י"),
        (9, "ט"),
        (8, "ח"),
        (7, "ז"),
        (6, "ו"),
        (5, "ה"),
        (4, "ד"),
        (3, "ג"),
        (2, "ב"),
        (1, "א"),
    ];
    if !(1..1000).contains(&number) {
        return None;
    }
    let (mut rest, mut out) = (number, String::new());
    for (value, letters) in LETTERS {
        // The entries 15 and 16 are used only for a rest of exactly this value: 17 is 10 + 7.
        let fits = |rest: u32| match value {
            15 | 16 => rest == value,
            value => rest >= value,
        };
        while fits(rest) {
            out.push_str(letters);
            rest -= value;
        }
    }
    Some(out)
}
