//! Encodes MPEG audio, layer 3, with `rusty_mp3`, unless the feature `lame` is on. Writes no file.

use crate::{sink::encoder_error, sound::pcm::Spec};
use convertd_core::error::Result;
use rusty_mp3::{Mp3Encoder, Mp3EncoderConfig};

/// An encoder for one stream.
pub(crate) struct Encoder {
    inner: Mp3Encoder,
    spec: Spec,
}

impl Encoder {
    /// Makes an encoder with an average of `kbps` kbit/s, or the nearest rate that the format has.
    pub(crate) fn new(spec: Spec, kbps: u16) -> Result<Self> {
        // With a constant bit rate, this encoder would hold back every frame until the end, up to 192 MB per hour of
        // sound. With an average rate it holds back none.
        let inner = Mp3Encoder::new(Mp3EncoderConfig {
            bitrate_kbps: 0,
            vbr_quality: Some(f32::from(kbps)),
        });
        Ok(Self { inner, spec })
    }

    /// Encodes interleaved samples and appends complete frames to `output`.
    pub(crate) fn push(&mut self, samples: &[f32], output: &mut Vec<u8>) -> Result<()> {
        let channels = self.spec.channels.count() as u16;
        self.inner
            .push_pcm_f32(samples, channels, self.spec.rate)
            .map_err(encoder_error)?;
        self.drain(output);
        Ok(())
    }

    /// Appends the last frames. Returns the encoder's tag, which is to replace the first frame.
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
