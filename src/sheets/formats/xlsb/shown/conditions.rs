//! Conditional formats of a sheet (MS-XLSB 2.4.33, 2.4.23): a record with ranges, one that begins each of its rules, and those of a
//! scale, a bar or a set of icons within it, and those that [Excel 2010 added](late). Applies none: see
//! [`conditions`].

use super::{
    Common, late,
    ranges::{MAX_RANGES, range},
};
use crate::{
    biff::{Formula, Record, conditions as numbers},
    shown::{
        book::{Book, Grid, Range},
        conditions::{self, Bars, Expression, Limit, Rule, Test},
        differential::Differential,
        style::Style,
    },
};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

const BEGIN: u16 = 461;
const RULE: u16 = 463;
const RULE_END: u16 = 464;
const ICON_SET: u16 = 465;
const DATA_BAR: u16 = 467;
const LIMIT: u16 = 471;
const COLOUR: u16 = 564;

/// The limit on rules of a sheet, and on the limits and colours of a rule.
const MAX_RULES: usize = 4096;
const MAX_POINTS: usize = 8;

/// The rules of a sheet, while they are read.
#[derive(Default)]
pub(super) struct Rules {
    /// Ranges of the rules that follow.
    ranges: Rc<[Range]>,
    /// The rule that is open.
    open: Option<Open>,
    rules: Vec<Rule>,
    /// The rules that others add to, by the names that these call them.
    extended: HashMap<late::Guid, usize>,
    left_out: usize,
}

/// A rule that was begun.
#[derive(Default)]
struct Open {
    kind: u32,
    priority: i64,
    stops: bool,
    /// Its test, unless it is a scale, a bar or a set of icons.
    test: Option<Test>,
    change: Option<Rc<Differential>>,
    /// Each with whether a value equal to it is above it.
    limits: Vec<(Option<Limit>, bool)>,
    colours: Vec<Option<Colour>>,
    icon_set: u32,
    reversed: bool,
    hides_value: bool,
    /// The name of the rule, or of the one that it adds to.
    guid: Option<late::Guid>,
    /// It only adds to the bars of that rule.
    extends: bool,
    /// Bar of Excel 2010, with the kinds of its limits.
    bar: Option<late::Bar>,
    limit_kinds: Vec<u32>,
}

impl Rules {
    /// Returns whether these records belong to conditional formats: those from the ranges to the limits of a rule, and the colours of
    /// scales and bars.
    pub(super) fn are_in(kind: u16) -> bool {
        (BEGIN..=LIMIT).contains(&kind) || kind == COLOUR || late::is_in(kind)
    }

    /// Takes one of these records.
    pub(super) fn take(&mut self, record: Record<'_>, common: &Common) {
        match record.kind {
            BEGIN => {
                let count = (record.u32(8) as usize).min(MAX_RANGES);
                let all = (0..count).map_while(|number| range(record, 12 + 16 * number));
                self.ranges = all.collect();
            }
            late::BEGIN => self.ranges = late::ranges(record),
            RULE => self.open = Some(self.begin(record, common)),
            late::RULE => self.begin_late(record),
            RULE_END | late::RULE_END => self.end(),
            _ => {
                if let Some(open) = &mut self.open {
                    open.take(record, common);
                }
            }
        }
    }

    /// Begins a rule, whose parts follow in records of their own.
    fn begin(&self, record: Record<'_>, common: &Common) -> Open {
        let (kind, flags) = (record.u32(0), record.u16(28));
        let change = usize::try_from(record.u32(8)).ok();
        let change = change.and_then(|number| common.styles.changes.get(number));
        Open {
            kind,
            priority: record.u32(12).into(),
            stops: flags & 2 != 0,
            test: self.test(record, common),
            change: change.cloned(),
            ..Open::default()
        }
    }

    /// Begins a rule of Excel 2010. A rule with formulas refers to other sheets, and is left out.
    fn begin_late(&mut self, record: Record<'_>) {
        let Some(content) = late::content(record) else {
            self.left_out += 1;
            return;
        };
        let priority = content.u32(12).cast_signed();
        self.open = Some(Open {
            kind: content.u32(0),
            priority: priority.into(),
            stops: content.u16(28) & 2 != 0,
            guid: late::own_guid(content),
            extends: priority == -1,
            ..Open::default()
        });
    }

    /// Test of a rule by its own record. Its formulas are seen from the first cell of its ranges.
    fn test(&self, record: Record<'_>, common: &Common) -> Option<Test> {
        let (kind, parameter, flags) = (record.u32(0), record.u32(16), record.u16(28));
        if kind == numbers::TOP {
            return Some(Test::Top {
                rank: parameter.min(1_000_000).into(),
                percent: flags & 0x10 != 0,
                bottom: flags & 8 != 0,
            });
        }
        let mut text = String::new();
        let mut at = record.text(42, &mut text)?;
        if kind == numbers::FORMULA {
            let test = numbers::templated(record.u32(4), parameter, Some(&text));
            if test.is_some() {
                return test;
            }
        }
        let cell = self.ranges.first()?.first;
        let mut operands = Vec::new();
        for size in [30, 34, 38] {
            if record.u32(size) > 0 {
                let (formula, end) = Formula::wide(record.data, at)?;
                at = end;
                let formula = formula.text(&common.scope, cell)?;
                operands.push(Expression::parse(&formula)?);
            }
        }
        numbers::compared(kind, parameter, operands)
    }

    /// Ends a rule: adds it, or joins it with the rule of the main part that it extends.
    fn end(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let (Some(test), true) = (open.test(), self.rules.len() < MAX_RULES) else {
            self.left_out += 1;
            return;
        };
        if open.extends {
            self.add_to_bars(open.guid, test);
            return;
        }
        if let Some(guid) = open.guid {
            self.extended.insert(guid, self.rules.len());
        }
        self.rules.push(Rule {
            ranges: self.ranges.clone(),
            priority: open.priority,
            stops: open.stops,
            test,
            change: open.change.map(|change| {
                Box::new(move |style: &mut Style| change.apply(style)) as conditions::Change
            }),
        });
    }

    /// Adds the properties of Excel 2010 to a rule's data bars.
    fn add_to_bars(&mut self, guid: Option<late::Guid>, test: Test) {
        let at = guid.and_then(|guid| self.extended.get(&guid));
        let rule = at.and_then(|at| self.rules.get_mut(*at));
        if let (Some(Test::Bars(bars)), Test::Bars(added)) = (rule.map(|rule| &mut rule.test), test)
        {
            let colour = bars.colour;
            *bars = Bars { colour, ..added };
        }
    }

    /// Applies them to the cells of their sheet. Returns how many are left out.
    pub(super) fn apply(self, grid: &mut Grid, book: &Book) -> usize {
        self.left_out + conditions::apply(self.rules, grid, book)
    }
}

impl Open {
    /// Takes a record within the rule.
    fn take(&mut self, record: Record<'_>, common: &Common) {
        match record.kind {
            ICON_SET => {
                self.icon_set = record.u32(0);
                self.hides_value = record.u16(4) & 2 != 0;
                self.reversed = record.u16(4) & 4 != 0;
            }
            DATA_BAR => self.hides_value = record.u8(2) == 0,
            LIMIT if self.limits.len() < MAX_POINTS => self.limits.push(limit(record, common)),
            COLOUR if self.colours.len() < MAX_POINTS => {
                self.colours.push(common.styles.colour(record, 0));
            }
            late::EXTENSION => self.guid = late::guid(record, late::HEADER),
            late::ICON_SET => {
                self.icon_set = record.u32(late::HEADER);
                let flags = record.u16(late::HEADER + 4);
                self.hides_value = flags & 2 != 0;
                self.reversed = flags & 4 != 0;
            }
            late::DATA_BAR => self.bar = Some(late::Bar::read(record)),
            late::LIMIT if self.limits.len() < MAX_POINTS => {
                let (kind, limit, equal) = late::limit(record);
                self.limit_kinds.push(kind);
                self.limits.push((limit, equal));
            }
            late::COLOUR if self.colours.len() < MAX_POINTS => {
                let colour = common.styles.colour(record, late::HEADER);
                self.colours.push(colour);
            }
            _ => {}
        }
    }

    /// Test of the rule, once it is whole. `None` if something of it is missing, or needs a formula.
    fn test(&mut self) -> Option<Test> {
        let limits = std::mem::take(&mut self.limits);
        match self.kind {
            numbers::SCALE => {
                let points = limits.into_iter().zip(&self.colours);
                let points = points.map(|((limit, _), colour)| Some((limit?, (*colour)?)));
                let points: Option<Vec<_>> = points.collect();
                points.filter(|points| !points.is_empty()).map(Test::Scale)
            }
            numbers::BAR if self.bar.is_some() => {
                let kinds = self.limit_kinds.iter().copied();
                let limits: Vec<_> = kinds
                    .zip(limits.into_iter().map(|(limit, _)| limit))
                    .collect();
                let bars = self.bar?.bars(&limits, &self.colours, self.extends);
                bars.map(Test::Bars)
            }
            numbers::BAR => Some(Test::Bars(Bars {
                low: limits.first()?.0?,
                high: limits.get(1)?.0?,
                colour: (*self.colours.first()?)?,
                hides_value: self.hides_value,
                later: None,
            })),
            numbers::ICONS => {
                let name = numbers::icon_set(self.icon_set);
                Test::icons(name, limits, self.reversed, self.hides_value)
            }
            _ => self.test.take(),
        }
    }
}

/// A limit (2.4.331), and whether a value equal to it is above it.
fn limit(record: Record<'_>, common: &Common) -> (Option<Limit>, bool) {
    let own = match record.u32(20) {
        0 => Some(record.f64(4)),
        _ => Formula::wide(record.data, 24).and_then(|(formula, _)| {
            let text = formula.text(&common.scope, (0, 0))?;
            text.parse::<f64>().ok()
        }),
    };
    (numbers::limit(record.u32(0), own), record.u32(16) != 0)
}
