//! Symphonia's decoders behind this module's own types. Opens no container.

use super::{
    super::{
        pcm::{Block, Channels, Depth, Spec},
        stream::Stream,
    },
    Source, bad, cut_short, header_error,
};
use crate::error::Result;
use std::io::Read;
use symphonia::core::{
    audio::{Channels as SymphoniaChannels, GenericAudioBufferRef, Position},
    codecs::audio::{
        AudioCodecId, AudioCodecParameters, AudioDecoder, AudioDecoderOptions,
        well_known::{CODEC_ID_AAC, CODEC_ID_ALAC, CODEC_ID_FLAC, CODEC_ID_OPUS, CODEC_ID_VORBIS},
    },
    packet::PacketRef,
    units::{Duration, Timestamp},
};

/// Most frames of one packet that are kept memory for.
const MAX_PACKET_FRAMES: u64 = 1 << 16;

/// Turns packets into blocks.
pub(super) trait Decoder {
    /// Decodes one packet. The block's description says what came out.
    ///
    /// Errors: what is wrong with the packet; the next one may be good again.
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String>;

    /// By how much the first packets of a stream move the position in its container, in frames.
    fn advance(&self, _packets: &[Vec<u8>]) -> u64 {
        0
    }

    /// Whether the checksum of all samples is the one in the stream's header, if it has one.
    fn verified(&mut self) -> Option<bool> {
        None
    }
}

/// The decoder for a track of a container.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a codec that is not supported.
pub(super) fn decoder_for(params: &AudioCodecParameters) -> Result<Box<dyn Decoder>> {
    let setup = params.extra_data.as_deref().unwrap_or_default();
    match params.codec {
        CODEC_ID_AAC => Ok(Box::new(super::aac::Aac::new(setup)?)),
        CODEC_ID_OPUS => Ok(Box::new(super::opus::Opus::new(setup)?)),
        CODEC_ID_VORBIS => Ok(Box::new(super::vorbis::Vorbis::from_joined_headers(setup)?)),
        _ => Ok(Box::new(Symphonic::new(params)?)),
    }
}

/// Whether the codec loses something.
pub(super) fn is_lossy(codec: AudioCodecId) -> bool {
    use symphonia::core::codecs::audio::well_known::{CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3};
    [
        CODEC_ID_AAC,
        CODEC_ID_OPUS,
        CODEC_ID_VORBIS,
        CODEC_ID_MP1,
        CODEC_ID_MP2,
        CODEC_ID_MP3,
    ]
    .contains(&codec)
}

/// One of Symphonia's own decoders.
pub(super) struct Symphonic {
    inner: Box<dyn AudioDecoder>,
    bits: Option<u32>,
}

impl Symphonic {
    /// The decoder for a codec.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if there is none.
    pub(super) fn new(params: &AudioCodecParameters) -> Result<Self> {
        if params
            .max_frames_per_packet
            .is_some_and(|frames| frames > MAX_PACKET_FRAMES)
        {
            return Err(bad(
                "the file's packets are longer than any encoder makes them",
            ));
        }
        let options = AudioDecoderOptions::default().gapless(true).verify(true);
        let inner = symphonia::default::get_codecs()
            .make_audio_decoder(params, &options)
            .map_err(|err| {
                bad(format!("the sound in the file cannot be decoded: {err}")).caused_by(err)
            })?;
        let bits = match params.codec {
            // ALAC keeps the depth in its cookie.
            CODEC_ID_ALAC => cookie_depth(params.extra_data.as_deref().unwrap_or_default()),
            CODEC_ID_FLAC => inner.codec_params().bits_per_sample,
            _ => params.bits_per_sample,
        };
        Ok(Self { inner, bits })
    }
}

/// The sample depth in an ALAC magic cookie, with or without the boxes around it.
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

    fn verified(&mut self) -> Option<bool> {
        self.inner.finalize().verify_ok
    }
}

/// Symphonia's channels as ours.
pub(super) fn channels(channels: &SymphoniaChannels) -> Result<Channels> {
    let count = channels.count() as u32;
    match channels {
        SymphoniaChannels::Positioned(positions) => {
            // The first 18 positions are those of a WAVE speaker mask.
            let mask = u32::try_from(positions.bits() & 0x3_ffff).unwrap_or(0);
            Channels::with_mask(count, mask)
        }
        _ => Channels::of(count),
    }
}

/// Our channels as Symphonia's.
fn positions(channels: Channels) -> SymphoniaChannels {
    match Position::from_wave_channel_mask(channels.mask()) {
        Some(positions) if channels.mask() != 0 => SymphoniaChannels::Positioned(positions),
        _ => SymphoniaChannels::Discrete(channels.count() as u16),
    }
}

/// Blocks of one size, one after the other, as ADPCM stands in WAV and AIFF-C.
pub(super) struct Blocks<'a> {
    stream: Stream<'a>,
    decoder: Symphonic,
    spec: Spec,
    block: usize,
    frames_per_block: u32,
    left: u64,
}

impl<'a> Blocks<'a> {
    /// Blocks of `block` bytes that hold `frames_per_block` frames each, until the stream ends.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if such blocks make no sense.
    pub(super) fn new(
        stream: Stream<'a>,
        spec: Spec,
        codec: AudioCodecId,
        block: u32,
        frames_per_block: u32,
    ) -> Result<Self> {
        let channels = spec.channels.count() as u32;
        // Four bits a sample at most leave no room for more.
        if block == 0 || frames_per_block == 0 || channels > 2 || frames_per_block > 2 * block + 2 {
            return Err(bad("the file's ADPCM blocks make no sense"));
        }
        let mut params = AudioCodecParameters::new();
        params
            .for_codec(codec)
            .with_sample_rate(spec.rate)
            .with_channels(positions(spec.channels))
            .with_bits_per_sample(16)
            .with_max_frames_per_packet(u64::from(frames_per_block))
            .with_frames_per_block(u64::from(frames_per_block));
        let blocks = stream.len() / u64::from(block);
        if blocks == 0 {
            return Err(bad("the file has a header and no sound after it"));
        }
        Ok(Self {
            stream,
            decoder: Symphonic::new(&params)?,
            spec,
            block: block as usize,
            frames_per_block,
            left: blocks * u64::from(frames_per_block),
        })
    }

    /// Says how many frames there really are.
    pub(super) fn limit(&mut self, frames: u64) {
        self.left = self.left.min(frames);
    }
}

impl Source for Blocks<'_> {
    fn spec(&self) -> Spec {
        self.spec
    }

    fn frames(&self) -> Option<u64> {
        Some(self.left)
    }

    fn lossy(&self) -> bool {
        true
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        let mut data = vec![0; self.block];
        self.stream.read_exact(&mut data).map_err(header_error)?;
        let length = Duration::from(u64::from(self.frames_per_block));
        let packet = PacketRef::new(0, Timestamp::ZERO, length, &data);
        self.decoder
            .decode(&packet, block)
            .map_err(|err| bad(format!("the sound in the file is damaged: {err}")))?;
        block.trim(0, usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= block.frames() as u64;
        Ok(true)
    }
}

/// Decoded frames with what has to be cut off at both ends, and what went wrong on the way.
pub(super) struct Track {
    decoder: Box<dyn Decoder>,
    spec: Spec,
    lossy: bool,
    /// Frames still to drop at the beginning.
    skip: u64,
    /// Frames to hand over in all, if that is known.
    total: Option<u64>,
    /// Whether fewer frames than `total` mean that something is missing.
    strict: bool,
    done: u64,
    damaged: u64,
    good: u64,
    last_frames: usize,
    first_error: Option<String>,
}

impl Track {
    /// A track whose decoder says nothing about delays.
    pub(super) fn new(decoder: Box<dyn Decoder>, spec: Spec, lossy: bool) -> Self {
        Self {
            decoder,
            spec,
            lossy,
            skip: 0,
            total: None,
            strict: false,
            done: 0,
            damaged: 0,
            good: 0,
            last_frames: 0,
            first_error: None,
        }
    }

    /// See [`Decoder::advance`].
    pub(super) fn advance(&self, packets: &[Vec<u8>]) -> u64 {
        self.decoder.advance(packets)
    }

    /// Drops `skip` frames at the beginning and ends after `total` more.
    pub(super) fn cut(&mut self, skip: u64, total: Option<u64>) {
        self.skip = skip;
        self.total = total;
    }

    /// Ends after `total` frames, counted without those to drop.
    pub(super) fn end_after(&mut self, total: u64) {
        self.total = Some(total);
        self.strict = true;
    }

    /// Says that fewer frames than the total mean that the file is incomplete.
    pub(super) fn be_strict(&mut self) {
        self.strict = true;
    }

    pub(super) fn spec(&self) -> Spec {
        self.spec
    }

    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    pub(super) fn lossy(&self) -> bool {
        self.lossy
    }

    /// Whether everything has been handed over.
    pub(super) fn is_complete(&self) -> bool {
        self.total.is_some_and(|total| self.done >= total)
    }

    /// Decodes a packet. A damaged one of a lossy codec becomes silence of the same length.
    ///
    /// Errors: damage in a lossless stream.
    pub(super) fn push(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<()> {
        match self.decoder.decode(packet, block) {
            Ok(()) => {
                if self.good == 0 {
                    self.settle(block.spec);
                }
                self.good += 1;
                self.last_frames = block.frames();
            }
            Err(error) if self.lossy => {
                self.damaged += 1;
                self.first_error.get_or_insert(error);
                let length = self.last_frames * self.spec.channels.count();
                block.floats(self.spec).resize(length, 0.0);
            }
            Err(error) => return Err(bad(format!("the sound in the file is damaged: {error}"))),
        }
        let frames = block.frames();
        let skip = self.skip.min(frames as u64) as usize;
        self.skip -= skip as u64;
        let left = self
            .total
            .map_or(u64::MAX, |total| total.saturating_sub(self.done));
        block.trim(skip, usize::try_from(left).unwrap_or(usize::MAX));
        self.done += block.frames() as u64;
        Ok(())
    }

    /// Believes the decoder rather than the container, which is vague about depth and knows nothing of the doubled
    /// rate of HE-AAC.
    fn settle(&mut self, spec: Spec) {
        let (from, to) = (u64::from(self.spec.rate), u64::from(spec.rate));
        self.skip = self.skip * to / from;
        self.total = self.total.map(|total| total.saturating_mul(to) / from);
        self.spec = spec;
    }

    /// Takes stock at the end.
    ///
    /// Errors: nothing could be decoded, or what was decoded is not what had been encoded.
    pub(super) fn finish(&mut self) -> Result<()> {
        if self.good == 0 {
            let cause = self
                .first_error
                .take()
                .unwrap_or_else(|| "there is no sound in it".to_owned());
            return Err(bad(format!(
                "nothing in the file could be decoded: {cause}"
            )));
        }
        let complete = !self.strict || self.total.is_none_or(|total| self.done >= total);
        if complete && self.decoder.verified() == Some(false) {
            return Err(bad(
                "the sound in the file is damaged: its checksum is wrong",
            ));
        }
        Ok(())
    }

    pub(super) fn remarks(&mut self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.damaged > 0 {
            remarks.push(format!(
                "{} damaged packets were replaced by silence.",
                self.damaged
            ));
        }
        if let (true, Some(total)) = (self.strict, self.total) {
            remarks.extend(cut_short(self.spec.rate, total, self.done));
        }
        remarks
    }
}
