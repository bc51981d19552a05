//! Conditional formats (MS-XLS 2.4.56, 2.4.42, 2.5.92): rules that compare a value, and formulas. Those of later versions (2.4.43) are
//! not read. Applies none: see [`conditions`](crate::spreadsheet::shown::conditions).

use super::validations::ranges;
use crate::{
    containers::fields::Fields,
    document::tree::Colour,
    spreadsheet::{
        biff::{Formula, OPERATORS, PATTERNS, STROKES, Scope},
        shown::{
            book::{Palette, Range},
            conditions::{self, Expression, Rule, Test},
            differential::{Differential, FontChange},
            style::{Edge, Edges, Fill, Style, Underline, density, mixed},
        },
    },
};
use std::rc::Rc;

/// The limit on rules of a sheet.
const MAX_RULES: usize = 4096;

/// Where what a rule changes begins, and the sizes of its parts: alignment, borders, pattern, protection.
const LOOK: usize = 6;
const FONT: usize = 118;
const ALIGNMENT: usize = 8;
const BORDERS: usize = 8;
const PATTERN: usize = 4;
const PROTECTION: usize = 2;

/// A value that says that nothing is changed.
const UNCHANGED: u32 = u32::MAX;

/// The rules of a sheet, and how many are not understood.
#[derive(Default)]
pub(super) struct Rules {
    /// Where the rules that follow hold.
    ranges: Rc<[Range]>,
    pub(super) rules: Vec<Rule>,
    pub(super) left_out: usize,
}

impl Rules {
    /// Takes the ranges of the rules that follow.
    pub(super) fn begin(&mut self, data: &[u8]) {
        self.ranges = ranges(Fields(data).from(12)).into();
    }

    /// Takes a rule.
    pub(super) fn add(&mut self, data: &[u8], scope: &Scope, palette: &Palette) {
        let test = test(data, self.ranges.first(), scope);
        let (Some(test), true) = (test, self.rules.len() < MAX_RULES) else {
            self.left_out += 1;
            return;
        };
        let change = differential(Fields(data).from(LOOK), palette);
        self.rules.push(Rule {
            ranges: self.ranges.clone(),
            priority: self.rules.len() as i64,
            // Of the rules of a cell the first one that is true is the only one.
            stops: true,
            test,
            change: Some(
                Box::new(move |style: &mut Style| change.apply(style)) as conditions::Change
            ),
        });
    }
}

/// When a rule applies. Its formulas are seen from the first cell of its ranges, and stand behind what it changes.
fn test(data: &[u8], first: Option<&Range>, scope: &Scope) -> Option<Test> {
    let fields = Fields(data);
    let lens = [fields.u16(2).into(), fields.u16(4).into()];
    let start = LOOK + Parts::of(fields.from(LOOK)).end;
    let cell = first?.first;
    let formula = |at: usize, len: usize| {
        let formula = Formula {
            extra: &[],
            ..Formula::narrow(data, at, len)
        };
        Expression::parse(&formula.text(scope, cell)?)
    };
    let operands = [(start, lens[0]), (start + lens[0], lens[1])];
    let operands = operands.into_iter().filter(|(_, len)| *len > 0);
    let operands: Option<Vec<_>> = operands.map(|(at, len)| formula(at, len)).collect();
    let mut operands = operands?;
    match fields.u8(0) {
        1 => {
            let operator = OPERATORS.get(usize::from(fields.u8(1)).checked_sub(1)?)?;
            (!operands.is_empty()).then_some(Test::Is(*operator, operands))
        }
        2 => operands.pop().map(Test::Formula),
        _ => None,
    }
}

/// Where the parts of a look are, if it has them.
#[derive(Default)]
struct Parts {
    font: Option<usize>,
    borders: Option<usize>,
    pattern: Option<usize>,
    end: usize,
}

impl Parts {
    fn of(look: Fields<'_>) -> Self {
        let flags = look.u32(0);
        let has = |bit: u32| flags & 1 << bit != 0;
        let mut at = 6;
        if has(25) {
            // A number format is a number, or a text behind its length.
            at += match look.u8(4) & 1 {
                0 => 2,
                _ => usize::from(look.u16(at)),
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

/// What a rule changes.
fn differential(look: Fields<'_>, palette: &Palette) -> Differential {
    let parts = Parts::of(look);
    let mut change = Differential::default();
    if let Some(at) = parts.font {
        let font = look.from(at);
        let (flags, kept) = (font.u32(68), font.u32(88));
        let flag = |bit: u32| (kept & bit == 0).then_some(flags & bit != 0);
        let colour = Some(font.u32(80)).filter(|colour| *colour != UNCHANGED);
        change.font = Some(FontChange {
            italic: flag(2),
            strike: flag(0x80),
            bold: (font.u32(100) == 0).then(|| font.u16(72) >= 600),
            underline: (font.u32(96) == 0).then(|| match font.u8(76) {
                0 => Underline::None,
                0x02 | 0x22 => Underline::Double,
                _ => Underline::Single,
            }),
            colour: colour.and_then(|colour| palette.get(colour)),
        });
    }
    if let Some(at) = parts.borders {
        let (sides, more) = (look.u32(at), look.u32(at + 4));
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
        change.fill = fill(look.u16(at), look.u16(at + 2), look.u32(0), palette);
    }
    change
}

/// A background. A solid one has the colour that cells have behind a pattern; flags say what of it is not changed.
fn fill(pattern: u16, colours: u16, kept: u32, palette: &Palette) -> Option<Fill> {
    let is_kept = |bit: u32| kept & 1 << bit != 0;
    let kind = match is_kept(16) {
        true => 1,
        false => usize::from(pattern >> 10 & 63),
    };
    let density = density(PATTERNS.get(kind)?)?;
    let colour = |number: u16, bit: u32| match is_kept(bit) {
        true => None,
        false => palette.get(u32::from(number & 127)),
    };
    let (fore, back) = (colour(colours, 17), colour(colours >> 7, 18));
    let colour = match density >= 1.0 {
        true => back.or(fore)?,
        false => mixed(
            fore.unwrap_or(Colour(0, 0, 0)),
            back.unwrap_or(Colour(255, 255, 255)),
            density,
        ),
    };
    Some(Fill { colour })
}
