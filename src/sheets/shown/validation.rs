//! Data validation: rules for entries into cells (ECMA-376 part 1, 18.3.1.32; OpenDocument 1.3, part 3, 9.4.5). Checks
//! no values: rules are only carried from one workbook to another.

use super::range::Range;

/// A rule for entries into cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Validation {
    /// Cells that the rule applies to.
    pub(crate) ranges: Vec<Range>,
    /// Required type of value.
    pub(crate) kind: Kind,
    /// Comparison with the formulas.
    pub(crate) operator: Operator,
    /// Operands of the comparison, in the syntax of Excel, relative to the first cell of the first range. A literal
    /// list is a quoted text with commas.
    pub(crate) formulas: [Option<Box<str>>; 2],
    /// Whether an empty entry is permitted.
    pub(crate) allows_empty: bool,
    /// Whether the cell offers no drop-down list of the permitted values.
    pub(crate) hides_list: bool,
    /// Prompt that is shown beside the selected cell.
    pub(crate) prompt: Option<Message>,
    /// Message that is shown for an invalid entry.
    pub(crate) error: Option<Message>,
    /// Reaction to an invalid entry.
    pub(crate) severity: Severity,
}

/// A title and a text. Either may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) title: Box<str>,
    pub(crate) text: Box<str>,
}

/// Maximum length of a title or text, in characters.
const MAX_TEXT: usize = 1024;

impl Message {
    /// Creates a message, with title and text cut at the maximum length.
    pub(crate) fn of(title: &str, text: &str) -> Self {
        let cut = |words: &str| words.chars().take(MAX_TEXT).collect();
        Self {
            title: cut(title),
            text: cut(text),
        }
    }
}

/// Required type of value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any value is accepted.
    #[default]
    Any,
    /// An integer.
    Whole,
    /// Any number.
    Decimal,
    /// An entry of a list or of a range of cells.
    List,
    Date,
    Time,
    /// Text, whose length is compared.
    Length,
    /// Any value for which a formula is true.
    Formula,
}

/// Types with their names in SpreadsheetML (18.18.21). The order is that of their numbers in xls and xlsb.
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

/// Operators with their names in SpreadsheetML (18.18.20) and their signs in OpenDocument. Operators with two
/// operands have no sign. Longer signs come before their own prefixes.
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

/// Reaction to an invalid entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Severity {
    #[default]
    /// Rejects the entry.
    Stop,
    /// Asks whether to keep the entry.
    Warning,
    /// Shows the message and keeps the entry.
    Information,
}

/// Names of the severities, which are the same in SpreadsheetML and OpenDocument.
pub(crate) const SEVERITIES: [(&str, Severity); 3] = [
    ("stop", Severity::Stop),
    ("warning", Severity::Warning),
    ("information", Severity::Information),
];
