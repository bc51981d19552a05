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
/// The memory of one value after it was read, in bytes. A value that is a byte takes one byte.
const KEPT_VALUE: u64 = 8;
/// The amount of memory that needs no reservation of its own, in bytes.
const SMALL: u64 = 4 << 20;

/// The tags below 32,768 that no picture depends on, as ranges: names, dates, resolution, measures of printers and
/// scanners, the position on a page. Neither the decoder nor this reader refuses a picture because of them.
const NEEDLESS: [RangeInclusive<u16>; 11] = [
    255..=255,
    263..=265,
    267..=272,
    274..=274,
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
/// The longest colour profile that the decoder reads, in bytes.
const MAX_PROFILE: u64 = 1 << 20;

/// Checks that every value that the first picture depends on lies within the file, and reserves the memory for reading
/// the values. Returns the number of bytes that the decoder keeps.
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
/// if values lie beyond `len`.
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
        if tag >= PRIVATE && !is_profile || NEEDLESS.iter().any(|range| range.contains(&tag)) {
            continue;
        }
        if entry.offset != entry.slot && entry.offset.saturating_add(entry.byte_len()) > len {
            if is_profile {
                // The picture is read without a profile that lies beyond the end of the file.
                values = values.saturating_add(entry.count.min(MAX_PROFILE));
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
