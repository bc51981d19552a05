//! Translation of formulas as text between the syntax of Excel and OpenFormula (OpenDocument 1.3, part 4). Computes
//! nothing.
//!
//! Most names of functions agree. The differences are references (`'My sheet'!$A1:B2` and `[$'My sheet'.$A1:.B2]`),
//! separators of arguments, and separators of rows and columns in array constants. A formula with a construct that
//! only one of the two has, such as references to table columns, is not translated.

pub(crate) mod columns;
mod names;

use crate::cells::{COLUMNS, MAX_ROWS, letters, reference};

/// Maximum length of a formula, in bytes. Excel's own limit is 8,192 characters.
const MAX_LENGTH: usize = 1 << 13;

/// Reference to deleted cells.
const DELETED_REFERENCE: &str = "#REF!";

/// Prefix of names of the workbook itself, in files that number the workbooks they refer to.
const OWN_BOOK: &str = "[0]!";

/// Translates a formula from Excel to OpenFormula, without the prefix `of:=`. `None` if it cannot be translated.
///
/// This is a scan over tokens, not a parser: whatever means the same in both syntaxes is copied.
pub(crate) fn to_open(formula: &str) -> Option<String> {
    if formula.len() > MAX_LENGTH {
        return None;
    }
    let mut out = String::new();
    let mut rest = formula;
    let mut braces = 0_u32;
    while let Some(first) = rest.chars().next() {
        match first {
            '"' => {
                let (text, after) = split_quoted(rest, '"')?;
                out.push_str(text);
                rest = after;
            }
            '\'' => {
                let (sheet, after) = split_quoted(rest, '\'')?;
                rest = on_sheet(sheet, after.strip_prefix('!')?, &mut out)?;
            }
            // A name of this workbook: the prefix is dropped.
            '[' if rest.starts_with(OWN_BOOK) => rest = &rest[OWN_BOOK.len()..],
            // References to table columns or other workbooks, spilled ranges (`A1#`), and implicit intersection
            // (`@`).
            '[' | ']' | '@' => return None,
            '#' => {
                let (error, after) = error(rest)?;
                out.push_str(error);
                rest = after;
            }
            '{' | '}' => {
                braces = if first == '{' {
                    braces + 1
                } else {
                    braces.checked_sub(1)?
                };
                out.push(first);
                rest = &rest[1..];
            }
            // Excel separates arguments by commas; in array constants, a comma separates columns and a semicolon
            // rows. OpenFormula uses `;` for both arguments and columns, and `|` for rows.
            ',' | ';' => {
                out.push(match (first, braces > 0) {
                    (';', true) => '|',
                    _ => ';',
                });
                rest = &rest[1..];
            }
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if let Some(after) = after.strip_prefix('!') {
                    rest = on_sheet(word, after, &mut out)?;
                } else if after.starts_with('(') {
                    out.push_str(&names::to_open(word));
                    rest = after;
                } else if is_reference(word, after) {
                    rest = place("", rest, &mut out)?;
                } else {
                    out.push_str(word);
                    rest = after;
                }
            }
            _ => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    Some(out)
}

/// Returns whether a character can be part of a name, a cell reference or one end of a range.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '\\')
}

/// Splits an error constant, such as `#N/A`, off the beginning of a text.
pub(super) fn error(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('#')?;
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '/' | '!' | '?'));
    let (error, after) = text.split_at(end.map_or(text.len(), |end| end + 1));
    (error.len() > 2).then_some((error, after))
}

/// Splits a quoted text off the beginning, with its quotation marks and doubled ones within. The text begins with the
/// mark.
fn split_quoted(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut at = 1;
    loop {
        at += text.get(at..)?.find(mark)? + 1;
        if !text[at..].starts_with(mark) {
            return Some(text.split_at(at));
        }
        at += 1;
    }
}

/// Returns whether a word is a cell reference, or the beginning of a reference to whole rows or columns.
fn is_reference(word: &str, after: &str) -> bool {
    reference(word).is_some() || whole(word, after).is_some()
}

/// First or last row or column of a reference to whole rows or columns, such as `$A` in `$A:C`.
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeEnd {
    pub(super) is_row: bool,
    /// Row or column, from 0.
    pub(super) at: u32,
    /// Whether it has a dollar sign, so that it does not move with the formula.
    pub(super) is_absolute: bool,
}

impl WholeEnd {
    fn parse(word: &str) -> Option<Self> {
        let plain = word.strip_prefix('$').unwrap_or(word);
        let all = |is: fn(&u8) -> bool| plain.bytes().all(|byte| is(&byte));
        // A row or a column alone becomes a cell reference with the other part added.
        let (is_row, at) = if all(u8::is_ascii_digit) {
            (true, reference(&format!("A{plain}"))?.1)
        } else if all(u8::is_ascii_alphabetic) {
            (false, reference(&format!("{plain}1"))?.0)
        } else {
            return None;
        };
        Some(Self {
            is_row,
            at,
            is_absolute: plain.len() < word.len(),
        })
    }
}

/// Parses a reference to whole rows or columns, such as `$A:C` or `1:3`. `word` is its first word, `after` is the text
/// after it. Returns both ends and the rest of the text.
pub(super) fn whole<'f>(word: &str, after: &'f str) -> Option<([WholeEnd; 2], &'f str)> {
    let other = after.strip_prefix(':')?;
    let end = other.find(|c| !is_word(c)).unwrap_or(other.len());
    let ends = [WholeEnd::parse(word)?, WholeEnd::parse(&other[..end])?];
    (ends[0].is_row == ends[1].is_row).then_some((ends, &other[end..]))
}

/// Translates a reference after the name of its sheet, which may be quoted. Returns the rest of the text.
fn on_sheet<'f>(sheet: &str, rest: &'f str, out: &mut String) -> Option<&'f str> {
    // References to another workbook, or to a range of sheets (`Sheet1:Sheet3`), are not translated.
    if sheet.contains(['[', ':']) {
        return None;
    }
    let plain = sheet.chars().all(|c| c.is_alphanumeric() || c == '_');
    let name = match sheet.starts_with('\'') || plain {
        true => format!("${sheet}"),
        false => format!("$'{sheet}'"),
    };
    // A reference to deleted cells keeps its sheet.
    if let Some(after) = rest.strip_prefix(DELETED_REFERENCE) {
        out.push_str(&format!("[{name}.{DELETED_REFERENCE}]"));
        return Some(after);
    }
    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    if !word.is_empty() && !is_reference(word, after) && !after.starts_with(['(', '[']) {
        // A name that is local to the sheet (part 4, 5.11).
        let sheet = match sheet.starts_with('\'') {
            true => sheet.to_owned(),
            false => format!("'{sheet}'"),
        };
        out.push_str(&format!("{sheet}.{word}"));
        return Some(after);
    }
    place(&name, rest, out)
}

/// Translates a cell or a range. `sheet` is its sheet with a dollar sign, or empty. Returns the rest of the text.
fn place<'f>(sheet: &str, rest: &'f str, out: &mut String) -> Option<&'f str> {
    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let (first, mut after) = rest.split_at(end);
    out.push('[');
    out.push_str(sheet);
    out.push('.');
    out.push_str(first);
    if let Some(other) = after.strip_prefix(':') {
        let end = other.find(|c| !is_word(c)).unwrap_or(other.len());
        if end == 0 {
            return None;
        }
        out.push_str(":.");
        out.push_str(&other[..end]);
        after = &other[end..];
    } else {
        reference(first)?;
    }
    out.push(']');
    Some(after)
}

/// Translates an OpenFormula that begins with `=`, `of:=` or `oooc:=` to the syntax of Excel. `None` if it cannot be
/// translated.
pub(crate) fn from_open(formula: &str) -> Option<String> {
    let formula = formula
        .strip_prefix("of:")
        .or(formula.strip_prefix("oooc:"))
        .unwrap_or(formula);
    let mut rest = formula.strip_prefix('=')?;
    if rest.len() > MAX_LENGTH {
        return None;
    }
    let mut out = String::new();
    let mut braces = 0_u32;
    while let Some(first) = rest.chars().next() {
        match first {
            '"' => {
                let (text, after) = split_quoted(rest, '"')?;
                out.push_str(text);
                rest = after;
            }
            '\'' => {
                // A name that is local to a sheet.
                let (sheet, after) = split_quoted(rest, '\'')?;
                if out.ends_with('$') {
                    out.pop();
                }
                let plain = sheet.trim_matches('\'');
                out.push_str(
                    match plain.chars().all(|c| c.is_alphanumeric() || c == '_') {
                        true => plain,
                        false => sheet,
                    },
                );
                out.push('!');
                rest = after.strip_prefix('.')?;
            }
            '[' => {
                // The name of a sheet may contain a bracket within its quotation marks.
                let mut end = 1;
                while !rest.get(end..)?.starts_with(']') {
                    end += match rest[end..].chars().next()? {
                        '\'' => split_quoted(&rest[end..], '\'')?.0.len(),
                        c => c.len_utf8(),
                    };
                }
                translate_reference(&rest[1..end], &mut out)?;
                rest = &rest[end + 1..];
            }
            '{' | '}' => {
                braces = if first == '{' {
                    braces + 1
                } else {
                    braces.checked_sub(1)?
                };
                out.push(first);
                rest = &rest[1..];
            }
            // `~` is the union of references, which is a comma in Excel.
            ';' | '|' | '~' => {
                out.push(match (first, braces > 0) {
                    ('|', true) => ';',
                    _ => ',',
                });
                rest = &rest[1..];
            }
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                match after.starts_with('(') {
                    true => out.push_str(&names::to_excel(word)),
                    false => out.push_str(word),
                }
                rest = after;
            }
            _ => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    Some(out)
}

/// Translates the content of a reference in brackets: `.A1`, `.A1:.B2`, `$Sheet.A1`, `$'My sheet'.A1:.B2`.
fn translate_reference(text: &str, out: &mut String) -> Option<()> {
    let (sheet, places) = match text.strip_prefix('.') {
        Some(places) => ("", places),
        None => {
            let plain = text.strip_prefix('$').unwrap_or(text);
            match plain.starts_with('\'') {
                true => {
                    let (sheet, after) = split_quoted(plain, '\'')?;
                    (sheet, after.strip_prefix('.')?)
                }
                false => plain.split_once('.')?,
            }
        }
    };
    if sheet.contains("://") || places.contains('#') && places != DELETED_REFERENCE {
        return None;
    }
    if !sheet.is_empty() {
        out.push_str(sheet);
        out.push('!');
    }
    match places.split_once(':') {
        Some((first, last)) => {
            // The second corner may repeat the name of the sheet.
            let last = last.rsplit_once('.').map_or(last, |(_, last)| last);
            out.push_str(first);
            out.push(':');
            out.push_str(last);
        }
        None => out.push_str(places),
    }
    Some(())
}

/// Moves the relative references of an Excel formula by a number of rows and columns. A shared formula is stored for
/// its first cell only and is moved to each of the others. `None` if a reference would lie before the first row or
/// column.
pub(crate) fn shifted(formula: &str, rows: i64, columns: i64) -> Option<String> {
    if formula.len() > MAX_LENGTH {
        return None;
    }
    let mut out = String::new();
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'') {
            let (text, after) = split_quoted(rest, first)?;
            out.push_str(text);
            rest = after;
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if let Some((ends, after)) = whole(word, after) {
                push_whole_moved(ends, (rows, columns), &mut out)?;
                rest = after;
                continue;
            }
            match reference(word).filter(|_| !after.starts_with(['(', '!'])) {
                Some((column, row)) => {
                    out.push_str(&move_reference(word, (column, row), rows, columns)?)
                }
                None => out.push_str(word),
            }
            rest = after;
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(out)
}

/// Appends a moved reference to whole rows or columns, such as `A:$B`. `None` if it leaves the sheet.
fn push_whole_moved(
    ends: [WholeEnd; 2],
    (rows, columns): (i64, i64),
    out: &mut String,
) -> Option<()> {
    for (number, end) in ends.into_iter().enumerate() {
        if number > 0 {
            out.push(':');
        }
        if end.is_absolute {
            out.push('$');
        }
        match end.is_row {
            true => {
                let row = moved(end.at, rows, end.is_absolute, MAX_ROWS)?;
                out.push_str(&(row + 1).to_string());
            }
            false => {
                let column = moved(end.at, columns, end.is_absolute, COLUMNS)?;
                out.push_str(&letters(column));
            }
        }
    }
    Some(())
}

/// Moves the relative parts of a cell reference. `None` if it would lie before the first row or column.
fn move_reference(
    word: &str,
    (column, row): (u32, u32),
    rows: i64,
    columns: i64,
) -> Option<String> {
    let is_column_absolute = word.starts_with('$');
    let is_row_absolute = word.get(1..)?.contains('$');
    let column = moved(column, columns, is_column_absolute, COLUMNS)?;
    let row = moved(row, rows, is_row_absolute, MAX_ROWS)?;
    let dollar = |is_absolute: bool| if is_absolute { "$" } else { "" };
    Some(format!(
        "{}{}{}{}",
        dollar(is_column_absolute),
        letters(column),
        dollar(is_row_absolute),
        row + 1
    ))
}

/// Moves a row or column of a reference, unless it is absolute. `None` if it leaves the sheet, which has `count` of
/// them.
fn moved(at: u32, by: i64, is_absolute: bool, count: u32) -> Option<u32> {
    match is_absolute {
        true => Some(at),
        false => u32::try_from(i64::from(at) + by)
            .ok()
            .filter(|at| *at < count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_survive_a_round_trip() {
        #[track_caller]
        fn check(excel: &str, open: &str) {
            assert_eq!(to_open(excel).as_deref(), Some(open));
            assert_eq!(from_open(&format!("of:={open}")).as_deref(), Some(excel));
        }
        check("SUM(A1:B2)*2", "SUM([.A1:.B2])*2");
        check("IF($A$1>0,\"a,b\",B1)", "IF([.$A$1]>0;\"a,b\";[.B1])");
        check(
            "Sheet2!A1+'My sheet'!B2:C3",
            "[$Sheet2.A1]+[$'My sheet'.B2:.C3]",
        );
        check("SUM({1,2;3,4})", "SUM({1;2|3;4})");
        check("LOG10(A:A)&Rate", "LOG10([.A:.A])&Rate");
        check("'It''s'!A1", "[$'It''s'.A1]");
        check(
            "_xlfn.CONCAT(A1,\"IFNA(\")",
            "COM.MICROSOFT.CONCAT([.A1];\"IFNA(\")",
        );
        check("Sheet1!#REF!+#REF!", "[$Sheet1.#REF!]+#REF!");
        check(
            "Sheet1!Rate*'My sheet'!Rate",
            "'Sheet1'.Rate*'My sheet'.Rate",
        );
    }

    #[test]
    fn formulas_without_equivalent_are_left_out() {
        assert_eq!(to_open("SUM(Table1[Price])"), None);
        assert_eq!(to_open("[1]Sheet1!A1"), None);
        assert_eq!(to_open("[0]!Rate").as_deref(), Some("Rate"));
        assert_eq!(to_open("\"open"), None);
        assert_eq!(from_open("of:=[.A1"), None);
        assert_eq!(from_open("msoxl:A1"), None);
    }

    #[test]
    fn shared_formulas_move_with_their_cells() {
        assert_eq!(shifted("A1+$B$1*C$2", 2, 1).as_deref(), Some("B3+$B$1*D$2"));
        assert_eq!(
            shifted("SUM(A1:A3)&\"A1\"", 1, 0).as_deref(),
            Some("SUM(A2:A4)&\"A1\"")
        );
        for (formula, rows, columns) in [
            ("A1", -1, 0),
            ("A1048576", 1, 0),
            ("XFD1", 0, 1),
            ("1:2", -1, 0),
            ("A1048575:A1048576", 1, 0),
            ("2:1048576", 1, 0),
            ("A:XFD", 0, 1),
        ] {
            assert_eq!(shifted(formula, rows, columns), None, "{formula}");
        }
        assert_eq!(
            shifted("XFD$1048576", -1, 0).as_deref(),
            Some("XFD$1048576")
        );
        assert_eq!(
            shifted("SUM(B:$C)+SUM($2:3)", 1, 1).as_deref(),
            Some("SUM(C:$C)+SUM($2:4)")
        );
    }
}
