//! Encodes MPEG audio, layer 3, with LAME 3.100, which the feature `lame` builds from its C source (LGPL). Writes no
//! file.

use crate::{
    sink::{encoder_error, sanitised},
    sound::pcm::Spec,
};
use convertd_core::error::{Error, Result};
use mp3lame_encoder::{
    Bitrate, Builder, Encoder as Lame, FlushGap, InterleavedPcm, Mode, MonoPcm, Quality, VbrMode,
};
use std::num::NonZeroU32;

/// The bit rates that this encoder is set to, from the lowest rate that the option `bitrate` can ask for.
const RATES: [Bitrate; 13] = [
    Bitrate::Kbps32,
    Bitrate::Kbps40,
    Bitrate::Kbps48,
    Bitrate::Kbps64,
    Bitrate::Kbps80,
    Bitrate::Kbps96,
    Bitrate::Kbps112,
    Bitrate::Kbps128,
    Bitrate::Kbps160,
    Bitrate::Kbps192,
    Bitrate::Kbps224,
    Bitrate::Kbps256,
    Bitrate::Kbps320,
];

/// An encoder for one stream.
pub(crate) struct Encoder {
    inner: Lame,
    stereo: bool,
    samples: Vec<f32>,
}

impl Encoder {
    /// Makes an encoder with the bit rate of [`RATES`] that is nearest to `kbps` kbit/s.
    pub(crate) fn new(spec: Spec, kbps: u16) -> Result<Self> {
        let rate = RATES
            .into_iter()
            .min_by_key(|rate| (*rate as u16).abs_diff(kbps))
            .unwrap_or(Bitrate::Kbps128);
        let stereo = spec.channels.count() == 2;
        let builder =
            Builder::new().ok_or_else(|| Error::internal("the encoder failed", "no memory"))?;
        let inner = builder
            .with_num_channels(1 + u8::from(stereo))
            .and_then(|b| b.with_sample_rate(spec.rate))
            // Otherwise LAME resamples to a rate that it chooses by the bit rate.
            .and_then(|b| b.with_output_sample_rate(NonZeroU32::new(spec.rate)))
            .and_then(|b| {
                b.with_mode(if stereo {
                    Mode::JointStereo
                } else {
                    Mode::Mono
                })
            })
            .and_then(|b| b.with_vbr_mode(VbrMode::Off))
            .and_then(|b| b.with_brate(rate))
            .and_then(|b| b.with_quality(Quality::VeryNice))
            .and_then(|b| b.with_to_write_vbr_tag(true))
            .and_then(Builder::build)
            .map_err(encoder_error)?;
        Ok(Self {
            inner,
            stereo,
            samples: Vec::new(),
        })
    }

    /// Encodes interleaved samples, and appends the finished frames to `output`.
    pub(crate) fn push(&mut self, samples: &[f32], output: &mut Vec<u8>) -> Result<()> {
        self.samples.clear();
        self.samples.extend(samples.iter().map(|x| sanitised(*x)));
        // Buffer size from LAME's documentation: 1.25 bytes for each sample, and 7200 bytes for frames that it holds
        // back.
        output.reserve(samples.len() * 5 / 4 + 7200);
        if self.stereo {
            self.inner
                .encode_to_vec(InterleavedPcm(&self.samples[..]), output)
        } else {
            self.inner.encode_to_vec(MonoPcm(&self.samples[..]), output)
        }
        .map_err(encoder_error)?;
        Ok(())
    }

    /// Appends the last frames. Returns the encoder's tag, which is to replace the first frame.
    pub(crate) fn finish(mut self, output: &mut Vec<u8>) -> Result<Vec<u8>> {
        output.reserve(7200);
        self.inner
            .flush_to_vec::<FlushGap>(output)
            .map_err(encoder_error)?;
        let mut tag = Vec::with_capacity(self.inner.lame_tag_size());
        self.inner.lame_tag_encode_to_vec(&mut tag);
        Ok(tag)
    }
}
