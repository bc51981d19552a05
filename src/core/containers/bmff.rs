//! Reads the boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), of which MP4 and AVIF files consist.
//! Rejects a box in memory that claims to be longer than its parent; the end of a box in a file is not checked.
//!
//! A box has a length of 32 bits, a name of four bytes and content, which may be boxes again. The length includes the
//! head. A length of 1 means that a length of 64 bits follows the name; 0 means that the box extends to the end of its
//! parent. `Head` walks over the boxes of a file without reading their content; `Content` parses a box in memory.

use crate::job::Input;
use std::io::{self, SeekFrom};

/// The head of a box in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The four-character code of its type.
    pub kind: [u8; 4],
    /// Start of the box's content, in bytes from the beginning of the file.
    pub start: u64,
    /// Length of the content in bytes. `None` for a box that reaches to the end of the file.
    pub len: Option<u64>,
}

impl Head {
    /// Reads the head of the box that begins at byte `offset`.
    ///
    /// Errors: `InvalidData` if the box claims to be shorter than its own head.
    pub fn read(input: &mut dyn Input, offset: u64) -> io::Result<Self> {
        let mut head = [0; 16];
        input.seek(SeekFrom::Start(offset))?;
        input.read_exact(&mut head[..8])?;
        let (mut len, mut used) = (number(&head[..4]), 8);
        if len == 1 {
            input.read_exact(&mut head[8..])?;
            (len, used) = (number(&head[8..]), 16);
        }
        let content = match len {
            0 => None,
            _ => Some(len.checked_sub(used).ok_or(io::ErrorKind::InvalidData)?),
        };
        Ok(Self {
            kind: [head[4], head[5], head[6], head[7]],
            start: offset.saturating_add(used),
            len: content,
        })
    }

    /// Offset at which this box ends, and the next one may begin. `None` if this box reaches to the end of the file by
    /// a length of 0, or beyond 2⁶⁴ bytes.
    pub fn next(&self) -> Option<u64> {
        self.start.checked_add(self.len?)
    }
}

/// The big-endian number in `bytes`, of which there are at most 8.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// The content of a box in memory. Reading takes bytes from its front.
pub struct Content<'a>(pub &'a [u8]);

impl<'a> Content<'a> {
    /// Takes the next `len` bytes. `None` if fewer are left; then nothing is taken.
    pub fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(front)
    }

    /// Takes a big-endian number of `len` bytes, at most 8.
    pub fn number(&mut self, len: usize) -> Option<u64> {
        self.take(len).map(number)
    }

    /// Takes the version and the flags that begin the content of a full box (4.2).
    pub fn version(&mut self) -> Option<(u8, u32)> {
        let number = self.number(4)? as u32;
        Some(((number >> 24) as u8, number & 0xff_ffff))
    }

    /// Takes the next box inside this one: its name and its content. `None` at the end, or if the box is cut short.
    pub fn next_box(&mut self) -> Option<([u8; 4], Content<'a>)> {
        let len = self.number(4)? as usize;
        let kind = *self.take(4)?.first_chunk()?;
        let content = match len {
            0 => self.take(self.0.len())?,
            1 => {
                let len = usize::try_from(self.number(8)?).ok()?;
                self.take(len.checked_sub(16)?)?
            }
            _ => self.take(len.checked_sub(8)?)?,
        };
        Some((kind, Content(content)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A box with a length of 64 bits if `is_wide`, else of 32 bits.
    fn boxed(kind: &[u8; 4], content: &[u8], is_wide: bool) -> Vec<u8> {
        let len = content.len() as u64;
        if is_wide {
            let len = (len + 16).to_be_bytes();
            return [&[0, 0, 0, 1], &kind[..], &len, content].concat();
        }
        let len = (len as u32 + 8).to_be_bytes();
        [&len, &kind[..], content].concat()
    }

    #[test]
    fn boxes_are_found_at_the_top_level_and_inside_boxes() {
        for is_wide in [false, true] {
            let inner = [boxed(b"one ", b"abc", is_wide), boxed(b"two ", b"", false)].concat();
            let file = [
                boxed(b"skip", b"?", is_wide),
                boxed(b"meta", &inner, is_wide),
            ]
            .concat();
            let mut input = Cursor::new(&file);
            let skipped = Head::read(&mut input, 0).unwrap();
            let head = Head::read(&mut input, skipped.next().unwrap()).unwrap();
            assert_eq!(
                (head.kind, head.next()),
                (*b"meta", Some(file.len() as u64))
            );
            let mut content = Content(&file[head.start as usize..]);
            let (kind, first) = content.next_box().unwrap();
            assert_eq!((kind, first.0), (*b"one ", &b"abc"[..]));
            let (kind, second) = content.next_box().unwrap();
            assert_eq!((kind, second.0), (*b"two ", &b""[..]));
            assert!(content.next_box().is_none());
        }
    }

    #[test]
    fn lengths_are_checked() {
        #[track_caller]
        fn check(len: u32, in_file: Option<Option<u64>>, in_memory: bool) {
            let bytes = [&len.to_be_bytes(), b"kind", b"1234".as_slice()].concat();
            let head = Head::read(&mut Cursor::new(&bytes), 0).ok();
            assert_eq!(head.map(|head| head.len), in_file);
            assert_eq!(Content(&bytes).next_box().is_some(), in_memory);
        }
        check(12, Some(Some(4)), true);
        check(13, Some(Some(5)), false);
        check(8, Some(Some(0)), true);
        check(7, None, false);
        // A length of 0: the box reaches to the end.
        check(0, Some(None), true);
        // A length of 1: the length of 64 bits that should follow is missing.
        check(1, None, false);
    }
}
