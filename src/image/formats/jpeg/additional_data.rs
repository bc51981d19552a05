//! Recognises additional data in a JPEG file: a gain map for HDR screens (ISO 21496-1, and the older formats of Adobe
//! and Google), and the video of a motion photo. Does not read this data.

use super::markers::{APP1, APP2, EOI, SOS, Walk, XMP};
use crate::source::{FILM, GAIN_MAP};
use convertd_core::job::Input;
use memchr::memmem;
use std::io;

/// The beginning of the segment with which ISO 21496-1 announces a gain map.
const ISO_GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";
/// Properties in XMP that only pictures with a gain map have: one of Adobe, and one in Google's list of files.
const GAIN_MAPS: [&[u8]; 2] = [b"hdrgm:Version", b"Semantic=\"GainMap\""];
/// Names in XMP that announce a video after the picture.
const FILMS: [&[u8]; 4] = [
    b"MotionPhoto=\"1\"",
    b"MotionPhoto>1<",
    b"MicroVideo=\"1\"",
    b"MicroVideo>1<",
];

/// Notes about additional data in the file.
pub(super) fn notes(input: &mut dyn Input) -> io::Result<Vec<&'static str>> {
    let (mut has_map, mut has_film) = (false, false);
    let mut walk = Walk::new(input)?;
    loop {
        let marker = walk.marker()?;
        if matches!(marker, SOS | EOI) {
            break;
        }
        let segment = walk.segment()?;
        let has = |names: &[&[u8]]| {
            names
                .iter()
                .any(|name| memmem::find(&segment, name).is_some())
        };
        match marker {
            APP2 => has_map |= segment.starts_with(ISO_GAIN_MAP),
            APP1 if segment.starts_with(XMP) => {
                has_map |= has(&GAIN_MAPS);
                has_film |= has(&FILMS);
            }
            _ => {}
        }
    }
    let notes = [has_map.then_some(GAIN_MAP), has_film.then_some(FILM)];
    Ok(notes.into_iter().flatten().collect())
}
