//! Decodes Opus packets (RFC 6716) according to their identification header (RFC 7845, section 5.1), with `opus-pure`.
//! `crate::formats` reads the containers.
//!
//! An Opus decoder outputs 48 kHz, whatever rate the original had. More than two channels are several streams in each
//! packet, and a channel mapping in the header says which stream becomes which channel. The crate supports the standard
//! mappings of families 0 and 1 only; a file with another mapping is refused.

use super::decoder::Decoder;
use crate::{
    damage::bad,
    sound::{
        channels::{Channels, VORBIS_ORDER},
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::error::Result;
use opus_pure::{MAX_PACKET_SAMPLES, OpusDecoder, OpusMSDecoder};
use symphonia::core::packet::PacketRef;

/// The output rate of every Opus decoder, in hertz.
pub(crate) const RATE: u32 = 48_000;

enum Inner {
    One(Box<OpusDecoder>),
    Many(OpusMSDecoder),
}

/// A decoder for the packets of one stream.
pub(crate) struct Opus {
    inner: Inner,
    spec: Spec,
    gain: f32,
    order: Vec<usize>,
    decoded: Vec<f32>,
}

impl Opus {
    /// Makes a decoder from an `OpusHead`.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a damaged header, or a channel mapping that
    /// is not supported.
    pub(crate) fn new(setup: &[u8]) -> Result<Self> {
        let unsupported =
            |err: opus_pure::Error| bad(format!("the Opus stream cannot be decoded: {err}"));
        let head = setup
            .strip_prefix(b"OpusHead")
            .and_then(<[u8]>::split_first_chunk::<11>)
            .filter(|(head, _)| head[0] < 16);
        let (head, mapping) = head.ok_or_else(|| {
            bad("the Opus identification header is cut short, or of an unknown version")
        })?;
        let (count, gain, family) = (
            usize::from(head[1]),
            i16::from_le_bytes([head[8], head[9]]),
            head[10],
        );
        let channels = Channels::of(count as u32)?;
        let (inner, gain) = if family == 0 {
            let mut decoder = OpusDecoder::new(RATE as i32, count).map_err(unsupported)?;
            decoder.gain_q8 = gain.into();
            (Inner::One(Box::new(decoder)), 1.0)
        } else {
            let decoder = OpusMSDecoder::new(RATE as i32, count, family).map_err(unsupported)?;
            let layout = decoder.layout();
            let streams = [layout.nb_streams as u8, layout.nb_coupled_streams as u8];
            if mapping.get(..2) != Some(&streams) || !mapping[2..].starts_with(&layout.mapping) {
                return Err(bad(
                    "the Opus stream has a private channel mapping, which is not supported; encode it with a standard one (RFC 7845, section 5.1.1)",
                ));
            }
            (
                Inner::Many(decoder),
                10f32.powf(f32::from(gain) / 256.0 / 20.0),
            )
        };
        let order = match VORBIS_ORDER.get(count - 1) {
            Some(order) if family <= 1 => order.to_vec(),
            _ => (0..count).collect(),
        };
        Ok(Self {
            inner,
            spec: Spec::new(RATE, channels, Depth::Float)?,
            gain,
            order,
            decoded: vec![0.0; MAX_PACKET_SAMPLES * count],
        })
    }

    /// The rate, channels and depth of the decoded sound.
    pub(crate) fn spec(&self) -> Spec {
        self.spec
    }
}

impl Decoder for Opus {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let decoded = match &mut self.inner {
            Inner::One(decoder) => {
                decoder.decode(packet.data, MAX_PACKET_SAMPLES, &mut self.decoded)
            }
            Inner::Many(decoder) => {
                decoder.decode(packet.data, MAX_PACKET_SAMPLES, &mut self.decoded)
            }
        };
        let frames = decoded.map_err(|err| err.to_string())?;
        let count = self.order.len();
        let samples = block.floats(self.spec);
        samples.reserve(frames * count);
        for frame in self.decoded.chunks_exact(count).take(frames) {
            samples.extend(self.order.iter().map(|from| frame[*from] * self.gain));
        }
        Ok(())
    }

    fn advance(&self, packets: &[Vec<u8>]) -> u64 {
        packets.iter().map(|packet| frames(packet)).sum()
    }
}

/// Makes an `OpusHead` for a file whose container lacks one: with the standard mapping of channels (RFC 7845, section
/// 5.1.1), and with `delay` as its pre-skip, in samples at 48 kHz.
pub(crate) fn header(channels: u32, delay: u64) -> Vec<u8> {
    /// For 3 to 8 channels, the numbers of streams and of coupled streams, and the channel mapping.
    const MAPPINGS: [(u8, u8, &[u8]); 6] = [
        (2, 1, &[0, 2, 1]),
        (2, 2, &[0, 1, 2, 3]),
        (3, 2, &[0, 4, 1, 2, 3]),
        (4, 2, &[0, 4, 1, 2, 3, 5]),
        (4, 3, &[0, 4, 1, 2, 3, 5, 6]),
        (5, 3, &[0, 6, 1, 2, 3, 4, 5, 7]),
    ];
    let mut head = b"OpusHead\x01".to_vec();
    head.push(channels.min(255) as u8);
    head.extend(u16::try_from(delay).unwrap_or(0).to_le_bytes());
    head.extend(RATE.to_le_bytes());
    head.extend([0; 2]);
    match (channels as usize)
        .checked_sub(3)
        .and_then(|at| MAPPINGS.get(at))
    {
        None => head.push(0),
        Some((streams, coupled, mapping)) => {
            head.extend([1, *streams, *coupled]);
            head.extend(*mapping);
        }
    }
    head
}

/// The number of samples at 48 kHz that each channel of a packet has (RFC 6716, section 3.1).
pub(crate) fn frames(packet: &[u8]) -> u64 {
    let Some(&toc) = packet.first() else {
        return 0;
    };
    let config = u32::from(toc >> 3);
    let samples = match config {
        0..=11 => [480, 960, 1920, 2880][(config % 4) as usize],
        12..=15 => [480, 960][(config % 2) as usize],
        _ => 120u64 << (config % 4),
    };
    let count = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(0, |byte| u64::from(byte & 0x3f)),
    };
    samples * count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_state_their_duration() {
        #[track_caller]
        fn check(packet: &[u8], expected: u64) {
            assert_eq!(frames(packet), expected);
        }
        check(&[], 0);
        check(&[31 << 3], 960);
        check(&[28 << 3], 120);
        check(&[3 << 3 | 1], 5760);
        check(&[13 << 3 | 3, 2], 1920);
        check(&[1 << 3 | 3], 0);
    }

    #[test]
    fn made_headers_can_be_read() {
        for channels in 1..=8 {
            let opus = Opus::new(&header(channels, 312)).unwrap();
            assert_eq!(opus.spec().channels.count(), channels as usize);
        }
    }
}
