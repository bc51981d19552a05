//! MP4 files (ISO 14496-12 and -14) and their ancestor, QuickTime. A file with sound alone is `m4a`, which is written as
//! well. Of a video, the first audio track is read, and none is written.
//!
//! One container has three names. Some brands in the `ftyp` box tell them apart; otherwise the file's extension decides.

mod boxes;
mod movie;
mod packets;
mod read;
mod write;

use crate::{
    audio::{
        probe::Probe,
        row::{Recognise, Row, Writer},
    },
    format::{Category, Format},
};

pub(crate) static M4A: Row = Row {
    format: Format {
        name: "m4a",
        aliases: &["m4b"],
        category: Category::Audio,
        description: "MPEG-4 audio: AAC or Apple Lossless",
        media_type: "audio/mp4",
        magic: &[&[(4, b"ftypM4A ")], &[(4, b"ftypM4B ")]],
    },
    recognise: Recognise::Content(|row, probe| has_brand(probe) && probe.is_called(&row.format)),
    open: read::open,
    extra_memory: Some(boxes::memory),
    write: Some(Writer {
        quality: "AAC bit rate: 96, 160, 256 kbit/s for stereo, half for mono",
        plan: write::plan,
        create: write::create,
    }),
};

pub(crate) static MP4: Row = Row {
    format: Format {
        name: "mp4",
        aliases: &["m4v", "3gp", "3g2"],
        category: Category::Audio,
        description: "MPEG-4 video: its first audio track",
        media_type: "video/mp4",
        magic: &[],
    },
    // Whatever is called neither `m4a` nor `mov`.
    recognise: Recognise::Content(|_, probe| {
        has_brand(probe) && [&M4A, &MOV].iter().all(|row| !probe.is_called(&row.format))
    }),
    open: read::open,
    extra_memory: Some(boxes::memory),
    write: None,
};

pub(crate) static MOV: Row = Row {
    format: Format {
        name: "mov",
        aliases: &["qt"],
        category: Category::Audio,
        description: "QuickTime video: its first audio track",
        media_type: "video/quicktime",
        magic: &[&[(4, b"ftypqt  ")]],
    },
    recognise: Recognise::Content(|row, probe| has_brand(probe) && probe.is_called(&row.format)),
    open: read::open,
    extra_memory: Some(boxes::memory),
    write: None,
};

/// The brands of files that hold sound. Files with other brands hold pictures (HEIF, AVIF).
const BRANDS: [&[u8; 4]; 24] = [
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9", b"mp41",
    b"mp42", b"avc1", b"M4V ", b"M4VP", b"M4VH", b"MSNV", b"dash", b"f4v ", b"3gp4", b"3gp5",
    b"3gp6", b"3g2a", b"mmp4", b"M4P ",
];

/// Whether the file begins with an `ftyp` box that has one of these brands.
fn has_brand(probe: &Probe<'_>) -> bool {
    let brand = probe
        .head
        .get(4..12)
        .and_then(|bytes| bytes.strip_prefix(b"ftyp"));
    !probe.is_tagged && brand.is_some_and(|brand| BRANDS.iter().any(|known| brand == &known[..]))
}
