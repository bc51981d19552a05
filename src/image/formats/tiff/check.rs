//! Checks the first directory of a TIFF file (TIFF 6.0, section 2; BigTIFF) before the decoder reads it. Only the
//! number and the position of values are checked.
//!
//! The decoder allocates 32 bytes for each value that a tag claims to have, before it reads the values. So a small
//! damaged file could take any amount of memory.

use crate::{
    limits,
    source::{failed, lost},
};
use convertd_core::{
    containers::ifd::{Entries, Numbers},
    error::Result,
    job::{Input, Job, input_len},
};
use std::{io, ops::RangeInclusive};
use tiff::tags::Tag;

/// The memory of one value in the decoder while it is read, in bytes.
const VALUE: u64 = 32;
/// The memory of one value after it was read, in bytes. A value whose type has one byte takes one byte.
const KEPT_VALUE: u64 = 8;
/// The largest amount of memory that needs no reservation of its own, in bytes.
const SMALL: u64 = 4 << 20;

/// The tags below 32,768 that no picture depends on, as ranges: names, dates, resolution, measures of printers and
/// scanners, the position on a page. Neither the decoder nor this reader refuses a picture because of them.
const NEEDLESS: [RangeInclusive<u16>; 10] = [
    255..=255,
    263..=265,
    267..=272,
    280..=283,
    285..=291,
    296..=316,
    318..=319,
    332..=337,
    340..=346,
    700..=32_767,
];
/// The first private tag. The decoder reads no private tag except the colour profile.
const PRIVATE: u16 = 32_768;
/// The largest number of values that are counted for an optional tag (colour profile or orientation) whose values lie
/// beyond the end of the file.
const MAX_MISSING: u64 = 1 << 20;

/// Checks that every value that the first picture needs lies within the file, and reserves the memory for reading the
/// values if it exceeds [`SMALL`]. Returns the number of bytes that the decoder keeps.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file is too short.
pub(crate) fn check(job: &Job<'_>, input: &mut dyn Input) -> Result<u64> {
    let len = input_len(input).map_err(lost)?;
    let (values, kept_bytes) = match count_values(input, len) {
        Ok(counts) => counts,
        Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(job.unreadable("its tags lie beyond the end of the file"));
        }
        Err(err) => return Err(failed(job, err)),
    };
    let memory = values.saturating_mul(VALUE).saturating_add(kept_bytes);
    if memory > SMALL {
        job.reserve(memory.saturating_add(limits::BASE))?;
    }
    Ok(kept_bytes)
}

/// The number of values that describe the first picture, and the bytes that the decoder keeps of them. `UnexpectedEof`
/// if values of a tag that is not optional lie beyond `len`.
fn count_values(input: &mut dyn Input, len: u64) -> io::Result<(u64, u64)> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        // The decoder reports the fault in the header.
        return Ok((0, 0));
    };
    let (mut values, mut kept_bytes) = (0_u64, 0_u64);
    let mut entries = Entries::of(input, numbers, first)?;
    while let Some(entry) = entries.next_entry()? {
        let tag = entry.tag.to_u16();
        let is_profile = entry.tag == Tag::IccProfile;
        let is_optional = is_profile || entry.tag == Tag::Orientation;
        if tag >= PRIVATE && !is_profile || NEEDLESS.iter().any(|range| range.contains(&tag)) {
            continue;
        }
        if entry.offset != entry.slot && entry.offset.saturating_add(entry.byte_len()) > len {
            if is_optional {
                // The picture is read without a profile or an orientation that lies beyond the end of the file.
                values = values.saturating_add(entry.count.min(MAX_MISSING));
                continue;
            }
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        values = values.saturating_add(entry.count);
        let each = if entry.width() == 1 { 1 } else { KEPT_VALUE };
        kept_bytes = kept_bytes.saturating_add(entry.count.saturating_mul(each));
    }
    Ok((values, kept_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn values_are_counted_unless_no_reader_needs_them() {
        #[track_caller]
        fn check(tag: u16, count: u32, offset: u32, expected: Option<u64>) {
            let mut file = b"II*\0\x08\0\0\0\x01\0".to_vec();
            file.extend(tag.to_le_bytes());
            // The type BYTE.
            file.extend(1_u16.to_le_bytes());
            file.extend(count.to_le_bytes());
            file.extend(offset.to_le_bytes());
            file.resize(1000, 0);
            let counted = count_values(&mut Cursor::new(file), 1000);
            assert_eq!(counted.ok().map(|(values, _)| values), expected);
        }
        const PROFILE: u16 = 34_675;
        // Width, orientation and profile within the file, and beyond its end.
        for tag in [256, 274, PROFILE] {
            check(tag, 900, 50, Some(900));
        }
        check(256, 900, 500, None);
        for tag in [274, PROFILE] {
            check(tag, 900, 500, Some(900));
            check(tag, u32::MAX, 500, Some(MAX_MISSING));
        }
        // A text, and a private tag.
        for tag in [270, 50_000] {
            check(tag, 900, 500, Some(0));
        }
    }
}
