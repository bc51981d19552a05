//! Recognises Word documents among compound files. Those of Word 2 and before are no compound files, and not read.

use crate::{containers::cfb, job::Input};

/// The name of the stream with the text.
pub(super) const STREAM: &str = "WordDocument";

/// Returns whether a file is a Word document. Other documents may have a Word document embedded in them; one that is too damaged to tell
/// counts as one.
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
