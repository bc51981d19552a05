//! MP4 files (ISO 14496-12 and -14) and their ancestor, QuickTime. A file with sound alone is `m4a`, which is written
//! as well. If the file is a video, its first audio track is read. Videos are never written.
//!
//! The container has three names. Some brands in the `ftyp` box distinguish them; otherwise the file's extension
//! decides. Old QuickTime files have no such box, and begin with another one.

mod boxes;
mod encoder;
mod entry;
mod movie;
mod packets;
mod program;
mod read;
mod stored;
mod tags;
mod write;

use crate::{
    probe::Probe,
    row::{Recognise, Row, Writer},
};
use convertd_core::{
    containers::bmff::Head,
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
    recognise: Recognise::Content(|row, probe| probe.is_called(&row.format) && is_movie(probe)),
    open: read::open,
    extra_memory: Some(boxes::memory),
    write: Some(Writer {
        quality: "bit rate of AAC: 96, 160 and 256 kbit/s for stereo, half of it for mono",
        is_lossy: true,
        has_bit_rate: true,
        has_chapters: true,
        plan: write::plan,
        left_out: Some(movie::left_out),
        create: write::create,
    }),
};

pub(crate) static MP4: Row = Row {
    format: Format {
        name: "mp4",
        aliases: &["m4v", "3gp", "3g2"],
        category: Category::Audio,
        description: "MPEG-4 video; its first audio track is converted",
        media_type: "video/mp4",
        magic: &[],
    },
    // Any movie counts as MP4 unless its extension is `m4a` or `mov`.
    recognise: Recognise::Content(|_, probe| {
        [&M4A, &MOV].iter().all(|row| !probe.is_called(&row.format)) && is_movie(probe)
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
        description: "QuickTime video; its first audio track is converted",
        media_type: "video/quicktime",
        magic: &[&[(4, b"ftypqt  ")]],
    },
    recognise: Recognise::Content(|row, probe| probe.is_called(&row.format) && is_movie(probe)),
    open: read::open,
    extra_memory: Some(boxes::memory),
    write: None,
};

/// The brands of files that hold pictures, or sequences of pictures (HEIF, AVIF, JPEG XL, JPEG 2000, Canon's raw
/// files).
const PICTURES: [&[u8; 4]; 21] = [
    b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs",
    b"mif1", b"msf1", b"miaf", b"crx ", b"jxl ", b"jp2 ", b"avci", b"vvic", b"jpeg", b"j2ki",
    b"unif",
];
/// The boxes that a file without a box `ftyp` may begin with.
const FIRST: [&[u8; 4]; 7] = [
    b"moov", b"mdat", b"wide", b"skip", b"free", b"pnot", b"moof",
];
/// Limit on the top-level boxes that are searched for `moov`, which describes the tracks.
const MAX_BOXES: usize = 64;

/// Returns whether the file consists of boxes, has a box that describes tracks, and is not a picture according to its
/// box `ftyp`. A file that begins with `ftyp` and has a damaged box or no `moov` is accepted, too.
fn is_movie(probe: &mut Probe<'_>) -> bool {
    let (kind, brand) = (probe.head.get(4..8), probe.head.get(8..12));
    let begins = match kind {
        Some(b"ftyp") => {
            brand.is_some_and(|brand| PICTURES.iter().all(|known| brand != &known[..]))
        }
        Some(kind) => FIRST.iter().any(|known| kind == &known[..]),
        None => false,
    };
    if !begins || probe.is_tagged {
        return false;
    }
    let Ok(stream) = probe.stream() else {
        return false;
    };
    let mut offset = 0;
    for _ in 0..MAX_BOXES {
        match Head::read(stream, offset) {
            Ok(head) if head.kind == *b"moov" => return true,
            Ok(Head {
                start,
                len: Some(len),
                ..
            }) => offset = start.saturating_add(len),
            _ => return has_type_box(probe),
        }
    }
    false
}

/// Returns whether the file begins with a box `ftyp`. Such a file is an MP4 even if it is damaged, so the error message
/// can name the damage.
fn has_type_box(probe: &Probe<'_>) -> bool {
    probe.head.get(4..8) == Some(b"ftyp")
}
