//! Reads ADPCM and GSM in blocks of a fixed size, as in WAV, AU and AIFF-C. The modules of the formats read the
//! headers.
//!
//! The last block is padded, so the length in bytes and the number of sample frames in the header may disagree about
//! the end of the sound. The number of frames is used if, according to it, the sound ends within the last block.

use crate::{
    codecs::{
        decoder::{Decoder, packet},
        decoder_for,
        g726::{self, CODEC_ID_G726, CODEC_ID_G726_LOW},
        gsm::CODEC_ID_GSM_MS,
        symphonic::positions,
    },
    damage::{bad, cut_short, header_error},
    sound::pcm::{Block, Spec},
    source::Source,
    stream::Stream,
};
use convertd_core::error::Result;
use std::io::Read;
use symphonia::core::codecs::audio::{
    AudioCodecId, AudioCodecParameters,
    well_known::{CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS},
};

/// The codec and the size of the blocks.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) codec: AudioCodecId,
    /// Length of a block in bytes.
    pub(crate) bytes: u32,
    /// Sample frames in a block.
    pub(crate) frames: u32,
}

impl Layout {
    /// Returns the layout of G.726 with this many bits per sample. `is_low_first` tells whether the first sample is in
    /// the lowest bits of a byte, or in the highest.
    pub(crate) fn g726(bits: u32, is_low_first: bool) -> Self {
        Self {
            codec: if is_low_first {
                CODEC_ID_G726_LOW
            } else {
                CODEC_ID_G726
            },
            bytes: g726::FRAMES / 8 * bits,
            frames: g726::FRAMES,
        }
    }

    /// Returns the number of bits per sample, rounded down.
    fn bits(self) -> u32 {
        (8 * u64::from(self.bytes) / u64::from(self.frames)) as u32
    }

    /// Returns the number of sample frames in `bytes` bytes of blocks. The last block may be cut short.
    pub(crate) fn frames_in(self, bytes: u64, channels: u64) -> u64 {
        let (whole, rest) = (bytes / u64::from(self.bytes), bytes % u64::from(self.bytes));
        // The last block may be shorter. Its head holds the first frames. A block of GSM that is cut short does not
        // count.
        let (head, first) = match self.codec {
            CODEC_ID_ADPCM_MS => (7 * channels, 2),
            CODEC_ID_ADPCM_IMA_WAV => (4 * channels, 1),
            CODEC_ID_G726 | CODEC_ID_G726_LOW => {
                return 8 * bytes / u64::from(self.bits());
            }
            _ => (u64::MAX, 0),
        };
        let cut = match rest.checked_sub(head) {
            Some(nibbles) => first + nibbles * 2 / channels,
            None => 0,
        };
        whole * u64::from(self.frames) + cut
    }
}

/// A stream of blocks.
pub(crate) struct Blocks<'a> {
    stream: Stream<'a>,
    decoder: Box<dyn Decoder>,
    spec: Spec,
    layout: Layout,
    /// Number of sample frames according to the header.
    promised: u64,
    /// Number of sample frames that have not been returned.
    left: u64,
    /// Fault of the first block that could not be decoded.
    damage: Option<String>,
}

impl<'a> Blocks<'a> {
    /// Makes a source of the blocks until the end of the stream. The header states that there are `length` bytes and
    /// `frames` sample frames; a number that the header does not state is `None`.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if blocks of this layout are impossible.
    pub(crate) fn new(
        stream: Stream<'a>,
        spec: Spec,
        layout: Layout,
        length: Option<u64>,
        frames: Option<u64>,
    ) -> Result<Self> {
        let channels = spec.channels.count() as u32;
        // GSM and G.726 have one channel, and blocks of a fixed size. A sample of ADPCM takes four bits, so a byte
        // holds two.
        let fits = match layout.codec {
            CODEC_ID_GSM_MS => channels == 1,
            CODEC_ID_G726 | CODEC_ID_G726_LOW => channels == 1 && matches!(layout.bits(), 2..=5),
            _ => channels <= 2 && layout.frames <= layout.bytes.saturating_mul(2),
        };
        if layout.bytes == 0 || layout.frames == 0 || !fits {
            return Err(bad(format!(
                "the file's blocks are invalid: {} bytes for {} samples of {channels} channels",
                layout.bytes, layout.frames
            )));
        }
        let mut params = AudioCodecParameters::new();
        params
            .for_codec(layout.codec)
            .with_sample_rate(spec.rate)
            .with_channels(positions(spec.channels))
            .with_bits_per_sample(16)
            .with_bits_per_coded_sample(layout.bits())
            .with_max_frames_per_packet(u64::from(layout.frames))
            .with_frames_per_block(u64::from(layout.frames));
        let in_bytes = |bytes| layout.frames_in(bytes, u64::from(channels));
        let (found, most) = (
            in_bytes(stream.len()),
            in_bytes(length.unwrap_or(stream.len())),
        );
        if found == 0 {
            return Err(bad("the file has a header, but no samples after it"));
        }
        // The last block is padded with zeros. The header may state at which frame of that block the sound ends.
        let known = frames
            .filter(|frames| (most.saturating_sub(layout.frames.into())..most).contains(frames));
        let promised = known.unwrap_or(most);
        Ok(Self {
            stream,
            decoder: decoder_for(&params)?,
            spec,
            layout,
            promised,
            left: found.min(promised),
            damage: None,
        })
    }

    /// Returns the losses that are known before the blocks are read; see [`Opened`](crate::source::Opened).
    pub(crate) fn missing(&self) -> Vec<String> {
        cut_short(self.spec.rate, self.promised, self.left)
            .into_iter()
            .collect()
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
        let size = self.layout.bytes as usize;
        let mut data = Vec::with_capacity(size);
        self.stream
            .by_ref()
            .take(size as u64)
            .read_to_end(&mut data)
            .map_err(header_error)?;
        data.resize(size, 0);
        let frames = self.layout.frames;
        if let Err(err) = self.decoder.decode(&packet(&data, frames.into()), block) {
            self.damage.get_or_insert(err);
            block.silence(self.spec, frames as usize);
        }
        block.trim(0, usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= block.frames() as u64;
        Ok(true)
    }

    fn losses(&mut self) -> Vec<String> {
        let damage = self.damage.take();
        damage
            .map(|err| format!("some of its blocks cannot be decoded ({err})"))
            .into_iter()
            .collect()
    }
}
