//! Random bytes of the kernel (getrandom(2)), for keys, salts and identifiers. Opens no file.
//!
//! The system call is made directly, because a sandboxed converter may make this call but may not open files. The crate
//! `getrandom` cannot be used: it looks up the C library's function by `dlsym`, which finds nothing in a static
//! program, and then opens `/dev/random`. With that crate, every child of a release failed, while the tests passed,
//! because the tests were linked dynamically.

use crate::error::{Error, Result};
use rustix::{
    io::{Errno, retry_on_intr},
    rand::{GetRandomFlags, getrandom},
};

/// Unpredictable bytes, suitable for keys.
///
/// Errors: [`Kind::Internal`](crate::error::Kind::Internal) if the kernel lacks the call (before Linux 3.17).
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut rest = &mut bytes[..];
    while !rest.is_empty() {
        let count = retry_on_intr(|| getrandom(&mut *rest, GetRandomFlags::empty()))
            .and_then(|count| {
                if count == 0 {
                    Err(Errno::IO)
                } else {
                    Ok(count)
                }
            })
            .map_err(|err| Error::internal("the system cannot supply random numbers", err))?;
        rest = &mut rest[count..];
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_random() {
        // 1000 bytes, because the kernel may deliver more than 256 bytes in several pieces when a signal interrupts it.
        let (one, other) = (bytes::<1000>().unwrap(), bytes::<1000>().unwrap());
        assert_ne!(one, other);
        for part in one.chunks(50) {
            assert!(part.iter().any(|byte| *byte != 0), "{one:?}");
        }
    }
}
