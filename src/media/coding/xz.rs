//! Undoes LZMA2 in an xz stream (tukaani.org, "The .xz File Format", 1.2) with `lzma-rust2`, into a buffer that is as long as the
//! result. Reads what libtiff writes: one block, whose bytes may be differences; no filters for programs. Compares no checksums.

use lzma_rust2::Lzma2Reader;
use std::io::Read;

/// Memory in bytes that unpacking takes, besides twice the length of the result: probability models, and a chunk of compressed
/// data.
pub const MEMORY: u64 = 160 << 10;

/// Identifiers of the filters that are supported ("The .xz File Format", 5.3).
const DELTA: u64 = 3;
const LZMA2: u64 = 0x21;
/// The smallest window that the decoder works with.
const LEAST_WINDOW: usize = 4096;

/// Unpacks a stream until `out` is full. `None` if the stream is damaged, ends too early, or is of an unsupported kind.
pub fn unpack(data: &[u8], out: &mut [u8]) -> Option<()> {
    // After the signature come the type of the checksum that follows the block, and a checksum of this header.
    let block = data.strip_prefix(b"\xfd7zXZ\0")?.get(6..)?;
    let (&len, _) = block.split_first().filter(|(len, _)| **len > 0)?;
    let (head, packed) = block.split_at_checked((usize::from(len) + 1) * 4)?;
    let (&flags, mut rest) = head[1..].split_first()?;
    for bit in [0x40, 0x80] {
        // Optional sizes of the block, compressed and uncompressed.
        if flags & bit != 0 {
            number(&mut rest)?;
        }
    }
    let mut distance = None;
    for filter in 0..=flags & 3 {
        let (id, len) = (number(&mut rest)?, number(&mut rest)?);
        let is_last = filter == flags & 3;
        let (&property, behind) = rest.split_first().filter(|_| len == 1)?;
        rest = behind;
        match id {
            DELTA if !is_last && distance.is_none() => distance = Some(usize::from(property) + 1),
            LZMA2 if is_last => {}
            _ => return None,
        }
    }
    // No match reaches further back than the length of the result, whatever window the encoder used.
    let window = u32::try_from(out.len().max(LEAST_WINDOW)).ok()?;
    let mut reader = Lzma2Reader::new(packed, window, None);
    reader.read_exact(out).ok()?;
    if let Some(distance) = distance {
        for at in distance..out.len() {
            out[at] = out[at].wrapping_add(out[at - distance]);
        }
    }
    Some(())
}

/// Takes a number of seven bits a byte.
fn number(data: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = data.split_first()?;
        *data = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_unpacked() {
        #[track_caller]
        fn check(data: &[u8], expected: Option<&[u8]>) {
            let mut out = vec![0; expected.map_or(40, <[u8]>::len)];
            let done = unpack(data, &mut out);
            assert_eq!(done.map(|()| &out[..]), expected);
        }
        // Twelve bytes that are stored, as differences over two: 1, 2, 1, 2, …
        let mut data = b"\xfd7zXZ\0\0\0????\x02\x01\x03\x01\x01\x21\x01\x16????\x01\0\x0b".to_vec();
        data.extend([1, 2].repeat(6));
        data.push(0);
        let expected = [1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12];
        check(&data, Some(&expected));
        check(&data, None);
        check(&data[..30], None);
        for (at, byte) in [(0, 0), (12, 0), (14, 4), (17, 3), (24, 0x90)] {
            let mut wrong = data.clone();
            wrong[at] = byte;
            check(&wrong, None);
        }
    }
}
