//! The entries of an icon's directory. Reads no picture.

use crate::{
    image::pages::{Pages, Patch},
    job::Input,
};
use std::io;

/// Finds all entries. The decoder, which takes the best one, is made to read one of them by a directory of that one alone.
pub(crate) fn find(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let patches = entries(input)?.into_iter().map(|entry| Patch {
        start: 0,
        bytes: [b"\0\0\x01\0\x01\0", &entry[..]].concat(),
    });
    Ok(Some(Pages {
        called: ["entry", "entries"],
        patches: patches.collect(),
        first_is_default: false,
    }))
}

/// The entries of an icon's directory.
fn entries(input: &mut dyn Input) -> io::Result<Vec<[u8; 16]>> {
    let mut head = [0; 6];
    input.read_exact(&mut head)?;
    let mut entries = vec![[0; 16]; u16::from_le_bytes([head[4], head[5]]).into()];
    input.read_exact(entries.as_flattened_mut())?;
    Ok(entries)
}
