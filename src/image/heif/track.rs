//! Finds the first picture of an image sequence (ISO/IEC 23008-12, 7), for files that have nothing else: a track whose samples are
//! coded images. Reads no other sample, because others may depend on those before them.

use super::{
    fault::Fault,
    items::{self, Extents},
};
use crate::{containers::bmff::Content, job::Input};

/// A sample, and how it is decoded.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The type and content of each box in its sample entry.
    pub(crate) properties: Vec<([u8; 4], Vec<u8>)>,
    pub(crate) extents: Extents,
}

/// The boxes that are looked for within a track.
#[derive(Clone, Copy, Default)]
struct Parts<'a> {
    handler: &'a [u8],
    descriptions: &'a [u8],
    chunks: &'a [u8],
    has_wide_chunks: bool,
    sizes: &'a [u8],
}

/// The first sample of the first track with this type of sample entry. `None` if there is no such track.
pub(crate) fn first(input: &mut dyn Input, kind: [u8; 4]) -> Result<Option<Sample>, Fault> {
    let Some(head) = items::find(input, 0, *b"moov")? else {
        return Ok(None);
    };
    let movie = items::content(input, &head)?;
    let mut boxes = Content(&movie);
    while let Some((name, track)) = boxes.next_box() {
        if &name == b"trak"
            && let Some(sample) = sample(track, kind)
        {
            return Ok(Some(sample));
        }
    }
    Ok(None)
}

fn sample(track: Content<'_>, kind: [u8; 4]) -> Option<Sample> {
    let mut parts = Parts::default();
    collect(track, &mut parts, 0);
    // The handler: version, a zero, and of which kind the track is.
    let handler = parts.handler.get(8..12)?;
    if handler != b"pict" && handler != b"vide" {
        return None;
    }
    let mut descriptions = Content(parts.descriptions.get(8..)?);
    let (name, mut entry) = descriptions.next_box()?;
    if name != kind {
        return None;
    }
    // What every entry begins with, and what those of pictures have before their sides and behind them (8.5.2 and 12.1.3).
    entry.take(8 + 16)?;
    let (width, height) = (entry.number(2)? as u32, entry.number(2)? as u32);
    entry.take(50)?;
    let mut properties = Vec::new();
    while let Some((name, content)) = entry.next_box() {
        properties.push((name, content.0.to_vec()));
    }
    let mut chunks = Content(parts.chunks.get(8..)?);
    let place = chunks.number(if parts.has_wide_chunks { 8 } else { 4 })?;
    let mut sizes = Content(parts.sizes.get(4..)?);
    let len = match sizes.number(4)? {
        0 => {
            sizes.take(4)?;
            sizes.number(4)?
        }
        all => all,
    };
    (len > 0).then_some(Sample {
        width,
        height,
        properties,
        extents: vec![(place, len)],
    })
}

/// Finds boxes at any depth within a track.
fn collect<'a>(mut boxes: Content<'a>, parts: &mut Parts<'a>, depth: usize) {
    while let Some((name, content)) = boxes.next_box() {
        match &name {
            b"mdia" | b"minf" | b"stbl" if depth < 4 => collect(content, parts, depth + 1),
            b"hdlr" if parts.handler.is_empty() => parts.handler = content.0,
            b"stsd" => parts.descriptions = content.0,
            b"stco" => parts.chunks = content.0,
            b"co64" => {
                parts.chunks = content.0;
                parts.has_wide_chunks = true;
            }
            b"stsz" => parts.sizes = content.0,
            _ => {}
        }
    }
}
