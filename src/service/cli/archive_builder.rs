//! Packs several files into a ZIP archive of stored entries, in a temporary file. A converter has one input, so several
//! files, or a page with its resources, reach it in this way. Compresses nothing, because the archive lives only for
//! one conversion.

use super::scratch;
use crate::containers::zip::{Member, NO_DATE, STORED, directory};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// Number of bytes that are copied at a time.
const PIECE: usize = 64 << 10;

/// An archive under construction.
pub(super) struct ArchiveBuilder {
    file: File,
    members: Vec<Member>,
    /// Offset of the end of the last entry in bytes. The next entry or the directory begins there.
    end: u64,
}

impl ArchiveBuilder {
    /// Makes an empty archive.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            file: scratch::nameless()?,
            members: Vec::new(),
            end: 0,
        })
    }

    /// Adds the content of a file, from its beginning.
    pub(super) fn add(&mut self, name: &str, content: &mut File) -> io::Result<()> {
        let size = content.seek(SeekFrom::End(0))?;
        content.rewind()?;
        let mut member = Member {
            name: name.into(),
            method: STORED,
            modified: NO_DATE,
            crc: 0,
            packed: size,
            size,
            start: self.end,
        };
        // The local header contains the checksum of the data that follows it, so it is written after the data has been
        // copied.
        let start = self.end + member.local_header_len();
        self.file.seek(SeekFrom::Start(start))?;
        let mut hasher = crc32fast::Hasher::new();
        let mut piece = vec![0; PIECE];
        let mut left = size;
        while left > 0 {
            let most = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
            let len = content.read(&mut piece[..most])?;
            if len == 0 {
                return Err(io::Error::other("it became shorter while it was read"));
            }
            hasher.update(&piece[..len]);
            self.file.write_all(&piece[..len])?;
            left -= len as u64;
        }
        member.crc = hasher.finalize();
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&member.local_header())?;
        self.end = start + size;
        self.members.push(member);
        Ok(())
    }

    /// Writes the directory of the archive. Returns the archive, at its beginning, and its length in bytes.
    pub(super) fn finish(mut self) -> io::Result<(File, u64)> {
        let directory = directory(&self.members, self.end);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&directory)?;
        self.file.rewind()?;
        Ok((self.file, self.end + directory.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_read_it() {
        let mut content = scratch::nameless().unwrap();
        content.write_all(b"123456789").unwrap();
        let mut parcel = ArchiveBuilder::new().unwrap();
        parcel.add("0001/a.txt", &mut content).unwrap();
        parcel.add("ä", &mut scratch::nameless().unwrap()).unwrap();
        let (mut file, len) = parcel.finish().unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, len);
        // The check value of CRC-32, which is cbf43926, and the data after the header of 30 bytes and a name of 10.
        assert_eq!(bytes[14..18], [0x26, 0x39, 0xf4, 0xcb]);
        assert_eq!(&bytes[40..49], b"123456789");
        assert!(bytes.ends_with(&[0, 0]));
    }
}
