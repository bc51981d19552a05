//! Describes files that are damaged, cut short or not supported. The job's options decide whether a damaged file is
//! refused or converted as far as possible.

use convertd_core::error::{Error, Kind};
use std::io;

/// The error for content that is damaged or not supported.
pub(crate) fn bad(message: impl Into<String>) -> Error {
    Error::new(Kind::BadInput, message.into())
}

/// The error of reading a header: the file's fault if the file ends too early or its data is invalid, and otherwise a
/// fault of the storage.
pub(crate) fn header_error(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            bad("the file ends within its header; send a complete copy").caused_by(error)
        }
        _ => Error::storage("the upload could not be read", error),
    }
}

/// The error for a file in which not a single packet could be decoded.
pub(crate) fn nothing_decoded(cause: &str) -> Error {
    bad(format!("nothing in the file could be decoded: {cause}"))
}

/// Smallest length in bytes that may be a placeholder. If the file is shorter than such a length, the length counts as
/// unknown and not as damage: a program that writes into a pipe cannot go back to fill in the length, and leaves a
/// number near 2 or 4 GiB in its place.
const PLACEHOLDER: u64 = 0x7f00_0000;

/// Returns `length`, which a header states for the following data, or `None` if the writer of the file did not know the
/// length. The file has `left` bytes of this data. `length`, `left` and the result are in bytes.
pub(crate) fn promised(length: u64, left: u64) -> Option<u64> {
    let unknown = left > 0 && (length == 0 || length >= PLACEHOLDER && length > left);
    (!unknown).then_some(length)
}

/// Describes the loss if a file has fewer sample frames than its header says.
pub(crate) fn cut_short(rate: u32, promised: u64, found: u64) -> Option<String> {
    let seconds = |frames: u64| frames as f64 / f64::from(rate);
    (found < promised).then(|| {
        format!(
            "it ends early: it has {:.2} s of the {:.2} s that its header promises ({found} of {promised} samples)",
            seconds(found),
            seconds(promised)
        )
    })
}

/// Describes the loss if a file has fewer bytes than its header says.
pub(crate) fn cut_bytes(promised: u64, found: u64) -> Option<String> {
    (found < promised).then(|| {
        format!("it ends early: it has {found} of the {promised} bytes that its header promises")
    })
}
