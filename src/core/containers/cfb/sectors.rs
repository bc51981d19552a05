//! Sectors of a compound file (MS-CFB, 2.1 to 2.5): the header, and the chains of sectors and mini sectors. Knows no
//! entry of the directory.

use super::{MiniStream, SIGNATURE, damaged, le16, le32, read_at};
use crate::job::Input;
use std::io;

/// MAXREGSECT: values from this one on are not numbers of sectors; ENDOFCHAIN is one of them (2.1).
const MAX_REGULAR_SECTOR: u32 = 0xffff_fffa;

/// Header and tables of a file.
pub(super) struct File {
    /// Length of a sector in bytes.
    pub(super) sector: u64,
    /// Length of a mini sector in bytes.
    pub(super) mini: u64,
    /// Least length in bytes of a stream that is stored in regular sectors, not in mini sectors.
    pub(super) cutoff: u64,
    /// First sector of the directory.
    pub(super) directory: u32,
    /// First sector of the mini FAT.
    pub(super) mini_table: u32,
    /// FAT: for each sector, the sector that follows it.
    pub(super) next: Vec<u32>,
}

impl File {
    pub(super) fn open(input: &mut dyn Input) -> io::Result<Self> {
        let len = input.seek(io::SeekFrom::End(0))?;
        let mut header = vec![0; 512];
        read_at(input, 0, &mut header)?;
        let (shift, mini_shift) = (le16(&header, 30), le16(&header, 32));
        if !header.starts_with(SIGNATURE) || !matches!(shift, 9 | 12) || mini_shift != 6 {
            return Err(damaged("its header is damaged"));
        }
        let mut file = Self {
            sector: 1 << shift,
            mini: 1 << mini_shift,
            cutoff: u64::from(le32(&header, 56)),
            directory: le32(&header, 48),
            mini_table: le32(&header, 60),
            next: Vec::new(),
        };
        // The header lists the first 109 sectors of the FAT; a chain of sectors lists the others (2.5).
        let most = len / file.sector + 1;
        let mut tables: Vec<u32> = header[76..]
            .chunks_exact(4)
            .map(|four| le32(four, 0))
            .collect();
        let (mut list, mut lists) = (le32(&header, 68), 0);
        let mut sector = vec![0; file.sector as usize];
        while list < MAX_REGULAR_SECTOR && lists * (file.sector / 4) < most {
            read_at(input, file.offset_of(list), &mut sector)?;
            tables.extend(sector.chunks_exact(4).map(|four| le32(four, 0)));
            list = tables.pop().unwrap_or(MAX_REGULAR_SECTOR);
            lists += 1;
        }
        for table in tables
            .into_iter()
            .filter(|table| *table < MAX_REGULAR_SECTOR)
        {
            if file.next.len() as u64 >= most {
                break;
            }
            read_at(input, file.offset_of(table), &mut sector)?;
            file.next
                .extend(sector.chunks_exact(4).map(|four| le32(four, 0)));
        }
        Ok(file)
    }

    fn offset_of(&self, sector: u32) -> u64 {
        (u64::from(sector) + 1) * self.sector
    }

    /// Offsets of the sectors of a chain.
    pub(super) fn chain(&self, first: u32) -> io::Result<Vec<u64>> {
        follow(&self.next, first)
            .map(|sector| Ok(self.offset_of(sector?)))
            .collect()
    }

    /// Reads the mini stream, which begins at sector `root`, and the mini FAT.
    pub(super) fn small(&self, input: &mut dyn Input, root: u32) -> io::Result<MiniStream> {
        let mut next = Vec::new();
        let mut sector = vec![0; self.sector as usize];
        for offset in self.chain(self.mini_table)? {
            read_at(input, offset, &mut sector)?;
            next.extend(sector.chunks_exact(4).map(|four| le32(four, 0)));
        }
        Ok(MiniStream {
            offsets: self.chain(root)?,
            next,
        })
    }

    /// Offsets in the file of the mini sectors of a chain. They are parts of the sectors of the mini stream (2.6.3).
    pub(super) fn mini_chain(
        &self,
        small: &MiniStream,
        first: u32,
        len: u64,
    ) -> io::Result<Vec<u64>> {
        let most = usize::try_from(len.div_ceil(self.mini)).unwrap_or(usize::MAX);
        follow(&small.next, first)
            .take(most)
            .map(|number| {
                let start = u64::from(number?) * self.mini;
                let inside = usize::try_from(start / self.sector).unwrap_or(usize::MAX);
                let offset = small.offsets.get(inside);
                Ok(offset.ok_or_else(|| damaged("a sector is missing"))? + start % self.sector)
            })
            .collect()
    }
}

/// The sectors of a chain that begins with `first`, by the FAT or mini FAT `next` (2.3). The chain ends with an error if
/// a sector is missing, or if it has more sectors than the table, which only a cycle has.
fn follow(next: &[u32], first: u32) -> impl Iterator<Item = io::Result<u32>> {
    let mut sector = first;
    let mut count = 0;
    std::iter::from_fn(move || {
        let current = sector;
        if current >= MAX_REGULAR_SECTOR {
            return None;
        }
        // After an error, the chain has ended.
        sector = MAX_REGULAR_SECTOR;
        let Some(following) = next.get(current as usize) else {
            return Some(Err(damaged("a sector is missing")));
        };
        if count == next.len() {
            return Some(Err(damaged("its chain of sectors has a cycle")));
        }
        count += 1;
        sector = *following;
        Some(Ok(current))
    })
}
