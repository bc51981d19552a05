//! Translation of formulas from tokens to text (MS-XLS 2.5.198, MS-XLSB 2.5.97). Computes nothing.
//!
//! A formula is stored in reverse Polish notation: operands come before their operator, so a stack of texts is enough
//! to write the formula. Parentheses have a token of their own, so precedence plays no role. Operand tokens exist in
//! three variants (classes), which do not affect the text. The elements of array constants follow all tokens, in order.
//! xls and xlsb have the same tokens; in xlsb, row numbers are wider and texts are UTF-16.

mod references;
#[cfg(test)]
mod tests;

use super::{
    error, functions,
    scope::{Link, Scope},
};
use crate::containers::fields::Fields;

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

    /// Name in this workbook or in an add-in, by link and by number from 1. `None` for names in other workbooks.
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
        // Both formats store the number of columns first. xls stores each number minus 1.
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
/// `None` for infinity and NaN.
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
