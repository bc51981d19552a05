//! Decodes samples that are coded one by one: integer PCM, floating point, A-law and µ-law (ITU-T G.711). The container
//! states the encoding.

use super::decoder::Decoder;
use crate::sound::pcm::{Block, Depth, Spec};
use symphonia::core::packet::PacketRef;

/// Encoding of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// 1 to 4 bytes in two's complement.
    Signed { bytes: u32, big: bool },
    /// An unsigned byte; 128 is silence.
    Unsigned8,
    /// 4 bytes, IEEE 754.
    Float32 { big: bool },
    /// 8 bytes, IEEE 754.
    Float64 { big: bool },
    /// ITU-T G.711, A-law.
    ALaw,
    /// ITU-T G.711, µ-law.
    MuLaw,
}

impl Encoding {
    /// Length of a sample in bytes.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Signed { bytes, .. } => bytes,
            Self::Unsigned8 | Self::ALaw | Self::MuLaw => 1,
            Self::Float32 { .. } => 4,
            Self::Float64 { .. } => 8,
        }
    }

    /// The depth of a decoded sample.
    pub(crate) fn depth(self) -> Depth {
        match self {
            Self::Signed { bytes, .. } => Depth::Int(8 * bytes),
            Self::Unsigned8 => Depth::Int(8),
            Self::ALaw | Self::MuLaw => Depth::Int(16),
            Self::Float32 { .. } | Self::Float64 { .. } => Depth::Float,
        }
    }
}

/// A decoder of packets that hold whole sample frames.
pub(crate) struct Raw {
    pub(crate) encoding: Encoding,
    pub(crate) spec: Spec,
}

impl Decoder for Raw {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        decode(self.encoding, packet.data, self.spec, block);
        Ok(())
    }
}

/// Reads the samples in `bytes` into a block.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8], spec: Spec, block: &mut Block) {
    match encoding {
        Encoding::Signed { bytes: 1, .. } => {
            block
                .ints(spec)
                .extend(bytes.iter().map(|b| i32::from(*b as i8)));
        }
        Encoding::Signed { bytes: 2, big } => {
            let read = if big {
                i16::from_be_bytes
            } else {
                i16::from_le_bytes
            };
            let ints = bytes.as_chunks().0.iter().map(|b| i32::from(read(*b)));
            block.ints(spec).extend(ints);
        }
        Encoding::Signed {
            bytes: 3,
            big: true,
        } => {
            let ints = bytes.as_chunks::<3>().0.iter();
            block
                .ints(spec)
                .extend(ints.map(|b| i32::from_be_bytes([b[0], b[1], b[2], 0]) >> 8));
        }
        Encoding::Signed {
            bytes: 3,
            big: false,
        } => {
            let ints = bytes.as_chunks::<3>().0.iter();
            block
                .ints(spec)
                .extend(ints.map(|b| i32::from_le_bytes([0, b[0], b[1], b[2]]) >> 8));
        }
        Encoding::Signed { big, .. } => {
            let read = if big {
                i32::from_be_bytes
            } else {
                i32::from_le_bytes
            };
            block
                .ints(spec)
                .extend(bytes.as_chunks().0.iter().map(|b| read(*b)));
        }
        Encoding::Unsigned8 => block
            .ints(spec)
            .extend(bytes.iter().map(|b| i32::from(*b) - 128)),
        Encoding::Float32 { big } => {
            let read = if big {
                f32::from_be_bytes
            } else {
                f32::from_le_bytes
            };
            block
                .floats(spec)
                .extend(bytes.as_chunks().0.iter().map(|b| read(*b)));
        }
        Encoding::Float64 { big } => {
            let read = if big {
                f64::from_be_bytes
            } else {
                f64::from_le_bytes
            };
            block
                .floats(spec)
                .extend(bytes.as_chunks().0.iter().map(|b| read(*b) as f32));
        }
        Encoding::ALaw => block.ints(spec).extend(bytes.iter().map(|b| a_law(*b))),
        Encoding::MuLaw => block.ints(spec).extend(bytes.iter().map(|b| mu_law(*b))),
    }
}

/// Expands a byte of A-law to 16 bits: sign, three bits of segment, four of step; every other bit is inverted.
fn a_law(byte: u8) -> i32 {
    let byte = byte ^ 0x55;
    let (segment, step) = (byte >> 4 & 7, i32::from(byte & 0xf) << 4);
    let magnitude = match segment {
        0 => step + 8,
        segment => (step + 0x108) << (segment - 1),
    };
    if byte & 0x80 != 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// Expands a byte of µ-law to 16 bits: sign, three bits of segment, four of step; all bits are inverted.
fn mu_law(byte: u8) -> i32 {
    let byte = !byte;
    let magnitude = ((i32::from(byte & 0xf) << 3) + 0x84) << (byte >> 4 & 7);
    if byte & 0x80 != 0 {
        0x84 - magnitude
    } else {
        magnitude - 0x84
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{channels::Channels, pcm::Samples};

    #[track_caller]
    fn check(encoding: Encoding, bytes: &[u8], expected: &[i32]) {
        let spec = Spec::new(8000, Channels::MONO, encoding.depth()).unwrap();
        let mut block = Block::new(spec);
        decode(encoding, bytes, spec, &mut block);
        match &block.samples {
            Samples::Int(samples) => assert_eq!(samples, expected),
            Samples::Float(samples) => {
                let scaled: Vec<i32> = samples.iter().map(|x| (x * 4.0) as i32).collect();
                assert_eq!(scaled, expected);
            }
        }
    }

    #[test]
    fn every_encoding_is_read() {
        check(Encoding::Unsigned8, &[0, 128, 255], &[-128, 0, 127]);
        check(
            Encoding::Signed {
                bytes: 1,
                big: true,
            },
            &[0x80, 0x7f],
            &[-128, 127],
        );
        check(
            Encoding::Signed {
                bytes: 2,
                big: false,
            },
            &[0, 0x80, 1, 0],
            &[-32768, 1],
        );
        check(
            Encoding::Signed {
                bytes: 2,
                big: true,
            },
            &[0x80, 0, 0, 1],
            &[-32768, 1],
        );
        check(
            Encoding::Signed {
                bytes: 3,
                big: false,
            },
            &[1, 0, 0, 0, 0, 0x80],
            &[1, -8388608],
        );
        check(
            Encoding::Signed {
                bytes: 3,
                big: true,
            },
            &[0, 0, 1, 0x80, 0, 0],
            &[1, -8388608],
        );
        check(
            Encoding::Signed {
                bytes: 4,
                big: false,
            },
            &[0, 0, 0, 0x80],
            &[i32::MIN],
        );
        check(Encoding::Float32 { big: true }, &0.5f32.to_be_bytes(), &[2]);
        check(
            Encoding::Float64 { big: false },
            &(-0.25f64).to_le_bytes(),
            &[-1],
        );
        check(
            Encoding::ALaw,
            &[0xd5, 0x55, 0x2a, 0xaa],
            &[8, -8, -32256, 32256],
        );
        check(
            Encoding::MuLaw,
            &[0xff, 0x7f, 0x00, 0x80],
            &[0, 0, -32124, 32124],
        );
    }
}
