//! Files that are compressed with xz or Zstandard, which store no file name. An xz file states its uncompressed size,
//! and a Zstandard file gives an upper bound of it, so the memory is leased before anything is decompressed.

use super::unpacked::{MAX_BYTES, Unpacked};
use crate::{
    coding::{xz, zstd},
    error::Result,
    job::{Input, Job, Lease},
};
use convertd_tree::input::read_all;

/// Decompresses all blocks of an xz file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if a block is damaged or uses a filter for executable
/// programs, or if all blocks together become larger than [`MAX_BYTES`].
pub(super) fn unxz<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Unpacked<'a>> {
    let (data, _lease) = read_all(job, input, 1)?;
    let damaged = || {
        job.unreadable("it is cut off, damaged, or packed with a filter for executable programs")
    };
    let blocks = xz::blocks(&data).ok_or_else(damaged)?;
    let sizes = blocks.iter().map(|block| block.size);
    // The decoder holds a second copy of a block, so twice the size of the content is leased.
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
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if a frame is damaged or needs a dictionary, or if all
/// frames together may become larger than [`MAX_BYTES`].
pub(super) fn unzstd<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Unpacked<'a>> {
    let (data, _lease) = read_all(job, input, 1)?;
    let damaged = || job.unreadable("it is cut off, damaged, or packed with a dictionary");
    let most = zstd::most(&data).ok_or_else(damaged)?;
    // The buffer has one byte more than the upper bound, so that longer content is noticed.
    let (mut out, lease) = room(job, most.saturating_add(1), 1)?;
    let len = zstd::unpack_whole(&data, &mut out).ok_or_else(damaged)?;
    out.truncate(len);
    Ok(Unpacked::whole(job, out, lease))
}

/// Returns a buffer of `len` bytes, with a lease for `times` as many bytes and for the memory of the Zstandard decoder.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if `len` exceeds [`MAX_BYTES`]; those of the lease.
fn room<'a>(job: &'a Job<'a>, len: u64, times: u64) -> Result<(Vec<u8>, Lease<'a>)> {
    if len > MAX_BYTES {
        return Err(Unpacked::too_large(job));
    }
    let lease = job.lease(len * times + zstd::MEMORY)?;
    Ok((vec![0; len as usize], lease))
}
