//! Rules for what may be entered (`x:DataValidation`). Their formulas have references as rows and columns, and no equals sign.

use super::formula;
use crate::{
    containers::xml::Node,
    spreadsheet::shown::{
        book::{Grid, MAX_LIST, Range, VALIDATIONS},
        validation::{KINDS, Message, OPERATORS, Severity, Validation},
    },
};

/// The limit on the ranges of a rule.
const MAX_RANGES: usize = 4096;

/// The limit on a message, in characters.
const MAX_TEXT: usize = 1024;

/// Names that SpreadsheetML writes in another way.
const OWN_NAMES: [(&str, &str); 3] = [
    ("AnyValue", "none"),
    ("LessOrEqual", "lessThanOrEqual"),
    ("GreaterOrEqual", "greaterThanOrEqual"),
];

/// Adds the rule of an element. One that cannot be told in the usual notation is left out, and taken down as such.
pub(super) fn add(node: &Node<'_>, grid: &mut Grid) {
    match read(node) {
        Some(rule) if grid.validations.len() < MAX_LIST => grid.validations.push(rule),
        _ => _ = grid.unread.insert(VALIDATIONS),
    }
}

fn read(node: &Node<'_>) -> Option<Validation> {
    let text = |name: &str| node.named(name).map(|node| node.text.trim());
    let has = |name: &str| node.named(name).is_some();
    let ranges = text("Range")?.split(',').take(MAX_RANGES);
    let ranges = ranges.map(|range| Range::parse(&formula::usual(&format!("={range}"), 0, 0)?));
    let ranges = ranges.collect::<Option<Vec<_>>>()?;
    let (row, column) = ranges.first()?.first;
    let seen = |name: &str| match text(name).filter(|formula| !formula.is_empty()) {
        Some(formula) => {
            formula::usual(&format!("={formula}"), row, column).map(|it| Some(it.into()))
        }
        None => Some(None),
    };
    let formulas = match has("Value") {
        true => [seen("Value")?, None],
        false => [seen("Min")?, seen("Max")?],
    };
    let kind = usual(text("Type").unwrap_or_default());
    let operator = usual(text("Qualifier").unwrap_or_default());
    let message = |hidden: &str, title: &str, words: &str| {
        let cut = |name: &str| {
            text(name)
                .unwrap_or_default()
                .chars()
                .take(MAX_TEXT)
                .collect()
        };
        (!has(hidden)).then(|| Message {
            title: cut(title),
            text: cut(words),
        })
    };
    Some(Validation {
        ranges,
        kind: KINDS.iter().find(|(name, _)| same(name, kind))?.1,
        operator: OPERATORS
            .iter()
            .find(|(name, ..)| same(name, operator))
            .map(|(_, operator, _)| *operator)
            .unwrap_or_default(),
        formulas,
        allows_empty: has("UseBlank"),
        hides_list: has("ComboHide"),
        prompt: message("InputHide", "InputTitle", "InputMessage"),
        error: message("ErrorHide", "ErrorTitle", "ErrorMessage"),
        severity: match text("ErrorStyle") {
            Some("Warn") => Severity::Warning,
            Some("Info") => Severity::Information,
            _ => Severity::Stop,
        },
    })
}

/// A name as SpreadsheetML has it, but for the size of letters.
fn usual(name: &str) -> &str {
    let own = OWN_NAMES.iter().find(|(own, _)| *own == name);
    own.map_or(name, |(_, usual)| usual)
}

/// Whether a name is one of SpreadsheetML's, which may end in `Than` ("greaterThan" is `Greater` here).
fn same(theirs: &str, own: &str) -> bool {
    theirs.eq_ignore_ascii_case(own)
        || theirs
            .strip_suffix("Than")
            .is_some_and(|theirs| theirs.eq_ignore_ascii_case(own))
}
