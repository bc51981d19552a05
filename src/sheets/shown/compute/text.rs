//! Text functions. Reads no cells.

use super::{
    Fault,
    evaluate::{EvaluationContext, Found},
    expression::{Expression, Function},
    values::{MAX_TEXT, WRONG, fault, finite, is_like, operand, written},
};
use crate::shown::book::Value;
use Function as F;
use convertd_office::number_format::NumberFormat;
use encoding_rs::WINDOWS_1252;

impl EvaluationContext<'_> {
    /// Computes a text function. `None` for any other function.
    pub(super) fn of_texts(
        &self,
        function: Function,
        arguments: &[Expression],
    ) -> Found<Option<Value>> {
        let argument = |number: usize| arguments.get(number).ok_or(Fault::Unknown);
        let text = |number: usize| self.text(argument(number)?);
        // Reads a count of characters from an argument, or takes `other` if it is missing.
        let count =
            |number: usize, other: f64| match self.number_or(arguments.get(number), other)? {
                count if count < 0.0 => Err(fault(WRONG)),
                count => Ok(count.min(MAX_TEXT as f64) as usize),
            };
        let number = |number: usize| Ok(Some(Value::Number(number as f64)));
        let result: String = match function {
            F::Len => return number(text(0)?.chars().count()),
            F::Exact => return Ok(Some(Value::Boolean(text(0)? == text(1)?))),
            F::Code | F::CodeOfUnicode => {
                let first = text(0)?.chars().next().ok_or_else(|| fault(WRONG))?;
                return number(match function {
                    F::Code => usize::from(to_windows(first)),
                    _ => first as usize,
                });
            }
            F::Search | F::Find => {
                let from = count(2, 1.0)?;
                return number(
                    place(function, &text(0)?, &text(1)?, from).ok_or_else(|| fault(WRONG))?,
                );
            }
            F::Left => text(0)?.chars().take(count(1, 1.0)?).collect(),
            F::Right => {
                let text = text(0)?;
                let all = text.chars().count();
                text.chars()
                    .skip(all.saturating_sub(count(1, 1.0)?))
                    .collect()
            }
            F::Mid => {
                let from = count(1, 1.0)?.checked_sub(1).ok_or_else(|| fault(WRONG))?;
                text(0)?.chars().skip(from).take(count(2, 0.0)?).collect()
            }
            F::Upper => text(0)?.to_uppercase(),
            F::Lower => text(0)?.to_lowercase(),
            F::Proper => proper(&text(0)?),
            F::Trim => {
                let text = text(0)?;
                // TRIM removes only the space character, not tabs or no-break spaces.
                let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
                words.join(" ")
            }
            // CLEAN removes the control characters below the space.
            F::Clean => text(0)?.chars().filter(|c| *c >= ' ').collect(),
            F::Char => {
                let code = self.number(argument(0)?)?;
                let code = (1.0..256.0).contains(&code).then_some(code as u8);
                let code = code.ok_or_else(|| fault(WRONG))?;
                WINDOWS_1252
                    .decode_without_bom_handling(&[code])
                    .0
                    .into_owned()
            }
            F::CharOfUnicode => {
                let code = self.number(argument(0)?)?;
                // The upper end is one past the last code point of Unicode.
                let code = (1.0..1_114_112.0)
                    .contains(&code)
                    .then(|| char::from_u32(code as u32));
                code.flatten().ok_or_else(|| fault(WRONG))?.to_string()
            }
            F::Repeat => {
                let (text, count) = (text(0)?, count(1, 0.0)?);
                match text.len() * count <= MAX_TEXT {
                    true => text.repeat(count),
                    false => return Err(fault(WRONG)),
                }
            }
            F::Replace => {
                let (text, from, length, other) =
                    (text(0)?, count(1, 1.0)?, count(2, 0.0)?, text(3)?);
                let from = from.checked_sub(1).ok_or_else(|| fault(WRONG))?;
                let before = text.chars().take(from);
                before
                    .chain(other.chars())
                    .chain(text.chars().skip(from + length))
                    .collect()
            }
            F::Substitute => {
                let (text, old, new) = (text(0)?, text(1)?, text(2)?);
                let only = arguments.get(3).map(|only| self.number(only)).transpose()?;
                substituted(&text, &old, &new, only)?
            }
            F::Text => {
                let value = self.value(argument(0)?)?;
                let code = text(1)?;
                // A value that is not numeric is formatted by the text section of the format code.
                match operand(&value) {
                    Ok(number) => {
                        let mut out = String::new();
                        NumberFormat::parse(&code).number(finite(number)?, self.epoch, &mut out);
                        out
                    }
                    Err(_) => {
                        let text = written(&value)?;
                        NumberFormat::parse(&code).text(&text).unwrap_or(text)
                    }
                }
            }
            F::Concatenate | F::TextJoin => {
                let (separator, skips, first) = match function {
                    F::TextJoin => (text(0)?, self.is_true(argument(1)?)?, 2),
                    _ => (String::new(), false, 0),
                };
                let mut parts = Vec::new();
                for argument in arguments.iter().skip(first) {
                    for value in self.values(argument)? {
                        let part = written(&value)?;
                        if !(skips && part.is_empty()) {
                            parts.push(part);
                        }
                    }
                }
                parts.join(&separator)
            }
            _ => return Ok(None),
        };
        match result.len() <= MAX_TEXT {
            true => Ok(Some(Value::Text(result.into()))),
            false => Err(fault(WRONG)),
        }
    }
}

/// Position of a text in another one, in characters from 1. The search begins at character `from`. `SEARCH` ignores
/// case and knows wildcards; `FIND` does neither.
fn place(function: Function, wanted: &str, text: &str, from: usize) -> Option<usize> {
    let skipped = from.checked_sub(1)?;
    let (at, _) = text
        .char_indices()
        .nth(skipped)
        .unwrap_or((text.len(), ' '));
    if skipped > text.chars().count() {
        return None;
    }
    let rest = &text[at..];
    let found = |at: usize| rest[..at].chars().count() + from;
    if function == F::Find {
        return rest.find(wanted).map(found);
    }
    let (rest, wanted) = (rest.to_lowercase(), wanted.to_lowercase());
    if !wanted.contains(['*', '?', '~']) {
        return rest
            .find(&wanted)
            .map(|at| rest[..at].chars().count() + from);
    }
    // The star at the end accepts any text after the occurrence.
    let pattern = format!("{wanted}*");
    // A pattern is tried at each position and may scan the whole text each time, so the number of positions is
    // limited.
    let mut places = rest.char_indices().take(1024);
    let at = places.find(|(at, _)| is_like(&rest[*at..], &pattern))?.0;
    Some(rest[..at].chars().count() + from)
}

/// Text with a capital letter at the beginning of each word, and small letters elsewhere (`PROPER`).
fn proper(text: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    for character in text.chars() {
        match within {
            true => out.extend(character.to_lowercase()),
            false => out.extend(character.to_uppercase()),
        }
        within = character.is_alphabetic();
    }
    out
}

/// Code of a character in Windows-1252, the character set of Excel's `CHAR` and `CODE`. Characters outside of it have
/// the code of a question mark.
fn to_windows(character: char) -> u8 {
    let mut bytes = [0; 4];
    let (code, _, is_lost) = WINDOWS_1252.encode(character.encode_utf8(&mut bytes));
    match (is_lost, &*code) {
        (false, [code]) => *code,
        _ => b'?',
    }
}

/// Replaces all occurrences of `old`, or only the one with the number `only`, counted from 1 (`SUBSTITUTE`).
fn substituted(text: &str, old: &str, new: &str, only: Option<f64>) -> Found<String> {
    if old.is_empty() {
        return Ok(text.to_owned());
    }
    // Checked before the replacement allocates: a short `old` and a long `new` could multiply the length.
    let count = text.matches(old).count();
    if text.len() + count * new.len() > 2 * MAX_TEXT {
        return Err(fault(WRONG));
    }
    match only {
        None => Ok(text.replace(old, new)),
        Some(number) if number < 1.0 => Err(fault(WRONG)),
        Some(number) => {
            let found = text.match_indices(old).nth(number as usize - 1);
            Ok(found.map_or(text.to_owned(), |(at, _)| {
                format!("{}{new}{}", &text[..at], &text[at + old.len()..])
            }))
        }
    }
}
