//! Conditional formats of a sheet (ECMA-376 part 1, 18.3.1.18), and newer types of rules in its extensions (MS-XLSX
//! 2.6.3), whose elements have the same names. Rules are evaluated in [`conditions`].

use super::{
    cells::is_set,
    colours::Colours,
    styles::{self, Styles},
};
use crate::{
    containers::xml::Node,
    shown::{
        book::Range,
        conditions::{self, Axis, Bars, Expression, ExtendedBar, Limit, Part, Rule, Test},
        validation::OPERATORS,
    },
};
use convertd_office::drawing::{flag, number};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

/// Maximum number of rules of a sheet.
const MAX_RULES: usize = 4096;

/// Rules of a sheet.
#[derive(Default)]
pub(super) struct Rules {
    /// Rules that are supported.
    pub(super) rules: Vec<Rule>,
    /// Number of rules that are not supported.
    pub(super) left_out: usize,
    /// Indices of rules by the identifier that their extensions refer to.
    extended: HashMap<Box<str>, usize>,
}

/// Identifier that the extension of a rule refers to.
fn extension(rule: &Node<'_>) -> Option<Box<str>> {
    let mut all = rule
        .all_named("extLst")
        .flat_map(|list| list.all_named("ext"));
    let id = all.find_map(|one| one.all_named("id").next())?;
    Some(id.text.trim().into())
}

impl Rules {
    /// Adds the rules in the extensions of a sheet.
    pub(super) fn extended(&mut self, node: &Node<'_>, styles: &Styles) {
        let lists = node.all_named("conditionalFormattings");
        for one in lists.flat_map(|list| list.all_named("conditionalFormatting")) {
            self.add(one, styles);
        }
    }

    /// Adds the properties of an extension to the data bars of a rule.
    fn add_to_bars(&mut self, extension: &Node<'_>, styles: &Styles) {
        let rule = extension.attribute("id");
        let rule = rule.and_then(|id| self.extended.get(id.trim()));
        let bar = extension.all_named("dataBar").next();
        if let (Some(at), Some(bar)) = (rule, bar)
            && let Some(Rule {
                test: Test::Bars(bars),
                ..
            }) = self.rules.get_mut(*at)
        {
            let mut ends = limits(bar).map(|(limit, _)| limit);
            bars.low = ends.next().flatten().unwrap_or(bars.low);
            bars.high = ends.next().flatten().unwrap_or(bars.high);
            bars.later = Some(later(bar, &styles.colours));
        }
    }

    /// Adds the rules of a `conditionalFormatting` element.
    pub(super) fn add(&mut self, node: &Node<'_>, styles: &Styles) {
        let ranges = match node.attribute("sqref") {
            Some(ranges) => ranges.into_owned(),
            None => node
                .all_named("sqref")
                .next()
                .map_or(String::new(), |node| node.text.to_string()),
        };
        let ranges: Rc<[Range]> = ranges
            .split_ascii_whitespace()
            .take(1024)
            .filter_map(Range::parse)
            .collect();
        for rule in node.all_named("cfRule") {
            // Without a priority, a rule in an extension only extends the data bars of another rule.
            if rule.element.space == "x14" && rule.attribute("priority").is_none() {
                self.add_to_bars(rule, styles);
                continue;
            }
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
            let own = rule.all_named("dxf").next();
            let change =
                change.or_else(|| own.map(|own| styles::differential(own, &styles.colours)));
            if let Some(id) = extension(rule) {
                self.extended.insert(id, self.rules.len());
            }
            self.rules.push(Rule {
                ranges: ranges.clone(),
                priority: number(rule, "priority").unwrap_or(i64::MAX),
                stops: is_set(rule, "stopIfTrue"),
                test,
                change: change.map(|change| {
                    Box::new(move |style: &mut _| change.apply(style)) as conditions::Change
                }),
            });
        }
    }
}

/// Condition of a rule (18.18.12). `None` if its type is not supported, or a part is missing.
fn test(rule: &Node<'_>, colours: &Colours) -> Option<Test> {
    let mut formulas = rule
        .children
        .iter()
        .filter(|child| matches!(child.element.name, "formula" | "f"));
    let text = || Some(rule.attribute("text")?.to_lowercase());
    Some(match &*rule.attribute("type")? {
        "cellIs" => {
            let name = rule.attribute("operator")?;
            let (_, operator, _) = OPERATORS.iter().find(|(known, ..)| *known == name)?;
            let operands: Option<Vec<_>> = formulas
                .map(|formula| Expression::parse(&formula.text))
                .collect();
            Test::Is(*operator, operands?)
        }
        "expression" => Test::Formula(Expression::parse(&formulas.next()?.text)?),
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
            percent: is_set(rule, "percent"),
            bottom: is_set(rule, "bottom"),
        },
        "aboveAverage" => Test::Average {
            above: flag(rule, "aboveAverage").unwrap_or(true),
            equal: is_set(rule, "equalAverage"),
            deviations: number(rule, "stdDev").unwrap_or(0).clamp(0, 10) as f64,
        },
        "colorScale" => {
            let scale = rule.all_named("colorScale").next()?;
            let found = limits(scale).zip(scale.all_named("color"));
            let points: Vec<(Limit, Colour)> = found
                .filter_map(|((limit, _), colour)| Some((limit?, colours.read(colour)?)))
                .collect();
            (!points.is_empty()).then_some(Test::Scale(points))?
        }
        "dataBar" => {
            let bar = rule.all_named("dataBar").next()?;
            let mut ends = limits(bar);
            let mut own = bar.all_named("color").chain(bar.all_named("fillColor"));
            Test::Bars(Bars {
                low: ends.next()?.0?,
                high: ends.next()?.0?,
                colour: colours.read(own.next()?)?,
                hides_value: flag(bar, "showValue") == Some(false),
                later: (rule.element.space == "x14").then(|| later(bar, colours)),
            })
        }
        "iconSet" => {
            let set = rule.all_named("iconSet").next()?;
            let name = set.attribute("iconSet");
            let name = name.as_deref().unwrap_or("3TrafficLights1");
            let hides_value = flag(set, "showValue") == Some(false);
            Test::icons(name, limits(set), is_set(set, "reverse"), hides_value)?
        }
        _ => return None,
    })
}

/// Reads the properties that the extension adds to data bars.
fn later(bar: &Node<'_>, colours: &Colours) -> ExtendedBar {
    let mut kinds = bar.all_named("cfvo").map(|limit| limit.attribute("type"));
    let mut is_automatic = |kind: &str| kinds.next().flatten().as_deref() == Some(kind);
    let share = |name, default| number(bar, name).unwrap_or(default).clamp(0, 100) as f64 / 100.0;
    let colour = |name| colours.read(bar.all_named(name).next()?);
    ExtendedBar {
        automatic: [is_automatic("autoMin"), is_automatic("autoMax")],
        lengths: [share("minLength", 10), share("maxLength", 90)],
        negative: match is_set(bar, "negativeBarColorSameAsPositive") {
            true => None,
            false => colour("negativeFillColor"),
        },
        axis: Axis::of(&bar.attribute("axisPosition").unwrap_or_default()),
        axis_colour: colour("axisColor"),
        from_right: bar.attribute("direction").as_deref() == Some("rightToLeft"),
    }
}

/// Reads limits, each with a flag: whether a value equal to the limit reaches it. The limit is `None` if its type is
/// unknown, or if it needs a number but has a formula.
fn limits<'n>(node: &'n Node<'n>) -> impl Iterator<Item = (Option<Limit>, bool)> + use<'n> {
    node.all_named("cfvo").map(|node| {
        let value = node.attribute("val");
        let own = node.all_named("f").next();
        let value = value.or_else(|| own.map(|own| own.text.as_ref().into()));
        let value = value.and_then(|value| value.trim().parse::<f64>().ok());
        let value = value.filter(|value| value.is_finite());
        let limit = match node.attribute("type").as_deref() {
            Some("min" | "autoMin") => Some(Limit::Least),
            Some("max" | "autoMax") => Some(Limit::Most),
            Some("percent") => value.map(Limit::Percent),
            Some("percentile") => value.map(Limit::Percentile),
            Some("num" | "formula") => value.map(Limit::Number),
            _ => None,
        };
        (limit, flag(node, "gte").unwrap_or(true))
    })
}
