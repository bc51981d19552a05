//! Converts characters of symbol fonts (Symbol, Wingdings) to Unicode. These fonts show symbols in place of letters, so
//! a character code has no meaning without its font. Knows only common characters of these fonts. Other characters are
//! not changed.

/// Returns whether a font is a symbol font, whose character codes are not Unicode.
pub fn is_symbol_font(font: &str) -> bool {
    matches!(
        font.to_ascii_lowercase().as_str(),
        "symbol" | "wingdings" | "wingdings 2" | "wingdings 3" | "webdings"
    )
}

/// Returns the Unicode character for a character code of a font. Word stores codes of symbol fonts in the private use
/// area, from U+F000.
pub fn in_symbol_font(font: &str, c: char) -> char {
    let code = match u32::from(c) {
        code @ 0xf000..=0xf0ff => code - 0xf000,
        code @ 0..=0xff => code,
        _ => return c,
    };
    let code = code as u8;
    let shown = match font.to_ascii_lowercase().as_str() {
        "symbol" => symbol(code),
        "wingdings" => wingdings(code),
        "wingdings 2" => wingdings_2(code),
        "webdings" => webdings(code),
        _ => None,
    };
    shown.unwrap_or(c)
}

/// Character for a code of the font Symbol, in the encoding of Adobe's font. `None` for an unused code.
fn symbol(code: u8) -> Option<char> {
    const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const HIGH: &str =
        "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪";
    match code {
        b'A'..=b'Z' => CAPITALS.chars().nth((code - b'A').into()),
        b'a'..=b'z' => SMALL.chars().nth((code - b'a').into()),
        0xa1..=0xef => HIGH.chars().nth((code - 0xa1).into()),
        0xf1 => Some('⟩'),
        0xf2 => Some('∫'),
        b'"' => Some('∀'),
        b'$' => Some('∃'),
        b'\'' => Some('∋'),
        b'*' => Some('∗'),
        b'-' => Some('−'),
        b'@' => Some('≅'),
        b'\\' => Some('∴'),
        b'^' => Some('⊥'),
        b'~' => Some('∼'),
        0x20..=0x3f | b'[' | b']' | b'_' | b'{' | b'|' | b'}' => Some(char::from(code)),
        _ => None,
    }
}

/// Character for a code of the font Wingdings. `None` for unlisted codes.
fn wingdings(code: u8) -> Option<char> {
    Some(match code {
        0x20 => ' ',
        0x21 => '✏',
        0x22 => '✂',
        0x23 => '✁',
        0x28 => '☎',
        0x29 => '✆',
        0x2a => '✉',
        0x36 => '⌛',
        0x3e => '✇',
        0x3f => '✍',
        0x41 => '✌',
        0x45 => '☜',
        0x46 => '☞',
        0x47 => '☝',
        0x48 => '☟',
        0x4a => '☺',
        0x4c => '☹',
        0x4e => '☠',
        0x51 => '✈',
        0x52 => '☼',
        0x54 => '❄',
        0x56 => '✞',
        0x58 => '✠',
        0x59 => '✡',
        0x5a => '☪',
        0x5b => '☯',
        0x5d => '☸',
        // The signs of the zodiac.
        0x5e..=0x69 => return char::from_u32(0x2648 + u32::from(code - 0x5e)),
        0x6c => '●',
        0x6e => '■',
        0x6f | 0xa8 => '☐',
        0x71 => '❑',
        0x72 => '❒',
        0x73 => '⬧',
        0x74 => '⧫',
        0x75 => '◆',
        0x76 => '❖',
        0x77 => '⬥',
        0x78 => '⌧',
        0x7a => '⌘',
        // Numbers in circles.
        0x80 => '⓪',
        0x81..=0x8a => return char::from_u32(0x2460 + u32::from(code - 0x81)),
        0x8b => '⓿',
        0x8c..=0x95 => return char::from_u32(0x2776 + u32::from(code - 0x8c)),
        0x9e => '·',
        0x9f => '•',
        0xa1 => '○',
        0xa4 => '◉',
        0xa7 => '▪',
        0xab => '★',
        0xb1 => '⌖',
        0xb5 => '✪',
        0xb6 => '✰',
        0xd5 => '⌫',
        0xd6 => '⌦',
        0xd8 => '➢',
        0xdf => '←',
        0xe0 => '→',
        0xe1 => '↑',
        0xe2 => '↓',
        0xe8 => '➔',
        0xef => '⇦',
        0xf0 => '⇨',
        0xf1 => '⇧',
        0xf2 => '⇩',
        0xfb => '✗',
        0xfc => '✓',
        0xfd => '☒',
        0xfe => '☑',
        _ => return None,
    })
}

/// Character for a code of the font Webdings. `None` for unlisted codes.
fn webdings(code: u8) -> Option<char> {
    Some(match code {
        0x20 => ' ',
        0x33 => '◀',
        0x34 => '▶',
        0x35 => '▲',
        0x36 => '▼',
        0x59 => '♥',
        0x61 => '✔',
        0x63 => '□',
        0x67 => '■',
        0x6e => '●',
        0x72 => '✖',
        _ => return None,
    })
}

/// Character for a code of the font Wingdings 2. `None` for unlisted codes.
fn wingdings_2(code: u8) -> Option<char> {
    Some(match code {
        0x4f | 0x53 => '✗',
        0x50 => '✓',
        0x51 | 0x54 => '☒',
        0x52 => '☑',
        0xa3 => '☐',
        _ => return None,
    })
}

/// Returns whether a font is monospaced, which is usual for program code.
pub fn is_typewriter(font: &str) -> bool {
    let font = font.to_ascii_lowercase();
    let known = [
        "courier",
        "consolas",
        "mono",
        "menlo",
        "monaco",
        "cousine",
        "typewriter",
    ];
    known.iter().any(|part| font.contains(part)) && !font.contains("monotype")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_font_glyphs_become_characters() {
        #[track_caller]
        fn check(font: &str, c: char, expected: char) {
            assert_eq!(in_symbol_font(font, c), expected);
        }
        check("Symbol", 'a', 'α');
        check("Symbol", '\u{f0b7}', '•');
        check("Symbol", '\u{f0ae}', '→');
        check("Symbol", '\u{f0e5}', '∑');
        check("Symbol", '\u{f0d6}', '√');
        check("symbol", '(', '(');
        check("Wingdings", '\u{f0fc}', '✓');
        check("Wingdings", '\u{f001}', '\u{f001}');
        check("Wingdings", '\u{f083}', '③');
        check("Webdings", '\u{f061}', '✔');
        check("Arial", 'a', 'a');
        check("Symbol", 'é', '⎡');
        check("Symbol", '中', '中');
    }
}
