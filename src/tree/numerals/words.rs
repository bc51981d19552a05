//! Numbers in words: English, Korean, Vietnamese. Does not write negative numbers.

/// Ending of an ordinal number in English digits: the `st` of `1st`.
pub(super) fn ordinal_ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// A number in English words. `None` from a million on.
pub(super) fn cardinal(number: u32) -> Option<String> {
    let joined = |head: String, rest: u32, between: &str| match rest {
        0 => Some(head),
        rest => Some(head + between + &cardinal(rest)?),
    };
    match number {
        0..20 => Some(UNITS[number as usize].to_owned()),
        20..100 => joined(TENS[number as usize / 10].to_owned(), number % 10, "-"),
        100..1000 => joined(
            UNITS[number as usize / 100].to_owned() + " hundred",
            number % 100,
            " ",
        ),
        1000..1_000_000 => joined(cardinal(number / 1000)? + " thousand", number % 1000, " "),
        _ => None,
    }
}

/// An ordinal number in English words. `None` from a million on.
pub(super) fn ordinal(number: u32) -> Option<String> {
    let words = cardinal(number)?;
    let from = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = words.split_at(from);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        last => match last.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{last}th"),
        },
    };
    Some(head.to_owned() + &last)
}

/// Returns the words with a capital letter at the beginning.
pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A number in Korean words. `None` for 0, and from a hundred on.
pub(super) fn korean(number: u32) -> Option<String> {
    const ONES: [&str; 10] = [
        "", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉",
    ];
    const TENS: [&str; 10] = [
        "", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔",
    ];
    let tens = TENS.get(number as usize / 10)?;
    Some(format!("{tens}{}", ONES[number as usize % 10])).filter(|text| !text.is_empty())
}

/// A number in Vietnamese words. `None` from a hundred on.
pub(super) fn vietnamese(number: u32) -> Option<String> {
    const DIGITS: [&str; 10] = [
        "không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín",
    ];
    let unit = |digit: u32| match (digit, number) {
        (1, 20..) => "mốt",
        (5, 10..) => "lăm",
        (digit, _) => DIGITS[digit as usize],
    };
    Some(match (number / 10, number % 10) {
        (0, digit) => DIGITS[digit as usize].to_owned(),
        (1, 0) => "mười".to_owned(),
        (1, digit) => format!("mười {}", unit(digit)),
        (tens @ 2..10, 0) => format!("{} mươi", DIGITS[tens as usize]),
        (tens @ 2..10, digit) => format!("{} mươi {}", DIGITS[tens as usize], unit(digit)),
        _ => return None,
    })
}
