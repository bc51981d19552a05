//! Reads and writes RIFF (Microsoft and IBM, "Multimedia Programming Interface and Data Specifications", 1991) and its
//! ancestor IFF (Electronic Arts, "EA IFF 85"). Never allocates memory by the stated length of a chunk alone.
//!
//! A RIFF or IFF file is a sequence of chunks. A chunk has a name of four bytes, the length of its data in 32 bits, and
//! the data, padded to an even length. RIFF stores lengths with the low byte first, IFF with the high byte first.

use super::bytes;
use crate::job::Input;
use std::io::{self, SeekFrom};

/// Length of the header before the first chunk, in bytes: `RIFF`, the length of all that follows, and the kind of file.
pub(crate) const HEADER: u64 = 12;

/// The head of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The four-character code of its type.
    pub name: [u8; 4],
    /// Length of the chunk's data in bytes, without the padding.
    pub len: u32,
}

/// The byte order of lengths.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// A walk over the chunks of a file.
pub struct Walk<'i, I: ?Sized> {
    input: &'i mut I,
    order: Order,
    /// Offset of the current chunk's data, in bytes.
    start: u64,
    /// Offset of the next chunk's head, in bytes.
    next: u64,
}

impl<'i, I: Input + ?Sized> Walk<'i, I> {
    /// Starts at the first chunk of a RIFF file.
    pub fn new(input: &'i mut I) -> io::Result<Self> {
        Self::with_order(input, Order::Little)
    }

    /// Starts at the first chunk of an IFF file, whose lengths are big-endian.
    pub fn iff(input: &'i mut I) -> io::Result<Self> {
        Self::with_order(input, Order::Big)
    }

    fn with_order(input: &'i mut I, order: Order) -> io::Result<Self> {
        input.seek(SeekFrom::Start(HEADER))?;
        Ok(Self {
            input,
            order,
            start: HEADER,
            next: HEADER,
        })
    }

    /// Reads the head of the next chunk. `None` if no complete head is left.
    pub fn next_chunk(&mut self) -> io::Result<Option<Head>> {
        let position = self.input.stream_position()?;
        let distance = i128::from(self.next) - i128::from(position);
        self.input
            .seek_relative(i64::try_from(distance).unwrap_or(i64::MAX))?;
        let mut head = [0; 8];
        if self.input.read_exact(&mut head).is_err() {
            return Ok(None);
        }
        let [n0, n1, n2, n3, len @ ..] = head;
        let len = match self.order {
            Order::Little => u32::from_le_bytes(len),
            Order::Big => u32::from_be_bytes(len),
        };
        self.start = self.next.saturating_add(8);
        self.next = end(self.start, len.into());
        Ok(Some(Head {
            name: [n0, n1, n2, n3],
            len,
        }))
    }

    /// Reads the next `len` bytes of the chunk's data. The caller makes sure that the chunk has `len` bytes.
    ///
    /// Errors: `UnexpectedEof` if the file ends earlier.
    pub fn data(&mut self, len: u32) -> io::Result<Vec<u8>> {
        bytes::read(self.input, len.into())
    }
}

/// Functions for chunks whose head does not state their length, and for chunks that another reader parses.
impl<I: Input + ?Sized> Walk<'_, I> {
    /// Reads the next `limit` bytes of the chunk's data, or fewer if the file ends earlier. The caller makes sure that
    /// the chunk has `limit` bytes.
    pub fn up_to(&mut self, limit: u32) -> io::Result<Vec<u8>> {
        bytes::up_to(self.input, limit.into())
    }

    /// Start of the chunk's data, in bytes from the beginning of the file.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Corrects the length of the chunk's data, for heads that are known to be wrong.
    pub fn set_len(&mut self, len: u64) {
        self.next = end(self.start, len);
    }

    /// The input, positioned after the data that has been read. The caller may leave it at any position.
    pub fn input(&mut self) -> &mut I {
        self.input
    }
}

/// End of the data of `len` bytes that begins at `start`, padding included.
fn end(start: u64, len: u64) -> u64 {
    start.saturating_add(len).saturating_add(len & 1)
}
/// The chunks of a RIFF file in memory, with their data. Stops at the first chunk that is cut short.
pub fn chunks(file: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = file.get(HEADER as usize..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, tail) = rest.split_first_chunk::<4>()?;
        let (len, tail) = tail.split_first_chunk::<4>()?;
        let len = u32::from_le_bytes(*len) as usize;
        let data = tail.get(..len)?;
        rest = tail.get(len.next_multiple_of(2)..).unwrap_or_default();
        Some((*name, data))
    })
}

/// Returns whether a file is at least as long as its header says. One missing byte is accepted, because some writers
/// forget to pad the last chunk.
pub fn is_whole(head: &[u8], file_len: u64) -> bool {
    head.get(4..8)
        .and_then(|len| len.try_into().ok())
        .is_some_and(|len| u64::from(u32::from_le_bytes(len)) + 8 <= file_len + 1)
}

/// Appends a RIFF chunk, padded to an even length.
pub fn put(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    put_with(file, name, (data.len() as u32).to_le_bytes(), data);
}

/// Appends an IFF chunk, padded to an even length.
pub fn put_iff(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    put_with(file, name, (data.len() as u32).to_be_bytes(), data);
}

fn put_with(file: &mut Vec<u8>, name: &[u8; 4], len: [u8; 4], data: &[u8]) {
    file.extend(name);
    file.extend(len);
    file.extend(data);
    if !data.len().is_multiple_of(2) {
        file.push(0);
    }
}

/// A RIFF file of this kind that holds `chunks`, which [`put`] has made.
pub fn file(kind: &[u8; 4], chunks: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(chunks.len() + HEADER as usize);
    file.extend(b"RIFF");
    file.extend((chunks.len() as u32 + 4).to_le_bytes());
    file.extend(kind);
    file.extend(chunks);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::io::Seek;

    fn sample() -> Vec<u8> {
        let mut body = Vec::new();
        put(&mut body, b"odd ", b"abc");
        put(&mut body, b"even", b"defg");
        file(b"TEST", &body)
    }

    #[test]
    fn written_chunks_are_found() {
        let file = sample();
        let found: Vec<_> = chunks(&file).collect();
        assert_eq!(found, [(*b"odd ", &b"abc"[..]), (*b"even", &b"defg"[..])]);
        assert!(is_whole(&file, file.len() as u64));
        assert!(!is_whole(&file, file.len() as u64 - 2));
    }

    #[test]
    fn a_walk_may_read_any_part_of_each_chunk() {
        for wanted in 0..=3 {
            let mut input = Cursor::new(sample());
            let mut walk = Walk::new(&mut input).unwrap();
            for (name, data) in [(*b"odd ", &b"abc"[..]), (*b"even", &b"defg"[..])] {
                let head = walk.next_chunk().unwrap().unwrap();
                assert_eq!(head.name, name);
                assert_eq!(head.len as usize, data.len());
                assert_eq!(walk.data(wanted).unwrap(), data[..wanted as usize]);
            }
            assert_eq!(walk.next_chunk().unwrap(), None);
        }
    }

    #[test]
    fn missing_data_is_an_error() {
        let whole = sample();
        let mut input = Cursor::new(&whole[..22]);
        let mut walk = Walk::new(&mut input).unwrap();
        let head = walk.next_chunk().unwrap().unwrap();
        assert!(walk.data(head.len).is_err());
    }

    #[test]
    fn lengths_of_iff_are_big_endian_and_can_be_corrected() {
        let mut file = b"FORM\0\0\0\0TEST".to_vec();
        put_iff(&mut file, b"odd ", b"abc");
        put_iff(&mut file, b"open", b"");
        file.extend(b"defg");
        put_iff(&mut file, b"last", b"h");
        let mut input = Cursor::new(file);
        let mut walk = Walk::iff(&mut input).unwrap();
        let head = walk.next_chunk().unwrap().unwrap();
        assert_eq!((head.name, head.len, walk.start()), (*b"odd ", 3, 20));
        assert_eq!(walk.up_to(2).unwrap(), b"ab");
        assert_eq!(walk.next_chunk().unwrap().unwrap().name, *b"open");
        walk.input().seek(SeekFrom::End(0)).unwrap();
        walk.set_len(4);
        assert_eq!(walk.next_chunk().unwrap().unwrap().name, *b"last");
        assert_eq!(walk.up_to(9).unwrap(), b"h\0");
        assert_eq!(walk.next_chunk().unwrap(), None);
    }
}
