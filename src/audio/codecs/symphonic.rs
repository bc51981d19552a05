//! Adapts Symphonia's decoders to the trait [`Decoder`]: MPEG layers 1 and 2, ALAC, ADPCM and PCM in containers, which
//! `crate::formats` reads.
//!
//! Symphonia returns integers of any depth in the top bits of 32-bit numbers. Here they are shifted down to the depth
//! that the container or the codec's configuration states, so that the result has no more bits than the source.

use super::decoder::Decoder;
use crate::{
    damage::bad,
    sound::{
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::error::Result;
use symphonia::core::{
    audio::{Channels as SymphoniaChannels, GenericAudioBufferRef, Position},
    codecs::audio::{
        AudioCodecParameters, AudioDecoder, AudioDecoderOptions, well_known::CODEC_ID_ALAC,
    },
    packet::PacketRef,
};

/// Largest number of sample frames that a packet may have. It limits the memory that a decoder takes.
const MAX_PACKET_FRAMES: u64 = 1 << 16;

/// A decoder of Symphonia.
pub(crate) struct Symphonic {
    inner: Box<dyn AudioDecoder>,
    /// Bits per sample that the container or the codec's configuration states; 32 if `None`.
    bits: Option<u32>,
}

impl Symphonic {
    /// Makes the decoder for a codec.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if Symphonia has no decoder for the codec, or
    /// if a packet may have more than [`MAX_PACKET_FRAMES`] samples per channel.
    pub(crate) fn new(params: &AudioCodecParameters) -> Result<Self> {
        if let Some(frames) = params.max_frames_per_packet
            && frames > MAX_PACKET_FRAMES
        {
            return Err(bad(format!(
                "the file's header says that a packet has {frames} samples per channel; at most {MAX_PACKET_FRAMES} are supported"
            )));
        }
        let options = AudioDecoderOptions::default().gapless(true);
        let inner = symphonia::default::get_codecs()
            .make_audio_decoder(params, &options)
            .map_err(|err| {
                bad(format!("the audio track cannot be decoded: {err}")).caused_by(err)
            })?;
        let bits = match params.codec {
            // ALAC states the depth in its magic cookie.
            CODEC_ID_ALAC => cookie_depth(params.extra_data.as_deref().unwrap_or_default()),
            _ => params.bits_per_sample,
        };
        Ok(Self { inner, bits })
    }
}

/// Reads the sample depth from an ALAC magic cookie, with or without the boxes around it.
fn cookie_depth(cookie: &[u8]) -> Option<u32> {
    let config = cookie
        .windows(4)
        .position(|window| window == b"alac")
        .and_then(|at| cookie.get(at + 8..))
        .unwrap_or(cookie);
    config.get(5).map(|bits| u32::from(*bits))
}

impl Decoder for Symphonic {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let buffer = self
            .inner
            .decode_ref(packet)
            .map_err(|err| err.to_string())?;
        let channels = channels(buffer.spec().channels()).map_err(|err| err.to_string())?;
        let rate = buffer.spec().rate();
        let (depth, shift) = match &buffer {
            GenericAudioBufferRef::F32(_) | GenericAudioBufferRef::F64(_) => (Depth::Float, 0),
            GenericAudioBufferRef::U8(_) | GenericAudioBufferRef::S8(_) => (Depth::Int(8), 24),
            GenericAudioBufferRef::U16(_) | GenericAudioBufferRef::S16(_) => (Depth::Int(16), 16),
            GenericAudioBufferRef::U24(_) | GenericAudioBufferRef::S24(_) => (Depth::Int(24), 8),
            GenericAudioBufferRef::U32(_) | GenericAudioBufferRef::S32(_) => {
                let bits = self
                    .bits
                    .filter(|bits| (1..=32).contains(bits))
                    .unwrap_or(32);
                (Depth::Int(bits), 32 - bits)
            }
        };
        let spec = Spec::new(rate, channels, depth).map_err(|err| err.to_string())?;
        match depth {
            Depth::Float => buffer.copy_to_vec_interleaved(block.floats(spec)),
            Depth::Int(_) => {
                let samples = block.ints(spec);
                buffer.copy_to_vec_interleaved(samples);
                if shift > 0 {
                    samples.iter_mut().for_each(|sample| *sample >>= shift);
                }
            }
        }
        Ok(())
    }
}

/// Converts Symphonia's channels to ours.
pub(crate) fn channels(channels: &SymphoniaChannels) -> Result<Channels> {
    let count = channels.count() as u32;
    match channels {
        SymphoniaChannels::Positioned(positions) => {
            // Symphonia's first 18 positions are those of a WAVE speaker mask.
            let mask = u32::try_from(positions.bits() & 0x3_ffff).unwrap_or(0);
            Channels::with_mask(count, mask)
        }
        _ => Channels::of(count),
    }
}

/// Converts our channels to Symphonia's.
pub(crate) fn positions(channels: Channels) -> SymphoniaChannels {
    match Position::from_wave_channel_mask(channels.mask()) {
        Some(positions) if channels.mask() != 0 => SymphoniaChannels::Positioned(positions),
        _ => SymphoniaChannels::Discrete(channels.count() as u16),
    }
}
