//! Codes blocks of coefficients with the Huffman codes of a scan (ITU-T T.81, F.1.2, G.1.2), with the same choices as
//! the original encoder. The caller decides the order of blocks.
//!
//! JPEG leaves its encoders few choices, and the reconstruction data records each of them: where a run of blocks
//! without further coefficients ends although it could continue, and where zeros at the end of a block are coded as
//! runs of 16 although nothing follows.

use super::{Lost, Result, coefficients::Block, data::Code};
use crate::formats::jpeg::write::bits::Bits;

/// The code of each symbol, and the length of the code in bits; 0 for symbols without a code.
pub(super) type Codes = [(u16, u8); 256];

/// The symbol for a run of sixteen zeros.
const ZRL: u8 = 0xf0;
/// Longest run of blocks that one symbol can state (EOB14 with 14 more bits).
const MAX_BLOCKS: u32 = 0x7fff;

/// Assigns codes in ascending order of their lengths (T.81, C.2).
pub(super) fn codes(code: &Code) -> Result<Codes> {
    let mut codes = [(0, 0); 256];
    let mut symbols = code.symbols.iter();
    let mut next = 0_u32;
    for (len, &count) in (1..).zip(&code.counts) {
        for &symbol in symbols.by_ref().take(count.into()) {
            if next >> len != 0 {
                return Err(Lost);
            }
            codes[usize::from(symbol)] = (next as u16, len);
            next += 1;
        }
        next <<= 1;
    }
    Ok(codes)
}

/// The part of each block that a scan contains: a range of coefficients, and some of their bits.
#[derive(Clone, Copy)]
pub(super) struct Band {
    pub(super) is_progressive: bool,
    /// First coefficient in zigzag order.
    pub(super) first: usize,
    /// Last coefficient in zigzag order.
    pub(super) last: usize,
    /// Whether earlier scans have coded the bits above `low`.
    pub(super) refines: bool,
    /// Number of low bits that the scan leaves out.
    pub(super) low: u32,
}

/// The codes for the DC and the AC coefficients of a block.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) dc: Option<&'a Codes>,
    pub(super) ac: Option<&'a Codes>,
}

/// Writes entropy-coded data.
pub(super) struct Coder<'a> {
    pub(super) bits: Bits,
    band: Band,
    /// Number of blocks in the current EOB run: consecutive blocks without further coefficients.
    blocks: u32,
    /// Codes for the symbol of the current EOB run.
    codes: Option<&'a Codes>,
    /// Correction bits of the blocks in the current EOB run.
    corrections: Vec<bool>,
}

/// Writes the code of a symbol. Fails if the symbol has no code.
fn put(bits: &mut Bits, codes: Option<&Codes>, symbol: u8) -> Result<()> {
    let (code, len) = codes.ok_or(Lost)?[usize::from(symbol)];
    if len == 0 {
        return Err(Lost);
    }
    bits.put(code.into(), len.into());
    Ok(())
}

/// Number of bits of a value, and the bits themselves; for a negative value, the bits of the value minus 1 (F.1.2.1).
fn magnitude(value: i32) -> (u32, u32) {
    let len = 32 - value.unsigned_abs().leading_zeros();
    let bits = if value < 0 { value - 1 } else { value };
    (len, bits as u32 & ((1 << len) - 1))
}

impl<'a> Coder<'a> {
    pub(super) fn new(band: Band) -> Self {
        Self {
            bits: Bits::default(),
            band,
            blocks: 0,
            codes: None,
            corrections: Vec::new(),
        }
    }

    /// Codes a block. `before` is the previous DC coefficient; a first scan of DC coefficients sets it to that of this
    /// block. `zero_runs` is the number of runs of 16 zeros that the original encoder coded at the end of the block;
    /// refinement scans have no such runs.
    pub(super) fn block(
        &mut self,
        block: &Block,
        before: &mut i32,
        tables: Tables<'a>,
        zero_runs: u32,
    ) -> Result<()> {
        let band = self.band;
        if band.first == 0 {
            let dc = i32::from(block[0]) >> band.low;
            if band.refines {
                self.bits.put((dc & 1) as u32, 1);
            } else {
                let (len, bits) = magnitude(dc - *before);
                *before = dc;
                put(&mut self.bits, tables.dc, len as u8)?;
                self.bits.put(bits, len);
            }
        }
        // AC coefficients, without the DC coefficient of a sequential scan.
        let first = band.first.max(1);
        if first > band.last {
            return Ok(());
        }
        let block = &block[first..=band.last];
        if band.refines {
            return self.refine(block, tables.ac);
        }
        let mut zeros = 0;
        for &value in block {
            // Point transform of AC coefficients: division, rounded towards zero (G.1.2.1).
            let value = i32::from(value) / (1 << band.low);
            if value == 0 {
                zeros += 1;
                continue;
            }
            self.end_run()?;
            while zeros > 15 {
                put(&mut self.bits, tables.ac, ZRL)?;
                zeros -= 16;
            }
            let (len, bits) = magnitude(value);
            if len > 15 {
                return Err(Lost);
            }
            put(&mut self.bits, tables.ac, (zeros << 4) as u8 | len as u8)?;
            self.bits.put(bits, len);
            zeros = 0;
        }
        for _ in 0..zero_runs.min(4) {
            self.end_run()?;
            put(&mut self.bits, tables.ac, ZRL)?;
            zeros -= 16;
        }
        if zeros > 0 {
            if !band.is_progressive {
                return put(&mut self.bits, tables.ac, 0);
            }
            self.begin_run(tables.ac)?;
        }
        Ok(())
    }

    /// Codes one more bit of coefficients, some of which become nonzero (G.1.2.3).
    fn refine(&mut self, block: &[i16], codes: Option<&'a Codes>) -> Result<()> {
        let low = self.band.low;
        let size = |value: i16| u32::from(value.unsigned_abs()) >> low;
        // The last coefficient that becomes nonzero. Runs of 16 zeros are not coded after it.
        let end = block.iter().rposition(|&value| size(value) == 1);
        let mut zeros = 0;
        let mut corrections = Vec::new();
        for (at, &value) in block.iter().enumerate() {
            let size = size(value);
            if size == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 && Some(at) <= end {
                self.end_run()?;
                put(&mut self.bits, codes, ZRL)?;
                self.correct(&mut corrections);
                zeros -= 16;
            }
            if size > 1 {
                corrections.push(size & 1 == 1);
                continue;
            }
            self.end_run()?;
            put(&mut self.bits, codes, (zeros << 4) as u8 | 1)?;
            self.bits.put(u32::from(value >= 0), 1);
            self.correct(&mut corrections);
            zeros = 0;
        }
        if zeros > 0 || !corrections.is_empty() {
            self.corrections.append(&mut corrections);
            self.begin_run(codes)?;
        }
        Ok(())
    }

    /// Writes correction bits.
    fn correct(&mut self, corrections: &mut Vec<bool>) {
        for bit in corrections.drain(..) {
            self.bits.put(bit.into(), 1);
        }
    }

    /// Adds a block without further coefficients to the run.
    fn begin_run(&mut self, codes: Option<&'a Codes>) -> Result<()> {
        if self.blocks == 0 {
            self.codes = codes;
        }
        self.blocks += 1;
        // In a scan with DC coefficients, each block has its own end.
        if self.blocks == MAX_BLOCKS || self.band.first == 0 {
            self.end_run()?;
        }
        Ok(())
    }

    /// Writes the EOB run, and the correction bits of its blocks.
    pub(super) fn end_run(&mut self) -> Result<()> {
        if self.blocks > 0 {
            let len = self.blocks.ilog2();
            put(&mut self.bits, self.codes, (len << 4) as u8)?;
            self.bits.put(self.blocks - (1 << len), len);
            self.blocks = 0;
            let mut corrections = std::mem::take(&mut self.corrections);
            self.correct(&mut corrections);
            // The next run uses the same memory.
            self.corrections = corrections;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_coded_as_the_standard_says() {
        assert_eq!(magnitude(0), (0, 0));
        assert_eq!((magnitude(1), magnitude(-1)), ((1, 1), (1, 0)));
        assert_eq!((magnitude(5), magnitude(-5)), ((3, 5), (3, 2)));
    }

    #[test]
    fn codes_are_assigned_in_the_order_of_their_lengths() {
        let mut code = Code {
            is_ac: false,
            slot: 0,
            is_last: true,
            counts: [0; 16],
            symbols: vec![4, 9, 7],
        };
        (code.counts[0], code.counts[2]) = (1, 2);
        let found = codes(&code).unwrap();
        assert_eq!([found[4], found[9], found[7]], [(0, 1), (4, 3), (5, 3)]);
        code.counts[0] = 3;
        assert!(codes(&code).is_err());
    }
}
