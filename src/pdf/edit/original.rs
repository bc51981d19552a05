//! Decides whether the input file may be the result unchanged, and reads it for that. The caller compares its size with
//! that of the rewritten file.

use super::{leaves, store::Store, value::Id};
use crate::{
    error::{Error, Result},
    job::{Input, Job},
};
use hayro::hayro_syntax::Pdf;
use std::{
    collections::HashSet,
    io::{Read, SeekFrom},
};

/// Limit on the size of a file that is compared with its result, in bytes.
const MAX: u64 = 64 << 20;

/// Number of bytes at the end of a file within which the offset of the cross-reference table is stated (ISO 32000-2,
/// 7.5.5).
const TAIL: usize = 1024;

/// Returns whether the job asks for nothing but a smaller file.
pub fn may_stay(job: &Job<'_>) -> bool {
    job.options().is_empty() && job.input_len <= MAX
}

/// The bytes of a file, if it is valid, not encrypted, and was read without a repair. Other files must be rewritten.
///
/// Errors: the upload could not be read.
pub fn read(job: &Job<'_>, pdf: &Pdf, input: &mut dyn Input) -> Result<Option<Vec<u8>>> {
    let lost = |err| Error::storage("the upload could not be read", err);
    input.seek(SeekFrom::Start(0)).map_err(lost)?;
    let mut bytes = Vec::new();
    input
        .take(job.input_len)
        .read_to_end(&mut bytes)
        .map_err(lost)?;
    let is_locked = memchr::memmem::find(&bytes, b"/Encrypt").is_some();
    // If an object stream is inside another one, the file was opened as a copy without its cross-reference table, so
    // the bytes differ.
    let opened: &[u8] = pdf.data().as_ref();
    Ok((is_plausible(&bytes) && !is_locked && bytes == opened).then_some(bytes))
}

/// Returns whether a node occurs more than once in a file's page tree, or the tree has too many nodes. Some programs
/// never finish reading a file with a node that is its own ancestor.
pub fn has_cycle(job: &Job<'_>, pdf: &Pdf) -> bool {
    let mut store = Store::new(job, vec![pdf]);
    let pages: HashSet<Id> = leaves::ids(&store, 0).into_iter().flatten().collect();
    leaves::nodes(&mut store, 0, &pages).1
}

/// Returns whether a file begins with a header, and its end states a plausible offset of the cross-reference table.
fn is_plausible(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    let place = memchr::memmem::rfind(tail, b"startxref").and_then(|at| {
        let digits = tail[at + 9..].trim_ascii_start();
        let len = digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        str::from_utf8(&digits[..len]).ok()?.parse::<usize>().ok()
    });
    let begins = place
        .and_then(|place| bytes.get(place..))
        .map(<[u8]>::trim_ascii_start);
    let is_cross_reference =
        |begin: &[u8]| begin.starts_with(b"xref") || begin.first().is_some_and(u8::is_ascii_digit);
    bytes.starts_with(b"%PDF-") && begins.is_some_and(is_cross_reference)
}

#[cfg(test)]
mod tests {
    use super::is_plausible;

    #[test]
    fn a_file_is_plausible_if_its_end_leads_to_its_references() {
        assert!(is_plausible(b"%PDF-1.4\nxref\nstartxref\n9\n%%EOF"));
        assert!(is_plausible(b"%PDF-1.5\n7 0 obj\nstartxref 9 %%EOF"));
        assert!(!is_plausible(b"%PDF-1.4\nxref\nstartxref\n99\n%%EOF"));
        assert!(!is_plausible(b"%PDF-1.4\nxref\n%%EOF"));
    }
}
