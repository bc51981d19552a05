//! Tells Word documents from other ZIP archives, and knows the files that Word wrote before there were any. Reads no document.

use crate::{
    error::{Error, Kind},
    job::Input,
};
use std::io::SeekFrom;

/// The first bytes of a compound file (MS-CFB 2.2): documents of Word up to 2003, and whatever is encrypted.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// How much of the end of a file is looked at, in bytes. The names of all parts stand there.
const TAIL: u64 = 1 << 18;

/// Whether a file is a Word document, of any age: those that cannot be read are refused with a better sentence than that their
/// format is unknown.
pub(super) fn is_word(head: &[u8], input: &mut dyn Input) -> bool {
    if head.starts_with(COMPOUND_FILE) {
        return refusal(head, input).is_some();
    }
    head.starts_with(b"PK\x03\x04")
        && tail(input).is_some_and(|tail| {
            let has = |name: &[u8]| memchr::memmem::find(&tail, name).is_some();
            has(b"[Content_Types].xml") && (has(b"word/") || has(b"word\\"))
        })
}

/// The error for a compound file. None if it is none, or belongs to another program.
pub(super) fn refusal(head: &[u8], input: &mut dyn Input) -> Option<Error> {
    if !head.starts_with(COMPOUND_FILE) {
        return None;
    }
    // Names of streams are UTF-16, in a directory that may stand anywhere.
    let wide = |name: &str| {
        name.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let (old, encrypted) = (wide("WordDocument"), wide("EncryptedPackage"));
    let mut window = vec![0; 1 << 16];
    let mut filled = 0;
    input.rewind().ok()?;
    loop {
        let read = std::io::Read::read(input, &mut window[filled..]).ok()?;
        if read == 0 {
            return None;
        }
        filled += read;
        let found = |name: &[u8]| memchr::memmem::find(&window[..filled], name).is_some();
        if found(&encrypted) {
            return Some(Error::new(
                Kind::BadInput,
                "the file is encrypted: remove the password and send it again",
            ));
        }
        if found(&old) {
            return Some(Error::new(
                Kind::BadInput,
                "the file is a Word document of the binary kind (.doc) that Word wrote until 2003: save it as .docx and send it again",
            ));
        }
        // A name may stand across two windows.
        if filled > 64 {
            window.copy_within(filled - 64..filled, 0);
            filled = 64;
        }
    }
}

fn tail(input: &mut dyn Input) -> Option<Vec<u8>> {
    let len = input.seek(SeekFrom::End(0)).ok()?;
    input.seek(SeekFrom::Start(len.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(&mut *input, TAIL), &mut tail).ok()?;
    input.rewind().ok()?;
    Some(tail)
}
