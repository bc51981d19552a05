//! Conditional formats (MS-XLS 2.4.56, 2.4.42, 2.5.92). Later versions of Excel extend these rules (2.4.44) and add new
//! kinds of rules (2.4.57). Rules are evaluated in [`conditions`].

mod late;

use super::validations::ranges;
use crate::{
    biff::{Formula, PATTERNS, Record, STROKES, Scope, conditions as numbers, underline},
    containers::fields::Fields,
    formats::xlsx::shown::colours::Colours,
    shown::{
        book::{Palette, Range},
        conditions::{self, Expression, Rule, Test},
        differential::{Differential, FontChange},
        style::{Edge, Edges, Fill, Style},
    },
};
use convertd_tree::Colour;
use std::rc::Rc;

/// Maximum number of rules of a sheet.
const MAX_RULES: usize = 4096;

// Types of records: the older and the newer ones.
/// Ranges of the rules that follow (`CondFmt`).
const BEGIN: u16 = 0x1b0;
/// A rule (`CF`).
const RULE: u16 = 0x1b1;
/// Ranges of rules that Excel 2007 introduced (`CondFmt12`).
const LATE_BEGIN: u16 = 0x879;
/// A rule of a kind that Excel 2007 introduced (`CF12`).
const LATE_RULE: u16 = 0x87a;
/// Priority and other properties of a rule that Excel 2007 introduced (`CFEx`).
const EXTENSION: u16 = 0x87b;

/// Size of the header of records that later versions added, in bytes.
const HEADER: usize = 12;

/// Offset of the differential format in a rule of the old type, in bytes.
const FORMAT: usize = 6;
// Sizes of the parts of a differential format, in bytes.
/// Size of the font.
const FONT: usize = 118;
/// Size of the alignment.
const ALIGNMENT: usize = 8;
/// Size of the borders.
const BORDERS: usize = 8;
/// Size of the fill.
const PATTERN: usize = 4;
/// Size of the cell protection.
const PROTECTION: usize = 2;

/// Value of a colour that the format does not change.
const UNCHANGED: u32 = u32::MAX;

/// Rules of a sheet while they are read. They are kept as bytes, because the extension of a rule comes after all
/// rules.
#[derive(Default)]
pub(super) struct Rules {
    /// Lists of rules in file order.
    lists: Vec<List>,
    /// Index of the list that the next rule belongs to.
    at: usize,
    /// Number of rules.
    count: usize,
    /// Number of rules that were dropped because of the limit.
    left_out: usize,
}

/// Rules that share their ranges.
struct List {
    /// Identifier, which extensions refer to.
    id: u16,
    /// Ranges to which the rules apply.
    ranges: Rc<[Range]>,
    /// Records of the rules.
    rules: Vec<StoredRule>,
}

/// Record of a rule.
struct StoredRule {
    /// Data of the record.
    data: Box<[u8]>,
    /// Whether the record has the layout of later versions.
    is_late: bool,
    /// Extension by later versions.
    extension: Option<Extension>,
}

/// Properties that later versions add to a rule. The record names the rule by its index in the list.
#[derive(Clone, Copy)]
pub(super) struct Extension {
    /// Number of the template that the rule was created from.
    pub(super) template: u32,
    /// Argument of the template.
    pub(super) parameter: u32,
    /// Priority of the rule in its sheet. Rules with lower numbers come first.
    pub(super) priority: u16,
    /// Whether later rules are skipped for a cell to which this rule applies.
    pub(super) stops: bool,
}

/// Tables that formulas and colours refer to.
pub(super) struct Book<'b> {
    /// Names to which formulas refer.
    pub(super) scope: &'b Scope,
    /// Palette and theme.
    pub(super) colours: &'b Colours,
}

impl Rules {
    /// Returns whether a record type belongs to conditional formats.
    pub(super) fn are_in(kind: u16) -> bool {
        matches!(kind, BEGIN | RULE | LATE_BEGIN | LATE_RULE | EXTENSION)
    }

    /// Reads a record of conditional formats.
    pub(super) fn take(&mut self, record: Record<'_>) {
        match record.kind {
            BEGIN => self.begin(record.data),
            LATE_BEGIN => self.begin(record.data.get(HEADER..).unwrap_or_default()),
            EXTENSION => self.extend(record.data),
            kind => {
                let list = self.lists.get_mut(self.at);
                let Some(list) = list.filter(|_| self.count < MAX_RULES) else {
                    self.left_out += 1;
                    return;
                };
                self.count += 1;
                list.rules.push(StoredRule {
                    data: record.data.into(),
                    is_late: kind == LATE_RULE,
                    extension: None,
                });
            }
        }
    }

    /// Begins a list with the ranges of the rules that follow.
    fn begin(&mut self, data: &[u8]) {
        let fields = Fields(data);
        self.at = self.lists.len();
        if self.lists.len() < MAX_RULES {
            self.lists.push(List {
                id: fields.u16(2) >> 1,
                ranges: ranges(fields.from(12)).into(),
                rules: Vec::new(),
            });
        }
    }

    /// Adds the properties that later versions give to a rule (2.4.44), or selects the list of the newer rule that
    /// follows.
    fn extend(&mut self, data: &[u8]) {
        let fields = Fields(data);
        let is_late = fields.u32(HEADER) != 0;
        let id = fields.u16(16);
        let Some(at) = self.lists.iter().position(|list| list.id == id) else {
            return;
        };
        if is_late {
            self.at = at;
            return;
        }
        let format = 26;
        let end = match fields.u8(25) {
            0 => format,
            _ => late::format(fields, format).1,
        };
        let rule = self.lists[at].rules.get_mut(usize::from(fields.u16(18)));
        if let Some(rule) = rule {
            let template = u32::from(fields.u8(21));
            rule.extension = Some(Extension {
                template,
                parameter: late::parameter(template, fields.from(end + 1)),
                priority: fields.u16(22),
                stops: fields.u8(24) & 2 != 0,
            });
        }
    }

    /// Converts all rules. Returns them, and the number of rules that are not supported.
    pub(super) fn finish(self, book: &Book<'_>) -> (Vec<Rule>, usize) {
        let (mut rules, mut left_out) = (Vec::new(), self.left_out);
        for list in &self.lists {
            for written in &list.rules {
                let rule = written.rule(&list.ranges, rules.len(), book);
                left_out += usize::from(rule.is_none());
                rules.extend(rule);
            }
        }
        (rules, left_out)
    }
}

impl StoredRule {
    /// Converts a record to a rule. Excel 2007 writes a record of a newer type, or one of the old type with an
    /// extension that states a template.
    fn rule(&self, ranges: &Rc<[Range]>, number: usize, book: &Book<'_>) -> Option<Rule> {
        let cell = ranges.first()?.first;
        let data = &*self.data;
        let (test, format, extension) = match self.is_late {
            true => {
                let late = late::RuleRecord::read(Fields(data));
                (late.test(cell, book)?, late.format, Some(late.extension))
            }
            false => {
                let template = self.extension.and_then(|extension| extension.test());
                let test = template.or_else(|| test(data, cell, book.scope));
                (test?, Some(FORMAT), self.extension)
            }
        };
        let format = format.map(|at| differential(Fields(data).from(at), &book.colours.palette));
        Some(Rule {
            ranges: ranges.clone(),
            priority: extension.map_or(number as i64, |extension| extension.priority.into()),
            // Without extensions, the first rule that applies to a cell is the only one.
            stops: extension.is_none_or(|extension| extension.stops),
            test,
            change: format.map(|change| {
                Box::new(move |style: &mut Style| change.apply(style)) as conditions::Change
            }),
        })
    }
}

impl Extension {
    /// Condition of a rule that was created from a template.
    fn test(self) -> Option<Test> {
        numbers::templated(self.template, self.parameter, None)
    }
}

/// Condition of a rule. Its formulas are relative to the first cell of its ranges, and follow the differential
/// format.
fn test(data: &[u8], cell: (u32, u32), scope: &Scope) -> Option<Test> {
    let fields = Fields(data);
    let lens = [fields.u16(2).into(), fields.u16(4).into()];
    let start = FORMAT + Parts::of(fields.from(FORMAT)).end;
    let operands = operands(fields, start, lens, cell, scope)?;
    numbers::compared(fields.u8(0).into(), fields.u8(1).into(), operands)
}

/// Formulas of a rule with these lengths, one after the other. `None` if one is not supported.
fn operands(
    fields: Fields<'_>,
    start: usize,
    lens: [usize; 2],
    cell: (u32, u32),
    scope: &Scope,
) -> Option<Vec<Expression>> {
    let parts = [(start, lens[0]), (start + lens[0], lens[1])];
    let parts = parts.into_iter().filter(|(_, len)| *len > 0);
    let operands = parts.map(|(at, len)| {
        let text = formula(fields, at, len).text(scope, cell)?;
        Expression::parse(&text)
    });
    operands.collect()
}

/// Formula in the middle of a record, which has no additional data.
fn formula(fields: Fields<'_>, at: usize, len: usize) -> Formula<'_> {
    Formula {
        extra: &[],
        ..Formula::narrow(fields.0, at, len)
    }
}

/// Offsets of the parts of a differential format. `None` for a missing part.
#[derive(Default)]
struct Parts {
    font: Option<usize>,
    borders: Option<usize>,
    pattern: Option<usize>,
    /// End of the format, where the formulas begin.
    end: usize,
}

impl Parts {
    /// Finds the parts of a differential format (DXFN): a bit field names the parts, each of which has a fixed size,
    /// except the number format.
    fn of(format: Fields<'_>) -> Self {
        let flags = format.u32(0);
        let has = |bit: u32| flags & 1 << bit != 0;
        let mut at = 6;
        if has(25) {
            // A number format is an index, or a text after its length.
            at += match format.u8(4) & 1 {
                0 => 2,
                _ => usize::from(format.u16(at)),
            };
        }
        let mut part = |bit, size| {
            let start = at;
            has(bit).then(|| {
                at += size;
                start
            })
        };
        let font = part(26, FONT);
        part(27, ALIGNMENT);
        let (borders, pattern) = (part(28, BORDERS), part(29, PATTERN));
        part(30, PROTECTION);
        Self {
            font,
            borders,
            pattern,
            end: at,
        }
    }
}

/// Reads the differential format of a rule.
fn differential(format: Fields<'_>, palette: &Palette) -> Differential {
    let parts = Parts::of(format);
    let mut change = Differential::default();
    if let Some(at) = parts.font {
        let font = format.from(at);
        let (flags, unchanged) = (font.u32(68), font.u32(88));
        // The second bit field names the properties that stay unchanged.
        let flag = |bit: u32| (unchanged & bit == 0).then_some(flags & bit != 0);
        let colour = Some(font.u32(80)).filter(|colour| *colour != UNCHANGED);
        change.font = Some(FontChange {
            italic: flag(2),
            strike: flag(0x80),
            bold: (font.u32(100) == 0).then(|| font.u16(72) >= 600),
            underline: (font.u32(96) == 0).then(|| underline(font.u8(76).into())),
            colour: colour.and_then(|colour| palette.get(colour)),
        });
    }
    if let Some(at) = parts.borders {
        let (sides, more) = (format.u32(at), format.u32(at + 4));
        let edge = |stroke: u32, colour: u32| {
            let stroke = STROKES.get((stroke as usize & 15).checked_sub(1)?)?;
            let colour = palette.get(colour & 127).unwrap_or(Colour(0, 0, 0));
            Some(Edge {
                stroke: *stroke,
                colour,
            })
        };
        change.edges = Edges {
            left: edge(sides, sides >> 16),
            right: edge(sides >> 4, sides >> 23),
            top: edge(sides >> 8, more),
            bottom: edge(sides >> 12, more >> 7),
            ..Edges::default()
        };
    }
    if let Some(at) = parts.pattern {
        change.fill = fill(format.u16(at), format.u16(at + 2), format.u32(0), palette);
    }
    change
}

/// Fill of a differential format. `unchanged` names the properties that stay unchanged.
fn fill(pattern: u16, colours: u16, unchanged: u32, palette: &Palette) -> Option<Fill> {
    let is_unchanged = |bit: u32| unchanged & 1 << bit != 0;
    // A pattern that stays unchanged counts as solid.
    let kind = match is_unchanged(16) {
        true => 1,
        false => usize::from(pattern >> 10 & 63),
    };
    let colour = |number: u16, bit: u32| match is_unchanged(bit) {
        true => None,
        false => palette.get(u32::from(number & 127)),
    };
    let (fore, back) = (colour(colours, 17), colour(colours >> 7, 18));
    Fill::of_pattern(PATTERNS.get(kind)?, fore, back, true)
}
