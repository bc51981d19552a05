//! Reads the cells of a sheet (MS-XLS 2.1.7.20.5).
//!
//! Excel writes cells row by row, but other programs write them in any order. So the records are read twice: the first
//! pass finds out whether the rows are in order, and which of them are hidden. If they are not in order, the positions
//! of all cells are sorted, which takes 16 bytes of memory for each cell. Computes no formulas.

use super::{
    cells::{self, VALUES},
    records::{FORMULA, Records},
    strings::Texts,
};
use crate::{biff::Record, cells::Cells, error::Result, sheet::Rows, stored::Tables};

/// Data that the cells of all sheets need.
pub(super) struct Context {
    pub(super) tables: Tables,
    /// Decoder of texts.
    pub(super) texts: Texts,
    /// Time of the last save in ISO 8601.
    #[cfg(feature = "document")]
    pub(super) saved: Option<String>,
}

// Types of records.
/// End of a substream (`EOF`).
pub(super) const END: u16 = 0x0a;
/// Properties of a row (`Row`).
pub(super) const ROW: u16 = 0x208;
/// Type and number of an object (`Obj`).
pub(super) const OBJECT: u16 = 0x5d;
/// Beginning of a substream (`BOF`).
pub(super) const BEGIN: u16 = 0x809;

// Types of objects that do not count as drawings (2.5.143).
/// A drop-down list.
pub(super) const LIST: u16 = 0x14;
/// The text box of a comment.
pub(super) const COMMENT: u16 = 0x19;

/// Reads the first record of the sheet at the current position.
pub(super) fn begin(records: &mut Records<'_>) -> Result<()> {
    match records.next()?.is_some_and(|record| record.kind == BEGIN) {
        true => Ok(()),
        false => Err((records.job)
            .unreadable("a sheet does not begin at the position that the workbook states")),
    }
}

/// Reads the sheet at the current position. Passes its rows to `rows` in order. Returns whether it has charts, pictures
/// or shapes.
pub(super) fn read(
    records: &mut Records<'_>,
    context: &mut Context,
    rows: &mut Rows<'_>,
) -> Result<bool> {
    let job = records.job;
    begin(records)?;
    let start = records.position();
    let mut hidden = vec![false; 1 << 16];
    let (mut last, mut sorted, mut count, mut has_drawings) = (0, true, 0_u64, false);
    each(records, &mut |record, _| match record.kind {
        ROW => hidden[usize::from(record.u16(0))] = record.u8(12) & 0x20 != 0,
        OBJECT => has_drawings |= !matches!(record.u16(4), COMMENT | LIST),
        kind if VALUES.contains(&kind) => {
            let row = record.u16(0);
            sorted &= row >= last;
            last = row;
            count += 1;
        }
        _ => {}
    })?;
    let mut reader = Reader {
        context,
        cells: Cells::default(),
        hidden,
        begun: false,
        text: String::new(),
    };
    records.seek(start);
    if sorted {
        let mut depth = 0_u32;
        while let Some(kind) = reader.record(records, depth == 0, rows)? {
            match kind {
                BEGIN => depth += 1,
                END if depth == 0 => break,
                END => depth -= 1,
                _ => {}
            }
        }
    } else {
        let _lease = job.lease(count.saturating_mul(16))?;
        let mut order = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        each(records, &mut |record, place| {
            if VALUES.contains(&record.kind) {
                order.push((record.u16(0), place));
            }
        })?;
        order.sort_unstable();
        for (_, place) in order {
            records.seek(place);
            reader.record(records, true, rows)?;
        }
    }
    reader.end_row(rows)?;
    Ok(has_drawings)
}

/// Calls `take` with each record of a sheet and its position. Skips embedded charts, which are nested substreams.
fn each(records: &mut Records<'_>, take: &mut dyn FnMut(Record<'_>, u64)) -> Result<()> {
    let mut depth = 0_u32;
    loop {
        let place = records.position();
        let Some(record) = records.next()? else {
            return Ok(());
        };
        match record.kind {
            BEGIN => depth += 1,
            END if depth == 0 => return Ok(()),
            END => depth -= 1,
            _ if depth == 0 => take(record, place),
            _ => {}
        }
    }
}

/// State of the second pass.
struct Reader<'c> {
    context: &'c mut Context,
    /// Cells of the current row.
    cells: Cells,
    /// Whether each row is hidden.
    hidden: Vec<bool>,
    /// Whether `cells` belongs to a row already.
    begun: bool,
    /// Buffer for the text of a cell.
    text: String,
}

impl Reader<'_> {
    /// Reads the next record, and its cells if `wanted`. Returns its type, or `None` at the end of the stream.
    fn record(
        &mut self,
        records: &mut Records<'_>,
        wanted: bool,
        rows: &mut Rows<'_>,
    ) -> Result<Option<u16>> {
        let job = records.job;
        let Some(record) = records.next()? else {
            return Ok(None);
        };
        let kind = record.kind;
        if !wanted || !VALUES.contains(&kind) {
            return Ok(Some(kind));
        }
        let row = record.u16(0);
        self.begin_row(row, rows)?;
        let Context { tables, texts, .. } = &mut *self.context;
        let text = &mut self.text;
        if kind == FORMULA {
            let (column, style) = (record.u16(2), record.u16(4));
            let value = cells::result(record.field(6), records, *texts, text)?;
            tables.push(style.into(), column.into(), value, &mut self.cells)?;
            return Ok(Some(kind));
        }
        for cell in cells::cells(record) {
            let value = cell.value(job, row, *texts, text)?;
            tables.push(cell.style.into(), cell.column, value, &mut self.cells)?;
        }
        Ok(Some(kind))
    }

    /// Begins the row of a cell. Passes on the previous row if the cell belongs to another one.
    fn begin_row(&mut self, row: u16, rows: &mut Rows<'_>) -> Result<()> {
        if self.begun && self.cells.row == u32::from(row) {
            return Ok(());
        }
        self.end_row(rows)?;
        self.begun = true;
        self.cells.begin(row.into());
        self.cells.hidden = self.hidden.get(usize::from(row)).copied().unwrap_or(false);
        Ok(())
    }

    /// Passes on the current row.
    fn end_row(&mut self, rows: &mut Rows<'_>) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        self.cells.sort_by_last();
        rows(&self.cells)
    }
}
