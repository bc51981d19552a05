//! OfficeArt (MS-ODRAW): drawings in the binary files of Word, Excel and PowerPoint, as records within records. Knows
//! no document, no sheet and no slide, and draws nothing.

mod blip;
mod look;
mod outline;
mod preset;
mod records;
mod shapes;

pub use blip::blip;
pub use look::{Colours, Look, Stands, turned};
pub use preset::{geometry, is_line, is_words, preset};
pub use records::{Record, Records};
pub use shapes::{Properties, property};
