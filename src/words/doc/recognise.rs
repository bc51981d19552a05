//! Recognises Word documents among compound files. Files of Word 2 and before are not compound files, and are not read.

use crate::{containers::cfb, job::Input};

/// Name of the stream with the text.
pub(super) const STREAM: &str = "WordDocument";

/// Returns whether a file is a Word document. The directory is read, because other documents may embed a Word document.
/// If the directory is too damaged to be read, the name of the stream anywhere in the file is enough.
pub(super) fn is_word(head: &[u8], input: &mut dyn Input, _: Option<&str>) -> bool {
    if !head.starts_with(cfb::SIGNATURE) {
        return false;
    }
    let found = match cfb::Compound::open(input) {
        Ok(file) => file.has(STREAM),
        Err(_) => cfb::mentions(input, STREAM),
    };
    input.rewind().is_ok() && found
}
