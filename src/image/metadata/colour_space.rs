//! The colour space that EXIF states. EXIF has a number only for sRGB, so cameras state Adobe RGB by the rules of DCF
//! 2.0 (JEITA CP-3461B): the picture is "uncalibrated", and the index of its Interoperability directory is R03. Does
//! not guess from names of files, which begin with an underscore in that case.

use super::exif::MAX_ENTRIES;
use convertd_core::{
    containers::ifd::{Directory, Numbers},
    job::Input,
};
use std::io::{self, Cursor};
use tiff::tags::Tag;

/// The tag ColorSpace (Exif 2.32).
const COLOUR_SPACE: Tag = Tag::Unknown(0xa001);
/// The tag that points to the Interoperability directory.
const INTEROPERABILITY: Tag = Tag::Unknown(0xa005);
/// The tag InteroperabilityIndex in the Interoperability directory.
const INDEX: Tag = Tag::Unknown(1);

/// The value of ColorSpace for pictures that are not in sRGB.
const UNCALIBRATED: u64 = 0xffff;

/// Returns whether the EXIF of a picture states Adobe RGB. Damaged EXIF states nothing.
pub(crate) fn is_adobe_rgb(exif: &[u8]) -> bool {
    stated(&mut Cursor::new(exif)).unwrap_or(false)
}

fn stated(input: &mut dyn Input) -> io::Result<bool> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        return Ok(false);
    };
    let first = Directory::read(input, numbers, first, MAX_ENTRIES)?;
    let Some(offset) = first.value(input, Tag::ExifDirectory)? else {
        return Ok(false);
    };
    let exif = Directory::read(input, numbers, offset, MAX_ENTRIES)?;
    directory_states_adobe_rgb(&exif, input)
}

/// Returns whether an Exif directory states Adobe RGB.
pub(crate) fn directory_states_adobe_rgb(
    exif: &Directory,
    input: &mut dyn Input,
) -> io::Result<bool> {
    if exif.value(input, COLOUR_SPACE)? != Some(UNCALIBRATED) {
        return Ok(false);
    }
    let Some(offset) = exif.value(input, INTEROPERABILITY)? else {
        return Ok(false);
    };
    let interoperability = Directory::read(input, exif.numbers, offset, MAX_ENTRIES)?;
    let index = interoperability.bytes(input, INDEX, 3)?;
    Ok(index.as_deref() == Some(b"R03"))
}
