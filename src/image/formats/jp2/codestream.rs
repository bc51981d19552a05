//! Reads the main header of a JPEG 2000 codestream (ISO/IEC 15444-1, annex A), and checks whether all of its tiles are
//! present. Decodes nothing.
//!
//! A codestream is a list of segments, each with a marker and a length: the main header, and then tile-parts. Each
//! tile-part has a header, which states its length, and packets. In a JP2 file, the codestream is the content of a box
//! (I.5.4).

use super::CODESTREAM;
use convertd_core::{containers::bmff, job::Input};
use std::{
    io::{self, Read, SeekFrom},
    ops::RangeInclusive,
};

// Markers: image and tile size, coding style, start of a tile-part, end of the codestream.
const SIZ: u16 = 0xff51;
const COD: u16 = 0xff52;
const SOT: u16 = 0xff90;
const EOC: u16 = 0xffd9;

/// Markers without a length, which are reserved (A.1.3).
const BARE: RangeInclusive<u16> = 0xff30..=0xff3f;

/// The flag of code-blocks that use the block coder of part 15 (HTJ2K).
const IS_HIGH_THROUGHPUT: u8 = 1 << 6;

/// Number of bytes at the end of a codestream that are searched for the end marker, if the last tile-part does not
/// state its length.
const MAX_PADDING: u64 = 1 << 12;

/// The flag of the coding style for precincts that are smaller than the largest possible one.
const HAS_PRECINCTS: u8 = 1;

/// Largest number of tiles that a codestream can number.
const MAX_TILES: u64 = 65_535;

/// Properties from a main header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Codestream {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Width of a tile in pixels, at most that of the image.
    tile_width: u64,
    /// Height of a tile in pixels, at most that of the image.
    tile_height: u64,
    /// Number of tiles.
    tiles: u64,
    /// Number of tiles that contain samples, for the component that has samples in the most tiles. A codestream may
    /// leave out tiles without samples.
    needed: u64,
    /// Bits of a sample, for each component.
    pub(crate) components: Vec<u8>,
    /// Upper bound of the number of precincts and code-blocks of a component.
    blocks: u64,
    /// Whether the code-blocks are coded as HTJ2K (ISO/IEC 15444-15).
    pub(crate) is_high_throughput: bool,
    /// Whether a tile is missing, or the last one is cut short.
    pub(crate) is_cut: bool,
}

impl Codestream {
    /// Finds the codestream of a file, and reads its header.
    pub(crate) fn find(input: &mut dyn Input) -> io::Result<Self> {
        let end = input.seek(SeekFrom::End(0))?;
        let mut head = [0; 4];
        input.seek(SeekFrom::Start(0))?;
        input.read_exact(&mut head)?;
        if head == CODESTREAM {
            return Self::read(input, 0, end, end);
        }
        let mut offset = 0;
        loop {
            let found = bmff::Head::read(input, offset)?;
            if &found.kind == b"jp2c" {
                let declared_end = found.len.map_or(end, |len| found.start.saturating_add(len));
                return Self::read(input, found.start, end, declared_end);
            }
            offset = found.next().ok_or(io::ErrorKind::InvalidData)?;
        }
    }

    /// Reads the header of a codestream that starts at `start`. The file ends at `end`, and the box ends at
    /// `declared_end` according to its head.
    fn read(input: &mut dyn Input, start: u64, end: u64, declared_end: u64) -> io::Result<Self> {
        let mut found = Self::default();
        let mut offset = start + 2;
        loop {
            let [marker] = words(input, offset)?;
            if BARE.contains(&marker) {
                offset += 2;
                continue;
            }
            let [len] = words(input, offset + 2)?;
            let segment = offset + 4;
            match marker {
                SIZ => found.size(input, segment, len)?,
                COD => found.style(input)?,
                SOT => break,
                _ => {}
            }
            offset += 2 + u64::from(len);
        }
        found.is_cut = !found.is_whole(input, offset, end, declared_end)?;
        Ok(found)
    }

    /// Parses the image and tile size (A.5.1).
    fn size(&mut self, input: &mut dyn Input, at: u64, len: u16) -> io::Result<()> {
        let mut fields = [0; 36];
        input.seek(SeekFrom::Start(at))?;
        input.read_exact(&mut fields)?;
        let word = |at: usize| {
            let [a, b, c, d] = *fields[at..].first_chunk().unwrap_or(&[0; 4]);
            u32::from_be_bytes([a, b, c, d])
        };
        let [right, bottom, left, top] = [2, 6, 10, 14].map(word);
        let [tile_width, tile_height, tile_left, tile_top] = [18, 22, 26, 30].map(word);
        let count = u16::from_be_bytes([fields[34], fields[35]]);
        if right <= left || bottom <= top || tile_width == 0 || tile_height == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut components = vec![0; usize::from(count) * 3];
        if components.len() + 38 > usize::from(len) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        input.read_exact(&mut components)?;
        let tiles =
            |to: u32, from: u32, side: u32| u64::from(to.saturating_sub(from).div_ceil(side));
        *self = Self {
            width: right - left,
            height: bottom - top,
            tile_width: tile_width.min(right - left).into(),
            tile_height: tile_height.min(bottom - top).into(),
            tiles: tiles(right, tile_left, tile_width).saturating_mul(tiles(
                bottom,
                tile_top,
                tile_height,
            )),
            needed: components
                .as_chunks::<3>()
                .0
                .iter()
                .map(|&[_, across, down]| {
                    let across = filled(left, right, (tile_left, tile_width), across.into());
                    let down = filled(top, bottom, (tile_top, tile_height), down.into());
                    across.saturating_mul(down)
                })
                .max()
                .unwrap_or(0),
            // The highest bit marks signed samples.
            components: components
                .as_chunks::<3>()
                .0
                .iter()
                .map(|of| (of[0] & 0x7f) + 1)
                .collect(),
            ..Self::default()
        };
        Ok(())
    }

    /// Parses the default coding style (A.6.1), for the sizes of code-blocks and precincts.
    fn style(&mut self, input: &mut dyn Input) -> io::Result<()> {
        let mut fields = [0; 10];
        input.read_exact(&mut fields)?;
        let [style, _, _, _, _, levels, across, down, coder, _] = fields;
        self.is_high_throughput = coder & IS_HIGH_THROUGHPUT != 0;
        let mut precincts = vec![0xff; usize::from(levels.min(32)) + 1];
        if style & HAS_PRECINCTS != 0 {
            input.read_exact(&mut precincts)?;
        }
        // Upper bound of the number of blocks of 2^bits samples along a side, at a resolution level.
        let count = |side: u32, level: u32, bits: u32| {
            let side = u64::from(side) >> level.min(31);
            side.div_ceil(1 << bits.min(31)) + 1
        };
        self.blocks = 0;
        for (level, sizes) in precincts.iter().rev().enumerate() {
            let (wide, high) = (u32::from(sizes & 15), u32::from(sizes >> 4));
            for (across, down) in [
                (u32::from(across & 15) + 2, u32::from(down & 15) + 2),
                (wide, high),
            ] {
                let (across, down) = (across.min(wide), down.min(high));
                let level = level as u32;
                self.blocks += count(self.width, level, across) * count(self.height, level, down);
            }
        }
        Ok(())
    }

    /// Returns whether all tile-parts (A.4.2) from `offset` on end before `end` and `declared_end`, and the first parts
    /// of at least `needed` tiles are among them.
    fn is_whole(
        &self,
        input: &mut dyn Input,
        mut offset: u64,
        end: u64,
        declared_end: u64,
    ) -> io::Result<bool> {
        let mut first_parts = 0;
        let limit = end.min(declared_end);
        while offset + 2 <= limit {
            let [marker] = words(input, offset)?;
            if marker != SOT {
                return Ok(marker == EOC && first_parts >= self.needed);
            }
            let Ok([_, tile, high, low, parts]) = words(input, offset + 2) else {
                break;
            };
            first_parts += u64::from(parts >> 8 == 0);
            let len = u64::from(high) << 16 | u64::from(low);
            if len == 0 {
                // A tile-part of length 0 extends to the end marker.
                return Ok(has_end(input, offset, limit)? && u64::from(tile) < self.tiles);
            }
            offset += len.max(12);
        }
        // Many writers leave out the end marker, so the codestream may end without it.
        Ok(offset <= limit && declared_end <= end && first_parts >= self.needed)
    }

    /// Returns whether the number of tiles is possible.
    pub(crate) fn is_sane(&self) -> bool {
        (1..=MAX_TILES).contains(&self.tiles)
    }

    /// Peak memory of decoding in bytes, besides the file and the result, at a size divided by `by`.
    pub(crate) fn memory(&self, by: u64) -> u64 {
        let pixels = (u64::from(self.width) / by + 1) * (u64::from(self.height) / by + 1);
        let tile = (self.tile_width / by + 1) * (self.tile_height / by + 1);
        let count = self.components.len() as u64;
        // This covers samples of 32 bits, twice because channels may have to be reordered, the coefficients of a tile,
        // and two steps of the wavelet transform.
        let samples = 8 * count * pixels + 16 * tile;
        samples.saturating_add((256 * count).saturating_mul(self.blocks))
    }
}

/// Returns whether the codestream ends with the end marker, perhaps followed by a little padding. Coded data never
/// contains this marker (B.10.1), so any occurrence is the end.
fn has_end(input: &mut dyn Input, start: u64, end: u64) -> io::Result<bool> {
    let from = start.max(end.saturating_sub(MAX_PADDING));
    let mut tail = Vec::new();
    input.seek(SeekFrom::Start(from))?;
    input.take(end - from).read_to_end(&mut tail)?;
    Ok(tail.windows(2).any(|pair| pair == EOC.to_be_bytes()))
}

/// Number of tiles along a side that contain samples of a component, which has a sample at every `step`-th pixel.
fn filled(from: u32, to: u32, tile: (u32, u32), step: u32) -> u64 {
    let step = step.max(1);
    let (first, after) = (from.div_ceil(step), to.div_ceil(step));
    if after <= first {
        return 0;
    }
    let tile_of = |sample: u32| u64::from((sample * step).saturating_sub(tile.0) / tile.1);
    // If steps are longer than tiles, each sample is in a tile of its own; otherwise every tile from the first sample
    // to the last has a sample.
    u64::from(after - first).min(tile_of(after - 1) - tile_of(first) + 1)
}

/// The 16-bit words at `offset`.
fn words<const N: usize>(input: &mut dyn Input, offset: u64) -> io::Result<[u16; N]> {
    let mut bytes = [[0; 2]; N];
    input.seek(SeekFrom::Start(offset))?;
    input.read_exact(bytes.as_flattened_mut())?;
    Ok(bytes.map(u16::from_be_bytes))
}
