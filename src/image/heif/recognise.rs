//! Recognises the format by the primary item, for files whose major brand leaves it open. Decodes nothing.

use super::{items::Tables, track};
use crate::job::Input;

/// Whether a file whose major brand does not tell the codec has a primary item of this type. Leaves `input` at any position.
pub(crate) fn is_of(kind: [u8; 4], head: &[u8], input: &mut dyn Input) -> bool {
    // The brands of any pictures (ISO/IEC 23008-12, 10.2) and of their sequences (10.3), and of MIAF (ISO/IEC 23000-22, 10.1).
    const BRANDS: [&[u8]; 4] = [b"mif1", b"mif2", b"msf1", b"miaf"];
    head.get(4..8) == Some(b"ftyp")
        && head.get(8..12).is_some_and(|brand| BRANDS.contains(&brand))
        && match Tables::read(input) {
            Ok(Some(tables)) => tables.starts_with(kind),
            _ => track::first(input, kind).is_ok_and(|found| found.is_some()),
        }
}
