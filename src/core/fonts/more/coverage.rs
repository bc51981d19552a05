//! Approximate coverage of a font: the blocks of 256 characters in which it has at least one. This suffices to rule out
//! nearly all fonts that lack a character, and is small enough for a list of thousands of fonts.

use serde::{Deserialize, Serialize};

/// The number of blocks of 256 characters in Unicode.
const BLOCKS: usize = 0x1100;
/// Limit on the subtables of a table that are read.
const MAX_SUBTABLES: usize = 32;

/// Ranges of consecutive blocks, as first and last block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage(Vec<(u16, u16)>);

impl Coverage {
    /// Returns whether a font could have a character.
    pub fn may_have(&self, character: char) -> bool {
        let block = (u32::from(character) >> 8) as u16;
        let mut rows = self.0.iter();
        rows.any(|(first, last)| (*first..=*last).contains(&block))
    }

    /// Reads the coverage from the table `cmap` (OpenType 1.9). Unreadable parts count as empty.
    pub(super) fn of(table: &[u8]) -> Self {
        let mut blocks = vec![false; BLOCKS];
        let count = usize::from(short(table, 2).unwrap_or(0)).min(MAX_SUBTABLES);
        for record in 0..count {
            let offset = long(table, 4 + 8 * record + 4);
            let subtable = offset.and_then(|at| table.get(at as usize..));
            let _ = subtable.and_then(|subtable| mark(subtable, &mut blocks));
        }
        let mut rows: Vec<(u16, u16)> = Vec::new();
        for (block, _) in blocks.iter().enumerate().filter(|(_, has)| **has) {
            let block = block as u16;
            match rows.last_mut() {
                Some((_, last)) if *last + 1 == block => *last = block,
                _ => rows.push((block, block)),
            }
        }
        Self(rows)
    }
}

/// Marks the blocks of a subtable in format 4 or 12, the formats for Unicode. The first range that does not ascend ends
/// the table. So the work is limited by the sum of the numbers of ranges and of blocks.
fn mark(table: &[u8], blocks: &mut [bool]) -> Option<()> {
    let mut next = 0;
    let mut range = |first: u32, last: u32| {
        if first < next || last < first || last as usize >> 8 >= BLOCKS {
            return None;
        }
        next = last + 1;
        blocks[first as usize >> 8..=last as usize >> 8].fill(true);
        Some(())
    };
    match short(table, 0)? {
        4 => {
            let segments = usize::from(short(table, 6)? / 2);
            for segment in 0..segments {
                let last = short(table, 14 + 2 * segment)?;
                let first = short(table, 16 + 2 * segments + 2 * segment)?;
                // The segment 0xffff marks the end of the table, so it is not a range of characters.
                if last != 0xffff || first != 0xffff {
                    range(first.into(), last.into())?;
                }
            }
        }
        12 => {
            for group in 0..long(table, 12)? as usize {
                let at = 12usize.checked_mul(group)?.checked_add(16)?;
                range(long(table, at)?, long(table, at + 4)?)?;
            }
        }
        _ => {}
    }
    Some(())
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with one subtable of groups of characters.
    fn table(groups: &[(u32, u32)]) -> Vec<u8> {
        let mut table = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12];
        let len = 16 + 12 * groups.len() as u32;
        for number in [12 << 16, len, 0, groups.len() as u32] {
            table.extend(number.to_be_bytes());
        }
        for (first, last) in groups {
            for number in [*first, *last, 1] {
                table.extend(number.to_be_bytes());
            }
        }
        table
    }

    #[test]
    fn blocks_follow_from_the_table() {
        #[track_caller]
        fn check(groups: &[(u32, u32)], rows: &[(u16, u16)]) {
            assert_eq!(Coverage::of(&table(groups)).0, rows);
        }
        check(&[(0x20, 0x7e), (0x13a0, 0x13b9)], &[(0, 0), (0x13, 0x13)]);
        check(&[(0x4e00, 0x9fff), (0xa000, 0xa001)], &[(0x4e, 0xa0)]);
        check(&[(0x1f600, 0x1f64f)], &[(0x1f6, 0x1f6)]);
        // Ranges that run backwards, occur twice, or lie beyond the end of Unicode.
        check(&[(0x500, 0x400)], &[]);
        check(&[(0x400, 0x500), (0x400, 0x500)], &[(4, 5)]);
        check(&[(0, u32::MAX)], &[]);
        let cut = table(&[(0x400, 0x4ff), (0x600, 0x6ff)]);
        assert_eq!(Coverage::of(&cut[..cut.len() - 5]).0, [(4, 4)]);
        assert_eq!(Coverage::of(b""), Coverage::default());
    }

    #[test]
    fn compiled_in_fonts_have_letters() {
        let font = skrifa::FontRef::from_index(crate::fonts::TEXT[0].data(), 0).unwrap();
        let cmap = font.table_data(skrifa::Tag::new(b"cmap")).unwrap();
        let coverage = Coverage::of(cmap.as_bytes());
        assert!(coverage.may_have('a') && coverage.may_have('я'));
        assert!(!coverage.may_have('中'));
    }
}
