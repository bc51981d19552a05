//! Samples as bytes, one after the other. Writes no header.

use super::super::pcm::{Block, Depth, Samples};

/// Replaces `bytes` by the samples of a block: integers of 1 to 4 bytes in two's complement, or 4-byte floating point.
pub(super) fn encode(block: &Block, big: bool, bytes: &mut Vec<u8>) {
    bytes.clear();
    match (&block.samples, block.spec.depth) {
        (Samples::Int(samples), Depth::Int(bits)) => match (bits.div_ceil(8), big) {
            (1, _) => bytes.extend(samples.iter().map(|x| *x as u8)),
            (2, true) => bytes.extend(samples.iter().flat_map(|x| (*x as i16).to_be_bytes())),
            (2, false) => bytes.extend(samples.iter().flat_map(|x| (*x as i16).to_le_bytes())),
            (3, true) => bytes.extend(samples.iter().flat_map(|x| {
                let [_, a, b, c] = x.to_be_bytes();
                [a, b, c]
            })),
            (3, false) => bytes.extend(samples.iter().flat_map(|x| {
                let [a, b, c, _] = x.to_le_bytes();
                [a, b, c]
            })),
            (_, true) => bytes.extend(samples.iter().flat_map(|x| x.to_be_bytes())),
            (_, false) => bytes.extend(samples.iter().flat_map(|x| x.to_le_bytes())),
        },
        (Samples::Float(samples), _) if big => {
            bytes.extend(samples.iter().flat_map(|x| x.to_be_bytes()));
        }
        (Samples::Float(samples), _) => bytes.extend(samples.iter().flat_map(|x| x.to_le_bytes())),
        (Samples::Int(samples), Depth::Float) => {
            // A block of integers never says that it is floating point.
            bytes.extend(samples.iter().flat_map(|x| x.to_le_bytes()));
        }
    }
}
