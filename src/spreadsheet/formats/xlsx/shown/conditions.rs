//! Conditional formats of a sheet (ECMA-376 part 1, 18.3.1.18). Applies none: see
//! [`conditions`](crate::spreadsheet::shown::conditions).

use super::{
    cells::says,
    colours::Colours,
    styles::{Change, Styles},
};
use crate::{
    containers::xml::Node,
    document::tree::Colour,
    office::drawing::{flag, number},
    spreadsheet::{
        cells::{reference, span},
        shown::{
            book::{Icon, Range},
            conditions::{self, Limit, Operand, Operator, Part, Rule, Test},
        },
    },
};
use std::rc::Rc;

/// The limit on rules of a sheet.
const MAX_RULES: usize = 4096;

/// The rules of a sheet, and how many are not understood.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) left_out: usize,
}

impl Rules {
    /// Adds those of a `conditionalFormatting`.
    pub(super) fn add(&mut self, node: &Node<'_>, styles: &Styles) {
        let ranges = node.attribute("sqref").unwrap_or_default();
        let ranges: Rc<[Range]> = ranges
            .split_ascii_whitespace()
            .take(1024)
            .filter_map(range)
            .collect();
        for rule in node.children.iter().filter(|child| child.is("s", "cfRule")) {
            if self.rules.len() >= MAX_RULES {
                self.left_out += 1;
                continue;
            }
            let Some(test) = test(rule, &styles.colours) else {
                self.left_out += 1;
                continue;
            };
            let change = number(rule, "dxfId").and_then(|id| usize::try_from(id).ok());
            let change = change.and_then(|id| styles.changes.get(id)).cloned();
            self.rules.push(Rule {
                ranges: ranges.clone(),
                priority: number(rule, "priority").unwrap_or(i64::MAX),
                stops: says(rule, "stopIfTrue"),
                test,
                change: change.map(|change: Change| {
                    Box::new(move |style: &mut _| change.apply(style)) as conditions::Change
                }),
            });
        }
    }
}

fn range(text: &str) -> Option<Range> {
    let (rows, columns) = span(text)?;
    let rows = rows.unwrap_or((0, 1_048_575));
    let columns = columns.unwrap_or((0, 16_383));
    Some(Range {
        first: (rows.0, columns.0),
        last: (rows.1, columns.1),
    })
}

fn test(rule: &Node<'_>, colours: &Colours) -> Option<Test> {
    let formulas = rule
        .children
        .iter()
        .filter(|child| child.is("s", "formula"));
    let text = || Some(rule.attribute("text")?.to_lowercase());
    Some(match &*rule.attribute("type")? {
        "cellIs" => {
            let operator = match &*rule.attribute("operator")? {
                "lessThan" => Operator::Less,
                "lessThanOrEqual" => Operator::LessOrEqual,
                "equal" => Operator::Equal,
                "notEqual" => Operator::NotEqual,
                "greaterThanOrEqual" => Operator::GreaterOrEqual,
                "greaterThan" => Operator::Greater,
                "between" => Operator::Between,
                "notBetween" => Operator::NotBetween,
                _ => return None,
            };
            let operands: Option<Vec<_>> = formulas.map(|formula| operand(&formula.text)).collect();
            Test::Is(operator, operands?)
        }
        "containsText" => Test::Text(Part::Contains, text()?),
        "notContainsText" => Test::Text(Part::Lacks, text()?),
        "beginsWith" => Test::Text(Part::Begins, text()?),
        "endsWith" => Test::Text(Part::Ends, text()?),
        "containsBlanks" => Test::Blank(true),
        "notContainsBlanks" => Test::Blank(false),
        "containsErrors" => Test::Error(true),
        "notContainsErrors" => Test::Error(false),
        "duplicateValues" => Test::Duplicate(true),
        "uniqueValues" => Test::Duplicate(false),
        "top10" => Test::Top {
            rank: number(rule, "rank").unwrap_or(10).clamp(0, 1_000_000) as f64,
            percent: says(rule, "percent"),
            bottom: says(rule, "bottom"),
        },
        "aboveAverage" => Test::Average {
            above: flag(rule, "aboveAverage").unwrap_or(true),
            equal: says(rule, "equalAverage"),
            deviations: number(rule, "stdDev").unwrap_or(0).clamp(0, 10) as f64,
        },
        "colorScale" => {
            let scale = rule.child("s", "colorScale")?;
            let found = limits(scale).zip(named(scale, "color"));
            let points: Vec<(Limit, Colour)> = found
                .filter_map(|((limit, _), colour)| Some((limit?, colours.read(colour)?)))
                .collect();
            (!points.is_empty()).then_some(Test::Scale(points))?
        }
        "dataBar" => {
            let bar = rule.child("s", "dataBar")?;
            let mut ends = limits(bar);
            Test::Bar {
                low: ends.next()?.0?,
                high: ends.next()?.0?,
                colour: colours.read(bar.child("s", "color")?)?,
                hides_value: flag(bar, "showValue") == Some(false),
            }
        }
        "iconSet" => {
            let set = rule.child("s", "iconSet")?;
            let limits: Option<Vec<_>> = limits(set)
                .skip(1)
                .map(|(limit, equal)| Some((limit?, equal)))
                .collect();
            let limits = limits?;
            let name = set.attribute("iconSet");
            let mut icons = icons(
                name.as_deref().unwrap_or("3TrafficLights1"),
                limits.len() + 1,
            );
            if says(set, "reverse") {
                icons.reverse();
            }
            Test::Icons {
                limits,
                icons,
                hides_value: flag(set, "showValue") == Some(false),
            }
        }
        _ => return None,
    })
}

fn named<'n>(node: &'n Node<'n>, name: &'n str) -> impl Iterator<Item = &'n Node<'n>> {
    node.children
        .iter()
        .filter(move |child| child.is("s", name))
}

/// The limits of a scale, each with whether a value equal to it is above it. `None` for one that needs a formula.
fn limits<'n>(node: &'n Node<'n>) -> impl Iterator<Item = (Option<Limit>, bool)> + use<'n> {
    named(node, "cfvo").map(|node| {
        let value = node.attribute("val");
        let value = value.and_then(|value| value.trim().parse::<f64>().ok());
        let value = value.filter(|value| value.is_finite());
        let limit = match node.attribute("type").as_deref() {
            Some("min") => Some(Limit::Least),
            Some("max") => Some(Limit::Most),
            Some("percent") => value.map(Limit::Percent),
            Some("percentile") => value.map(Limit::Percentile),
            Some("num" | "formula") => value.map(Limit::Number),
            _ => None,
        };
        (limit, flag(node, "gte").unwrap_or(true))
    })
}

/// A constant, or the reference of a cell.
fn operand(formula: &str) -> Option<Operand> {
    let formula = formula.trim().trim_start_matches('=');
    if let Ok(number) = formula.parse::<f64>() {
        return number.is_finite().then_some(Operand::Number(number));
    }
    if let Some(text) = formula
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    {
        return Some(Operand::Text(text.replace("\"\"", "\"")));
    }
    let (column, row) = reference(formula)?;
    let dollar_column = formula.starts_with('$');
    let dollar_row = formula.get(1..)?.contains('$');
    Some(Operand::Cell((row, dollar_row), (column, dollar_column)))
}

const RED: Colour = Colour(0xd6, 0x4a, 0x3f);
const AMBER: Colour = Colour(0xe8, 0xa3, 0x3d);
const GREEN: Colour = Colour(0x4e, 0xa7, 0x5c);
const GREY: Colour = Colour(0x7f, 0x7f, 0x7f);

/// The icons of a set, from the lowest to the highest.
fn icons(name: &str, count: usize) -> Vec<Icon> {
    let grey = name.contains("Gray") || name == "5Quarters" || name.ends_with("Rating");
    let shapes: &[char] = match name {
        "3Arrows" | "3ArrowsGray" | "3Triangles" => &['▼', '►', '▲'],
        "4Arrows" | "4ArrowsGray" => &['▼', '►', '►', '▲'],
        "5Arrows" | "5ArrowsGray" => &['▼', '▼', '►', '▲', '▲'],
        "3Symbols" | "3Symbols2" => &['×', '!', '√'],
        _ => &['●'],
    };
    let colours: &[Colour] = match count {
        _ if grey => &[GREY],
        0..=3 => &[RED, AMBER, GREEN],
        4 => &[RED, AMBER, AMBER, GREEN],
        _ => &[RED, AMBER, AMBER, GREEN, GREEN],
    };
    let nth = |at: usize, all: usize| at.min(all - 1);
    (0..count)
        .map(|at| Icon {
            shape: shapes[nth(at, shapes.len())],
            colour: colours[nth(at, colours.len())],
        })
        .collect()
}
