//! Writes MP3 files (ISO 11172-3 and 13818-3, layer 3), mono or stereo: an ID3 tag, the encoder's tag, and the frames.
//! The module `lame` or `pure` encodes the frames.
//!
//! The encoder's tag states the length of the sound and of the encoder's delay. It has the form of a silent frame. Its
//! content is known only at the end, so the encoder, LAME or `rusty_mp3`, first writes a frame of the same length,
//! which the tag then replaces.

use crate::{
    out::Out,
    sink::{Plan, Settings, Sink, layout_among, rate_among},
    sound::{
        channels::LAYOUTS,
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::id3,
};
use convertd_core::error::Result;

#[cfg(feature = "lame")]
use super::lame::Encoder;
#[cfg(not(feature = "lame"))]
use super::pure::Encoder;

/// The sample rates of MPEG 2.5, 2 and 1 in hertz.
const RATES: [u32; 9] = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
];

/// Returns the sample rate and the channels that MP3 can hold and that are closest to those of the source.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: rate_among(&RATES, source.rate),
        channels: layout_among(&LAYOUTS[..2], source.channels)?,
        depth: Depth::Float,
    }))
}

/// Begins an MP3 file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Mp3::new(out, settings)?))
}

/// An MP3 file that is being written.
pub(crate) struct Mp3<'a> {
    out: Out<'a>,
    encoder: Encoder,
    /// Position of the first frame, which the encoder's tag replaces.
    first: u64,
    /// The end of the last chapter in the tag at the beginning of the file.
    last_end: Option<id3::LastEnd>,
    /// Number of sample frames written so far.
    frames: u64,
    /// Sample rate in hertz.
    rate: u32,
    bytes: Vec<u8>,
}

impl<'a> Mp3<'a> {
    pub(crate) fn new(mut out: Out<'a>, settings: &Settings<'_>) -> Result<Self> {
        let (spec, tags) = (settings.spec, settings.tags);
        let tag = id3::write(tags);
        out.put(&tag.bytes)?;
        let stereo: u16 = settings.pick(64.0, 128.0, 224.0, 320.0).round() as u16;
        // Below 32 kHz the format allows at most 160 kbit/s, and half the bandwidth needs only half the bits.
        let kbps = stereo / if spec.rate < 32_000 { 2 } else { 1 };
        let kbps = kbps / if spec.channels.count() == 1 { 2 } else { 1 };
        let kbps = settings
            .bit_rate
            .map_or(kbps, |rate| rate.clamp(32, 320) as u16);
        Ok(Self {
            first: out.position(),
            out,
            encoder: Encoder::new(spec, kbps)?,
            last_end: tag.last_end,
            frames: 0,
            rate: spec.rate,
            bytes: Vec::new(),
        })
    }
}

impl Sink for Mp3<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        self.frames += block.frames() as u64;
        if let Samples::Float(samples) = &block.samples {
            self.encoder.push(samples, &mut self.bytes)?;
        }
        self.out.put(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let tag = self.encoder.finish(&mut self.bytes)?;
        self.out.put(&self.bytes)?;
        self.out.patch(self.first, &tag)?;
        if let Some(last) = self.last_end {
            let (at, end) = last.of(self.frames, self.rate);
            self.out.patch(at as u64, &end)?;
        }
        self.out.finish()
    }
}
