//! Data validation (OpenDocument 1.3, part 3, 9.4.5): conditions such as `of:cell-content-is-whole-number() and
//! cell-content-is-between(1,5)` are parsed and written. Checks no values.

use crate::{
    cells::letters,
    coding::escape::escaped,
    containers::xml::Node,
    shown::{
        book::{Grid, MAX_LIST, Range, VALIDATIONS},
        formula::{from_open, shifted, to_open},
        validation::{Kind, Message, OPERATORS, Operator, SEVERITIES, Validation},
    },
};
use std::{collections::HashMap, fmt::Write as _};

/// Functions that require a type of value.
const KINDS: [(&str, Kind); 4] = [
    ("cell-content-is-whole-number()", Kind::Whole),
    ("cell-content-is-decimal-number()", Kind::Decimal),
    ("cell-content-is-date()", Kind::Date),
    ("cell-content-is-time()", Kind::Time),
];

/// Function of a list of permitted values.
const LIST: &str = "cell-content-is-in-list(";
/// Function of a formula that must be true.
const FORMULA: &str = "is-true-formula(";
/// Beginning of a comparison with the length of the text.
const LENGTH: &str = "cell-content-text-length";
/// Beginning of a comparison with the value.
const CONTENT: &str = "cell-content";

/// Rules by name, each with the cell that its formulas are written for.
#[derive(Default)]
pub(super) struct Rules(HashMap<String, (Validation, Option<(u32, u32)>)>);

impl Rules {
    /// Adds a `table:content-validation`. A rule whose condition is not supported is dropped.
    pub(super) fn add(&mut self, node: &Node<'_>) {
        if self.0.len() >= MAX_LIST {
            return;
        }
        let mut rule = Validation {
            allows_empty: word(node, "allow-empty-cell") != "false",
            hides_list: word(node, "display-list") == "none",
            ..Validation::default()
        };
        let condition = word(node, "condition");
        let condition = condition
            .trim_start_matches("of:")
            .trim_start_matches("oooc:");
        if self::condition(condition, &mut rule).is_none() {
            return;
        }
        for child in &node.children {
            let message = Message::of(&word(child, "title"), &paragraphs(child));
            let shows = word(child, "display") == "true";
            match child.element.name {
                "help-message" => rule.prompt = shows.then_some(message),
                "error-message" => {
                    let kind = word(child, "message-type");
                    let known = SEVERITIES.iter().find(|(name, _)| *name == kind);
                    rule.severity = known.map(|(_, severity)| *severity).unwrap_or_default();
                    rule.error = shows.then_some(message);
                }
                _ => {}
            }
        }
        let base = word(node, "base-cell-address");
        let base = base.rsplit_once('.').map_or(&*base, |(_, place)| place);
        let base = crate::cells::reference(base).map(|(column, row)| (row, column));
        self.0.insert(word(node, "name").into_owned(), (rule, base));
    }

    /// Adds these rules to a sheet. `ranges` are those of each rule.
    pub(super) fn apply(&self, ranges: RuleRanges, grid: &mut Grid) {
        for (name, ranges) in ranges.0 {
            let Some((rule, base)) = self.0.get(&name) else {
                continue;
            };
            let mut rule = rule.clone();
            if let (Some(base), Some(first)) = (base, ranges.first()) {
                let rows = i64::from(first.first.0) - i64::from(base.0);
                let columns = i64::from(first.first.1) - i64::from(base.1);
                let mut formulas = rule.formulas.iter_mut().flatten();
                let are_moved = formulas.all(|formula| match shifted(formula, rows, columns) {
                    Some(moved) => {
                        *formula = moved.into();
                        true
                    }
                    None => false,
                });
                if !are_moved {
                    grid.unread.insert(VALIDATIONS);
                    continue;
                }
            }
            rule.ranges = ranges;
            grid.validations.push(rule);
        }
        grid.validations
            .sort_by_key(|rule| rule.ranges.first().map(|range| range.first));
    }
}

/// Ranges of a sheet's rules by name, and the total number of ranges.
#[derive(Default)]
pub(super) struct RuleRanges(HashMap<String, Vec<Range>>, usize);

impl RuleRanges {
    /// Adds cells that refer to a rule. Cells below a range with the same columns extend it, so that rules of whole
    /// columns stay single ranges.
    pub(super) fn add(&mut self, name: &str, range: Range) {
        let Some(ranges) = self.0.get_mut(name) else {
            if self.1 < MAX_LIST {
                self.1 += 1;
                self.0.insert(name.to_owned(), vec![range]);
            }
            return;
        };
        let columns = (range.first.1, range.last.1);
        let above = ranges.iter_mut().rev().take(64).find(|above| {
            (above.first.1, above.last.1) == columns && above.last.0 + 1 == range.first.0
        });
        match above {
            Some(above) => above.last.0 = range.last.0,
            None if self.1 < MAX_LIST => {
                self.1 += 1;
                ranges.push(range);
            }
            None => {}
        }
    }
}

/// Value of an attribute, or an empty text.
fn word<'n>(node: &Node<'n>, name: &str) -> std::borrow::Cow<'n, str> {
    node.attribute(name).unwrap_or_default()
}

/// Text of the paragraphs of a message.
fn paragraphs(node: &Node<'_>) -> String {
    let lines = node.children.iter().filter(|child| child.is("text", "p"));
    let lines: Vec<String> = lines.map(|line| line.text.to_string()).collect();
    lines.join("\n")
}

/// Parses a condition into a rule. `None` if it is not supported.
fn condition(text: &str, rule: &mut Validation) -> Option<()> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Some(());
    }
    let formula = |text: &str| from_open(&format!("={}", text.trim())).map(Into::into);
    if let Some(list) = rest.strip_prefix(LIST) {
        rule.kind = Kind::List;
        let list = list.strip_suffix(')')?;
        let parts = split(list, ';');
        // A literal list becomes one quoted text with commas, so its entries must not contain commas. Any other list is
        // a formula.
        let words = parts.iter().map(|part| {
            let word = part.trim().strip_prefix('"')?.strip_suffix('"')?;
            (!word.contains(',')).then_some(word)
        });
        rule.formulas[0] = match words.collect::<Option<Vec<_>>>() {
            Some(words) => Some(format!("\"{}\"", words.join(",")).into()),
            None => Some(formula(list)?),
        };
        return Some(());
    }
    if let Some(own) = rest.strip_prefix(FORMULA) {
        rule.kind = Kind::Formula;
        rule.formulas[0] = Some(formula(own.strip_suffix(')')?)?);
        return Some(());
    }
    for (name, kind) in KINDS {
        if let Some(after) = rest.strip_prefix(name) {
            rule.kind = kind;
            rest = after.trim_start();
            rest = rest.strip_prefix("and").unwrap_or(rest).trim_start();
        }
    }
    if let Some(after) = rest.strip_prefix(LENGTH) {
        rule.kind = Kind::Length;
        rest = after;
    } else {
        rest = rest.strip_prefix(CONTENT).unwrap_or(rest);
    }
    if rest.is_empty() {
        return Some(());
    }
    let between = [
        ("-is-between(", Operator::Between),
        ("-is-not-between(", Operator::NotBetween),
    ];
    for (name, operator) in between {
        if let Some(both) = rest.strip_prefix(name) {
            let both = both.strip_suffix(')')?;
            let mut parts = split(both, ',');
            // Some programs separate the operands by semicolons, as in other functions.
            if parts.len() < 2 {
                parts = split(both, ';');
            }
            let [first, second] = parts[..] else {
                return None;
            };
            rule.operator = operator;
            rule.formulas = [Some(formula(first)?), Some(formula(second)?)];
            return Some(());
        }
    }
    let rest = rest.strip_prefix("()")?.trim_start();
    let signs = OPERATORS.iter().filter(|(.., sign)| !sign.is_empty());
    let mut found =
        signs.filter_map(|(_, operator, sign)| Some((operator, rest.strip_prefix(sign)?)));
    let (operator, value) = found.next()?;
    rule.operator = *operator;
    rule.formulas[0] = Some(formula(value)?);
    Some(())
}

/// Splits a text at separators outside of quotation marks and brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    let (mut double, mut single) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' if !single => double = !double,
            '\'' if !double => single = !single,
            _ if double || single => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if character == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Name of a written rule, from the indices of its sheet and of the rule in it.
pub(super) fn name(sheet: usize, rule: usize) -> String {
    format!("val{sheet}_{rule}")
}

/// Appends the rules of a sheet, whose name in references is `quoted`. Returns the number of rules that cannot be
/// translated.
pub(super) fn write(grid: &Grid, sheet: usize, quoted: &str, out: &mut String) -> usize {
    let mut lost = 0;
    for (number, rule) in grid.validations.iter().enumerate() {
        let Some(condition) = written(rule) else {
            lost += 1;
            continue;
        };
        let _ = write!(
            out,
            "<table:content-validation table:name=\"{}\"",
            name(sheet, number)
        );
        if !condition.is_empty() {
            let _ = write!(out, " table:condition=\"of:{}\"", escaped(&condition));
        }
        let (row, column) = rule.ranges.first().map_or((0, 0), |range| range.first);
        let base = format!("{quoted}.{}{}", letters(column), row + 1);
        let list = if rule.hides_list { "none" } else { "unsorted" };
        let _ = write!(
            out,
            " table:allow-empty-cell=\"{}\" table:display-list=\"{list}\" table:base-cell-address=\"{}\">",
            rule.allows_empty,
            escaped(&base)
        );
        let severity = SEVERITIES
            .iter()
            .find(|(_, severity)| *severity == rule.severity);
        let kind = format!(
            " table:message-type=\"{}\"",
            severity.map_or("stop", |(name, _)| name)
        );
        for (element, message, kind) in [
            ("help-message", &rule.prompt, ""),
            ("error-message", &rule.error, &kind),
        ] {
            let default = Message::default();
            let shown = message.as_ref().unwrap_or(&default);
            let _ = write!(
                out,
                "<table:{element} table:title=\"{}\" table:display=\"{}\"{kind}><text:p>",
                escaped(&shown.title),
                message.is_some()
            );
            super::write::paragraphs(&shown.text, out);
            let _ = write!(out, "</text:p></table:{element}>");
        }
        out.push_str("</table:content-validation>");
    }
    lost
}

/// Condition of a rule. `None` if its formulas cannot be translated.
fn written(rule: &Validation) -> Option<String> {
    let value = |number: usize| to_open(rule.formulas[number].as_deref()?);
    let (subject, mut text) = match rule.kind {
        Kind::Any => return Some(String::new()),
        Kind::List => {
            let list = rule.formulas[0].as_deref()?;
            let plain = list
                .strip_prefix('"')
                .and_then(|list| list.strip_suffix('"'));
            let list = match plain {
                Some(words) => {
                    let words = words.split(',').map(|word| format!("\"{}\"", word.trim()));
                    words.collect::<Vec<_>>().join(";")
                }
                None => value(0)?,
            };
            return Some(format!("{LIST}{list})"));
        }
        Kind::Formula => return Some(format!("{FORMULA}{})", value(0)?)),
        Kind::Length => (LENGTH, String::new()),
        kind => {
            let name = KINDS.iter().find(|(_, known)| *known == kind)?.0;
            (CONTENT, format!("{name} and "))
        }
    };
    text += subject;
    let sign = OPERATORS
        .iter()
        .find(|(_, operator, _)| *operator == rule.operator)?
        .2;
    text += &match rule.operator {
        Operator::Between => format!("-is-between({},{})", value(0)?, value(1)?),
        Operator::NotBetween => format!("-is-not-between({},{})", value(0)?, value(1)?),
        _ => format!("(){sign}{}", value(0)?),
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_whose_references_leave_the_sheet_are_left_out() {
        let rule = Validation {
            formulas: [Some("A1".into()), None],
            ..Validation::default()
        };
        let rules = Rules(HashMap::from([("r".to_owned(), (rule, Some((5, 0))))]));
        let mut ranges = RuleRanges::default();
        let place = (2, 0);
        ranges.add(
            "r",
            Range {
                first: place,
                last: place,
            },
        );
        let mut grid = Grid::default();
        rules.apply(ranges, &mut grid);
        assert_eq!(grid.validations, []);
        assert!(grid.unread.contains("data validation"));
    }

    #[test]
    fn conditions_survive_a_round_trip() {
        #[track_caller]
        fn check(kind: Kind, operator: Operator, formulas: [&str; 2], expected: &str) {
            let formula = |text: &str| (!text.is_empty()).then(|| text.into());
            let rule = Validation {
                kind,
                operator,
                formulas: formulas.map(formula),
                ..Validation::default()
            };
            assert_eq!(written(&rule).as_deref(), Some(expected));
            let mut back = Validation::default();
            condition(expected, &mut back).unwrap();
            assert_eq!(back, rule);
        }
        let (between, list) = (Operator::Between, Kind::List);
        check(
            list,
            between,
            ["\"a,b c\"", ""],
            "cell-content-is-in-list(\"a\";\"b c\")",
        );
        check(
            list,
            between,
            ["$A$1:$A$9", ""],
            "cell-content-is-in-list([.$A$1:.$A$9])",
        );
        let whole = "cell-content-is-whole-number() and cell-content";
        check(
            Kind::Whole,
            between,
            ["1", "MAX(A1,5)"],
            &format!("{whole}-is-between(1,MAX([.A1];5))"),
        );
        check(
            Kind::Whole,
            Operator::LessOrEqual,
            ["5", ""],
            &format!("{whole}()<=5"),
        );
        check(
            Kind::Length,
            Operator::Greater,
            ["3", ""],
            "cell-content-text-length()>3",
        );
        check(
            Kind::Length,
            Operator::NotBetween,
            ["3", "4"],
            "cell-content-text-length-is-not-between(3,4)",
        );
        check(
            Kind::Formula,
            between,
            ["A1>B1", ""],
            "is-true-formula([.A1]>[.B1])",
        );
        check(Kind::Any, between, ["", ""], "");
        assert_eq!(condition("something()", &mut Validation::default()), None);
    }
}
