//! A word list of a model: a directed acyclic word graph (DAWG), whose edges are characters. Does not decide how much a
//! word counts.
//!
//! In the file: the number 42 in 16 bits, the size of the unicharset and the number of edges in 32 bits each, and 64
//! bits for each edge. From its lowest bit on, an edge has: its character, in as many bits as the size of the
//! unicharset needs; a bit that marks the last edge of a node, one for edges that lead backwards, and one for the end
//! of a word; and the index of the first edge of the node that it leads to, 0 if it leads to none. A node is its edges
//! one after another. The edges of the first node are sorted by character, so that a binary search finds one; the other
//! nodes are short.
//!
//! The graph is used in the form of the file. A cycle in it is harmless, because every step consumes a character of the
//! line.

use super::{fields::Fields, unusable};
use convertd_core::error::Result;

/// The character that represents any word in the list of punctuation, and any digit in the list of numbers.
pub(crate) const PATTERN: usize = 0;

/// A word list.
pub(crate) struct Dawg {
    edges: Vec<u64>,
    /// Number of bits that a character takes.
    bits: u32,
    /// Number of edges of the first node.
    roots: usize,
}

impl Dawg {
    /// Parses a word list for a unicharset of this size.
    pub(crate) fn parse(bytes: &[u8], characters: usize) -> Result<Self> {
        const MAGIC: i16 = 42;
        /// Maximum number of edges of a node for each character: one that ends a word and one that does not, each
        /// forwards and backwards.
        const EDGES: usize = 4;
        let mut fields = Fields::new(bytes);
        if fields.i16()? != MAGIC {
            return Err(unusable("a word list is damaged, or big-endian"));
        }
        let size = fields.count("the number of characters of a word list", characters)?;
        let count = fields.count("the number of edges of a word list", bytes.len() / 8)?;
        let (edges, _) = fields.bytes(count * 8)?.as_chunks();
        let mut dawg = Self {
            edges: edges.iter().map(|edge| u64::from_le_bytes(*edge)).collect(),
            bits: size.next_power_of_two().trailing_zeros(),
            roots: 0,
        };
        let mut run = 0;
        for index in 0..count {
            run += 1;
            if dawg.next(index) >= count && !dawg.is_empty(index) {
                return Err(unusable("an edge of a word list points beyond its end"));
            }
            if dawg.is_last(index) {
                run = 0;
            }
            if run > EDGES * size {
                return Err(unusable("a node of a word list does not end"));
            }
        }
        dawg.roots = (0..count)
            .take_while(|index| !dawg.is_back(*index))
            .find(|index| dawg.is_last(*index))
            .map_or(0, |index| index + 1);
        Ok(dawg)
    }

    /// Memory of a word list whose file has `len` bytes, in bytes.
    pub(crate) fn memory(len: u64) -> u64 {
        2 * len
    }

    /// The edge from the first node with this character. If there are several, it is the one that the binary search
    /// finds first.
    pub(crate) fn first(&self, id: usize) -> Option<usize> {
        let found =
            self.edges[..self.roots].binary_search_by_key(&id, |edge| self.character(*edge));
        found.ok()
    }

    /// The edge with this character from the node that `edge` leads to.
    pub(crate) fn after(&self, edge: usize, id: usize) -> Option<usize> {
        let first = self.next(edge);
        if first == 0 || self.is_empty(first) {
            return None;
        }
        for index in first..self.edges.len() {
            if self.character(self.edges[index]) == id {
                return Some(index);
            }
            if self.is_last(index) {
                break;
            }
        }
        None
    }

    /// Returns whether a word may end with this edge.
    pub(crate) fn ends(&self, edge: usize) -> bool {
        self.edges[edge] >> (self.bits + 2) & 1 != 0
    }

    fn character(&self, edge: u64) -> usize {
        (edge & ((1 << self.bits) - 1)) as usize
    }

    fn is_last(&self, edge: usize) -> bool {
        self.edges[edge] >> self.bits & 1 != 0
    }

    fn is_back(&self, edge: usize) -> bool {
        self.edges[edge] >> (self.bits + 1) & 1 != 0
    }

    fn next(&self, edge: usize) -> usize {
        (self.edges[edge] >> (self.bits + 3)) as usize
    }

    /// Returns whether the entry at this index holds no edge.
    fn is_empty(&self, edge: usize) -> bool {
        self.edges[edge] == u64::MAX << (self.bits + 3)
    }
}
