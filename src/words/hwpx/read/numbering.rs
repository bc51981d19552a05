//! Reads numberings and bullets. Counts no items; `convertd_office` does.

use super::lengths::is_set;
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{Definition, LEVELS, Level, LevelFormat, List, Lists};
use convertd_tree::numerals::Format;

/// Bit that distinguishes the list numbers of bullets from those of numberings. The file counts the identifiers of both
/// separately.
const BULLETS: u32 = 1 << 31;

/// List number in the story for a kind (`BULLET`, `NUMBER` or `OUTLINE`) and an identifier of the file. 0 for no list.
pub(super) fn list_number(kind: &str, id: u32) -> u32 {
    match kind {
        "BULLET" if id > 0 => BULLETS | id,
        "NUMBER" | "OUTLINE" => id & !BULLETS,
        _ => 0,
    }
}

/// Reads a `numbering` or a `bullet`, which is the innermost open element.
pub(super) fn add(lists: &mut Lists, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
    let id = element.attribute("id").and_then(|id| id.parse().ok());
    let bullet = element.attribute("char").unwrap_or_default();
    let kind = match element.name {
        "bullet" => "BULLET",
        _ => "NUMBER",
    };
    let mut definition = Definition::default();
    let depth = xml.level();
    while let Some(head) = xml.next_element(depth)? {
        if head.name != "paraHead" {
            continue;
        }
        let pattern = xml.text()?;
        let at = head.attribute("level").and_then(|level| level.parse().ok());
        let at = at.unwrap_or(1_usize).saturating_sub(1);
        let level = match kind {
            "BULLET" => of_bullet(&bullet),
            _ => level(&head, &pattern, at),
        };
        match kind {
            "BULLET" => definition.levels.fill(level),
            _ if at < LEVELS => definition.levels[at] = level,
            _ => {}
        }
    }
    if let Some(number) = id.map(|id| list_number(kind, id)).filter(|id| *id > 0) {
        lists.definitions.insert(number, definition);
        lists.lists.insert(
            number,
            List {
                definition: number,
                ..List::default()
            },
        );
    }
    Ok(())
}

fn of_bullet(sign: &str) -> Level {
    // Characters from U+F000 to U+F0FF belong to a symbol font of Windows. Hangul offers Wingdings only.
    let is_private = sign.chars().any(|c| ('\u{f000}'..='\u{f0ff}').contains(&c));
    Level {
        format: LevelFormat::Bullet,
        text: sign.into(),
        font: is_private.then(|| "Wingdings".into()),
        ..Level::default()
    }
}

/// Reads a level of a numbering. `at` is its index from 0. In the pattern, `^1` to `^9` stand for the numbers of the
/// levels, and `^n` for the numbers of all levels down to this one, separated by points; `^N` also adds a final point.
fn level(head: &Element<'_>, pattern: &str, at: usize) -> Level {
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('^', Some(digit @ '1'..='9')) => {
                text.push('%');
                text.push(digit);
                chars.next();
            }
            ('^', Some(all @ ('n' | 'N'))) => {
                let numbers: Vec<String> = (0..=at.min(LEVELS - 1))
                    .map(|level| format!("%{}", level + 1))
                    .collect();
                text.push_str(&numbers.join("."));
                if all == 'N' {
                    text.push('.');
                }
                chars.next();
            }
            (c, _) => text.push(c),
        }
    }
    let start = head.attribute("start").and_then(|start| start.parse().ok());
    let format = head.attribute("numFormat").unwrap_or_default();
    Level {
        start: start.unwrap_or(1),
        format: match is_set(head, "checkable") && pattern.trim().is_empty() {
            true => LevelFormat::None,
            false => LevelFormat::Number(number_format(&format)),
        },
        text: text.into(),
        ..Level::default()
    }
}

/// Number format for a name of HWPX, such as `ROMAN_CAPITAL`. Unknown names are decimal.
pub(super) fn number_format(name: &str) -> Format {
    let word = match name {
        "CIRCLED_DIGIT" => "decimalEnclosedCircle",
        "ROMAN_CAPITAL" => "upperRoman",
        "ROMAN_SMALL" => "lowerRoman",
        "LATIN_CAPITAL" | "CIRCLED_LATIN_CAPITAL" => "upperLetter",
        "LATIN_SMALL" | "CIRCLED_LATIN_SMALL" => "lowerLetter",
        "HANGUL_SYLLABLE" | "CIRCLED_HANGUL_SYLLABLE" => "ganada",
        "HANGUL_JAMO" | "CIRCLED_HANGUL_JAMO" => "chosung",
        "HANGUL_PHONETIC" => "koreanDigital",
        "IDEOGRAPH" => "chineseCounting",
        "CIRCLED_IDEOGRAPH" => "ideographEnclosedCircle",
        "DECAGON_CIRCLE_HANJA" => "ideographTraditional",
        _ => "decimal",
    };
    let decimal = Format::Plain(convertd_tree::Numeral::Decimal);
    Format::of_word(word, None).unwrap_or(decimal)
}
