//! Data validation: rules for entries into cells (ECMA-376 part 1, 18.3.1.32; OpenDocument 1.3, part 3, 9.4.5). Checks no value:
//! rules are carried from one workbook to another.

use super::range::Range;

/// A rule for what may be entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Validation {
    /// Its ranges.
    pub(crate) ranges: Vec<Range>,
    pub(crate) kind: Kind,
    pub(crate) operator: Operator,
    /// Operands of the comparison, in the syntax of Excel, as seen from the first cell of the first range. A list in quotation
    /// marks separates its words by commas.
    pub(crate) formulas: [Option<Box<str>>; 2],
    pub(crate) allows_empty: bool,
    /// A list is not offered to choose from.
    pub(crate) hides_list: bool,
    /// Prompt beside the cell, with a title.
    pub(crate) prompt: Option<Message>,
    /// Message about a wrong value.
    pub(crate) error: Option<Message>,
    pub(crate) severity: Severity,
}

/// A title and a text, either of which may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) title: Box<str>,
    pub(crate) text: Box<str>,
}

/// The limit on a title or a text, in characters.
const MAX_TEXT: usize = 1024;

impl Message {
    /// A message, cut where it is too long.
    pub(crate) fn of(title: &str, text: &str) -> Self {
        let cut = |words: &str| words.chars().take(MAX_TEXT).collect();
        Self {
            title: cut(title),
            text: cut(text),
        }
    }
}

/// Required kind of value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Any,
    Whole,
    Decimal,
    List,
    Date,
    Time,
    Length,
    Formula,
}

/// The kinds with their names in SpreadsheetML (18.18.21).
pub(crate) const KINDS: [(&str, Kind); 8] = [
    ("none", Kind::Any),
    ("whole", Kind::Whole),
    ("decimal", Kind::Decimal),
    ("list", Kind::List),
    ("date", Kind::Date),
    ("time", Kind::Time),
    ("textLength", Kind::Length),
    ("custom", Kind::Formula),
];

/// Operator of the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Operator {
    #[default]
    Between,
    NotBetween,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The operators with their names in SpreadsheetML (18.18.20) and their signs in OpenDocument; operators with two operands have
/// no sign.
pub(crate) const OPERATORS: [(&str, Operator, &str); 8] = [
    ("between", Operator::Between, ""),
    ("notBetween", Operator::NotBetween, ""),
    ("equal", Operator::Equal, "="),
    ("notEqual", Operator::NotEqual, "!="),
    ("lessThanOrEqual", Operator::LessOrEqual, "<="),
    ("greaterThanOrEqual", Operator::GreaterOrEqual, ">="),
    ("lessThan", Operator::Less, "<"),
    ("greaterThan", Operator::Greater, ">"),
];

/// Reaction to a wrong value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Severity {
    #[default]
    Stop,
    Warning,
    Information,
}

/// Their names, which are the same in both formats.
pub(crate) const SEVERITIES: [(&str, Severity); 3] = [
    ("stop", Severity::Stop),
    ("warning", Severity::Warning),
    ("information", Severity::Information),
];
