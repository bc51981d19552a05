//! The chunks of a Core Audio file (Apple, "Core Audio Format Specification 1.0"): the description of the sound, its
//! position, and the packet table. Reads no sound.
//!
//! Packets may differ in their numbers of bytes and of sample frames. Then a table lists these numbers, with seven bits
//! in each byte. It also states the number of valid sample frames, which may be fewer than the packets hold: the
//! encoder's delay comes first, and the last packet may be nominally longer than the sound.

use crate::{
    damage::{bad, cut_bytes, header_error},
    sound::channels::Channels,
    stream::Stream,
    tags::Tags,
};
use convertd_core::{containers::bmff::Content, error::Result};
use std::io::{Seek, SeekFrom};

/// Largest number of chunks that are read.
const MAX_CHUNKS: usize = 1000;
/// Largest number of bytes that are read of a configuration, a text or a description.
const MAX_SMALL: u64 = 64 << 10;
/// The longest packet table that is read, in bytes. The table of a day of Opus fits.
const MAX_TABLE: u64 = 32 << 20;
/// Bytes of a packet table before its numbers.
const TABLE_HEAD: usize = 24;
/// Bytes before the sound in its chunk: the edit count.
const EDITS: u64 = 4;

/// Description of a file's sound.
#[derive(Default)]
pub(super) struct Sound {
    pub(super) rate: f64,
    pub(super) codec: [u8; 4],
    pub(super) flags: u32,
    /// Bytes of a packet; 0 if packets differ in their number of bytes.
    pub(super) bytes: u32,
    /// Sample frames of a packet; 0 if packets differ in their number of sample frames.
    pub(super) frames: u32,
    pub(super) channels: u32,
    pub(super) bits: u32,
    /// The speaker mask; 0 if the file does not state it.
    mask: u32,
    /// The configuration of the codec.
    pub(super) cookie: Vec<u8>,
    /// Position of the sound, and its length in bytes if the file states it.
    pub(super) data: Option<(u64, Option<u64>)>,
    pub(super) table: Option<Table>,
    pub(super) tags: Tags,
    /// Describes what is missing if the file is shorter than its chunks claim.
    pub(super) loss: Option<String>,
}

/// A packet table.
#[derive(Default)]
pub(super) struct Table {
    /// Valid sample frames, which are played.
    pub(super) valid: u64,
    /// Priming frames, which come before the valid frames and are not played.
    pub(super) priming: u64,
    /// The whole chunk.
    numbers: Vec<u8>,
    /// Position of the next number in the chunk.
    at: usize,
}

impl Table {
    fn read(chunk: Vec<u8>) -> Option<Self> {
        let mut head = Content(&chunk);
        head.take(8)?;
        let valid = i64::try_from(head.number(8)?).unwrap_or(0);
        let priming = i32::try_from(head.number(4)?).unwrap_or(0);
        Some(Self {
            valid: u64::try_from(valid).unwrap_or(0),
            priming: u64::try_from(priming).unwrap_or(0),
            numbers: chunk,
            at: TABLE_HEAD,
        })
    }

    /// The next number; `None` at the end of the table.
    pub(super) fn next(&mut self) -> Option<u64> {
        let mut number = 0u64;
        loop {
            let byte = *self.numbers.get(self.at)?;
            self.at += 1;
            number = number.checked_mul(1 << 7)? | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
    }
}

/// Bytes that the packet table takes in memory. Leaves the stream at its beginning.
pub(super) fn memory(stream: &mut Stream<'_>) -> Result<u64> {
    let mut largest = 0;
    walk(stream, |_, kind, size| {
        if kind == b"pakt" {
            largest = largest.max(size.min(MAX_TABLE));
        }
        Ok(())
    })?;
    Ok(largest)
}

/// Reads all chunks but the sound itself.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the description is missing or invalid.
pub(super) fn sound(stream: &mut Stream<'_>) -> Result<Sound> {
    let mut sound = Sound::default();
    let mut has_description = false;
    let loss = walk(stream, |stream, kind, size| {
        let mut chunk = |most: u64| stream.up_to(size.min(most)).map_err(header_error);
        match kind {
            b"desc" => has_description |= sound.describe(&chunk(MAX_SMALL)?).is_some(),
            b"kuki" => sound.cookie = chunk(MAX_SMALL)?,
            b"chan" => sound.mask = mask(&chunk(MAX_SMALL)?).unwrap_or(0),
            b"info" => texts(&chunk(MAX_SMALL)?, &mut sound.tags),
            b"pakt" if size <= MAX_TABLE => sound.table = Table::read(chunk(MAX_TABLE)?),
            b"mark" | b"regn" => sound
                .tags
                .leave_out("The markers in the sound were left out."),
            b"data" if sound.data.is_none() => {
                let length = (size < u64::MAX).then(|| size.saturating_sub(EDITS));
                sound.data = Some((stream.position() + EDITS, length));
            }
            _ => {}
        }
        Ok(())
    })?;
    sound.loss = loss;
    if !has_description || sound.channels == 0 {
        return Err(bad(
            "the Core Audio file has no description of its sound (chunk \"desc\")",
        ));
    }
    Ok(sound)
}

/// Visits the chunks with the name and the size of each. An unstated size is `u64::MAX`. Describes what is missing if
/// the file is shorter than its chunks claim, and leaves the stream at its beginning.
fn walk(
    stream: &mut Stream<'_>,
    mut visit: impl FnMut(&mut Stream<'_>, &[u8; 4], u64) -> Result<()>,
) -> Result<Option<String>> {
    let mut loss = None;
    stream.seek(SeekFrom::Start(8)).map_err(header_error)?;
    for _ in 0..MAX_CHUNKS {
        if stream.left() < 12 {
            break;
        }
        let head = stream.array::<12>().map_err(header_error)?;
        let [a, b, c, d, size @ ..] = head;
        // Only the chunk with the sound may leave its size open, by −1, and only if it is the last chunk.
        let size = u64::try_from(i64::from_be_bytes(size)).unwrap_or(u64::MAX);
        let end = stream.position().saturating_add(size);
        visit(stream, &[a, b, c, d], size)?;
        if size == u64::MAX {
            break;
        }
        loss = cut_bytes(end, stream.len());
        stream.seek(SeekFrom::Start(end)).map_err(header_error)?;
    }
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(loss)
}

impl Sound {
    fn describe(&mut self, chunk: &[u8]) -> Option<()> {
        let mut chunk = Content(chunk);
        self.rate = f64::from_bits(chunk.number(8)?);
        self.codec = *chunk.take(4)?.first_chunk()?;
        self.flags = chunk.number(4)? as u32;
        self.bytes = chunk.number(4)? as u32;
        self.frames = chunk.number(4)? as u32;
        self.channels = chunk.number(4)? as u32;
        self.bits = chunk.number(4)? as u32;
        Some(())
    }

    /// The channels and their speakers.
    pub(super) fn layout(&self) -> Result<Channels> {
        Channels::with_mask(self.channels, self.mask)
    }
}

/// The speaker mask of a chunk `chan`, if its speakers are in the order of the mask's bits.
fn mask(chunk: &[u8]) -> Option<u32> {
    /// Layouts whose speakers are in the order of a mask, with this mask: layouts of MPEG with three to eight channels,
    /// quadraphony, and a layout of DVD.
    const LAYOUTS: [(u32, u32); 8] = [
        (113 << 16 | 3, 0x7),
        (108 << 16 | 4, 0x33),
        (115 << 16 | 4, 0x107),
        (117 << 16 | 5, 0x37),
        (121 << 16 | 6, 0x3f),
        (126 << 16 | 8, 0xff),
        (128 << 16 | 8, 0x63f),
        (136 << 16 | 4, 0xf),
    ];
    /// Bytes of a speaker's description: its label and its position.
    const DESCRIPTION: usize = 20;
    /// The highest label that stands for a bit of the mask: label 1 is bit 0, and so on.
    const LABELS: u32 = 18;
    let mut chunk = Content(chunk);
    let layout = chunk.number(4)? as u32;
    let bits = chunk.number(4)? as u32;
    match layout {
        0 => {
            let count = chunk.number(4)? as usize;
            let mut mask = 0u32;
            for speaker in chunk.0.as_chunks::<DESCRIPTION>().0.iter().take(count) {
                let label = u32::from_be_bytes([speaker[0], speaker[1], speaker[2], speaker[3]]);
                let bit = 1 << label.checked_sub(1).filter(|bit| *bit < LABELS)?;
                if mask >= bit {
                    return None;
                }
                mask |= bit;
            }
            Some(mask)
        }
        0x1_0000 => Some(bits),
        layout => {
            let known = LAYOUTS.iter().find(|(known, _)| *known == layout);
            known.map(|(_, mask)| *mask)
        }
    }
}

/// Reads the texts of a chunk `info`: their number, and a name and a value of each, which end with a zero.
fn texts(chunk: &[u8], tags: &mut Tags) {
    let mut texts = chunk.get(4..).unwrap_or_default().split(|byte| *byte == 0);
    while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
        let (name, value) = (
            String::from_utf8_lossy(name),
            String::from_utf8_lossy(value),
        );
        tags.add_named(&name, &value);
    }
}
