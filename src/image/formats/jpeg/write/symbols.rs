//! Converts quantised coefficients to symbols, and the bits that follow each of them (T.81, F.1.2). Never chooses code
//! words.
//!
//! The symbol of a DC difference is its category, which is the number of bits that follow. The symbol of an AC
//! coefficient has the run of zeros before it in its upper four bits, and its category in the lower four. 0x00 ends the
//! block (EOB), and 0xF0 stands for sixteen zeros (ZRL).

use super::fdct::Block;
use crate::formats::jpeg::zigzag::index_of;

/// The symbol for the end of a block (EOB).
const EOB: u8 = 0x00;
/// The symbol for sixteen zeros (ZRL).
pub(crate) const ZRL: u8 = 0xf0;

/// A symbol of one of the Huffman tables, and the bits that follow it. The lower four bits of the symbol are the number
/// of these bits.
#[derive(Clone, Copy)]
pub(crate) struct Symbol {
    /// Index of the table: 0 is for DC and 1 for AC of luma, 2 for DC and 3 for AC of chroma.
    pub(crate) table: u8,
    pub(crate) symbol: u8,
    pub(crate) bits: u16,
}

/// All symbols that can occur in a table: the categories of DC differences, or each run of zeros with each category of
/// AC coefficients, EOB and ZRL (T.81, tables F.1 and F.2).
pub(crate) fn possible(table: usize) -> Vec<u8> {
    if table.is_multiple_of(2) {
        return (0..12).collect();
    }
    let numbers = (0..16).flat_map(|zeros| (1..11).map(move |size| zeros << 4 | size));
    numbers.chain([EOB, ZRL]).collect()
}

/// Calls `put` with all symbols of a block, which are at most 64. `kind` is 0 for luma and 1 for chroma. The DC
/// coefficient is coded as its difference from `prediction`.
#[inline(always)]
pub(crate) fn each(block: &Block, prediction: i16, kind: u8, mut put: impl FnMut(Symbol)) {
    let (size, bits) = number(block[0] - prediction);
    put(Symbol {
        table: 2 * kind,
        symbol: size,
        bits,
    });
    let table = 2 * kind + 1;
    let mut left = nonzero(block);
    let mut at = 0;
    while left != 0 {
        let next = left.trailing_zeros();
        left &= left - 1;
        let mut zeros = next - at - 1;
        at = next;
        while zeros > 15 {
            put(Symbol {
                table,
                symbol: ZRL,
                bits: 0,
            });
            zeros -= 16;
        }
        let (size, bits) = number(block[index_of(next as usize) & 63]);
        put(Symbol {
            table,
            symbol: (zeros as u8) << 4 | size,
            bits,
        });
    }
    if at < 63 {
        put(Symbol {
            table,
            symbol: EOB,
            bits: 0,
        });
    }
}

/// The category of a number, and the bits that follow the symbol (T.81, table F.1).
#[inline(always)]
pub(crate) fn number(value: i16) -> (u8, u16) {
    let value = i32::from(value);
    let size = u32::BITS - value.unsigned_abs().leading_zeros();
    let sign = value >> 31;
    (size as u8, (value + sign) as u16 & ((1 << size) - 1))
}

/// A mask with a bit for each nonzero AC coefficient, in zigzag order.
#[inline(always)]
fn nonzero(block: &Block) -> u64 {
    let mut left = flags(block, 0) & !1;
    let mut ordered = 0;
    while left != 0 {
        ordered |= 1 << ZIGZAG[left.trailing_zeros() as usize & 63];
        left &= left - 1;
    }
    ordered
}

/// A mask with a bit for each number whose magnitude is not 0 after a shift by `low` bits, in the order of the numbers.
#[inline(always)]
pub(crate) fn flags(numbers: &[i16; 64], low: u32) -> u64 {
    let mut flags = [0; 64];
    for (flag, &value) in flags.iter_mut().zip(numbers) {
        *flag = u8::from(value.unsigned_abs() >> low != 0);
    }
    let mut all = 0;
    for (at, part) in flags.as_chunks::<8>().0.iter().enumerate() {
        // The multiplication collects the lowest bits of all eight bytes in the highest byte.
        let bits = u64::from_le_bytes(*part).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all |= bits << (8 * at);
    }
    all
}

/// Position in zigzag order of each coefficient: the inverse of [`index_of`].
const ZIGZAG: [u8; 64] = {
    let mut order = [0; 64];
    let mut at = 0;
    while at < 64 {
        order[index_of(at)] = at as u8;
        at += 1;
    }
    order
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_category_and_bits() {
        for (value, expected) in [
            (0, (0, 0)),
            (1, (1, 1)),
            (-1, (1, 0)),
            (5, (3, 5)),
            (-5, (3, 2)),
            (-2047, (11, 0)),
            (2047, (11, 2047)),
        ] {
            assert_eq!(number(value), expected, "{value}");
        }
    }

    #[test]
    fn flags_have_the_positions_of_their_coefficients() {
        for at in 0..64 {
            let mut block = [0; 64];
            block[index_of(at)] = -1;
            let expected = if at == 0 { 0 } else { 1 << at };
            assert_eq!(nonzero(&block), expected);
        }
        assert_eq!(nonzero(&[7; 64]), !1);
    }

    #[test]
    fn all_possible_symbols_are_listed() {
        assert_eq!(possible(0).len(), 12);
        assert_eq!(possible(1).len(), 162);
    }
}
