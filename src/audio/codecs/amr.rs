//! Decodes AMR, the speech of mobile telephones: narrowband (3GPP TS 26.090) and wideband (TS 26.190). The samples are
//! those of the reference decoders (TS 26.073 and 26.173), to the bit. `crate::formats` reads the containers.
//!
//! A frame is 20 ms: 160 samples at 8 kHz, or 320 at 16 kHz. A byte before it states its type (RFC 4867, section 5.3):
//! speech in one of eight or nine modes, comfort noise for a pause, "no data" (the noise continues), or a lost frame.
//! Frames of the last two types have no further bytes, but also last 20 ms.

use super::decoder::Decoder;
use crate::sound::{
    channels::Channels,
    pcm::{Block, Depth, Spec},
};
use codec_core::codecs::amr::{
    AmrMode, AmrVariant,
    nb::{self, dtx::RxFrameType as Narrow},
    wb::{self, dtx::RxFrameType as Wide, gain::FrameQuality},
};
use convertd_core::error::Result;
use symphonia::core::packet::PacketRef;

/// The type of a wideband frame that says that speech was lost.
const LOST: u8 = 14;

/// The two kinds of AMR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Band {
    Narrow,
    Wide,
}

impl Band {
    /// Samples per second.
    fn rate(self) -> u32 {
        match self {
            Self::Narrow => 8_000,
            Self::Wide => 16_000,
        }
    }

    /// Length of a frame after its type byte, in bytes (TS 26.101 and 26.201, annex A). Frames of a reserved type are
    /// taken to be empty.
    pub(crate) fn frame_bytes(self, description: u8) -> usize {
        let bytes: &[usize] = match self {
            Self::Narrow => &[12, 13, 15, 17, 19, 20, 26, 31, 5],
            Self::Wide => &[17, 23, 32, 36, 40, 46, 50, 58, 60, 5],
        };
        bytes
            .get(usize::from(kind(description)))
            .copied()
            .unwrap_or(0)
    }

    /// The frame type of comfort noise (SID). Lower types are speech, in the mode of that number.
    fn noise(self) -> u8 {
        match self {
            Self::Narrow => 8,
            Self::Wide => 9,
        }
    }

    pub(crate) fn spec(self) -> Result<Spec> {
        Spec::new(self.rate(), Channels::MONO, Depth::Int(16))
    }
}

/// The type of a frame.
fn kind(description: u8) -> u8 {
    description >> 3 & 15
}

/// A decoder of frames, each after its type byte. A packet may end within a frame.
pub(crate) struct Amr {
    spec: Spec,
    band: Band,
    decoding: Decoding,
    /// The mode of the last speech frame, or the mode that the last noise frame named. A frame without bytes continues
    /// in that mode.
    mode: u8,
    /// The beginning of a frame that the next packet completes.
    begun: Vec<u8>,
}

enum Decoding {
    Narrow(Box<nb::decoder::Decoder>),
    Wide(Box<wb::decoder::Decoder>),
}

impl Amr {
    pub(crate) fn new(band: Band) -> Result<Self> {
        Ok(Self {
            spec: band.spec()?,
            band,
            decoding: match band {
                Band::Narrow => Decoding::Narrow(Box::default()),
                Band::Wide => Decoding::Wide(Box::default()),
            },
            mode: 0,
            begun: Vec::new(),
        })
    }

    /// Decodes a frame. `None` if its bytes are not a valid frame.
    fn frame(&mut self, description: u8, data: &[u8], samples: &mut Vec<i32>) -> Option<()> {
        let is_good = description & 4 != 0;
        let (kind, noise) = (kind(description), self.band.noise());
        if kind < noise {
            self.mode = kind;
        }
        match &mut self.decoding {
            Decoding::Narrow(decoder) => {
                let parsed = |kind| nb::bitstream::parse(kind, data);
                let (received, parameters) = if kind < noise {
                    let received = if is_good {
                        Narrow::SpeechGood
                    } else {
                        Narrow::SpeechBad
                    };
                    (received, parsed(kind)?)
                } else if kind == noise {
                    let header = nb::bitstream::parse_sid_header(data)?;
                    self.mode = header.mode_index;
                    match (is_good, header.update) {
                        (false, _) => (Narrow::SidBad, parsed(noise)?),
                        (true, true) => (Narrow::SidUpdate, parsed(noise)?),
                        (true, false) => (Narrow::SidFirst, Vec::new()),
                    }
                } else {
                    (Narrow::NoData, Vec::new())
                };
                let decoded = decoder.decode_typed(received, self.mode, &parameters);
                samples.extend(decoded.map(i32::from));
            }
            Decoding::Wide(decoder) => {
                let mode = AmrMode::new(AmrVariant::WideBand, self.mode).ok()?;
                let decoded = if kind < noise {
                    let quality = if is_good {
                        FrameQuality::Good
                    } else {
                        FrameQuality::Bad
                    };
                    decoder.decode_frame(mode, data, quality)
                } else if kind == noise {
                    self.mode = wb::bitstream::sid_mode_indication(data).unwrap_or(self.mode);
                    let received = match (is_good, wb::bitstream::sid_is_update(data)) {
                        (false, _) => Wide::SidBad,
                        (true, true) => Wide::SidUpdate,
                        (true, false) => Wide::SidFirst,
                    };
                    decoder.decode_comfort_noise(received, data, self.mode)
                } else if kind == LOST {
                    decoder.decode_frame(mode, &[], FrameQuality::Unusable)
                } else {
                    decoder.decode_comfort_noise(Wide::NoData, &[], self.mode)
                };
                // The reference decoder returns 14 significant bits, so the lowest two bits are cleared.
                samples.extend(decoded?.map(|sample| i32::from(sample & !3)));
            }
        }
        Some(())
    }
}

impl Decoder for Amr {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let samples = block.ints(self.spec);
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(packet.data);
        let mut rest = &all[..];
        while let Some((&description, after)) = rest.split_first() {
            let Some(data) = after.get(..self.band.frame_bytes(description)) else {
                break;
            };
            rest = &after[data.len()..];
            self.frame(description, data, samples)
                .ok_or("a frame holds no speech")?;
        }
        self.begun = rest.to_vec();
        Ok(())
    }
}
