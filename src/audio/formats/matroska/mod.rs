//! Matroska (RFC 9559) and WebM, which is a subset of it. If the file is a video, its first audio track is read. The
//! formats are not written.
//!
//! The document type in the first element says `webm` or `matroska`. Whether a Matroska file is `mka` or `mkv` depends
//! only on its name.

mod about;
mod codec;
mod facts;
mod lacing;
mod packets;
mod read;
mod tracks;

use self::tracks::Entry;
use crate::{
    codecs::wavpack::packets::MEMORY,
    probe::Probe,
    row::{Recognise, Row},
    sources::stored::{MAX_UNPACKED, Stored},
    stream::Stream,
};
use convertd_core::{
    error::Result,
    format::{Category, Format},
};

pub(crate) static MKA: Row = Row {
    format: Format {
        name: "mka",
        aliases: &[],
        category: Category::Audio,
        description: "Matroska audio",
        media_type: "audio/matroska",
        magic: &[],
    },
    recognise: Recognise::Content(|row, probe| {
        document_is(probe, b"matroska") && probe.is_called(&row.format)
    }),
    open: read::open,
    extra_memory: Some(memory),
    write: None,
};

pub(crate) static MKV: Row = Row {
    format: Format {
        name: "mkv",
        aliases: &[],
        category: Category::Audio,
        description: "Matroska video; its first audio track is converted",
        media_type: "video/matroska",
        magic: &[],
    },
    recognise: Recognise::Content(|_, probe| {
        document_is(probe, b"matroska") && !probe.is_called(&MKA.format)
    }),
    open: read::open,
    extra_memory: Some(memory),
    write: None,
};

pub(crate) static WEBM: Row = Row {
    format: Format {
        name: "webm",
        aliases: &[],
        category: Category::Audio,
        description: "WebM video; its first audio track is converted",
        media_type: "video/webm",
        magic: &[],
    },
    recognise: Recognise::Content(|_, probe| document_is(probe, b"webm")),
    open: read::open,
    extra_memory: Some(memory),
    write: None,
};

/// Returns whether the document type in the first element is `name`. If both names occur there, `webm` counts.
fn document_is(probe: &Probe<'_>, name: &[u8]) -> bool {
    /// Bytes of the file within which the name begins.
    const REACH: usize = 80;
    let is_named = |name: &[u8]| {
        let mut windows = probe.head.windows(name.len()).take(REACH);
        windows.any(|window| window == name)
    };
    let is_ebml = !probe.is_tagged && probe.head.starts_with(b"\x1a\x45\xdf\xa3");
    is_ebml && is_named(name) && (name == b"webm" || !is_named(b"webm"))
}

/// Memory in bytes: the largest element, which is read whole and copied once, the descriptions of all tracks, the
/// decoder of WavPack, and packets that zlib has unpacked.
fn memory(stream: &mut Stream<'_>) -> Result<u64> {
    let facts = facts::scan(stream)?;
    let has = |wanted: fn(&Entry) -> bool| facts.tracks.iter().any(|track| wanted(&track.entry));
    let decoder = match has(|entry| entry.codec.starts_with("A_WAVPACK4")) {
        true => MEMORY,
        false => 0,
    };
    let unpacked = match has(|entry| entry.stored == Stored::Zlib) {
        true => MAX_UNPACKED,
        false => 0,
    };
    let setups = facts.tracks.iter().map(|track| track.entry.setup.len());
    Ok(2 * facts.largest + 2 * setups.sum::<usize>() as u64 + decoder + unpacked)
}
