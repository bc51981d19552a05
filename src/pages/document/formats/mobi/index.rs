//! An index (INDX): a list of entries, each with a name and with numbers that are grouped by tags. Tables of contents,
//! and the skeletons and fragments of KF8, are stored in indexes. Does not interpret tags.
//!
//! The first record of an index states the number of records with entries. It contains a table of tags (TAGX), which
//! states for each tag how many values it has at a time, and which bits of an entry's control bytes count them. Each
//! record with entries ends with a table of their offsets.

use super::database::{Database, Record};
use crate::{
    error::Result,
    job::{Job, Lease},
};

/// Limit on the number of tags of an index, and on the number of control bytes of an entry.
const MAX_TAGS: usize = 64;

/// A tag in the table of an index.
#[derive(Clone, Copy)]
struct Tag {
    number: u8,
    /// Number of values for each time that the tag occurs.
    values: u8,
    /// Bits of the control byte that state how often the tag occurs.
    mask: u8,
    /// Index of the control byte.
    control: usize,
}

/// An entry: its name, and the values of each tag.
pub(super) struct Entry<'d> {
    pub(super) name: &'d [u8],
    values: Vec<(u8, Vec<u32>)>,
}

impl Entry<'_> {
    /// The value with this number among the values of a tag.
    pub(super) fn value(&self, tag: u8, number: usize) -> Option<usize> {
        let (_, values) = self.values.iter().find(|(known, _)| *known == tag)?;
        Some(*values.get(number)? as usize)
    }
}

/// Reads the index that begins with record `first`. The memory of its entries is added to the lease.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the record begins no index, or if the offsets of its tables
/// decrease or lead into the tables.
pub(super) fn read<'d>(
    job: &Job<'_>,
    database: &'d Database,
    first: usize,
    lease: &Lease<'_>,
) -> Result<Vec<Entry<'d>>> {
    let damaged = || job.unreadable(format!("its index in record {first} is damaged"));
    let head = database.record(first);
    let table = head.from(head.size(4));
    if !head.is(b"INDX") || !table.is(b"TAGX") {
        return Err(damaged());
    }
    let (tags, controls) = tags(table);
    let mut entries = Vec::new();
    for number in (first + 1..).take(head.size(24).min(database.len())) {
        job.check()?;
        let record = database.record(number);
        let end = record.size(20);
        if !record.is(b"INDX") || !record.from(end).is(b"IDXT") {
            return Err(damaged());
        }
        let offsets = record.from(end + 4);
        let count = record.size(24).min(offsets.0.len() / 2);
        for number in 0..count {
            let start = usize::from(offsets.u16(2 * number));
            let next = match number + 1 {
                next if next < count => usize::from(offsets.u16(2 * next)),
                _ => end,
            };
            if start >= next || next > end {
                return Err(damaged());
            }
            let entry = entry(record.part(start, next - start), &tags, controls);
            let values = entry.values.iter();
            let size: usize = values.map(|(_, values)| 48 + 8 * values.len()).sum();
            lease.grow((size_of::<Entry<'_>>() * 2 + size) as u64)?;
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// Reads the table of tags, and the number of control bytes of each entry.
fn tags(table: Record<'_>) -> (Vec<Tag>, usize) {
    let mut tags = Vec::new();
    let mut control = 0;
    let body = table.part(12, table.size(4).saturating_sub(12)).0;
    for fields in body.chunks_exact(4).take(MAX_TAGS) {
        match fields[3] {
            // The following tags use the next control byte.
            1 => control += 1,
            _ => tags.push(Tag {
                number: fields[0],
                values: fields[1],
                mask: fields[2],
                control,
            }),
        }
    }
    (tags, table.size(8).min(MAX_TAGS))
}

/// Reads an entry: the length of its name and the name, the control bytes, and the values of the tags that occur.
fn entry<'d>(entry: Record<'d>, tags: &[Tag], controls: usize) -> Entry<'d> {
    let name = entry.part(1, entry.u8(0).into()).0;
    let control = entry.from(1 + name.len());
    let mut rest = control.from(controls).0;
    // All counts come first, because counts that are too large for the bits of a control byte are stored before all
    // values.
    let mut counts = Vec::new();
    for tag in tags {
        let bits = control.u8(tag.control) & tag.mask;
        if bits == 0 {
            continue;
        }
        // If a tag has several bits and all of them are set, the values are counted in bytes by a number that follows
        // here.
        let count = match bits == tag.mask && tag.mask.count_ones() > 1 {
            true => Count::Bytes(number(&mut rest) as usize),
            false => Count::Times((bits >> tag.mask.trailing_zeros()).into()),
        };
        counts.push((tag, count));
    }
    let mut values = Vec::new();
    for (tag, count) in counts {
        let mut found = Vec::new();
        match count {
            Count::Bytes(len) => {
                let (mut part, after) = rest.split_at(len.min(rest.len()));
                rest = after;
                while !part.is_empty() {
                    found.push(number(&mut part));
                }
            }
            Count::Times(count) => {
                for _ in 0..count * usize::from(tag.values) {
                    if rest.is_empty() {
                        break;
                    }
                    found.push(number(&mut rest));
                }
            }
        }
        values.push((tag.number, found));
    }
    Entry { name, values }
}

/// Number of the values that a tag has in an entry.
enum Count {
    /// As many values as are stored in this many bytes.
    Bytes(usize),
    /// This many times the number of values that the tag has at a time.
    Times(usize),
}

/// Reads a number of variable length: seven bits in each byte, the highest first. The last byte has its highest bit
/// set.
pub(super) fn number(rest: &mut &[u8]) -> u32 {
    let mut number = 0;
    while let Some((byte, after)) = rest.split_first() {
        *rest = after;
        number = number << 7 | u32::from(byte & 0x7f);
        if byte & 0x80 != 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_values_under_their_tags() {
        let tag = |number, values, mask| Tag {
            number,
            values,
            mask,
            control: 0,
        };
        let tags = [tag(1, 1, 3), tag(6, 2, 12), tag(7, 1, 16)];
        #[track_caller]
        fn check(tags: &[Tag], bytes: &[u8], expected: &[(u8, &[u32])]) {
            let entry = entry(Record(bytes), tags, 1);
            let found: Vec<(u8, &[u32])> = entry
                .values
                .iter()
                .map(|(tag, values)| (*tag, &values[..]))
                .collect();
            assert_eq!((entry.name, found), (&b"ab"[..], expected.to_vec()));
        }
        check(&tags, b"\x02ab\x01\x85", &[(1, &[5])]);
        check(&tags, b"\x02ab\x02\x85\x01\x80", &[(1, &[5, 128])]);
        check(
            &tags,
            b"\x02ab\x0a\x81\x82\x83\x84\x85\x86",
            &[(1, &[1, 2]), (6, &[3, 4, 5, 6])],
        );
        check(
            &tags,
            b"\x02ab\x13\x83\x81\x82\x83\x89",
            &[(1, &[1, 2, 3]), (7, &[9])],
        );
        // An entry that is cut off, and counts that are larger than the entry.
        check(&tags, b"\x02ab", &[]);
        check(&tags, b"\x02ab\x08", &[(6, &[])]);
        check(&tags, b"\x02ab\x03\xff\x81", &[(1, &[1])]);
    }
}
