//! Huffman codes and the bits they come in (T.81, annexes C and F.2.2). Never reads past its slice: what is missing
//! counts as zeros, and the reader remembers how many of them were used.

/// Bits that one look into a table decides.
const FAST: u32 = 10;

/// A Huffman table, prepared for decoding.
pub(super) struct Table {
    /// By the next [`FAST`] bits: symbol and code length, or length 0 for longer codes.
    short: Box<[(u8, u8)]>,
    /// By the same bits, where they hold both a code and the number after it: value, run of zeros, bits of
    /// both. Bits 0 where they do not.
    whole: Box<[(i16, u8, u8)]>,
    /// One more than the largest code of each length, aligned to 16 bits.
    limits: [u32; 18],
    /// What to add to a code of each length to find its symbol.
    offsets: [i32; 17],
    symbols: Vec<u8>,
}

impl Table {
    /// From the number of codes of each length and their symbols. `None` if no such code exists.
    pub(super) fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut short = vec![(0, 0); 1 << FAST].into_boxed_slice();
        let mut limits = [0; 18];
        let mut offsets = [0; 17];
        let mut code = 0u32;
        let mut at = 0;
        for len in 1..=16u32 {
            let count = u32::from(counts[len as usize - 1]);
            offsets[len as usize] = at as i32 - code as i32;
            for _ in 0..count {
                if len <= FAST {
                    let first = (code << (FAST - len)) as usize;
                    let last = first + (1 << (FAST - len));
                    short
                        .get_mut(first..last)?
                        .fill((*symbols.get(at)?, len as u8));
                }
                code += 1;
                at += 1;
            }
            if code > 1 << len {
                return None;
            }
            limits[len as usize] = code << (16 - len);
            code <<= 1;
        }
        limits[17] = u32::MAX;
        let whole = short
            .iter()
            .enumerate()
            .map(|(bits, &(symbol, len))| {
                let (run, size) = (symbol >> 4, symbol & 15);
                let total = u32::from(len) + u32::from(size);
                if len == 0 || size == 0 || total > FAST {
                    return (0, 0, 0);
                }
                let raw = bits as u32 >> (FAST - total) & ((1 << size) - 1);
                (extend(raw, size.into()) as i16, run, total as u8)
            })
            .collect();
        Some(Self {
            short,
            whole,
            limits,
            offsets,
            symbols: symbols.to_vec(),
        })
    }
}

/// The number that `size` bits stand for (T.81, table F.1).
fn extend(raw: u32, size: u32) -> i32 {
    let raw = raw as i32;
    if size > 0 && raw < 1 << (size - 1) {
        raw - (1 << size) + 1
    } else {
        raw
    }
}

/// Order of coefficients, transposed: the inverse transform works on columns first.
const ZIGZAG: [u8; 64] = {
    let natural = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
        20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ];
    let mut order = [0; 64];
    let mut at = 0;
    while at < 64 {
        order[at] = (natural[at] % 8 * 8 + natural[at] / 8) as u8;
        at += 1;
    }
    order
};

/// Where each coefficient in zigzag order stands in a block.
pub(super) fn place(zigzag: usize) -> usize {
    ZIGZAG[zigzag & 63].into()
}

/// Entropy-coded data as bits.
#[derive(Clone)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    position: Position,
}

/// How far the bits have been read.
#[derive(Clone, Default)]
pub(super) struct Position {
    at: usize,
    /// The next bits, from the highest.
    buffer: u64,
    /// How many of them are valid.
    count: u32,
    /// How many of these are beyond the data.
    padding: u32,
}

impl<'a> Bits<'a> {
    /// Goes on where another reader of the same data stood.
    pub(super) fn resume(data: &'a [u8], position: Position) -> Self {
        Self { data, position }
    }

    /// Where the reader stands.
    pub(super) fn position(self) -> Position {
        self.position
    }

    /// Makes sure of at least 48 bits, which is more than any symbol with its number takes.
    #[inline(always)]
    fn refill(&mut self) {
        if self.position.count >= 48 {
            return;
        }
        if let Some(bytes) = self
            .data
            .get(self.position.at..)
            .and_then(|rest| rest.first_chunk())
        {
            let next = u64::from_be_bytes(*bytes);
            // Whether no byte is 255, which would be stuffed or a marker.
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

    #[cold]
    fn refill_slowly(&mut self) {
        // Bits of a byte that was looked at but not counted.
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

    #[inline(always)]
    fn skip(&mut self, bits: u32) {
        self.position.buffer <<= bits;
        self.position.count -= bits;
    }

    #[inline(always)]
    fn peek(&self) -> usize {
        (self.position.buffer >> (64 - FAST)) as usize
    }

    /// The next symbol, or `None` if no code fits.
    #[inline(always)]
    fn symbol(&mut self, table: &Table) -> Option<u8> {
        let (symbol, len) = table.short[self.peek()];
        if len != 0 {
            self.skip(len.into());
            return Some(symbol);
        }
        let bits = (self.position.buffer >> 48) as u32;
        let len = (FAST as usize + 1..=16).find(|&len| bits < table.limits[len])?;
        let index = (bits >> (16 - len)) as i32 + table.offsets[len];
        self.skip(len as u32);
        table.symbols.get(usize::try_from(index).ok()?).copied()
    }

    /// The number of `size` bits.
    #[inline(always)]
    fn number(&mut self, size: u32) -> i32 {
        if size == 0 {
            return 0;
        }
        let raw = (self.position.buffer >> (64 - size)) as u32;
        self.skip(size);
        extend(raw, size)
    }

    /// Decodes a block: the difference of its first coefficient, and each other one that is not zero, by its
    /// place in zigzag order.
    #[inline(always)]
    pub(super) fn block(
        &mut self,
        dc: &Table,
        ac: &Table,
        mut put: impl FnMut(usize, i32),
    ) -> Option<i32> {
        self.refill();
        let size = self.symbol(dc)?;
        if size > 15 {
            return None;
        }
        let difference = self.number(size.into());
        let mut at = 1;
        while at < 64 {
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
            let symbol = self.symbol(ac)?;
            let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            if size == 0 {
                if run != 15 {
                    break;
                }
                at += 16;
                continue;
            }
            at += run;
            if at > 63 {
                return None;
            }
            let value = self.number(size);
            put(at, value);
            at += 1;
        }
        Some(difference)
    }

    /// Whether bits were used that the data does not have.
    pub(super) fn overran(&self) -> bool {
        self.position.padding > self.position.count
    }

    /// Goes on behind the next restart marker. `false` if there is none here.
    pub(super) fn restart(&mut self) -> bool {
        // Whole bytes that were read ahead cannot hold a marker, so it is at or after `at`.
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
    fn impossible_tables_are_refused() {
        let mut counts = [0; 16];
        counts[0] = 3;
        assert!(Table::new(&counts, &[1, 2, 3]).is_none());
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
    fn numbers_extend() {
        assert_eq!(extend(0, 1), -1);
        assert_eq!(extend(1, 1), 1);
        assert_eq!(extend(0, 3), -7);
        assert_eq!(extend(7, 3), 7);
    }
}
