//! MP3 (ISO 11172-3 and 13818-3, layer 3) by `rusty_mp3`, with an ID3 tag before it and the encoder's tag that makes
//! players leave out its delay. Mono and stereo.

use super::{
    super::{
        id3,
        pcm::{Block, Channels, Depth, Samples, Spec},
        tags::Tags,
    },
    Out, Sink, encoder_error,
};
use crate::{convert::Quality, error::Result};
use rusty_mp3::{Mp3Encoder, Mp3EncoderConfig};

const RATES: [u32; 9] = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
];

/// The closest description that MP3 can hold.
pub(super) fn plan(source: Spec) -> Spec {
    Spec {
        rate: super::rate_among(&RATES, source.rate),
        channels: if source.channels.count() == 1 {
            Channels::MONO
        } else {
            Channels::STEREO
        },
        depth: Depth::Float,
    }
}

/// An MP3 file in the making.
pub(super) struct Mp3<'a> {
    out: Out<'a>,
    encoder: Mp3Encoder,
    spec: Spec,
    /// Where the first frame, the encoder's own tag, stands.
    first: u64,
}

impl<'a> Mp3<'a> {
    pub(super) fn new(mut out: Out<'a>, spec: Spec, tags: &Tags, quality: Quality) -> Result<Self> {
        out.put(&id3::write(tags))?;
        let stereo = quality.pick(128.0, 224.0, 320.0);
        // Below 32 kHz the format ends at 160 kbit/s, and half of the band needs half of the bits.
        let kbps = stereo * if spec.rate < 32_000 { 0.5 } else { 1.0 };
        let kbps = kbps * if spec.channels.count() == 1 { 0.5 } else { 1.0 };
        // An average rate is the mode of the encoder that holds no frames back.
        let encoder = Mp3Encoder::new(Mp3EncoderConfig {
            bitrate_kbps: 0,
            vbr_quality: Some(kbps),
        });
        Ok(Self {
            first: out.position(),
            out,
            encoder,
            spec,
        })
    }

    fn drain(&mut self) -> Result<()> {
        while let Ok(packet) = self.encoder.next_packet() {
            self.out.put(&packet)?;
        }
        Ok(())
    }
}

impl Sink for Mp3<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        if let Samples::Float(samples) = &block.samples {
            self.encoder
                .push_pcm_f32(samples, self.spec.channels.count() as u16, self.spec.rate)
                .map_err(encoder_error)?;
        }
        self.drain()
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.encoder.finish();
        self.drain()?;
        if let Some(tag) = self.encoder.lame_tag_frame() {
            self.out.patch(self.first, tag)?;
        }
        self.out.finish()
    }
}
