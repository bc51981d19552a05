//! Recognises presentations among compound files. Reads no content.

use crate::{containers::cfb, job::Input};

/// Name of the stream with the records.
pub(super) const STREAM: &str = "PowerPoint Document";
/// Name of the stream with the offset of the latest edit.
pub(super) const USER: &str = "Current User";
/// Name of the stream with the pictures.
pub(super) const PICTURES: &str = "Pictures";

/// Returns whether a file is a presentation. If a file is too damaged to be opened, the name of the stream suffices.
pub(super) fn is_presentation(head: &[u8], input: &mut dyn Input, _: Option<&str>) -> bool {
    if !head.starts_with(cfb::SIGNATURE) {
        return false;
    }
    let found = match cfb::Compound::open(input) {
        Ok(file) => file.has(STREAM),
        Err(_) => cfb::mentions(input, STREAM),
    };
    input.rewind().is_ok() && found
}
