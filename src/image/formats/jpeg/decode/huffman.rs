//! Huffman tables (T.81, annexes C and F.2.2), prepared for decoding. Does not read data; see [`bits`](super::bits).
//!
//! A table is defined by the number of codes of each length, and by their symbols; the codes follow from that. Codes of
//! up to ten bits are found by one table lookup, together with the coefficient if its bits are among the ten. Longer
//! codes are found by comparison with the largest code of each length (T.81, F.2.2.3).

use std::sync::OnceLock;

/// Number of bits by which codes are looked up.
pub(crate) const FAST: u32 = 10;

/// Number of bits by which codes are looked up if the values of coefficients are not needed.
pub(crate) const SKIP: u32 = 12;

/// A Huffman table, prepared for decoding.
pub(crate) struct Table {
    /// For the next [`FAST`] bits, the symbol and the length of its code. Length 0 means a longer code.
    pub(crate) short: Box<[(u8, u8)]>,
    /// For the next [`FAST`] bits, if they contain a code and its coefficient: value, run of zeros, and total number of
    /// bits of the code and the coefficient. Otherwise the number of bits is 0.
    pub(crate) whole: Box<[(i16, u8, u8)]>,
    /// For each length, the largest code plus 1, shifted left to 16 bits. The last entry exceeds all codes, and ends
    /// the search for an unknown code.
    pub(crate) limits: [u32; 18],
    /// For each length, the index of a symbol in `symbols` minus its code.
    pub(crate) offsets: [i32; 17],
    /// The symbols in the order of their codes.
    pub(crate) symbols: Vec<u8>,
    /// Lookup for [`Table::skips`], computed on first use.
    skips: OnceLock<Box<[Skip]>>,
}

/// The complete codes at the beginning of the next [`SKIP`] bits, with the bits of their coefficients: up to the end of
/// the block, or to a code of more than [`FAST`] bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct Skip {
    /// Number of bits of these codes and coefficients; 0 if the code has no such codes.
    pub(crate) bits: u8,
    /// Number of coefficients that the codes cover, including zeros.
    pub(crate) coefficients: u8,
    /// Whether the last code ends the block (EOB).
    pub(crate) ends: bool,
}

impl Table {
    /// Computes a table from the number of codes of each length and their symbols. `None` if there are more codes of a
    /// length than a prefix code can have, or fewer symbols than codes of up to [`FAST`] bits.
    pub(crate) fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
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
            skips: OnceLock::new(),
        })
    }

    /// For each value of the next [`SKIP`] bits, the codes that can be skipped together if the values of coefficients
    /// are not needed.
    pub(crate) fn skips(&self) -> &[Skip] {
        self.skips
            .get_or_init(|| (0..1 << SKIP).map(|bits| self.skip_of(bits)).collect())
    }

    /// Computes one entry of [`skips`](Self::skips), code by code.
    fn skip_of(&self, bits: usize) -> Skip {
        let mut skip = Skip::default();
        while !skip.ends {
            let next = bits << skip.bits & ((1 << SKIP) - 1);
            let (symbol, len) = self.short[next >> (SKIP - FAST)];
            let (run, size) = (symbol >> 4, symbol & 15);
            if len == 0 || u32::from(skip.bits + len + size) > SKIP {
                break;
            }
            skip.bits += len + size;
            match (run, size) {
                (15, 0) => skip.coefficients += 16,
                (_, 0) => skip.ends = true,
                _ => skip.coefficients += run + 1,
            }
        }
        skip
    }
}

/// Converts the `size` bits after a code to the signed value that they stand for (T.81, F.2.2.1: EXTEND; table F.1).
pub(crate) fn extend(raw: u32, size: u32) -> i32 {
    let raw = raw as i32;
    if size > 0 && raw < 1 << (size - 1) {
        raw - (1 << size) + 1
    } else {
        raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_tables_are_refused() {
        let mut counts = [0; 16];
        counts[0] = 3;
        assert!(Table::new(&counts, &[1, 2, 3]).is_none());
    }

    #[test]
    fn extend_restores_the_sign() {
        assert_eq!(extend(0, 1), -1);
        assert_eq!(extend(1, 1), 1);
        assert_eq!(extend(0, 3), -7);
        assert_eq!(extend(7, 3), 7);
    }
}
