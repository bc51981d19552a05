//! Symbols as bits, by Huffman tables that are made for the picture (T.81, annexes C and K.2).
//!
//! The standard's example tables cost some per cent of a file. Good ones need the counts of all symbols, which means a
//! second pass or waiting; so symbols are held back, and the tables are made once there are 2^18 of them or the picture
//! ends, from what has been counted. A table that has to serve for more than was seen gets a code for every symbol that
//! may come. Never holds back more than [`held`] says.

use super::{
    bits::Bits,
    fdct::Block,
    segments,
    symbols::{self, Symbol},
};
use crate::coding::prefix_codes::{self, code_lengths};

/// Symbols that are held back, unless one band has more.
const MOST_HELD: usize = 1 << 18;

/// Huffman tables: for DC and for AC, of luma and of chroma.
const TABLES: usize = 4;

/// A Huffman table: for each symbol its code word, and how many bits that has; and the word that stands for nothing.
type Words = [(u16, u8); 257];

/// Symbols that are held back at most, of a picture with so many samples in all, and in each band.
fn held(samples: usize, band: usize) -> usize {
    MOST_HELD.max(band).min(samples)
}

/// Bytes that a coder takes: for each symbol that is held back, and for what becomes of it.
pub(crate) fn memory(samples: usize, band: usize) -> usize {
    held(samples, band) * (size_of::<Symbol>() + 3) + TABLES * (size_of::<Words>() + 4 * 256)
}

/// Blocks as bytes.
pub(crate) struct Coder {
    bits: Bits,
    /// Planes of the picture.
    planes: u8,
    /// Samples of a band.
    band: usize,
    /// What waits for its table.
    held: Vec<Symbol>,
    /// How often each symbol occurred.
    counts: Box<[[u32; 256]; TABLES]>,
    words: Option<Box<[Words; TABLES]>>,
}

impl Coder {
    /// For a picture with so many samples in all, and in each band.
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

    /// Appends a block of luma (0) or chroma (1). `prediction` is the DC coefficient of the last one of its plane.
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

    /// The bytes that there are after a whole band, to be taken; none while it is held back.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        if self.words.is_none() && self.held.len() + self.band > self.held.capacity() {
            self.settle(false);
        }
        &mut self.bits.bytes
    }

    /// The last bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.settle(true);
        self.bits.finish();
        self.bits.bytes
    }

    /// Makes tables for the symbols that there are, if there are none yet; and for all that may come, unless it ends here.
    fn settle(&mut self, ends: bool) {
        if self.words.is_some() {
            return;
        }
        let mut words = Box::new([[(0, 0); 257]; TABLES]);
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
        // All but the bytes that are stuffed, about one in 256.
        self.bits.bytes.reserve((bits / 8 + bits / 1024) as usize);
        for symbol in std::mem::take(&mut self.held) {
            put(&mut self.bits, &words, symbol);
        }
        self.words = Some(words);
    }
}

#[inline(always)]
fn put(bits: &mut Bits, words: &[Words; TABLES], symbol: Symbol) {
    let (word, length) = words[usize::from(symbol.table) % TABLES][usize::from(symbol.symbol)];
    let size = u32::from(symbol.symbol & 15);
    let both = u32::from(word) << size | u32::from(symbol.bits);
    bits.put(both, u32::from(length) + size);
}

/// How long the code word of each symbol is.
fn lengths_of(counts: &[u32; 256]) -> [u8; 257] {
    // No code word may consist of ones alone (T.81, annex C): that one goes to a symbol which is rarer than all others and
    // never occurs.
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
    fn no_word_is_all_ones() {
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
