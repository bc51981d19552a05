//! Tokenizer of style sheets (CSS Syntax 3, 4). Does not group the tokens into rules.
//!
//! The crates `cssparser` and `selectors`, which tokenize and match selectors, were measured: with their dependencies
//! they are 20 crates and 0.15 MB, and need glue code (a trait of 30 methods for elements, and a second trait for
//! names) as long as the matcher here. They have no index from names to rules, without which ten thousand rules would
//! be tried on every element.

use std::rc::Rc;

/// A token (CSS Syntax 3, 4.2); comments are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Identifier as written: keywords, property names, element names.
    Ident(Rc<str>),
    /// Name of a function in lower case. The token includes the opening parenthesis.
    Function(Rc<str>),
    /// Name of an at-rule in lower case, without the `@`.
    At(Rc<str>),
    /// Name after a `#`.
    Hash(Rc<str>),
    /// Value of a string.
    Text(Rc<str>),
    /// Unquoted URL. A quoted one is a `Function` with a `Text`.
    Url(Rc<str>),
    /// Number without a unit; whether it had a sign or a point is not kept.
    Number(f32),
    Percentage(f32),
    /// Number with a unit in lower case.
    Dimension(f32, Rc<str>),
    /// A run of white space.
    Space,
    Colon,
    Semicolon,
    Comma,
    /// Opening bracket: round, square or curly.
    Open(char),
    /// Closing bracket: round, square or curly.
    Close(char),
    /// Any other character.
    Delim(char),
}

/// Tokenizes a text.
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

/// State of the tokenizer: remaining text, and tokens so far.
struct Scan<'t> {
    rest: &'t str,
    tokens: Vec<Token>,
}

/// Returns whether a character may start an identifier (4.2).
fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

/// Returns whether a character may be inside an identifier (4.2).
fn in_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '-'
}

/// Returns whether a character is white space (4.2).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

impl<'t> Scan<'t> {
    /// Character at an index of the remaining text.
    fn nth(&self, at: usize) -> Option<char> {
        self.rest.chars().nth(at)
    }

    /// Skips this number of bytes.
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    /// Returns whether a valid escape begins at an index (4.3.8): a backslash and a character that is not a line break.
    fn is_escape(&self, at: usize) -> bool {
        self.nth(at) == Some('\\') && !matches!(self.nth(at + 1), Some('\n') | None)
    }

    /// Returns whether an identifier begins at an index (4.3.9).
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

    /// Returns whether the remaining text begins with a number (4.3.10): an optional sign, and a digit or a point with
    /// a digit.
    fn is_number(&self) -> bool {
        let at = usize::from(matches!(self.nth(0), Some('+' | '-')));
        let digit = |at| self.nth(at).is_some_and(|c| c.is_ascii_digit());
        digit(at) || self.nth(at) == Some('.') && digit(at + 1)
    }

    /// Adds a token, and skips its bytes.
    fn push(&mut self, token: Token, bytes: usize) {
        self.tokens.push(token);
        self.skip(bytes);
    }

    /// Consumes a token (4.3.1), or a comment, which makes no token.
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
        // Numbers come before names, because `-1` would otherwise begin like a name.
        if self.is_number() {
            return self.number();
        }
        // The comment signs of HTML are allowed in style sheets, and mean nothing.
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
            // `#` and a name: an id or a colour.
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
            // Any other character is a token of its own.
            other => self.push(Token::Delim(other), other.len_utf8()),
        }
    }

    /// Consumes a name and resolves escapes (4.3.11).
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

    /// Consumes the escape after a backslash (4.3.7): up to six hexadecimal digits with an optional white space after
    /// them, or any other character, which represents itself.
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
        // One white space after the digits belongs to the escape.
        if self.rest.starts_with("\r\n") {
            self.skip(2);
        } else if self.rest.starts_with(is_space) {
            self.skip(1);
        }
        // Zero and surrogates are not characters and become U+FFFD.
        char::from_u32(number)
            .filter(|c| *c != '\0')
            .unwrap_or('\u{fffd}')
    }

    /// Consumes an identifier, function or unquoted URL (4.3.4). A quoted URL is a function with a
    /// string.
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
        // An unquoted URL ends at the next closing parenthesis. Backslashes, which only escape characters, are dropped.
        let end = self.rest.find(')').unwrap_or(self.rest.len());
        let url = self.rest[..end].trim_matches(is_space).replace('\\', "");
        self.push(Token::Url(url.into()), end + 1);
    }

    /// Consumes a string (4.3.5). An unescaped line break ends it; an escaped one is dropped.
    fn text(&mut self, quote: char) {
        self.skip(1);
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next() {
            if c == '\n' {
                break;
            }
            self.skip(c.len_utf8());
            match c {
                // Quotation marks of the other kind belong to the string.
                c if c == quote => break,
                '\\' if self.rest.starts_with('\n') => self.skip(1),
                '\\' if self.rest.is_empty() => {}
                '\\' => text.push(self.escape()),
                c => text.push(c),
            }
        }
        self.tokens.push(Token::Text(text.into()));
    }

    /// Consumes a number with its unit (4.3.3 and 4.3.12): digits, a fraction, and an exponent.
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
        // An `e` without digits begins a unit, such as `em`.
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let power = digits((end + 1 + sign).min(bytes.len()));
            if power > 0 {
                end += 1 + sign + power;
            }
        }
        // Numbers beyond the range of `f32` become the largest one instead of infinity.
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

/// Index of the token that closes the block or function at `at`, or the number of tokens. A closing
/// bracket also closes the brackets inside that were left open, so that one error does not swallow
/// the rest of the sheet.
pub(crate) fn closing(tokens: &[Token], at: usize) -> usize {
    /// Limit on nested brackets: deeper ones extend to the end, because matching takes time
    /// proportional to the depth.
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

/// Tokens without trailing white space.
pub(super) fn trimmed(tokens: &[Token]) -> &[Token] {
    let end = tokens.iter().rposition(|token| *token != Token::Space);
    &tokens[..end.map_or(0, |end| end + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_follow_the_specification() {
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
