//! Hides ancillary chunks that the decoder would refuse: what a picture does not need must not decide whether it is
//! read. Changes no other byte, and no length.
//!
//! The crate `png` (0.18) ignores most ancillary chunks that are not valid, but treats three faults as errors of the
//! whole file: unknown values in `cICP`, a background colour before the palette, and a chunk that takes more memory than
//! its limit. Each of these chunks gets a name here that no decoder knows, so that it is skipped.

use super::{chunks::Walk, lines::ANCILLARY};
use crate::{
    edited_input::{Edit, EditedInput},
    metadata::MAX,
    source::{lost, rewind},
};
use convertd_core::{error::Result, job::Input};

/// The name that hides a chunk: ancillary, private, and safe to copy (W3C PNG, third edition, 5.4).
const NAME: [u8; 4] = *b"noNe";
/// Largest number of chunks that are hidden.
const MOST: usize = 64;

/// The file from its beginning, without the chunks before the picture that the decoder would refuse.
pub(super) fn hide<'a>(input: &'a mut dyn Input) -> Result<Box<dyn Input + 'a>> {
    let mut edits = Vec::new();
    let mut walk = Walk::new(&mut *input).map_err(lost)?;
    while let Some(head) = walk.next().map_err(lost)? {
        let start = walk.position().map_err(lost)? - NAME.len() as u64;
        let is_refused = match &head.name {
            b"IDAT" | b"IEND" => break,
            b"cICP" if head.len == 4 => {
                let code = walk.data(4).unwrap_or_default();
                !matches!(code[..], [_, _, 0, 0 | 1])
            }
            // No result depends on these.
            b"bKGD" | b"mDCV" | b"cLLI" => true,
            b"eXIf" => head.len as usize > MAX,
            b"iCCP" => head.len as usize > ANCILLARY / 2,
            _ => false,
        };
        if is_refused && edits.len() < MOST {
            let bytes = NAME.to_vec();
            edits.push(Edit { start, bytes });
        }
    }
    rewind(input)?;
    Ok(match edits.is_empty() {
        true => Box::new(input),
        false => Box::new(EditedInput::edited(input, edits)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    #[test]
    fn only_the_names_of_refused_chunks_change() {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut expected = file.clone();
        for (name, data, shown) in [
            (b"cICP", &[9, 16, 0, 1][..], b"cICP"),
            (b"cICP", &[9, 16, 9, 1], b"noNe"),
            (b"bKGD", &[0; 6], b"noNe"),
            (b"gAMA", &[0; 4], b"gAMA"),
            (b"IDAT", &[1; 9], b"IDAT"),
            (b"bKGD", &[0; 6], b"bKGD"),
        ] {
            for (bytes, name) in [(&mut file, name), (&mut expected, shown)] {
                bytes.extend((data.len() as u32).to_be_bytes());
                bytes.extend(name);
                bytes.extend(data);
                bytes.extend([7; 4]);
            }
        }
        let mut input = Cursor::new(file);
        let mut shown = Vec::new();
        let mut hiding = hide(&mut input).unwrap();
        hiding.read_to_end(&mut shown).unwrap();
        assert!(shown == expected);
    }
}
