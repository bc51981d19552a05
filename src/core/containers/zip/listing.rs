//! Recognises the kind of an archive by the names of its entries: a document, a workbook, a book, or an archive of
//! files. Unpacks nothing, and reads names from the directory only.
//!
//! An archive may contain other archives, uncompressed. A search of the bytes would find the names in the inner
//! archives: a bundle of documents has `word/document.xml` in its middle, and again near its end, in the directory of
//! the last document. Instead this module walks the directory that the end record points to. It reads the directory in
//! pieces, to use little memory whatever its size is.

use super::{
    DIRECTORY_ENTRY, LOCAL_HEADER,
    read::{find_end, le16, le32, normalise},
};
use crate::job::Input;
use std::io::{self, BufRead as _, Read as _, SeekFrom};

/// Returns whether the file is an archive in which each of these tests accepts the name of some entry. `head` is the
/// beginning of the file. Leaves the input at its beginning.
///
/// An archive that was cut off has no directory; its names come from the local headers at its beginning.
pub fn holds(head: &[u8], input: &mut dyn Input, tests: &[&dyn Fn(&str) -> bool]) -> bool {
    if !head.starts_with(&LOCAL_HEADER) {
        return false;
    }
    let mut matched = vec![false; tests.len()];
    let mut see = |name: &str| {
        for (matched, test) in matched.iter_mut().zip(tests) {
            *matched = *matched || test(name);
        }
    };
    if !matches!(directory(input, &mut see), Ok(true)) {
        beginning(head, &mut see);
    }
    input.rewind().is_ok() && matched.iter().all(|matched| *matched)
}

/// Returns whether a ZIP archive lacks the directory at its end because it was cut off. Its first entries may not
/// reveal its kind, so the caller may use its file name.
pub fn is_cut_off(head: &[u8], input: &mut dyn Input) -> bool {
    let cut = head.starts_with(&LOCAL_HEADER) && !matches!(directory(input, &mut |_| {}), Ok(true));
    input.rewind().is_ok() && cut
}

/// Calls `see` with each name in the directory. Returns false if the file has no directory.
fn directory(input: &mut dyn Input, see: &mut dyn FnMut(&str)) -> io::Result<bool> {
    let len = input.seek(SeekFrom::End(0))?;
    let Some(end) = find_end(input, len)? else {
        return Ok(false);
    };
    input.seek(SeekFrom::Start(end.position - end.size))?;
    let mut rest = input.take(end.size);
    let (mut entry, mut name) = ([0; 46], Vec::new());
    while rest.limit() >= entry.len() as u64 {
        rest.read_exact(&mut entry)?;
        if entry[..4] != DIRECTORY_ENTRY {
            break;
        }
        name.clear();
        (&mut rest)
            .take(le16(&entry, 28).into())
            .read_to_end(&mut name)?;
        see(&normalise(&name));
        let mut skipped = usize::from(le16(&entry, 30)) + usize::from(le16(&entry, 32));
        while skipped > 0 {
            let ready = rest.fill_buf()?.len().min(skipped);
            if ready == 0 {
                break;
            }
            rest.consume(ready);
            skipped -= ready;
        }
    }
    Ok(true)
}

/// Calls `see` with the names in the local headers at the beginning, as long as each header tells where the next one
/// is.
fn beginning(head: &[u8], see: &mut dyn FnMut(&str)) {
    let mut rest = head;
    while rest.len() >= 30 && rest.starts_with(&LOCAL_HEADER) {
        let name_end = 30 + usize::from(le16(rest, 26));
        let Some(name) = rest.get(30..name_end) else {
            break;
        };
        see(&normalise(name));
        let data = name_end + usize::from(le16(rest, 28));
        let next = data.saturating_add(le32(rest, 18) as usize);
        rest = rest.get(next..).unwrap_or_default();
    }
}
