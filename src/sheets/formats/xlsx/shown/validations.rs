//! Data validation (ECMA-376 part 1, 18.3.1.32 and 18.3.1.33). Rules whose formulas refer to another sheet are in an
//! extension (MS-XLSX 2.6.6), whose elements have the same names. Checks no values.

use super::cells::is_set;
use crate::{
    containers::xml::Node,
    ooxml::unescape,
    shown::{
        book::{Grid, MAX_LIST, Range},
        validation::{KINDS, Message, OPERATORS, SEVERITIES, Validation},
    },
};

/// Maximum number of ranges of a rule.
const MAX_RANGES: usize = 4096;

/// Adds the rule of a `dataValidation` element.
pub(super) fn add(node: &Node<'_>, grid: &mut Grid) {
    if grid.validations.len() >= MAX_LIST {
        return;
    }
    let word = |name: &str| node.attribute(name).unwrap_or_default();
    let ranges = match node.attribute("sqref") {
        Some(ranges) => ranges.into_owned(),
        None => node
            .named("sqref")
            .map_or(String::new(), |node| node.text.to_string()),
    };
    let ranges = ranges.split_ascii_whitespace().take(MAX_RANGES);
    let ranges: Vec<_> = ranges.filter_map(Range::parse).collect();
    if ranges.is_empty() {
        return;
    }
    let kind = KINDS.iter().find(|(name, _)| *name == word("type"));
    let operator = OPERATORS
        .iter()
        .find(|(name, ..)| *name == word("operator"));
    let severity = SEVERITIES
        .iter()
        .find(|(name, _)| *name == word("errorStyle"));
    let message = |shows: &str, title: &str, text: &str| {
        let (title, text) = (word(title), word(text));
        is_set(node, shows).then(|| Message::of(&unescape(&title), &unescape(&text)))
    };
    grid.validations.push(Validation {
        ranges,
        kind: kind.map(|(_, kind)| *kind).unwrap_or_default(),
        operator: operator
            .map(|(_, operator, _)| *operator)
            .unwrap_or_default(),
        formulas: ["formula1", "formula2"].map(|name| formula(node, name)),
        allows_empty: is_set(node, "allowBlank"),
        // The attribute means the opposite of its name.
        hides_list: is_set(node, "showDropDown"),
        prompt: message("showInputMessage", "promptTitle", "prompt"),
        error: message("showErrorMessage", "errorTitle", "error"),
        severity: severity.map(|(_, severity)| *severity).unwrap_or_default(),
    });
}

/// Adds the rules in the extensions of a sheet.
pub(super) fn extended(node: &Node<'_>, grid: &mut Grid) {
    let lists = node
        .children
        .iter()
        .filter_map(|one| one.named("dataValidations"));
    for rule in lists.flat_map(|list| &list.children) {
        add(rule, grid);
    }
}

/// Reads a formula, which is in an element `f` of its own in extensions.
fn formula(node: &Node<'_>, name: &str) -> Option<Box<str>> {
    let node = node.named(name)?;
    let node = node.named("f").unwrap_or(node);
    (!node.text.is_empty()).then(|| node.text.chars().take(8192).collect())
}
