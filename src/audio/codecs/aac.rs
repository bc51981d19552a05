//! Decodes AAC access units (ISO 14496-3) with `rusty_aac`: LC, Main, LTP, HE and HE v2, LD, with 1024 and 960 samples
//! per frame, up to 7.1. `crate::formats` reads the containers.
//!
//! The trap: HE-AAC is decoded at twice the sample rate that its container states; `Track` adjusts to that.
//!
//! The crate `syom`, which is the encoder here, could decode, too, but takes 1.75 times as long as `rusty_aac` for the
//! same stereo sound.

use super::decoder::Decoder;
use crate::{
    damage::bad,
    sound::{
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::error::Result;
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
    /// Speaker mask of the channels; 0 if the configuration does not determine it.
    mask: u32,
}

impl Aac {
    /// Makes a decoder from an `AudioSpecificConfig`.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a profile that is not supported.
    pub(crate) fn new(setup: &[u8]) -> Result<Self> {
        let unsupported = |err| bad(format!("the AAC stream cannot be decoded: {err}"));
        if let Some(name) = other_codec(setup) {
            return Err(bad(super::unsupported(name)));
        }
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

/// Parses an `AudioSpecificConfig`. Some writers cut off its last bytes where these would be zero (a `coreCoderDelay`,
/// which AAC LC does not even use), and other decoders read missing bytes as zeros.
fn parse(setup: &[u8]) -> rusty_aac::Result<StreamConfig> {
    config::parse(setup).or_else(|_| config::parse(&[setup, &[0; 4]].concat()))
}

/// The name of a codec other than AAC that has the same configuration, by its audio object type (ISO 14496-3, table
/// 1.17). `None` for AAC, and for types that are not listed here.
fn other_codec(setup: &[u8]) -> Option<&'static str> {
    let (first, second) = (*setup.first()?, *setup.get(1)?);
    // Five bits; if all are set, six more bits state the number from 32 on.
    let kind = match first >> 3 {
        31 => 32 + ((first & 7) << 3 | second >> 5),
        kind => kind,
    };
    Some(match kind {
        8 => "CELP",
        9 => "HVXC",
        24 | 25 => "HILN",
        28 => "SSC",
        32..=34 => "MPEG audio in an MP4 configuration",
        35 => "DST",
        36 => "MPEG-4 ALS",
        37 | 38 => "MPEG-4 SLS",
        42 => "xHE-AAC (USAC)",
        _ => return None,
    })
}

/// The sample rates in hertz, by their index in headers and configurations (ISO 14496-3, table 1.18).
pub(crate) const RATES: [u32; 13] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    7350,
];

/// An `AudioSpecificConfig` of AAC LC for containers that may leave it out (ISO 14496-3, section 1.6.2.1). A rate that
/// is not in [`RATES`] is written as 44,100 Hz.
pub(crate) fn configuration(rate: u32, channels: u32) -> Vec<u8> {
    let index = RATES.iter().position(|known| *known == rate).unwrap_or(4) as u16;
    let configuration = match channels {
        8 => 7,
        count => count.min(6) as u16,
    };
    (2 << 11 | index << 7 | configuration << 3)
        .to_be_bytes()
        .to_vec()
}

/// The speaker mask; the samples are in the order of its bits. 0 if the channels are unknown before the first packet.
fn mask(config: &StreamConfig) -> u32 {
    let tags = match &config.pce {
        Some(program) => Some(pce_layout(program)),
        None => default_layout(config.channel_config, false),
    };
    let mask = tags.map(|tags| OutputConfig::configure(tags, false).mask);
    mask.and_then(|mask| u32::try_from(mask).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_codecs_of_mpeg_4_are_named() {
        assert_eq!(other_codec(&configuration(44_100, 2)), None);
        // The bits of the object type are 11111 000100: 32 + 4.
        assert_eq!(other_codec(&[0xf8, 0x80]), Some("MPEG-4 ALS"));
        assert_eq!(other_codec(&[0xf9, 0x40]), Some("xHE-AAC (USAC)"));
        let err = Aac::new(&[0xf8, 0x80]).err().unwrap();
        assert!(err.message().contains("(MPEG-4 ALS)"), "{err}");
    }
}
