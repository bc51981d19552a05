//! Reads as many bytes as a file claims to have. Never allocates memory because of that claim alone.

use crate::job::Input;
use std::io::{self, Read as _};

/// Reads the next `len` bytes. Memory grows with the bytes that have been read, because `len` may be wrong.
///
/// Errors: `UnexpectedEof` if the input has fewer bytes.
pub fn read(input: &mut (impl Input + ?Sized), len: u64) -> io::Result<Vec<u8>> {
    let bytes = up_to(input, len)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Reads the next `limit` bytes, or fewer if the input ends earlier.
pub fn up_to(input: &mut (impl Input + ?Sized), limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::take(input, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
