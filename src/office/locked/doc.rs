//! Documents of Word 97 to 2003 (MS-DOC 2.2.6): three streams are encrypted completely, except for the beginning of
//! the first stream.

use super::{
    EncryptedFormat, Passwords,
    binary::{Keys, Mixed},
    overwrite, stream, unsupported,
};
use crate::{
    containers::{cfb, fields::Fields},
    error::Result,
    job::Job,
};
use std::io::Cursor;

pub(super) const KIND: EncryptedFormat = EncryptedFormat {
    formats: &["doc"],
    signature: cfb::SIGNATURE,
    is_locked: |job, input| {
        let block = stream(job, input, MAIN, PLAIN as u64)?;
        let is_of_97 = Fields(&block).u16(0) == 0xa5ec;
        Ok(is_of_97 && Fields(&block).u16(FLAGS) & ENCRYPTED != 0)
    },
    unlock,
};

/// Stream that contains the text.
const MAIN: &[&str] = &["WordDocument"];

/// Length of the blocks that have their own key, in bytes.
const BLOCK: usize = 512;

/// Length of the unencrypted beginning of the stream that contains the text, in bytes.
const PLAIN: usize = 68;

/// Offset of the flags in FibBase (2.5.2).
const FLAGS: usize = 10;
/// The document is encrypted or obfuscated.
const ENCRYPTED: u16 = 0x100;
/// The table stream is `1Table`, not `0Table`.
const TABLE_1: u16 = 0x200;
/// The document is obfuscated.
const OBFUSCATED: u16 = 0x8000;

/// Decrypts a document.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut file = Cursor::new(file);
    let mut main = stream(job, &mut file, MAIN, u64::MAX)?;
    let flags = Fields(&main).u16(FLAGS);
    if flags & OBFUSCATED != 0 {
        return Err(unsupported("the method of Word 95"));
    }
    let table: &[&str] = match flags & TABLE_1 {
        0 => &["0Table"],
        _ => &["1Table"],
    };
    // The encryption header is at the beginning of the table stream, and is not encrypted.
    let tables = stream(job, &mut file, table, u64::MAX)?;
    let keys = Keys::find(Fields(&tables), passwords)?;
    let beginning = main.get(..PLAIN).unwrap_or_default().to_vec();
    Mixed::new(&keys, BLOCK).apply(0, &mut main);
    main[..beginning.len()].copy_from_slice(&beginning);
    // Readers must not take the document for an encrypted document.
    main[FLAGS..FLAGS + 2].copy_from_slice(&(flags & !ENCRYPTED).to_le_bytes());
    overwrite(job, &mut file, MAIN, &main)?;
    for name in [table, &["Data"]] {
        let mut bytes = stream(job, &mut file, name, u64::MAX)?;
        Mixed::new(&keys, BLOCK).apply(0, &mut bytes);
        overwrite(job, &mut file, name, &bytes)?;
    }
    Ok(file.into_inner())
}
