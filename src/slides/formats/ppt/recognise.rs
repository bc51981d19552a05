//! Recognises presentations among compound files. Reads none.

use crate::{containers::cfb, job::Input};

/// The names of the streams with records, with the place of the latest edit, and with pictures.
pub(super) const STREAM: &str = "PowerPoint Document";
pub(super) const USER: &str = "Current User";
pub(super) const PICTURES: &str = "Pictures";

/// Returns whether a file is a presentation. One that is too damaged to tell counts as one if it names the stream.
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
