//! Entropy coding: converts symbols to bits by Huffman tables that are optimised for the picture (T.81, annexes C and
//! K.2).
//!
//! The example tables of the standard make files some per cent larger. Optimal tables need the frequency of every
//! symbol, but a second pass over the picture would need its pixels again. So up to 2^18 symbols are buffered. The
//! tables are computed from their frequencies when another band might exceed that number, or the picture ends. If the
//! picture continues after the tables are computed, every symbol that can occur gets a code. Never buffers more than
//! [`held`] symbols.

use super::{
    bits::Bits,
    fdct::Block,
    segments,
    symbols::{self, Symbol},
};
use convertd_core::coding::prefix_codes::{self, code_lengths};

/// Largest number of symbols that are buffered, unless one band may have more.
const MAX_HELD: usize = 1 << 18;

/// Number of Huffman tables: for DC and for AC, of luma and of chroma.
const TABLES: usize = 4;

/// A Huffman table: the code word of each symbol and its length in bits.
pub(crate) type Words = [(u16, u8); 257];

/// Largest number of buffered symbols, for a picture with `samples` samples in all, and `band` in each band.
fn held(samples: usize, band: usize) -> usize {
    MAX_HELD.max(band).min(samples)
}

/// Memory of a coder in bytes: for each buffered symbol, and for the bits that it becomes.
pub(crate) fn memory(samples: usize, band: usize) -> usize {
    held(samples, band) * (size_of::<Symbol>() + 3) + TABLES * (size_of::<Words>() + 4 * 256)
}

/// Converts blocks of quantised coefficients to bytes.
pub(crate) struct Coder {
    bits: Bits,
    /// Number of planes of the picture.
    planes: u8,
    /// Number of samples in a band.
    band: usize,
    /// Symbols that are buffered before the tables exist.
    held: Vec<Symbol>,
    /// Frequency of each symbol, by table.
    counts: Box<[[u32; 256]; TABLES]>,
    /// The tables of code words, after they have been computed.
    words: Option<Box<[Words; TABLES]>>,
}

impl Coder {
    /// A coder for a picture with `samples` samples in all, and `band` in each band.
    pub(crate) fn new(planes: u8, samples: usize, band: usize) -> Self {
        Self {
            bits: Bits::default(),
            planes,
            band,
            held: Vec::with_capacity(held(samples, band)),
            counts: Box::new([[0; 256]; TABLES]),
            words: None,
        }
    }

    /// Appends a block. `kind` is 0 for luma and 1 for chroma. `prediction` is the DC coefficient of the previous block
    /// of its component.
    #[inline(always)]
    pub(crate) fn block(&mut self, block: &Block, prediction: i16, kind: u8) {
        if let Some(words) = &self.words {
            symbols::each(block, prediction, kind, |symbol| {
                put(&mut self.bits, words, symbol);
            });
        } else {
            symbols::each(block, prediction, kind, |symbol| {
                self.counts[usize::from(symbol.table) % TABLES][usize::from(symbol.symbol)] += 1;
                self.held.push(symbol);
            });
        }
    }

    /// The bytes that are ready after a whole band. Empty while symbols are buffered.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        if self.words.is_none() && self.held.len() + self.band > self.held.capacity() {
            self.fix_tables(false);
        }
        &mut self.bits.bytes
    }

    /// The remaining bytes, at the end of the picture.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.fix_tables(true);
        self.bits.finish();
        self.bits.bytes
    }

    /// Unless the tables exist, computes and writes them from the frequencies so far, and writes the buffered symbols.
    /// Before the end of the picture, every symbol that can occur gets a code.
    fn fix_tables(&mut self, ends: bool) {
        if self.words.is_some() {
            return;
        }
        let mut words = Box::new([[(0, 0); 257]; TABLES]);
        // Length of the coded symbols in bits, to allocate the output in one step.
        let mut bits = 0;
        let used = 2 * usize::from(self.planes.min(2));
        for (table, counts) in self.counts.iter_mut().enumerate().take(used) {
            if !ends {
                for symbol in symbols::possible(table) {
                    counts[usize::from(symbol)] += 1;
                }
            }
            let lengths = lengths_of(counts);
            words[table] = prefix_codes::words(&lengths);
            segments::huffman_table(&mut self.bits.bytes, table, &lengths[..256]);
            for (symbol, (&count, &length)) in (0u8..=255).zip(counts.iter().zip(&lengths)) {
                bits += u64::from(count) * u64::from(length + (symbol & 15));
            }
        }
        segments::scan(&mut self.bits.bytes, self.planes);
        // Stuffing adds about one byte in 256; twice as much is allocated.
        self.bits.bytes.reserve((bits / 8 + bits / 1024) as usize);
        for symbol in std::mem::take(&mut self.held) {
            put(&mut self.bits, &words, symbol);
        }
        self.words = Some(words);
    }
}

/// Writes the code word of a symbol, and the bits that follow it.
#[inline(always)]
fn put(bits: &mut Bits, words: &[Words; TABLES], symbol: Symbol) {
    let (word, length) = words[usize::from(symbol.table) % TABLES][usize::from(symbol.symbol)];
    let size = u32::from(symbol.symbol & 15);
    let both = u32::from(word) << size | u32::from(symbol.bits);
    bits.put(both, u32::from(length) + size);
}

/// Length of the code word of each symbol (T.81, K.2).
pub(crate) fn lengths_of(counts: &[u32; 256]) -> [u8; 257] {
    // No code word may consist of 1-bits alone (T.81, annex C). So there is one more symbol, which is rarer than all
    // others, gets that code word, and never occurs.
    let mut counted = [1; 257];
    for (to, &count) in counted.iter_mut().zip(counts) {
        *to = 2 * count;
    }
    code_lengths(&counted, 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_word_consists_of_ones() {
        let mut skewed = [0; 256];
        for (at, count) in skewed.iter_mut().take(40).enumerate() {
            *count = 1u32 << at.min(29);
        }
        let mut one = [0; 256];
        one[7] = 9;
        for counts in [[1; 256], skewed, one] {
            let words = prefix_codes::words(&lengths_of(&counts));
            let used = words[..256].iter().filter(|(_, length)| *length > 0);
            let expected = counts.iter().filter(|&&count| count > 0).count();
            assert_eq!(used.count(), expected);
            for (symbol, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let (word, length) = words[symbol];
                assert!((1..=16).contains(&length));
                assert!(u32::from(word) < (1 << length) - 1, "{symbol}");
            }
        }
    }
}
