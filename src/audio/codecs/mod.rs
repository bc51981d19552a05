//! Codecs: decoders of packets into samples and, where the encoder is our own, encoders. Open no container.
//!
//! This file chooses the decoder for a track of a container; the decoders do not depend on containers.

pub(crate) mod aac;
pub(crate) mod ac3;
pub(crate) mod amr;
pub(crate) mod decoder;
pub(crate) mod flac;
pub(crate) mod g726;
pub(crate) mod gsm;
pub(crate) mod ima4;
pub(crate) mod layer2;
pub(crate) mod mp3;
pub(crate) mod mpeg;
pub(crate) mod opus;
pub(crate) mod raw;
pub(crate) mod symphonic;
pub(crate) mod vorbis;
pub(crate) mod wavpack;

use self::{
    aac::Aac,
    ac3::decoder::Ac3,
    decoder::Decoder,
    flac::decoder::{Flac, Info},
    g726::{CODEC_ID_G726, CODEC_ID_G726_LOW, G726},
    gsm::{CODEC_ID_GSM_MS, Gsm},
    ima4::Ima4,
    layer2::Layer2,
    mp3::Mp3,
    opus::Opus,
    symphonic::{Symphonic, channels},
    vorbis::decode::Vorbis,
    wavpack::packets::Packets,
};
use crate::sound::{
    channels::Channels,
    pcm::{Depth, Spec},
};
use convertd_core::error::Result;
use symphonia::core::codecs::audio::{
    AudioCodecId, AudioCodecParameters,
    well_known::{
        CODEC_ID_AAC, CODEC_ID_AC3, CODEC_ID_ADPCM_IMA_QT, CODEC_ID_EAC3, CODEC_ID_FLAC,
        CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3, CODEC_ID_OPUS, CODEC_ID_VORBIS, CODEC_ID_WAVPACK,
    },
};

/// Makes the decoder for a track of a container.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a codec that is not supported.
pub(crate) fn decoder_for(params: &AudioCodecParameters) -> Result<Box<dyn Decoder>> {
    let setup = params.extra_data.as_deref().unwrap_or_default();
    let spec = || {
        let layout = match &params.channels {
            Some(layout) => channels(layout)?,
            None => Channels::MONO,
        };
        Spec::new(params.sample_rate.unwrap_or(0), layout, Depth::Int(16))
    };
    Ok(match params.codec {
        CODEC_ID_AAC => Box::new(Aac::new(setup)?),
        CODEC_ID_AC3 | CODEC_ID_EAC3 => Box::new(Ac3::new()),
        CODEC_ID_ADPCM_IMA_QT => Box::new(Ima4::new(spec()?)),
        CODEC_ID_GSM_MS => Box::new(Gsm::new(spec()?)),
        codec @ (CODEC_ID_G726 | CODEC_ID_G726_LOW) => {
            let bits = params.bits_per_coded_sample.unwrap_or(4);
            Box::new(G726::new(spec()?, bits, codec == CODEC_ID_G726_LOW))
        }
        CODEC_ID_FLAC => Box::new(Flac::new(Info::read(setup, 0)?)),
        CODEC_ID_MP2 => Box::new(Layer2::new(params)?),
        CODEC_ID_MP3 => Box::new(Mp3::default()),
        CODEC_ID_OPUS => Box::new(Opus::new(setup)?),
        CODEC_ID_VORBIS => Box::new(Vorbis::from_joined_headers(setup)?),
        CODEC_ID_WAVPACK => Box::new(Packets::new(setup)),
        _ => Box::new(Symphonic::new(params)?),
    })
}

/// Error message for a track whose codec is not supported. `name` is the name of the codec.
pub(crate) fn unsupported(name: &str) -> String {
    format!("the audio track cannot be decoded: its codec is not supported ({name})")
}

/// Returns whether the codec is lossy. GSM and ADPCM, which decode to samples of 16 bits, do not count as lossy here.
pub(crate) fn is_lossy(codec: AudioCodecId) -> bool {
    [
        CODEC_ID_AAC,
        CODEC_ID_AC3,
        CODEC_ID_EAC3,
        CODEC_ID_OPUS,
        CODEC_ID_VORBIS,
        CODEC_ID_MP1,
        CODEC_ID_MP2,
        CODEC_ID_MP3,
    ]
    .contains(&codec)
}
