//! Drawing of headers and footers (MS-XLS 2.4.138), collected from its records. Its content is read in
//! [`margins`](super::margins).

use crate::biff;

/// Type of the records.
pub(super) const KIND: u16 = 0x866;

/// Number of bytes before the drawing: the header of records that later versions added, and flags.
const HEADER: usize = 14;

/// Flag: the data is part of the store of pictures, not of the shapes.
const IS_STORE: u8 = 2;
/// Flag: the data continues that of the previous record.
const CONTINUES: u8 = 4;

/// Drawing of headers and footers: the picture store of the workbook, or the shapes of a sheet.
#[derive(Default)]
pub(super) struct Art {
    /// Record with the pictures.
    pub(super) store: Vec<u8>,
    /// Record with the shapes of the sheet.
    pub(super) shapes: Vec<u8>,
    /// Whether the current record is part of the store.
    in_store: bool,
}

impl Art {
    /// Adds a record.
    pub(super) fn take(&mut self, record: biff::Record<'_>) {
        let flags = record.u8(12);
        let continues = flags & CONTINUES != 0;
        if !continues {
            self.in_store = flags & IS_STORE != 0;
        }
        let part = record.data.get(HEADER..).unwrap_or_default();
        let whole = match self.in_store {
            true => &mut self.store,
            false => &mut self.shapes,
        };
        if !continues {
            whole.clear();
        }
        whole.extend_from_slice(part);
    }
}
