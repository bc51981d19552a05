//! Scans line-oriented languages: YAML, configuration files, makefiles, diffs, and terminal sessions. Reads a whole
//! line at a time; its tokens wait in a queue.

use super::{
    Scanner, State as Any, TokenKind, begins_word, dollar, in_word, languages::ScanMode, line_len,
    number, quotation, run,
};
use std::collections::VecDeque;

/// Longest line that is coloured, in bytes: its tokens are held in memory.
const LONGEST: usize = 16 << 10;

/// State of the scan by lines.
#[derive(Default)]
pub(super) struct State {
    /// Tokens of the current line that have not been returned yet: their meanings and lengths.
    queue: VecDeque<(Option<TokenKind>, usize)>,
    /// Indent of the key of an open block scalar (YAML 1.2.2, 8.1). Lines that are indented further than the key belong
    /// to its text.
    block: Option<usize>,
    /// Quotation mark of the open string, if it spans several lines.
    string: Option<&'static str>,
    /// Whether a command continues on the next line.
    command_continues: bool,
}

/// A line that is being divided into tokens.
struct Line<'l> {
    rest: &'l str,
    tokens: VecDeque<(Option<TokenKind>, usize)>,
}

impl<'l> Line<'l> {
    /// Takes the next `len` bytes as one token.
    fn take(&mut self, kind: Option<TokenKind>, len: usize) {
        let mut len = len.min(self.rest.len());
        while !self.rest.is_char_boundary(len) {
            len += 1;
        }
        if len > 0 {
            self.tokens.push_back((kind, len));
            self.rest = &self.rest[len..];
        }
    }

    fn blanks(&mut self) {
        self.take(None, run(self.rest, |c| c == ' ' || c == '\t'));
    }

    /// Takes the rest of the line as a value: strings, numbers, constants, variables, and a comment that begins with a
    /// character from `comment`. With `escapes`, `\` escapes a `"`, and a string may begin in the middle of a word.
    fn value(&mut self, constants: &str, comment: &[char], escapes: bool) {
        let mut after_separator = true;
        while let Some(first) = self.rest.chars().next() {
            let escape = Some(b'\\').filter(|_| escapes);
            match first {
                c if after_separator && comment.contains(&c) => {
                    return self.take(Some(TokenKind::Comment), self.rest.len());
                }
                '"' if after_separator || escapes => {
                    self.take(
                        Some(TokenKind::Literal),
                        quotation(self.rest, 1, "\"", escape, false),
                    );
                }
                '\'' if after_separator || escapes => {
                    self.take(
                        Some(TokenKind::Literal),
                        quotation(self.rest, 1, "'", None, false),
                    );
                }
                '$' if dollar(self.rest) > 0 => {
                    self.take(Some(TokenKind::Property), dollar(self.rest));
                }
                c if after_separator && (c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) => {
                    let sign = usize::from(!c.is_ascii_digit());
                    let digits = self.rest[sign..].starts_with(|c: char| c.is_ascii_digit());
                    let word = run(self.rest, |c| !c.is_whitespace() && !",]}".contains(c));
                    // A word is a number only as a whole: `1.2.3` is a version, `10-minutes` a text.
                    let points = self.rest[..word].matches('.').count();
                    let is_number =
                        digits && points < 2 && sign + number(&self.rest[sign..]) == word;
                    self.take(Some(TokenKind::Number).filter(|_| is_number), word.max(1));
                }
                c if begins_word(c) || c == '~' => {
                    let len = run(self.rest, |c| in_word(c) || c == '-').max(1);
                    let word = &self.rest[..len];
                    let next_character = self.rest[len..].chars().next();
                    let ends =
                        next_character.is_none_or(|c| c.is_whitespace() || ",]}#;".contains(c));
                    let is_constant = after_separator
                        && ends
                        && constants.split(' ').any(|constant| constant == word);
                    self.take(Some(TokenKind::Number).filter(|_| is_constant), len);
                }
                c => self.take(None, c.len_utf8()),
            }
            after_separator = matches!(first, ' ' | '\t' | '[' | '{' | ',' | '(' | '=' | ':');
        }
    }
}

impl Scanner<'_> {
    /// Reads a token of a line-oriented language. Returns its meaning and length.
    pub(super) fn line(&mut self) -> (Option<TokenKind>, usize) {
        let (language, rest) = (self.language, self.rest());
        let Any::Lines(state) = &mut self.state else {
            return (None, rest.len());
        };
        if let Some(token) = state.queue.pop_front() {
            return token;
        }
        if rest.starts_with('\n') {
            return (None, 1);
        }
        let len = line_len(rest);
        if len > LONGEST {
            return (None, len);
        }
        let mut line = Line {
            rest: &rest[..len],
            tokens: VecDeque::new(),
        };
        match language.way {
            ScanMode::Yaml => yaml(state, &mut line, language.constants),
            ScanMode::Keyed => keyed(state, &mut line, language.constants),
            ScanMode::Make => make(&mut line, language.keywords),
            ScanMode::Diff => diff(&mut line),
            ScanMode::Console => console(state, &mut line),
            ScanMode::Program | ScanMode::Markup | ScanMode::Css => line.take(None, len),
        }
        state.queue = line.tokens;
        state.queue.pop_front().unwrap_or((None, len))
    }
}

/// YAML (1.2.2): keys, values, comments, and blocks of text.
fn yaml(state: &mut State, line: &mut Line<'_>, constants: &str) {
    let indent = run(line.rest, |c| c == ' ');
    if let Some(outer) = state.block {
        if line.rest.trim().is_empty() || indent > outer {
            return line.take(Some(TokenKind::Literal), line.rest.len());
        }
        state.block = None;
    }
    let mut depth = indent;
    line.blanks();
    if line.rest.starts_with("---") || line.rest.starts_with("...") || line.rest.starts_with('%') {
        return line.take(Some(TokenKind::Keyword), line.rest.len());
    }
    while line.rest.starts_with("- ") {
        let before = line.rest.len();
        line.take(None, 1);
        line.blanks();
        depth += before - line.rest.len();
    }
    // A key ends with a colon that a space or the end of the line follows.
    let quoted = match line.rest.chars().next() {
        Some('"') => quotation(line.rest, 1, "\"", Some(b'\\'), false),
        Some('\'') => quotation(line.rest, 1, "'", None, false),
        Some('#' | '[' | '{') => usize::MAX,
        _ => 0,
    };
    if let Some(after) = line.rest.get(quoted..) {
        let mut from = 0;
        while let Some(at) = after[from..].find(':') {
            let colon = from + at;
            let ends = after[colon + 1..].chars().next();
            if ends.is_none_or(char::is_whitespace) {
                // A colon within a comment does not end a key.
                if !after[..colon].contains(" #") {
                    line.take(Some(TokenKind::Name), quoted + colon);
                    line.take(None, 1);
                }
                break;
            }
            from = colon + 1;
        }
    }
    line.blanks();
    // Anchors, aliases and tags.
    while line.rest.starts_with(['&', '*', '!']) {
        line.take(
            Some(TokenKind::Property),
            run(line.rest, |c| !c.is_whitespace()),
        );
        line.blanks();
    }
    let value = line.rest.split(" #").next().unwrap_or_default().trim_end();
    let is_block = value.starts_with(['|', '>'])
        && value[1..]
            .chars()
            .all(|c| c.is_ascii_digit() || c == '-' || c == '+');
    if is_block {
        state.block = Some(depth);
        line.take(Some(TokenKind::Keyword), value.len());
    }
    line.value(constants, &['#'], false);
}

/// Configuration files (TOML 1.0, INI, `.properties`): sections, and keys before equals signs or colons.
fn keyed(state: &mut State, line: &mut Line<'_>, constants: &str) {
    if let Some(close) = state.string {
        let len = match line.rest.find(close) {
            Some(at) => {
                state.string = None;
                at + close.len()
            }
            None => line.rest.len(),
        };
        line.take(Some(TokenKind::Literal), len);
        return line.value(constants, &['#'], true);
    }
    line.blanks();
    match line.rest.chars().next() {
        Some('#' | ';' | '!') => return line.take(Some(TokenKind::Comment), line.rest.len()),
        Some('[') => {
            let name = line.rest.trim_end();
            let len = name.rfind(']').map_or(name.len(), |at| at + 1);
            let is_section = !name[..len].contains(['"', ',']) || name.starts_with("[[");
            if is_section {
                line.take(Some(TokenKind::Keyword), len);
            }
            return line.value(constants, &['#', ';'], true);
        }
        _ => {}
    }
    let key = run(line.rest, |c| in_word(c) || "-._ \t\"'/@*".contains(c));
    let after = &line.rest[key..];
    if after.starts_with('=') || after.starts_with(':') || after.starts_with("+=") {
        let name = line.rest[..key].trim_end().len();
        let (kind, word) = match line.rest[..name].strip_prefix("export ") {
            Some(_) => (Some(TokenKind::Keyword), "export ".len()),
            None => (None, 0),
        };
        line.take(kind, word);
        line.take(Some(TokenKind::Name), name - word);
        line.blanks();
        line.take(None, 1 + usize::from(line.rest.starts_with('+')));
    }
    line.blanks();
    for mark in ["\"\"\"", "'''"] {
        if line.rest.starts_with(mark) && !line.rest[3..].contains(mark) {
            state.string = Some(mark);
            return line.take(Some(TokenKind::Literal), line.rest.len());
        }
    }
    line.value(constants, &['#', ';'], true);
}

/// Makefiles: targets before colons, variables, and recipes.
fn make(line: &mut Line<'_>, keywords: &str) {
    let is_recipe = line.rest.starts_with('\t');
    line.blanks();
    if line.rest.starts_with('#') {
        return line.take(Some(TokenKind::Comment), line.rest.len());
    }
    if is_recipe {
        line.take(None, run(line.rest, |c| matches!(c, '@' | '-' | '+')));
        return line.value("", &['#'], true);
    }
    let word = run(line.rest, |c| in_word(c) || c == '-');
    let is_keyword = keywords
        .split(' ')
        .any(|keyword| keyword == &line.rest[..word]);
    if word > 0 && is_keyword {
        line.take(Some(TokenKind::Keyword), word);
        line.blanks();
    }
    let sign = line.rest.find([':', '=']).unwrap_or(line.rest.len());
    let (name, after) = line.rest.split_at(sign);
    let name = name.trim_end_matches(['?', '+', '!', ' ', '\t']).len();
    let assigns = [":=", "::=", ":::=", "="]
        .iter()
        .any(|operator| after.starts_with(operator));
    match () {
        () if after.is_empty() => {}
        () if assigns => line.take(Some(TokenKind::Property), name),
        () => line.take(Some(TokenKind::Name), name),
    }
    line.value("", &['#'], true);
}

/// Differences between files (unified and context formats).
fn diff(line: &mut Line<'_>) {
    let begins = |marks: &[&str]| marks.iter().any(|mark| line.rest.starts_with(mark));
    let kind = match () {
        () if begins(&[
            "+++",
            "---",
            "***",
            "diff ",
            "index ",
            "Index:",
            "===",
            "new file",
            "deleted file",
            "rename ",
            "similarity ",
            "From ",
            "commit ",
        ]) =>
        {
            Some(TokenKind::Name)
        }
        () if begins(&["@@"]) => Some(TokenKind::Number),
        () if begins(&["+", ">"]) => Some(TokenKind::Added),
        () if begins(&["-", "<"]) => Some(TokenKind::Removed),
        () => None,
    };
    line.take(kind, line.rest.len());
}

/// A terminal session: commands after the prompt `$`, `#`, `%` or `>`; all other text is output.
fn console(state: &mut State, line: &mut Line<'_>) {
    // `user@host:~/directory$ command`
    let place = run(line.rest, |c| !c.is_whitespace() && !"$#%>".contains(c));
    let sign = &line.rest[place..];
    let has_place = place == 0 || line.rest[..place].contains('@');
    let is_prompt = has_place
        && ["$ ", "# ", "% ", "> "]
            .iter()
            .any(|prompt| sign.starts_with(prompt));
    if !is_prompt && !state.command_continues {
        return line.take(None, line.rest.len());
    }
    state.command_continues = line.rest.trim_end().ends_with('\\');
    if is_prompt {
        line.take(Some(TokenKind::Comment), place + 1);
        line.blanks();
    }
    line.take(
        Some(TokenKind::Name),
        run(line.rest, |c| !c.is_whitespace()),
    );
    line.value("", &['#'], true);
}
