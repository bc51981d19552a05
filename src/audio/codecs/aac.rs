//! Decodes AAC access units (ISO 14496-3) with `syom`: LC, HE and HE v2, up to 7.1. Opens no container.
//!
//! Two traps: after a damaged access unit `syom`'s decoder stays in its error state, so it is replaced by a new one. And
//! HE-AAC comes out at twice the sample rate that its container states; `Track` adjusts to that.

use super::decoder::Decoder;
use crate::{
    audio::{
        damage::bad,
        sound::pcm::{Block, Channels, Depth, Spec},
    },
    error::Result,
};
use symphonia::core::packet::PacketRef;
use syom::{Channel, DecodeOptions, MemoryBudgets};

/// Most memory that the decoder may use, in bytes.
const WORKSPACE: u64 = 8 << 20;

/// A decoder for the access units that a container delivers.
pub(crate) struct Aac {
    inner: syom::Decoder,
    setup: Vec<u8>,
}

impl Aac {
    /// Makes a decoder from an `AudioSpecificConfig`.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a profile that is not supported.
    pub(crate) fn new(setup: &[u8]) -> Result<Self> {
        Ok(Self {
            inner: open(setup)
                .map_err(|err| bad(format!("the AAC stream cannot be decoded: {err}")))?,
            setup: setup.to_vec(),
        })
    }
}

fn open(setup: &[u8]) -> Result<syom::Decoder, String> {
    let mut options = DecodeOptions::unbounded();
    options.memory = MemoryBudgets::default();
    options.memory.max_workspace_bytes = WORKSPACE;
    syom::Decoder::from_asc(setup, options).map_err(|err| err.to_string())
}

impl Decoder for Aac {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let mut described = Err("an empty packet".to_owned());
        let decoded = self.inner.decode_au(packet.data, |frame| {
            described = interleave(&frame, block).map_err(|err| err.to_string());
            Ok(())
        });
        if let Err(error) = decoded {
            // A decoder that has failed fails for ever, so the next packet gets a new one.
            self.inner = open(&self.setup)?;
            return Err(error.to_string());
        }
        described
    }
}

/// Interleaves a frame's channels into the block, in the order of speaker masks.
fn interleave(frame: &syom::Frame<'_>, block: &mut Block) -> Result<()> {
    let speakers: Vec<u32> = frame.meta.labels().map(speaker).collect();
    let mask = speakers.iter().fold(0, |mask, speaker| mask | speaker);
    let count = frame.planar.len();
    let channels = Channels::with_mask(count as u32, mask)?;
    let spec = Spec::new(frame.sample_rate, channels, Depth::Float)?;
    let mut order: Vec<usize> = (0..count).collect();
    if channels.mask() == mask && speakers.len() == count {
        order.sort_by_key(|plane| speakers[*plane]);
    }
    let samples = block.floats(spec);
    samples.resize(frame.samples * count, 0.0);
    for (place, plane) in order.iter().enumerate() {
        let plane = &frame.planar[*plane];
        for (sample, value) in samples.iter_mut().skip(place).step_by(count).zip(*plane) {
            *sample = *value;
        }
    }
    Ok(())
}

fn speaker(channel: Channel) -> u32 {
    use crate::audio::sound::pcm::speaker::*;
    match channel {
        Channel::FrontLeft => FRONT_LEFT,
        Channel::FrontRight => FRONT_RIGHT,
        Channel::FrontCenter => FRONT_CENTRE,
        Channel::Lfe => LOW_FREQUENCY,
        Channel::BackLeft => BACK_LEFT,
        Channel::BackRight => BACK_RIGHT,
        Channel::BackCenter => BACK_CENTRE,
        Channel::SideLeft => SIDE_LEFT,
        Channel::SideRight => SIDE_RIGHT,
        _ => 0,
    }
}
