//! Chinese, Japanese and Korean numerals: `[DBNum1]` to `[DBNum4]` (ECMA-376 part 1, 18.8.31). The language is that of
//! a tag such as `[$-411]`, otherwise Chinese. Formats nothing else.
//!
//! The general format writes numbers as they are spoken (一万二千). Placeholders write them digit by digit (一二〇〇〇). Dates
//! have years digit by digit, and other numbers as they are spoken.

/// Kind of numerals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numerals {
    /// Number of the `DBNum` tag, from 1 to 4.
    kind: u8,
    /// Language of the numerals.
    language: Language,
}

/// Languages with their own numerals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    #[default]
    SimplifiedChinese,
    TraditionalChinese,
    Japanese,
    Korean,
}

impl Language {
    /// Returns the language of a Windows identifier (MS-LCID 2.2), of which only the lower 16 bits matter. `None` for
    /// other languages.
    pub(super) fn of(identifier: u32) -> Option<Self> {
        match identifier & 0xffff {
            0x0804 | 0x1004 | 0x0004 => Some(Self::SimplifiedChinese),
            0x0404 | 0x0c04 | 0x1404 => Some(Self::TraditionalChinese),
            0x0411 => Some(Self::Japanese),
            0x0412 => Some(Self::Korean),
            _ => None,
        }
    }
}

/// Characters of a kind of numerals.
struct Characters {
    /// Digits from 0 to 9.
    digits: [char; 10],
    /// Ten, hundred and thousand.
    tens: [char; 3],
    /// Ten thousand, and its second and third power.
    myriads: [char; 3],
}

/// Returns the characters of a kind of numerals.
const fn characters(digits: [char; 10], tens: [char; 3], myriads: [char; 3]) -> Characters {
    Characters {
        digits,
        tens,
        myriads,
    }
}

/// Common digits.
const PLAIN: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// Full-width digits.
const WIDE: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Korean digits.
const HANGUL: [char; 10] = ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
/// Digits of cheques in simplified Chinese. No digit of cheques can be changed into another digit by adding a stroke.
const FINANCIAL: [char; 10] = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'];
/// Digits of cheques in traditional Chinese.
const FINANCIAL_TRADITIONAL: [char; 10] =
    ['零', '壹', '貳', '參', '肆', '伍', '陸', '柒', '捌', '玖'];
/// Digits of cheques in Japanese.
const FINANCIAL_JAPANESE: [char; 10] = ['〇', '壱', '弐', '参', '四', '伍', '六', '七', '八', '九'];
/// Digits of cheques in Korean.
const FINANCIAL_KOREAN: [char; 10] = ['零', '壹', '貳', '參', '四', '五', '六', '七', '八', '九'];
/// Ten, hundred and thousand.
const TENS: [char; 3] = ['十', '百', '千'];
/// Ten, hundred and thousand of cheques.
const FINANCIAL_TENS: [char; 3] = ['拾', '佰', '仟'];

impl Numerals {
    /// Returns the numerals of a `DBNum` tag.
    pub(super) fn new(kind: u8, language: Language) -> Self {
        Self { kind, language }
    }

    /// Returns the characters of the numerals.
    fn characters(self) -> Characters {
        use Language::{Japanese, Korean, SimplifiedChinese, TraditionalChinese};
        let myriads = match self.language {
            SimplifiedChinese => ['万', '亿', '兆'],
            Japanese if self.kind != 2 => ['万', '億', '兆'],
            Japanese | TraditionalChinese | Korean => ['萬', '億', '兆'],
        };
        match (self.kind, self.language) {
            (2, SimplifiedChinese) => characters(FINANCIAL, FINANCIAL_TENS, myriads),
            (2, TraditionalChinese) => characters(FINANCIAL_TRADITIONAL, FINANCIAL_TENS, myriads),
            (2, Japanese) => characters(FINANCIAL_JAPANESE, ['拾', '百', '阡'], myriads),
            (2, Korean) => characters(FINANCIAL_KOREAN, ['拾', '百', '千'], myriads),
            (4, Korean) => characters(HANGUL, ['십', '백', '천'], ['만', '억', '조']),
            (3, _) => characters(WIDE, TENS, myriads),
            _ => characters(PLAIN, TENS, myriads),
        }
    }

    /// Replaces the digits of a text from `start` on. Runs of up to `spoken` digits are written as spoken numbers.
    /// Longer runs, and runs after a decimal point, are written digit by digit.
    pub(super) fn replace(self, text: &mut String, start: usize, spoken: usize) {
        let old = text.split_off(start);
        let characters = self.characters();
        let mut rest = &*old;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            text.push_str(&rest[..at]);
            // In dates (`spoken` is 2), points separate components, and are not decimal points.
            let behind_point = spoken > 2 && at == 1 && rest.starts_with('.');
            rest = &rest[at..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
            match digits.len() <= spoken && !behind_point {
                true => self.speak(digits.as_bytes(), &characters, spoken == 2, text),
                false => text.extend(digits.bytes().map(|digit| characters.digits[value(digit)])),
            }
            rest = after;
        }
        text.push_str(rest);
    }

    /// Appends an integer of up to sixteen digits as a spoken number. In dates, ten is 十, not 一十.
    fn speak(self, digits: &[u8], characters: &Characters, in_date: bool, out: &mut String) {
        let is_chinese = !matches!(self.language, Language::Japanese | Language::Korean);
        let drops_one = self.language == Language::Japanese && self.kind != 2;
        let start = out.len();
        // Whether a zero was skipped since the last digit that was written.
        let mut skipped = false;
        // Whether the current group of four digits has a digit other than zero.
        let mut in_group = false;
        for (at, digit) in digits.iter().map(|digit| value(*digit)).enumerate() {
            let place = digits.len() - 1 - at;
            if digit == 0 {
                skipped = true;
            } else {
                // In Chinese, one zero stands for all consecutive zeros.
                if skipped && is_chinese && out.len() > start {
                    out.push(characters.digits[0]);
                }
                skipped = false;
                in_group = true;
                let is_first = out.len() == start;
                // A one before ten, hundred or thousand is omitted in Japanese (but not on cheques), and at the
                // beginning of a number in a date.
                let silent =
                    digit == 1 && !place.is_multiple_of(4) && (drops_one || in_date && is_first);
                if !silent {
                    out.push(characters.digits[digit]);
                }
                if let Some(unit) = (place % 4).checked_sub(1) {
                    out.push(characters.tens[unit]);
                }
            }
            if place.is_multiple_of(4) {
                let myriad = (place / 4).checked_sub(1).filter(|_| in_group);
                out.extend(myriad.and_then(|at| characters.myriads.get(at)));
                in_group = false;
            }
        }
        if out.len() == start {
            out.push(characters.digits[0]);
        }
    }
}

/// Returns the value of an ASCII digit.
fn value(digit: u8) -> usize {
    usize::from(digit.wrapping_sub(b'0')).min(9)
}
