//! What is said of files that are broken, cut short or beyond what is supported. Decides nothing: whether a damaged
//! file is refused or converted as far as it goes is for `options` to say.

use crate::error::{Error, Kind};
use std::io;

/// The error for content that is broken or beyond what is supported.
pub(crate) fn bad(message: impl Into<String>) -> Error {
    Error::new(Kind::BadInput, message.into())
}

/// The error of reading a header: an end that comes too early is the file's fault.
pub(crate) fn header_error(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            bad("the file ends within its header; send a complete copy").caused_by(error)
        }
        _ => Error::storage("the upload could not be read", error),
    }
}

/// The error for a file without a single good packet.
pub(crate) fn nothing_decoded(cause: &str) -> Error {
    bad(format!("nothing in the file could be decoded: {cause}"))
}

/// Writers to pipes, which cannot go back, leave a number near 2 or 4 GiB for the length in bytes that they do not know. So
/// a length from here on that the file does not have is taken for unknown, not for damage.
const PLACEHOLDER: u64 = 0x7f00_0000;

/// The length that a header gives for what follows, of which the file has `left` bytes; `None` if the writer did not know
/// it.
pub(crate) fn promised(length: u64, left: u64) -> Option<u64> {
    let unknown = left > 0 && (length == 0 || length >= PLACEHOLDER && length > left);
    (!unknown).then_some(length)
}

/// The loss of a file that holds fewer frames than its header says.
pub(crate) fn cut_short(rate: u32, promised: u64, found: u64) -> Option<String> {
    let seconds = |frames: u64| frames as f64 / f64::from(rate);
    (found < promised).then(|| {
        format!(
            "it ends early: {:.2} s of the {:.2} s that its header promises are there ({found} of {promised} samples)",
            seconds(found),
            seconds(promised)
        )
    })
}

/// The loss of a file that holds fewer bytes than its header says.
pub(crate) fn cut_bytes(promised: u64, found: u64) -> Option<String> {
    (found < promised).then(|| {
        format!("it ends early: {found} of the {promised} bytes that its header promises are there")
    })
}
