//! Recognises the format by the primary item, for files whose major brand leaves it open. Decodes nothing.
//!
//! Pictures of other codecs are recognised, too, so that the error message can name them.

use super::{items::Tables, track};
use convertd_core::job::Input;

/// Brands that do not state the codec: of pictures in general (ISO/IEC 23008-12, 10.2), of sequences (10.3), and of
/// MIAF (ISO/IEC 23000-22, 10.1).
const BRANDS: [&[u8]; 4] = [b"mif1", b"mif2", b"msf1", b"miaf"];
/// Brands of pictures in unsupported codecs: H.264, VVC, JPEG, JPEG 2000, uncompressed.
const OTHERS: [&[u8]; 5] = [b"avci", b"vvic", b"jpeg", b"j2ki", b"unif"];
/// Item types of the supported codecs.
const READ: [[u8; 4]; 2] = [*b"hvc1", *b"av01"];

/// Returns whether the main picture of a file has coded images of this type: the primary item, or the first item that
/// it is derived from, or, in a file without a primary item, a track. Returns `false` if the major brand states the
/// codec. Moves the position of `input`.
pub(crate) fn is_of(kind: [u8; 4], head: &[u8], input: &mut dyn Input) -> bool {
    is_branded(head, &BRANDS)
        && match Tables::read(input) {
            Ok(Some(tables)) => tables.starts_with(kind),
            _ => track::sequence(input, kind).is_ok_and(|found| found.is_some()),
        }
}

/// Returns whether a file with a brand of [`BRANDS`] or [`OTHERS`] has a primary item in an unsupported codec. Moves
/// the position of `input`.
#[cfg_attr(not(feature = "heic"), allow(dead_code))]
pub(crate) fn is_of_another(head: &[u8], input: &mut dyn Input) -> bool {
    (is_branded(head, &BRANDS) || is_branded(head, &OTHERS))
        && matches!(Tables::read(input), Ok(Some(tables)) if !READ.iter().any(|kind| tables.starts_with(*kind)))
}

/// Returns whether the major brand of a file with this beginning is one of these.
pub(super) fn is_branded(head: &[u8], brands: &[&[u8]]) -> bool {
    head.get(4..8) == Some(b"ftyp") && head.get(8..12).is_some_and(|brand| brands.contains(&brand))
}
