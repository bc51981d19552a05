//! Cursor over the tokens of a value: parses words, functions, numbers, angles and lengths. Knows no properties.

use super::super::tokens::{Token, closing};
use super::{Calc, Specified, Unit};

/// Position in the tokens of a value. Methods skip white space after the tokens that they consume, and consume nothing
/// if they fail. The exceptions are `number` and `part`, which consume a calculation even if its result has a unit.
#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    rest: &'t [Token],
}

impl<'t> Cursor<'t> {
    /// Starts at the first token that is not white space.
    pub fn new(tokens: &'t [Token]) -> Self {
        let mut cursor = Self { rest: tokens };
        cursor.space();
        cursor
    }

    /// Skips white space.
    pub fn space(&mut self) {
        while let [Token::Space, rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// The next token.
    pub fn peek(&self) -> Option<&'t Token> {
        self.rest.first()
    }

    /// Returns whether all tokens are consumed.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The remaining tokens.
    pub fn rest(&self) -> &'t [Token] {
        self.rest
    }

    /// Consumes the next token.
    #[allow(clippy::should_implement_trait)] // A cursor is not an iterator.
    pub fn next(&mut self) -> Option<&'t Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.space();
        Some(first)
    }

    /// Consumes an identifier, returned in lower case.
    pub fn word(&mut self) -> Option<String> {
        let Some(Token::Ident(word)) = self.peek() else {
            return None;
        };
        self.next();
        Some(word.to_ascii_lowercase())
    }

    /// Consumes this identifier. Returns whether it was next.
    pub fn is_word(&mut self, wanted: &str) -> bool {
        let is =
            matches!(self.peek(), Some(Token::Ident(word)) if word.eq_ignore_ascii_case(wanted));
        if is {
            self.next();
        }
        is
    }

    /// Consumes this delimiter. Returns whether it was next.
    pub(crate) fn is_delim(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(&Token::Delim(wanted));
        if is {
            self.next();
        }
        is
    }

    /// Consumes a comma. Returns whether it was next.
    pub(crate) fn is_comma(&mut self) -> bool {
        let is = self.peek() == Some(&Token::Comma);
        if is {
            self.next();
        }
        is
    }

    /// Consumes a function. Returns its name and arguments.
    pub fn function(&mut self) -> Option<(&'t str, Cursor<'t>)> {
        let Some(Token::Function(name)) = self.peek() else {
            return None;
        };
        let end = closing(self.rest, 0);
        let inside = &self.rest[1..end.max(1)];
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        self.space();
        Some((name, Cursor::new(inside)))
    }

    /// Consumes a block with this opening bracket. Returns its content.
    pub fn block(&mut self, open: char) -> Option<Cursor<'t>> {
        if self.peek() != Some(&Token::Open(open)) {
            return None;
        }
        let end = closing(self.rest, 0);
        let inside = &self.rest[1..end.max(1)];
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        self.space();
        Some(Cursor::new(inside))
    }

    /// Splits the remaining tokens at top-level commas, those outside of brackets.
    pub fn parts(mut self) -> Vec<Cursor<'t>> {
        let mut parts = Vec::new();
        // Brackets are skipped whole, so that commas inside them do not split.
        let (mut at, all) = (0, self.rest);
        let mut from = 0;
        while at < all.len() {
            match &all[at] {
                Token::Comma => {
                    parts.push(Cursor::new(&all[from..at]));
                    from = at + 1;
                }
                Token::Function(_) | Token::Open(_) => at = closing(all, at),
                _ => {}
            }
            at += 1;
        }
        self.rest = &all[from.min(all.len())..];
        self.space();
        parts.push(self);
        parts
    }

    /// Runs a parser, and restores the position if it fails.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut copy = *self;
        let value = read(&mut copy)?;
        *self = copy;
        Some(value)
    }

    /// Consumes a number or a calculation of numbers.
    pub fn number(&mut self) -> Option<f32> {
        if let Some(Token::Number(number)) = self.peek() {
            self.next();
            return Some(*number);
        }
        self.attempt(|cursor| Calc::function(cursor, 0, &mut 0)?.number())
    }

    /// Consumes a number, rounded to an integer.
    pub fn integer(&mut self) -> Option<i32> {
        self.attempt(|cursor| {
            let number = cursor.number()?;
            Some(number.round().clamp(-1e9, 1e9) as i32)
        })
    }

    /// Consumes a number, or a percentage as a fraction.
    pub fn part(&mut self) -> Option<f32> {
        if let Some(Token::Percentage(percent)) = self.peek() {
            self.next();
            return Some(percent / 100.0);
        }
        self.number()
    }

    /// Consumes an angle, returned in degrees.
    pub fn angle(&mut self) -> Option<f32> {
        self.attempt(|cursor| match cursor.next()? {
            Token::Dimension(number, unit) => Some(match &**unit {
                "deg" => *number,
                "grad" => number * 0.9,
                "rad" => number.to_degrees(),
                "turn" => number * 360.0,
                _ => return None,
            }),
            // A bare 0 is an angle, for compatibility with old style sheets.
            Token::Number(number) if *number == 0.0 => Some(0.0),
            _ => None,
        })
    }

    /// Consumes a length or percentage. If `loose` is set, as for attributes of SVG, a number without a unit is a
    /// length in px.
    pub fn length(&mut self, loose: bool) -> Option<Specified> {
        self.attempt(|cursor| {
            // Bare words are not lengths; inside calculations some are constants.
            let calc = match cursor.peek()? {
                Token::Function(_) => Calc::function(cursor, 0, &mut 0)?,
                Token::Ident(_) => return None,
                _ => Calc::single(cursor.next()?)?,
            };
            // A number without a unit is a length only if it is 0.
            match calc {
                Calc::Number(number) if number == 0.0 || loose => {
                    Some(Calc::Length(number, Unit::Px))
                }
                Calc::Number(_) => None,
                calc if calc.is_length() => Some(calc),
                _ => None,
            }
        })
        .map(Specified)
    }
}
