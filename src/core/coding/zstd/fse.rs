//! Finite State Entropy (RFC 8878, section 4.1): each state of a table yields a symbol, and some bits of the stream
//! select the next state.

use super::bits::Backward;

/// A state: its symbol, the number of bits to read, and the base that is added to them for the next state.
#[derive(Clone, Copy, Default)]
struct Cell {
    symbol: u8,
    bits: u8,
    base: u16,
}

/// A decoding table, and the binary logarithm of the number of its states.
#[derive(Clone, Default)]
pub(super) struct Table {
    cells: Vec<Cell>,
    log: u32,
}

impl Table {
    /// Makes a table of a single symbol, which needs no bits.
    pub(super) fn of_one(symbol: u8) -> Self {
        let cell = Cell {
            symbol,
            ..Cell::default()
        };
        Self {
            cells: vec![cell],
            log: 0,
        }
    }

    /// Makes a table of `1 << log` states, in which each symbol has a share of the states; −1 means a probability of
    /// less than one state.
    pub(super) fn new(shares: &[i16], log: u32) -> Self {
        let size = 1_usize << log;
        let mut cells = vec![Cell::default(); size];
        let mut high = size;
        let mut next = [0_u16; 256];
        // A symbol with a probability below one state gets a single cell, the highest that is free, and all bits of the
        // next state are read after it.
        for (symbol, share) in shares.iter().enumerate() {
            next[symbol] = share.unsigned_abs();
            if *share < 0 && high > 0 {
                high -= 1;
                cells[high].symbol = symbol as u8;
            }
        }
        // The other symbols are spread by a fixed step, so that the cells of each symbol are far apart.
        let (step, mut at) = ((size >> 1) + (size >> 3) + 3, 0);
        for (symbol, share) in shares.iter().enumerate() {
            for _ in 0..(*share).max(0) {
                cells[at].symbol = symbol as u8;
                at = (at + step) % size;
                // Cells from `high` on are taken. Some cell below `high` is free as long as a symbol remains.
                while at >= high && high > 0 {
                    at = (at + step) % size;
                }
            }
        }
        // The cells of a symbol divide the range of next states among them: the first ones read one bit more than the
        // later ones, unless their number is a power of two.
        for cell in &mut cells {
            let number = &mut next[usize::from(cell.symbol)];
            let bits = log - number.checked_ilog2().unwrap_or(0);
            cell.bits = bits as u8;
            cell.base = ((usize::from(*number) << bits).wrapping_sub(size)) as u16;
            *number += 1;
        }
        Self { cells, log }
    }

    /// Reads a table of at most `1 << most_log` states with symbols up to `last`. Also returns the bytes after its
    /// description.
    pub(super) fn read(data: &[u8], most_log: u32, last: usize) -> Option<(Self, &[u8])> {
        let mut at = 0;
        let peek = |at: usize, bits: u32| {
            let mut word = [0; 4];
            let rest = data.get(at / 8..).unwrap_or_default();
            let len = rest.len().min(4);
            word[..len].copy_from_slice(&rest[..len]);
            (u32::from_le_bytes(word) >> (at % 8)) & ((1 << bits) - 1)
        };
        let log = peek(at, 4) + 5;
        at += 4;
        if log > most_log {
            return None;
        }
        let mut left = 1_u32 << log;
        let mut shares = Vec::new();
        // Each share has as many bits as the remaining states need. Small values take one bit less, as in a truncated
        // binary code.
        while left > 0 {
            let bits = (left + 1).ilog2() + 1;
            let value = peek(at, bits);
            let low = value & ((1 << (bits - 1)) - 1);
            // Number of values that take one bit less.
            let short = (1 << bits) - 1 - (left + 1);
            let value = if low < short {
                at += bits as usize - 1;
                low
            } else {
                at += bits as usize;
                if value >= 1 << (bits - 1) {
                    value - short
                } else {
                    value
                }
            };
            let share = value as i16 - 1;
            left = left.checked_sub(share.unsigned_abs().into())?;
            shares.push(share);
            // Two bits after a share of 0 count further zeros; 3 means that two more bits follow.
            if share == 0 {
                loop {
                    let more = peek(at, 2);
                    at += 2;
                    shares.resize(shares.len() + more as usize, 0);
                    if more < 3 || shares.len() > last {
                        break;
                    }
                }
            }
            if shares.len() > last + 1 {
                return None;
            }
        }
        let rest = data.get(at.div_ceil(8)..)?;
        Some((Self::new(&shares, log), rest))
    }
}

/// The current state in a table.
pub(super) struct State<'a> {
    table: &'a Table,
    cell: Cell,
}

impl<'a> State<'a> {
    pub(super) fn new(table: &'a Table, bits: &mut Backward<'_>) -> Option<Self> {
        let cell = *table.cells.get(bits.take(table.log) as usize)?;
        Some(Self { table, cell })
    }

    pub(super) fn symbol(&self) -> u8 {
        self.cell.symbol
    }

    pub(super) fn advance(&mut self, bits: &mut Backward<'_>) -> Option<()> {
        let at = usize::from(self.cell.base) + bits.take(self.cell.bits.into()) as usize;
        self.cell = *self.table.cells.get(at)?;
        Some(())
    }
}
