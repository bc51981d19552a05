//! The sequences of a Zstandard block (RFC 8878, section 3.1.1.3.2). Each sequence is a number of literals, and a
//! match: a length and an offset. Each of the three numbers is an FSE symbol with some extra bits.

use super::{
    MAX_BLOCK, Output,
    bits::Backward,
    fse::{State, Table},
};

/// Constants of one of the three kinds of numbers: the predefined distribution of its symbols, the accuracy of that
/// distribution (the binary logarithm of the number of states), and the largest accuracy and the largest symbol of a
/// transmitted distribution.
struct CodeConstants {
    shares: &'static [i16],
    log: u32,
    most_log: u32,
    last: u8,
}

/// The kinds: literal lengths, offsets, and match lengths (RFC 8878, section 3.1.1.3.2.2).
static KINDS: [CodeConstants; 3] = [
    CodeConstants {
        shares: &[
            4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1,
            1, 1, 1, -1, -1, -1, -1,
        ],
        log: 6,
        most_log: 9,
        last: 35,
    },
    CodeConstants {
        shares: &[
            1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1,
            -1,
        ],
        log: 5,
        most_log: 8,
        last: 31,
    },
    CodeConstants {
        shares: &[
            1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
        ],
        log: 6,
        most_log: 9,
        last: 52,
    },
];

/// Numbers of extra bits of the symbols for literal lengths, from symbol 16 on (RFC 8878, section 3.1.1.3.2.1.1).
const LITERAL_BITS: [u8; 20] = [
    1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];
/// Numbers of extra bits of the symbols for match lengths, from symbol 32 on.
const REPEAT_BITS: [u8; 21] = [
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

/// Baselines of the symbols from `plain` on: each begins where the range of the previous symbol ends. Lower symbols are
/// the numbers themselves.
const fn bases<const N: usize>(plain: u32, bits: &[u8; N]) -> [u32; N] {
    let (mut bases, mut base, mut at) = ([0; N], plain, 0);
    while at < N {
        bases[at] = base;
        base += 1 << bits[at];
        at += 1;
    }
    bases
}

/// Baselines of the symbols for literal lengths, from symbol 16 on.
static LITERAL_BASES: [u32; 20] = bases(16, &LITERAL_BITS);
/// Baselines of the symbols for match lengths, from symbol 32 on, less 3, the shortest match.
static REPEAT_BASES: [u32; 21] = bases(32, &REPEAT_BITS);

/// Decodes a number from a symbol and its extra bits, which are read from `bits`. `lists` has the numbers of extra bits
/// and the baselines of the symbols from `plain` on.
fn number(symbol: u8, plain: u8, lists: (&[u8], &[u32]), bits: &mut Backward<'_>) -> Option<usize> {
    let Some(at) = symbol.checked_sub(plain) else {
        return Some(symbol.into());
    };
    let (of, base) = (lists.0.get(usize::from(at))?, lists.1.get(usize::from(at))?);
    Some((base + bits.take((*of).into())) as usize)
}

/// State that later blocks of a frame reuse: the three tables, and the last three offsets.
pub(super) struct Tables {
    tables: [Option<Table>; 3],
    offsets: [usize; 3],
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            tables: [None, None, None],
            // The offsets at the beginning of a frame (section 3.1.1.5).
            offsets: [1, 4, 8],
        }
    }
}

impl Tables {
    /// Reads the tables of a block by their modes: predefined, a single symbol, transmitted, or that of the previous
    /// block (section 3.1.1.3.2.1).
    fn read<'d>(&mut self, modes: u8, mut data: &'d [u8]) -> Option<&'d [u8]> {
        for ((table_slot, kind), shift) in self.tables.iter_mut().zip(&KINDS).zip([6, 4, 2]) {
            match modes >> shift & 3 {
                0 => *table_slot = Some(Table::new(kind.shares, kind.log)),
                1 => {
                    let (symbol, rest) = data.split_first()?;
                    *table_slot = Some(Table::of_one(*symbol));
                    data = rest;
                }
                2 => {
                    let table;
                    (table, data) = Table::read(data, kind.most_log, kind.last.into())?;
                    *table_slot = Some(table);
                }
                _ => {}
            }
        }
        Some(data)
    }
}

/// The offset for a decoded number. The numbers 1 to 3 repeat one of the last three offsets, or the most recent one
/// less 1; which one depends on whether the sequence has literals. The list is then reordered by most recent use (RFC
/// 8878, section 3.1.1.5).
fn offset(last: &mut [usize; 3], number: usize, has_literals: bool) -> Option<usize> {
    let back = match (number, has_literals) {
        (4.., _) => 3,
        (_, true) => number - 1,
        (_, false) => number,
    };
    let offset = match (number, back) {
        (4.., _) => number - 3,
        (_, 3) => last[0].checked_sub(1)?,
        _ => last[back],
    };
    for at in (1..=back.min(2)).rev() {
        last[at] = last[at - 1];
    }
    last[0] = offset;
    Some(offset)
}

/// Executes the sequences of a block. The frame begins at `begin` of the output.
pub(super) fn run(
    data: &[u8],
    state: &mut Tables,
    mut literals: &[u8],
    begin: usize,
    to: &mut Output<'_>,
) -> Option<()> {
    // The number of sequences takes one to three bytes.
    let (count, rest) = match *data {
        [0, ref rest @ ..] => (0, rest),
        [few @ 1..=127, ref rest @ ..] => (few.into(), rest),
        [some @ 128..=254, low, ref rest @ ..] => {
            ((usize::from(some) - 128) << 8 | usize::from(low), rest)
        }
        [255, low, high, ref rest @ ..] => {
            (0x7f00 + usize::from(u16::from_le_bytes([low, high])), rest)
        }
        _ => return None,
    };
    if count > 0 {
        let (modes, rest) = rest.split_first()?;
        let rest = state.read(*modes, rest)?;
        let [Some(lengths), Some(offsets), Some(repeats)] = &state.tables else {
            return None;
        };
        let bits = &mut Backward::new(rest)?;
        let mut length = State::new(lengths, bits)?;
        let mut far = State::new(offsets, bits)?;
        let mut repeat = State::new(repeats, bits)?;
        let mut made = 0;
        for left in (0..count).rev() {
            // The bits come in this order: offset, match length, literal length.
            let code = u32::from(far.symbol());
            if code > 31 || bits.is_before_begin() {
                return None;
            }
            let distance = (1_usize << code) + bits.take(code) as usize;
            let len = number(repeat.symbol(), 32, (&REPEAT_BITS, &REPEAT_BASES), bits)? + 3;
            let before = number(length.symbol(), 16, (&LITERAL_BITS, &LITERAL_BASES), bits)?;
            let offset = offset(&mut state.offsets, distance, before > 0)?;
            let bytes;
            (bytes, literals) = literals.split_at_checked(before)?;
            to.literals(bytes);
            made += before + len;
            if to.is_full() {
                return Some(());
            }
            if made > MAX_BLOCK || offset > to.made - begin {
                return None;
            }
            to.repeat(offset, len)?;
            if left > 0 {
                length.advance(bits)?;
                repeat.advance(bits)?;
                far.advance(bits)?;
            }
        }
        if !bits.is_at_begin() {
            return None;
        }
    }
    to.literals(literals);
    Some(())
}
