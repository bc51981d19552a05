//! Formulas in R1C1 notation (`R[-1]C2`), translated to A1 notation (`$B3`). Copies everything but references.

use crate::cells::letters;

/// Maximum length of a formula, in bytes. Excel's own limit is as many characters.
const MAX_LENGTH: usize = 8192;

/// Characters that the name of a sheet cannot contain.
const FORBIDDEN_IN_NAMES: [char; 7] = [':', '/', '\\', '?', '*', '[', ']'];

/// Number of rows of a sheet.
const ROWS: i64 = 1 << 20;
/// Number of columns of a sheet.
const COLUMNS: i64 = 1 << 14;

/// Translates a formula of a cell, without its equals sign. `None` if it is not a formula, or if it refers to a place
/// outside of the sheet, to another workbook, or to a field of a cell's content.
pub(super) fn translated(formula: &str, row: u32, column: u32) -> Option<String> {
    let mut rest = formula.trim().strip_prefix('=')?;
    if rest.len() > MAX_LENGTH {
        return None;
    }
    let mut out = String::new();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' | '\'' => {
                let after = rest.get(1..)?;
                let end = after.find(first)?;
                // A quoted name with such a character belongs to another workbook.
                if first == '\'' && after.get(..end)?.contains(FORBIDDEN_IN_NAMES) {
                    return None;
                }
                2 + end
            }
            c if is_word(c) => {
                if let Some((text, len)) = reference(rest, row, column)? {
                    out.push_str(&text);
                    rest = rest.get(len..)?;
                    continue;
                }
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            }
            // Brackets outside of a reference belong to another workbook or to a field.
            '[' => return None,
            c => c.len_utf8(),
        };
        out.push_str(rest.get(..len)?);
        rest = rest.get(len..)?;
    }
    (!out.is_empty()).then_some(out)
}

/// Returns whether a character may be part of a name or a number.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '\\')
}

/// Parses the row or column part of a reference: its letter, then nothing for the formula's own row or column, a
/// number, or a distance in brackets. `own` is that row or column, and `all` the size of the sheet.
///
/// Returns the number from 0, whether it is absolute, and the length of the part. The inner `Option` is `None` if the
/// text does not begin with the letter; the outer one is `None` for an invalid part, such as one outside of the sheet.
fn part(text: &str, letter: char, own: u32, all: i64) -> Option<Option<(u32, bool, usize)>> {
    let Some(rest) = text.strip_prefix(letter) else {
        return Some(None);
    };
    let (number, fixed, len) = match rest.strip_prefix('[') {
        Some(inner) => {
            let end = inner.find(']')?;
            let distance: i64 = inner.get(..end)?.parse().ok()?;
            (i64::from(own).checked_add(distance)?, false, end + 3)
        }
        None => {
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            match rest.get(..digits)? {
                "" => (i64::from(own), false, 1),
                number => (
                    number.parse::<i64>().ok()?.checked_sub(1)?,
                    true,
                    digits + 1,
                ),
            }
        }
    };
    let number = u32::try_from(number)
        .ok()
        .filter(|number| i64::from(*number) < all)?;
    Some(Some((number, fixed, len)))
}

/// Translates the reference at the beginning of a text. Returns it with its length in the text. The inner `Option` is
/// `None` if the text begins with something else; the outer one is `None` for an invalid reference.
fn reference(text: &str, row: u32, column: u32) -> Option<Option<(String, usize)>> {
    let ends = |len: usize| {
        let next = text.get(len..).and_then(|rest| rest.chars().next());
        next.is_none_or(|next| !is_word(next) && next != '(')
    };
    let dollar = |fixed: bool| if fixed { "$" } else { "" };
    // A word may begin like a reference: an invalid part belongs to a name.
    let Some(down) = part(text, 'R', row, ROWS).filter(|part| match part {
        Some((.., len)) => text.get(*len..).is_some_and(|rest| rest.starts_with('C')) || ends(*len),
        None => true,
    }) else {
        return is_name(text);
    };
    let after = down.map_or(0, |(.., len)| len);
    let Some(across) = part(text.get(after..)?, 'C', column, COLUMNS) else {
        return is_name(text);
    };
    let len = after + across.map_or(0, |(.., len)| len);
    if len == 0 || !ends(len) {
        return Some(None);
    }
    let text = match (down, across) {
        (Some((row, fixed_row, _)), Some((column, fixed_column, _))) => {
            let (row, column) = (row + 1, letters(column));
            format!("{}{column}{}{row}", dollar(fixed_column), dollar(fixed_row))
        }
        (Some((row, fixed, _)), None) => {
            let row = format!("{}{}", dollar(fixed), row + 1);
            format!("{row}:{row}")
        }
        (None, Some((column, fixed, _))) => {
            let column = format!("{}{}", dollar(fixed), letters(column));
            format!("{column}:{column}")
        }
        (None, None) => return Some(None),
    };
    Some(Some((text, len)))
}

/// Distinguishes a name, for which it returns `Some(None)`, from an invalid reference, for which it returns `None`.
/// Only a reference can have a bracket after its first letters and digits.
fn is_name(text: &str) -> Option<Option<(String, usize)>> {
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let bracket = text.get(end..)?.starts_with('[');
    (!bracket).then_some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_relative_to_their_cell() {
        for (formula, expected) in [
            ("=R[-1]C*2", Some("C2*2")),
            ("=SUM(R1C1:R[-1]C[-1])", Some("SUM($A$1:B2)")),
            ("=ROUND(RC[1],2)&\"R1C1\"", Some("ROUND(D3,2)&\"R1C1\"")),
            ("='R1C1 x'!R2C", Some("'R1C1 x'!C$2")),
            (
                "=SUM(C)+SUM(R2)+Rate+C1x+COS(R)",
                Some("SUM(C:C)+SUM($2:$2)+Rate+C1x+COS(3:3)"),
            ),
            ("=R[-9]C", None),
            ("=R[99999999999999999999]C", None),
            ("=R0C1", Some("R0C1")),
            ("=[Other.xls]A!R1C1", None),
            ("=RC[-1].[Name]", None),
            ("='Disk:Other.xls'!Rate", None),
            ("=\"open", None),
            ("1", None),
        ] {
            assert_eq!(translated(formula, 2, 2).as_deref(), expected, "{formula}");
        }
    }
}
