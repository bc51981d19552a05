//! Defined names (MS-XLS 2.4.150), including the built-in ones for print areas and print titles.

use crate::{
    biff::{Formula, Record, Scope},
    containers::fields::Fields,
    shown::book::{Grid, MAX_LIST, Name, Range},
};

/// Built-in names by their number (2.5.114).
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
/// Number of the name for the print area.
const AREA: u8 = 6;
/// Number of the name for print titles.
const TITLES: u8 = 7;

/// Indices of the last row and the last column in these workbooks.
const LAST: (u32, u32) = (0xffff, 0xff);

/// A name as it is stored.
struct StoredName {
    /// Number of the sheet that the name is local to, from 1; 0 for a name of the whole workbook.
    sheet: u16,
    /// Number of a built-in name.
    built_in: Option<u8>,
    /// Whether the name is visible and stands for neither a function nor a macro.
    is_plain: bool,
    /// Formula as tokens.
    tokens: Box<[u8]>,
    /// Additional data of the formula.
    extra: Box<[u8]>,
}

/// Names of a workbook, in file order.
#[derive(Default)]
pub(super) struct Names(Vec<StoredName>);

impl Names {
    /// Adds a name. Its text goes to `scope`, where formulas look up names by number.
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
        self.0.push(StoredName {
            sheet: record.u16(8),
            built_in,
            is_plain: flags & 0x0b == 0,
            tokens: formula.tokens.into(),
            extra: formula.extra.into(),
        });
    }

    /// Names that users defined, with their formulas as text. `place` maps the index of a sheet to its index among
    /// the sheets that are read.
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

    /// Applies print areas and print titles to a sheet, by its index among all sheets of the workbook.
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
                // Print titles of whole rows span all columns, and titles of whole columns span all rows.
                if range.last.1 - range.first.1 >= LAST.1 {
                    grid.print.repeated_rows = Some((range.first.0, range.last.0));
                } else if range.last.0 - range.first.0 >= LAST.0 {
                    grid.print.repeated_columns = Some((range.first.1, range.last.1));
                }
            }
        }
    }
}

/// Ranges of a formula that consists only of ranges (2.5.198). Ends at the first other token.
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
            // `PtgArea3d`: a range on a sheet.
            0x3b | 0x5b | 0x7b => {
                let (first, last) = (field(3), field(5));
                let (left, right) = (field(7) & 0x3fff, field(9) & 0x3fff);
                ranges.push(Range {
                    first: (first.min(last), left.min(right)),
                    last: (first.max(last), left.max(right)),
                });
                at += 11;
            }
            // `PtgRef3d`: a cell on a sheet.
            0x3a | 0x5a | 0x7a => {
                let place = (field(3), field(5) & 0x3fff);
                ranges.push(Range {
                    first: place,
                    last: place,
                });
                at += 7;
            }
            // `PtgMemFunc`, which precedes a union.
            0x29 | 0x49 | 0x69 => at += 3,
            // `PtgUnion` and `PtgParen`.
            0x10 | 0x15 => at += 1,
            _ => break,
        }
    }
    ranges
}
