//! Defined names of ranges and formulas (OpenDocument 1.3, part 3, 9.4.11). Computes nothing.

use crate::{
    coding::escape::escaped,
    containers::xml::Node,
    shown::{
        book::{Book, MAX_LIST, Name},
        formula::{from_open, to_open},
    },
};
use std::fmt::Write as _;

/// Name of a sheet as it is written in a reference, in quotation marks if necessary.
pub(super) fn quoted(sheet: &str) -> String {
    match sheet.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => sheet.to_owned(),
        false => format!("'{}'", sheet.replace('\'', "''")),
    }
}

/// Adds a `table:named-range` or `table:named-expression`. `sheet` is the sheet that the name is local to.
pub(super) fn add(node: &Node<'_>, sheet: Option<usize>, names: &mut Vec<Name>) {
    let word = |name: &str| node.attribute(name).unwrap_or_default();
    let formula = match node.element.name {
        "named-range" => format!("=[{}]", word("cell-range-address")),
        "named-expression" => {
            let expression = word("expression");
            let plain = expression.trim_start_matches("of:");
            format!("={}", plain.strip_prefix('=').unwrap_or(plain))
        }
        _ => return,
    };
    let (name, formula) = (word("name"), from_open(&formula));
    if let Some(formula) = formula.filter(|_| names.len() < MAX_LIST && !name.is_empty()) {
        names.push(Name {
            name: name.chars().take(255).collect(),
            sheet,
            formula: formula.into(),
        });
    }
}

/// Appends the names that are local to a sheet, or those of the whole workbook. Returns the number of names that
/// cannot be translated.
pub(super) fn write(book: &Book, sheet: Option<usize>, out: &mut String) -> usize {
    let own: Vec<&Name> = book
        .names
        .iter()
        .filter(|name| name.sheet == sheet)
        .collect();
    let Some(grid) = book
        .grids
        .get(sheet.unwrap_or(0))
        .filter(|_| !own.is_empty())
    else {
        return 0;
    };
    // Relative references in the formulas count from this cell.
    let base = escaped(&format!("${}.$A$1", quoted(grid.sheet.name())));
    let mut lost = 0;
    out.push_str("<table:named-expressions>");
    for name in own {
        let Some(open) = to_open(&name.formula) else {
            lost += 1;
            continue;
        };
        let inner = open
            .strip_prefix('[')
            .and_then(|open| open.strip_suffix(']'));
        // The address in a `named-range` must contain the sheet, so an address such as `.A1` becomes an expression.
        let range = inner.filter(|inner| !inner.contains(['[', ']']) && !inner.starts_with('.'));
        let (element, attribute, value) = match range {
            Some(range) => ("named-range", "cell-range-address", range.to_owned()),
            None => ("named-expression", "expression", format!("of:={open}")),
        };
        let _ = write!(
            out,
            "<table:{element} table:name=\"{}\" table:base-cell-address=\"{base}\" table:{attribute}=\"{}\"/>",
            escaped(&name.name),
            escaped(&value)
        );
    }
    out.push_str("</table:named-expressions>");
    lost
}
