//! The table of formats, with their names in each language. Writes no number.

use super::plain::Numeral;

/// A row of the table.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Named {
    /// Name of the format in Word.
    pub(super) word: &'static str,
    /// Number of the format in Word's binary format. From 60 on, a number of our own: Word's binary format lacks the
    /// format.
    pub(super) code: u8,
    /// The first number as OpenDocument writes it. Empty where LibreOffice has no such format.
    pub(super) first: &'static str,
    pub(super) written: Written,
}

/// A way of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Written {
    Plain(Numeral),
    /// Decimal, in these ten digits.
    Decimal(&'static str),
    /// The ten digits, followed by the signs for ten, a hundred and a thousand.
    Chinese(&'static str, Ones),
    /// A sum of letters with fixed values.
    Hebrew,
    /// A sign for each number. Numbers beyond the last sign are written in digits.
    Signs(&'static str),
    /// Letters one after another, then each twice, and so on.
    Letters(&'static str),
    /// Consecutive characters: the first character and their count.
    Consecutive(char, u32),
    Ordinal,
    Cardinal,
    OrdinalText,
    Hexadecimal,
    Dashed,
    Padded,
    Circled,
    Sexagenary,
    Vietnamese,
    /// Korean words.
    Native,
}

/// Decimal places in which a Chinese number writes the digit one, and whether it writes a zero for empty places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ones {
    /// The digit one in all places, and a zero for empty places.
    WithZeros,
    /// As `WithZeros`, but 10 to 19 begin with the sign for ten.
    Informal,
    /// The digit one in all places, but no zeros.
    Always,
    /// The digit one only in the last place, and no zeros.
    Never,
}

use Written::{Consecutive, Letters, Plain, Signs};

const fn row(word: &'static str, code: u8, first: &'static str, written: Written) -> Named {
    Named {
        word,
        code,
        first,
        written,
    }
}

/// Arabic letters in alphabetical order.
const ARABIC: &str = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي";
/// Arabic letters in the order of their values as numbers.
const ABJAD: &str = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ";
/// Small Russian letters, without those that lists leave out.
const RUSSIAN: &str = "абвгдежзиклмнопрстуфхцчшщыэюя";
/// Russian capitals, without those that lists leave out.
const RUSSIAN_CAPITALS: &str = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ";
/// Japanese syllables in the order of the sounds.
const KATAKANA: &str =
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
/// Japanese syllables in the order of the poem Iroha.
const IROHA: &str = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン";
/// The ten heavenly stems of the Chinese calendar.
pub(super) const STEMS: &str = "甲乙丙丁戊己庚辛壬癸";
/// The twelve earthly branches of the Chinese calendar.
pub(super) const BRANCHES: &str = "子丑寅卯辰巳午未申酉戌亥";
const WIDE: Written = Written::Decimal("０１２３４５６７８９");
const DIGITAL: Written = Written::Decimal("〇一二三四五六七八九");
const CHINESE_ENCLOSED: Written = Consecutive('\u{3280}', 10);

/// All formats, in the order of their numbers.
pub(super) static FORMATS: [Named; 62] = [
    row("decimal", 0, "1", Plain(Numeral::Decimal)),
    row("upperRoman", 1, "I", Plain(Numeral::UpperRoman)),
    row("lowerRoman", 2, "i", Plain(Numeral::LowerRoman)),
    row("upperLetter", 3, "A", Plain(Numeral::UpperAlpha)),
    row("lowerLetter", 4, "a", Plain(Numeral::LowerAlpha)),
    row("ordinal", 5, "1st", Written::Ordinal),
    row("cardinalText", 6, "One", Written::Cardinal),
    row("ordinalText", 7, "First", Written::OrdinalText),
    row("hex", 8, "", Written::Hexadecimal),
    row("chicago", 9, "*", Letters("*†‡§")),
    row("ideographDigital", 10, "〇", DIGITAL),
    row(
        "japaneseCounting",
        11,
        "一",
        Written::Chinese("〇一二三四五六七八九十百千", Ones::Never),
    ),
    row(
        "aiueo",
        12,
        "ｱ",
        Letters("ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ"),
    ),
    row(
        "iroha",
        13,
        "ｲ",
        Letters("ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳｲﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼｴﾋﾓｾｽﾝ"),
    ),
    row("decimalFullWidth", 14, "１", WIDE),
    row("decimalHalfWidth", 15, "", Plain(Numeral::Decimal)),
    row(
        "japaneseLegal",
        16,
        "壱",
        Written::Chinese("零壱弐参四伍六七八九拾百阡", Ones::Always),
    ),
    row("japaneseDigitalTenThousand", 17, "", DIGITAL),
    row("decimalEnclosedCircle", 18, "①", Written::Circled),
    row("decimalFullWidth2", 19, "", WIDE),
    row("aiueoFullWidth", 20, "ア", Letters(KATAKANA)),
    row("irohaFullWidth", 21, "イ", Letters(IROHA)),
    row("decimalZero", 22, "01", Written::Padded),
    row("ganada", 24, "가", Signs("가나다라마바사아자차카타파하")),
    row("chosung", 25, "ㄱ", Signs("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ")),
    row(
        "decimalEnclosedFullstop",
        26,
        "⒈",
        Consecutive('\u{2488}', 20),
    ),
    row("decimalEnclosedParen", 27, "⑴", Consecutive('\u{2474}', 20)),
    row("decimalEnclosedCircleChinese", 28, "", Written::Circled),
    row("ideographEnclosedCircle", 29, "㊀", CHINESE_ENCLOSED),
    row("ideographTraditional", 30, "甲", Signs(STEMS)),
    row("ideographZodiac", 31, "子", Signs(BRANCHES)),
    row(
        "ideographZodiacTraditional",
        32,
        "甲子",
        Written::Sexagenary,
    ),
    row(
        "taiwaneseCounting",
        33,
        "",
        Written::Chinese("零一二三四五六七八九十百千", Ones::Informal),
    ),
    row(
        "ideographLegalTraditional",
        34,
        "壹",
        Written::Chinese("零壹貳參肆伍陸柒捌玖拾佰仟", Ones::WithZeros),
    ),
    row(
        "taiwaneseCountingThousand",
        35,
        "",
        Written::Chinese("零一二三四五六七八九十百千", Ones::Informal),
    ),
    row("taiwaneseDigital", 36, "", DIGITAL),
    row(
        "chineseCounting",
        37,
        "",
        Written::Chinese("零一二三四五六七八九十百千", Ones::Informal),
    ),
    row(
        "chineseLegalSimplified",
        38,
        "",
        Written::Chinese("零壹贰叁肆伍陆柒捌玖拾佰仟", Ones::WithZeros),
    ),
    row(
        "chineseCountingThousand",
        39,
        "",
        Written::Chinese("零一二三四五六七八九十百千", Ones::Informal),
    ),
    row("chineseDigital", 40, "", DIGITAL),
    row(
        "koreanDigital",
        41,
        "일",
        Written::Chinese("영일이삼사오육칠팔구십백천", Ones::Always),
    ),
    row(
        "koreanCounting",
        42,
        "",
        Written::Chinese("영일이삼사오육칠팔구십백천", Ones::Always),
    ),
    row("koreanLegal", 43, "하나", Written::Native),
    row("koreanDigital2", 44, "", DIGITAL),
    row("hebrew1", 45, "א", Written::Hebrew),
    row("arabicAlpha", 46, "أ", Letters(ARABIC)),
    row("hebrew2", 47, "", Letters("אבגדהוזחטיכלמנסעפצקרשת")),
    row("arabicAbjad", 48, "", Letters(ABJAD)),
    row(
        "hindiVowels",
        49,
        "",
        Letters("कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह"),
    ),
    row("hindiConsonants", 50, "", Letters("अआइईउऊऋऌऍऎएऐऑऒओऔ")),
    row("hindiNumbers", 51, "१", Written::Decimal("०१२३४५६७८९")),
    row("hindiCounting", 52, "", Plain(Numeral::Decimal)),
    row(
        "thaiLetters",
        53,
        "ก",
        Letters("กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"),
    ),
    row("thaiNumbers", 54, "๑", Written::Decimal("๐๑๒๓๔๕๖๗๘๙")),
    row("thaiCounting", 55, "", Plain(Numeral::Decimal)),
    row("vietnameseCounting", 56, "", Written::Vietnamese),
    row("numberInDash", 57, "- 1 -", Written::Dashed),
    row("russianLower", 58, "а", Letters(RUSSIAN)),
    row("russianUpper", 59, "А", Letters(RUSSIAN_CAPITALS)),
    row("greekLower", 60, "α", Letters("αβγδεζηθικλμνξοπρστυφχψω")),
    row("greekUpper", 61, "Α", Letters("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ")),
    row("arabicIndic", 62, "١", Written::Decimal("٠١٢٣٤٥٦٧٨٩")),
];
