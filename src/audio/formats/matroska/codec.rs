//! The codecs of Matroska's tracks ("Matroska Codec Specifications", Internet-Draft draft-ietf-cellar-codec), as
//! parameters of a decoder. Decodes nothing.
//!
//! A codec is identified by a text. Its configuration has the form of the codec's own specification, with three
//! exceptions: Vorbis has three headers laced together, FLAC its metadata blocks, and codecs from AVI or WAV
//! (`A_MS/ACM`) have a WAVEFORMATEX.

use super::{lacing, tracks::Entry};
use crate::{
    codecs::{aac, opus, unsupported},
    formats::wav,
};
use symphonia::core::{
    audio::Channels,
    codecs::audio::{AudioCodecId, AudioCodecParameters, well_known::*},
};

/// Length of the head of a FLAC metadata block, in bytes.
const FLAC_HEAD: usize = 4;
/// Length of the FLAC metadata block that describes the stream, in bytes.
const STREAM_INFO: usize = 34;
/// Length of a WAVEFORMATEX without extensions, in bytes.
const WAVE_FORMAT: usize = 18;

/// Codecs whose packets and configurations are used as they are.
const PLAIN: [(&str, AudioCodecId); 11] = [
    ("A_MPEG/L1", CODEC_ID_MP1),
    ("A_MPEG/L2", CODEC_ID_MP2),
    ("A_MPEG/L3", CODEC_ID_MP3),
    ("A_AC3", CODEC_ID_AC3),
    ("A_AC3/BSID9", CODEC_ID_AC3),
    ("A_AC3/BSID10", CODEC_ID_AC3),
    ("A_EAC3", CODEC_ID_EAC3),
    ("A_EAC3/ATMOS", CODEC_ID_EAC3),
    ("A_ALAC", CODEC_ID_ALAC),
    ("A_WAVPACK4", CODEC_ID_WAVPACK),
    ("A_OPUS/EXPERIMENTAL", CODEC_ID_OPUS),
];

/// Names of codecs that are not supported, by the beginnings of their identifiers.
const OTHERS: [(&str, &str); 8] = [
    ("A_DTS", "DTS"),
    ("A_TRUEHD", "Dolby TrueHD"),
    ("A_MLP", "Meridian Lossless Packing"),
    ("A_TTA", "TTA"),
    ("A_MPC", "Musepack"),
    ("A_REAL", "RealAudio"),
    ("A_ATRAC", "ATRAC"),
    ("A_QUICKTIME", "a codec of QuickTime"),
];

/// The parameters for a track's decoder.
///
/// Errors: the reason why the codec is not supported, or its configuration is invalid.
pub(super) fn parameters(entry: &Entry) -> Result<AudioCodecParameters, String> {
    let mut params = AudioCodecParameters::new();
    let (mut channels, mut rate, mut bits) = (entry.channels, entry.rate, entry.bits);
    let mut setup = entry.setup.clone();
    params.codec = match entry.codec.as_str() {
        "A_OPUS" => {
            // The delay is in nanoseconds.
            let delay = entry.delay.saturating_mul(opus::RATE.into()) / 1_000_000_000;
            if setup.is_empty() {
                setup = opus::header(channels, delay);
            }
            // Opus is always decoded at this rate. The file may state the rate of the original.
            rate = opus::RATE;
            CODEC_ID_OPUS
        }
        "A_VORBIS" => {
            setup = vorbis(&setup).ok_or("its Vorbis headers are damaged")?;
            CODEC_ID_VORBIS
        }
        "A_FLAC" => {
            setup = flac(&setup).ok_or("its FLAC header is damaged")?;
            CODEC_ID_FLAC
        }
        "A_PCM/INT/LIT" => integers(bits, true)?,
        "A_PCM/INT/BIG" => integers(bits, false)?,
        "A_PCM/FLOAT/IEEE" => floats(bits)?,
        "A_MS/ACM" => {
            let format = setup
                .get(..WAVE_FORMAT - 2)
                .ok_or("its WAVEFORMATEX is cut short")?;
            let word = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
            let tag = word(0);
            channels = word(2).into();
            rate = u32::from(word(4)) | u32::from(word(6)) << 16;
            bits = word(14).into();
            let codec = wave(tag, bits)?;
            if matches!(codec, CODEC_ID_PCM_ALAW | CODEC_ID_PCM_MULAW) {
                // The eight bits are the size of a code, and not the depth of the decoded samples.
                bits = 0;
            }
            setup = setup.get(WAVE_FORMAT..).unwrap_or_default().to_vec();
            codec
        }
        name if name.starts_with("A_AAC") => {
            if setup.is_empty() {
                setup = aac::configuration(rate, channels);
            }
            CODEC_ID_AAC
        }
        name => match PLAIN.iter().find(|(known, _)| *known == name) {
            Some((_, codec)) => *codec,
            None => {
                let known = OTHERS.iter().find(|(start, _)| name.starts_with(start));
                return Err(unsupported(known.map_or(name, |(_, known)| known)));
            }
        },
    };
    params.with_sample_rate(rate);
    params.with_channels(Channels::Discrete(channels.min(u16::MAX.into()) as u16));
    if bits > 0 {
        params.with_bits_per_sample(bits);
    }
    if !setup.is_empty() {
        params.with_extra_data(setup.into());
    }
    Ok(params)
}

fn integers(bits: u32, little: bool) -> Result<AudioCodecId, String> {
    Ok(match (bits, little) {
        (8, _) => CODEC_ID_PCM_U8,
        (16, true) => CODEC_ID_PCM_S16LE,
        (16, false) => CODEC_ID_PCM_S16BE,
        (24, true) => CODEC_ID_PCM_S24LE,
        (24, false) => CODEC_ID_PCM_S24BE,
        (32, true) => CODEC_ID_PCM_S32LE,
        (32, false) => CODEC_ID_PCM_S32BE,
        _ => return Err(unsupported(&format!("PCM of {bits} bits"))),
    })
}

fn floats(bits: u32) -> Result<AudioCodecId, String> {
    match bits {
        32 => Ok(CODEC_ID_PCM_F32LE),
        64 => Ok(CODEC_ID_PCM_F64LE),
        _ => Err(unsupported(&format!("floating-point PCM of {bits} bits"))),
    }
}

/// The codec of a format tag of WAV.
fn wave(tag: u16, bits: u32) -> Result<AudioCodecId, String> {
    Ok(match tag {
        1 => return integers(bits, true),
        3 => return floats(bits),
        6 => CODEC_ID_PCM_ALAW,
        7 => CODEC_ID_PCM_MULAW,
        0x50 => CODEC_ID_MP2,
        0x55 => CODEC_ID_MP3,
        0xff => CODEC_ID_AAC,
        0x2000 => CODEC_ID_AC3,
        _ => {
            let name = wav::codec_name(tag).unwrap_or("unknown");
            return Err(unsupported(&format!("{name} (format tag {tag:#06x})")));
        }
    })
}

/// The first and the third header of Vorbis, concatenated.
fn vorbis(setup: &[u8]) -> Option<Vec<u8>> {
    // `lacing::packets` expects a block, which begins with flags. 0x02 stands for Xiph's lacing.
    let laced = [&[0x02], setup].concat();
    let headers = lacing::packets(&laced)?;
    let of_kind = |kind: u8| headers.iter().find(|header| header.first() == Some(&kind));
    Some([*of_kind(1)?, *of_kind(5)?].concat())
}

/// The description of a FLAC stream (STREAMINFO), which is the first of its metadata blocks.
fn flac(setup: &[u8]) -> Option<Vec<u8>> {
    let blocks = setup.strip_prefix(b"fLaC")?;
    let description = blocks.get(FLAC_HEAD..FLAC_HEAD + STREAM_INFO)?;
    (blocks[0] & 0x7f == 0).then(|| description.to_vec())
}
