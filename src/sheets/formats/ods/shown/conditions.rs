//! Conditional formats: the list that LibreOffice writes in a table, and the maps of cell styles (OpenDocument 1.3,
//! part 3, 16.3), which all programs write. Rules are evaluated in [`conditions`].

use super::{lengths::colour, ranges::ranges, styles::Styles};
use crate::{
    cells::reference,
    containers::xml::Node,
    shown::{
        book::{Book, Grid, Range},
        conditions::{self, Axis, Bars, Expression, ExtendedBar, Limit, Part, Rule, Test, icons},
        formula::{from_open, shifted},
        validation::{OPERATORS, Operator},
    },
};
use convertd_tree::Colour;
use std::{collections::BTreeMap, rc::Rc};

/// Maximum number of rules of a sheet.
const MAX_RULES: usize = 4096;

/// Rules of a sheet.
#[derive(Default)]
pub(super) struct Rules {
    /// Rules that are supported.
    rules: Vec<Rule>,
    /// Number of rules that are not supported.
    left_out: usize,
    /// Whether the sheet has a list of rules. Such a list repeats the maps of the cell styles, so the maps are ignored.
    listed: bool,
}

impl Rules {
    /// Adds the rules of a `calcext:conditional-formats` element.
    pub(super) fn add(&mut self, node: &Node<'_>, styles: &Styles) {
        self.listed = true;
        for format in &node.children {
            let ranges = ranges(&word(format, "target-range-address"));
            let Some(first) = ranges.first().map(|range| range.first) else {
                continue;
            };
            let ranges: Rc<[Range]> = ranges.into();
            let conditions = format.children.iter();
            // Only the first of several conditions that are met counts.
            let several = conditions
                .filter(|one| one.element.name == "condition")
                .count()
                > 1;
            for one in &format.children {
                let (test, style) = match one.element.name {
                    "condition" => {
                        let from = base_offset(first, &word(one, "base-cell-address"));
                        (
                            condition(&word(one, "value"), from),
                            word(one, "apply-style-name"),
                        )
                    }
                    "color-scale" => (scale(one), String::new()),
                    "data-bar" => (bar(one), String::new()),
                    "icon-set" => (icon_set(one), String::new()),
                    _ => (None, String::new()),
                };
                self.push(
                    &ranges,
                    test,
                    several && !style.is_empty(),
                    styles.change(&style),
                );
            }
        }
    }

    /// Adds the rules from maps of cell styles, and applies all of them. Returns the number of rules that were left
    /// out.
    pub(super) fn apply(mut self, grid: &mut Grid, book: &Book, styles: &Styles) -> usize {
        if !self.listed {
            self.maps(grid, styles);
        }
        self.left_out + conditions::apply(self.rules, grid, book)
    }

    /// Converts the maps of cell styles (`style:map`) to rules. A rule applies to the cells with the style that has the
    /// map.
    fn maps(&mut self, grid: &Grid, styles: &Styles) {
        let maps = styles.maps();
        let mut places: BTreeMap<u32, Vec<Range>> = BTreeMap::new();
        for line in grid.rows.iter().filter(|_| !maps.is_empty()) {
            for cell in line
                .cells
                .iter()
                .filter(|cell| maps.contains_key(&cell.style))
            {
                let own = places.entry(cell.style).or_default();
                let at = (line.number, cell.column);
                // Neighbouring cells of a row become one range.
                match own.last_mut() {
                    Some(range) if range.last == (at.0, at.1.wrapping_sub(1)) => range.last = at,
                    _ => own.push(Range {
                        first: at,
                        last: at,
                    }),
                }
            }
        }
        for (style, ranges) in places {
            let Some(first) = ranges.first().map(|range| range.first) else {
                continue;
            };
            let ranges: Rc<[Range]> = ranges.into();
            for map in maps[&style] {
                let from = base_offset(first, &map.base);
                let content = map.condition.strip_prefix("cell-content()");
                let content = content.or_else(|| map.condition.strip_prefix("cell-content-is-"));
                let test = match map.condition.strip_prefix("is-true-formula(") {
                    Some(formula) => condition(&format!("formula-is({formula}"), from),
                    None => content.and_then(|content| condition(content, from)),
                };
                self.push(&ranges, test, true, styles.change(&map.style));
            }
        }
    }

    /// Adds a rule, or counts it as not supported.
    fn push(
        &mut self,
        ranges: &Rc<[Range]>,
        test: Option<Test>,
        stops: bool,
        change: Option<conditions::Change>,
    ) {
        let Some(test) = test.filter(|_| self.rules.len() < MAX_RULES) else {
            self.left_out += 1;
            return;
        };
        self.rules.push(Rule {
            ranges: ranges.clone(),
            priority: self.rules.len() as i64,
            stops,
            test,
            change,
        });
    }
}

/// Value of an attribute, or an empty text.
fn word(node: &Node<'_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().into_owned()
}

/// Distance, in rows and columns, of the first cell from the cell that the formulas are written for.
fn base_offset(first: (u32, u32), base: &str) -> (i64, i64) {
    let place = base.rsplit_once('.').map_or(base, |(_, place)| place);
    reference(place).map_or((0, 0), |(column, row)| {
        (
            i64::from(first.0) - i64::from(row),
            i64::from(first.1) - i64::from(column),
        )
    })
}

/// Parses a condition such as `>=5`, `between(1,[.B1])` or `formula-is(...)`.
fn condition(text: &str, from: (i64, i64)) -> Option<Test> {
    let text = text.trim();
    match text {
        "duplicate" => return Some(Test::Duplicate(true)),
        "unique" => return Some(Test::Duplicate(false)),
        "is-error" => return Some(Test::Error(true)),
        "is-no-error" => return Some(Test::Error(false)),
        "above-average" => return Some(average(true, false)),
        "below-average" => return Some(average(false, false)),
        "above-equal-average" => return Some(average(true, true)),
        "below-equal-average" => return Some(average(false, true)),
        _ => {}
    }
    let signs = OPERATORS.iter().filter(|(.., sign)| !sign.is_empty());
    for (_, operator, sign) in signs {
        if let Some(operand) = text.strip_prefix(sign) {
            return Some(Test::Is(*operator, vec![expression(operand, from)?]));
        }
    }
    let (name, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let rank = |percent, bottom| {
        let rank = arguments.trim().parse::<f64>().ok()?;
        let rank = rank.clamp(0.0, 1e6);
        Some(Test::Top {
            rank,
            percent,
            bottom,
        })
    };
    let part = |part| {
        Some(Test::Text(
            part,
            arguments.trim().trim_matches('"').to_lowercase(),
        ))
    };
    let two = |operator| {
        let ends = arguments
            .char_indices()
            .filter(|(_, c)| matches!(c, ',' | ';'));
        // The separator is the first comma or semicolon with a valid formula on each side, because both also occur in
        // texts and between arguments.
        let mut ends = ends.filter_map(|(at, _)| {
            let (low, high) = (
                expression(&arguments[..at], from)?,
                expression(&arguments[at + 1..], from)?,
            );
            Some(vec![low, high])
        });
        Some(Test::Is(operator, ends.next()?))
    };
    match name {
        "between" => two(Operator::Between),
        "not-between" => two(Operator::NotBetween),
        "top-elements" => rank(false, false),
        "bottom-elements" => rank(false, true),
        "top-percent" => rank(true, false),
        "bottom-percent" => rank(true, true),
        "begins-with" => part(Part::Begins),
        "ends-with" => part(Part::Ends),
        "contains-text" => part(Part::Contains),
        "not-contains-text" => part(Part::Lacks),
        "formula-is" => Some(Test::Formula(expression(arguments, from)?)),
        _ => None,
    }
}

/// Condition that compares with the average.
fn average(above: bool, equal: bool) -> Test {
    Test::Average {
        above,
        equal,
        deviations: 0.0,
    }
}

/// Parses a formula in the syntax of OpenFormula, and moves its relative references.
fn expression(formula: &str, (rows, columns): (i64, i64)) -> Option<Expression> {
    let formula = formula
        .trim()
        .trim_start_matches("of:")
        .trim_start_matches('=');
    let formula = from_open(&format!("={formula}"))?;
    Expression::parse(&shifted(&formula, rows, columns)?)
}

/// Reads a colour scale of LibreOffice's extension.
fn scale(node: &Node<'_>) -> Option<Test> {
    let entries = node.children.iter();
    let points: Option<Vec<(Limit, Colour)>> = entries
        .map(|entry| Some((limit(entry)?, colour(&word(entry, "color"))?)))
        .collect();
    points.filter(|points| !points.is_empty()).map(Test::Scale)
}

/// Reads data bars of LibreOffice's extension (`calcext:data-bar`).
fn bar(node: &Node<'_>) -> Option<Test> {
    let mut limits = node.children.iter().map(limit);
    let share = |name: &str, default: f64| {
        let percent = word(node, name).parse::<f64>().unwrap_or(default);
        percent.clamp(0.0, 100.0) / 100.0
    };
    let mut kinds = node.children.iter().map(|entry| word(entry, "type"));
    let mut is_automatic = |kind: &str| kinds.next().is_some_and(|own| own == kind);
    Some(Test::Bars(Bars {
        low: limits.next()??,
        high: limits.next()??,
        colour: colour(&word(node, "positive-color"))?,
        hides_value: word(node, "show-value") == "false",
        later: Some(ExtendedBar {
            automatic: [is_automatic("auto-minimum"), is_automatic("auto-maximum")],
            lengths: [share("min-length", 0.0), share("max-length", 100.0)],
            negative: colour(&word(node, "negative-color")),
            axis: Axis::of(&word(node, "axis-position")),
            axis_colour: colour(&word(node, "axis-color")),
            from_right: false,
        }),
    }))
}

/// Reads an icon set of LibreOffice's extension.
fn icon_set(node: &Node<'_>) -> Option<Test> {
    // The first icon has no limit of its own: it applies below the limit of the second one.
    let limits = node.children.iter().skip(1);
    let limits: Option<Vec<_>> = limits.map(|entry| Some((limit(entry)?, true))).collect();
    let limits = limits?;
    Some(Test::Icons {
        icons: icons(&word(node, "icon-set-type"), limits.len() + 1),
        limits,
        hides_value: word(node, "show-value") == "false",
    })
}

/// Reads a limit of a scale, of bars or of icons.
fn limit(node: &Node<'_>) -> Option<Limit> {
    let value = word(node, "value").trim().parse::<f64>().ok();
    let value = value.filter(|value| value.is_finite());
    match &*word(node, "type") {
        "minimum" | "auto-minimum" => Some(Limit::Least),
        "maximum" | "auto-maximum" => Some(Limit::Most),
        "percent" => value.map(Limit::Percent),
        "percentile" => value.map(Limit::Percentile),
        _ => value.map(Limit::Number),
    }
}
