//! Presentation formats, one folder each. A new format needs a folder and a line here. Contains no code of its own.

mod key;
mod odp;
mod ppt;
mod pptx;

use super::row::Row;

/// All formats, in the order of `/formats`. The first format that recognises a file is taken.
pub(crate) static ROWS: &[&Row] = &[
    &pptx::ROW,
    &ppt::ROW,
    &odp::ROW,
    &odp::FLAT,
    &odp::DRAWING,
    &odp::FLAT_DRAWING,
    &key::ROW,
];
