//! The headers of Windows and OS/2 bitmaps: position and format of the pixels, and size of the picture. Reads no
//! pixels.
//!
//! Headers grew over the years, and state their own length: 12 bytes (OS/2 1), 16 to 64 (OS/2 2, cut off anywhere), 40
//! (BITMAPINFOHEADER), 52 and 56 (with masks), 108 and 124 (BITMAPV4HEADER and BITMAPV5HEADER). The trap: compression 3
//! means bit masks on Windows and Huffman codes on OS/2; compression 4 means an embedded JPEG on Windows and 24-bit
//! runs on OS/2.

use super::fields::Fields;
use crate::{
    metadata::Resolution,
    pixels::{Channels, Depth, Layout, palette::Colours},
};
use convertd_core::job::Input;
use std::io::{self, Read, SeekFrom};

/// Length, in bytes, of the file header, which precedes the bitmap header.
const FILE_HEADER: u64 = 14;

/// Total length, in bytes, of the longest header, four masks, and a palette of 256 entries.
const LONGEST: u64 = 124 + 16 + 1024;

/// Largest colour profile, in bytes.
const MAX_PROFILE: u32 = 4 << 20;

/// The value of bV5CSType for a profile in the file (PROFILE_EMBEDDED).
const EMBEDDED: u32 = 0x4d42_4544;

/// Header of a bitmap.
#[derive(Debug)]
pub(crate) struct Head {
    /// The layout of the rows after unpacking.
    pub(crate) layout: Layout,
    /// The offset of the pixels in the file.
    pub(crate) offset: u64,
    /// Offset of the end of the headers and the palette, in bytes.
    pub(crate) headers_end: u64,
    /// Distance between plain rows in bytes: a multiple of four.
    pub(crate) stride: usize,
    /// Length of a plain row in bytes, without its padding.
    pub(crate) packed: usize,
    /// Whether the first row in the file is the top one.
    pub(crate) top_down: bool,
    /// Bits a pixel.
    pub(crate) bits: u32,
    pub(crate) coding: Coding,
    pub(crate) packing: Packing,
    pub(crate) icc: Option<Vec<u8>>,
    pub(crate) resolution: Option<Resolution>,
}

/// Coding of a bitmap's pixels.
#[derive(Debug)]
pub(crate) enum Coding {
    /// An index of 1, 2, 4 or 8 bits.
    Index { bits: u32, colours: Colours },
    /// Blue, green and red, one byte each.
    Bgr,
    /// Four bytes: the positions of red, green, blue and, if present, alpha.
    Bytes { positions: [usize; 4] },
    /// `bytes` bytes, in which each channel is a bit field.
    Fields { bytes: usize, fields: Fields },
    /// Four signed 16-bit numbers, blue first, in linear light: 8192 stands for 1.
    Wide,
}

/// Compression of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Uncompressed.
    Plain,
    /// Run-length coding of indices of 4 or 8 bits, or of colours of 24 bits.
    Runs(u32),
    /// Black and white as in fax (ITU-T T.4, one-dimensional).
    Fax,
}

/// Result of reading a header.
#[derive(Debug)]
pub(crate) enum Found {
    Bitmap(Box<Head>),
    /// A whole JPEG or PNG file that begins at this offset.
    Embedded(u64),
    /// The reason why the header is invalid.
    Nothing(&'static str),
}

/// Bytes of a header. Fields beyond its end are 0.
struct Raw(Vec<u8>);

impl Raw {
    fn short(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |&bytes| u16::from_le_bytes(bytes).into())
    }

    fn long(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }
}

impl Head {
    /// Reads the headers of a file, or of a bitmap without a file header, as on the clipboard. For an array of bitmaps
    /// (OS/2), returns the largest one.
    pub(crate) fn read(input: &mut dyn Input) -> io::Result<Found> {
        let mut start = [0; FILE_HEADER as usize];
        input.seek(SeekFrom::Start(0))?;
        input.read_exact(&mut start)?;
        if start.starts_with(b"BA") {
            return array(input);
        }
        if !start.starts_with(b"BM") {
            return bitmap(input, 0, None, false);
        }
        bitmap(input, FILE_HEADER, Some(data_offset(&start)), false)
    }

    /// Reads the headers of a file that begins at the offset `at` in an enclosing file, whatever its first two bytes
    /// are. Offsets of pixels count from the beginning of the enclosing file. In an icon, the height in the header
    /// includes the mask; the returned height does not.
    pub(crate) fn within(input: &mut dyn Input, at: u64, is_icon: bool) -> io::Result<Found> {
        let mut start = [0; FILE_HEADER as usize];
        input.seek(SeekFrom::Start(at))?;
        input.read_exact(&mut start)?;
        bitmap(input, at + FILE_HEADER, Some(data_offset(&start)), is_icon)
    }

    /// Reads the header of a bitmap in an icon, without a file header. The height in the header includes the mask; the
    /// returned height does not.
    pub(crate) fn of_icon(input: &mut dyn Input) -> io::Result<Found> {
        bitmap(input, 0, None, true)
    }
}

/// Offset of the pixels, as the file header states it.
fn data_offset(start: &[u8; FILE_HEADER as usize]) -> u64 {
    u32::from_le_bytes([start[10], start[11], start[12], start[13]]).into()
}

/// Finds the bitmap of the highest [rank](Head::rank) in an array (OS/2). Skips other members of the array, such as
/// icons and pointers.
fn array(input: &mut dyn Input) -> io::Result<Found> {
    let mut best: Option<Box<Head>> = None;
    let mut at = 0;
    // Every link must lead forwards, so the chain cannot loop.
    loop {
        input.seek(SeekFrom::Start(at))?;
        let mut member = [0; 2 * FILE_HEADER as usize];
        input.read_exact(&mut member)?;
        let (link, start) = member.split_at(FILE_HEADER as usize);
        if let Some(start) = start.first_chunk().filter(|start| start.starts_with(b"BM"))
            && let Found::Bitmap(head) =
                bitmap(input, at + 2 * FILE_HEADER, Some(data_offset(start)), false)?
            && best.as_ref().is_none_or(|best| head.rank() > best.rank())
        {
            best = Some(head);
        }
        let next = u32::from_le_bytes([link[6], link[7], link[8], link[9]]).into();
        if next <= at {
            break;
        }
        at = next;
    }
    Ok(best.map_or(
        Found::Nothing("its array contains no bitmap"),
        Found::Bitmap,
    ))
}

/// Reads the header of a bitmap at the offset `at`. Without an `offset`, the pixels follow the palette.
fn bitmap(input: &mut dyn Input, at: u64, offset: Option<u64>, is_icon: bool) -> io::Result<Found> {
    input.seek(SeekFrom::Start(at))?;
    let mut raw = Vec::new();
    (&mut *input).take(LONGEST).read_to_end(&mut raw)?;
    let size = raw
        .first_chunk()
        .map_or(0, |&size| u32::from_le_bytes(size));
    let all = Raw(raw);
    // The bytes after the header are cut off, because they are not its fields.
    let head = Raw(all.0[..all.0.len().min(size as usize)].to_vec());
    let is_core = size == 12;
    if !is_core && !(16..=1 << 10).contains(&size) {
        return Ok(Found::Nothing("its header has an unknown length"));
    }
    // No Windows header has these lengths.
    let is_os2 = is_core || size < 40 || matches!(size, 41..=51 | 57..=64);
    let (width, height, planes, bits) = if is_core {
        let height = (head.short(6) as u16).cast_signed();
        (head.short(4), height.into(), head.short(8), head.short(10))
    } else {
        let height = head.long(8).cast_signed();
        (head.long(4), height, head.short(12), head.short(14))
    };
    if is_icon && planes > 1 && bits == 0 {
        return Ok(Found::Nothing(
            "its header states several planes, but no bits per pixel",
        ));
    }
    let compression = head.long(16);
    let (masks, after) = masks(&head, &all, (size, compression), is_os2);
    let entry: usize = if is_core { 3 } else { 4 };
    let used = head.long(32) as usize;
    let has_palette = matches!(bits, 1 | 2 | 4 | 8);
    // Some writers forget the palette when they compute the offset of the pixels, so that the offset is that of the
    // palette. Such an offset is ignored, and the pixels follow the palette.
    let is_forgotten = |data| has_palette && used > 0 && data == at + after;
    let data = offset.filter(|&offset| offset > at && !is_forgotten(offset));
    // If the header does not state the number of colours, the palette has at most as many entries as fit before the
    // pixels.
    let max_colours = data.map_or(usize::MAX, |data| {
        data.saturating_sub(at + after) as usize / entry
    });
    let colours = match used {
        _ if !has_palette => 0,
        0 => (1 << bits).min(max_colours.max(1)),
        used => used.min(256),
    };
    let palette = all.0.get(after as usize..).unwrap_or_default();
    let palette = palette.chunks_exact(entry).take(colours);
    let palette = Colours::new(palette.map(|c| [c[2], c[1], c[0], 255]).collect());
    // Bitmaps without indices may have a palette, too, as a hint for displays with few colours; it is skipped.
    let skipped = if has_palette { colours } else { used.min(256) };
    let headers_end = at + after + (skipped * entry) as u64;
    let offset = data.unwrap_or(headers_end);
    if let (0, 4 | 5, false) = (bits, compression, is_os2) {
        return Ok(Found::Embedded(offset));
    }
    let kind = (bits, compression, is_os2);
    let Some((coding, packing, (channels, depth))) = pixels(kind, masks, palette, is_icon) else {
        return Ok(Found::Nothing(
            "its number of bits does not match its compression",
        ));
    };
    let height = if is_icon { height / 2 } else { height };
    let Some(row_bits) = (width as usize).checked_mul(bits as usize) else {
        return Ok(Found::Nothing("its rows are too long"));
    };
    let icc = profile(input, &head, at);
    let [across, down] = [24, 28].map(|at| head.long(at).cast_signed().into());
    Ok(Found::Bitmap(Box::new(Head {
        layout: Layout {
            width,
            height: height.unsigned_abs(),
            channels,
            depth,
        },
        offset,
        headers_end,
        stride: row_bits.div_ceil(32) * 4,
        packed: row_bits.div_ceil(8),
        top_down: height < 0,
        bits,
        resolution: Resolution::per_metre(across, down),
        coding,
        packing,
        icc,
    })))
}

/// Returns the masks of red, green, blue and alpha, and the length of the header including them. In a header of less
/// than 52 bytes (the length of BITMAPV2INFOHEADER), the masks are not fields, but follow the header.
fn masks(head: &Raw, all: &Raw, (size, compression): (u32, u32), is_os2: bool) -> ([u32; 4], u64) {
    let mut masks = [head.long(40), head.long(44), head.long(48), head.long(52)];
    let mut after = u64::from(size);
    // BI_BITFIELDS (3) has three masks, BI_ALPHABITFIELDS (6) four.
    if size < 52 && !is_os2 && matches!(compression, 3 | 6) {
        let count = if compression == 6 { 4 } else { 3 };
        masks = [0; 4];
        for (at, mask) in masks.iter_mut().enumerate().take(count) {
            *mask = all.long(size as usize + 4 * at);
        }
        after += 4 * count as u64;
    } else if size < 56 {
        masks[3] = 0;
    }
    (masks, after)
}

/// Chooses the coding from the bits of a pixel, the compression, and whether this is an OS/2 bitmap. `None` if these
/// contradict each other.
fn pixels(
    kind: (u32, u32, bool),
    masks: [u32; 4],
    colours: Colours,
    is_icon: bool,
) -> Option<(Coding, Packing, (Channels, Depth))> {
    let (bits, _, _) = kind;
    let index = |bits| Coding::Index { bits, colours };
    let (coding, packing, channels) = match kind {
        (1 | 2 | 4 | 8, 0, _) => (index(bits), Packing::Plain, Channels::Grey),
        (8, 1, _) | (4, 2, _) => (index(8), Packing::Runs(bits), Channels::Grey),
        (1, 3, true) => (index(1), Packing::Fax, Channels::Grey),
        (24, 4, true) => (Coding::Bgr, Packing::Runs(24), Channels::Rgb),
        (24, 0, _) => (Coding::Bgr, Packing::Plain, Channels::Rgb),
        // The fourth byte is alpha only in icons.
        (32, 0, _) => {
            let positions = [2, 1, 0, 3];
            let channels = if is_icon {
                Channels::Rgba
            } else {
                Channels::Rgb
            };
            (Coding::Bytes { positions }, Packing::Plain, channels)
        }
        (16, 0, _) => {
            // Without masks, 16 bits hold five bits of each colour.
            let fields = Fields::of([0x7c00, 0x03e0, 0x001f, 0]);
            let coding = Coding::Fields { bytes: 2, fields };
            (coding, Packing::Plain, Channels::Rgb)
        }
        (16 | 32, 3 | 6, false) => {
            let channels = match masks[3] {
                0 => Channels::Rgb,
                _ => Channels::Rgba,
            };
            let coding = match whole_bytes(masks) {
                Some(positions) if bits == 32 => Coding::Bytes { positions },
                _ => Coding::Fields {
                    bytes: bits as usize / 8,
                    fields: Fields::of(masks),
                },
            };
            (coding, Packing::Plain, channels)
        }
        (64, 0 | 3, false) => {
            let layout = (Channels::Rgba, Depth::Sixteen);
            return Some((Coding::Wide, Packing::Plain, layout));
        }
        _ => return None,
    };
    Some((coding, packing, (channels, Depth::Eight)))
}

/// Returns the position of each channel's byte in the pixel, if each channel is a whole byte. Alpha may be absent.
fn whole_bytes(masks: [u32; 4]) -> Option<[usize; 4]> {
    let position = |mask| match mask {
        0x0000_00ff => Some(0),
        0x0000_ff00 => Some(1),
        0x00ff_0000 => Some(2),
        0xff00_0000 => Some(3),
        _ => None,
    };
    let alpha = match masks[3] {
        0 => Some(3),
        mask => position(mask),
    };
    Some([
        position(masks[0])?,
        position(masks[1])?,
        position(masks[2])?,
        alpha?,
    ])
}

/// The colour profile of a BITMAPV5HEADER, if it is embedded in the file.
fn profile(input: &mut dyn Input, head: &Raw, at: u64) -> Option<Vec<u8>> {
    let (start, len) = (head.long(112), head.long(116));
    if head.0.len() < 124 || head.long(56) != EMBEDDED || len > MAX_PROFILE {
        return None;
    }
    let mut icc = vec![0; len as usize];
    input.seek(SeekFrom::Start(at + u64::from(start))).ok()?;
    input.read_exact(&mut icc).ok()?;
    Some(icc)
}

impl Head {
    /// Rank among several pictures: number of pixels, then bits a pixel.
    pub(crate) fn rank(&self) -> (u64, u32) {
        (self.layout.pixels(), self.bits)
    }

    /// Minimum length in bytes of a file that contains the first row. The length of compressed rows is unknown, so they
    /// count as 0 bytes.
    pub(crate) fn first_end(&self) -> u64 {
        match self.packing {
            Packing::Plain => self.offset + self.packed as u64,
            Packing::Runs(_) | Packing::Fax => self.offset,
        }
    }

    /// Minimum length in bytes of a complete file. The padding of the last row may be missing. The length of compressed
    /// rows is unknown, so they count as 0 bytes.
    pub(crate) fn end(&self) -> u64 {
        match self.packing {
            Packing::Plain => {
                let rows = self.stride as u64 * u64::from(self.layout.height.saturating_sub(1));
                self.first_end() + rows
            }
            Packing::Runs(_) | Packing::Fax => self.first_end(),
        }
    }
}
