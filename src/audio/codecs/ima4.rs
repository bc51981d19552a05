//! Decodes Apple's IMA ADPCM (`ima4`, in QuickTime, AIFF-C and CAF; Apple, "IMA 4:1 compression format").
//! `crate::formats` reads the containers.
//!
//! A packet holds 64 samples of one channel in 34 bytes; packets of the channels alternate. The head of a packet states
//! the predictor, but only its upper nine bits. If the decoder's own predictor differs by at most 127, and the step
//! index is the same, the decoder must keep its own predictor, which is more precise. Symphonia's decoder always takes
//! the predictor from the head, which changes all samples by up to 127.

use super::decoder::Decoder;
use crate::sound::pcm::{Block, Spec};
use symphonia::core::packet::PacketRef;

/// Bytes of a packet.
pub(crate) const BYTES: u32 = 34;
/// Samples of a packet.
pub(crate) const FRAMES: u32 = 64;

/// Size of the quantiser's step, by step index.
const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66,
    73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449,
    494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272,
    2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493,
    10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

/// A decoder that takes any number of packets at a time. The packets of all channels alternate.
pub(crate) struct Ima4 {
    spec: Spec,
    channels: Vec<Channel>,
}

#[derive(Clone, Copy, Default)]
struct Channel {
    predictor: i32,
    index: i32,
}

impl Ima4 {
    /// Makes a decoder. The depth in `spec` must be 16 bits.
    pub(crate) fn new(spec: Spec) -> Self {
        Self {
            spec,
            channels: vec![Channel::default(); spec.channels.count()],
        }
    }
}

impl Decoder for Ima4 {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let count = self.channels.len();
        let (packets, _) = packet.data.as_chunks::<{ BYTES as usize }>();
        let samples = block.ints(self.spec);
        samples.resize(packets.len() / count * count * FRAMES as usize, 0);
        for (of_all, into) in packets
            .chunks_exact(count)
            .zip(samples.chunks_exact_mut(count * FRAMES as usize))
        {
            for (number, (channel, packet)) in self.channels.iter_mut().zip(of_all).enumerate() {
                channel.begin(packet[0], packet[1])?;
                let nibbles = packet[2..].iter().flat_map(|byte| [byte & 0xf, byte >> 4]);
                for (sample, nibble) in into.iter_mut().skip(number).step_by(count).zip(nibbles) {
                    *sample = channel.next(nibble);
                }
            }
        }
        Ok(())
    }
}

impl Channel {
    /// Begins a packet whose head consists of these two bytes.
    fn begin(&mut self, high: u8, low: u8) -> Result<(), String> {
        let index = i32::from(low & 0x7f);
        let predictor = i32::from(i16::from_be_bytes([high, low & 0x80]));
        if index >= STEPS.len() as i32 {
            return Err(format!("a step index is {index}; at most 88 is valid"));
        }
        if index != self.index || (predictor - self.predictor).abs() > 0x7f {
            (self.index, self.predictor) = (index, predictor);
        }
        Ok(())
    }

    /// Decodes the next sample.
    fn next(&mut self, nibble: u8) -> i32 {
        const INDEX: [i32; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];
        let step = STEPS[self.index as usize];
        let part = |bit: u8, amount: i32| if nibble & bit != 0 { amount } else { 0 };
        let difference = (step >> 3) + part(4, step) + part(2, step >> 1) + part(1, step >> 2);
        self.predictor = match nibble & 8 {
            0 => self.predictor + difference,
            _ => self.predictor - difference,
        }
        .clamp(-0x8000, 0x7fff);
        self.index = (self.index + INDEX[usize::from(nibble & 7)]).clamp(0, STEPS.len() as i32 - 1);
        self.predictor
    }
}
