//! Translation of formulas from tokens to text (MS-XLS 2.5.198, MS-XLSB 2.5.97). Computes nothing.
//!
//! A formula is stored in reverse Polish notation: operands come before their operator, so a stack of texts is enough
//! to write the formula. Parentheses have a token of their own, so precedence plays no role. Operand tokens exist in
//! three variants (classes), which do not affect the text. The elements of array constants follow all tokens, in order.
//! xls and xlsb have the same tokens; in xlsb, row numbers are wider and texts are UTF-16.

use super::{
    error, functions,
    scope::{Link, Scope},
};
use crate::{cells::letters, containers::fields::Fields};

/// Maximum length of a formula as text, in bytes. Excel's own limit is 8,192 characters.
const MAX_LENGTH: usize = 1 << 13;
/// Maximum length of a formula as tokens, in bytes. Excel's own limit is 16,384 bytes.
const MAX_TOKENS: usize = 1 << 16;

/// Maximum number of elements of an array constant.
const MAX_CONSTANTS: usize = 4096;

/// Binary operators, from token 0x03 on. The last three are intersection, union and range.
const OPERATORS: [&str; 15] = [
    "+", "-", "*", "/", "^", "&", "<", "<=", "=", ">=", ">", "<>", " ", ",", ":",
];

/// Number of the pseudo-function that calls a function by name; the name is its first operand.
const CALL_BY_NAME: u16 = 255;

/// Tokens of a formula, and the data after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula<'f> {
    /// Operands and operators in postfix notation.
    pub(crate) tokens: &'f [u8],
    /// Contents of arrays and other long operands.
    pub(crate) extra: &'f [u8],
}

impl<'f> Formula<'f> {
    /// Formula at the end of a record of an xls: `len` bytes of tokens at offset `at`; the rest is additional data.
    pub(crate) fn narrow(data: &'f [u8], at: usize, len: usize) -> Self {
        let rest = data.get(at..).unwrap_or_default();
        let (tokens, extra) = rest.split_at(len.min(rest.len()));
        Self { tokens, extra }
    }

    /// Formula at an offset in a record of an xlsb, with a length field before each of its two parts. Returns the end
    /// of the formula, too.
    pub(crate) fn wide(data: &'f [u8], at: usize) -> Option<(Self, usize)> {
        let fields = Fields(data);
        let part = |at: usize| {
            let start = at.checked_add(4)?;
            let end = start.checked_add(usize::try_from(fields.u32(at)).ok()?)?;
            Some((data.get(start..end)?, end))
        };
        let (tokens, end) = part(at)?;
        let (extra, end) = part(end).unwrap_or((&[], data.len()));
        Some((Self { tokens, extra }, end))
    }

    /// Position of the cell that holds the shared or array formula, if this formula only refers to it (PtgExp,
    /// PtgTbl).
    pub(crate) fn owner(self, is_wide: bool) -> Option<(u32, u32)> {
        let (&first, rest) = self.tokens.split_first()?;
        let rest = Fields(rest);
        match (first, is_wide) {
            (0x01 | 0x02, false) => Some((rest.u16(0).into(), rest.u16(2).into())),
            (0x01 | 0x02, true) => Some((rest.u32(0), Fields(self.extra).u32(0))),
            _ => None,
        }
    }

    /// Formula in the syntax of Excel, without an equals sign, as seen from a cell. `None` if it is damaged or cannot
    /// be translated.
    pub(crate) fn text(self, scope: &Scope, cell: (u32, u32)) -> Option<String> {
        if self.tokens.is_empty() || self.tokens.len() > MAX_TOKENS {
            return None;
        }
        let mut reader = Reader {
            scope,
            cell,
            tokens: self.tokens,
            extra: self.extra,
            stack: Vec::new(),
        };
        while let Some((&token, rest)) = reader.tokens.split_first() {
            reader.tokens = rest;
            reader.token(token)?;
        }
        let text = reader.stack.pop()?;
        (reader.stack.is_empty() && !text.is_empty()).then_some(text)
    }
}

/// State of the translation.
struct Reader<'f, 's> {
    /// Names to which the tokens refer.
    scope: &'s Scope,
    /// Cell that relative references of shared formulas count from.
    cell: (u32, u32),
    /// Tokens that are not translated yet.
    tokens: &'f [u8],
    /// Additional data that is not read yet.
    extra: &'f [u8],
    /// Texts of the operands so far.
    stack: Vec<String>,
}

impl<'f> Reader<'f, '_> {
    /// Takes `len` bytes of the tokens.
    fn take(&mut self, len: usize) -> Option<Fields<'f>> {
        let (taken, rest) = self.tokens.split_at_checked(len)?;
        self.tokens = rest;
        Some(Fields(taken))
    }

    /// Takes `len` bytes of the additional data.
    fn take_extra(&mut self, len: usize) -> Option<Fields<'f>> {
        let (taken, rest) = self.extra.split_at_checked(len)?;
        self.extra = rest;
        Some(Fields(taken))
    }

    /// Pushes an operand, unless it is too long.
    fn push(&mut self, text: impl Into<String>) -> Option<()> {
        let text = text.into();
        (text.len() <= MAX_LENGTH).then(|| self.stack.push(text))
    }

    /// Size of a row number, in bytes.
    fn row(&self) -> usize {
        if self.scope.is_wide { 4 } else { 2 }
    }

    /// Translates one token: an operand is pushed, and an operator joins the operands on top of the stack.
    fn token(&mut self, token: u8) -> Option<()> {
        let (row, wide) = (self.row(), self.scope.is_wide);
        // The class is in bits 5 and 6. Classes 2 and 3 (from 0x40) are mapped to class 1 (from 0x20).
        let kind = if token >= 0x40 {
            token & 0x1f | 0x20
        } else {
            token
        };
        match kind {
            0x03..=0x11 => {
                let (right, mut left) = (self.stack.pop()?, self.stack.pop()?);
                left.push_str(OPERATORS[usize::from(kind) - 3]);
                left.push_str(&right);
                self.push(left)
            }
            // The unary signs.
            0x12 | 0x13 => {
                let operand = self.stack.pop()?;
                self.push(format!("{}{operand}", if kind == 0x12 { '+' } else { '-' }))
            }
            0x14 => {
                let operand = self.stack.pop()?;
                self.push(operand + "%")
            }
            0x15 => {
                let operand = self.stack.pop()?;
                self.push(format!("({operand})"))
            }
            // A missing argument.
            0x16 => self.push(""),
            0x17 => {
                let text = self.string()?;
                self.push(text_constant(&text))
            }
            0x19 => self.attribute(),
            0x1c => {
                let code = self.take(1)?.u8(0);
                self.push(error(code))
            }
            0x1d => {
                let is = self.take(1)?.u8(0) != 0;
                self.push(boolean_text(is))
            }
            0x1e => {
                let number = self.take(2)?.u16(0);
                self.push(number.to_string())
            }
            0x1f => {
                let number = self.take(8)?;
                self.push(decimal(number)?)
            }
            0x20 => {
                self.take(if wide { 14 } else { 7 })?;
                let array = self.array()?;
                self.push(array)
            }
            0x21 => {
                let (name, count) = functions::function(self.take(2)?.u16(0))?;
                self.call(name.to_owned(), count?.into())
            }
            0x22 => self.function(),
            0x23 => {
                let number = self.take(4)?.u32(0) as usize;
                let name = self.scope.names.get(number.checked_sub(1)?)?;
                self.push(&**name)
            }
            0x24 | 0x2c => {
                let place = self.take(row + 2)?;
                let place = self.place(place, kind == 0x2c, "");
                self.push(place)
            }
            0x25 | 0x2d => {
                let area = self.take(2 * row + 4)?;
                let area = self.area(area, kind == 0x2d, "");
                self.push(area)
            }
            // `PtgMemArea`: cached areas of a reference expression, which the following tokens state again.
            0x26 => {
                self.take(6)?;
                let count = match wide {
                    true => self.take_extra(4)?.u32(0),
                    false => self.take_extra(2)?.u16(0).into(),
                };
                let size = if wide { 16 } else { 8 };
                self.take_extra((count as usize).checked_mul(size)?)?;
                Some(())
            }
            // `PtgMemErr` and `PtgMemNoMem`: like `PtgMemArea`, but without cached areas.
            0x27 | 0x28 => self.take(6).map(|_| ()),
            // `PtgMemFunc`: like `PtgMemNoMem`, with a shorter header.
            0x29 => self.take(2).map(|_| ()),
            // References to deleted cells.
            0x2a | 0x2b => {
                self.take(if kind == 0x2a { row + 2 } else { 2 * row + 4 })?;
                self.push("#REF!")
            }
            // `PtgNameX`: a name in another sheet, workbook or add-in.
            0x39 => {
                let fields = self.take(6)?;
                let name = self.external_name(fields.u16(0), fields.u32(2) as usize)?;
                self.push(name)
            }
            // Three-dimensional references, which name sheets.
            0x3a..=0x3d => {
                let link = self.take(2)?.u16(0);
                let is_area = matches!(kind, 0x3b | 0x3d);
                let place = self.take(if is_area { 2 * row + 4 } else { row + 2 })?;
                let link = self.scope.links.get(usize::from(link))?;
                let text = match (link, kind) {
                    (Link::Deleted, _) => "#REF!".to_owned(),
                    (Link::Sheets(sheets), 0x3c | 0x3d) => format!("{sheets}#REF!"),
                    (Link::Sheets(sheets), 0x3b) => self.area(place, false, sheets),
                    (Link::Sheets(sheets), _) => self.place(place, false, sheets),
                    (Link::Book | Link::Functions(_) | Link::Elsewhere, _) => return None,
                };
                self.push(text)
            }
            _ => None,
        }
    }

    /// Reads a PtgAttr token. Most of these tokens are hints for the evaluation and the layout of the formula. Only one
    /// of them belongs to the text: a SUM with a single argument.
    fn attribute(&mut self) -> Option<()> {
        let fields = self.take(3)?;
        let (flags, value) = (fields.u8(0), usize::from(fields.u16(1)));
        // A table of jump offsets for CHOOSE.
        if flags & 0x04 != 0 {
            self.take(2 * (value + 1))?;
        }
        match flags & 0x10 != 0 {
            true => self.call("SUM".to_owned(), 1),
            false => Some(()),
        }
    }

    /// Translates a call with an explicit number of arguments (PtgFuncVar).
    fn function(&mut self) -> Option<()> {
        let fields = self.take(3)?;
        let (count, number) = (usize::from(fields.u8(0) & 0x7f), fields.u16(1));
        if number != CALL_BY_NAME {
            let (name, _) = functions::function(number)?;
            return self.call(name.to_owned(), count);
        }
        let at = self.stack.len().checked_sub(count)?;
        let name = (count > 0).then(|| self.stack.remove(at))?;
        // Excel prefixes the names of functions of later versions with `_xlfn.`. Other programs also prefix functions
        // that Excel 2007 knows. Excel accepts those names only without the prefix.
        let plain = name.strip_prefix("_xlfn.");
        let name = match plain.filter(|plain| functions::is_known(plain)) {
            Some(plain) => plain.to_owned(),
            None => name,
        };
        self.call(name, count - 1)
    }

    /// Replaces the last `count` operands by a call with these arguments.
    fn call(&mut self, mut name: String, count: usize) -> Option<()> {
        let at = self.stack.len().checked_sub(count)?;
        name.push('(');
        for (number, operand) in self.stack.drain(at..).enumerate() {
            if number > 0 {
                name.push(',');
            }
            name.push_str(&operand);
            if name.len() > MAX_LENGTH {
                return None;
            }
        }
        name.push(')');
        self.push(name)
    }

    /// Name in another sheet or add-in, by link and by number from 1.
    fn external_name(&self, link: u16, number: usize) -> Option<String> {
        let at = number.checked_sub(1)?;
        let name = match self.scope.links.get(usize::from(link))? {
            Link::Functions(book) => self.scope.outer.get(*book)?.get(at)?,
            Link::Book | Link::Sheets(_) => self.scope.names.get(at)?,
            Link::Deleted | Link::Elsewhere => return None,
        };
        (!name.is_empty()).then(|| name.to_string())
    }

    /// Reads a text among the tokens. In xls it may have one byte per character.
    fn string(&mut self) -> Option<String> {
        if self.scope.is_wide {
            let len = usize::from(self.take(2)?.u16(0));
            return Some(self.take(2 * len)?.utf16(0, len));
        }
        let head = self.take(2)?;
        let (len, is_wide) = (usize::from(head.u8(0)), head.u8(1) & 1 != 0);
        match is_wide {
            true => Some(self.take(2 * len)?.utf16(0, len)),
            false => Some(
                self.take(len)?
                    .0
                    .iter()
                    .map(|byte| char::from(*byte))
                    .collect(),
            ),
        }
    }

    /// Reads an array constant, with its braces.
    fn array(&mut self) -> Option<String> {
        // xls stores the sizes minus 1, and the number of columns first in both formats.
        let (rows, columns) = match self.scope.is_wide {
            true => {
                let sizes = self.take_extra(8)?;
                (sizes.u32(4) as usize, sizes.u32(0) as usize)
            }
            false => {
                let sizes = self.take_extra(3)?;
                (usize::from(sizes.u16(1)) + 1, usize::from(sizes.u8(0)) + 1)
            }
        };
        let count = rows.checked_mul(columns)?;
        if count == 0 || count > MAX_CONSTANTS {
            return None;
        }
        let mut text = String::from("{");
        for number in 0..count {
            if number > 0 {
                text.push(if number % columns == 0 { ';' } else { ',' });
            }
            text.push_str(&self.element()?);
            if text.len() > MAX_LENGTH {
                return None;
            }
        }
        Some(text + "}")
    }

    /// Reads an element of an array constant. The codes of the types differ between the formats.
    fn element(&mut self) -> Option<String> {
        let kind = self.take_extra(1)?.u8(0);
        let wide = self.scope.is_wide;
        Some(match (kind, wide) {
            (0, true) | (1, false) => decimal(self.take_extra(8)?)?,
            (1, true) => {
                let len = usize::from(self.take_extra(2)?.u16(0));
                text_constant(&self.take_extra(2 * len)?.utf16(0, len))
            }
            (2, true) => boolean_text(self.take_extra(1)?.u8(0) != 0).to_owned(),
            (4, true) => error(self.take_extra(4)?.u8(0)).to_owned(),
            (2, false) => {
                let head = self.take_extra(3)?;
                let (len, is_wide) = (usize::from(head.u16(0)), head.u8(2) & 1 != 0);
                text_constant(&match is_wide {
                    true => self.take_extra(2 * len)?.utf16(0, len),
                    false => self
                        .take_extra(len)?
                        .0
                        .iter()
                        .map(|byte| char::from(*byte))
                        .collect(),
                })
            }
            (4, false) => boolean_text(self.take_extra(8)?.u8(0) != 0).to_owned(),
            (0x10, false) => error(self.take_extra(8)?.u8(0)).to_owned(),
            // An empty element. Excel writes it as an empty text.
            (0, false) => {
                self.take_extra(8)?;
                "\"\"".to_owned()
            }
            _ => return None,
        })
    }

    /// Reads a row number.
    fn row_at(&self, fields: Fields<'_>, at: usize) -> u32 {
        match self.scope.is_wide {
            true => fields.u32(at),
            false => fields.u16(at).into(),
        }
    }

    /// Resolves one corner of a reference: the row and whether it is relative, and the same for the column. In shared
    /// formulas, relative parts are distances from the cell.
    fn end(&self, row: u32, column: u16, is_distance: bool) -> ((u32, bool), (u32, bool)) {
        let (moves_row, moves_column) = (column & 0x8000 != 0, column & 0x4000 != 0);
        let column = u32::from(column & 0x3fff);
        let (rows, columns) = self.limits();
        // Distances are modular: a negative one wraps around at the end of the sheet.
        let moved = |at: u32, by: u32, most: u32, moves: bool| match moves && is_distance {
            true => at.wrapping_add(by) % most,
            false => by,
        };
        (
            (moved(self.cell.0, row, rows, moves_row), moves_row),
            (
                moved(self.cell.1, column, columns, moves_column),
                moves_column,
            ),
        )
    }

    /// Number of rows and columns of a sheet.
    fn limits(&self) -> (u32, u32) {
        match self.scope.is_wide {
            true => (1 << 20, 1 << 14),
            false => (1 << 16, 1 << 8),
        }
    }

    /// Translates a reference to a cell.
    fn place(&self, fields: Fields<'_>, is_distance: bool, sheets: &str) -> String {
        let row = self.row_at(fields, 0);
        let (row, column) = self.end(row, fields.u16(self.row()), is_distance);
        format!("{sheets}{}{}", column_name(column), row_name(row))
    }

    /// Translates a reference to a range. A range over all rows or columns is written as whole columns (`A:C`) or
    /// rows (`1:3`).
    fn area(&self, fields: Fields<'_>, is_distance: bool, sheets: &str) -> String {
        let size = self.row();
        let (top, bottom) = (self.row_at(fields, 0), self.row_at(fields, size));
        let first = self.end(top, fields.u16(2 * size), is_distance);
        let last = self.end(bottom, fields.u16(2 * size + 2), is_distance);
        let (rows, columns) = self.limits();
        let (one, other) = match () {
            () if first.0.0 == 0 && last.0.0 == rows - 1 => {
                (column_name(first.1), column_name(last.1))
            }
            () if first.1.0 == 0 && last.1.0 == columns - 1 => {
                (row_name(first.0), row_name(last.0))
            }
            () => (
                column_name(first.1) + &row_name(first.0),
                column_name(last.1) + &row_name(last.0),
            ),
        };
        format!("{sheets}{one}:{other}")
    }
}

/// Column letters, with a dollar sign if the reference is absolute.
fn column_name((column, moves): (u32, bool)) -> String {
    format!("{}{}", if moves { "" } else { "$" }, letters(column))
}

/// Row number, with a dollar sign if the reference is absolute.
fn row_name((row, moves): (u32, bool)) -> String {
    format!("{}{}", if moves { "" } else { "$" }, u64::from(row) + 1)
}

/// Text constant in quotation marks.
fn text_constant(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Returns a boolean in the syntax of formulas.
fn boolean_text(is: bool) -> &'static str {
    if is { "TRUE" } else { "FALSE" }
}

/// Decimal notation of a number constant with all its digits. Large and small numbers have an exponent, as in Excel.
fn decimal(fields: Fields<'_>) -> Option<String> {
    let bytes = fields.0.first_chunk()?;
    let number = f64::from_le_bytes(*bytes);
    if !number.is_finite() {
        return None;
    }
    let small = number == 0.0 || (1e-5..1e15).contains(&number.abs());
    Some(match small {
        true => number.to_string(),
        false => format!("{number:E}")
            .replace('E', "E+")
            .replace("E+-", "E-"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(is_wide: bool) -> Scope {
        Scope {
            is_wide,
            links: vec![
                Link::Sheets("'My sheet'!".into()),
                Link::Functions(0),
                Link::Deleted,
                Link::Elsewhere,
            ],
            names: vec!["Rate".into(), "_xlfn.IFERROR".into()],
            outer: vec![vec!["EDATE".into()]],
        }
    }

    #[track_caller]
    fn check(is_wide: bool, tokens: &[u8], extra: &[u8], expected: Option<&str>) {
        let formula = Formula { tokens, extra };
        let text = formula.text(&scope(is_wide), (4, 2));
        assert_eq!(text.as_deref(), expected, "{tokens:x?}");
    }

    #[test]
    fn tokens_become_text() {
        let narrow = |tokens: &[u8], expected| check(false, tokens, &[], Some(expected));
        // Relative and absolute references, and whole columns and rows.
        narrow(&[0x24, 1, 0, 0, 0xc0], "A2");
        narrow(&[0x44, 1, 0, 0, 0], "$A$2");
        narrow(&[0x25, 0, 0, 9, 0, 1, 0x80, 2, 0x40], "$B1:C$10");
        narrow(&[0x25, 0, 0, 255, 255, 0, 0xc0, 1, 0xc0], "A:B");
        narrow(&[0x25, 1, 0, 2, 0, 0, 0xc0, 255, 0xc0], "2:3");
        narrow(&[0x3a, 0, 0, 1, 0, 0, 0xc0], "'My sheet'!A2");
        narrow(
            &[0x5b, 0, 0, 0, 0, 1, 0, 0, 0xc0, 1, 0xc0],
            "'My sheet'!A1:B2",
        );
        narrow(&[0x3a, 2, 0, 1, 0, 0, 0xc0], "#REF!");
        // Distances from C5; the last one wraps around the edge of the sheet.
        narrow(&[0x2c, 0xff, 0xff, 0xff, 0xc0], "B4");
        narrow(&[0x2c, 0xfb, 0xff, 0, 0x80], "$A65536");
        // Operators, texts, numbers, functions.
        narrow(&[0x1e, 1, 0, 0x1e, 2, 0, 0x03, 0x15, 0x14], "(1+2)%");
        narrow(&[0x17, 3, 0, b'a', b'"', 0xe9, 0x16, 0x08], "\"a\"\"é\"&");
        narrow(&[0x1d, 1, 0x1c, 0x2a, 0x0b], "TRUE=#N/A");
        narrow(&[0x1e, 7, 0, 0x1e, 3, 0, 0x41, 39, 0], "MOD(7,3)");
        narrow(&[0x23, 1, 0, 0, 0, 0x19, 0x10, 0, 0], "SUM(Rate)");
        narrow(&[0x1e, 1, 0, 0x16, 0x22, 2, 1, 0], "IF(1,)");
        narrow(
            &[0x39, 1, 0, 1, 0, 0, 0, 0x1e, 1, 0, 0x22, 2, 255, 0],
            "EDATE(1)",
        );
        narrow(
            &[0x23, 2, 0, 0, 0, 0x1e, 1, 0, 0x22, 2, 255, 0],
            "IFERROR(1)",
        );
        let numbers = [
            &[0x1f][..],
            &1e300_f64.to_le_bytes(),
            &[0x1f],
            &0.1_f64.to_le_bytes(),
            &[4],
        ];
        narrow(&numbers.concat(), "1E+300-0.1");
        // CHOOSE, with its jump table.
        narrow(
            &[
                0x1e, 1, 0, 0x19, 4, 1, 0, 9, 9, 9, 9, 0x1e, 5, 0, 0x22, 2, 100, 0,
            ],
            "CHOOSE(1,5)",
        );
        let one = [&[1][..], &1.5_f64.to_le_bytes()].concat();
        let text = [2, 1, 0, 0, b'x'];
        let array = [&[1, 0, 0][..], &one, &text].concat();
        check(
            false,
            &[0x60, 0, 0, 0, 0, 0, 0, 0],
            &array,
            Some("{1.5,\"x\"}"),
        );
        check(true, &[0x24, 1, 0, 0, 0, 0, 0xc0], &[], Some("A2"));
        check(true, &[0x17, 1, 0, b'x', 0], &[], Some("\"x\""));
        check(
            true,
            &[0x3a, 0, 0, 1, 0, 0, 0, 0, 0xc0],
            &[],
            Some("'My sheet'!A2"),
        );
    }

    #[test]
    fn tokens_that_cannot_be_translated_are_left_out() {
        let none = |tokens: &[u8]| {
            check(false, tokens, &[], None);
            check(true, tokens, &[], None);
        };
        none(&[]);
        // Truncated tokens, too few or too many operands, unknown functions and names, other workbooks.
        none(&[0x24, 1]);
        none(&[0x1e, 1, 0, 0x03]);
        none(&[0x1e, 1, 0, 0x1e, 1, 0]);
        none(&[0x21, 255, 255]);
        none(&[0x22, 200, 4, 0]);
        none(&[0x23, 9, 0, 0, 0]);
        none(&[0x23, 0, 0, 0, 0]);
        none(&[0x39, 3, 0, 1, 0, 0, 0]);
        none(&[0x3a, 3, 0, 1, 0, 0, 0xc0]);
        none(&[0x20, 0, 0, 0, 0, 0, 0, 0]);
        none(&[0x18, 0x19, 0, 0]);
        // A formula that grows with each token is rejected before it gets long.
        let bomb = [&[0x17, 1, 0, b'x'][..], &[0x15; 60_000]].concat();
        none(&bomb);
    }
}
