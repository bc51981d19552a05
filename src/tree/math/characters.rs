//! Converts plain characters, which the XML formats use for letters and operators, to the nodes of a formula. Handles
//! no TeX commands.

use super::{Math, Style, symbols};

/// Divides a text into identifiers, numbers, operators and spaces.
pub(super) fn of(text: &str) -> Vec<Math> {
    let mut parts: Vec<Math> = Vec::new();
    for c in text.chars() {
        if c.is_ascii_digit() || c == '.' {
            match parts.last_mut() {
                Some(Math::Number(digits)) => digits.push(c),
                _ if c == '.' => parts.push(Math::Operator(".".to_owned())),
                _ => parts.push(Math::Number(c.to_string())),
            }
            continue;
        }
        parts.push(match c {
            '\u{2009}' | '\u{200a}' => Math::Space(3),
            '\u{2005}' => Math::Space(4),
            '\u{2004}' => Math::Space(5),
            '\u{2003}' => Math::Space(18),
            '\u{200b}' | '\u{2061}'..='\u{2064}' => continue,
            c if c.is_whitespace() => continue,
            '-' => Math::Operator("−".to_owned()),
            c => match plain_letter(c) {
                Some((style, letter)) => {
                    let letter = Box::new(Math::Identifier(letter.to_string()));
                    match style {
                        Some(style) => Math::Styled(style, letter),
                        None => *letter,
                    }
                }
                None if c.is_alphabetic() || symbols::is_letter(c.encode_utf8(&mut [0; 4])) => {
                    Math::Identifier(c.to_string())
                }
                None => Math::Operator(c.to_string()),
            },
        });
    }
    parts
}

/// The style and the letter that a mathematical alphanumeric symbol represents (U+1D400 to U+1D7FF, and a few outside).
/// The style of italic letters is `None`, because letters in a formula are italic by default.
fn plain_letter(c: char) -> Option<(Option<Style>, char)> {
    /// First character and style of each Latin alphabet, which has 26 capitals and then 26 small letters.
    const ALPHABETS: [(u32, Option<Style>); 13] = [
        (0x1d400, Some(Style::Bold)),
        (0x1d434, None),
        (0x1d468, Some(Style::Bold)),
        (0x1d49c, Some(Style::Script)),
        (0x1d4d0, Some(Style::Script)),
        (0x1d504, Some(Style::Fraktur)),
        (0x1d538, Some(Style::DoubleStruck)),
        (0x1d56c, Some(Style::Fraktur)),
        (0x1d5a0, Some(Style::SansSerif)),
        (0x1d5d4, Some(Style::SansSerif)),
        (0x1d608, Some(Style::SansSerif)),
        (0x1d63c, Some(Style::SansSerif)),
        (0x1d670, Some(Style::Monospace)),
    ];
    let outside = match c {
        'ℂ' => 'C',
        'ℍ' => 'H',
        'ℕ' => 'N',
        'ℙ' => 'P',
        'ℚ' => 'Q',
        'ℝ' => 'R',
        'ℤ' => 'Z',
        _ => '\0',
    };
    if outside != '\0' {
        return Some((Some(Style::DoubleStruck), outside));
    }
    if c == 'ℎ' {
        return Some((None, 'h'));
    }
    let code = u32::from(c);
    if !(0x1d400..0x1d6a4).contains(&code) {
        // Small letters of the italic Greek alphabet.
        let greek = code.checked_sub(0x1d6fc).filter(|at| *at < 25)?;
        return Some((None, char::from_u32(0x3b1 + greek)?));
    }
    let (start, style) = ALPHABETS.iter().rev().find(|(start, _)| *start <= code)?;
    let at = code - start;
    let letter = if at < 26 {
        u32::from(b'A') + at
    } else {
        u32::from(b'a') + at - 26
    };
    Some((*style, char::from_u32(letter)?))
}
