//! Converts samples to bytes. Writes no header.

use super::pcm::{Block, Depth, Samples};

/// Replaces `bytes` by the samples of a block: integers of 1 to 4 bytes in two's complement, or floats of 4 bytes. The
/// most significant byte comes first if `big`.
pub(crate) fn encode(block: &Block, big: bool, bytes: &mut Vec<u8>) {
    match &block.samples {
        Samples::Int(samples) => {
            let width = match block.spec.depth {
                Depth::Int(bits) => bits.div_ceil(8),
                Depth::Float => 4,
            };
            match (width, big) {
                (1, _) => put(samples, bytes, |x| [x as u8]),
                (2, true) => put(samples, bytes, |x| (x as i16).to_be_bytes()),
                (2, false) => put(samples, bytes, |x| (x as i16).to_le_bytes()),
                (3, true) => put(samples, bytes, |x| {
                    let [_, a, b, c] = x.to_be_bytes();
                    [a, b, c]
                }),
                (3, false) => put(samples, bytes, |x| {
                    let [a, b, c, _] = x.to_le_bytes();
                    [a, b, c]
                }),
                (_, true) => put(samples, bytes, i32::to_be_bytes),
                (_, false) => put(samples, bytes, i32::to_le_bytes),
            }
        }
        Samples::Float(samples) if big => put(samples, bytes, f32::to_be_bytes),
        Samples::Float(samples) => put(samples, bytes, f32::to_le_bytes),
    }
}

/// Writes into memory of the final size, because the compiler can vectorise that.
fn put<T: Copy, const N: usize>(samples: &[T], bytes: &mut Vec<u8>, form: impl Fn(T) -> [u8; N]) {
    bytes.resize(samples.len() * N, 0);
    for (encoded, sample) in bytes.as_chunks_mut::<N>().0.iter_mut().zip(samples) {
        *encoded = form(*sample);
    }
}
