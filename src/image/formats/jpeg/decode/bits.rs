//! Entropy-coded data as bits, Huffman codes and blocks (T.81, annex F.2.2).
//!
//! A block is a DC difference and up to 63 AC coefficients in zigzag order. Each of them is a Huffman code for its
//! category, which is its number of bits (and for AC also the run of zeros before it), followed by these bits. In the
//! data, a stuffed 0x00 follows each byte 0xFF, to distinguish it from a marker.
//!
//! The next bits are at the top of a 64-bit word, which is refilled by several bytes in one step if none of the next
//! eight is 0xFF. A table indexed by the next ten bits decodes most codes, and often the coefficient as well. Never
//! reads past its slice: missing bits count as zeros, and the reader counts how many of them were used.

use super::huffman::{FAST, SKIP, Table, extend};

/// A reader of bits from entropy-coded data.
#[derive(Clone)]
pub(crate) struct Bits<'a> {
    data: &'a [u8],
    position: Position,
}

/// Reading position among the bits.
#[derive(Clone, Default)]
pub(crate) struct Position {
    /// Offset of the next byte that is not in `buffer`.
    at: usize,
    /// The next bits, from the highest.
    buffer: u64,
    /// Number of valid bits.
    count: u32,
    /// Number of bits from beyond the data, among those in `buffer` and those that have already been used.
    padding: u32,
}

impl<'a> Bits<'a> {
    /// A reader that continues from the position of another reader of the same data.
    pub(crate) fn resume(data: &'a [u8], position: Position) -> Self {
        Self { data, position }
    }

    /// A reader that begins at a byte of the data.
    pub(crate) fn starting(data: &'a [u8], at: usize) -> Self {
        let position = Position {
            at,
            ..Position::default()
        };
        Self { data, position }
    }

    /// Index of the next bit in the data. Bits that were read ahead count as unread.
    pub(crate) fn bit_index(&self) -> usize {
        let mut ahead = self.position.count.saturating_sub(self.position.padding) as usize;
        // Steps back over the bytes that are still in the buffer. A stuffed zero was read with its 0xFF.
        let mut at = self.position.at;
        while ahead > 0 {
            let stuffed = matches!(self.data[..at], [.., 0xff, 0]);
            at -= if stuffed { 2 } else { 1 };
            if ahead < 8 {
                return 8 * at + 8 - ahead;
            }
            ahead -= 8;
        }
        8 * at
    }

    /// Returns whether the reader, which reads ahead, has come to the end of the data or to a marker.
    pub(crate) fn at_end(&self) -> bool {
        self.position.padding > 0
    }

    /// Skips one bit, for a reader that meets a code that cannot be decoded.
    pub(crate) fn skip_bit(&mut self) {
        self.refill();
        self.skip(1);
    }

    /// The position of the reader.
    pub(crate) fn position(self) -> Position {
        self.position
    }

    /// Makes at least 32 bits available, which is more than any code takes with its coefficient.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.position.count >= 32 {
            return;
        }
        if let Some(bytes) = self
            .data
            .get(self.position.at..)
            .and_then(|rest| rest.first_chunk())
        {
            let next = u64::from_be_bytes(*bytes);
            // 0xFF begins a stuffed byte or a marker. Its complement is a zero byte, and the next expression is nonzero
            // if any of the eight bytes of the complement is zero.
            let inverse = !next;
            let zeros = inverse.wrapping_sub(0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080;
            if zeros == 0 {
                self.position.buffer |= next >> self.position.count;
                self.position.at += (63 - self.position.count as usize) >> 3;
                self.position.count |= 56;
                return;
            }
        }
        self.refill_slowly();
    }

    /// Refills byte by byte: removes the zero after each 0xFF (T.81, F.1.2.3), and pads with zeros at a marker or the
    /// end.
    #[cold]
    fn refill_slowly(&mut self) {
        // Clears bits of the last byte that were loaded but not counted.
        self.position.buffer &= !(u64::MAX.checked_shr(self.position.count).unwrap_or(0));
        while self.position.count <= 56 {
            let byte = match (
                self.data.get(self.position.at),
                self.data.get(self.position.at + 1),
            ) {
                (Some(0xff), Some(0)) => {
                    self.position.at += 2;
                    0xff
                }
                (Some(0xff), _) | (None, _) => {
                    self.position.padding += 8;
                    0
                }
                (Some(&byte), _) => {
                    self.position.at += 1;
                    byte
                }
            };
            self.position.buffer |= u64::from(byte) << (56 - self.position.count);
            self.position.count += 8;
        }
    }

    /// Removes this many bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, bits: u32) {
        self.position.buffer <<= bits;
        self.position.count -= bits;
    }

    /// The next bits, as an index into the tables for short codes.
    #[inline(always)]
    pub(super) fn peek(&self) -> usize {
        (self.position.buffer >> (64 - FAST)) as usize
    }

    /// The next symbol, or `None` if no code fits.
    #[inline(always)]
    pub(super) fn symbol(&mut self, table: &Table) -> Option<u8> {
        let (symbol, len) = table.short[self.peek()];
        if len != 0 {
            self.skip(len.into());
            return Some(symbol);
        }
        // Longer codes are decoded as in T.81, F.2.2.3: a code has a length if it is below the limit of that length.
        let bits = (self.position.buffer >> 48) as u32;
        let len = (FAST as usize + 1..=16).find(|&len| bits < table.limits[len])?;
        let index = (bits >> (16 - len)) as i32 + table.offsets[len];
        self.skip(len as u32);
        table.symbols.get(usize::try_from(index).ok()?).copied()
    }

    /// Reads a coefficient of the category `size` (T.81, F.2.2.1: RECEIVE and EXTEND).
    #[inline(always)]
    pub(super) fn number(&mut self, size: u32) -> i32 {
        if size == 0 {
            return 0;
        }
        let raw = (self.position.buffer >> (64 - size)) as u32;
        self.skip(size);
        extend(raw, size)
    }

    /// Reads `count` bits, from 1 to 32.
    #[inline(always)]
    pub(super) fn some(&mut self, count: u32) -> u32 {
        self.refill();
        let bits = (self.position.buffer >> (64 - count)) as u32;
        self.skip(count);
        bits
    }

    /// Reads the difference of a sample or a DC coefficient from its prediction (T.81, H.1.2.2 and F.2.2.1). `None` if
    /// the code is unknown.
    #[inline(always)]
    pub(crate) fn difference(&mut self, table: &Table) -> Option<i32> {
        self.refill();
        match self.symbol(table)? {
            // Category 16 has no further bits.
            16 => Some(1 << 15),
            size @ 0..16 => Some(self.number(size.into())),
            _ => None,
        }
    }

    /// Decodes a block: returns its DC difference, and calls `put` with the zigzag index and value of each nonzero AC
    /// coefficient before `end`, and perhaps of one at or after it. `None` if a code is unknown, or the block has more
    /// than 64 coefficients.
    #[inline(always)]
    pub(crate) fn block(
        &mut self,
        dc: &Table,
        ac: &Table,
        end: usize,
        mut put: impl FnMut(usize, i32),
    ) -> Option<i32> {
        self.refill();
        let size = self.symbol(dc)?;
        if size > 15 {
            return None;
        }
        let difference = self.number(size.into());
        let mut at = 1;
        while at < end {
            self.refill();
            let (value, run, bits) = ac.whole[self.peek()];
            if bits != 0 {
                at += usize::from(run);
                if at > 63 {
                    return None;
                }
                self.skip(bits.into());
                put(at, value.into());
                at += 1;
                continue;
            }
            let Some((zeros, value)) = self.coefficient(ac)? else {
                return Some(difference);
            };
            at += zeros;
            if let Some(value) = value {
                if at > 63 {
                    return None;
                }
                put(at, value);
                at += 1;
            }
        }
        if at < 64 {
            self.skip_rest(ac, at)?;
        }
        Some(difference)
    }

    /// Reads the next AC coefficient with the run of zeros before it, or sixteen zeros alone (ZRL). `Some(None)` at the
    /// end of the block (EOB), `None` if the code is unknown.
    #[inline(always)]
    fn coefficient(&mut self, ac: &Table) -> Option<Option<(usize, Option<i32>)>> {
        let symbol = self.symbol(ac)?;
        let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
        Some(match (run, size) {
            (15, 0) => Some((16, None)),
            (_, 0) => None,
            _ => Some((run, Some(self.number(size)))),
        })
    }

    /// Skips the rest of a block, from coefficient `at` on. A table skips several coefficients in one step. `None` if a
    /// code is unknown, or the block has more than 64 coefficients.
    #[inline(always)]
    fn skip_rest(&mut self, ac: &Table, mut at: usize) -> Option<()> {
        let skips = ac.skips();
        while at < 64 {
            self.refill();
            let skip = skips[(self.position.buffer >> (64 - SKIP)) as usize];
            let next = at + usize::from(skip.coefficients);
            if skip.bits != 0 && next < 64 {
                self.skip(skip.bits.into());
                at = next;
                if skip.ends {
                    break;
                }
                continue;
            }
            let Some((zeros, value)) = self.coefficient(ac)? else {
                break;
            };
            at += zeros;
            if value.is_some() {
                if at > 63 {
                    return None;
                }
                at += 1;
            }
        }
        Some(())
    }

    /// Returns whether more bits were used than the data has.
    pub(crate) fn overran(&self) -> bool {
        self.position.padding > self.position.count
    }

    /// Continues after the next restart marker. Returns whether one follows within the next eight bytes.
    pub(crate) fn restart(&mut self) -> bool {
        // A restart resets the count of missing bits, so their use must be noticed before.
        if self.overran() {
            return false;
        }
        // Bytes that were read ahead hold no marker, so the marker is at `at` or after it.
        let Some(rest) = self.data.get(self.position.at..) else {
            return false;
        };
        let found = rest
            .windows(2)
            .take(8)
            .position(|pair| pair[0] == 0xff && matches!(pair[1], 0xd0..=0xd7));
        let Some(found) = found else {
            return false;
        };
        self.position = Position {
            at: self.position.at + found + 2,
            ..Position::default()
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(data: &[u8]) -> Bits<'_> {
        Bits::resume(data, Position::default())
    }

    #[test]
    fn codes_are_canonical() {
        // Two codes of two bits, one of three: 00, 01, 100.
        let mut counts = [0; 16];
        (counts[1], counts[2]) = (2, 1);
        let table = Table::new(&counts, &[5, 6, 7]).unwrap();
        let mut bits = start(&[0b0001_1000]);
        bits.refill();
        assert_eq!(bits.symbol(&table), Some(5));
        assert_eq!(bits.symbol(&table), Some(6));
        assert_eq!(bits.symbol(&table), Some(7));
        assert!(!bits.overran());
    }

    #[test]
    fn missing_bits_are_noticed() {
        let mut bits = start(&[0xff, 0x00, 0x12]);
        bits.refill();
        assert_eq!(bits.number(16), 0xff12);
        assert!(!bits.overran());
        bits.skip(1);
        assert!(bits.overran());
    }

    #[test]
    fn bits_read_ahead_do_not_change_the_place() {
        let data = [1, 2, 0xff, 0, 3, 4, 5, 6, 7, 0xff, 0, 8, 9];
        let mut all = start(&data);
        for bit in 0..88 {
            let mut late = all.clone();
            late.refill();
            assert_eq!(late.bit_index(), all.bit_index(), "{bit}");
            all.refill();
            all.skip(1);
        }
        assert_eq!(all.bit_index(), 8 * data.len());
    }

    #[test]
    fn skipping_ends_where_reading_ends() {
        // Codes of three to ten bits, for short runs, a run of sixteen, and the end of a block.
        let counts = [0, 0, 3, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
        let symbols = [
            0x01, 0x02, 0x00, 0x11, 0x03, 0x21, 0x31, 0xf0, 0x12, 0x05, 0x41, 0x08, 0x71, 0xf1,
        ];
        let table = Table::new(&counts, &symbols).unwrap();
        let mut seed = 1u32;
        let data: Vec<u8> = (0..20_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 25) as u8
            })
            .collect();
        let mut whole = start(&data);
        let mut blocks = 0;
        while !whole.at_end() {
            let before = whole.clone();
            let read = whole.block(&table, &table, 64, |_, _| {});
            for end in [1, 5, 25] {
                let mut part = before.clone();
                assert_eq!(part.block(&table, &table, end, |_, _| {}), read);
                assert!(read.is_none() || part.bit_index() == whole.bit_index());
            }
            if read.is_none() {
                whole.skip_bit();
            }
            blocks += 1;
        }
        assert!(blocks > 500, "{blocks}");
    }
}
