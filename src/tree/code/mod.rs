//! Divides program code into pieces of one meaning each: comments, strings, numbers, keywords, names. Writers give each
//! meaning a colour. Parses no program: a word is a keyword wherever it occurs.
//!
//! The scanner is a table: a language is a row of facts ([`table`]), and a language that such facts cannot describe has
//! a scanner of its own ([`mod@lines`], [`markup`]). Scanning takes one pass and never goes back further than a fixed
//! number of bytes, so any text takes linear time. A string without an end ends with its line, or with the text if it
//! may span lines. A block comment without an end ends with the text.
//!
//! `syntect` 5.3.0, which colours by the grammars of Sublime Text, is not used: its packed grammars alone are 368 kB,
//! and they need two engines for regular expressions, one of which backtracks without a limit.

mod families;
mod languages;
mod lines;
mod markup;
mod program;
mod table;

use crate::Colour;
use languages::{Language, ScanMode};

/// Meaning of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Text for people.
    Comment,
    /// A string or a character.
    Literal,
    /// A number, or a name of a constant such as `true`.
    Number,
    /// A word of the language itself.
    Keyword,
    /// The name of a called function, a key or an element.
    Name,
    /// A type, an attribute, or a variable with a mark such as `$`.
    Property,
    /// A line that a change adds.
    Added,
    /// A line that a change removes.
    Removed,
}

impl TokenKind {
    /// Returns the colour of pieces with this meaning on a white or nearly white background. Its contrast (WCAG 2.1,
    /// 1.4.3) is at least 4.5 on every background that the writers give to code, so readers who see no colours can
    /// read the text.
    pub fn colour(self) -> Colour {
        match self {
            Self::Comment => Colour(0x57, 0x60, 0x6a),
            Self::Literal => Colour(0x0a, 0x30, 0x69),
            Self::Number => Colour(0x05, 0x50, 0xae),
            Self::Keyword | Self::Removed => Colour(0xb3, 0x1d, 0x28),
            Self::Name => Colour(0x66, 0x39, 0xba),
            Self::Property => Colour(0x8a, 0x33, 0x00),
            Self::Added => Colour(0x11, 0x63, 0x29),
        }
    }
}

/// A piece of code: its meaning, if it gets a colour, and its text.
pub type Piece<'t> = (Option<TokenKind>, &'t str);

/// Longest text that is coloured, in bytes. Writers need some hundred bytes for each piece, and a piece may be as short
/// as one character. So a longer text would need much more memory than its file has bytes. Nobody reads that much code
/// on paper.
const LARGEST: usize = 1 << 20;

/// Returns the pieces of a block of code, which together are its text. A text in an unknown language, or of more than
/// 1 MiB, is one piece.
///
/// `info` is the info string of a fenced block, or the name of a language.
pub fn pieces<'t>(info: &str, text: &'t str) -> Pieces<'t> {
    let language = languages::of(info).filter(|_| text.len() <= LARGEST);
    Pieces {
        scanner: language.map(|language| Scanner::new(language, text)),
        text,
        held: None,
    }
}

/// Limit on the pieces of a line, which are held in memory together. A line with more pieces becomes a single piece.
const MAX_PIECES: usize = 2000;

/// Returns the lines of a block of code, each as pieces without a line end.
pub fn lines<'t>(info: &str, text: &'t str) -> Lines<'t> {
    Lines {
        pieces: pieces(info, text),
        text,
        rest: None,
        begin: 0,
        end: 0,
        over: false,
    }
}

/// Pieces of a text, in order. Adjacent pieces never have the same meaning.
pub struct Pieces<'t> {
    scanner: Option<Scanner<'t>>,
    text: &'t str,
    /// The piece that has been read ahead: its meaning, start and end.
    held: Option<(Option<TokenKind>, usize, usize)>,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let Some(scanner) = &mut self.scanner else {
            let text = std::mem::take(&mut self.text);
            return (!text.is_empty()).then_some((None, text));
        };
        let mut piece = self.held.take();
        while let Some((kind, from, to)) = scanner.token() {
            match &mut piece {
                None => piece = Some((kind, from, to)),
                Some((before, _, end)) if *before == kind => *end = to,
                Some(_) => {
                    self.held = Some((kind, from, to));
                    break;
                }
            }
        }
        piece.map(|(kind, from, to)| (kind, &self.text[from..to]))
    }
}

/// Lines of a text, in order. There is one more line than there are line ends.
pub struct Lines<'t> {
    pieces: Pieces<'t>,
    text: &'t str,
    /// Rest of a piece after a line end. It begins the next line.
    rest: Option<Piece<'t>>,
    /// Start of the line in the text, in bytes.
    begin: usize,
    /// End of the line in the text, in bytes.
    end: usize,
    over: bool,
}

impl<'t> Iterator for Lines<'t> {
    type Item = Vec<Piece<'t>>;

    fn next(&mut self) -> Option<Vec<Piece<'t>>> {
        if self.over {
            return None;
        }
        let (mut line, mut count): (Vec<Piece<'t>>, usize) = (Vec::new(), 0);
        while let Some((kind, text)) = self.rest.take().or_else(|| self.pieces.next()) {
            let (piece, rest) = match text.split_once('\n') {
                Some((piece, rest)) => (piece, Some((kind, rest))),
                None => (text, None),
            };
            if !piece.is_empty() {
                count += 1;
                match count <= MAX_PIECES {
                    true => line.push((kind, piece)),
                    false => line.truncate(0),
                }
            }
            self.end += piece.len();
            self.rest = rest;
            if self.rest.is_some() {
                break;
            }
        }
        self.over = self.rest.is_none();
        if count > MAX_PIECES {
            line.push((None, &self.text[self.begin..self.end]));
        }
        self.end += 1;
        self.begin = self.end;
        Some(ended(line))
    }
}

/// The line without a carriage return at its end.
fn ended(mut line: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    if let Some((_, text)) = line.last_mut() {
        *text = text.trim_end_matches('\r');
        if text.is_empty() {
            line.pop();
        }
    }
    line
}

/// A token: its meaning, its start and its end.
type Token = (Option<TokenKind>, usize, usize);

/// State of the scanner.
struct Scanner<'t> {
    language: &'static Language,
    text: &'t str,
    /// Position after the last token.
    at: usize,
    /// Whether only white space precedes `at` on its line.
    begins_line: bool,
    state: State<'t>,
}

/// State of the scanner for each group of languages.
enum State<'t> {
    Program(program::State<'t>),
    Lines(lines::State),
    Markup(markup::State<'t>),
    Css(markup::Sheet),
}

impl<'t> Scanner<'t> {
    fn new(language: &'static Language, text: &'t str) -> Self {
        let state = match language.way {
            ScanMode::Program => State::Program(program::State::new(language)),
            ScanMode::Yaml
            | ScanMode::Keyed
            | ScanMode::Make
            | ScanMode::Diff
            | ScanMode::Console => State::Lines(lines::State::default()),
            ScanMode::Markup => State::Markup(markup::State::default()),
            ScanMode::Css => State::Css(markup::Sheet::default()),
        };
        Self {
            language,
            text,
            at: 0,
            begins_line: true,
            state,
        }
    }

    /// The text that has not been read yet.
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Reads the next token; `None` at the end.
    fn token(&mut self) -> Option<Token> {
        if self.at >= self.text.len() {
            return None;
        }
        let from = self.at;
        let (kind, len) = match self.state {
            State::Program(_) => self.program(),
            State::Lines(_) => self.line(),
            State::Markup(_) => self.markup(),
            State::Css(_) => self.sheet(),
        };
        // Every token has at least one character, even if a rule returned the length 0, so the scanner always advances.
        let mut to = (from + len.max(1)).min(self.text.len());
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        self.at = to;
        if let Some(end) = self.text[from..to].rfind('\n') {
            self.begins_line = self.text[from + end..to].trim().is_empty();
        } else if self.begins_line {
            self.begins_line = self.text[from..to].trim().is_empty();
        }
        Some((kind, from, to))
    }
}

/// Length of the longest prefix whose characters all satisfy `passes`, in bytes.
fn run(text: &str, mut passes: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !passes(c)).unwrap_or(text.len())
}

/// Length of the first line, without its end.
fn line_len(text: &str) -> usize {
    memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len())
}

/// Length up to and including `end`, which is searched after `begin` bytes. The length of the whole text if `end` does
/// not occur.
fn through(text: &str, begin: usize, end: &str) -> usize {
    let from = begin.min(text.len());
    memchr::memmem::find(&text.as_bytes()[from..], end.as_bytes())
        .map_or(text.len(), |at| from + at + end.len())
}

/// Length of a quotation whose opening mark has `open` bytes, and whose closing mark is `close`. The character after
/// `escape` does not end the quotation. A quotation that may not continue on the next line ends with its line.
fn quotation(text: &str, open: usize, close: &str, escape: Option<u8>, multiline: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = open;
    while at < bytes.len() {
        if Some(bytes[at]) == escape {
            at += 2;
        } else if bytes[at..].starts_with(close.as_bytes()) {
            return at + close.len();
        } else if bytes[at] == b'\n' && !multiline {
            return at;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// Length of a number, as nearly all languages write it: digits, letters of bases and types, a point before a digit,
/// and the sign of an exponent.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let based = text.starts_with("0x") || text.starts_with("0X");
    let mut at = 1;
    while at < bytes.len() {
        let next_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        at += match bytes[at] {
            b'e' | b'E'
                if !based
                    && matches!(bytes.get(at + 1), Some(b'+' | b'-'))
                    && bytes.get(at + 2).is_some_and(u8::is_ascii_digit) =>
            {
                2
            }
            b'.' if next_digit => 2,
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => 1,
            _ => break,
        };
    }
    at
}

/// Returns whether a character can begin a word.
fn begins_word(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Returns whether a character can be in a word.
fn in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Length of a variable such as `$name`, `${…}` or `$(…)`, whose brackets end in the same line. Zero if the text does
/// not begin with a variable.
fn dollar(text: &str) -> usize {
    /// Longest variable in brackets, in bytes after the `$`.
    const LONGEST: usize = 200;
    let Some(after) = text.strip_prefix('$') else {
        return 0;
    };
    let close = match after.chars().next() {
        Some('{') => b'}',
        Some('(') => b')',
        Some(c) if begins_word(c) => return 1 + run(after, in_word),
        Some(c) if c.is_ascii_digit() || matches!(c, '@' | '*' | '#' | '?' | '<' | '^') => {
            return 2;
        }
        _ => return 0,
    };
    let bytes = after.as_bytes();
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    match memchr::memchr2(close, b'\n', bytes) {
        Some(at) if bytes[at] == close => at + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
