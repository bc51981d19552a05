//! Decodes frames of MPEG audio, layer 3 (ISO 11172-3, section 2.4; ISO 13818-3; the unofficial MPEG 2.5), with
//! `rusty_mp3`. `crate::formats` reads the containers.
//!
//! A frame's data may begin in the frames before it (the bit reservoir), so a frame can only be decoded after these.
//! The crate continues when this data is missing, and does not report damaged frames; this module detects missing data
//! and damage from the lengths in the side information. Symphonia's decoder, which was used before, refuses frames of
//! free format, needs 1.1 times as long, and stops where a stream changes between one and two channels.

use super::{
    decoder::Decoder,
    layer2::Layer2,
    mpeg::Header,
    symphonic::{Symphonic, positions},
};
use crate::sound::{
    channels::Channels,
    pcm::{Block, Depth, Spec},
};
use convertd_core::error::Result as Opened;
use rusty_mp3::{
    decode::{Mp3Decode, sideinfo},
    frame::{ChannelMode, GRANULE_LINES, SideInfo},
    header::{FrameHeader, MpegVersion},
};
use symphonia::core::{
    codecs::audio::{
        AudioCodecParameters,
        well_known::{CODEC_ID_MP1, CODEC_ID_MP2},
    },
    packet::PacketRef,
};

/// Bytes of earlier frames that a frame can use at most: `main_data_begin` has nine bits.
const RESERVOIR: usize = 511;

/// A decoder for the frames of a stream.
#[derive(Default)]
pub(crate) struct Mp3 {
    inner: Mp3Decode,
    /// Sampling of the first frame; all others are converted to its number of channels.
    spec: Option<Spec>,
    /// Bytes of earlier frames that the decoder holds.
    reservoir: usize,
    /// The decoder of layers 1 and 2, if the first frame has one of these layers. Containers use the same name for all
    /// three layers.
    lower: Option<Box<dyn Decoder>>,
}

impl Decoder for Mp3 {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let data = packet.data;
        let header = Header::read(data).ok_or("it is not a frame of MPEG audio")?;
        if self.spec.is_none() && header.layer < 3 && self.lower.is_none() {
            self.lower = Some(lower(&header).map_err(|err| err.to_string())?);
        }
        if let Some(lower) = &mut self.lower {
            return lower.decode(packet, block);
        }
        if header.layer != 3 {
            return Err("it is not a frame of layer 3".to_owned());
        }
        let channels = if header.mono {
            Channels::MONO
        } else {
            Channels::STEREO
        };
        let found =
            Spec::new(header.rate(), channels, Depth::Float).map_err(|err| err.to_string())?;
        let spec = *self.spec.get_or_insert(found);
        if spec.rate != found.rate {
            return Err("the sample rate changes".to_owned());
        }
        let frame = frame_header(&header, data);
        let protection = if frame.crc_protected { 2 } else { 0 };
        let (side, main) = data
            .get(Header::SIZE + protection..)
            .and_then(|rest| rest.split_at_checked(frame.side_info_len()))
            .ok_or("a frame is too short for its side information")?;
        let samples = self.samples(&frame, side, main);
        // Later frames can still use this frame's bytes.
        let samples = samples.inspect_err(|_| self.mute(&frame, side, main))?;
        let into = block.floats(spec);
        match (found.channels.count(), spec.channels.count()) {
            (1, 2) => into.extend(samples.iter().flat_map(|sample| [*sample; 2])),
            (2, 1) => into.extend(
                samples
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|[a, b]| (a + b) / 2.0),
            ),
            _ => *into = samples,
        }
        Ok(())
    }
}

/// The decoder for frames of a lower layer.
fn lower(header: &Header) -> Opened<Box<dyn Decoder>> {
    let codec = match header.layer {
        1 => CODEC_ID_MP1,
        _ => CODEC_ID_MP2,
    };
    let mut params = AudioCodecParameters::new();
    params
        .for_codec(codec)
        .with_sample_rate(header.rate())
        .with_channels(positions(if header.mono {
            Channels::MONO
        } else {
            Channels::STEREO
        }));
    Ok(match header.layer {
        1 => Box::new(Symphonic::new(&params)?),
        _ => Box::new(Layer2::new(&params)?),
    })
}

impl Mp3 {
    /// Decodes a frame. After an error, nothing has been decoded.
    fn samples(
        &mut self,
        frame: &FrameHeader,
        side: &[u8],
        main: &[u8],
    ) -> Result<Vec<f32>, String> {
        let info = sideinfo::parse(frame, side).map_err(|err| err.to_string())?;
        let begin = usize::from(info.main_data_begin);
        // The first frames of a stream that was cut out of a longer one refer to data that is missing.
        if begin > self.reservoir {
            self.mute(frame, side, main);
            let channels = frame.channel_mode.channels();
            return Ok(vec![
                0.0;
                frame.version.granules() * GRANULE_LINES * channels
            ]);
        }
        check(frame, &info, begin + main.len())?;
        let samples = self
            .inner
            .decode_frame(frame, side, main)
            .map_err(|err| err.to_string())?;
        self.reservoir = RESERVOIR.min(begin + main.len());
        Ok(samples)
    }

    /// Passes over a frame that cannot be decoded, but keeps its bytes for the next one.
    fn mute(&mut self, frame: &FrameHeader, side: &[u8], main: &[u8]) {
        // All fields of this side information are zero, except `main_data_begin`, which covers the data in the
        // reservoir.
        let mut silent = vec![0; side.len()];
        let begin = self.reservoir.min(match frame.version {
            MpegVersion::V1 => 511,
            _ => 255,
        });
        match frame.version {
            MpegVersion::V1 => silent[..2].copy_from_slice(&((begin as u16) << 7).to_be_bytes()),
            _ => silent[0] = begin as u8,
        }
        if self.inner.decode_frame(frame, &silent, main).is_ok() {
            self.reservoir = RESERVOIR.min(begin + main.len());
        }
    }
}

/// Checks the lengths in a frame's side information. The data has at most `bytes` bytes.
fn check(frame: &FrameHeader, info: &SideInfo, bytes: usize) -> Result<(), String> {
    let channels = frame.channel_mode.channels();
    let mut bits = 0;
    for granule in info.granules.iter().take(frame.version.granules()) {
        for channel in granule.iter().take(channels) {
            if usize::from(channel.big_values) > GRANULE_LINES / 2 {
                return Err(format!(
                    "a granule has {} pairs of values; at most {} are possible",
                    channel.big_values,
                    GRANULE_LINES / 2
                ));
            }
            bits += usize::from(channel.part2_3_length);
        }
    }
    if bits > 8 * bytes {
        return Err(format!(
            "a frame needs {bits} bits, but has only {}",
            8 * bytes
        ));
    }
    Ok(())
}

/// Converts the header to the crate's type. The crate does not use the bit rate, which free format lacks.
fn frame_header(header: &Header, data: &[u8]) -> FrameHeader {
    let (modes, extension) = (data[3] >> 6, data[3] >> 4 & 3);
    FrameHeader {
        version: match header.version {
            3 => MpegVersion::V1,
            2 => MpegVersion::V2,
            _ => MpegVersion::V2_5,
        },
        crc_protected: data[1] & 1 == 0,
        bitrate_kbps: 0,
        sample_rate: header.rate(),
        padding: false,
        channel_mode: match modes {
            0 => ChannelMode::Stereo,
            1 => ChannelMode::JointStereo {
                ms_stereo: extension & 2 != 0,
                intensity_stereo: extension & 1 != 0,
            },
            2 => ChannelMode::DualMono,
            _ => ChannelMode::Mono,
        },
        copyright: false,
        original: false,
        emphasis: 0,
    }
}
