//! Data validation (`x:DataValidation`). Its formulas are in R1C1 notation, without an equals sign. Checks no values.

use super::formula;
use crate::{
    containers::xml::Node,
    shown::{
        book::{Grid, MAX_LIST, Range, VALIDATIONS},
        validation::{KINDS, Message, OPERATORS, Severity, Validation},
    },
};

/// Maximum number of ranges of a rule.
const MAX_RANGES: usize = 4096;

/// Names that differ from those in SpreadsheetML by more than case.
const OWN_NAMES: [(&str, &str); 5] = [
    ("AnyValue", "none"),
    ("Less", "lessThan"),
    ("Greater", "greaterThan"),
    ("LessOrEqual", "lessThanOrEqual"),
    ("GreaterOrEqual", "greaterThanOrEqual"),
];

/// Adds the rule of an element. A rule that cannot be translated is noted as a loss.
pub(super) fn add(node: &Node<'_>, grid: &mut Grid) {
    match read(node) {
        Some(rule) if grid.validations.len() < MAX_LIST => grid.validations.push(rule),
        _ => _ = grid.unread.insert(VALIDATIONS),
    }
}

/// Reads a rule. Its references are translated as seen from its first cell.
fn read(node: &Node<'_>) -> Option<Validation> {
    let text = |name: &str| node.named(name).map(|node| node.text.trim());
    let has = |name: &str| node.named(name).is_some();
    let ranges = text("Range")?.split(',').take(MAX_RANGES);
    let ranges =
        ranges.map(|range| Range::parse(&formula::translated(&format!("={range}"), 0, 0)?));
    let ranges = ranges.collect::<Option<Vec<_>>>()?;
    let (row, column) = ranges.first()?.first;
    let seen = |name: &str| match text(name).filter(|formula| !formula.is_empty()) {
        Some(formula) => {
            formula::translated(&format!("={formula}"), row, column).map(|it| Some(it.into()))
        }
        None => Some(None),
    };
    // The minimum is the first operand, even if the operator needs only one.
    let formulas = match has("Value") {
        true => [seen("Value")?, None],
        false => [seen("Min")?, seen("Max")?],
    };
    let kind = in_spreadsheetml(text("Type").unwrap_or_default());
    let operator = in_spreadsheetml(text("Qualifier").unwrap_or_default());
    let message = |hidden: &str, title: &str, body: &str| {
        let words = |name: &str| text(name).unwrap_or_default();
        (!has(hidden)).then(|| Message::of(words(title), words(body)))
    };
    Some(Validation {
        ranges,
        kind: (KINDS.iter())
            .find(|(name, _)| name.eq_ignore_ascii_case(kind))?
            .1,
        operator: OPERATORS
            .iter()
            .find(|(name, ..)| name.eq_ignore_ascii_case(operator))
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

/// Translates a name to SpreadsheetML, except for case.
fn in_spreadsheetml(name: &str) -> &str {
    let own = OWN_NAMES.iter().find(|(own, _)| *own == name);
    own.map_or(name, |(_, default)| default)
}
