//! OfficeArt (MS-ODRAW): drawings in the binary files of Word, Excel and PowerPoint, stored as nested records. Does not
//! read documents, sheets or slides, and draws nothing.

mod blip;
mod look;
mod outline;
mod preset;
mod records;
mod shapes;

pub use blip::blip;
pub use look::{Colours, Look, VerticalAnchor, turned};
pub use preset::{geometry, is_line, is_words, preset};
pub use records::{Record, Records};
pub use shapes::{Properties, property};
