//! Random bytes of the kernel (getrandom(2)), for keys, salts and identifiers. Opens no file.
//!
//! A converter child may make this call, and may open nothing. The crate `getrandom` looks for the C library's function by
//! `dlsym`, which finds nothing in a static program, and then opens `/dev/random`: in a release every child failed with it,
//! while each dynamic build for the tests worked. So nothing here asks the C library.

use crate::error::{Error, Result};
use rustix::{
    io::{Errno, retry_on_intr},
    rand::{GetRandomFlags, getrandom},
};

/// Bytes that nobody can guess.
///
/// Errors: [`Kind::Internal`](crate::error::Kind::Internal) if the kernel has none (before Linux 3.17).
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut rest = &mut bytes[..];
    while !rest.is_empty() {
        let got = retry_on_intr(|| getrandom(&mut *rest, GetRandomFlags::empty()))
            .and_then(|got| if got == 0 { Err(Errno::IO) } else { Ok(got) })
            .map_err(|err| Error::internal("the system has no random numbers", err))?;
        rest = &mut rest[got..];
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_drawn() {
        // More than the kernel gives in one piece at a time, where a signal comes between (256 bytes).
        let (one, other) = (bytes::<1000>().unwrap(), bytes::<1000>().unwrap());
        assert_ne!(one, other);
        for part in one.chunks(50) {
            assert!(part.iter().any(|byte| *byte != 0), "{one:?}");
        }
    }
}
