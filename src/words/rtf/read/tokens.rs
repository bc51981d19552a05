//! Splits a file into tokens (RTF 1.9.1, "RTF Syntax"): groups, control words, and bytes of text. Interprets only one
//! control word, `\bin`, because its data is not text.

/// A token of an RTF file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `{`, the beginning of a group.
    Open,
    /// `}`, the end of a group.
    Close,
    /// A control word with its numeric parameter, if it has one.
    Word(&'a str, Option<i32>),
    /// A control symbol: a backslash and a character that is not a letter.
    Sign(u8),
    /// A byte in hexadecimal (`\'e4`).
    Hex(u8),
    /// Data of a `\bin`.
    Binary(&'a [u8]),
    /// Text without line breaks.
    Text(&'a [u8]),
}

/// Max. length of a control word in letters, from the specification. The further letters of a longer word are text.
const MAX_WORD: usize = 32;

/// Iterator over the tokens of a file.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(file: &'a [u8]) -> Self {
        Self { rest: file }
    }

    /// Number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Takes up to `count` bytes.
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Reads a control word, a control symbol, or a byte in hexadecimal (`\'hh`). The caller has consumed the
    /// backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let first = *self.rest.first()?;
        if !first.is_ascii_alphabetic() {
            self.take(1);
            if first != b'\'' {
                return Some(Token::Sign(first));
            }
            let digits = self.rest.get(..2).and_then(|digits| {
                let high = char::from(digits[0]).to_digit(16)?;
                let low = char::from(digits[1]).to_digit(16)?;
                Some((high * 16 + low) as u8)
            });
            return Some(match digits {
                Some(byte) => {
                    self.take(2);
                    Token::Hex(byte)
                }
                None => Token::Sign(b'\''),
            });
        }
        let letters = self.rest.iter().take(MAX_WORD);
        let letters = letters
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let word = std::str::from_utf8(self.take(letters)).unwrap_or_default();
        let sign = usize::from(self.rest.first() == Some(&b'-'));
        let digits = self.rest[sign..].iter().take(10);
        let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
        let number = (digits > 0).then(|| {
            let number = std::str::from_utf8(self.take(sign + digits)).unwrap_or_default();
            let number: i64 = number.parse().unwrap_or(0);
            number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
        });
        // One space after a control word belongs to it.
        if self.rest.first() == Some(&b' ') {
            self.take(1);
        }
        if word == "bin" {
            let count = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            return Some(Token::Binary(self.take(count)));
        }
        Some(Token::Word(word, number))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match *self.rest.first()? {
                b'{' => {
                    self.take(1);
                    return Some(Token::Open);
                }
                b'}' => {
                    self.take(1);
                    return Some(Token::Close);
                }
                b'\\' => {
                    self.take(1);
                    return self.control();
                }
                // Line breaks of the file have no meaning, and zeros are damage.
                b'\r' | b'\n' | 0 => {
                    self.take(1);
                }
                _ => {
                    let ends = |byte: &u8| matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                    let end = self.rest.iter().position(ends);
                    return Some(Token::Text(self.take(end.unwrap_or(self.rest.len()))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_cut_into_tokens() {
        #[track_caller]
        fn check(file: &[u8], expected: &[Token<'_>]) {
            assert_eq!(Tokens::new(file).collect::<Vec<_>>(), expected);
        }
        use Token::{Binary, Close, Hex, Open, Sign, Text, Word};
        check(b"{a\r\nb}", &[Open, Text(b"a"), Text(b"b"), Close]);
        check(
            b"\\b0 x\\b1",
            &[Word("b", Some(0)), Text(b"x"), Word("b", Some(1))],
        );
        check(b"\\li-360  x", &[Word("li", Some(-360)), Text(b" x")]);
        check(b"\\'e4\\~\\\\", &[Hex(0xe4), Sign(b'~'), Sign(b'\\')]);
        check(b"\\bin3 }{\\x", &[Binary(b"}{\\"), Text(b"x")]);
        check(b"\\bin999 a", &[Binary(b"a")]);
        check(b"\\u99999999999", &[Word("u", Some(i32::MAX)), Text(b"9")]);
        check(b"\\'zz", &[Sign(b'\''), Text(b"zz")]);
        check(b"\\", &[]);
        check(b"\\par-", &[Word("par", None), Text(b"-")]);
    }
}
