//! Conditional formats of Excel 2007 and later (MS-XLS 2.4.43): older rules with a priority and a template, and
//! colour scales, data bars and icon sets.

use super::{Book, Extension, HEADER, formula, operands};
use crate::{
    biff::conditions as numbers,
    containers::fields::Fields,
    formats::xlsx::shown::colours::{Colours, tinted},
    shown::conditions::{Bars, Limit, Test},
};
use convertd_tree::Colour;

/// Size of the parameters of a template, in bytes.
const PARAMETERS: usize = 16;

/// Size of a colour, in bytes.
const COLOUR: usize = 16;

/// Record of a rule.
pub(super) struct RuleRecord<'r> {
    /// Data of the record.
    fields: Fields<'r>,
    /// Offset of its differential format, if it has one.
    pub(super) format: Option<usize>,
    /// Offset of its formulas.
    start: usize,
    /// Offset of the fields after its template, which depend on the type of the rule.
    own: usize,
    /// Priority and template of the rule.
    pub(super) extension: Extension,
}

impl<'r> RuleRecord<'r> {
    /// Finds the parts of a record: a differential format, two formulas for the condition, one for activation, and
    /// the parameters of the template.
    pub(super) fn read(fields: Fields<'r>) -> Self {
        let (format, start) = format(fields, HEADER + 6);
        let active = start + usize::from(fields.u16(14)) + usize::from(fields.u16(16));
        let at = active + 2 + usize::from(fields.u16(active));
        let template = u32::from(fields.u16(at + 3));
        Self {
            fields,
            format,
            start,
            own: at + 6 + usize::from(fields.u8(at + 5)).min(PARAMETERS),
            extension: Extension {
                template,
                parameter: parameter(template, fields.from(at + 6)),
                priority: fields.u16(at + 1),
                stops: fields.u8(at) & 2 != 0,
            },
        }
    }

    /// Condition of the rule. Its formulas are relative to `cell`.
    pub(super) fn test(&self, cell: (u32, u32), book: &Book<'_>) -> Option<Test> {
        let mut reader = Reader {
            fields: self.fields.from(self.own),
            at: 0,
            book,
        };
        let kind = self.fields.u8(HEADER).into();
        match kind {
            numbers::SCALE => reader.scale(),
            numbers::BAR => reader.bar(),
            numbers::ICONS => reader.icons(),
            numbers::TOP => {
                // The parameters of the template, which begin with flags, precede the fields of the type.
                let flags = self.fields.u8(self.own - PARAMETERS.min(self.own));
                Some(Test::Top {
                    rank: self.extension.parameter.min(1_000_000).into(),
                    percent: flags & 2 != 0,
                    bottom: flags & 1 == 0,
                })
            }
            _ => {
                let template = match kind {
                    numbers::FORMULA => self.extension.test(),
                    _ => None,
                };
                template.or_else(|| {
                    let lens = [14, 16].map(|at| self.fields.u16(at).into());
                    let operands = operands(self.fields, self.start, lens, cell, book.scope)?;
                    let operator = self.fields.u8(HEADER + 1).into();
                    numbers::compared(kind, operator, operands)
                })
            }
        }
    }
}

/// Offsets of a differential format, if it is not empty, and of the end. `at` is the offset of its size.
pub(super) fn format(fields: Fields<'_>, at: usize) -> (Option<usize>, usize) {
    match fields.u32(at) as usize {
        // Two reserved bytes follow an empty format.
        0 => (None, at + 6),
        size => (Some(at + 4), at.saturating_add(4).saturating_add(size)),
    }
}

/// Argument of a template: number of highest or lowest values, kind of text comparison, or number of standard
/// deviations.
pub(super) fn parameter(template: u32, parameters: Fields<'_>) -> u32 {
    match template {
        // The parameters of a top-ten rule begin with its flags.
        5 => parameters.u16(1).into(),
        _ => parameters.u16(0).into(),
    }
}

/// Reader of the fields of a colour scale, a data bar or an icon set.
struct Reader<'r, 'b> {
    fields: Fields<'r>,
    /// Offset of the next field.
    at: usize,
    /// Tables to which the rule refers.
    book: &'b Book<'b>,
}

impl Reader<'_, '_> {
    /// Reads a colour scale (2.5.32): limits, each followed by a position, and then colours, each preceded by a
    /// position.
    fn scale(&mut self) -> Option<Test> {
        let (limits, colours) = (self.fields.u8(3), self.fields.u8(4));
        self.at = 6;
        let mut found = Vec::new();
        for _ in 0..limits.min(colours).min(3) {
            found.push(self.limit());
            self.at += 8;
        }
        let mut points = Vec::new();
        for limit in found {
            let colour = colour(self.fields.from(self.at + 8), self.book.colours)?;
            self.at += 8 + COLOUR;
            points.push((limit?, colour));
        }
        (!points.is_empty()).then_some(Test::Scale(points))
    }

    /// Reads a data bar (2.5.22).
    fn bar(&mut self) -> Option<Test> {
        self.at = 6 + COLOUR;
        Some(Test::Bars(Bars {
            low: self.limit()?,
            high: self.limit()?,
            colour: colour(self.fields.from(6), self.book.colours)?,
            hides_value: self.fields.u8(3) & 2 == 0,
            later: None,
        }))
    }

    /// Reads an icon set (2.5.36). The limit of the first icon is ignored.
    fn icons(&mut self) -> Option<Test> {
        let count = usize::from(self.fields.u8(3).clamp(2, 5));
        let flags = self.fields.u8(5);
        self.at = 6;
        let mut limits = Vec::new();
        for _ in 0..count {
            limits.push((self.limit(), self.fields.u8(self.at) != 0));
            self.at += 5;
        }
        let name = numbers::icon_set(self.fields.u8(4).into());
        Test::icons(name, limits, flags & 4 != 0, flags & 1 != 0)
    }

    /// Reads a limit (2.5.39): its type, and a formula or a number. `None` if the formula is not a constant.
    fn limit(&mut self) -> Option<Limit> {
        let (kind, len) = (self.fields.u8(self.at), self.fields.u16(self.at + 1));
        self.at += 3;
        let number = match (kind, usize::from(len)) {
            (2 | 3, 0) => None,
            (_, 0) => {
                self.at += 8;
                Some(self.fields.f64(self.at - 8))
            }
            (_, len) => {
                let formula = formula(self.fields, self.at, len);
                self.at += len;
                let text = formula.text(self.book.scope, (0, 0));
                text.and_then(|text| text.parse::<f64>().ok())
            }
        };
        numbers::limit(kind.into(), number)
    }
}

/// Reads a colour (2.5.21): its type, its index or its red, green and blue parts, and a tint.
fn colour(fields: Fields<'_>, colours: &Colours) -> Option<Colour> {
    let (number, tint) = (fields.u32(4), fields.f64(8));
    match fields.u32(0) {
        1 => {
            let Colour(red, green, blue) = colours.palette.get(number)?;
            Some(tinted([red, green, blue], tint))
        }
        2 => Some(tinted([4, 5, 6].map(|at| fields.u8(at)), tint)),
        3 => colours.themed(usize::try_from(number).ok()?, tint),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{biff::Scope, shown::validation::Operator};

    /// Builds a rule with a formula. `own` are the fields after its template.
    fn rule(kind: [u8; 2], formula: &[u8], template: (u8, [u8; 3]), own: &[u8]) -> Vec<u8> {
        let mut data = vec![0; HEADER];
        data.extend(kind);
        data.extend([formula.len() as u8, 0, 0, 0]);
        // No formatting, and a rule that is always active, stops, and has a priority of 7.
        data.extend([0; 6]);
        data.extend(formula);
        data.extend([0, 0, 2, 7, 0, template.0, 0, 16]);
        data.extend(template.1);
        data.extend([0; 13]);
        data.extend(own);
        data
    }

    #[track_caller]
    fn check(data: &[u8], is_expected: &dyn Fn(&Test) -> bool) {
        let (scope, colours) = (Scope::default(), Colours::default());
        let book = Book {
            scope: &scope,
            colours: &colours,
        };
        let late = RuleRecord::read(Fields(data));
        assert!(late.extension.stops && late.extension.priority == 7);
        let test = late.test((0, 0), &book);
        assert!(test.as_ref().is_some_and(is_expected));
        // A truncated rule becomes another rule or is ignored.
        for end in 0..data.len() {
            RuleRecord::read(Fields(&data[..end])).test((0, 0), &book);
        }
    }

    /// Builds a colour with only a red part.
    fn red(red: u8) -> Vec<u8> {
        [&[2, 0, 0, 0, red, 0, 0, 255][..], &[0; 8]].concat()
    }

    #[test]
    fn rules_have_templates() {
        check(
            &rule([1, 5], &[0x1e, 2, 0], (0, [0; 3]), &[]),
            &|test| matches!(test, Test::Is(Operator::Greater, operands) if operands.len() == 1),
        );
        check(&rule([2, 0], &[], (0x1b, [0; 3]), &[]), &|test| {
            matches!(test, Test::Duplicate(true))
        });
        check(
            &rule([5, 0], &[], (5, [2, 30, 0]), &[]),
            &|test| matches!(test, Test::Top { rank, percent: true, bottom: true } if *rank == 30.0),
        );
    }

    #[test]
    fn scales_bars_and_icons_are_read() {
        let number = |number: f64| number.to_le_bytes();
        let mut scale = vec![0, 0, 0, 2, 2, 3, 2, 0, 0];
        scale.extend(number(0.0));
        // A formula that consists of a constant.
        scale.extend([1, 3, 0, 0x1e, 9, 0]);
        scale.extend(number(1.0));
        for own in [red(10), red(20)] {
            scale.extend(number(0.0));
            scale.extend(own);
        }
        let points = [
            (Limit::Least, Colour(10, 0, 0)),
            (Limit::Number(9.0), Colour(20, 0, 0)),
        ];
        check(
            &rule([3, 0], &[], (2, [0; 3]), &scale),
            &|test| matches!(test, Test::Scale(found) if *found == points),
        );
        let mut bar = vec![0, 0, 0, 2, 10, 90];
        bar.extend(red(30));
        bar.extend([2, 0, 0, 5, 0, 0]);
        bar.extend(number(90.0));
        check(&rule([4, 0], &[], (3, [0; 3]), &bar), &|test| {
            matches!(
                test,
                Test::Bars(Bars {
                    low: Limit::Least,
                    high: Limit::Percentile(_),
                    colour: Colour(30, 0, 0),
                    hides_value: false,
                    later: None,
                })
            )
        });
        let mut icons = vec![0, 0, 0, 3, 0, 1];
        for at in [0.0, 33.0, 67.0] {
            icons.extend([4, 0, 0]);
            icons.extend(number(at));
            icons.extend([1, 0, 0, 0, 0]);
        }
        let limits = [(Limit::Percent(33.0), true), (Limit::Percent(67.0), true)];
        check(
            &rule([6, 0], &[], (4, [0; 3]), &icons),
            &|test| matches!(test, Test::Icons { limits: found, icons, hides_value: true } if *found == limits && icons.len() == 3),
        );
    }
}
