//! Conditional formats: which cells they apply to, and what they look like then (ECMA-376 part 1, 18.3.1.10).
//!
//! Rules act by their priority, over all ranges of a sheet. Of two rules that change the same part of a look, the first one counts, so
//! they are applied from the last to the first.

mod bars;
mod icons;

pub(crate) use super::compute::Expression;
use super::{
    book::{Book, Grid, Icon, Overlay, Range, Value},
    compute::{
        Alone, Sight, cell_value as value,
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

pub(crate) use bars::{Axis, Bars, Later};
pub(crate) use icons::icons;

/// The limit on cells that rules are tried on, all rules together.
const MAX_TRIALS: usize = 4_000_000;

/// A rule with its ranges.
pub(crate) struct Rule {
    pub(crate) ranges: Rc<[Range]>,
    pub(crate) priority: i64,
    pub(crate) stops: bool,
    pub(crate) test: Test,
    /// Its change to the look of a cell.
    pub(crate) change: Option<Change>,
}

/// Changes a look.
pub(crate) type Change = Box<dyn Fn(&mut Style)>;

/// The limit on the cells and parts that are looked at for all formulas of a sheet's rules.
const MAX_STEPS: u64 = 8_000_000;

/// When a rule applies.
pub(crate) enum Test {
    /// The value is compared with one or two others.
    Is(Operator, Vec<Expression>),
    /// A formula is true.
    Formula(Expression),
    /// The text holds another one.
    Text(Part, String),
    Blank(bool),
    Error(bool),
    /// It is among the first or last of all: how many, or how many percent.
    Top {
        rank: f64,
        percent: bool,
        bottom: bool,
    },
    Average {
        above: bool,
        equal: bool,
        deviations: f64,
    },
    /// It occurs more than once, or only once.
    Duplicate(bool),
    Scale(Vec<(Limit, Colour)>),
    Bars(Bars),
    Icons {
        /// Limits from the second icon on, each with whether a value equal to it gets the icon.
        limits: Vec<(Limit, bool)>,
        icons: Vec<Icon>,
        hides_value: bool,
    },
}

impl Test {
    /// A set of icons by its name. Each limit comes with whether a value equal to it gets the icon; that of the first one says
    /// nothing. `None` if another is not known.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Contains,
    Lacks,
    Begins,
    Ends,
}

/// A point of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limit {
    Least,
    Most,
    Number(f64),
    Percent(f64),
    Percentile(f64),
}

/// The limit on cells of a sheet whose look depends on rules.
const MAX_FOUND: usize = 500_000;

/// Applies rules to the cells of a sheet. Returns how many of them were not tried on all cells.
pub(crate) fn apply(mut rules: Vec<Rule>, grid: &mut Grid, book: &Book) -> usize {
    rules.sort_by_key(|rule| rule.priority);
    let (mut trials, mut left_out) = (MAX_TRIALS, 0);
    let mut found: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    let mut stopped: HashSet<(u32, u32)> = HashSet::new();
    let mut facts = Vec::new();
    let steps = Cell::new(MAX_STEPS);
    let alone = Alone::new(grid);
    for (number, rule) in rules.iter().enumerate() {
        let Some(cells) = cells(grid, &rule.ranges, trials).filter(|_| found.len() < MAX_FOUND)
        else {
            left_out += 1;
            facts.push(Facts::default());
            continue;
        };
        trials -= cells.len();
        let own = Facts::of(grid, &cells);
        let first = rule.ranges.first().map_or((0, 0), |range| range.first);
        for (row, column) in cells {
            let sight = Sight {
                source: &alone,
                sheet: 0,
                at: (row, column),
                first,
                epoch: book.epoch,
                arrays: false,
                steps: &steps,
            };
            if stopped.contains(&(row, column)) || !rule.holds(grid, &sight, &own) {
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
    let mut looks = Looks::default();
    for (place, numbers) in found {
        let own = grid.look(book, place.0, grid.row(place.0), place.1);
        let mut overlay = grid.overlays.remove(&place).unwrap_or_default();
        let number = number(value(grid, place.0, place.1));
        let held = || numbers.iter().rev().map(|at| (&rules[*at], &facts[*at]));
        for (rule, facts) in held() {
            if let Some(number) = number {
                rule.sign(number, facts, &mut overlay);
            }
        }
        let colours = held().map(|(rule, facts)| match (&rule.test, number) {
            (Test::Scale(points), Some(number)) => between(points, number, facts),
            _ => None,
        });
        let colours: Vec<_> = colours.collect();
        overlay.style = Some(looks.changed(own, numbers, colours, &rules));
        grid.overlays.insert(place, overlay);
    }
    left_out
}

/// A look, the rules that act on it, and the colours that their scales give it.
type Act = (*const Style, Vec<usize>, Vec<Option<Colour>>);

/// The looks that rules make of others, each once however many cells have it.
#[derive(Default)]
struct Looks {
    known: HashMap<Act, Rc<Style>>,
    /// Keeps the looks where they are, so that none takes the place of another.
    own: Vec<Rc<Style>>,
}

impl Looks {
    /// A look as these rules change it, by their numbers, with what colours their scales give it, the least important one first.
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
pub(crate) fn tell(left_out: usize, notes: &mut Notes) {
    match left_out {
        0 => {}
        1 => notes.add("A conditional format cannot be computed, and was left out.".to_owned()),
        _ => notes.add(format!(
            "{left_out} conditional formats cannot be computed, and were left out."
        )),
    }
}

/// The places of ranges: those with cells, and of small ranges all. `None` if there are more than `most`.
fn cells(grid: &Grid, ranges: &[Range], most: usize) -> Option<Vec<(u32, u32)>> {
    /// Ranges with up to this many places are looked at place by place, as rules may apply to empty ones.
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

/// Statistics over all cells of the rules' ranges.
#[derive(Default)]
struct Facts {
    /// All numbers, in order.
    numbers: Vec<f64>,
    mean: f64,
    deviation: f64,
    counts: HashMap<String, usize>,
}

impl Facts {
    /// Collects the facts about a range that rules compare with: numbers in order, counts of texts, mean and deviation.
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

    /// A limit as a number.
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
    /// Gives a cell with a number the bar or the icon of the rule.
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

    /// Returns whether the rule applies to the cell that `sight` is at. A formula that cannot be computed does not apply.
    fn holds(&self, grid: &Grid, sight: &Sight<'_>, facts: &Facts) -> bool {
        let value = value(grid, sight.at.0, sight.at.1);
        match &self.test {
            Test::Is(operator, operands) => {
                let operands = operands.iter().map(|operand| sight.value(operand));
                let operands: Result<Vec<Value>, _> = operands.collect();
                operands.is_ok_and(|operands| compare(*operator, value, &operands))
            }
            Test::Formula(formula) => sight.is_true(formula).unwrap_or(false),
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

/// Compares a value with one operand, or with two for ranges, whose order does not matter.
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

/// The colour of a number between the points of a scale.
fn between(points: &[(Limit, Colour)], number: f64, facts: &Facts) -> Option<Colour> {
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
