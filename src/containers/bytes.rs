//! Bytes of a file whose number the file itself claims.

use crate::job::Input;
use std::io::{self, Read as _};

/// The next `len` bytes. Allocates no more than there are.
///
/// Errors: `UnexpectedEof` if there are fewer.
pub(crate) fn read(input: &mut dyn Input, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}
