//! Conditional formats: evaluates the rules of a sheet and stores the resulting styles as overlays of its cells
//! (ECMA-376 part 1, 18.3.1.10).
//!
//! Rules act by priority over all ranges of a sheet. If two rules change the same property, the one with the higher
//! priority wins; therefore rules are applied from the lowest priority to the highest.

mod bars;
mod icons;

pub(crate) use super::compute::Expression;
use super::{
    book::{Book, Grid, Icon, Overlay, Range, Value},
    compute::{
        EvaluationContext, SingleSheet, cell_value as value,
        values::{holds, interpolated, lower as text, number, order},
    },
    style::{Fill, Style},
    validation::Operator,
};
use crate::job::Notes;
use convertd_tree::Colour;
use std::{
    cell::Cell,
    collections::{HashMap, HashSet, hash_map::Entry},
    rc::Rc,
};

pub(crate) use bars::{Axis, Bars, ExtendedBar};
pub(crate) use icons::icons;

/// Maximum number of cells that rules are evaluated for, over all rules of a sheet.
const MAX_TRIALS: usize = 4_000_000;

/// A rule with its ranges.
pub(crate) struct Rule {
    /// Cells that the rule applies to. Relative references count from the first cell of the first range.
    pub(crate) ranges: Rc<[Range]>,
    /// Rank among the rules of the sheet; 1 is the highest.
    pub(crate) priority: i64,
    /// Whether rules of lower priority are skipped for cells that meet this one.
    pub(crate) stops: bool,
    /// Condition, scale, bars or icons.
    pub(crate) test: Test,
    /// Change of the cell's style. Scales, bars and icons have none.
    pub(crate) change: Option<Change>,
}

/// A function that changes a style.
pub(crate) type Change = Box<dyn Fn(&mut Style)>;

/// Maximum number of cells and parts of formulas evaluated for all rules of a sheet.
const MAX_STEPS: u64 = 8_000_000;

/// Condition of a rule, or the scale that it draws.
pub(crate) enum Test {
    /// The value compares with one or two operands.
    Is(Operator, Vec<Expression>),
    /// The formula is true for the cell.
    Formula(Expression),
    /// The text contains, lacks, begins with or ends with another one, in lower case.
    Text(Part, String),
    /// The cell is blank, or is not (`false`).
    Blank(bool),
    /// The value is an error, or is not (`false`).
    Error(bool),
    /// The value is among the highest or lowest of the range.
    Top {
        /// Number of values, or their share in percent.
        rank: f64,
        percent: bool,
        bottom: bool,
    },
    /// The value is above or below the average of the range.
    Average {
        above: bool,
        /// Whether the limit itself counts, too.
        equal: bool,
        /// Distance of the limit from the average, in standard deviations.
        deviations: f64,
    },
    /// The value occurs more than once, or only once (`false`).
    Duplicate(bool),
    /// A colour scale: points in ascending order with their colours.
    Scale(Vec<(Limit, Colour)>),
    /// Data bars.
    Bars(Bars),
    /// An icon set.
    Icons {
        /// Lower limits of all icons but the first, each with a flag: whether a value equal to the limit gets the icon.
        limits: Vec<(Limit, bool)>,
        icons: Vec<Icon>,
        hides_value: bool,
    },
}

impl Test {
    /// Creates an icon set from its name in OOXML. `limits` has one entry for each icon: the limit, and whether a value
    /// equal to it gets the icon. The first entry is ignored, because the first icon has no lower limit. `None` if a
    /// limit is unknown.
    pub(crate) fn icons(
        name: &str,
        limits: impl IntoIterator<Item = (Option<Limit>, bool)>,
        reversed: bool,
        hides_value: bool,
    ) -> Option<Self> {
        let limits = limits.into_iter().skip(1);
        let limits: Option<Vec<_>> = limits.map(|(limit, equal)| Some((limit?, equal))).collect();
        let limits = limits?;
        let mut icons = icons(name, limits.len() + 1);
        if reversed {
            icons.reverse();
        }
        Some(Self::Icons {
            limits,
            icons,
            hides_value,
        })
    }
}

/// Relation of a text to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Contains the other text anywhere.
    Contains,
    /// Does not contain the other text.
    Lacks,
    /// Begins with the other text.
    Begins,
    /// Ends with the other text.
    Ends,
}

/// A point of a scale or a limit of bars and icons, before it is resolved to a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limit {
    /// The smallest number of the range.
    Least,
    /// The largest number of the range.
    Most,
    /// A fixed number.
    Number(f64),
    /// Percentage of the way from the smallest to the largest number.
    Percent(f64),
    /// Percentile of the numbers of the range.
    Percentile(f64),
}

/// Maximum number of cells of a sheet that meet rules.
const MAX_FOUND: usize = 500_000;

/// Applies rules to the cells of a sheet. Returns the number of rules that were not evaluated for all of their cells.
///
/// The first pass collects the rules that each cell meets, from the highest priority, because a rule may stop those
/// after it. The second pass changes the styles of these cells, from the lowest priority.
pub(crate) fn apply(mut rules: Vec<Rule>, grid: &mut Grid, book: &Book) -> usize {
    rules.sort_by_key(|rule| rule.priority);
    let (mut trials, mut left_out) = (MAX_TRIALS, 0);
    let mut found: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    let mut stopped: HashSet<(u32, u32)> = HashSet::new();
    let mut facts = Vec::new();
    let steps = Cell::new(MAX_STEPS);
    let alone = SingleSheet::new(grid);
    for (number, rule) in rules.iter().enumerate() {
        let Some(cells) = cells(grid, &rule.ranges, trials).filter(|_| found.len() < MAX_FOUND)
        else {
            left_out += 1;
            facts.push(Facts::default());
            continue;
        };
        trials -= cells.len();
        let own = Facts::of(grid, &cells);
        // Relative references of a rule are written for the upper left cell of its first range.
        let first = rule.ranges.first().map_or((0, 0), |range| range.first);
        for (row, column) in cells {
            let context = EvaluationContext {
                source: &alone,
                sheet: 0,
                at: (row, column),
                first,
                epoch: book.epoch,
                arrays: false,
                steps: &steps,
            };
            if stopped.contains(&(row, column)) || !rule.applies(grid, &context, &own) {
                continue;
            }
            found.entry((row, column)).or_default().push(number);
            if rule.stops {
                stopped.insert((row, column));
            }
        }
        left_out += usize::from(steps.get() == 0);
        facts.push(own);
    }
    let mut cache = StyleCache::default();
    for (place, numbers) in found {
        let own = grid.look(book, place.0, grid.row(place.0), place.1);
        let mut overlay = grid.overlays.remove(&place).unwrap_or_default();
        let number = number(value(grid, place.0, place.1));
        // From the lowest priority to the highest, so that later changes override earlier ones.
        let applied = || numbers.iter().rev().map(|at| (&rules[*at], &facts[*at]));
        for (rule, facts) in applied() {
            if let Some(number) = number {
                rule.sign(number, facts, &mut overlay);
            }
        }
        let colours = applied().map(|(rule, facts)| match (&rule.test, number) {
            (Test::Scale(points), Some(number)) => interpolate(points, number, facts),
            _ => None,
        });
        let colours: Vec<_> = colours.collect();
        overlay.style = Some(cache.changed(own, numbers, colours, &rules));
        grid.overlays.insert(place, overlay);
    }
    left_out
}

/// Key of a computed style: the original style by its address, the rules that act on it, and their scale colours.
type StyleKey = (*const Style, Vec<usize>, Vec<Option<Colour>>);

/// Cache of computed styles. Thousands of cells usually share a few combinations.
#[derive(Default)]
struct StyleCache {
    /// Computed style for each combination of an original style and changes.
    known: HashMap<StyleKey, Rc<Style>>,
    /// Keeps the original styles alive, because the cache compares addresses: a freed one could be reused for another
    /// style.
    own: Vec<Rc<Style>>,
}

impl StyleCache {
    /// Returns a style with the changes of rules. `numbers` are the indices of the rules, from the highest priority;
    /// `colours` are the colours of their scales, from the lowest.
    fn changed(
        &mut self,
        own: Rc<Style>,
        numbers: Vec<usize>,
        colours: Vec<Option<Colour>>,
        rules: &[Rule],
    ) -> Rc<Style> {
        match self.known.entry((Rc::as_ptr(&own), numbers, colours)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(slot) => {
                let mut style = (*own).clone();
                let (_, numbers, colours) = slot.key();
                for (at, colour) in numbers.iter().rev().zip(colours) {
                    if let Some(change) = &rules[*at].change {
                        change(&mut style);
                    }
                    style.fill = colour.map(|colour| Fill { colour }).or(style.fill);
                }
                self.own.push(own);
                slot.insert(Rc::new(style)).clone()
            }
        }
    }
}

/// Adds a note about rules that were left out.
pub(crate) fn add_notes(left_out: usize, notes: &mut Notes) {
    match left_out {
        0 => {}
        1 => notes.add("A conditional format cannot be computed, and was left out.".to_owned()),
        _ => notes.add(format!(
            "{left_out} conditional formats cannot be computed, and were left out."
        )),
    }
}

/// Cells of ranges that rules are evaluated for: all cells of small ranges, existing cells of larger ones. Ranges after
/// the 1024th are ignored. `None` if there would be more than `most` cells.
fn cells(grid: &Grid, ranges: &[Range], most: usize) -> Option<Vec<(u32, u32)>> {
    /// Ranges of at most this many cells are evaluated cell by cell, because rules may apply to empty cells, too.
    const SMALL: u64 = 20_000;
    let mut cells = Vec::new();
    for range in ranges.iter().take(1024) {
        let rows = u64::from(range.last.0.saturating_sub(range.first.0)) + 1;
        let columns = u64::from(range.last.1.saturating_sub(range.first.1)) + 1;
        if rows * columns <= SMALL {
            for row in range.first.0..=range.last.0 {
                cells.extend((range.first.1..=range.last.1).map(|column| (row, column)));
            }
        } else {
            let from = grid
                .rows
                .partition_point(|line| line.number < range.first.0);
            let lines = grid.rows[from..].iter();
            for line in lines.take_while(|line| line.number <= range.last.0) {
                let inside = |column: u32| (range.first.1..=range.last.1).contains(&column);
                let own = line.cells.iter().filter(|cell| inside(cell.column));
                cells.extend(own.map(|cell| (line.number, cell.column)));
            }
        }
        if cells.len() > most {
            return None;
        }
    }
    Some(cells)
}

/// Statistics over all cells of a rule's ranges.
#[derive(Default)]
struct Facts {
    /// All numbers, in ascending order.
    numbers: Vec<f64>,
    /// Mean of all numbers.
    mean: f64,
    /// Population standard deviation.
    deviation: f64,
    /// Number of occurrences of each value, as lower-case text.
    counts: HashMap<String, usize>,
}

impl Facts {
    /// Collects the statistics of some cells.
    fn of(grid: &Grid, cells: &[(u32, u32)]) -> Self {
        let values = cells.iter().map(|(row, column)| value(grid, *row, *column));
        let mut facts = Self::default();
        for value in values.filter(|value| !value.is_empty()) {
            facts.numbers.extend(number(value));
            *facts.counts.entry(text(value)).or_default() += 1;
        }
        facts.numbers.sort_by(f64::total_cmp);
        let count = facts.numbers.len().max(1) as f64;
        facts.mean = facts.numbers.iter().sum::<f64>() / count;
        let squares = facts
            .numbers
            .iter()
            .map(|number| (number - facts.mean).powi(2));
        facts.deviation = (squares.sum::<f64>() / count).sqrt();
        facts
    }

    /// Resolves a limit to a number.
    fn at(&self, limit: Limit) -> f64 {
        let first = self.numbers.first().copied().unwrap_or(0.0);
        let last = self.numbers.last().copied().unwrap_or(0.0);
        match limit {
            Limit::Least => first,
            Limit::Most => last,
            Limit::Number(number) => number,
            Limit::Percent(percent) => first + (last - first) * percent / 100.0,
            Limit::Percentile(percent) => {
                let at = (self.numbers.len().max(1) - 1) as f64 * percent.clamp(0.0, 100.0) / 100.0;
                interpolated(&self.numbers, at)
            }
        }
    }
}

impl Rule {
    /// Sets the bar or icon of a cell with this number, if the rule has any.
    fn sign(&self, number: f64, facts: &Facts, overlay: &mut Overlay) {
        match &self.test {
            Test::Bars(bars) => {
                overlay.bar = bars.of(number, facts);
                overlay.hides_value |= bars.hides_value;
            }
            Test::Icons {
                limits,
                icons,
                hides_value,
            } => {
                let passed = limits.iter().filter(|(limit, equal)| {
                    let limit = facts.at(*limit);
                    number > limit || *equal && number >= limit
                });
                overlay.icon = icons.get(passed.count()).copied();
                overlay.hides_value |= hides_value;
            }
            _ => {}
        }
    }

    /// Returns whether the rule applies to the cell at `context.at`. A formula that cannot be computed does not apply.
    fn applies(&self, grid: &Grid, context: &EvaluationContext<'_>, facts: &Facts) -> bool {
        let value = value(grid, context.at.0, context.at.1);
        match &self.test {
            Test::Is(operator, operands) => {
                let operands = operands.iter().map(|operand| context.value(operand));
                let operands: Result<Vec<Value>, _> = operands.collect();
                operands.is_ok_and(|operands| compare(*operator, value, &operands))
            }
            Test::Formula(formula) => context.is_true(formula).unwrap_or(false),
            Test::Text(part, wanted) => {
                let text = text(value);
                match part {
                    Part::Contains => text.contains(wanted),
                    Part::Lacks => !text.contains(wanted),
                    Part::Begins => text.starts_with(wanted),
                    Part::Ends => text.ends_with(wanted),
                }
            }
            Test::Blank(is) => text(value).trim().is_empty() == *is,
            Test::Error(is) => matches!(value, Value::Error(_)) == *is,
            Test::Top {
                rank,
                percent,
                bottom,
            } => number(value).is_some_and(|number| {
                let all = facts.numbers.len();
                let count = match percent {
                    // At least one value is in the top percentage, however few there are.
                    true => (all as f64 * rank / 100.0).floor().max(1.0) as usize,
                    false => *rank as usize,
                };
                let count = count.min(all);
                match (count, bottom) {
                    (0, _) => false,
                    (_, true) => number <= facts.numbers[count - 1],
                    (_, false) => number >= facts.numbers[all - count],
                }
            }),
            Test::Average {
                above,
                equal,
                deviations,
            } => number(value).is_some_and(|number| {
                let sign = if *above { 1.0 } else { -1.0 };
                let limit = facts.mean + sign * deviations * facts.deviation;
                let beyond = (number - limit) * sign;
                beyond > 0.0 || *equal && beyond == 0.0
            }),
            Test::Duplicate(is) => {
                let count = facts.counts.get(&text(value)).copied().unwrap_or(0);
                !value.is_empty() && (count > 1) == *is
            }
            Test::Scale(_) | Test::Bars(_) | Test::Icons { .. } => number(value).is_some(),
        }
    }
}

/// Compares a value with one operand, or with two for the range operators. The two may come in either order.
fn compare(operator: Operator, value: &Value, operands: &[Value]) -> bool {
    let order = |other: &Value| order(value, other);
    let Some(first) = operands.first().and_then(order) else {
        return false;
    };
    let second = operands.get(1).and_then(order);
    let inside = || {
        second.is_some_and(|second| {
            first.is_ge() && second.is_le() || first.is_le() && second.is_ge()
        })
    };
    match operator {
        Operator::Between => inside(),
        Operator::NotBetween => !inside(),
        one => holds(one, first),
    }
}

/// Interpolates the colour of a number on a colour scale. Numbers outside get the colour of the nearer end.
fn interpolate(points: &[(Limit, Colour)], number: f64, facts: &Facts) -> Option<Colour> {
    let points: Vec<(f64, Colour)> = points
        .iter()
        .map(|(limit, colour)| (facts.at(*limit), *colour))
        .collect();
    let (first, last) = (points.first()?, points.last()?);
    if number <= first.0 {
        return Some(first.1);
    }
    let above = points.iter().position(|(at, _)| number <= *at);
    let Some(above) = above.filter(|at| *at > 0) else {
        return Some(last.1);
    };
    let (low, high) = (points[above - 1], points[above]);
    let share = match high.0 > low.0 {
        true => (number - low.0) / (high.0 - low.0),
        false => 1.0,
    };
    Some(super::style::mixed(high.1, low.1, share as f32))
}
