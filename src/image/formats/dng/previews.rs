//! Finds the largest JPEG in a raw file of a camera. Decodes nothing.

use super::tiffs::{self, Found};
use crate::{edited_input::EditedInput, pages::Patch};
use convertd_core::{
    containers::{bmff, ifd::Numbers},
    job::Input,
};
use std::io::{self, SeekFrom};

/// First bytes of a file by Fujifilm.
pub(crate) const FUJIFILM: &[u8] = b"FUJIFILMCCD-RAW ";
/// Position of the offset of the JPEG in a file by Fujifilm.
const FUJIFILM_JPEG: u64 = 84;

/// Largest number of segments of a JPEG that are searched for its frame header.
const MAX_SEGMENTS: usize = 64;
/// Largest number of boxes of a file that are read.
const MAX_BOXES: usize = 256;

/// ID of the `uuid` box of Canon inside `moov`.
const CANON: [u8; 16] = *b"\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";

/// A JPEG in a file: its offset and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) at: u64,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// Finds the largest JPEG, and the properties of the picture that the directories of the file state.
pub(crate) fn largest(input: &mut dyn Input) -> io::Result<(Option<Preview>, Found)> {
    let mut found = find_all(input)?;
    let offsets = std::mem::take(&mut found.offsets);
    let mut best: Option<Preview> = None;
    for at in offsets {
        let pixels = |of: &Preview| u32::from(of.width) * u32::from(of.height);
        // An offset at which no JPEG begins has another meaning, and is ignored.
        if let Ok(Some(preview)) = jpeg(input, at)
            && best.as_ref().map_or(0, pixels) < pixels(&preview)
        {
            best = Some(preview);
        }
    }
    Ok((best, found))
}

/// Finds the offsets of possible JPEG files, and properties of the picture. Most cameras write TIFF. CR3 by Canon has
/// boxes like MP4, and RAF by Fujifilm states the offset of its JPEG at a fixed position.
fn find_all(input: &mut dyn Input) -> io::Result<Found> {
    let mut head = [0; 16];
    input.seek(SeekFrom::Start(0))?;
    input.read_exact(&mut head)?;
    if head == FUJIFILM {
        let mut offset = [0; 4];
        input.seek(SeekFrom::Start(FUJIFILM_JPEG))?;
        input.read_exact(&mut offset)?;
        return Ok(Found {
            offsets: vec![u32::from_be_bytes(offset).into()],
            ..Found::default()
        });
    }
    if &head[4..8] == b"ftyp" {
        let (mut offsets, mut settings, mut left) = (Vec::new(), None, MAX_BOXES);
        let end = input.seek(SeekFrom::End(0))?;
        boxes(input, 0, end, &mut left, &mut offsets, &mut settings)?;
        let turn = match settings {
            Some(at) => orientation(input, at).unwrap_or_default(),
            None => None,
        };
        return Ok(Found {
            offsets,
            orientation: turn,
            ..Found::default()
        });
    }
    Ok(tiffs::search(input)?.unwrap_or_default())
}

/// Adds the offset of the first chunk of each track (ISO/IEC 14496-12, 8.7.5), and finds the first directory of Canon
/// (`CMT1`).
fn boxes(
    input: &mut dyn Input,
    mut offset: u64,
    end: u64,
    left: &mut usize,
    offsets: &mut Vec<u64>,
    settings: &mut Option<u64>,
) -> io::Result<()> {
    while offset + 8 <= end && *left > 0 {
        *left -= 1;
        let found = bmff::Head::read(input, offset)?;
        let next = found.next().unwrap_or(end);
        let inside = match &found.kind {
            b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" => Some(found.start),
            b"uuid" => {
                let mut id = [0; 16];
                input.seek(SeekFrom::Start(found.start))?;
                input.read_exact(&mut id)?;
                (id == CANON).then_some(found.start + 16)
            }
            b"CMT1" => {
                *settings = Some(found.start);
                None
            }
            b"stco" | b"co64" => {
                // The content begins with version and flags, the number of chunks, and the offset of the first chunk.
                let mut first = [0; 16];
                input.seek(SeekFrom::Start(found.start))?;
                input.read_exact(&mut first)?;
                let [_, _, _, _, _, _, _, _, a, b, c, d, low @ ..] = first;
                let high = u32::from_be_bytes([a, b, c, d]);
                offsets.push(if &found.kind == b"stco" {
                    high.into()
                } else {
                    u64::from(high) << 32 | u64::from(u32::from_be_bytes(low))
                });
                None
            }
            _ => None,
        };
        if let Some(inside) = inside {
            boxes(input, inside, next.min(end), left, offsets, settings)?;
        }
        offset = next.max(offset + 8);
    }
    Ok(())
}

/// Orientation of a picture, from the TIFF directory at `offset`.
fn orientation(input: &mut dyn Input, offset: u64) -> io::Result<Option<u8>> {
    input.seek(SeekFrom::Start(offset))?;
    let patch = Patch {
        from: offset,
        ..Patch::default()
    };
    let mut input = EditedInput::new(input, patch);
    if Numbers::of(&mut input)?.is_none() {
        return Ok(None);
    }
    Ok(tiffs::search(&mut input)?.and_then(|found| found.orientation))
}

/// Reads the size of the JPEG at the offset `at`. `None` for anything else, and for a JPEG that is lossless,
/// hierarchical, arithmetic-coded, or not of 8 bits with 1 or 3 components. Lossless and deeper files contain sensor
/// data.
fn jpeg(input: &mut dyn Input, at: u64) -> io::Result<Option<Preview>> {
    let mut start = [0; 2];
    input.seek(SeekFrom::Start(at))?;
    input.read_exact(&mut start)?;
    if start != [0xff, 0xd8] {
        return Ok(None);
    }
    for _ in 0..MAX_SEGMENTS {
        let mut head = [0; 4];
        input.read_exact(&mut head)?;
        let [0xff, marker, high, low] = head else {
            return Ok(None);
        };
        let len = u16::from_be_bytes([high, low]);
        match marker {
            // Frame headers of baseline, extended and progressive files (ITU-T T.81, B.2.2).
            0xc0..=0xc2 => {
                let mut frame = [0; 6];
                input.read_exact(&mut frame)?;
                let [bits, h0, h1, w0, w1, components] = frame;
                let is_picture = bits == 8 && matches!(components, 1 | 3);
                return Ok(is_picture.then_some(Preview {
                    at,
                    width: u16::from_be_bytes([w0, w1]),
                    height: u16::from_be_bytes([h0, h1]),
                }));
            }
            0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf | 0xda | 0xd9 => return Ok(None),
            _ => input.seek_relative(i64::from(len) - 2)?,
        };
    }
    Ok(None)
}
