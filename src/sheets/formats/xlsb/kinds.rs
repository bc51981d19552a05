//! Types of records for rows and cells (MS-XLSB 2.3). `FORMULA_*` are cells with a formula and its result;
//! `COMPRESSED` is an RK number, `SHARED` a shared string, `RICH` a text with several fonts.

/// Beginning of a row (`BrtRowHdr`).
pub(super) const ROW: u16 = 0;
/// Cell with a number in four bytes (`BrtCellRk`).
pub(super) const CELL_COMPRESSED: u16 = 2;
/// Cell with an error (`BrtCellError`).
pub(super) const CELL_ERROR: u16 = 3;
/// Cell with a boolean (`BrtCellBool`).
pub(super) const CELL_BOOLEAN: u16 = 4;
/// Cell with a number (`BrtCellReal`).
pub(super) const CELL_NUMBER: u16 = 5;
/// Cell with plain text (`BrtCellSt`).
pub(super) const CELL_TEXT: u16 = 6;
/// Cell with a shared string (`BrtCellIsst`).
pub(super) const CELL_SHARED: u16 = 7;
/// Formula with a text as its result (`BrtFmlaString`).
pub(super) const FORMULA_TEXT: u16 = 8;
/// Formula with a number as its result (`BrtFmlaNum`).
pub(super) const FORMULA_NUMBER: u16 = 9;
/// Formula with a boolean as its result (`BrtFmlaBool`).
pub(super) const FORMULA_BOOLEAN: u16 = 10;
/// Formula with an error as its result (`BrtFmlaError`).
pub(super) const FORMULA_ERROR: u16 = 11;
/// Cell with formatted text (`BrtCellRString`).
pub(super) const CELL_RICH: u16 = 62;
