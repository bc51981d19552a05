//! RIFF (Microsoft and IBM, "Multimedia Programming Interface and Data Specifications", 1991): a file of chunks, each
//! with a name of four bytes, the length of its data in 32 bits with the low byte first, and data that is padded to an
//! even length. Never believes that a chunk is as long as it says before its data has been read.

use super::bytes;
use crate::job::Input;
use std::io::{self, SeekFrom};

/// Bytes before the first chunk: `RIFF`, the length of all that follows, and what kind of file it is.
pub(crate) const HEADER: u64 = 12;

/// What stands before the data of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) name: [u8; 4],
    /// Bytes of its data, without the padding.
    pub(crate) len: u32,
}

/// A walk over the chunks of a file.
pub(crate) struct Walk<'i> {
    input: &'i mut dyn Input,
    /// Bytes to the next head.
    left: i64,
}

impl<'i> Walk<'i> {
    /// From the first chunk of a file.
    pub(crate) fn new(input: &'i mut dyn Input) -> io::Result<Self> {
        input.seek(SeekFrom::Start(HEADER))?;
        Ok(Self { input, left: 0 })
    }

    /// The next chunk. `None` where there is no whole head any more.
    pub(crate) fn next(&mut self) -> io::Result<Option<Head>> {
        self.input.seek_relative(self.left)?;
        let mut head = [0; 8];
        if self.input.read_exact(&mut head).is_err() {
            return Ok(None);
        }
        let [n0, n1, n2, n3, l0, l1, l2, l3] = head;
        let len = u32::from_le_bytes([l0, l1, l2, l3]);
        self.left = i64::from(len) + i64::from(len & 1);
        Ok(Some(Head {
            name: [n0, n1, n2, n3],
            len,
        }))
    }

    /// The next `len` bytes of the chunk's data, which has as many.
    ///
    /// Errors: `UnexpectedEof` if the file has not.
    pub(crate) fn data(&mut self, len: u32) -> io::Result<Vec<u8>> {
        let data = bytes::read(self.input, len.into())?;
        self.left -= i64::from(len);
        Ok(data)
    }
}

/// The chunks of a file in memory, with their data, up to the first that is cut short.
pub(crate) fn chunks(file: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
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

/// Whether a file is as long as its header says. Some writers forget to pad the last chunk.
pub(crate) fn is_whole(head: &[u8], file_len: u64) -> bool {
    head.get(4..8)
        .and_then(|len| len.try_into().ok())
        .is_some_and(|len| u64::from(u32::from_le_bytes(len)) + 8 <= file_len + 1)
}

/// Appends a chunk, padded to an even length.
pub(crate) fn put(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend(name);
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    if !data.len().is_multiple_of(2) {
        file.push(0);
    }
}

/// A file of this kind with these chunks, which have been [put](put) together.
pub(crate) fn file(kind: &[u8; 4], chunks: &[u8]) -> Vec<u8> {
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

    fn sample() -> Vec<u8> {
        let mut body = Vec::new();
        put(&mut body, b"odd ", b"abc");
        put(&mut body, b"even", b"defg");
        file(b"TEST", &body)
    }

    #[test]
    fn what_is_put_is_found() {
        let file = sample();
        let found: Vec<_> = chunks(&file).collect();
        assert_eq!(found, [(*b"odd ", &b"abc"[..]), (*b"even", &b"defg"[..])]);
        assert!(is_whole(&file, file.len() as u64));
        assert!(!is_whole(&file, file.len() as u64 - 2));
    }

    #[test]
    fn a_walk_reads_as_much_of_each_chunk_as_is_wanted() {
        for wanted in 0..=3 {
            let mut input = Cursor::new(sample());
            let mut walk = Walk::new(&mut input).unwrap();
            for (name, data) in [(*b"odd ", &b"abc"[..]), (*b"even", &b"defg"[..])] {
                let head = walk.next().unwrap().unwrap();
                assert_eq!(head.name, name);
                assert_eq!(head.len as usize, data.len());
                assert_eq!(walk.data(wanted).unwrap(), data[..wanted as usize]);
            }
            assert_eq!(walk.next().unwrap(), None);
        }
    }

    #[test]
    fn data_that_is_missing_is_an_error() {
        let whole = sample();
        let mut input = Cursor::new(&whole[..22]);
        let mut walk = Walk::new(&mut input).unwrap();
        let head = walk.next().unwrap().unwrap();
        assert!(walk.data(head.len).is_err());
    }
}
