//! Types of records for rows and cells (MS-XLSB 2.3). `FORMULA_*` are cells with a formula and its result;
//! `COMPRESSED` is an RK number, `SHARED` a shared string, `RICH` a text with several fonts.

pub(super) const ROW: u16 = 0;
pub(super) const CELL_COMPRESSED: u16 = 2;
pub(super) const CELL_ERROR: u16 = 3;
pub(super) const CELL_BOOLEAN: u16 = 4;
pub(super) const CELL_NUMBER: u16 = 5;
pub(super) const CELL_TEXT: u16 = 6;
pub(super) const CELL_SHARED: u16 = 7;
pub(super) const FORMULA_TEXT: u16 = 8;
pub(super) const FORMULA_NUMBER: u16 = 9;
pub(super) const FORMULA_BOOLEAN: u16 = 10;
pub(super) const FORMULA_ERROR: u16 = 11;
pub(super) const CELL_RICH: u16 = 62;
