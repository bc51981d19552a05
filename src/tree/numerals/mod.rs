//! All formats of numbers in word processors: for labels of lists, marks of notes, and page numbers. Counts nothing.
//!
//! The formats are those of Word (ECMA-376 part 1, 17.18.59), whose binary formats and RTF number them in the same
//! order (MS-OSHARED 2.2.1.3). OpenDocument names a format by its first numbers ("一, 二, 三, ...").

pub mod plain;
mod table;
mod words;
mod write;

use plain::Numeral;
use std::borrow::Cow;
use table::{FORMATS, Written};
pub use table::{Named, Ones};
pub use write::chinese;

/// A format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A kind of numeral that every document format has.
    Plain(Numeral),
    /// Decimal, padded with zeros to this number of digits.
    Padded(u8),
    /// Row of the table, for all other formats.
    Named(&'static Named),
}

impl Format {
    fn of(row: &'static Named) -> Self {
        match row.written {
            Written::Plain(numeral) => Self::Plain(numeral),
            Written::Padded => Self::Padded(2),
            _ => Self::Named(row),
        }
    }

    /// The format with this name in Word. A custom format (`w:format`) states the width of its numbers: `001, 002,
    /// ...`.
    pub fn of_word(name: &str, custom: Option<&str>) -> Option<Self> {
        if name == "custom" {
            return Self::of_example(custom?);
        }
        FORMATS.iter().find(|row| row.word == name).map(Self::of)
    }

    /// The format with this number in Word's binary format, and in RTF. The numbers end at 59.
    pub fn of_code(code: u8) -> Option<Self> {
        FORMATS
            .iter()
            .find(|row| row.code == code && code < 60)
            .map(Self::of)
    }

    /// The format that OpenDocument names by an example (OpenDocument 1.3, part 3, 19.500). The example is the first
    /// number, or the first numbers with commas between them.
    pub fn of_example(example: &str) -> Option<Self> {
        let first = example.split(',').next()?.trim();
        let is_padded = first.len() > 1 && first.bytes().all(|c| c.is_ascii_digit());
        if is_padded && first.ends_with('1') {
            return Some(Self::Padded(first.len().min(9) as u8));
        }
        let found = FORMATS
            .iter()
            .find(|row| !first.is_empty() && row.first == first);
        found.map(Self::of)
    }

    /// The row of the table. `None` for numbers that are padded to more than two digits, which have no row.
    fn row(self) -> Option<&'static Named> {
        match self {
            Self::Named(row) => Some(row),
            own => FORMATS.iter().find(|row| Self::of(row) == own),
        }
    }

    /// Returns the name of the format in Word. A number that is padded to more than two digits has the name for two
    /// digits.
    pub fn word_name(self) -> &'static str {
        self.row().map_or("decimalZero", |row| row.word)
    }

    /// Returns the number of the format in RTF and in Word's binary format. `None` if the format has only a name.
    pub fn code(self) -> Option<u8> {
        self.row().map(|row| row.code).filter(|code| *code < 60)
    }

    /// Returns the first number of the format, by which OpenDocument names the format. `None` where LibreOffice has
    /// no such format.
    pub fn example(self) -> Option<Cow<'static, str>> {
        match self {
            Self::Padded(digits) => Some(format!("{:0width$}", 1, width = digits.into()).into()),
            _ => {
                let first = self.row().map(|row| row.first);
                first.filter(|first| !first.is_empty()).map(Cow::Borrowed)
            }
        }
    }

    /// Returns the kind of numeral, or `Decimal` for a format that is not plain.
    pub fn numeral(self) -> Numeral {
        match self {
            Self::Plain(numeral) => numeral,
            Self::Padded(_) | Self::Named(_) => Numeral::Decimal,
        }
    }

    /// Writes a number, in digits if the format has no sign for it.
    pub fn write(self, number: u32) -> String {
        match self {
            Self::Plain(numeral) => plain::write(number, numeral),
            Self::Padded(digits) => format!("{number:0width$}", width = usize::from(digits)),
            Self::Named(row) => row.write(number).unwrap_or_else(|| number.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_every_format_of_word() {
        #[track_caller]
        fn check(name: &str, number: u32, expected: &str) {
            let format = Format::of_word(name, None).expect(name);
            assert_eq!(format.write(number), expected, "{name} {number}");
        }
        check("decimal", 12, "12");
        check("upperRoman", 14, "XIV");
        check("decimalZero", 7, "07");
        check("ordinal", 1, "1st");
        check("ordinal", 12, "12th");
        check("ordinal", 22, "22nd");
        check("cardinalText", 1, "One");
        check("cardinalText", 21, "Twenty-one");
        check("cardinalText", 1105, "One thousand one hundred five");
        check("ordinalText", 1, "First");
        check("ordinalText", 20, "Twentieth");
        check("ordinalText", 32, "Thirty-second");
        check("hex", 26, "1A");
        check("chicago", 2, "†");
        check("chicago", 5, "**");
        check("decimalEnclosedCircle", 3, "③");
        check("decimalEnclosedCircle", 21, "㉑");
        check("decimalEnclosedParen", 2, "⑵");
        check("decimalFullWidth", 12, "１２");
        check("japaneseCounting", 12, "十二");
        check("chineseCountingThousand", 12, "十二");
        check("chineseLegalSimplified", 3, "叁");
        check("ideographTraditional", 2, "乙");
        check("ideographZodiacTraditional", 13, "丙子");
        check("aiueoFullWidth", 3, "ウ");
        check("iroha", 2, "ﾛ");
        check("ganada", 2, "나");
        check("koreanDigital", 2, "이");
        check("koreanLegal", 12, "열둘");
        check("hebrew1", 15, "טו");
        check("hebrew2", 11, "כ");
        check("arabicAlpha", 2, "ب");
        check("arabicAbjad", 3, "ج");
        check("hindiNumbers", 12, "१२");
        check("thaiLetters", 2, "ข");
        check("thaiNumbers", 12, "๑๒");
        check("russianLower", 2, "б");
        check("numberInDash", 4, "- 4 -");
        check("vietnameseCounting", 21, "hai mươi mốt");
        check("ganada", 99, "99");
        check("hebrew1", 0, "0");
    }

    #[test]
    fn formats_map_to_docx_doc_and_opendocument() {
        #[track_caller]
        fn check(found: Option<Format>, expected: &str) {
            assert_eq!(
                found.map(|format| format.write(2)).as_deref(),
                Some(expected)
            );
        }
        check(Format::of_word("custom", Some("001, 002, 003, ...")), "002");
        check(Format::of_code(6), "Two");
        check(Format::of_code(1), "II");
        check(Format::of_code(45), "ב");
        check(Format::of_example("01, 02, 03, ..."), "02");
        check(Format::of_example("A"), "B");
        check(Format::of_example("1st"), "2nd");
        check(Format::of_example("一, 二, 三, ..."), "二");
        check(Format::of_example("а, б, .., аа, бб, ..."), "б");
        let chicago = Format::of_word("chicago", None).expect("a format");
        assert_eq!(chicago.code(), Some(9));
        assert_eq!(chicago.example().as_deref(), Some("*"));
        assert_eq!(Format::Padded(3).example().as_deref(), Some("001"));
        assert_eq!(Format::Padded(3).word_name(), "decimalZero");
        let roman = Format::Plain(Numeral::UpperRoman);
        assert_eq!((roman.word_name(), roman.code()), ("upperRoman", Some(1)));
        assert_eq!(Format::of_example(""), None);
        assert_eq!(Format::of_word("bullet", None), None);
        assert_eq!(Format::of_code(23), None);
    }
}
