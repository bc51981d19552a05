//! Lists the pictures of a file that has several, such as the shots of a burst, so that a client can request one of
//! them. Decodes no picture.

use super::items::Tables;
use crate::pages::{Pages, Patch};
use convertd_core::job::Input;
use std::io;

/// Finds the pictures. To read one of them, the ID of the primary item is replaced by the ID of that picture.
pub(crate) fn find(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    // A file that cannot be read counts as a file without pages; the decoder will report the fault.
    let Ok(Some(tables)) = Tables::read(input) else {
        return Ok(None);
    };
    let pictures = tables.pictures();
    let index = pictures.iter().position(|item| *item == tables.primary);
    let patches = pictures.iter().map(|item| {
        let (start, bytes) = tables.with_primary(*item);
        Patch {
            from: 0,
            start,
            bytes,
        }
    });
    Ok(Some(Pages {
        called: ["picture", "pictures"],
        patches: patches.collect(),
        default: index.map_or(1, |index| index as u32 + 1),
        others_are_lost: true,
    }))
}
