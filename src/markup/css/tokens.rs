//! Splits a style sheet into tokens (CSS Syntax 3, 4). Groups nothing.
//!
//! `cssparser` and `selectors` do this and the matching of selectors. They were measured beside it: 20 crates and 0.15 MB, with glue (a
//! trait of 30 methods for elements, one for names) as long as the matcher here, and without a map from names to rules, which is what
//! keeps ten thousand rules from being tried on every element.

use std::rc::Rc;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Ident(Rc<str>),
    /// The beginning of a function, with the name in lower case.
    Function(Rc<str>),
    At(Rc<str>),
    Hash(Rc<str>),
    Text(Rc<str>),
    Url(Rc<str>),
    Number(f32),
    Percentage(f32),
    /// A number with a unit in lower case.
    Dimension(f32, Rc<str>),
    Space,
    Colon,
    Semicolon,
    Comma,
    /// `(`, `[` or `{`.
    Open(char),
    Close(char),
    Delim(char),
}

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scan = Scan {
        rest: text,
        tokens: Vec::with_capacity(text.len() / 4),
    };
    while !scan.rest.is_empty() {
        scan.next();
    }
    scan.tokens
}

struct Scan<'t> {
    rest: &'t str,
    tokens: Vec<Token>,
}

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

fn in_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '-'
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

impl<'t> Scan<'t> {
    fn nth(&self, at: usize) -> Option<char> {
        self.rest.chars().nth(at)
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    fn is_escape(&self, at: usize) -> bool {
        self.nth(at) == Some('\\') && !matches!(self.nth(at + 1), Some('\n') | None)
    }

    fn is_name(&self, at: usize) -> bool {
        match self.nth(at) {
            Some('-') => {
                self.nth(at + 1).is_some_and(|c| starts_name(c) || c == '-')
                    || self.is_escape(at + 1)
            }
            Some(c) => starts_name(c) || self.is_escape(at),
            None => false,
        }
    }

    fn is_number(&self) -> bool {
        let at = usize::from(matches!(self.nth(0), Some('+' | '-')));
        let digit = |at| self.nth(at).is_some_and(|c| c.is_ascii_digit());
        digit(at) || self.nth(at) == Some('.') && digit(at + 1)
    }

    fn push(&mut self, token: Token, bytes: usize) {
        self.tokens.push(token);
        self.skip(bytes);
    }

    fn next(&mut self) {
        let Some(first) = self.rest.chars().next() else {
            return;
        };
        if self.rest.starts_with("/*") {
            let end = self.rest[2..]
                .find("*/")
                .map_or(self.rest.len(), |at| at + 4);
            return self.skip(end);
        }
        if self.is_number() {
            return self.number();
        }
        if self.rest.starts_with("<!--") {
            return self.skip(4);
        }
        if self.rest.starts_with("-->") {
            return self.skip(3);
        }
        if self.is_name(0) {
            return self.ident();
        }
        match first {
            c if is_space(c) => {
                let len = self.rest.len() - self.rest.trim_start_matches(is_space).len();
                self.push(Token::Space, len);
            }
            '"' | '\'' => self.text(first),
            '#' if self.nth(1).is_some_and(in_name) || self.is_escape(1) => {
                self.skip(1);
                let name = self.name();
                self.tokens.push(Token::Hash(name.into()));
            }
            '@' => {
                self.skip(1);
                if self.is_name(0) {
                    let name = self.name().to_ascii_lowercase();
                    self.tokens.push(Token::At(name.into()));
                } else {
                    self.tokens.push(Token::Delim('@'));
                }
            }
            ':' => self.push(Token::Colon, 1),
            ';' => self.push(Token::Semicolon, 1),
            ',' => self.push(Token::Comma, 1),
            '(' | '[' | '{' => self.push(Token::Open(first), 1),
            ')' | ']' | '}' => self.push(Token::Close(first), 1),
            other => self.push(Token::Delim(other), other.len_utf8()),
        }
    }

    /// A name with its escapes resolved (4.3.11).
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.rest.chars().next() {
            if in_name(c) {
                name.push(c);
                self.skip(c.len_utf8());
            } else if self.is_escape(0) {
                self.skip(1);
                name.push(self.escape());
            } else {
                break;
            }
        }
        name
    }

    /// The character behind a backslash (4.3.7).
    fn escape(&mut self) -> char {
        let digits = self
            .rest
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_hexdigit)
            .count();
        if digits == 0 {
            let c = self.rest.chars().next().unwrap_or('\u{fffd}');
            self.skip(c.len_utf8());
            return c;
        }
        let number = u32::from_str_radix(&self.rest[..digits], 16).unwrap_or(0);
        self.skip(digits);
        if self.rest.starts_with("\r\n") {
            self.skip(2);
        } else if self.rest.starts_with(is_space) {
            self.skip(1);
        }
        char::from_u32(number)
            .filter(|c| *c != '\0')
            .unwrap_or('\u{fffd}')
    }

    fn ident(&mut self) {
        let name = self.name();
        if !self.rest.starts_with('(') {
            return self.tokens.push(Token::Ident(name.into()));
        }
        self.skip(1);
        let name = name.to_ascii_lowercase();
        let quoted = self
            .rest
            .trim_start_matches(is_space)
            .starts_with(['"', '\'']);
        if name != "url" || quoted {
            return self.tokens.push(Token::Function(name.into()));
        }
        let end = self.rest.find(')').unwrap_or(self.rest.len());
        let url = self.rest[..end].trim_matches(is_space).replace('\\', "");
        self.push(Token::Url(url.into()), end + 1);
    }

    fn text(&mut self, quote: char) {
        self.skip(1);
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next() {
            if c == '\n' {
                break;
            }
            self.skip(c.len_utf8());
            match c {
                c if c == quote => break,
                '\\' if self.rest.starts_with('\n') => self.skip(1),
                '\\' if self.rest.is_empty() => {}
                '\\' => text.push(self.escape()),
                c => text.push(c),
            }
        }
        self.tokens.push(Token::Text(text.into()));
    }

    fn number(&mut self) {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| {
            bytes[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
        };
        let mut end = usize::from(matches!(bytes[0], b'+' | b'-'));
        end += digits(end);
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let power = digits((end + 1 + sign).min(bytes.len()));
            if power > 0 {
                end += 1 + sign + power;
            }
        }
        let number = self.rest[..end].parse::<f32>().unwrap_or(0.0);
        let number = if number.is_finite() {
            number
        } else {
            f32::MAX.copysign(number)
        };
        self.skip(end);
        if self.rest.starts_with('%') {
            return self.push(Token::Percentage(number), 1);
        }
        if self.is_name(0) {
            let unit = self.name().to_ascii_lowercase();
            return self.tokens.push(Token::Dimension(number, unit.into()));
        }
        self.tokens.push(Token::Number(number));
    }
}

/// End of the block or function that begins at `at`: the index of its closing token, or the end of the tokens.
pub(crate) fn closing(tokens: &[Token], at: usize) -> usize {
    /// Deeper nesting runs to the end of the sheet: looking for a bracket among those that are open takes time.
    const DEEPEST: usize = 512;
    let mut open: Vec<char> = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(at) {
        if open.len() > DEEPEST {
            break;
        }
        match token {
            Token::Function(_) => open.push(')'),
            Token::Open('(') => open.push(')'),
            Token::Open('[') => open.push(']'),
            Token::Open(_) => open.push('}'),
            Token::Close(c) if open.contains(c) => {
                while open.pop().is_some_and(|closed| closed != *c) {}
                if open.is_empty() {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Tokens without space at their end.
pub(super) fn trimmed(tokens: &[Token]) -> &[Token] {
    let end = tokens.iter().rposition(|token| *token != Token::Space);
    &tokens[..end.map_or(0, |end| end + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_specification() {
        #[track_caller]
        fn check(text: &str, expected: &[Token]) {
            assert_eq!(tokens(text), expected, "{text}");
        }
        check("-1.5e2PX", &[Token::Dimension(-150.0, "px".into())]);
        check("\\31 x\\:y", &[Token::Ident("1x:y".into())]);
        check("url( a b )", &[Token::Url("a b".into())]);
        check(
            "a/**/1%",
            &[Token::Ident("a".into()), Token::Percentage(1.0)],
        );
        check("'it\\'s", &[Token::Text("it's".into())]);
        check("1e99", &[Token::Number(f32::MAX)]);
        check("--x", &[Token::Ident("--x".into())]);
    }
}
