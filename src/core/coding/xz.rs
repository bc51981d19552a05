//! Unpacks LZMA2 in an xz stream (tukaani.org, "The .xz File Format", 1.2) with `lzma-rust2`, into a buffer that is as
//! long as the result. Supports the Delta filter, but no filters for machine code. Compares the checksum of a block
//! only if the caller asks: a damaged picture is still a picture.

use lzma_rust2::Lzma2Reader;
use std::io::Read;

/// First bytes of every stream.
pub const MAGIC: &[u8] = b"\xfd7zXZ\0";
/// The last bytes of every stream.
const END: &[u8] = b"YZ";
/// Length of the header of a stream in bytes; its footer has the same length.
const HEADER: usize = 12;
/// Maximum number of blocks of a file. A file with more counts as damaged.
const MAX_BLOCKS: u64 = 100_000;

/// For each byte value, the remainder of the CRC-64 (section 6: the polynomial of ECMA-182, its bits reversed).
static CRC64: [u64; 256] = table64();

/// A block in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Offset of the block in the file, in bytes.
    pub at: usize,
    /// Length of the block in the file, including its checksum, in bytes.
    pub stored: usize,
    /// Length of the unpacked data in bytes.
    pub size: u64,
    /// Type of the checksum (section 2.1.1.2).
    check: u8,
}

impl Block {
    /// Returns whether the checksum at the end of the stored block is that of the unpacked data. Only CRC-32 and
    /// CRC-64, the default of `xz`, are compared; a block with another checksum counts as intact.
    pub fn is_intact(&self, stored: &[u8], made: &[u8]) -> bool {
        match self.check {
            1 => stored.ends_with(&crc32fast::hash(made).to_le_bytes()),
            4 => stored.ends_with(&crc64(made).to_le_bytes()),
            _ => true,
        }
    }
}

/// Blocks of a file of one or several streams, as the index at the end of each stream lists them (section 4). `None`
/// if an index is damaged, or lists too many blocks.
pub fn blocks(data: &[u8]) -> Option<Vec<Block>> {
    let mut all = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        // Streams may be padded with zeros, in groups of four.
        if let Some(filled) = rest.strip_suffix(&[0; 4]) {
            rest = filled;
            continue;
        }
        let (before, footer) = rest.split_at_checked(rest.len().checked_sub(HEADER)?)?;
        let size = footer.get(4..8)?.first_chunk()?;
        let size = (u32::from_le_bytes(*size) as usize)
            .checked_add(1)?
            .checked_mul(4)?;
        let (before, mut index) = before.split_at_checked(before.len().checked_sub(size)?)?;
        index = index.strip_prefix(&[0]).filter(|_| footer.ends_with(END))?;
        let count = number(&mut index)?;
        if count.saturating_add(all.len() as u64) > MAX_BLOCKS {
            return None;
        }
        let mut stream = Vec::new();
        let mut at = 0_usize;
        for _ in 0..count {
            // The size in the index excludes the padding of the block to a multiple of four bytes.
            let stored = usize::try_from(number(&mut index)?).ok()?;
            let stored = stored.checked_next_multiple_of(4)?;
            let size = number(&mut index)?;
            stream.push(Block {
                at,
                stored,
                size,
                check: footer[9] & 15,
            });
            at = at.checked_add(stored)?;
        }
        let begin = before.len().checked_sub(at)?.checked_sub(HEADER)?;
        if !before.get(begin..)?.starts_with(MAGIC) {
            return None;
        }
        stream
            .iter_mut()
            .for_each(|block| block.at += begin + HEADER);
        all.extend(stream.into_iter().rev());
        rest = &data[..begin];
    }
    all.reverse();
    Some(all)
}

/// Memory in bytes that unpacking takes, besides twice the length of the result: probability models, and a chunk of
/// compressed data.
pub const MEMORY: u64 = 160 << 10;

/// Identifier of the Delta filter ("The .xz File Format", 5.3).
const DELTA: u64 = 3;
/// Identifier of the LZMA2 filter (5.3).
const LZMA2: u64 = 0x21;
/// The smallest window that the decoder works with, in bytes.
const LEAST_WINDOW: usize = 4096;

/// Unpacks the first block of a stream until `out` is full. `None` if the block is damaged, ends too early, or is of an
/// unsupported kind.
pub fn unpack(data: &[u8], out: &mut [u8]) -> Option<()> {
    // The six bytes after the signature are the flags of the stream (the type of its blocks' checksums) and a CRC-32 of
    // the flags.
    unpack_block(data.strip_prefix(MAGIC)?.get(6..)?, out)
}

/// Unpacks a block until `out` is full. `None` if the block is damaged, ends too early, or is of an unsupported kind.
pub fn unpack_block(block: &[u8], out: &mut [u8]) -> Option<()> {
    let (&len, _) = block.split_first().filter(|(len, _)| **len > 0)?;
    let (head, packed) = block.split_at_checked((usize::from(len) + 1) * 4)?;
    let (&flags, mut rest) = head[1..].split_first()?;
    for bit in [0x40, 0x80] {
        // The compressed and the uncompressed size of the block are optional, and are skipped.
        if flags & bit != 0 {
            number(&mut rest)?;
        }
    }
    let mut distance = None;
    for filter in 0..=flags & 3 {
        let (id, len) = (number(&mut rest)?, number(&mut rest)?);
        let is_last = filter == flags & 3;
        let (&property, after) = rest.split_first().filter(|_| len == 1)?;
        rest = after;
        match id {
            DELTA if !is_last && distance.is_none() => distance = Some(usize::from(property) + 1),
            LZMA2 if is_last => {}
            _ => return None,
        }
    }
    // A match reaches back at most the length of the result, so a larger window of the encoder is not needed.
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

/// Takes an integer that is stored with seven bits in each byte, the lowest bits first. `None` if it takes more than
/// nine bytes.
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

/// The CRC-64 of a block of xz.
fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(u64::MAX, |crc, byte| {
        crc >> 8 ^ CRC64[usize::from(crc as u8 ^ byte)]
    })
}

/// Computes [`CRC64`].
const fn table64() -> [u64; 256] {
    let mut table = [0u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = crc >> 1
                ^ if crc & 1 != 0 {
                    0xc96c_5795_d787_0f42
                } else {
                    0
                };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_matches_a_known_value() {
        assert_eq!(crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
    }

    #[test]
    fn an_index_with_too_many_blocks_is_damaged() {
        let mut lie = vec![0, 1, 0xff, 0x7f, 3, 0, 0, 0];
        lie.extend([0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
        lie.extend(END);
        assert_eq!(blocks(&lie), None);
    }

    #[test]
    fn streams_are_unpacked() {
        #[track_caller]
        fn check(data: &[u8], expected: Option<&[u8]>) {
            let mut out = vec![0; expected.map_or(40, <[u8]>::len)];
            let done = unpack(data, &mut out);
            assert_eq!(done.map(|()| &out[..]), expected);
        }
        // Twelve stored bytes 1, 2, 1, 2, …, to which the Delta filter adds the byte two positions earlier.
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
