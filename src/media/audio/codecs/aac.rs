//! Decodes AAC access units (ISO 14496-3) with `rusty_aac`: LC, Main, LTP, HE and HE v2, LD, with 1024 and 960 samples a frame, up
//! to 7.1. Opens no container.
//!
//! The trap: HE-AAC comes out at twice the sample rate that its container states; `Track` adjusts to that.
//!
//! `syom`, which encodes, decodes as well, and needs 1.75 times as long for the same stereo sound.

use super::decoder::Decoder;
use crate::{
    audio::{
        damage::bad,
        sound::{
            channels::Channels,
            pcm::{Block, Depth, Spec},
        },
    },
    error::Result,
};
use rusty_aac::{
    config::{self, StreamConfig},
    decode::{
        self,
        layout::{OutputConfig, default_layout, pce_layout},
    },
};
use symphonia::core::packet::PacketRef;

/// A decoder for the access units that a container delivers.
pub(crate) struct Aac {
    inner: decode::Decoder,
    /// Where the speakers of more than two channels stand.
    mask: u32,
}

impl Aac {
    /// Makes a decoder from an `AudioSpecificConfig`.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a profile that is not supported.
    pub(crate) fn new(setup: &[u8]) -> Result<Self> {
        let unsupported = |err| bad(format!("the AAC stream cannot be decoded: {err}"));
        let config = parse(setup).map_err(unsupported)?;
        Ok(Self {
            mask: mask(&config),
            inner: decode::Decoder::with_stream_config(config).map_err(unsupported)?,
        })
    }
}

impl Decoder for Aac {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let decoded = self.inner.decode(packet.data, None);
        let decoded = decoded.map_err(|err| err.to_string())?;
        let spec = Channels::with_mask(decoded.channels.into(), self.mask)
            .and_then(|channels| Spec::new(decoded.sample_rate, channels, Depth::Float))
            .map_err(|err| err.to_string())?;
        block.floats(spec).extend(&decoded.samples);
        Ok(())
    }
}

/// Parses an `AudioSpecificConfig`. Some writers cut off its last bytes where these would be zero (a `coreCoderDelay`, which AAC
/// LC does not even use), and other decoders take what is missing for zeros.
fn parse(setup: &[u8]) -> rusty_aac::Result<StreamConfig> {
    config::parse(setup).or_else(|_| config::parse(&[setup, &[0; 4]].concat()))
}

/// The speakers as bits of a mask, whose order the samples are in. 0 if they are not known before the first packet.
fn mask(config: &StreamConfig) -> u32 {
    let tags = match &config.pce {
        Some(program) => Some(pce_layout(program)),
        None => default_layout(config.channel_config, false),
    };
    let mask = tags.map(|tags| OutputConfig::configure(tags, false).mask);
    mask.and_then(|mask| u32::try_from(mask).ok()).unwrap_or(0)
}
