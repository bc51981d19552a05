//! Scans languages that have comments, strings, numbers and words, as their rows in the table describe them. No rule
//! here depends on the name of a language.

use super::{
    Scanner, State as Any, TokenKind, begins_word, dollar, in_word,
    languages::{Language, Quote},
    line_len, number, quotation, run, through,
};
use std::collections::HashSet;

/// Limit on the bytes that are searched for the end of a regular expression or an attribute. Without a limit, a line
/// with many beginnings and no end would take quadratic time.
const LONGEST: usize = 300;

/// Longest keyword, in bytes.
const LONGEST_WORD: usize = 24;

/// State of the scan of a program.
pub(super) struct State<'t> {
    keywords: HashSet<&'static str>,
    constants: HashSet<&'static str>,
    /// The word that ends the here document that begins on the next line.
    here: Option<&'t str>,
    /// Whether the last token was an operand: a slash then divides, and does not begin a regular expression.
    after_operand: bool,
}

impl State<'_> {
    pub(super) fn new(language: &Language) -> Self {
        Self {
            keywords: language.keywords.split(' ').collect(),
            constants: language.constants.split(' ').collect(),
            here: None,
            after_operand: false,
        }
    }
}

impl<'t> Scanner<'t> {
    /// Reads a token of a program: its meaning and length.
    pub(super) fn program(&mut self) -> (Option<TokenKind>, usize) {
        let (language, rest, begins_line) = (self.language, self.rest(), self.begins_line);
        let before = self.text[..self.at].chars().next_back();
        let Any::Program(state) = &mut self.state else {
            return (None, rest.len());
        };
        let Some(first) = rest.chars().next() else {
            return (None, 0);
        };
        if first == '\n' {
            if let Some(word) = state.here.take() {
                return (Some(TokenKind::Literal), here_document(rest, word));
            }
            state.after_operand = false;
            return (None, 1);
        }
        if first.is_whitespace() {
            return (None, run(rest, |c| c.is_whitespace() && c != '\n'));
        }
        // Comments.
        let after_separator =
            before.is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '(' | ')'));
        if let Some(mark) = language.line_comment(rest)
            && (mark != "#" || after_separator)
        {
            return (Some(TokenKind::Comment), line_len(rest));
        }
        for (open, close) in language.block_comments {
            if rest.starts_with(open) {
                return (Some(TokenKind::Comment), through(rest, open.len(), close));
            }
        }
        // Preprocessor directives, attributes and decorators: `#include`, `#[derive(…)]`, `@Override`.
        if language.directives && begins_line && first == '#' {
            let spaces = 1 + run(&rest[1..], |c| c == ' ' || c == '\t');
            return (
                Some(TokenKind::Keyword),
                spaces + run(&rest[spaces..], |c| c.is_ascii_alphabetic()),
            );
        }
        if language.attributes && (rest.starts_with("#[") || rest.starts_with("#![")) {
            let beginning = &rest.as_bytes()[..rest.len().min(LONGEST)];
            if let Some(end) = memchr::memchr2(b']', b'\n', beginning)
                && beginning[end] == b']'
            {
                let brackets = beginning[end + 1..]
                    .iter()
                    .take_while(|byte| **byte == b']');
                return (Some(TokenKind::Property), end + 1 + brackets.count());
            }
        }
        if language.decorators && first == '@' && rest[1..].starts_with(begins_word) {
            let name = run(&rest[1..], |c| in_word(c) || c == '.');
            return (Some(TokenKind::Name), 1 + name);
        }
        if language.heredocs
            && let Some((word, len)) = here_word(rest)
        {
            state.here = Some(word);
            return (Some(TokenKind::Literal), len);
        }
        // Literals.
        if first == '\'' && language.lifetimes {
            let len = character(rest);
            state.after_operand = true;
            return match len {
                0 => (Some(TokenKind::Property), 1 + run(&rest[1..], in_word)),
                len => (Some(TokenKind::Literal), len),
            };
        }
        if let Some(quote) = language.quote(rest) {
            let len = quoted(rest, quote);
            state.after_operand = true;
            let is_key = language.keys && rest[len..].trim_ascii_start().starts_with(':');
            let kind = if is_key {
                TokenKind::Name
            } else {
                TokenKind::Literal
            };
            return (Some(kind), len);
        }
        if language.expressions && first == '/' && !state.after_operand {
            let len = expression(rest);
            if len > 0 {
                state.after_operand = true;
                return (Some(TokenKind::Literal), len);
            }
        }
        let next_is_digit = rest[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        if first.is_ascii_digit() || first == '.' && next_is_digit && before != Some('.') {
            state.after_operand = true;
            return (Some(TokenKind::Number), number(rest));
        }
        // Variables with a sign before their names: `$name`, `@name`, `:name`.
        if language.dollars && first == '$' {
            let len = dollar(rest);
            if len > 0 {
                state.after_operand = true;
                return (Some(TokenKind::Property), len);
            }
        }
        if language.marks.contains(first) && !before.is_some_and(|c| c == first || in_word(c)) {
            let signs = run(rest, |c| c == first);
            if rest[signs..].starts_with(begins_word) {
                let len = signs + run(&rest[signs..], in_word);
                state.after_operand = true;
                return (Some(TokenKind::Property), len);
            }
        }
        if begins_word(first) || language.letters.contains(first) {
            return word(language, state, rest);
        }
        state.after_operand = matches!(first, ')' | ']' | '}');
        (None, first.len_utf8())
    }
}

/// Reads a word: a keyword, a constant, a name, or other text. If the word is the prefix of a string, reads the whole
/// string.
fn word(language: &Language, state: &mut State<'_>, rest: &str) -> (Option<TokenKind>, usize) {
    let len = run(rest, |c| in_word(c) || language.letters.contains(c));
    let (word, after) = rest.split_at(len);
    // The prefix of a string: `r"…"`, `f'…'`, `b"…"`, `br#"…"#`.
    if language.prefixes && len <= 2 && word.is_ascii() {
        let is_raw = word.contains(['r', 'R']);
        let hashes = run(after, |c| c == '#');
        if language.lifetimes && is_raw && after[hashes..].starts_with('"') {
            let close = format!("\"{}", &after[..hashes.min(LONGEST)]);
            state.after_operand = true;
            return (
                Some(TokenKind::Literal),
                through(rest, len + hashes + 1, &close),
            );
        }
        if let Some(quote) = language.quote(after) {
            state.after_operand = true;
            let raw = Quote {
                escape: quote.escape.filter(|_| !is_raw),
                ..*quote
            };
            return (Some(TokenKind::Literal), len + quoted(after, &raw));
        }
    }
    let known = |set: &HashSet<&str>| match language.folds {
        _ if len > LONGEST_WORD => false,
        true => set.contains(&*word.to_ascii_lowercase()),
        false => set.contains(word),
    };
    state.after_operand = true;
    if known(&state.constants) {
        return (Some(TokenKind::Number), len);
    }
    if known(&state.keywords) {
        // After a keyword, a slash begins a regular expression, as in `return /x/`.
        state.after_operand = false;
        return (Some(TokenKind::Keyword), len);
    }
    let marks = ["!(", "![", "! {", "!{"];
    if language.macros && marks.iter().any(|mark| after.starts_with(mark)) {
        return (Some(TokenKind::Name), len + 1);
    }
    if after.starts_with('(') {
        return (Some(TokenKind::Name), len);
    }
    let mut letters = word.chars();
    let is_type = letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase);
    match language.types && is_type {
        true => (Some(TokenKind::Property), len),
        false => (None, len),
    }
}

/// Length of a string.
fn quoted(text: &str, quote: &Quote) -> usize {
    quotation(
        text,
        quote.open.len(),
        quote.close,
        quote.escape,
        quote.multiline,
    )
}

/// Length of a character literal such as `'x'`, `'\n'` or `'\u{e9}'`; zero if the quotation mark begins something else.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => match letters.take(12).skip(1).find(|(_, c)| *c == '\'') {
            Some((at, _)) => at + 1,
            None => 0,
        },
        Some((_, c)) if c != '\n' => match letters.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        _ => 0,
    }
}

/// Length of a regular expression between slashes, with its flags. Zero if the slash does not begin one, or if it does
/// not end in this line.
fn expression(text: &str) -> usize {
    let bytes = &text.as_bytes()[..text.len().min(LONGEST)];
    let (mut at, mut in_class) = (1, false);
    if matches!(bytes.get(1), None | Some(b'/' | b'*' | b' ')) {
        return 0;
    }
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => return 0,
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => {
                let flags = run(&text[at + 1..], |c| c.is_ascii_lowercase());
                return at + 1 + flags;
            }
            _ => {}
        }
        at += 1;
    }
    0
}

/// The word that ends a here document (`<<EOF`, `<<-'EOF'`, `<<~TEXT`), and the length of the text through that word
/// and its quotation mark. `None` if the word does not begin with a capital letter: `<<` may also shift bits.
fn here_word(text: &str) -> Option<(&str, usize)> {
    let after = text.strip_prefix("<<")?;
    let after = after.strip_prefix('<').unwrap_or(after);
    let after = after.trim_start_matches(['-', '~']);
    let after = after.strip_prefix(['"', '\'']).unwrap_or(after);
    let len = run(after, |c| c == '_' || c.is_ascii_alphanumeric());
    let word = &after[..len];
    let quote = usize::from(after[len..].starts_with(['"', '\'']));
    let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    is_capital.then_some((word, text.len() - after.len() + len + quote))
}

/// Length of a here document, from the end of the line before it through the line that ends it.
fn here_document(text: &str, word: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let found = line.trim().trim_end_matches([';', ')', ',']);
        if end > 1 && found == word {
            return end - (line.len() - line.trim_end().len());
        }
    }
    end
}
