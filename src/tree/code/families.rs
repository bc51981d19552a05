//! Facts that several languages share: quotation marks, and families of languages. Describes no language completely.

use super::languages::{Language, Quote, ScanMode, quote};

pub(super) const SLASH: Option<u8> = Some(b'\\');
pub(super) const DOUBLE: Quote = quote("\"", SLASH, false);
pub(super) const SINGLE: Quote = quote("'", SLASH, false);
pub(super) const LONG_DOUBLE: Quote = quote("\"", SLASH, true);
pub(super) const TRIPLE: Quote = quote("\"\"\"", SLASH, true);
pub(super) const TRIPLE_SINGLE: Quote = quote("'''", SLASH, true);
pub(super) const TICK: Quote = quote("`", SLASH, true);
/// A C# string without escapes.
pub(super) const VERBATIM: Quote = Quote {
    open: "@\"",
    close: "\"",
    escape: None,
    multiline: true,
};

/// Defaults of a row in the table of languages: no words, comments or strings, and no rule switched on.
pub(super) const NONE: Language = Language {
    names: &[],
    way: ScanMode::Program,
    keywords: "",
    constants: "",
    comments: &[],
    block_comments: &[],
    quotes: &[],
    letters: "",
    marks: "",
    folds: false,
    prefixes: false,
    types: false,
    lifetimes: false,
    macros: false,
    attributes: false,
    decorators: false,
    directives: false,
    expressions: false,
    heredocs: false,
    dollars: false,
    keys: false,
};

/// Facts that languages with braces share.
pub(super) const BRACES: Language = Language {
    constants: "true false null",
    comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[DOUBLE, SINGLE],
    ..NONE
};

/// Facts that languages with `#` comments share.
pub(super) const HASH: Language = Language {
    comments: &["#"],
    quotes: &[DOUBLE, SINGLE],
    ..NONE
};
