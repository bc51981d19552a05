//! Facts by which a language is scanned. The languages themselves are in the [`table`](super::table).

use super::{begins_word, table::ALL};

/// Way in which a language is scanned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanMode {
    /// Words, strings and comments, by the facts of its row.
    Program,
    /// YAML: keys before colons, and blocks of text by their indent.
    Yaml,
    /// Keys before equals signs, in sections.
    Keyed,
    /// Targets, variables and recipes.
    Make,
    /// Lines, by their first characters.
    Diff,
    /// Commands after a prompt, and what they print.
    Console,
    /// Elements and attributes.
    Markup,
    /// Selectors and declarations.
    Css,
}

/// Quotation marks of a string.
#[derive(Clone, Copy)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// The character that hides the next one.
    pub(super) escape: Option<u8>,
    /// Whether the string may go on in the next line.
    pub(super) multiline: bool,
}

pub(super) const fn quote(mark: &'static str, escape: Option<u8>, multiline: bool) -> Quote {
    Quote {
        open: mark,
        close: mark,
        escape,
        multiline,
    }
}

/// A language.
pub(super) struct Language {
    /// Names by which blocks of code call it, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) way: ScanMode,
    /// Words of the language, and its constants, between spaces.
    pub(super) keywords: &'static str,
    pub(super) constants: &'static str,
    /// Beginnings of comments that end with the line.
    pub(super) comments: &'static [&'static str],
    /// Beginnings and ends of comments.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// Quotation marks; longer ones first.
    pub(super) quotes: &'static [Quote],
    /// Characters of words besides letters, digits and `_`.
    pub(super) letters: &'static str,
    /// Characters that mark the word after them as a variable.
    pub(super) marks: &'static str,
    /// Whether capitals and small letters are the same.
    pub(super) folds: bool,
    /// Whether strings may have prefixes: `r"…"`.
    pub(super) prefixes: bool,
    /// Whether names in capitalised words are types.
    pub(super) types: bool,
    /// Whether `'a` is a lifetime, and raw strings are `r#"…"#`.
    pub(super) lifetimes: bool,
    /// Whether `name!(…)` calls a macro.
    pub(super) macros: bool,
    /// Whether `#[…]` is an attribute.
    pub(super) attributes: bool,
    /// Whether `@name` decorates what follows.
    pub(super) decorators: bool,
    /// Whether lines that begin with `#` are for the preprocessor.
    pub(super) directives: bool,
    /// Whether regular expressions stand between slashes.
    pub(super) expressions: bool,
    /// Whether `<<WORD` begins a text that ends with that word.
    pub(super) heredocs: bool,
    /// Whether `$name` and `${…}` are variables.
    pub(super) dollars: bool,
    /// Whether a string before a colon is a key.
    pub(super) keys: bool,
}

/// The language of an info string: `rust,ignore`, `{.python .numberLines}`, `js{1,3}`, `C++`.
pub(super) fn of(info: &str) -> Option<&'static Language> {
    /// Longest name, in bytes.
    const LONGEST: usize = 20;
    let word = info.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '.'));
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_'));
    let word = &word[..word.find(ends).unwrap_or(word.len())];
    if word.is_empty() || word.len() > LONGEST || !word.starts_with(begins_word) {
        return None;
    }
    let name = word.to_ascii_lowercase();
    let mut all = ALL.iter();
    all.find(|language| language.names.contains(&&*name))
}

impl Language {
    /// The mark that begins a comment here, up to the end of the line.
    pub(super) fn line_comment(&self, text: &str) -> Option<&'static str> {
        let mut marks = self.comments.iter();
        let mark = marks.find(|mark| text.starts_with(**mark)).copied()?;
        // A longer mark may begin a comment of several lines, or an attribute.
        let is_other = self
            .block_comments
            .iter()
            .any(|(open, _)| open.len() > mark.len() && text.starts_with(open))
            || self.attributes && text.starts_with("#[");
        (!is_other).then_some(mark)
    }

    /// The quotation mark at the beginning of a text.
    pub(super) fn quote(&self, text: &str) -> Option<&'static Quote> {
        let mut quotes = self.quotes.iter();
        quotes.find(|quote| text.starts_with(quote.open))
    }

    /// Names of all languages, for tests and the manual.
    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = &'static str> {
        ALL.iter()
            .flat_map(|language| language.names.iter().copied())
    }
}
