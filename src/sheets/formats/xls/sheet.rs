//! Reads the cells of a sheet (MS-XLS 2.1.7.20.5).
//!
//! Excel writes cells in row order, but other programs write them in any order. So the records are read twice: the
//! first pass finds out whether the cells are in order, and which rows are hidden. If they are not in order, the
//! positions of all cells are sorted, which takes 16 bytes of memory for each cell. Computes no formulas.

use super::{
    records::{FORMULA, Records},
    strings::Texts,
};
use crate::{
    biff::{self, Record},
    cells::{Cells, Value},
    error::Result,
    ooxml::{Strings, Styles},
    sheet::Rows,
    time::Epoch,
};

/// Tables that the cells of all sheets refer to.
pub(super) struct Context {
    /// Shared strings.
    pub(super) strings: Strings,
    /// Number formats of the cell formats.
    pub(super) styles: Styles,
    /// Epoch of dates.
    pub(super) epoch: Epoch,
    /// Decoder of texts in a code page.
    pub(super) texts: Texts,
    /// Time of the last save in ISO 8601.
    #[cfg(feature = "document")]
    pub(super) saved: Option<String>,
}

// Types of records.
/// End of a substream (`EOF`).
const END: u16 = 0x0a;
/// Several cells of a row with numbers in four bytes (`MulRk`).
pub(super) const MANY_COMPRESSED: u16 = 0xbd;
/// Cell with formatted text, in older files (`RString`).
pub(super) const RICH: u16 = 0xd6;
/// Cell with a shared string (`LabelSst`).
pub(super) const SHARED: u16 = 0xfd;
/// Cell with a number (`Number`).
pub(super) const NUMBER: u16 = 0x203;
/// Cell with plain text, in older files (`Label`).
pub(super) const LABEL: u16 = 0x204;
/// Cell with a boolean or an error (`BoolErr`).
pub(super) const BOOLEAN_OR_ERROR: u16 = 0x205;
/// Text result of the formula before it (`String`).
const STRING: u16 = 0x207;
/// Properties of a row (`Row`).
const ROW: u16 = 0x208;
/// Type and number of an object (`Obj`).
pub(super) const OBJECT: u16 = 0x5d;
/// Cell with a number in four bytes (`RK`).
pub(super) const COMPRESSED: u16 = 0x27e;
/// Beginning of a substream (`BOF`).
pub(super) const BEGIN: u16 = 0x809;
/// Records that may come between a formula and its text result: `ShrFmla`, `Array` and `Table`.
const BEFORE_STRING: [u16; 3] = [0x4bc, 0x221, 0x236];

// Types of objects that are no drawings (2.5.143).
/// A drop-down list.
pub(super) const LIST: u16 = 0x14;
/// The text box of a comment.
pub(super) const COMMENT: u16 = 0x19;

/// Types of the records that hold cells.
pub(super) const CELLS: [u16; 8] = [
    FORMULA,
    MANY_COMPRESSED,
    RICH,
    SHARED,
    NUMBER,
    LABEL,
    BOOLEAN_OR_ERROR,
    COMPRESSED,
];

/// Reads the sheet at the current position. Passes its rows to `rows` in order. Returns whether it has charts, pictures
/// or shapes.
pub(super) fn read(
    records: &mut Records<'_>,
    context: &Context,
    rows: &mut Rows<'_>,
) -> Result<bool> {
    let job = records.job;
    if records.next()?.is_none_or(|record| record.kind != BEGIN) {
        return Err(
            job.unreadable("a sheet does not begin at the position that the workbook states")
        );
    }
    let start = records.position();
    let mut hidden = vec![false; 1 << 16];
    let (mut last, mut sorted, mut count, mut has_drawings) = (None, true, 0_u64, false);
    each(records, &mut |record, _| match record.kind {
        ROW => hidden[usize::from(record.u16(0))] = record.u8(12) & 0x20 != 0,
        OBJECT => has_drawings |= !matches!(record.u16(4), COMMENT | LIST),
        kind if CELLS.contains(&kind) => {
            let cell = (record.u16(0), record.u16(2));
            sorted &= Some(cell) > last;
            last = Some(cell);
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
            if CELLS.contains(&record.kind) {
                order.push((record.u16(0), record.u16(2), place));
            }
        })?;
        order.sort_unstable();
        // The last of several cells in one place wins.
        order.dedup_by(|later, kept| {
            let same = (later.0, later.1) == (kept.0, kept.1);
            if same {
                *kept = *later;
            }
            same
        });
        for (_, _, place) in order {
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
    context: &'c Context,
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
        if !wanted {
            return Ok(Some(kind));
        }
        let (row, column) = (record.u16(0), u32::from(record.u16(2)));
        let (styles, epoch) = (&self.context.styles, self.context.epoch);
        let style = usize::from(record.u16(4));
        self.text.clear();
        let value = match kind {
            NUMBER => Some(styles.number(style, record.f64(6), epoch, &mut self.text)),
            COMPRESSED => {
                let value = biff::compressed(record.u32(6));
                Some(styles.number(style, value, epoch, &mut self.text))
            }
            SHARED => self
                .context
                .strings
                .get(record.u32(6) as usize)
                .map(Value::Text),
            BOOLEAN_OR_ERROR if record.u8(7) == 0 => Some(Value::Boolean(record.u8(6) != 0)),
            BOOLEAN_OR_ERROR => Some(Value::Error(biff::error(record.u8(6)))),
            LABEL | RICH => {
                let text = record.data.get(6..).unwrap_or_default();
                let read = self.context.texts.read(text, false, &mut self.text);
                read.map(|()| Value::Text(&self.text))
            }
            MANY_COMPRESSED => {
                begin_row(&mut self.cells, &mut self.begun, &self.hidden, row, rows)?;
                let numbers = record
                    .data
                    .get(4..record.data.len().max(6) - 2)
                    .unwrap_or_default();
                for (number, six) in numbers.chunks_exact(6).enumerate() {
                    let one = Record { kind, data: six };
                    let (style, value) = (one.u16(0).into(), biff::compressed(one.u32(2)));
                    let value = styles.number(style, value, epoch, &mut self.text);
                    self.cells.push(column + number as u32, value)?;
                }
                return Ok(Some(kind));
            }
            FORMULA => match (record.u16(12), record.u8(6)) {
                // If the result of a formula is not a number, the field is a NaN whose bytes encode type and value
                // (2.5.133).
                (0xffff, 0) => {
                    read_text(records, self.context, &mut self.text)?;
                    Some(Value::Text(&self.text))
                }
                (0xffff, 1) => Some(Value::Boolean(record.u8(8) != 0)),
                (0xffff, 2) => Some(Value::Error(biff::error(record.u8(8)))),
                (0xffff, _) => Some(Value::Text("")),
                _ => Some(styles.number(style, record.f64(6), epoch, &mut self.text)),
            },
            _ => return Ok(Some(kind)),
        };
        let value = value.ok_or_else(|| {
            job.unreadable(format!("a cell in row {} is damaged", u32::from(row) + 1))
        })?;
        begin_row(&mut self.cells, &mut self.begun, &self.hidden, row, rows)?;
        styles.push(style, column, value, &mut self.cells)?;
        Ok(Some(kind))
    }

    /// Passes on the last row.
    fn end_row(&mut self, rows: &mut Rows<'_>) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        self.cells.sort();
        rows(&self.cells)
    }
}

/// Begins the row of a cell. Passes on the previous row if the cell belongs to another one.
fn begin_row(
    cells: &mut Cells,
    begun: &mut bool,
    hidden: &[bool],
    row: u16,
    rows: &mut Rows<'_>,
) -> Result<()> {
    if *begun && cells.row == u32::from(row) {
        return Ok(());
    }
    if *begun && !cells.is_empty() {
        cells.sort();
        rows(cells)?;
    }
    *begun = true;
    cells.begin(row.into());
    cells.hidden = hidden.get(usize::from(row)).copied().unwrap_or(false);
    Ok(())
}

/// Reads the text result of a formula from the record after it.
pub(super) fn read_text(
    records: &mut Records<'_>,
    context: &Context,
    out: &mut String,
) -> Result<()> {
    while BEFORE_STRING.contains(&records.peek()?) {
        records.next()?;
    }
    if records.peek()? == STRING
        && let Some(record) = records.next()?
    {
        context.texts.read(record.data, false, out);
    }
    Ok(())
}
