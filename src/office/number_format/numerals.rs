//! Numbers in the characters of Chinese, Japanese and Korean: `[DBNum1]` to `[DBNum4]` (ECMA-376 part 1, 18.8.31), in
//! the language of a tag such as `[$-411]`, else in Chinese. Formats nothing else.
//!
//! The general format shows a number as it is spoken (一万二千), places for digits show it digit by digit (一二〇〇〇), and
//! dates have years digit by digit and everything else as it is spoken.

/// Characters that stand for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numerals {
    /// From 1 to 4.
    kind: u8,
    language: Language,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    #[default]
    SimplifiedChinese,
    TraditionalChinese,
    Japanese,
    Korean,
}

impl Language {
    /// The language of a Windows identifier (MS-LCID 2.2), of which the lower half counts. `None` for those without
    /// such numbers.
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

/// The characters of one kind: ten digits, ten, hundred and thousand, and the powers of ten thousand.
struct Characters {
    digits: [char; 10],
    tens: [char; 3],
    myriads: [char; 3],
}

const fn characters(digits: [char; 10], tens: [char; 3], myriads: [char; 3]) -> Characters {
    Characters {
        digits,
        tens,
        myriads,
    }
}

const PLAIN: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
const HANGUL: [char; 10] = ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
/// Numerals of cheques, which cannot be changed into others by a stroke.
const FINANCIAL: [char; 10] = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'];
const FINANCIAL_TRADITIONAL: [char; 10] =
    ['零', '壹', '貳', '參', '肆', '伍', '陸', '柒', '捌', '玖'];
const FINANCIAL_JAPANESE: [char; 10] = ['〇', '壱', '弐', '参', '四', '伍', '六', '七', '八', '九'];
const FINANCIAL_KOREAN: [char; 10] = ['零', '壹', '貳', '參', '四', '五', '六', '七', '八', '九'];
const TENS: [char; 3] = ['十', '百', '千'];
const FINANCIAL_TENS: [char; 3] = ['拾', '佰', '仟'];

impl Numerals {
    /// Numerals of the tag `DBNum` with this number.
    pub(super) fn new(kind: u8, language: Language) -> Self {
        Self { kind, language }
    }

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

    /// Replaces the digits of a text from here on. `spoken` runs have at most this many digits; longer ones, and those
    /// behind a point, are written digit by digit.
    pub(super) fn replace(self, text: &mut String, start: usize, spoken: usize) {
        let old = text.split_off(start);
        let characters = self.characters();
        let mut rest = &*old;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            text.push_str(&rest[..at]);
            // A date is divided by points, too.
            let behind_point = spoken > 2 && at == 1 && rest.starts_with('.');
            rest = &rest[at..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (digits, behind) = rest.split_at(end.unwrap_or(rest.len()));
            match digits.len() <= spoken && !behind_point {
                true => self.speak(digits.as_bytes(), &characters, spoken == 2, text),
                false => text.extend(digits.bytes().map(|digit| characters.digits[value(digit)])),
            }
            rest = behind;
        }
        text.push_str(rest);
    }

    /// Appends a whole number of at most sixteen digits as it is spoken; in dates, ten is 十 and not 一十.
    fn speak(self, digits: &[u8], characters: &Characters, in_date: bool, out: &mut String) {
        let is_chinese = !matches!(self.language, Language::Japanese | Language::Korean);
        let drops_one = self.language == Language::Japanese && self.kind != 2;
        let start = out.len();
        let mut skipped = false;
        let mut in_group = false;
        for (at, digit) in digits.iter().map(|digit| value(*digit)).enumerate() {
            let place = digits.len() - 1 - at;
            if digit == 0 {
                skipped = true;
            } else {
                // Chinese says one zero for all places that are passed over.
                if skipped && is_chinese && out.len() > start {
                    out.push(characters.digits[0]);
                }
                skipped = false;
                in_group = true;
                let is_first = out.len() == start;
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

fn value(digit: u8) -> usize {
    usize::from(digit.wrapping_sub(b'0')).min(9)
}
