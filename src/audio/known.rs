//! The formats of sound, as data. Reads and writes nothing.

use crate::format::{Category, Format, Magic};

const fn audio(
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    media_type: &'static str,
    magic: &'static [Magic],
) -> Format {
    Format {
        name,
        aliases,
        category: Category::Audio,
        description,
        media_type,
        magic,
    }
}

/// In the order in which `/formats` lists them. Where two signatures could match the same file, the longer one stands first.
pub(crate) static FORMATS: &[Format] = &[
    audio("mp3", &["mpga"], "MPEG audio, layer 3", "audio/mpeg", &[]),
    audio(
        "wav",
        &["wave"],
        "Waveform audio, uncompressed",
        "audio/wav",
        &[
            &[(0, b"RIFF"), (8, b"WAVE")],
            &[(0, b"RF64"), (8, b"WAVE")],
            &[(0, b"BW64"), (8, b"WAVE")],
        ],
    ),
    audio(
        "flac",
        &[],
        "Free Lossless Audio Codec",
        "audio/flac",
        &[&[(0, b"fLaC")]],
    ),
    audio(
        "m4a",
        &["m4b"],
        "MPEG-4 audio: AAC or Apple Lossless",
        "audio/mp4",
        &[&[(4, b"ftypM4A ")], &[(4, b"ftypM4B ")]],
    ),
    audio(
        "ogg",
        &["oga"],
        "Ogg Vorbis",
        "audio/ogg",
        &[
            &[(0, b"OggS"), (28, b"\x01vorbis")],
            &[(0, b"OggS"), (28, b"\x7fFLAC")],
        ],
    ),
    audio(
        "opus",
        &[],
        "Ogg Opus",
        "audio/ogg; codecs=opus",
        &[&[(0, b"OggS"), (28, b"OpusHead")]],
    ),
    audio(
        "aac",
        &["adts"],
        "AAC without a container",
        "audio/aac",
        &[],
    ),
    audio(
        "aiff",
        &["aif", "aifc"],
        "Audio Interchange File Format, uncompressed",
        "audio/aiff",
        &[&[(0, b"FORM"), (8, b"AIFF")], &[(0, b"FORM"), (8, b"AIFC")]],
    ),
    audio(
        "au",
        &["snd"],
        "Sun and NeXT audio, uncompressed",
        "audio/basic",
        &[&[(0, b".snd\0\0")]],
    ),
    audio(
        "caf",
        &[],
        "Core Audio Format",
        "audio/x-caf",
        &[&[(0, b"caff\0\x01")]],
    ),
    audio(
        "mp2",
        &["mp1", "mpa"],
        "MPEG audio, layers 1 and 2",
        "audio/mpeg",
        &[],
    ),
    audio("mka", &[], "Matroska audio", "audio/matroska", &[]),
    audio(
        "mp4",
        &["m4v", "3gp", "3g2"],
        "MPEG-4 video: its first audio track",
        "video/mp4",
        &[],
    ),
    audio(
        "mov",
        &["qt"],
        "QuickTime video: its first audio track",
        "video/quicktime",
        &[&[(4, b"ftypqt  ")]],
    ),
    audio(
        "mkv",
        &[],
        "Matroska video: its first audio track",
        "video/matroska",
        &[],
    ),
    audio(
        "webm",
        &[],
        "WebM video: its first audio track",
        "video/webm",
        &[],
    ),
];
