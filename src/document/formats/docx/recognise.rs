//! Recognises Word documents among ZIP archives, and the binary and encrypted files that cannot be read, so that the error
//! can name them. Reads no document.

use crate::{
    containers::cfb,
    error::{Error, Kind},
    job::Input,
};
use std::io::SeekFrom;

/// How much of the end of a file is searched, in bytes. The central directory of the ZIP archive, with the names of all
/// parts, is there.
const TAIL: u64 = 1 << 18;

/// Whether a file is a Word document of any version. This includes the ones that cannot be read, because then the error can
/// say why. An encrypted file does not reveal its kind, so it counts as a document unless its file name extension is that of
/// a workbook.
pub(super) fn is_word(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool {
    if head.starts_with(cfb::SIGNATURE) {
        let workbook = extension.is_some_and(|name| name.starts_with("xl"));
        return !workbook && refusal(head, input).is_some();
    }
    head.starts_with(b"PK\x03\x04")
        && tail(input).is_some_and(|tail| {
            let has = |name: &[u8]| memchr::memmem::find(&tail, name).is_some();
            has(b"[Content_Types].xml") && (has(b"word/") || has(b"word\\"))
        })
}

/// The error for a compound file (CFB): an encrypted document or a binary one. `None` for any other file.
pub(super) fn refusal(head: &[u8], input: &mut dyn Input) -> Option<Error> {
    if !head.starts_with(cfb::SIGNATURE) {
        return None;
    }
    let text = if cfb::mentions(input, "EncryptedPackage") {
        "the file is encrypted: remove the password and send it again"
    } else if cfb::mentions(input, "WordDocument") {
        "the file is a Word document of the binary kind (.doc) that Word wrote until 2003: save it as .docx and send it again"
    } else {
        return None;
    };
    Some(Error::new(Kind::BadInput, text))
}

fn tail(input: &mut dyn Input) -> Option<Vec<u8>> {
    let len = input.seek(SeekFrom::End(0)).ok()?;
    input.seek(SeekFrom::Start(len.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(&mut *input, TAIL), &mut tail).ok()?;
    input.rewind().ok()?;
    Some(tail)
}
