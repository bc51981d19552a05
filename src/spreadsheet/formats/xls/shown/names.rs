//! Names that say what is printed (MS-XLS 2.4.150): print areas, and the rows and columns that are repeated.

use crate::spreadsheet::{
    biff::Record,
    shown::book::{Grid, MAX_LIST, Range},
};

/// The built-in names (2.5.114).
const AREA: u8 = 6;
const TITLES: u8 = 7;

/// The last row and column of these workbooks.
const LAST: (u32, u32) = (0xffff, 0xff);

/// What is said for the sheets of a workbook: the sheet's number from 1, the name, and the ranges.
#[derive(Default)]
pub(super) struct Names(Vec<(u16, u8, Vec<Range>)>);

impl Names {
    /// Adds a name, if it is one of these.
    pub(super) fn add(&mut self, record: Record<'_>) {
        let is_built_in = record.u16(0) & 0x20 != 0;
        let name = record.u8(15);
        if !is_built_in || record.u8(3) != 1 || self.0.len() >= MAX_LIST {
            return;
        }
        if !matches!(name, AREA | TITLES) {
            return;
        }
        let formula = record.data.get(16..).unwrap_or_default();
        let len = usize::from(record.u16(4)).min(formula.len());
        self.0.push((record.u16(8), name, ranges(&formula[..len])));
    }

    /// Sets up a sheet, by its number from 0 among all sheets of the workbook.
    pub(super) fn apply(&self, sheet: usize, grid: &mut Grid) {
        let own = self.0.iter();
        let own = own.filter(|(number, ..)| usize::from(*number) == sheet + 1);
        for (_, name, ranges) in own {
            if *name == AREA {
                grid.print.areas.clone_from(ranges);
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
