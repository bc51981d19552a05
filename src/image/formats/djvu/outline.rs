//! The outline of a document (NAVM; "Lizardtech DjVu Reference", version 3, 8.3.3), packed with BZZ: entries in the
//! order in which a reader sees them, each with the number of the entries directly below it. Follows no address of
//! another file.
//!
//! The trap: an entry names its page by an identifier of the directory or by a number, and an identifier may look like
//! a number. So identifiers are tried first, as in DjVuLibre.

use super::chunks::{MAX_NAME, Outlined, identifiers, outlined};
use crate::pages::Bookmark;
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use std::collections::HashMap;

/// Limit on the entries.
const MAX: usize = 10_000;

/// Deepest level of an entry. Deeper entries have this level.
const MAX_LEVEL: u8 = 64;

/// Longest title of an entry, in characters.
const LONGEST: usize = 1000;

/// Limit on an unpacked outline, in bytes.
const MAX_UNPACKED: usize = 4 << 20;

/// Memory for unpacking, in bytes: a block of up to 4 MiB, and a position of four bytes for each byte of the block.
const UNPACKING: u64 = 24 << 20;

/// Memory in bytes for each byte of packed data.
const PACKED: u64 = 8;
/// Memory in bytes for each byte of unpacked data.
const UNPACKED: u64 = 4;

/// Reads the outline. Empty if it is absent or damaged.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Vec<Bookmark>> {
    let Ok(Some(Outlined {
        packed,
        names,
        pages,
    })) = outlined(input)
    else {
        return Ok(Vec::new());
    };
    let held = packed.len() + names.len();
    let lease = job.lease(UNPACKING + PACKED * held as u64)?;
    // Each part has four bytes for its size and flags, and at most three texts: an identifier, a name and a title.
    let most = (4 + 3 * (MAX_NAME as usize + 1)) * pages.len();
    let (Some(names), Some(data)) = (unpacked(&names, most), unpacked(&packed, MAX_UNPACKED))
    else {
        return Ok(Vec::new());
    };
    lease.grow(UNPACKED * (names.len() + data.len()) as u64)?;
    let mut page_by_name: HashMap<&[u8], u32> = HashMap::new();
    let identifiers = identifiers(&names, pages.len());
    for (identifier, page) in identifiers.into_iter().zip(&pages) {
        if let Some(page) = page
            && identifier.len() <= MAX_NAME as usize
        {
            page_by_name.entry(identifier).or_insert(*page);
        }
    }
    let count = pages.iter().flatten().count() as u32;
    let page_of = |address: &[u8]| {
        let name = address.strip_prefix(b"#")?;
        let number = || std::str::from_utf8(name).ok()?.parse().ok();
        let page = page_by_name.get(name).copied().or_else(number)?;
        (1..=count).contains(&page).then_some(page)
    };
    Ok(entries(&data, &page_of))
}

/// Unpacks data. `None` if the data is damaged, or longer than `most` bytes when unpacked.
fn unpacked(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let data = djvu_bzz::bzz_decode(packed).ok()?;
    (data.len() <= most).then_some(data)
}

/// Parses the unpacked data up to the first entry that is incomplete. `page_of` finds the page of an address.
fn entries(data: &[u8], page_of: &dyn Fn(&[u8]) -> Option<u32>) -> Vec<Bookmark> {
    let mut found = Vec::new();
    let Some((count, mut rest)) = data.split_first_chunk::<2>() else {
        return found;
    };
    let count = usize::from(u16::from_be_bytes(*count)).min(MAX);
    // For each open entry, the number of entries below it that are still missing.
    let mut open: Vec<u8> = Vec::new();
    while found.len() < count
        && let Some((inner, title, address)) = entry(&mut rest)
    {
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        found.push(Bookmark {
            level: open.len().min(usize::from(MAX_LEVEL) - 1) as u8 + 1,
            title: String::from_utf8_lossy(title)
                .chars()
                .filter(|sign| !sign.is_control())
                .take(LONGEST)
                .collect(),
            page: page_of(address),
        });
        open.push(inner);
    }
    found
}

/// Splits the first entry off: number of inner entries, title and address.
fn entry<'d>(data: &mut &'d [u8]) -> Option<(u8, &'d [u8], &'d [u8])> {
    let (inner, rest) = data.split_first()?;
    *data = rest;
    Some((*inner, text(data)?, text(data)?))
}

/// Splits a text off, with three bytes of its length before it.
fn text<'d>(data: &mut &'d [u8]) -> Option<&'d [u8]> {
    let (&[a, b, c], rest) = data.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u32::from_be_bytes([0, a, b, c]) as usize)?;
    *data = rest;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(count: u16, all: &[(u8, &str, &str)]) -> Vec<u8> {
        let mut data = count.to_be_bytes().to_vec();
        for (inner, title, address) in all {
            data.push(*inner);
            for text in [title, address] {
                data.extend(&(text.len() as u32).to_be_bytes()[1..]);
                data.extend(text.as_bytes());
            }
        }
        data
    }

    #[track_caller]
    fn check(data: &[u8], expected: &[(u8, &str, Option<u32>)]) {
        let page_of = |address: &[u8]| match address {
            b"#2" => Some(2),
            _ => None,
        };
        let found = entries(data, &page_of);
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.level, one.title.as_str(), one.page))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_are_below_the_one_that_counts_them() {
        let all = [
            (2, "One", "#2"),
            (1, "Two", ""),
            (0, "Three\u{7}", "http://x"),
            (0, "Four", "#2"),
            (0, "Five", "#2"),
        ];
        let expected = [
            (1, "One", Some(2)),
            (2, "Two", None),
            (3, "Three", None),
            (2, "Four", Some(2)),
            (1, "Five", Some(2)),
        ];
        check(&data(5, &all), &expected);
        // The stated number of entries is too small, and too large.
        check(&data(1, &all), &expected[..1]);
        check(&data(9, &all), &expected);
        check(&data(5, &all)[..20], &expected[..1]);
        check(&[0], &[]);
    }

    #[test]
    fn levels_have_a_limit() {
        let all = [(1, "x", ""); 300];
        let found = entries(&data(300, &all), &|_| None);
        assert_eq!(found.len(), 300);
        assert!(found.iter().all(|one| one.level <= MAX_LEVEL));
    }
}
