//! Compound files (MS-CFB): file systems within a file. Office stored all documents in them until 2003, and still
//! stores encrypted ones. Reads streams by their names, and overwrites one in a file in memory. Never changes the
//! length of a stream.
//!
//! A file consists of sectors, and a table states for each sector which sector follows. Streams of less than 4 KiB are
//! stored together in another stream, the mini stream. The trap: a chain may be circular. So a chain of sectors is
//! followed no further than the file has sectors, and a chain of mini sectors no further than the stream is long.

mod sectors;

use crate::job::Input;
use sectors::File;
use std::{cell::OnceCell, io};

/// The first bytes of a compound file (2.2).
pub const SIGNATURE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Bytes of an entry of the directory (2.6.1).
const ENTRY: usize = 128;

/// Maximum number of directory entries that are read. A document has some hundreds; each embedded object adds its own.
const MAX_ENTRIES: usize = 1 << 16;

/// Returns whether a file is an encrypted package of Office (MS-OFFCRYPTO 2.3): a compound file with an
/// `EncryptedPackage` stream. `head` is its beginning.
pub fn is_encrypted_package(head: &[u8], input: &mut dyn Input) -> bool {
    head.starts_with(SIGNATURE) && mentions(input, "EncryptedPackage")
}

/// Returns whether the bytes of a name occur anywhere in the file, as they do in its directory. This search is cheaper
/// than a walk over the directory, and good enough for recognition.
pub fn mentions(input: &mut dyn Input, name: &str) -> bool {
    let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut window = vec![0; 1 << 16];
    let mut filled = 0;
    if input.rewind().is_err() {
        return false;
    }
    let found = loop {
        let Ok(read) = io::Read::read(input, &mut window[filled..]) else {
            break false;
        };
        if read == 0 {
            break false;
        }
        filled += read;
        if memchr::memmem::find(&window[..filled], &wide).is_some() {
            break true;
        }
        // A name may begin in one window and end in the next.
        let overlap = wide.len().min(filled);
        window.copy_within(filled - overlap..filled, 0);
        filled = overlap;
    };
    input.rewind().is_ok() && found
}

/// A stream of a compound file.
pub struct Stream<'a> {
    input: &'a mut dyn Input,
    /// Offsets in the file of the sectors or mini sectors of the stream.
    pieces: Vec<u64>,
    /// Length of a sector or mini sector in bytes.
    piece: u64,
    len: u64,
    position: u64,
}

/// Bytes that opening a stream takes, for a file of `len` bytes.
pub fn memory(len: u64) -> u64 {
    // For each sector of 512 bytes, the FAT takes four bytes of memory and the chain of a stream eight. A directory
    // entry takes as much memory as in the file.
    len / 32 + len.min(12 << 20) + (4 << 20)
}

impl<'a> Stream<'a> {
    /// Opens the stream with the first of these names that the file has.
    ///
    /// Errors: sentences about the damage, or `NotFound`.
    pub fn open(input: &'a mut dyn Input, names: &[&str]) -> io::Result<Self> {
        let compound = Compound::open(input)?;
        let found = names.iter().find_map(|name| compound.entry(name));
        let entry = found.ok_or(io::ErrorKind::NotFound)?;
        let (pieces, piece) = compound.pieces(input, entry)?;
        let len = entry.len;
        if (pieces.len() as u64).saturating_mul(piece) < len {
            return Err(damaged("a stream is cut off"));
        }
        Ok(Self {
            input,
            pieces,
            piece,
            len,
            position: 0,
        })
    }

    /// The length of the stream in bytes.
    // No `is_empty`: callers test the bytes that they have read.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The position in the stream, in bytes.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Moves to a position in bytes, or to the end of the stream if the position is beyond it.
    pub fn seek(&mut self, position: u64) {
        self.position = position.min(self.len);
    }

    /// Fills `out` with the next bytes.
    ///
    /// Errors: `UnexpectedEof` if the stream or the file ends earlier.
    pub fn read_exact(&mut self, mut out: &mut [u8]) -> io::Result<()> {
        if out.len() as u64 > self.len - self.position {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        while !out.is_empty() {
            let inside = self.position % self.piece;
            let number = usize::try_from(self.position / self.piece).unwrap_or(usize::MAX);
            let offset = self
                .pieces
                .get(number)
                .ok_or(io::ErrorKind::UnexpectedEof)?;
            let now = (self.piece - inside).min(out.len() as u64) as usize;
            let (part, rest) = out.split_at_mut(now);
            read_at(self.input, offset + inside, part)?;
            self.position += now as u64;
            out = rest;
        }
        Ok(())
    }
}

/// Overwrites the beginning of a stream of a file in memory: of the stream with the first of these names that the file
/// has. The length of the stream does not change. Does nothing if the file has none of the names.
///
/// Errors: sentences about the damage.
pub fn overwrite(file: &mut io::Cursor<Vec<u8>>, names: &[&str], bytes: &[u8]) -> io::Result<()> {
    let (pieces, piece) = match Stream::open(file, names) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map(|stream| (stream.pieces, stream.piece as usize))?,
    };
    for (offset, part) in pieces.into_iter().zip(bytes.chunks(piece)) {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = file.get_mut().get_mut(offset..);
        if let Some(existing) = rest.and_then(|rest| rest.get_mut(..part.len())) {
            existing.copy_from_slice(part);
        }
    }
    Ok(())
}

/// A compound file: its tables, and its directory.
pub struct Compound {
    file: File,
    entries: Vec<Entry>,
    /// The mini stream, read on first use.
    small: OnceCell<MiniStream>,
}

/// The mini stream, which consists of mini sectors.
struct MiniStream {
    /// Offsets in the file of the sectors of the mini stream.
    offsets: Vec<u64>,
    /// Mini FAT: for each mini sector, the mini sector that follows it.
    next: Vec<u32>,
}

/// Index of an entry in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryId(usize);

/// An entry of the directory: the root, a storage or a stream (2.6.1).
struct Entry {
    name: Box<str>,
    kind: ObjectType,
    /// Left and right sibling in the tree of a storage's children, as indices of entries.
    siblings: [u32; 2],
    /// Root of the tree of children, as an index of an entry.
    child: u32,
    /// First sector or mini sector of the stream.
    first: u32,
    /// Length of the stream in bytes.
    len: u64,
    /// Whether the entry is directly in the root.
    in_root: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum ObjectType {
    Root,
    Stream,
    Other,
}

impl Compound {
    /// Reads the tables and the directory.
    ///
    /// Errors: sentences about the damage.
    pub fn open(input: &mut dyn Input) -> io::Result<Self> {
        let file = File::open(input)?;
        let mut entries = Vec::new();
        let mut sector = vec![0; file.sector as usize];
        for offset in file.chain(file.directory)? {
            read_at(input, offset, &mut sector)?;
            entries.extend(
                sector
                    .chunks_exact(ENTRY)
                    .map(|entry| Entry::read(entry, &file)),
            );
            if entries.len() > MAX_ENTRIES {
                break;
            }
        }
        let mut compound = Self {
            file,
            entries,
            small: OnceCell::new(),
        };
        compound.find_root();
        Ok(compound)
    }

    /// The root of the directory.
    pub fn root(&self) -> EntryId {
        let root = self
            .entries
            .iter()
            .position(|entry| entry.kind == ObjectType::Root);
        EntryId(root.unwrap_or(0))
    }

    /// Returns the entries directly in a storage. They form a binary tree (2.6.4), each node of which is visited only
    /// once.
    pub fn children(&self, storage: EntryId) -> Vec<EntryId> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open: Vec<u32> = self
            .entries
            .get(storage.0)
            .map(|entry| entry.child)
            .into_iter()
            .collect();
        while let Some(number) = open.pop() {
            let Some(entry) = self
                .entries
                .get(number as usize)
                .filter(|_| seen.insert(number))
            else {
                continue;
            };
            found.push(EntryId(number as usize));
            open.extend(entry.siblings);
        }
        found.sort_unstable();
        found
    }

    /// The name of an entry.
    pub fn name(&self, id: EntryId) -> &str {
        self.entries.get(id.0).map_or("", |entry| &entry.name)
    }

    /// The bytes of a stream, or its beginning if the file is cut off. `None` if nothing can be read.
    pub fn bytes(&self, input: &mut dyn Input, id: EntryId) -> Option<Vec<u8>> {
        let entry = self
            .entries
            .get(id.0)
            .filter(|entry| entry.kind == ObjectType::Stream)?;
        self.read_entry(input, entry).ok()
    }

    /// Returns whether the file has a stream of this name outside of embedded documents.
    pub fn has(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.in_root)
    }

    /// Reads the stream with this name; if it is cut off, only the bytes that exist. `None` if the file lacks the
    /// stream.
    ///
    /// Errors: sentences about the damage.
    pub fn read(&self, input: &mut dyn Input, name: &str) -> io::Result<Option<Vec<u8>>> {
        let entry = self.entry(name);
        entry.map(|entry| self.read_entry(input, entry)).transpose()
    }

    /// Reads a stream; if it is cut off, only the bytes that exist.
    fn read_entry(&self, input: &mut dyn Input, entry: &Entry) -> io::Result<Vec<u8>> {
        let (pieces, piece) = self.pieces(input, entry)?;
        let end = input.seek(io::SeekFrom::End(0))?;
        let available = (pieces.len() as u64).saturating_mul(piece).min(end);
        let len = usize::try_from(entry.len.min(available)).unwrap_or(0);
        let mut bytes = vec![0; len];
        for (offset, part) in pieces.iter().zip(bytes.chunks_mut(piece as usize)) {
            match read_at(input, *offset, part) {
                Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => break,
                done => done?,
            }
        }
        Ok(bytes)
    }

    /// The stream with this name in the root; if the root has none, a stream with this name in any storage.
    fn entry(&self, name: &str) -> Option<&Entry> {
        let is = |entry: &&Entry| {
            entry.kind == ObjectType::Stream && entry.name.eq_ignore_ascii_case(name)
        };
        let mut all = self.entries.iter().filter(is);
        let in_root = all.clone().find(|entry| entry.in_root);
        in_root.or_else(|| all.next())
    }

    /// Marks the entries directly in the root. They form a binary tree (2.6.4), each node of which is visited only
    /// once.
    fn find_root(&mut self) {
        let root = self
            .entries
            .iter()
            .find(|entry| entry.kind == ObjectType::Root);
        let mut open: Vec<u32> = root.map(|root| root.child).into_iter().collect();
        while let Some(number) = open.pop() {
            let Some(entry) = self.entries.get_mut(number as usize) else {
                continue;
            };
            if !std::mem::replace(&mut entry.in_root, true) {
                open.extend(entry.siblings);
            }
        }
    }

    /// Offsets in the file of a stream's sectors or mini sectors, and the length of each in bytes.
    fn pieces(&self, input: &mut dyn Input, entry: &Entry) -> io::Result<(Vec<u64>, u64)> {
        let file = &self.file;
        if entry.len >= file.cutoff {
            return Ok((file.chain(entry.first)?, file.sector));
        }
        let root = self
            .entries
            .iter()
            .find(|entry| entry.kind == ObjectType::Root);
        let root = root.ok_or_else(|| damaged("its root is missing"))?;
        let small = match self.small.get() {
            Some(small) => small,
            None => {
                let small = file.small(input, root.first)?;
                self.small.get_or_init(|| small)
            }
        };
        Ok((file.mini_chain(small, entry.first, entry.len)?, file.mini))
    }
}

impl Entry {
    /// Parses an entry (2.6.1). Files with sectors of 512 bytes use only the low half of the size field.
    fn read(bytes: &[u8], file: &File) -> Self {
        // The length of the name includes the zero at its end.
        let name = &bytes[..usize::from(le16(bytes, 64)).clamp(2, 64) - 2];
        let units: Vec<u16> = name.chunks_exact(2).map(|unit| le16(unit, 0)).collect();
        let high = match file.sector > 512 {
            true => le32(bytes, 124),
            false => 0,
        };
        Self {
            name: String::from_utf16_lossy(&units).into(),
            kind: match bytes[66] {
                2 => ObjectType::Stream,
                5 => ObjectType::Root,
                _ => ObjectType::Other,
            },
            siblings: [le32(bytes, 68), le32(bytes, 72)],
            child: le32(bytes, 76),
            first: le32(bytes, 116),
            len: u64::from(high) << 32 | u64::from(le32(bytes, 120)),
            in_root: false,
        }
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::other(format!("the compound file is damaged: {why}"))
}

fn read_at(input: &mut dyn Input, offset: u64, out: &mut [u8]) -> io::Result<()> {
    if input.stream_position()? != offset {
        // A seek discards the bytes that the input has buffered, so it is left out if the position is right already.
        input.seek(io::SeekFrom::Start(offset))?;
    }
    io::Read::read_exact(input, out)
}

fn le16(bytes: &[u8], at: usize) -> u16 {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    field.map_or(0, |field| u16::from_le_bytes(*field))
}

fn le32(bytes: &[u8], at: usize) -> u32 {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    field.map_or(0, |field| u32::from_le_bytes(*field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_of_mini_sectors_is_found_before_the_stated_length() {
        let file = File {
            sector: 512,
            mini: 64,
            cutoff: u64::MAX,
            directory: 0,
            mini_table: 0,
            next: Vec::new(),
        };
        let chain = |next: Vec<u32>| {
            let offsets = vec![512];
            file.mini_chain(&MiniStream { offsets, next }, 0, u64::from(u32::MAX))
        };
        assert_eq!(chain(vec![1, u32::MAX]).unwrap(), [512, 576]);
        assert!(chain(vec![1, 0]).is_err());
    }
}
