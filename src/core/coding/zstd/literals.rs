//! The literals of a Zstandard block (RFC 8878, sections 3.1.1.3.1 and 4.2): raw bytes, one repeated byte, or Huffman
//! codes in one stream or four.

use super::{
    bits::Backward,
    fse::{State, Table},
};

/// Longest Huffman code in bits (RFC 8878, section 4.2.1).
const MAX_BITS: u32 = 11;

/// Huffman table, indexed by the next `bits` bits: the byte, and the length of its code.
#[derive(Default)]
pub(super) struct Codes {
    entries: Vec<(u8, u8)>,
    bits: u32,
}

impl Codes {
    /// Reads a Huffman table. Also returns the bytes after it.
    fn read(data: &[u8]) -> Option<(Self, &[u8])> {
        let (&head, rest) = data.split_first()?;
        // A first byte below 128 is the length of compressed weights, in bytes. A higher one is 127 more than the
        // number of weights, which are then stored with four bits each.
        let (weights, rest) = match head {
            0..=127 => {
                let (packed, rest) = rest.split_at_checked(head.into())?;
                (packed_weights(packed)?, rest)
            }
            _ => {
                let count = usize::from(head) - 127;
                let (packed, rest) = rest.split_at_checked(count.div_ceil(2))?;
                let mut weights: Vec<u8> = packed
                    .iter()
                    .flat_map(|byte| [byte >> 4, byte & 15])
                    .collect();
                weights.truncate(count);
                (weights, rest)
            }
        };
        Some((Self::new(weights)?, rest))
    }

    /// Makes the decoding table from weights (RFC 8878, section 4.2.1). A symbol of weight w has a code of `bits` + 1 −
    /// w bits, and so occupies 2^(w − 1) entries; weight 0 means that the symbol does not occur.
    fn new(mut weights: Vec<u8>) -> Option<Self> {
        let width = |weight: u8| if weight > 0 { 1_u32 << (weight - 1) } else { 0 };
        if weights.iter().any(|weight| u32::from(*weight) > MAX_BITS) {
            return None;
        }
        let sum: u32 = weights.iter().map(|weight| width(*weight)).sum();
        let bits = sum.checked_ilog2()? + 1;
        // The weight of the last symbol is not stored; its entries complete the sum to a power of two.
        let left = (1 << bits) - sum;
        if bits > MAX_BITS || !left.is_power_of_two() || weights.len() > 255 {
            return None;
        }
        weights.push(left.ilog2() as u8 + 1);
        let mut entries = Vec::with_capacity(1 << bits);
        // Codes are assigned in the order of rising weight, and of symbols within a weight.
        for weight in 1..=bits as u8 {
            for (symbol, _) in weights.iter().enumerate().filter(|(_, of)| **of == weight) {
                let entry = (symbol as u8, bits as u8 + 1 - weight);
                entries.resize(entries.len() + width(weight) as usize, entry);
            }
        }
        (entries.len() == 1 << bits).then_some(Self { entries, bits })
    }

    /// Decodes a stream until `out` is full. The stream must then have ended.
    fn decode(&self, data: &[u8], out: &mut [u8]) -> Option<()> {
        let mut bits = Backward::new(data)?;
        for byte in out {
            let (symbol, length) = self.entries.get(bits.peek(self.bits) as usize)?;
            bits.skip((*length).into());
            *byte = *symbol;
        }
        bits.is_at_begin().then_some(())
    }
}

/// Decodes weights that are compressed by FSE, with two alternating states (section 4.2.1.2). When the bits run out
/// after a weight, the other state gives the last weight.
fn packed_weights(data: &[u8]) -> Option<Vec<u8>> {
    let (table, rest) = Table::read(data, 6, 255)?;
    let mut bits = Backward::new(rest)?;
    let mut states = [
        State::new(&table, &mut bits)?,
        State::new(&table, &mut bits)?,
    ];
    let mut weights = Vec::new();
    while weights.len() < 255 {
        for turn in 0..2 {
            weights.push(states[turn].symbol());
            states[turn].advance(&mut bits)?;
            if bits.is_before_begin() {
                weights.push(states[1 - turn].symbol());
                return Some(weights);
            }
        }
    }
    None
}

/// Reads the literals of a block into `out`, and returns the bytes after them. `codes` is the Huffman table of the
/// previous block, which the literals use or replace. `None` if the data is damaged, or has more than `most` literals.
pub(super) fn read<'d>(
    data: &'d [u8],
    codes: &mut Codes,
    most: usize,
    out: &mut Vec<u8>,
) -> Option<&'d [u8]> {
    let mut head = [0; 8];
    let known = data.len().min(5);
    head[..known].copy_from_slice(&data[..known]);
    let head = u64::from_le_bytes(head);
    let (kind, format) = (head & 3, head >> 2 & 3);
    let number = |shift: u32, bits: u32| (head >> shift & ((1 << bits) - 1)) as usize;
    out.clear();
    if kind < 2 {
        let (begin, len) = match format {
            0 | 2 => (1, number(3, 5)),
            1 => (2, number(4, 12)),
            _ => (3, number(4, 20)),
        };
        let data = data.get(begin..)?;
        if len > most {
            return None;
        }
        if kind == 1 {
            let (byte, rest) = data.split_first()?;
            out.resize(len, *byte);
            return Some(rest);
        }
        let (bytes, rest) = data.split_at_checked(len)?;
        out.extend_from_slice(bytes);
        return Some(rest);
    }
    let (begin, bits) = match format {
        0 | 1 => (3, 10),
        2 => (4, 14),
        _ => (5, 18),
    };
    let (len, packed) = (number(4, bits), number(4 + bits, bits));
    let (mut packed, rest) = data.get(begin..)?.split_at_checked(packed)?;
    if len > most {
        return None;
    }
    if kind == 2 {
        (*codes, packed) = Codes::read(packed)?;
    }
    out.resize(len, 0);
    if format == 0 {
        codes.decode(packed, out)?;
        return Some(rest);
    }
    let (sizes, mut packed) = packed.split_first_chunk::<6>()?;
    let each = len.div_ceil(4);
    let mut parts = out.chunks_mut(each.max(1));
    for size in sizes.as_chunks().0 {
        let stream;
        (stream, packed) = packed.split_at_checked(u16::from_le_bytes(*size).into())?;
        codes.decode(stream, parts.next()?)?;
    }
    codes.decode(packed, parts.next()?)?;
    Some(rest)
}
