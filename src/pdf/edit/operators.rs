//! Splits content streams into operators with their operands (ISO 32000-2, 7.8.2). Draws nothing, and interprets only a
//! few operators.

use super::{
    overlay,
    store::{Data, Object, Store},
    value::{Dict, Value},
};
use std::ops::Range;

/// Limit on the content of a page, in bytes.
pub(super) const LONGEST: usize = 64 << 20;

/// The content of a page: all of its streams joined. `None` if it cannot be read, or is too long.
pub(super) fn of_page(store: &mut Store<'_>, page: &Dict) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    for part in overlay::contents(store, page) {
        let Value::Ref(id) = part else { continue };
        let object = store.object(id);
        match &*object {
            Object::Stream(_, Data::Own(bytes)) => content.extend_from_slice(bytes),
            Object::Stream(_, Data::Of(id)) => {
                content.extend_from_slice(&store.stream(*id)?.decoded().ok()?);
            }
            Object::Value(_) => continue,
        }
        content.push(b'\n');
        if content.len() > LONGEST {
            return None;
        }
    }
    Some(content)
}

/// Number of graphics states that content restores without having saved them, and number of states that it leaves saved
/// at its end. The second number assumes that as many states as the first number are saved before the content.
pub(super) fn balance(content: &[u8]) -> (usize, usize) {
    let (mut depth, mut least) = (0_i64, 0_i64);
    let mut lexer = Lexer { content, at: 0 };
    while let Some((token, range)) = lexer.next() {
        if let Token::Operator = token {
            match &content[range] {
                b"q" => depth += 1,
                b"Q" => {
                    depth -= 1;
                    least = least.min(depth);
                }
                b"ID" => lexer.skip_picture(),
                _ => {}
            }
        }
    }
    ((-least) as usize, (depth - least) as usize)
}

/// Kind of a token of a content stream.
pub(super) enum Token {
    Operand,
    Operator,
}

/// The tokens of a content stream, with their ranges.
pub(super) struct Lexer<'c> {
    pub(super) content: &'c [u8],
    pub(super) at: usize,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<u8> {
        self.content.get(self.at).copied()
    }

    /// The next token, with its range.
    pub(super) fn next(&mut self) -> Option<(Token, Range<usize>)> {
        loop {
            let start = self.at;
            match self.peek()? {
                b'%' => self.skip_while(|byte| byte != b'\n' && byte != b'\r'),
                byte if is_space(byte) => self.at += 1,
                b'(' => {
                    self.skip_string();
                    return Some((Token::Operand, start..self.at));
                }
                b'<' if self.content.get(start + 1) != Some(&b'<') => {
                    self.skip_while(|byte| byte != b'>');
                    self.at = (self.at + 1).min(self.content.len());
                    return Some((Token::Operand, start..self.at));
                }
                // Each bracket of an array or dictionary is an operand of its own.
                b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b')' => {
                    self.at += 1;
                    return Some((Token::Operand, start..self.at));
                }
                b'/' => {
                    self.at += 1;
                    self.skip_while(is_regular);
                    return Some((Token::Operand, start..self.at));
                }
                first => {
                    self.skip_while(is_regular);
                    let is_number = first.is_ascii_digit() || b"+-.".contains(&first);
                    let is_word =
                        matches!(&self.content[start..self.at], b"true" | b"false" | b"null");
                    let token = if is_number || is_word {
                        Token::Operand
                    } else {
                        Token::Operator
                    };
                    return Some((token, start..self.at));
                }
            }
        }
    }

    fn skip_while(&mut self, is: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is) {
            self.at += 1;
        }
    }

    /// Skips a string in parentheses, which may be nested.
    fn skip_string(&mut self) {
        let mut depth = 0;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.at = (self.at + 1).min(self.content.len()),
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Skips the samples of a picture in the content, and the `EI` between white space that ends them.
    pub(super) fn skip_picture(&mut self) {
        let rest = &self.content[self.at..];
        let end = memchr::memmem::find_iter(rest, b"EI").find(|at| {
            let before = at.checked_sub(1).is_none_or(|at| is_space(rest[at]));
            before && rest.get(at + 2).is_none_or(|byte| is_space(*byte))
        });
        self.at += end.map_or(rest.len(), |end| end + 2);
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted() {
        #[track_caller]
        fn check(content: &str, expected: (usize, usize)) {
            assert_eq!(balance(content.as_bytes()), expected, "{content}");
        }
        check("q 1 0 0 1 0 0 cm Q", (0, 0));
        check("q q Q", (0, 1));
        check("Q Q q", (2, 1));
        check("(q) Tj /q gs % q\n<71> Tj BI ID q Q q \nEI", (0, 0));
    }
}
