//! Data validation, whose flags are the same in xls and xlsb (MS-XLS 2.4.103, MS-XLSB 2.4.362). Reads no records.

use crate::shown::{
    book::Range,
    validation::{KINDS, Kind, Message, Operator, Severity, Validation},
};

/// Comparison operators by their number. Conditional formats count them from 1, data validation from 0.
pub(crate) const OPERATORS: [Operator; 8] = [
    Operator::Between,
    Operator::NotBetween,
    Operator::Equal,
    Operator::NotEqual,
    Operator::Greater,
    Operator::Less,
    Operator::GreaterOrEqual,
    Operator::LessOrEqual,
];

/// Creates a rule from its flags, its prompt and error message (each a title and a text), and its formulas as text.
/// `None` without ranges.
pub(crate) fn validation(
    flags: u32,
    ranges: Vec<Range>,
    [prompt, error]: [(String, String); 2],
    formulas: [Option<String>; 2],
) -> Option<Validation> {
    let has = |bit: u32| flags & 1 << bit != 0;
    let kind = KINDS.get((flags & 15) as usize);
    let kind = kind.map_or(Kind::Any, |(_, kind)| *kind);
    // Excel stores an empty text as a single NUL.
    let words = |text: &str| text.replace('\0', "");
    let message = |shows: bool, (title, text): &(String, String)| {
        shows.then(|| Message::of(&words(title), &words(text)))
    };
    let operator = OPERATORS.get((flags >> 20 & 15) as usize);
    let operator = operator.copied().unwrap_or_default();
    let [first, second] = formulas;
    // Some programs write a second formula although the operator takes only one.
    let is_range = matches!(operator, Operator::Between | Operator::NotBetween)
        && !matches!(kind, Kind::List | Kind::Formula);
    let formulas = [first, second.filter(|_| is_range)].map(|formula| {
        // NULs separate the entries of a literal list.
        let formula = formula.map(|formula| formula.replace('\0', ","));
        formula.map(Into::into)
    });
    (!ranges.is_empty()).then(|| Validation {
        ranges,
        kind,
        operator,
        formulas,
        allows_empty: has(8),
        hides_list: has(9),
        prompt: message(has(18), &prompt),
        error: message(has(19), &error),
        severity: match flags >> 4 & 7 {
            1 => Severity::Warning,
            2 => Severity::Information,
            _ => Severity::Stop,
        },
    })
}
