//! Unpacks Zstandard (RFC 8878) into a buffer of the length of the result. It is our own code because `ruzstd` 0.9.1
//! reserves memory for the window in addition to the result, and a few bytes of a header can make that 100 MB. Besides,
//! `ruzstd` adds 40 KB to the program, and this code 12 KB. `ruzstd` and this code take the same time. Supports no
//! dictionaries. The checksum of a frame is compared only if the buffer has space left after the frame.

mod bits;
mod checksum;
mod fse;
mod literals;
mod sequences;

use self::{literals::Codes, sequences::Tables};

/// First four bytes of a frame, as a little-endian number (RFC 8878, section 3.1.1).
pub const MAGIC: u32 = 0xfd2f_b528;

/// Largest block in bytes, compressed or not (RFC 8878, section 3.1.1.2.4).
const MAX_BLOCK: usize = 128 << 10;

/// Memory in bytes that unpacking takes in addition to the result: the literals of a block, and tables.
pub const MEMORY: u64 = 192 << 10;

/// Unpacks frames until `out` is full. `None` if they are damaged or too short.
pub fn unpack(mut data: &[u8], out: &mut [u8]) -> Option<()> {
    let mut to = Output { out, made: 0 };
    while !to.is_full() {
        data = frame(data, &mut to)?;
    }
    Some(())
}

/// Upper bound of the unpacked length of all frames, in bytes. A frame counts with the largest length that its blocks
/// can have, or with the length in its header if that is smaller. `None` if a frame is damaged.
pub fn most(mut data: &[u8]) -> Option<u64> {
    let mut sum = 0_u64;
    while !data.is_empty() {
        let frame = match begin(data)? {
            Begin::Frame(frame) => frame,
            Begin::Skipped(rest) => {
                data = rest;
                continue;
            }
        };
        let mut rest = frame.rest;
        let mut blocks = 0_u64;
        loop {
            let (&[low, middle, high], after) = rest.split_first_chunk()?;
            let head = u32::from_le_bytes([low, middle, high, 0]);
            let size = (head >> 3) as usize;
            let (made, stored) = match head >> 1 & 3 {
                0 => (size, size),
                1 => (size, 1),
                2 => (MAX_BLOCK, size),
                _ => return None,
            };
            blocks = blocks.checked_add(made as u64)?;
            rest = after.get(stored..)?;
            if head & 1 != 0 {
                break;
            }
        }
        sum = sum.checked_add(frame.size.map_or(blocks, |size| size.min(blocks)))?;
        data = rest.get(frame.checksum..)?;
    }
    Some(sum)
}

/// Unpacks all frames, and returns their unpacked length in bytes. `None` if a frame is damaged, or if `out` is full at
/// the end. So `out` has to be one byte longer than [`most`].
pub fn unpack_whole(mut data: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut to = Output { out, made: 0 };
    while !data.is_empty() {
        data = frame(data, &mut to)?;
        if to.is_full() {
            return None;
        }
    }
    Some(to.made)
}

/// Buffer for the result. Drops data beyond its end.
struct Output<'o> {
    out: &'o mut [u8],
    made: usize,
}

impl Output<'_> {
    fn is_full(&self) -> bool {
        self.made == self.out.len()
    }

    fn literals(&mut self, bytes: &[u8]) {
        let space = &mut self.out[self.made..];
        let len = bytes.len().min(space.len());
        space[..len].copy_from_slice(&bytes[..len]);
        self.made += len;
    }

    fn fill(&mut self, byte: u8, len: usize) {
        let space = &mut self.out[self.made..];
        let len = len.min(space.len());
        space[..len].fill(byte);
        self.made += len;
    }

    /// Appends `len` bytes that begin `offset` bytes before the end of the output. `None` if the output is shorter than
    /// `offset`, or `offset` is 0.
    fn repeat(&mut self, offset: usize, len: usize) -> Option<()> {
        let begin = self.made.checked_sub(offset).filter(|_| offset > 0)?;
        let len = len.min(self.out.len() - self.made);
        let end = self.made + len;
        while self.made < end {
            // Copies all bytes that exist already, twice as many each time.
            let part = (end - self.made).min(self.made - begin);
            self.out.copy_within(begin..begin + part, self.made);
            self.made += part;
        }
        Some(())
    }
}

/// Header of a frame.
struct Frame<'d> {
    /// Length of the unpacked frame, if the header states it.
    size: Option<u64>,
    /// Length of the checksum after the blocks, in bytes: 0 or 4.
    checksum: usize,
    /// The blocks of the frame, and all bytes after them.
    rest: &'d [u8],
}

enum Begin<'d> {
    Frame(Frame<'d>),
    /// A skippable frame: the bytes after it.
    Skipped(&'d [u8]),
}

/// Parses the head of a frame (RFC 8878, section 3.1.1.1), or skips a skippable frame.
fn begin(data: &[u8]) -> Option<Begin<'_>> {
    let (magic, rest) = data.split_first_chunk()?;
    match u32::from_le_bytes(*magic) {
        MAGIC => {}
        0x184d_2a50..=0x184d_2a5f => {
            let (len, rest) = rest.split_first_chunk()?;
            return rest
                .get(u32::from_le_bytes(*len) as usize..)
                .map(Begin::Skipped);
        }
        _ => return None,
    }
    let (&head, rest) = rest.split_first()?;
    let is_single = head & 0x20 != 0;
    let window = usize::from(!is_single);
    let dictionary = [0, 1, 2, 4][usize::from(head & 3)];
    let size = match head >> 6 {
        0 => usize::from(is_single),
        flag => 1 << flag,
    };
    let id = rest.get(window..window + dictionary)?;
    if head & 8 != 0 || id.iter().any(|byte| *byte != 0) {
        return None;
    }
    let stated = rest.get(window + dictionary..window + dictionary + size)?;
    let mut number = [0; 8];
    number[..size].copy_from_slice(stated);
    let number = u64::from_le_bytes(number);
    // A length field of two bytes holds the length minus 256, because shorter lengths fit into one byte.
    let stated = match size {
        0 => None,
        2 => Some(number + 256),
        _ => Some(number),
    };
    Some(Begin::Frame(Frame {
        size: stated,
        checksum: if head & 4 != 0 { 4 } else { 0 },
        rest: rest.get(window + dictionary + size..)?,
    }))
}

/// Unpacks a frame, or skips a skippable one, and returns the bytes after it.
fn frame<'d>(data: &'d [u8], to: &mut Output<'_>) -> Option<&'d [u8]> {
    let frame = match begin(data)? {
        Begin::Frame(frame) => frame,
        Begin::Skipped(rest) => return Some(rest),
    };
    let mut rest = frame.rest;
    let (mut codes, mut tables) = (Codes::default(), Tables::default());
    let (mut literals, begin) = (Vec::new(), to.made);
    loop {
        let (&[low, middle, high], after) = rest.split_first_chunk()?;
        let head = u32::from_le_bytes([low, middle, high, 0]);
        let size = (head >> 3) as usize;
        match head >> 1 & 3 {
            0 => {
                let (bytes, after) = after.split_at_checked(size)?;
                to.literals(bytes);
                rest = after;
            }
            1 => {
                let (byte, after) = after.split_first()?;
                to.fill(*byte, size);
                rest = after;
            }
            2 if size <= MAX_BLOCK => {
                let (block, after) = after.split_at_checked(size)?;
                let block = literals::read(block, &mut codes, MAX_BLOCK, &mut literals)?;
                sequences::run(block, &mut tables, &literals, begin, to)?;
                rest = after;
            }
            _ => return None,
        }
        if to.is_full() {
            return Some(rest);
        }
        if head & 1 != 0 {
            break;
        }
    }
    let (stored, rest) = rest.split_at_checked(frame.checksum)?;
    let sum = checksum::xxh64(&to.out[begin..to.made]).to_le_bytes();
    sum.starts_with(stored).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(data: &[u8], expected: Option<&[u8]>) {
        let mut out = vec![0; expected.map_or(300, <[u8]>::len)];
        let done = unpack(data, &mut out);
        assert_eq!(done.map(|()| &out[..]), expected);
    }

    #[test]
    fn frames_are_unpacked() {
        // A stored block, the beginning of this block, a block of one repeated byte, and two frames after a skippable
        // frame. All frames are single segments.
        let plain = b"\x28\xb5\x2f\xfd\x20\x03\x19\0\0abc";
        check(plain, Some(b"abc"));
        check(plain, Some(b"ab"));
        check(b"\x28\xb5\x2f\xfd\x20\x05\x2b\0\0x", Some(b"xxxxx"));
        let skipped = b"\x5a\x2a\x4d\x18\x02\0\0\0??";
        check(&[&skipped[..], plain, plain].concat(), Some(b"abcabc"));
        check(plain, None);
        check(&plain[..8], None);
        // A block of the kind that is reserved, a dictionary, and a magic number of another version.
        check(b"\x28\xb5\x2f\xfd\x20\x03\x1f\0\0abc", None);
        check(b"\x28\xb5\x2f\xfd\x21\x07\x03\x19\0\0abc", None);
        check(b"\x27\xb5\x2f\xfd\x20\x03\x19\0\0abc", None);
    }

    #[test]
    fn all_frames_are_unpacked_without_a_known_length() {
        let plain = b"\x28\xb5\x2f\xfd\x20\x03\x19\0\0abc";
        let run = b"\x28\xb5\x2f\xfd\x20\x05\x2b\0\0x";
        let skipped = b"\x5a\x2a\x4d\x18\x02\0\0\0??";
        let all = [&plain[..], skipped, run].concat();
        assert_eq!(most(&all), Some(8));
        let mut out = [0; 9];
        assert_eq!(unpack_whole(&all, &mut out), Some(8));
        assert_eq!(&out[..8], b"abcxxxxx");
        assert_eq!(unpack_whole(&all, &mut [0; 8]), None);
        // The lower half of XXH64 of "abc".
        let sealed = b"\x28\xb5\x2f\xfd\x24\x03\x19\0\0abc\x99\x09\x77\xad";
        assert_eq!(unpack_whole(sealed, &mut out), Some(3));
        let mut wrong = sealed.to_vec();
        wrong[9] = b'b';
        assert_eq!(unpack_whole(&wrong, &mut out), None);
        for end in 1..plain.len() {
            assert_eq!(most(&plain[..end]), None, "{end}");
        }
    }

    /// Output of `zstd --no-check -19`.
    const PACKED: &str = "28b52ffd602c003d030022c9160710b00f480a095cacf21d377389128b1df2d5a39ca29150e718d96e9532c38514c4d0\
        70333b42f0c312e1bff176f3fdba4806552e3f4cbf4478f9df2654ed8aa89ef8b79dd66252cb23dc61140251d394ab1c\
        e2e4acb196151520020015d02615428319";

    #[test]
    fn blocks_of_the_zstd_program_are_unpacked() {
        // Huffman codes of literals, and sequences.
        let expected: Vec<u8> = (0..300_u32)
            .map(|i| (i % 100 * (i % 100) % 23 + i % 7) as u8)
            .collect();
        let whole: Vec<u8> = (0..PACKED.len() / 2)
            .map(|at| u8::from_str_radix(&PACKED[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        check(&whole, Some(&expected));
        // Wherever the data ends, nothing may be read beyond its end.
        for end in 0..whole.len() {
            check(&whole[..end], None);
        }
    }
}
