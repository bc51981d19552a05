//! Finds cross-reference streams that place an object stream inside an object stream, which ISO 32000-2, 7.5.7 forbids.
//! `hayro` ignores their entries for objects in the inner stream, so pages or fonts would be missing without a message.
//! This module makes the table unusable, so that `hayro` searches the file for objects. Does not repair the table.

use super::trailer::Trailer;
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, ObjectIdentifier, Stream},
};
use memchr::memmem;
use std::collections::HashSet;

/// Keyword before the offset of the last table (7.5.5).
const KEYWORD: &[u8] = b"startxref";
/// A meaningless word of the same length, which replaces [`KEYWORD`].
const NOTHING: &[u8; KEYWORD.len()] = b"ignoreref";

/// Type of entries for objects in object streams (7.5.8.3).
const COMPRESSED: u64 = 2;

/// Returns whether the last cross-reference stream of a file places an object stream within one.
pub(super) fn has_nested(pdf: &Pdf) -> bool {
    entries(pdf).is_some_and(|entries| {
        let compressed = || entries.iter().filter(|entry| entry.kind == COMPRESSED);
        // The set contains only object streams, which are far fewer than the objects.
        let streams: HashSet<u64> = compressed().map(|entry| entry.place).collect();
        compressed().any(|entry| streams.contains(&entry.object))
    })
}

/// Overwrites the keyword before the offset of each table, so that hayro searches the file for objects.
pub(super) fn ignore_table(bytes: &mut [u8]) {
    let found: Vec<usize> = memmem::find_iter(bytes, KEYWORD).collect();
    // Text in streams may contain the keyword. Only the real keyword is followed by an offset.
    for at in found {
        let after = bytes[at + KEYWORD.len()..].trim_ascii_start();
        if after.first().is_some_and(u8::is_ascii_digit) {
            bytes[at..at + KEYWORD.len()].copy_from_slice(NOTHING);
        }
    }
}

/// An entry of a cross-reference stream (7.5.8.3).
struct Entry {
    /// Number of the object.
    object: u64,
    /// Type of the entry.
    kind: u64,
    /// Number of the object stream for a compressed object, else the offset.
    place: u64,
}

/// Entries of the last cross-reference stream. `None` if the last table is in text form, or
/// unreadable.
fn entries(pdf: &Pdf) -> Option<Vec<Entry>> {
    let file: &[u8] = pdf.data().as_ref();
    let stream = stream(pdf, file.get(Trailer::of(file)?.table..)?)?;
    let dict = stream.dict();
    // Arrays of the stream dictionary: the widths of the fields, and pairs of a first object and a count (7.5.8.2).
    let numbers = |key| {
        let array = dict.get::<Array<'_>>(key)?;
        Some(array.iter::<u32>().map(u64::from).collect::<Vec<_>>())
    };
    let widths: Vec<usize> = (numbers("W")?.into_iter())
        .map(|width| usize::try_from(width).ok().filter(|width| *width <= 8))
        .collect::<Option<_>>()?;
    let [kind, place, last] = *widths.as_slice() else {
        return None;
    };
    let sections = match numbers("Index") {
        Some(index) => index,
        None => vec![0, dict.get::<u32>("Size")?.into()],
    };
    let objects =
        // Object numbers in the order of the rows.
        (sections.chunks_exact(2)).flat_map(|section| section[0]..section[0] + section[1]);
    let data = stream.decoded_data().ok()?;
    let rows = data.chunks_exact((kind + place + last).max(1));
    // Fields are big-endian integers.
    let number = |bytes: &[u8]| (bytes.iter()).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    // Rows beyond the subsections belong to no object.
    let entries = objects.zip(rows).map(|(object, row)| Entry {
        object,
        // Without a type field, the type is 1.
        kind: if kind == 0 { 1 } else { number(&row[..kind]) },
        place: number(&row[kind..kind + place]),
    });
    Some(entries.collect())
}

/// Stream object at the start of these bytes: `12 0 obj <<`.
fn stream<'p>(pdf: &'p Pdf, bytes: &[u8]) -> Option<Stream<'p>> {
    let digits = bytes.trim_ascii_start();
    let len = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let number: u32 = std::str::from_utf8(&digits[..len]).ok()?.parse().ok()?;
    pdf.xref().get(ObjectIdentifier::new(number, 0))
}
