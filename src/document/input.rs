//! Gets hold of a whole file. Reads nothing before its memory is granted.

use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job},
};

/// All bytes of the file. Reserves `times` as many, for what a reader makes of them.
///
/// Errors: [`Kind::BadInput`] if that is more than could ever be granted.
pub(crate) fn read_all(job: &Job<'_>, input: &mut dyn Input, times: u64) -> Result<Vec<u8>> {
    job.reserve(job.input_len.saturating_mul(times) + (1 << 20))?;
    let mut bytes = Vec::with_capacity(usize::try_from(job.input_len).unwrap_or(0));
    let failed = |err| Error::new(Kind::BadInput, "the file could not be read").caused_by(err);
    input.rewind().map_err(failed)?;
    // A file that grows meanwhile is cut: its memory was not granted.
    let mut input = std::io::Read::take(input, job.input_len);
    std::io::Read::read_to_end(&mut input, &mut bytes).map_err(failed)?;
    Ok(bytes)
}
