//! Files that are compressed with xz or Zstandard, which store no file name. Both state the uncompressed size in
//! advance, so that the memory can be leased first.

use super::unpacked::{MAX_BYTES, Unpacked};
use crate::{
    coding::{xz, zstd},
    error::Result,
    job::{Input, Job, Lease},
};
use convertd_tree::input::read_all;

/// Decompresses all blocks of an xz file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if they are damaged, use a filter for executable programs,
/// or become too large.
pub(super) fn unxz<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Unpacked<'a>> {
    let (data, _lease) = read_all(job, input, 1)?;
    let damaged = || {
        job.unreadable("it is cut off, damaged, or packed with a filter for executable programs")
    };
    let blocks = xz::blocks(&data).ok_or_else(damaged)?;
    let sizes = blocks.iter().map(|block| block.size);
    // The decoder holds a second copy of a block.
    let (mut out, lease) = room(job, sizes.fold(0, u64::saturating_add), 2)?;
    let mut at = 0;
    for block in blocks {
        job.check()?;
        let end = at + block.size as usize;
        let stored = data.get(block.at..block.at.saturating_add(block.stored));
        let stored = stored.ok_or_else(damaged)?;
        xz::unpack_block(stored, &mut out[at..end]).ok_or_else(damaged)?;
        if !block.is_intact(stored, &out[at..end]) {
            return Err(job.unreadable("it is damaged: a checksum in it is wrong"));
        }
        at = end;
    }
    Ok(Unpacked::whole(job, out, lease))
}

/// Decompresses all frames of a Zstandard file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if they are damaged, need a dictionary, or become too
/// large.
pub(super) fn unzstd<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Unpacked<'a>> {
    let (data, _lease) = read_all(job, input, 1)?;
    let damaged = || job.unreadable("it is cut off, damaged, or packed with a dictionary");
    let most = zstd::most(&data).ok_or_else(damaged)?;
    // One byte more shows whether the content is longer than stated.
    let (mut out, lease) = room(job, most.saturating_add(1), 1)?;
    let len = zstd::unpack_whole(&data, &mut out).ok_or_else(damaged)?;
    out.truncate(len);
    Ok(Unpacked::whole(job, out, lease))
}

/// A buffer for this many bytes, with a lease for `times` as many.
fn room<'a>(job: &'a Job<'a>, len: u64, times: u64) -> Result<(Vec<u8>, Lease<'a>)> {
    if len > MAX_BYTES {
        return Err(Unpacked::too_large(job));
    }
    let lease = job.lease(len * times + zstd::MEMORY)?;
    Ok((vec![0; len as usize], lease))
}
