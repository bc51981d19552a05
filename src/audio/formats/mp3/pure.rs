//! MPEG audio, layer 3, by `rusty_mp3`: what encodes unless the feature `lame` is on. Knows no file.

use crate::{
    audio::{sink::encoder_error, sound::pcm::Spec},
    error::Result,
};
use rusty_mp3::{Mp3Encoder, Mp3EncoderConfig};

/// An encoder of one stream.
pub(crate) struct Encoder {
    inner: Mp3Encoder,
    spec: Spec,
}

impl Encoder {
    /// With an average of `kbps` kilobits a second, or the nearest that the format has.
    pub(crate) fn new(spec: Spec, kbps: u16) -> Result<Self> {
        // A constant bit rate would hold every frame back until the end, up to 192 MB an hour; an average one holds none.
        let inner = Mp3Encoder::new(Mp3EncoderConfig {
            bitrate_kbps: 0,
            vbr_quality: Some(f32::from(kbps)),
        });
        Ok(Self { inner, spec })
    }

    /// Encodes interleaved samples and appends what frames are ready to `output`.
    pub(crate) fn push(&mut self, samples: &[f32], output: &mut Vec<u8>) -> Result<()> {
        let channels = self.spec.channels.count() as u16;
        self.inner
            .push_pcm_f32(samples, channels, self.spec.rate)
            .map_err(encoder_error)?;
        self.drain(output);
        Ok(())
    }

    /// Appends the last frames; gives the encoder's tag, which takes the place of the first frame.
    pub(crate) fn finish(mut self, output: &mut Vec<u8>) -> Result<Vec<u8>> {
        self.inner.finish();
        self.drain(output);
        Ok(self.inner.lame_tag_frame().unwrap_or_default().to_vec())
    }

    fn drain(&mut self, output: &mut Vec<u8>) {
        while let Ok(packet) = self.inner.next_packet() {
            output.extend(packet);
        }
    }
}
