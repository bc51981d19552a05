//! Computes the symbols of AC coefficients in scans of progressive JPEG (T.81, G.1.2). Does not write them.
//!
//! The trap is the refinement of AC coefficients (G.1.2.3). Bits that correct earlier coefficients come after a symbol,
//! so they must wait until that symbol is written. The symbol is the next one in their block; or, if their block has no
//! further symbol, that of the run of blocks to which the block belongs.

use super::{
    fdct::Block,
    symbols::{ZRL, flags, number},
};

/// Longest run of blocks that a symbol can state (EOB14).
const LONGEST_RUN: u32 = 0x7fff;

/// Largest number of correction bits that wait in a run of blocks. A run ends before it could exceed this number, so
/// that memory is bounded. Decoders accept any number.
pub(crate) const MAX_WAITING: usize = 1 << 12;

/// Pseudo symbol for bits that are written without a code word before them. Its code word in the tables is empty.
pub(crate) const RAW_BITS: usize = 256;

/// The quantised coefficients of a component.
pub(crate) struct Component {
    /// Blocks in the order of MCUs, including those that only pad the last MCUs. Coefficients are in zigzag order.
    pub(crate) blocks: Vec<Block>,
    /// Number of blocks in a row, including the padding of the MCU.
    pub(crate) stride: usize,
    /// Number of blocks in a row that have samples of the picture (A.2.2). Scans of a single component contain only
    /// blocks with such samples.
    pub(crate) across: usize,
    /// Number of rows of blocks that have samples of the picture.
    pub(crate) down: usize,
    /// Number of blocks across and down in an MCU.
    pub(crate) side: usize,
}

/// Parameters of a scan: the coefficients that it codes, and their bits.
#[derive(Clone, Copy)]
pub(crate) struct Scan {
    /// Index of the component; unused in a scan of DC coefficients, which has all components.
    pub(crate) component: usize,
    /// First coefficient in zigzag order.
    pub(crate) from: usize,
    /// Last coefficient in zigzag order.
    pub(crate) to: usize,
    /// Number of low bits that the previous scan of these coefficients left out. `None` for the first scan.
    pub(crate) before: Option<u32>,
    /// Number of low bits that this scan leaves out.
    pub(crate) low: u32,
}

/// Receiver of symbols. Its arguments are the index of the table within the scan (1 for DC coefficients of chroma,
/// otherwise 0), the symbol, the bits that follow the symbol, and the number of these bits.
pub(crate) trait Put: FnMut(usize, usize, u32, u32) {}
impl<F: FnMut(usize, usize, u32, u32)> Put for F {}

impl Component {
    /// The blocks with samples of the picture, row by row.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        let side = self.side;
        (0..self.down).flat_map(move |y| {
            // The blocks of an MCU are stored one after another.
            let row = &self.blocks[y / side * side * self.stride..][..side * self.stride];
            let mcus = row.chunks(side * side);
            mcus.flat_map(move |mcu| &mcu[y % side * side..][..side])
                .take(self.across)
        })
    }

    /// Codes the first scan of some AC coefficients (G.1.2.2).
    #[inline(always)]
    pub(crate) fn each_first(&self, scan: &Scan, put: &mut impl Put) {
        let mut run = Run::default();
        for block in self.blocks() {
            let mut left = flags(block, scan.low) & scan.mask();
            let mut next = scan.from as u32;
            if left != 0 {
                run.end(put);
            }
            while left != 0 {
                let at = left.trailing_zeros();
                left &= left - 1;
                let mut zeros = at - next;
                next = at + 1;
                while zeros > 15 {
                    put(0, ZRL.into(), 0, 0);
                    zeros -= 16;
                }
                let value = block[at as usize & 63];
                // The lowest bits of the absolute value are left out.
                let shorter = value.signum() * (value.unsigned_abs() >> scan.low) as i16;
                let (size, bits) = number(shorter);
                put(
                    0,
                    (zeros as usize) << 4 | usize::from(size),
                    bits.into(),
                    size.into(),
                );
            }
            if next as usize <= scan.to {
                run.blocks += 1;
                if run.blocks == LONGEST_RUN {
                    run.end(put);
                }
            }
        }
        run.end(put);
    }

    /// Codes a scan that adds one bit to each AC coefficient (G.1.2.3).
    #[inline(always)]
    pub(crate) fn each_refining(&self, scan: &Scan, put: &mut impl Put) {
        let mut run = Run::default();
        // Correction bits of this block, which wait for its next symbol.
        let mut waiting = Vec::with_capacity(64);
        for block in self.blocks() {
            let all = flags(block, scan.low) & scan.mask();
            let known = flags(block, scan.low + 1) & scan.mask();
            let new = all & !known;
            let mut left = all;
            let mut next = scan.from as u32;
            let mut zeros = 0;
            while left != 0 {
                let at = left.trailing_zeros();
                // After the last new coefficient, zeros need no code, because the block ends.
                let counts = new >> at != 0;
                left &= left - 1;
                zeros += at - next;
                next = at + 1;
                while zeros > 15 && counts {
                    run.end(put);
                    put(0, ZRL.into(), 0, 0);
                    put_bits(&mut waiting, put);
                    zeros -= 16;
                }
                let value = block[at as usize & 63];
                if known >> at & 1 == 1 {
                    waiting.push((value.unsigned_abs() >> scan.low & 1) as u8);
                    continue;
                }
                run.end(put);
                put(0, (zeros as usize) << 4 | 1, u32::from(value > 0), 1);
                put_bits(&mut waiting, put);
                zeros = 0;
            }
            if next as usize <= scan.to || !waiting.is_empty() {
                run.blocks += 1;
                run.waiting.append(&mut waiting);
                if run.blocks == LONGEST_RUN || run.waiting.len() > MAX_WAITING - 64 {
                    run.end(put);
                }
            }
        }
        run.end(put);
    }
}

impl Scan {
    /// A mask with a bit for each coefficient of the scan.
    fn mask(&self) -> u64 {
        u64::MAX >> (63 - self.to) & u64::MAX << self.from
    }
}

/// A run of blocks without further symbols, and the correction bits in them.
#[derive(Default)]
struct Run {
    blocks: u32,
    waiting: Vec<u8>,
}

impl Run {
    /// Writes the symbol of the run, if it has any blocks, and then its correction bits.
    #[inline(always)]
    fn end(&mut self, put: &mut impl Put) {
        if self.blocks > 0 {
            let size = self.blocks.ilog2();
            put(0, (size as usize) << 4, self.blocks - (1 << size), size);
            self.blocks = 0;
            put_bits(&mut self.waiting, put);
        }
    }
}

/// Writes correction bits.
#[inline(always)]
fn put_bits(waiting: &mut Vec<u8>, put: &mut impl Put) {
    for bit in waiting.drain(..) {
        put(0, RAW_BITS, bit.into(), 1);
    }
}
