//! MP3 files (ISO 11172-3 and 13818-3, layer 3): an ID3 tag, the encoder's tag that makes players leave out its delay,
//! frames. Mono and stereo. Encodes nothing itself.
//!
//! The encoder's tag is a frame of silence with the length in it. Both encoders write a first frame as long as the tag,
//! and the tag takes its place at the end.

use crate::{
    audio::{
        out::Out,
        sink::{Plan, Settings, Sink, rate_among},
        sound::pcm::{Block, Channels, Depth, Samples, Spec},
        tags::{Tags, id3},
    },
    error::Result,
    job::Quality,
};

#[cfg(feature = "lame")]
use super::lame::Encoder;
#[cfg(not(feature = "lame"))]
use super::pure::Encoder;

/// Sample rates of MPEG 2.5, 2 and 1.
const RATES: [u32; 9] = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
];

/// The closest description that MP3 can hold.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: rate_among(&RATES, source.rate),
        channels: if source.channels.count() == 1 {
            Channels::MONO
        } else {
            Channels::STEREO
        },
        depth: Depth::Float,
    }))
}

/// Begins a file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Mp3::new(
        out,
        settings.spec,
        settings.tags,
        settings.quality,
    )?))
}

/// An MP3 file in the making.
pub(crate) struct Mp3<'a> {
    out: Out<'a>,
    encoder: Encoder,
    /// Where the first frame, the encoder's own tag, stands.
    first: u64,
    bytes: Vec<u8>,
}

impl<'a> Mp3<'a> {
    pub(crate) fn new(mut out: Out<'a>, spec: Spec, tags: &Tags, quality: Quality) -> Result<Self> {
        out.put(&id3::write(tags))?;
        let stereo: u16 = quality.pick(128, 224, 320);
        // Below 32 kHz the format allows at most 160 kbit/s, and half the band needs half the bits.
        let kbps = stereo / if spec.rate < 32_000 { 2 } else { 1 };
        let kbps = kbps / if spec.channels.count() == 1 { 2 } else { 1 };
        Ok(Self {
            first: out.position(),
            out,
            encoder: Encoder::new(spec, kbps)?,
            bytes: Vec::new(),
        })
    }
}

impl Sink for Mp3<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
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
        self.out.finish()
    }
}
