//! WAV: a RIFF file with a chunk that describes the samples and a chunk that holds them (Microsoft, "Multimedia
//! Programming Interface and Data Specifications 1.0"). Files of 4 GiB and more are RF64 (EBU Tech 3306) or BW64 (ITU-R
//! BS.2088). In RIFX files, all numbers have the most significant byte first. RF64, BW64 and RIFX are read and never
//! written.

mod read;
mod recorder;
mod write;

pub(crate) use self::read::codec_name;

use crate::{
    row::{Recognise, Row, Writer},
    sink::Plan,
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "wav",
        aliases: &["wave"],
        category: Category::Audio,
        description: "Waveform audio, uncompressed",
        media_type: "audio/wav",
        magic: &[
            &[(0, b"RIFF"), (8, b"WAVE")],
            &[(0, b"RF64"), (8, b"WAVE")],
            &[(0, b"BW64"), (8, b"WAVE")],
            &[(0, b"RIFX"), (8, b"WAVE")],
        ],
    },
    recognise: Recognise::Magic,
    open: read::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "no effect: samples, bit depth and sample rate are kept; lossy sources become 16 bits",
        is_lossy: false,
        has_bit_rate: false,
        has_chapters: true,
        plan: |source| Ok(Plan::uncompressed(source)),
        left_out: None,
        create: write::create,
    }),
};
