//! Ranges of cells in records (MS-XLSB 2.5.153), checked against the size of a sheet.

use crate::{biff::Record, shown::book::Range};

/// Indices of the last row and the last column of a sheet.
pub(super) const LAST: (u32, u32) = ((1 << 20) - 1, (1 << 14) - 1);

/// Maximum number of ranges of a rule.
pub(super) const MAX_RANGES: usize = 4096;

/// Reads the range at an offset: first and last row, first and last column. `None` if it is not within a sheet.
pub(super) fn range(record: Record<'_>, at: usize) -> Option<Range> {
    let range = Range {
        first: (record.u32(at), record.u32(at + 8)),
        last: (record.u32(at + 4), record.u32(at + 12)),
    };
    let is_whole = record.data.len() >= at + 16;
    let ordered = range.first.0 <= range.last.0 && range.first.1 <= range.last.1;
    (is_whole && ordered && range.last.0 <= LAST.0 && range.last.1 <= LAST.1).then_some(range)
}
