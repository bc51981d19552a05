//! A file as it came, where writing it anew would only make it larger. Changes nothing.

use super::{leaves, store::Store, value::Id};
use crate::{
    error::{Error, Result},
    job::{Input, Job},
    pdf::read::trailer::Trailer,
};
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, ObjectIdentifier, Stream},
};
use std::{
    collections::HashSet,
    io::{Read, SeekFrom},
};

/// The largest file whose result is compared with it, in bytes.
const MOST: u64 = 64 << 20;

/// The bytes at the end of a file within which its table of references is named (ISO 32000-2, 7.5.5).
const TAIL: usize = 1024;

/// Whether a job asks for nothing but a smaller file.
pub(in super::super) fn may_stay(job: &Job<'_>) -> bool {
    job.options().is_empty() && job.input_len <= MOST
}

/// The bytes of a file, if they are sound and open to everybody: others have to be written anew.
///
/// Errors: the upload could not be read.
pub(in super::super) fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<Vec<u8>>> {
    let lost = |err| Error::storage("the upload could not be read", err);
    input.seek(SeekFrom::Start(0)).map_err(lost)?;
    let mut bytes = Vec::new();
    input
        .take(job.input_len)
        .read_to_end(&mut bytes)
        .map_err(lost)?;
    let is_locked = memchr::memmem::find(&bytes, b"/Encrypt").is_some();
    Ok((is_sound(&bytes) && !is_locked).then_some(bytes))
}

/// Whether something of a file stands in itself: a node of its page tree below itself, or an object stream among the objects that it holds. Some
/// programs never get to the end of such a file.
pub(in super::super) fn is_knotted(job: &Job<'_>, pdf: &Pdf) -> bool {
    let mut store = Store::new(job, vec![pdf]);
    let pages: HashSet<Id> = leaves::ids(&store, 0).into_iter().flatten().collect();
    leaves::nodes(&mut store, 0, &pages).1 || holds_itself(pdf).unwrap_or(false)
}

/// Whether the last cross-reference stream (7.5.8.3) says of an object stream that it is in itself. `None` if there is no such stream.
fn holds_itself(pdf: &Pdf) -> Option<bool> {
    let file: &[u8] = pdf.data().as_ref();
    let rest = &file[Trailer::of(file)?.table..];
    let mut words = rest
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let number = str::from_utf8(words.next()?).ok()?.parse().ok()?;
    let stream = pdf
        .xref()
        .get::<Stream<'_>>(ObjectIdentifier::new(number, 0))?;
    let dict: &Dict<'_> = stream.dict();
    let list = |key: &str| -> Option<Vec<i32>> {
        Some(dict.get::<Array<'_>>(key)?.iter::<i32>().collect())
    };
    let widths: Vec<usize> = list("W")?
        .into_iter()
        .map(|width| usize::try_from(width).ok().filter(|width| *width <= 8))
        .collect::<Option<_>>()?;
    let [kind, place, nth] = widths[..] else {
        return None;
    };
    let size = dict.get::<i32>("Size").unwrap_or(0);
    let sections = list("Index").unwrap_or_else(|| vec![0, size]);
    let rows = stream.decoded_data().ok()?;
    let mut rows = rows.chunks_exact((kind + place + nth).max(1));
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    for section in sections.chunks_exact(2) {
        for object in (section[0]..).take(usize::try_from(section[1]).unwrap_or(0)) {
            let Some(row) = rows.next() else {
                return Some(false);
            };
            let is_within = kind > 0 && number(&row[..kind]) == 2;
            if is_within && number(&row[kind..kind + place]) == object as u64 {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether a file begins as one, and its end names a place where references begin.
fn is_sound(bytes: &[u8]) -> bool {
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
    let is_place =
        |begin: &[u8]| begin.starts_with(b"xref") || begin.first().is_some_and(u8::is_ascii_digit);
    bytes.starts_with(b"%PDF-") && begins.is_some_and(is_place)
}

#[cfg(test)]
mod tests {
    use super::is_sound;

    #[test]
    fn a_file_is_sound_if_its_end_leads_to_its_references() {
        assert!(is_sound(b"%PDF-1.4\nxref\nstartxref\n9\n%%EOF"));
        assert!(is_sound(b"%PDF-1.5\n7 0 obj\nstartxref 9 %%EOF"));
        assert!(!is_sound(b"%PDF-1.4\nxref\nstartxref\n99\n%%EOF"));
        assert!(!is_sound(b"%PDF-1.4\nxref\n%%EOF"));
    }
}
