//! Conditional formats of a sheet (MS-XLSB 2.4.33, 2.4.23). A record with ranges precedes the rules; each rule has a
//! record that begins it, records of its scale, bars or icons, and possibly [additions of Excel 2010](late). Rules
//! are evaluated in [`conditions`].

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

// Types of records.
/// Ranges of the rules that follow (`BrtBeginConditionalFormatting`).
const BEGIN: u16 = 461;
/// Beginning of a rule (`BrtBeginCFRule`).
const RULE: u16 = 463;
/// End of a rule (`BrtEndCFRule`).
const RULE_END: u16 = 464;
/// Icon set of a rule (`BrtBeginIconSet`).
const ICON_SET: u16 = 465;
/// Data bar of a rule (`BrtBeginDatabar`).
const DATA_BAR: u16 = 467;
/// A limit of a scale, bar or icon set (`BrtCFVO`).
const LIMIT: u16 = 471;
/// A colour of a scale or bar (`BrtColor`).
const COLOUR: u16 = 564;

/// Maximum number of rules of a sheet.
const MAX_RULES: usize = 4096;
/// Maximum number of limits and of colours of a rule.
const MAX_POINTS: usize = 8;

/// Rules of a sheet while they are read.
#[derive(Default)]
pub(super) struct Rules {
    /// Ranges of the rules that follow.
    ranges: Rc<[Range]>,
    /// Rule that is being read.
    open: Option<Open>,
    /// Finished rules.
    rules: Vec<Rule>,
    /// Indices of rules by the identifier that their extensions refer to.
    extended: HashMap<late::Guid, usize>,
    /// Number of rules that are not supported.
    left_out: usize,
}

/// A rule that is being read.
#[derive(Default)]
struct Open {
    /// Type of the rule.
    kind: u32,
    /// Priority of the rule: 1 comes first. -1 marks an extension of another rule.
    priority: i64,
    /// Whether later rules are skipped for a cell to which this rule applies.
    stops: bool,
    /// Condition, unless the rule is a colour scale, data bars or an icon set.
    test: Option<Test>,
    /// Change of the cell's style.
    change: Option<Rc<Differential>>,
    /// Limits, each with a flag: whether a value equal to the limit reaches it.
    limits: Vec<(Option<Limit>, bool)>,
    /// Colours of a scale or of data bars. `None` for unreadable ones.
    colours: Vec<Option<Colour>>,
    /// Number of the icon set.
    icon_set: u32,
    /// Whether the icons are in reverse order.
    reversed: bool,
    /// Whether the cell shows only the bar or icon.
    hides_value: bool,
    /// Identifier of the rule, or of the rule that it extends.
    guid: Option<late::Guid>,
    /// Whether it only extends the data bars of another rule.
    extends: bool,
    /// Data bars of Excel 2010.
    bar: Option<late::Bar>,
    /// Types of the limits in a rule of Excel 2010.
    limit_kinds: Vec<u32>,
}

impl Rules {
    /// Returns whether a record belongs to conditional formats.
    pub(super) fn are_in(kind: u16) -> bool {
        (BEGIN..=LIMIT).contains(&kind) || kind == COLOUR || late::is_in(kind)
    }

    /// Reads a record of conditional formats.
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

    /// Begins a rule. Records with its parts follow.
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

    /// Begins a rule of Excel 2010. A rule with formulas refers to other sheets and is not supported.
    fn begin_late(&mut self, record: Record<'_>) {
        let Some(content) = late::content(record) else {
            self.left_out += 1;
            return;
        };
        // A priority of -1 marks an extension of another rule.
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

    /// Condition of a rule. Its formulas are relative to the first cell of its ranges.
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

    /// Ends a rule: adds it, or merges it with the rule that it extends.
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

    /// Adds the properties of Excel 2010 to the data bars of a rule. The colour stays that of the rule.
    fn add_to_bars(&mut self, guid: Option<late::Guid>, test: Test) {
        let at = guid.and_then(|guid| self.extended.get(&guid));
        let rule = at.and_then(|at| self.rules.get_mut(*at));
        if let (Some(Test::Bars(bars)), Test::Bars(added)) = (rule.map(|rule| &mut rule.test), test)
        {
            let colour = bars.colour;
            *bars = Bars { colour, ..added };
        }
    }

    /// Applies the rules to the cells of their sheet. Returns the number of rules that were left out.
    pub(super) fn apply(self, grid: &mut Grid, book: &Book) -> usize {
        self.left_out + conditions::apply(self.rules, grid, book)
    }
}

impl Open {
    /// Reads a record within the rule.
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

    /// Condition of the rule once it is complete. `None` if a part is missing or not supported.
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

/// Reads a limit (2.4.331), and whether a value equal to the limit reaches it.
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
