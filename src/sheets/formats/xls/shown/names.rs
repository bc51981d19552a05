//! Names of ranges and formulas (MS-XLS 2.4.150), and those that say what is printed: print areas, and the rows and columns that are
//! repeated.

use crate::{
    biff::{Formula, Record, Scope},
    containers::fields::Fields,
    shown::book::{Grid, MAX_LIST, Name, Range},
};

/// The built-in names by their numbers (2.5.114).
const BUILT_IN: [&str; 14] = [
    "Consolidate_Area",
    "Auto_Open",
    "Auto_Close",
    "Extract",
    "Database",
    "Criteria",
    "Print_Area",
    "Print_Titles",
    "Recorder",
    "Data_Form",
    "Auto_Activate",
    "Auto_Deactivate",
    "Sheet_Title",
    "_FilterDatabase",
];
const AREA: u8 = 6;
const TITLES: u8 = 7;

/// The last row and column of these workbooks.
const LAST: (u32, u32) = (0xffff, 0xff);

/// A name, as its record says it.
struct Written {
    /// The sheet's number from 1; 0 for a name of the whole workbook.
    sheet: u16,
    /// The number of a name that is built in.
    built_in: Option<u8>,
    /// Neither hidden, nor of a function or a macro.
    is_plain: bool,
    tokens: Box<[u8]>,
    extra: Box<[u8]>,
}

/// The names of a workbook, in order.
#[derive(Default)]
pub(super) struct Names(Vec<Written>);

impl Names {
    /// Adds a name. Its words go to the scope of formulas, which count names.
    pub(super) fn add(&mut self, record: Record<'_>, scope: &mut Scope) {
        if self.0.len() >= MAX_LIST {
            return;
        }
        let flags = record.u16(0);
        let len = usize::from(record.u8(3));
        let width = 1 + usize::from(record.u8(14) & 1);
        let end = 15 + len * width;
        let built_in = (flags & 0x20 != 0 && len == 1).then(|| record.u8(15));
        let name = match (built_in, width) {
            (Some(number), _) => BUILT_IN
                .get(usize::from(number))
                .map_or(String::new(), |name| format!("_xlnm.{name}")),
            (None, 1) => {
                let bytes = record.data.get(15..end).unwrap_or_default();
                bytes.iter().map(|byte| char::from(*byte)).collect()
            }
            (None, _) => Fields(record.data).utf16(15, len),
        };
        scope.names.push(name.into());
        let formula = Formula::narrow(record.data, end, record.u16(4).into());
        self.0.push(Written {
            sheet: record.u16(8),
            built_in,
            is_plain: flags & 0x0b == 0,
            tokens: formula.tokens.into(),
            extra: formula.extra.into(),
        });
    }

    /// The names that people have given, with their formulas as text. `place` tells where a sheet is among those that are read, by its
    /// number from 0.
    pub(super) fn defined(
        &self,
        scope: &Scope,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Vec<Name> {
        let all = self.0.iter().zip(&scope.names).filter_map(|(one, name)| {
            if one.built_in.is_some() || !one.is_plain || name.is_empty() {
                return None;
            }
            let sheet = match one.sheet.checked_sub(1) {
                Some(sheet) => Some(place(sheet.into())?),
                None => None,
            };
            let formula = Formula {
                tokens: &one.tokens,
                extra: &one.extra,
            };
            Some(Name {
                name: name.clone(),
                sheet,
                formula: formula.text(scope, (0, 0))?.into(),
            })
        });
        all.collect()
    }

    /// Sets up a sheet, by its number from 0 among all sheets of the workbook.
    pub(super) fn apply(&self, sheet: usize, grid: &mut Grid) {
        let own = self.0.iter();
        let own = own.filter(|one| usize::from(one.sheet) == sheet + 1);
        for one in own {
            let Some(name @ (AREA | TITLES)) = one.built_in else {
                continue;
            };
            let ranges = ranges(&one.tokens);
            if name == AREA {
                grid.print.areas = ranges;
                continue;
            }
            for range in ranges {
                if range.last.1 - range.first.1 >= LAST.1 {
                    grid.print.repeated_rows = Some((range.first.0, range.last.0));
                } else if range.last.0 - range.first.0 >= LAST.0 {
                    grid.print.repeated_columns = Some((range.first.1, range.last.1));
                }
            }
        }
    }
}

/// The ranges in a formula of ranges alone (2.5.198). Ends at the first token that is something else.
fn ranges(formula: &[u8]) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(token) = formula.get(at) {
        let field = |offset: usize| {
            let two = formula
                .get(at + offset..)
                .and_then(|rest| rest.first_chunk());
            two.map_or(0, |two| u32::from(u16::from_le_bytes(*two)))
        };
        match token {
            // An area on a sheet.
            0x3b | 0x5b | 0x7b => {
                let (first, last) = (field(3), field(5));
                let (left, right) = (field(7) & 0x3fff, field(9) & 0x3fff);
                ranges.push(Range {
                    first: (first.min(last), left.min(right)),
                    last: (first.max(last), left.max(right)),
                });
                at += 11;
            }
            // A cell on a sheet.
            0x3a | 0x5a | 0x7a => {
                let place = (field(3), field(5) & 0x3fff);
                ranges.push(Range {
                    first: place,
                    last: place,
                });
                at += 7;
            }
            // Several of them, with the length of what follows.
            0x29 | 0x49 | 0x69 => at += 3,
            // Union and parentheses.
            0x10 | 0x15 => at += 1,
            _ => break,
        }
    }
    ranges
}
