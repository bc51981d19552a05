//! Structured references, such as `Sales[[#Totals],[Price]]` (ECMA-376 part 1, 18.17.2; grammar in MS-XLSX 2.2.2),
//! and their replacement by ranges. Tables are not written into other workbooks, and Excel considers a workbook
//! damaged if a formula refers to a missing table. Computes nothing.

use super::{MAX_LENGTH, is_word, split_quoted};
use crate::{cells::letters, shown::range::Range};

/// A table, as formulas refer to it.
pub(crate) struct Table {
    /// Name as formulas spell it.
    pub(crate) name: Box<str>,
    /// Name of its sheet.
    pub(crate) sheet: Box<str>,
    /// All cells of the table, with header and totals.
    pub(crate) range: Range,
    /// Whether the first row contains the names of the columns.
    pub(crate) has_header: bool,
    /// Whether the last row contains totals.
    pub(crate) has_totals: bool,
    /// Names of its columns, in lower case.
    pub(crate) columns: Vec<Box<str>>,
}

/// Position of a formula: name of the sheet, and row and column of the cell.
type Cell<'c> = (&'c str, (u32, u32));

/// Replaces structured references in a formula by ranges. `cell` is the formula's cell, or `None` for the formula of
/// a name.
///
/// Returns `None` for a formula that has no such references or is too long, and `Err` if one of them cannot be
/// resolved.
pub(crate) fn resolved(
    formula: &str,
    tables: &[Table],
    cell: Option<Cell<'_>>,
) -> Result<Option<String>, ()> {
    if formula.len() > MAX_LENGTH {
        return Ok(None);
    }
    let (mut out, mut found) = (String::new(), false);
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'') {
            let (text, after) = split_quoted(rest, first).ok_or(())?;
            out.push_str(text);
            rest = after;
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let named = |table: &&Table| table.name.eq_ignore_ascii_case(word);
        let table = match (word.is_empty(), after.starts_with('[')) {
            // Within a table, formulas may leave out its name: `[@Price]`.
            (true, true) => tables.iter().find(|table| {
                let own = cell.filter(|(sheet, _)| **sheet == *table.sheet);
                own.is_some_and(|(_, (row, column))| table.range.contains(row, column))
            }),
            (false, _) if !after.starts_with(['(', '!']) => tables.iter().find(named),
            _ => None,
        };
        match table {
            Some(table) => {
                let (inner, after_item) = bracketed(after).ok_or(())?;
                let range = table.part(inner, cell).ok_or(())?;
                table.write(range, cell, &mut out);
                (found, rest) = (true, after_item);
            }
            // Any other character, such as an operator, or a bracket around the index of another workbook.
            None if word.is_empty() => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
            None => {
                out.push_str(word);
                rest = after;
            }
        }
    }
    Ok(found.then_some(out))
}

/// Splits a text that begins with brackets: returns their content, nested brackets included, and the text after them.
/// The content is empty if there are no brackets; `None` if they are not closed.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('[') {
        return Some(("", text));
    }
    let (mut depth, mut escaped) = (0_u32, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\'' => escaped = true,
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some((text.get(1..at)?, text.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

/// Name of a column without its escapes. An apostrophe escapes brackets, `#` and itself.
fn unescaped(name: &str) -> String {
    let mut out = String::new();
    let mut letters = name.chars();
    while let Some(c) = letters.next() {
        match c {
            '\'' => out.extend(letters.next()),
            c => out.push(c),
        }
    }
    out
}

impl Table {
    /// Resolves the content of the brackets to a range: items such as `#Totals` select rows, other names select
    /// columns.
    fn part(&self, text: &str, cell: Option<Cell<'_>>) -> Option<Range> {
        let (mut rows, mut columns): (Option<(u32, u32)>, Vec<u32>) = (None, Vec::new());
        let mut add = |part: (u32, u32)| {
            let (first, last) = rows.unwrap_or(part);
            rows = Some((first.min(part.0), last.max(part.1)));
        };
        let mut rest = text.trim();
        if let Some(after) = rest.strip_prefix('@') {
            add(self.row(cell)?);
            rest = after.trim_start();
        }
        if !rest.is_empty() && !rest.starts_with('[') {
            match rest.starts_with('#') {
                true => add(self.rows(rest, cell)?),
                false => columns.push(self.column(rest)?),
            }
            rest = "";
        }
        while rest.starts_with('[') {
            let (name, after) = bracketed(rest)?;
            match name.starts_with('#') {
                true => add(self.rows(name, cell)?),
                false => columns.push(self.column(name)?),
            }
            rest = after.trim_start_matches([',', ':', ' ']);
        }
        // Without an item the reference means the data rows.
        let rows = rows.or_else(|| self.rows("#Data", cell))?;
        let (first, last) = (self.range.first.1, self.range.last.1);
        let first = columns.iter().min().copied().unwrap_or(first);
        let last = columns.iter().max().copied().unwrap_or(last);
        rest.is_empty().then_some(Range {
            first: (rows.0, first),
            last: (rows.1, last),
        })
    }

    /// Rows that an item selects. `None` for an unknown item, or a part that the table lacks.
    fn rows(&self, item: &str, cell: Option<Cell<'_>>) -> Option<(u32, u32)> {
        let (first, last) = (self.range.first.0, self.range.last.0);
        let data = (
            first + u32::from(self.has_header),
            last.checked_sub(u32::from(self.has_totals))?,
        );
        let rows = match &*item.to_ascii_lowercase() {
            "#all" => (first, last),
            "#headers" if self.has_header => (first, first),
            "#totals" if self.has_totals => (last, last),
            "#this row" => self.row(cell)?,
            "#data" => data,
            _ => return None,
        };
        (rows.0 <= rows.1).then_some(rows)
    }

    /// Row of the formula, if it is a data row of the table.
    fn row(&self, cell: Option<Cell<'_>>) -> Option<(u32, u32)> {
        let (_, (row, _)) = cell?;
        let (first, last) = self.rows("#data", None)?;
        (first..=last).contains(&row).then_some((row, row))
    }

    /// Column with this name, counted from 0 on the sheet.
    fn column(&self, name: &str) -> Option<u32> {
        let name = unescaped(name).to_lowercase();
        let mut columns = self.columns.iter();
        let at = columns.position(|own| **own == *name)?;
        let column = self.range.first.1.checked_add(u32::try_from(at).ok()?)?;
        (column <= self.range.last.1).then_some(column)
    }

    /// Writes a range with absolute references, with the name of the sheet if the formula is on another one.
    fn write(&self, range: Range, cell: Option<Cell<'_>>, out: &mut String) {
        if cell.is_none_or(|(sheet, _)| *sheet != *self.sheet) {
            out.push('\'');
            out.push_str(&self.sheet.replace('\'', "''"));
            out.push_str("'!");
        }
        let place = |(row, column): (u32, u32)| format!("${}${}", letters(column), row + 1);
        out.push_str(&place(range.first));
        if range.first != range.last {
            out.push(':');
            out.push_str(&place(range.last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_tables_are_ranges() {
        let columns = ["Item", "Price", "Net [€]"];
        // B3:D9 with a header and totals.
        let tables = [Table {
            name: "Sales".into(),
            sheet: "Q1".into(),
            range: Range {
                first: (2, 1),
                last: (8, 3),
            },
            has_header: true,
            has_totals: true,
            columns: columns.map(|name| name.to_lowercase().into()).into(),
        }];
        let of = |formula: &str, sheet, row, column| {
            resolved(formula, &tables, Some((sheet, (row, column))))
        };
        #[track_caller]
        fn check(found: Result<Option<String>, ()>, expected: &str) {
            assert_eq!(found, Ok(Some(expected.to_owned())));
        }
        check(
            of("SUBTOTAL(109,[Price])", "Q1", 8, 2),
            "SUBTOTAL(109,$C$4:$C$8)",
        );
        check(
            of("sum(SALES[price])*2", "Q2", 0, 0),
            "sum('Q1'!$C$4:$C$8)*2",
        );
        check(of("Sales[@Price]+1", "Q1", 4, 9), "$C$5+1");
        check(
            of("Sales[[#This Row],[Item]:[Price]]", "Q1", 4, 1),
            "$B$5:$C$5",
        );
        check(
            of("Sales[[#Headers],[#Data],[Net '[€']]]", "Q1", 0, 0),
            "$D$3:$D$8",
        );
        check(
            of("ROWS(Sales)&\"Sales[Item]\"", "Q1", 0, 0),
            "ROWS($B$4:$D$8)&\"Sales[Item]\"",
        );
        check(of("Sales[#Totals]", "Q1", 0, 0), "$B$9:$D$9");
        let of_name = resolved("Sales[Item]", &tables, None);
        check(of_name, "'Q1'!$B$4:$B$8");
        for plain in [
            "A1+[1]Other!B2",
            "Sales(1)",
            "'Sales'!A1",
            "Sales!A1",
            "[2]!Sum",
        ] {
            assert_eq!(of(plain, "Q2", 0, 0), Ok(None), "{plain}");
        }
        for lost in [
            "Sales[Gone]",
            "Sales[[#Nothing],[Item]]",
            "Sales[@Item]",
            "Sales[Item",
            "Sales[[Item]",
            "Sales[[Item]x]",
            "\"Sales[Item]",
        ] {
            assert_eq!(of(lost, "Q1", 0, 0), Err(()), "{lost}");
        }
    }
}
