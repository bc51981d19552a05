//! Bytes of a file whose number the file itself claims.

use crate::job::Input;
use std::io::{self, Read as _};

/// The next `len` bytes. Allocates no more than there are.
///
/// Errors: `UnexpectedEof` if there are fewer.
pub(crate) fn read(input: &mut (impl Input + ?Sized), len: u64) -> io::Result<Vec<u8>> {
    let bytes = up_to(input, len)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// The next `limit` bytes, or what is left of the input.
pub(crate) fn up_to(input: &mut (impl Input + ?Sized), limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::take(input, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
