//! Reads a whole file into memory. Never reads before the memory has been granted.

use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job, Lease},
};

/// Reads the file. Before that, leases `times` times its length, for the bytes and for everything that the caller makes
/// of them.
///
/// Errors: those of [`Job::lease`], and [`Kind::BadInput`] if the file cannot be read.
pub fn read_all<'a>(
    job: &Job<'a>,
    input: &mut dyn Input,
    times: u64,
) -> Result<(Vec<u8>, Lease<'a>)> {
    let lease = job.lease(job.input_len.saturating_mul(times))?;
    let mut bytes = Vec::with_capacity(usize::try_from(job.input_len).unwrap_or(0));
    let failed = |err| Error::new(Kind::BadInput, "the file could not be read").caused_by(err);
    input.rewind().map_err(failed)?;
    // If the file grows meanwhile, its new end is not read, because no memory was leased for it.
    let mut input = std::io::Read::take(input, job.input_len);
    std::io::Read::read_to_end(&mut input, &mut bytes).map_err(failed)?;
    Ok((bytes, lease))
}
