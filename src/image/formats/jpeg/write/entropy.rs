//! Symbols as bits, by codes that are made for the picture: for all of it, or for as much of it as is held back. Never
//! holds back more than [`held`] says.

use super::{
    bits::Bits,
    fdct::Block,
    segments,
    symbols::{self, Symbol},
};
use crate::coding::prefix_codes::{self, code_lengths};

/// Symbols that are held back, unless one band has more.
const MOST_HELD: usize = 1 << 18;

/// Codes: for means and for other coefficients, of luma and of chroma.
const CODES: usize = 4;

/// A code: for each symbol its word, and how many bits that has; and the word that means nothing.
type Words = [(u16, u8); 257];

/// Symbols that are held back at most, of a picture with so many samples in all, and in each band.
fn held(samples: usize, band: usize) -> usize {
    MOST_HELD.max(band).min(samples)
}

/// Bytes that a coder takes: for each symbol that is held back, and for what becomes of it.
pub(crate) fn memory(samples: usize, band: usize) -> usize {
    held(samples, band) * (size_of::<Symbol>() + 3) + CODES * (size_of::<Words>() + 4 * 256)
}

/// Blocks as bytes.
pub(crate) struct Coder {
    bits: Bits,
    /// Planes of the picture.
    planes: u8,
    /// Samples of a band.
    band: usize,
    /// What waits for its codes.
    held: Vec<Symbol>,
    /// How often each symbol occurred.
    counts: Box<[[u32; 256]; CODES]>,
    words: Option<Box<[Words; CODES]>>,
}

impl Coder {
    /// For a picture with so many samples in all, and in each band.
    pub(crate) fn new(planes: u8, samples: usize, band: usize) -> Self {
        Self {
            bits: Bits::default(),
            planes,
            band,
            held: Vec::with_capacity(held(samples, band)),
            counts: Box::new([[0; 256]; CODES]),
            words: None,
        }
    }

    /// Appends a block of luma (0) or chroma (1). `before` is the mean of the last one of its plane.
    #[inline(always)]
    pub(crate) fn block(&mut self, block: &Block, before: i16, kind: u8) {
        if let Some(words) = &self.words {
            symbols::each(block, before, kind, |symbol| {
                put(&mut self.bits, words, symbol);
            });
        } else {
            symbols::each(block, before, kind, |symbol| {
                self.counts[usize::from(symbol.code) % CODES][usize::from(symbol.symbol)] += 1;
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

    /// Makes codes for the symbols that there are, if there are none yet; and for all that may come, unless it ends here.
    fn settle(&mut self, ends: bool) {
        if self.words.is_some() {
            return;
        }
        let mut words = Box::new([[(0, 0); 257]; CODES]);
        let mut bits = 0;
        let used = 2 * usize::from(self.planes.min(2));
        for (code, counts) in self.counts.iter_mut().enumerate().take(used) {
            if !ends {
                for symbol in symbols::possible(code) {
                    counts[usize::from(symbol)] += 1;
                }
            }
            let lengths = lengths_of(counts);
            words[code] = prefix_codes::words(&lengths);
            segments::code(&mut self.bits.bytes, code, &lengths[..256]);
            for (symbol, (&count, &length)) in (0u8..=255).zip(counts.iter().zip(&lengths)) {
                bits += u64::from(count) * u64::from(length + (symbol & 15));
            }
        }
        segments::scan(&mut self.bits.bytes, self.planes);
        // All but the zeros behind bytes of ones, of which there is about one in 256.
        self.bits.bytes.reserve((bits / 8 + bits / 1024) as usize);
        for symbol in std::mem::take(&mut self.held) {
            put(&mut self.bits, &words, symbol);
        }
        self.words = Some(words);
    }
}

#[inline(always)]
fn put(bits: &mut Bits, words: &[Words; CODES], symbol: Symbol) {
    let (word, length) = words[usize::from(symbol.code) % CODES][usize::from(symbol.symbol)];
    let size = u32::from(symbol.symbol & 15);
    let both = u32::from(word) << size | u32::from(symbol.bits);
    bits.put(both, u32::from(length) + size);
}

/// How long the word of each symbol is.
fn lengths_of(counts: &[u32; 256]) -> [u8; 257] {
    // The word of nothing but ones means nothing (T.81, annex C): it goes to a symbol that is rarer than all others.
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
