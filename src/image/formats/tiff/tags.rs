//! The table of tags at the beginning of a TIFF (TIFF 6.0, section 2; BigTIFF), before its decoder believes it. Reads no
//! value but where it lies.
//!
//! The decoder makes room for as many values as a tag claims to have, at 32 bytes each, before it looks for them.

use super::numbers::Numbers;
use crate::{
    error::Result,
    image::{
        limits,
        source::{failed, lost, rewind},
    },
    job::{Input, Job, input_len},
};
use std::io::{self, SeekFrom};

/// What one value takes in the decoder's memory while it is read.
const VALUE: u64 = 32;
/// What it takes from then on, unless it is a byte.
const KEPT: u64 = 8;
/// What is not worth a reservation of its own, in bytes.
const SMALL: u64 = 4 << 20;

/// Tags from here on are private, and of no interest to the decoder but for one.
const PRIVATE: u64 = 32_768;
/// The colour profile.
const ICC_PROFILE: u64 = 34_675;

/// Checks that every value of the first picture lies within the file, and reserves the memory that reading them takes.
/// Leaves `input` at its beginning. Returns the bytes that the decoder keeps of them.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not that long.
pub(crate) fn check(job: &Job<'_>, input: &mut dyn Input) -> Result<u64> {
    let len = input_len(input).map_err(lost)?;
    let (values, kept) = match count_values(input, len) {
        Ok(counts) => counts,
        Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(job.unreadable("its tags lie beyond the end of the file"));
        }
        Err(err) => return Err(failed(job, err)),
    };
    let memory = values.saturating_mul(VALUE).saturating_add(kept);
    if memory > SMALL {
        job.reserve(memory.saturating_add(limits::BASE))?;
    }
    rewind(input)?;
    Ok(kept)
}

/// The number of values that describe the first picture, and the bytes that the decoder keeps of them. `UnexpectedEof` if they lie beyond `len`.
fn count_values(input: &mut dyn Input, len: u64) -> io::Result<(u64, u64)> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        // What it is instead, its decoder says.
        return Ok((0, 0));
    };
    let number = |bytes: &[u8]| numbers.value(bytes);
    // The width of a number of values, and of an offset.
    let width = if numbers.big { 8 } else { 4 };
    input.seek(SeekFrom::Start(first))?;
    let mut count = [0; 8];
    let count = &mut count[..numbers.count_len()];
    input.read_exact(count)?;
    let tags = number(count);
    let (mut values, mut kept) = (0_u64, 0_u64);
    let mut tag = [0; 20];
    let tag = &mut tag[..numbers.entry_len()];
    for _ in 0..tags {
        input.read_exact(tag)?;
        let (id, kind) = (number(&tag[..2]), number(&tag[2..4]));
        let (count, place) = tag[4..].split_at(width);
        let (count, place) = (number(count), number(place));
        let one = value_width(kind);
        let bytes = count.saturating_mul(one);
        let inside = bytes <= width as u64 || place.saturating_add(bytes) <= len;
        if id >= PRIVATE && id != ICC_PROFILE {
            continue;
        }
        if !inside {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        values = values.saturating_add(count);
        let each = if one == 1 { 1 } else { KEPT };
        kept = kept.saturating_add(count.saturating_mul(each));
    }
    Ok((values, kept))
}

/// Bytes of a value of the type `kind`; 1 for types that nobody knows, which the decoder does not, either.
fn value_width(kind: u64) -> u64 {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 1,
    }
}
