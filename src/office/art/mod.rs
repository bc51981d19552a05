//! OfficeArt (MS-ODRAW): drawings in the binary files of Word, Excel and PowerPoint, as records within records. Knows no document,
//! no sheet and no slide, and draws nothing.

mod blip;
mod records;
mod shapes;

pub(crate) use blip::blip;
pub(crate) use records::{Record, Records};
#[cfg(any(feature = "presentation", feature = "spreadsheet"))]
pub(crate) use shapes::preset;
pub(crate) use shapes::{Properties, property};
