//! Shared strings with their fonts (MS-XLSB 2.5.124). Reads no cells.

use super::{super::records::Records, styles::Styles};
use crate::{
    biff::{Record, rich},
    error::Result,
    shown::book::Value,
};
use std::io::BufRead;

/// A shared string (`BrtSSTItem`).
const STRING: u16 = 19;

/// Maximum number of runs in a text.
const MAX_RUNS: usize = 32_767;

/// Reads the shared strings part.
pub(super) fn read<R: BufRead>(
    records: &mut Records<'_, R>,
    styles: &Styles,
) -> Result<Vec<Value>> {
    let mut strings = Vec::new();
    while let Some(record) = records.next()? {
        if record.kind == STRING {
            strings.push(string(record, 0, styles));
        }
    }
    Ok(strings)
}

/// Reads the text at an offset of a record: flags, characters, and formatting runs if a flag says so. Phonetic data
/// is skipped.
pub(super) fn string(record: Record<'_>, at: usize, styles: &Styles) -> Value {
    let mut text = String::new();
    let Some(end) = record.text(at + 1, &mut text) else {
        return Value::Empty;
    };
    let mut runs = Vec::new();
    if record.u8(at) & 1 != 0 {
        let count = (record.u32(end) as usize).min(MAX_RUNS);
        let pairs = record.data.get(end + 4..).unwrap_or_default();
        let (pairs, _) = pairs.as_chunks::<4>();
        runs.extend(
            pairs
                .iter()
                .take(count)
                .map(|[a, b, c, d]| (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]))),
        );
    }
    rich(&text, &runs, &|number| styles.font_at(number))
}
