//! JPEG files that are embedded unchanged in other files: the properties that the enclosing file states, and the bytes
//! that are kept. Decodes nothing.
//!
//! DCTDecode in PDF (ISO 32000-1, 7.4.8) covers the features that all programs support: 8 bits, baseline or
//! progressive, Huffman codes. Whether samples are YCbCr follows from the segment of Adobe, or else from the number of
//! components, so a file that states RGB by the IDs of its components cannot be embedded. Application segments other
//! than APP0 and that of Adobe, such as EXIF, are left out, and so is anything after the end of the image, such as the
//! second picture of a stereo pair.

use super::markers::{
    APP0, APP2, APP14, DHT, EOI, ICC, SOF0, SOF2, SOF3, SOF5, SOF7, SOF9, SOF11, SOF13, SOF15, SOS,
    Walk,
};
use convertd_core::{format::Format, job::Input};
use std::io;

/// Colour space in the profile header (ICC.1:2022, 7.2.6), for each number of components.
const SPACES: [(u8, &[u8]); 3] = [(1, b"GRAY"), (3, b"RGB "), (4, b"CMYK")];
/// Largest colour profile in bytes. Profiles of printers may have some megabytes.
const MAX_ICC: usize = 8 << 20;

/// Properties of a JPEG.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AsIs {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Number of components: 1, 3 or 4.
    pub(crate) components: u8,
    /// Whether it has a segment of Adobe.
    pub(crate) is_adobe: bool,
    /// The colour profile, if it is for that number of components.
    pub(crate) icc: Option<Vec<u8>>,
    /// Ranges of the bytes that are kept, in the order of the file.
    pub(crate) kept_ranges: Vec<(u64, u64)>,
}

/// Returns whether the format is JPEG.
pub(crate) fn is_of(format: &Format) -> bool {
    *format == super::ROW.format
}

/// Scans a whole file. `None` if it is cut short, or if it has features that some programs do not support.
pub(crate) fn survey(input: &mut dyn Input) -> io::Result<Option<AsIs>> {
    match walk(input) {
        Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        found => found,
    }
}

/// Walks over the segments, and decides whether the file can be embedded in a document unchanged. Leaves out segments
/// that no decoder needs.
fn walk(input: &mut dyn Input) -> io::Result<Option<AsIs>> {
    const APPLICATIONS: std::ops::RangeInclusive<u8> = APP0..=APP0 + 15;
    let mut walk = Walk::new(input)?;
    let (mut frame, mut has_tables) = (None, false);
    let (mut adobe, mut profile, mut profile_len) = (false, Vec::new(), 0);
    let (mut kept_ranges, mut from) = (Vec::new(), 0);
    loop {
        let marker = walk.marker()?;
        if marker == EOI {
            kept_ranges.push((from, walk.at as u64));
            break;
        }
        let start = walk.at as u64 - 2;
        let segment = walk.segment()?;
        let is_kept = match marker {
            APP14 if segment.starts_with(b"Adobe") => {
                adobe = true;
                true
            }
            APP0 => true,
            APP2 => {
                if let Some(part) = segment.strip_prefix(ICC)
                    && profile_len + part.len() <= MAX_ICC
                {
                    profile_len += part.len();
                    profile.push(part.to_vec());
                }
                false
            }
            marker => !APPLICATIONS.contains(&marker),
        };
        if !is_kept {
            kept_ranges.push((from, start));
            from = walk.at as u64;
        }
        match marker {
            SOF0..=SOF2 if frame.is_none() => match Frame::of(&segment) {
                None => return Ok(None),
                found => frame = found,
            },
            SOF0..=SOF3 | SOF5..=SOF7 | SOF9..=SOF11 | SOF13..=SOF15 => return Ok(None),
            DHT => has_tables = true,
            // A file without Huffman tables is refused, because some readers do not fall back to the standard tables.
            SOS if frame.is_none() || !has_tables => return Ok(None),
            _ => {}
        }
    }
    let Some(Frame {
        width,
        height,
        components,
        is_named_rgb,
    }) = frame
    else {
        return Ok(None);
    };
    if is_named_rgb && !adobe {
        return Ok(None);
    }
    let space = SPACES.iter().find(|(count, _)| *count == components);
    let icc = joined(profile).filter(|icc| {
        let found = icc.get(16..20);
        found.is_some() && found == space.map(|(_, space)| *space)
    });
    Ok(Some(AsIs {
        width,
        height,
        components,
        is_adobe: adobe,
        icc,
        kept_ranges,
    }))
}

/// Content of a frame header (B.2.2).
struct Frame {
    width: u32,
    height: u32,
    components: u8,
    is_named_rgb: bool,
}

impl Frame {
    /// Parses a frame header. `None` for frames that some programs cannot read.
    fn of(segment: &[u8]) -> Option<Self> {
        let &[
            precision,
            height_high,
            height_low,
            width_high,
            width_low,
            components,
            ..,
        ] = segment
        else {
            return None;
        };
        let [height, width] = [[height_high, height_low], [width_high, width_low]]
            .map(|side| u32::from(u16::from_be_bytes(side)));
        let names: Vec<u8> = segment[6..].iter().copied().step_by(3).collect();
        let known = precision == 8 && matches!(components, 1 | 3 | 4) && width > 0 && height > 0;
        (known && names.len() == usize::from(components)).then_some(Self {
            width,
            height,
            components,
            is_named_rgb: names == b"RGB",
        })
    }
}

/// Joins the parts of a profile in order (ICC.1:2022, B.4). `None` if one is missing.
fn joined(mut parts: Vec<Vec<u8>>) -> Option<Vec<u8>> {
    parts.sort_by_key(|part| part.first().copied());
    let count = usize::from(*parts.first()?.get(1)?);
    let whole = (1..=count).eq(parts
        .iter()
        .map(|part| usize::from(part.first().copied().unwrap_or(0))));
    whole.then(|| {
        parts
            .iter()
            .flat_map(|part| part.iter().skip(2).copied())
            .collect()
    })
}
