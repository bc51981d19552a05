//! Data validation (ECMA-376 part 1, 18.3.1.33). Reads nothing.

use super::reference;
use crate::{
    ooxml::escaped,
    shown::{
        book::Grid,
        validation::{KINDS, Message, OPERATORS, SEVERITIES, Validation},
    },
};
use std::fmt::Write as _;

/// Writes the rules of a sheet.
pub(super) fn write(grid: &Grid, out: &mut String) {
    if grid.validations.is_empty() {
        return;
    }
    let count = grid.validations.len();
    let _ = write!(out, "<dataValidations count=\"{count}\">");
    for rule in &grid.validations {
        self::rule(rule, out);
    }
    out.push_str("</dataValidations>");
}

/// Writes a rule with its attributes and formulas.
fn rule(rule: &Validation, out: &mut String) {
    let kind = KINDS.iter().find(|(_, kind)| *kind == rule.kind);
    let operator = OPERATORS
        .iter()
        .find(|(_, operator, _)| *operator == rule.operator);
    let severity = SEVERITIES
        .iter()
        .find(|(_, severity)| *severity == rule.severity);
    out.push_str("<dataValidation");
    let mut attribute = |name: &str, value: &str| {
        let _ = write!(out, " {name}=\"{}\"", escaped(value));
    };
    if let Some((kind, _)) = kind {
        attribute("type", kind);
    }
    if let Some((severity, _)) = severity.filter(|_| rule.severity != Default::default()) {
        attribute("errorStyle", severity);
    }
    if let Some((operator, ..)) = operator.filter(|_| rule.operator != Default::default()) {
        attribute("operator", operator);
    }
    let mut flag = |name: &str, is: bool| {
        if is {
            attribute(name, "1");
        }
    };
    flag("allowBlank", rule.allows_empty);
    flag("showDropDown", rule.hides_list);
    flag("showInputMessage", rule.prompt.is_some());
    flag("showErrorMessage", rule.error.is_some());
    let mut message = |message: &Option<Message>, title: &str, words: &str| {
        let Some(message) = message else {
            return;
        };
        for (name, value) in [(title, &message.title), (words, &message.text)] {
            if !value.is_empty() {
                attribute(name, value);
            }
        }
    };
    message(&rule.error, "errorTitle", "error");
    message(&rule.prompt, "promptTitle", "prompt");
    let ranges: Vec<String> = rule.ranges.iter().map(reference).collect();
    attribute("sqref", &ranges.join(" "));
    out.push('>');
    for (number, formula) in rule.formulas.iter().enumerate() {
        if let Some(formula) = formula {
            let number = number + 1;
            let _ = write!(
                out,
                "<formula{number}>{}</formula{number}>",
                escaped(formula)
            );
        }
    }
    out.push_str("</dataValidation>");
}
