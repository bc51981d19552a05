//! Walks over the elements of EBML (RFC 8794), the binary tree that Matroska and WebM files consist of, and reads its
//! variable-length numbers. Gives no meaning to elements.
//!
//! An element is an identifier, a size and a body. The body may consist of elements again, but the file does not say
//! so: a reader has to know the identifier. So this walk is flat. It returns one head after the other, and the caller
//! enters the body, reads from it, or does nothing; if it does nothing, the next call passes over the body. Writers
//! that cannot seek leave the size of an element unknown. Such an element ends with its parent; the caller enters it,
//! so the walk need not know its end. Nothing is stored about elements that were passed over, so memory does not depend
//! on the size of the file.

use std::io::{BufReader, Read, Seek};

/// Size of the read buffer in bytes.
const BUFFER: usize = 32 << 10;

/// A walk over the elements of a file, in file order.
pub struct Elements<R> {
    input: BufReader<R>,
    /// Bytes of the last element's body that have not been read; `None` if its size is unknown.
    left: Option<u64>,
}

/// The head of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The identifier with its length marker, which is how the specifications print identifiers.
    pub id: u64,
    /// Length of the body in bytes; `None` if the writer left it unknown.
    pub size: Option<u64>,
    /// End of the body, in bytes from the beginning of the file; `None` if the size is unknown.
    pub end: Option<u64>,
}

impl<R: Read + Seek> Elements<R> {
    /// Starts at the current position of `input`.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER, input),
            left: Some(0),
        }
    }

    /// Reads the next head, after the unread part of the last element's body. `None` at the end of the file, where the
    /// file was cut short, and after a body of unknown size that the caller has not entered.
    pub fn next_element(&mut self) -> Option<Element> {
        let left = i64::try_from(self.left?).ok()?;
        self.input.seek_relative(left).ok()?;
        let id = Number::read(&mut self.input)?.with_marker();
        let size = Number::read(&mut self.input)?.size();
        let end = match size {
            Some(size) => Some(self.input.stream_position().ok()?.saturating_add(size)),
            None => None,
        };
        self.left = size;
        Some(Element { id, size, end })
    }

    /// Continues at a later offset in the file, regardless of where the previous elements end. `None` if the walk is
    /// past the offset already. Needed after a body whose children claim to be longer than the body.
    pub fn go_on_at(&mut self, offset: u64) -> Option<()> {
        let position = self.input.stream_position().ok()?;
        self.left = Some(offset.checked_sub(position)?);
        Some(())
    }

    /// Enters the body of the last element: the next head is that of its first child.
    pub fn enter(&mut self) {
        self.left = Some(0);
    }

    /// Reads the next `count` bytes of the last element's body, or fewer if the body or the file ends earlier. `None`
    /// if the size of the body is unknown.
    pub fn body(&mut self, count: u64) -> Option<Vec<u8>> {
        let left = self.left.as_mut()?;
        let mut bytes = Vec::new();
        let wanted = count.min(*left);
        self.input
            .by_ref()
            .take(wanted)
            .read_to_end(&mut bytes)
            .ok()?;
        *left -= bytes.len() as u64;
        Some(bytes)
    }
}

/// The children of a body that is in memory, up to the first child that does not fit into the body.
pub fn children(mut body: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    std::iter::from_fn(move || {
        let id = Number::read(&mut body)?.with_marker();
        let size = Number::read(&mut body)?.size();
        let size = size.map_or(Some(body.len()), |size| usize::try_from(size).ok())?;
        let (child, rest) = body.split_at_checked(size)?;
        body = rest;
        Some((id, child))
    })
}

/// An unsigned integer, or the bits of a signed one, which takes up to eight bytes (RFC 8794, section 7.2). 0 if it
/// takes more.
pub fn unsigned(body: &[u8]) -> u64 {
    match body.len() {
        0..=8 => body.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)),
        _ => 0,
    }
}

/// A floating-point number of four or eight bytes (RFC 8794, section 7.3). 0 for any other length.
pub fn float(body: &[u8]) -> f64 {
    match (<[u8; 4]>::try_from(body), <[u8; 8]>::try_from(body)) {
        (Ok(bytes), _) => f32::from_be_bytes(bytes).into(),
        (_, Ok(bytes)) => f64::from_be_bytes(bytes),
        _ => 0.0,
    }
}

/// A text, which zero bytes may follow (RFC 8794, section 7.5).
pub fn text(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    text.trim_end_matches('\0').to_owned()
}

/// A number of one to eight bytes (RFC 8794, section 4). It begins with as many zero bits as bytes follow the first
/// byte. A one bit, the length marker, comes next, and then the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    marked: u64,
    length: u32,
}

impl Number {
    /// Reads a number. `None` if the input ends within it, or if its first byte is 0, which would mean more than eight
    /// bytes.
    pub fn read(input: &mut impl Read) -> Option<Self> {
        let mut first = [0];
        input.read_exact(&mut first).ok()?;
        let length = first[0].leading_zeros() + 1;
        if length > 8 {
            return None;
        }
        let mut rest = [0; 7];
        let rest = &mut rest[..length as usize - 1];
        input.read_exact(rest).ok()?;
        let marked = rest
            .iter()
            .fold(u64::from(first[0]), |n, byte| n << 8 | u64::from(*byte));
        Some(Self { marked, length })
    }

    /// The number with its length marker, as specifications print identifiers.
    pub(crate) fn with_marker(self) -> u64 {
        self.marked
    }

    /// The number without its length marker.
    pub fn value(self) -> u64 {
        self.marked & self.mask()
    }

    /// The number as the size of an element. All bits set mean that the size is unknown (section 6.2).
    pub fn size(self) -> Option<u64> {
        (self.value() != self.mask()).then_some(self.value())
    }

    /// The number as a difference in EBML lacing (RFC 9559, section 10.3): the value minus half of the largest value
    /// that fits the same number of bytes.
    pub fn signed(self) -> i64 {
        self.value() as i64 - (self.mask() >> 1) as i64
    }

    fn mask(self) -> u64 {
        (1 << (7 * self.length)) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn numbers_are_read_in_all_lengths() {
        #[track_caller]
        fn check(mut bytes: &[u8], expected: Option<(u64, Option<u64>, i64)>) {
            let number = Number::read(&mut bytes);
            assert_eq!(
                number.map(|n| (n.with_marker(), n.size(), n.signed())),
                expected
            );
        }
        check(b"\x82", Some((0x82, Some(2), 2 - 63)));
        check(b"\xff", Some((0xff, None, 64)));
        check(b"\x5f\xff", Some((0x5fff, Some(0x1fff), 0)));
        check(
            b"\x01\xff\xff\xff\xff\xff\xff\xff",
            Some((0x1ff_ffff_ffff_ffff, None, 1 << 55)),
        );
        check(b"\x40", None);
        check(b"\0\0", None);
        check(b"", None);
    }

    #[test]
    fn bodies_can_be_entered_read_or_skipped() {
        // A parent of unknown size, a child of three bytes, a child of two bytes, and a child of 16 bytes, of which the
        // file has only the first.
        let file = b"\xae\xff\xd7\x83abc\xec\x82xy\xd7\x90z";
        let mut elements = Elements::new(Cursor::new(file));
        let parent = elements.next_element().unwrap();
        assert_eq!((parent.id, parent.size, parent.end), (0xae, None, None));
        elements.enter();
        let child = elements.next_element().unwrap();
        assert_eq!((child.id, child.size, child.end), (0xd7, Some(3), Some(7)));
        assert_eq!(elements.body(2).unwrap(), b"ab");
        assert_eq!(elements.next_element().map(|e| e.id), Some(0xec));
        assert_eq!(elements.next_element().and_then(|e| e.end), Some(29));
        assert_eq!(elements.body(100).unwrap(), b"z");
        assert_eq!(elements.next_element(), None);
    }

    #[test]
    fn a_body_of_unknown_size_cannot_be_skipped() {
        let mut elements = Elements::new(Cursor::new(b"\xae\xff\xd7\x81a"));
        assert!(elements.next_element().is_some());
        assert!(elements.body(1).is_none());
        assert!(elements.next_element().is_none());
    }
}
