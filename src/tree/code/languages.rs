//! Facts by which a language is scanned. The languages themselves are in the [`table`](super::table).

use super::{begins_word, table::ALL};

/// Way in which a language is scanned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanMode {
    /// Words, strings and comments, by the facts of its row.
    Program,
    /// YAML: keys before colons, and blocks of text by their indent.
    Yaml,
    /// Configuration files: keys before equals signs or colons, in sections.
    Keyed,
    /// Makefiles: targets, variables and recipes.
    Make,
    /// Differences between files: whole lines, by their first characters.
    Diff,
    /// Terminal sessions: commands after a prompt, and their output.
    Console,
    /// HTML and XML: elements and attributes.
    Markup,
    /// CSS: selectors and declarations.
    Css,
}

/// Quotation marks of a string.
#[derive(Clone, Copy)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Escape character. The character after it does not end the string.
    pub(super) escape: Option<u8>,
    /// Whether the string may continue on the next line.
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
    /// Names of the language in the info strings of Markdown's code blocks, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) way: ScanMode,
    /// Keywords, separated by spaces.
    pub(super) keywords: &'static str,
    /// Names of constants, separated by spaces.
    pub(super) constants: &'static str,
    /// Characters that begin a line comment, such as `//`.
    pub(super) comments: &'static [&'static str],
    /// Characters that begin and end a block comment, such as `/*` and `*/`.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// Quotation marks of strings. The first that fits is taken, so longer ones come first.
    pub(super) quotes: &'static [Quote],
    /// Characters of words in addition to letters, digits and `_`.
    pub(super) letters: &'static str,
    /// Characters that mark the word after them as a variable.
    pub(super) marks: &'static str,
    /// Whether case is ignored in keywords, in constants, and in the names of elements.
    pub(super) folds: bool,
    /// Whether strings may have prefixes, as in `r"…"`.
    pub(super) prefixes: bool,
    /// Whether capitalised names are types.
    pub(super) types: bool,
    /// Whether `'a` is a lifetime, and `r#"…"#` a raw string.
    pub(super) lifetimes: bool,
    /// Whether `name!(…)` calls a macro.
    pub(super) macros: bool,
    /// Whether `#[…]` is an attribute.
    pub(super) attributes: bool,
    /// Whether `@name` is a decorator.
    pub(super) decorators: bool,
    /// Whether lines that begin with `#` are preprocessor directives.
    pub(super) directives: bool,
    /// Whether a text between slashes is a regular expression.
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
    /// The characters that begin a line comment at the start of `text`. `None` if it does not start with a line
    /// comment.
    pub(super) fn line_comment(&self, text: &str) -> Option<&'static str> {
        let mut marks = self.comments.iter();
        let mark = marks.find(|mark| text.starts_with(**mark)).copied()?;
        // A longer delimiter takes precedence: that of a block comment, or of an attribute.
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

    /// Names of all languages, for tests.
    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = &'static str> {
        ALL.iter()
            .flat_map(|language| language.names.iter().copied())
    }
}
