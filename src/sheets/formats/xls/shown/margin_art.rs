//! The drawing of headers and footers (MS-XLS 2.4.138), as its records come. Reads none of it: see [`margins`](super::margins).

use crate::biff;

/// The kind of the records.
pub(super) const KIND: u16 = 0x866;

/// Bytes before the drawing: the header that records of later versions have, and flags.
const HEADER: usize = 14;

/// The flags: what follows is the store, or continues the record before.
const IS_STORE: u8 = 2;
const CONTINUES: u8 = 4;

/// The drawing of headers and footers: the store of the workbook, or the shapes of a sheet.
#[derive(Default)]
pub(super) struct Art {
    pub(super) store: Vec<u8>,
    pub(super) shapes: Vec<u8>,
    in_store: bool,
}

impl Art {
    /// Takes a record, which may continue the one before it.
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
