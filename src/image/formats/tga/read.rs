//! Reads Truevision TGA (Truevision TGA File Format Specification 2.0) row by row, in the order of the file. Reads no
//! developer and no extension area. This is our own code, because the `image` crate 0.25 rejects files that other
//! readers accept: 16-bit indices into a map of 15 or 16 bits, a number of attribute bits that does not fit the depth
//! (many writers leave it at 0 or 8), 16-bit grey, and indices outside the map. That crate also holds the whole picture
//! in memory, although rows are sufficient.
//!
//! Rows go from bottom to top unless a flag says otherwise, and another flag makes them go from right to left. The
//! picture gets the orientation that corresponds to these flags. Run-length packets may continue in the next row:
//! version 1.0 allows this, version 2.0 forbids it.

use crate::{
    limits,
    pixels::{
        Channels, Depth, Layout, Rows,
        palette::{Colours, LookedUp},
        rows::check_row,
    },
    source::{Header, Source, failed, head, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, Read as _};

/// Flag of the image descriptor: each row goes from right to left.
const RIGHT_TO_LEFT: u8 = 0x10;
/// Flag of the image descriptor: the first row is the top one.
const TOP_TO_BOTTOM: u8 = 0x20;
/// Bits of the image descriptor that hold the number of attribute bits.
const ATTRIBUTES: u8 = 0x0f;

/// The flag of the image type for run-length coding.
const PACKED: u8 = 8;

/// Coding of a file's pixels.
enum Pixels {
    /// Indices of one byte.
    Index(Colours),
    /// Two-byte indices, with the index of the first entry of the map.
    WideIndex(usize, Vec<[u8; 4]>),
    /// Grey, with 8 or 16 bits.
    Grey,
    GreyAlpha,
    /// Five bits for each colour. The highest bit is an attribute, which does not mean transparency.
    Fifteen,
    Bgr,
    Bgra,
}

/// A TGA file before decoding.
struct Tga<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    pixels: Pixels,
    /// Bytes of a pixel in the file.
    bytes: usize,
    /// Whether the pixels are run-length coded.
    packed: bool,
    /// Whether indices are replaced by their colours: true unless the target takes indices.
    looks_up: bool,
}

/// Opens a TGA picture: with a palette, in RGB or in grey, with or without run-length coding.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head: [u8; 18] = head(job, input)?;
    let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    let (width, height) = (word(12).into(), word(14).into());
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let (kind, depth, flags) = (head[2], head[16], head[17]);
    // The colour map: index of its first entry, number of entries, and bits of an entry.
    let entries = (head[1] == 1).then(|| (word(3).into(), word(5).into(), head[7]));
    let map = skip_to_pixels(input, head[0], entries).map_err(|err| failed(job, err))?;
    let (pixels, channels) = match (kind & !PACKED, depth) {
        (1, 8 | 15 | 16) => {
            let Some(((first, _, _), map)) = entries.zip(colours(&map, entries)) else {
                return Err(job.unreadable("its pixels are indices, but its colour map is missing"));
            };
            if depth == 8 {
                // Indices before the first entry are black.
                let before = vec![[0, 0, 0, 255]; usize::min(first, 256)];
                let colours = Colours::new([before, map].concat());
                let channels = colours.channels();
                (Pixels::Index(colours), channels)
            } else {
                let is_opaque = map.iter().all(|&[.., alpha]| alpha == 255);
                let channels = if is_opaque {
                    Channels::Rgb
                } else {
                    Channels::Rgba
                };
                (Pixels::WideIndex(first, map), channels)
            }
        }
        (2, 15 | 16) => (Pixels::Fifteen, Channels::Rgb),
        (2, 24) => (Pixels::Bgr, Channels::Rgb),
        (2, 32) => (Pixels::Bgra, Channels::Rgba),
        (3, 16) if flags & ATTRIBUTES == 8 => (Pixels::GreyAlpha, Channels::GreyAlpha),
        (3, 8 | 16) => (Pixels::Grey, Channels::Grey),
        _ => {
            let what = format!("pixels of {depth} bits in the image type {kind}");
            return Err(unsupported(job, &what));
        }
    };
    let is_deep = matches!(pixels, Pixels::Grey) && depth == 16;
    let layout = Layout {
        width,
        height,
        channels,
        depth: if is_deep {
            Depth::Sixteen
        } else {
            Depth::Eight
        },
    };
    let bytes = usize::from(depth).div_ceil(8);
    Ok(Box::new(Tga {
        job,
        header: Header {
            layout,
            orientation: match (flags & RIGHT_TO_LEFT != 0, flags & TOP_TO_BOTTOM != 0) {
                (false, true) => Orientation::NoTransforms,
                (true, true) => Orientation::FlipHorizontal,
                (false, false) => Orientation::FlipVertical,
                (true, false) => Orientation::Rotate180,
            },
            icc: None,
            memory: (bytes as u64 + 1) * u64::from(width) + map.len() as u64 * 4,
            animated: false,
            lossless: true,
        },
        input,
        pixels,
        bytes,
        packed: kind & PACKED != 0,
        looks_up: true,
    }))
}

/// Skips the image ID, and moves to the pixels. Returns the bytes of the colour map. `entries` are the index of the
/// first entry, the number of entries, and the bits of an entry.
fn skip_to_pixels(
    input: &mut dyn Input,
    id: u8,
    entries: Option<(usize, usize, u8)>,
) -> io::Result<Vec<u8>> {
    io::copy(&mut (&mut *input).take(id.into()), &mut io::sink())?;
    let mut map = Vec::new();
    if let Some((_, count, bits)) = entries {
        map.resize(count * usize::from(bits).div_ceil(8), 0);
        input.read_exact(&mut map)?;
    }
    Ok(map)
}

/// The colours of a map. `None` if there is no map, the map is empty, or its entries have an unknown size.
fn colours(map: &[u8], entries: Option<(usize, usize, u8)>) -> Option<Vec<[u8; 4]>> {
    let (_, _, bits) = entries?;
    let colours: Vec<_> = match bits {
        15 | 16 => map
            .as_chunks()
            .0
            .iter()
            .map(|&entry| opaque(fifteen(entry)))
            .collect(),
        24 => map
            .as_chunks()
            .0
            .iter()
            .map(|&[b, g, r]| [r, g, b, 255])
            .collect(),
        32 => map
            .as_chunks()
            .0
            .iter()
            .map(|&[b, g, r, a]| [r, g, b, a])
            .collect(),
        _ => return None,
    };
    (!colours.is_empty()).then_some(colours)
}

fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

/// The colours of a 15-bit pixel, five bits each, scaled to 8 bits.
fn fifteen(bytes: [u8; 2]) -> [u8; 3] {
    let word = u32::from(u16::from_le_bytes(bytes));
    [10, 5, 0].map(|shift| (((word >> shift & 31) * 255 + 15) / 31) as u8)
}

impl<'a> Source<'a> for Tga<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        let Pixels::Index(colours) = &self.pixels else {
            return None;
        };
        if !transparency && !colours.is_opaque() {
            return None;
        }
        self.looks_up = false;
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Some(colours.clone())
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let layout = self.header.layout;
        let (layout, colours) = match &self.pixels {
            Pixels::Index(colours) => {
                let colours = self.looks_up.then(|| colours.clone());
                (layout.with(Channels::Grey, Depth::Eight), colours)
            }
            _ => (layout, None),
        };
        let rows = TgaRows {
            layout,
            line: vec![0; self.bytes * layout.width as usize],
            packet: Packet::Raw(0),
            next: 0,
            tga: *self,
        };
        Ok(match colours {
            Some(colours) => Box::new(LookedUp::new(Box::new(rows), &colours)),
            None => Box::new(rows),
        })
    }
}

/// The rest of a run-length packet: number of pixels, and their value in a run.
enum Packet {
    Raw(usize),
    Run(usize, [u8; 4]),
}

struct TgaRows<'a> {
    tga: Tga<'a>,
    layout: Layout,
    /// The current line in the form of the file.
    line: Vec<u8>,
    packet: Packet,
    next: u32,
}

impl TgaRows<'_> {
    /// Fills the next line. Packets may cross the ends of lines, although version 2 forbids it.
    fn fill(&mut self) -> io::Result<()> {
        let input = &mut *self.tga.input;
        if !self.tga.packed {
            return input.read_exact(&mut self.line);
        }
        let size = self.tga.bytes;
        let mut rest = &mut self.line[..];
        while !rest.is_empty() {
            let left = rest.len() / size;
            let count = match &mut self.packet {
                Packet::Raw(0) | Packet::Run(0, _) => {
                    let mut byte = [0];
                    input.read_exact(&mut byte)?;
                    let count = usize::from(byte[0] & 0x7f) + 1;
                    self.packet = if byte[0] & 0x80 == 0 {
                        Packet::Raw(count)
                    } else {
                        let mut pixel = [0; 4];
                        input.read_exact(&mut pixel[..size])?;
                        Packet::Run(count, pixel)
                    };
                    0
                }
                Packet::Raw(pixels) => {
                    let count = left.min(*pixels);
                    input.read_exact(&mut rest[..count * size])?;
                    *pixels -= count;
                    count
                }
                Packet::Run(pixels, pixel) => {
                    let count = left.min(*pixels);
                    for bytes in rest[..count * size].chunks_exact_mut(size) {
                        bytes.copy_from_slice(&pixel[..size]);
                    }
                    *pixels -= count;
                    count
                }
            };
            rest = &mut rest[count * size..];
        }
        Ok(())
    }
}

impl Rows for TgaRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.tga.job, self.next)?;
        self.next += 1;
        self.fill().map_err(|err| failed(self.tga.job, err))?;
        let line = &self.line;
        let (words, _) = line.as_chunks::<2>();
        match &self.tga.pixels {
            Pixels::Index(colours) => {
                row.copy_from_slice(line);
                colours.limit(row);
            }
            Pixels::WideIndex(first, map) => {
                let step = self.layout.channels.count();
                for (pixel, &word) in row.chunks_exact_mut(step).zip(words) {
                    let index = usize::from(u16::from_le_bytes(word));
                    let entry = index.checked_sub(*first).and_then(|at| map.get(at));
                    pixel.copy_from_slice(&entry.unwrap_or(&[0, 0, 0, 255])[..step]);
                }
            }
            Pixels::Grey if self.tga.bytes == 2 => {
                for (sample, &word) in row.as_chunks_mut().0.iter_mut().zip(words) {
                    *sample = u16::from_le_bytes(word).to_ne_bytes();
                }
            }
            Pixels::Grey | Pixels::GreyAlpha => row.copy_from_slice(line),
            Pixels::Fifteen => {
                for (pixel, &word) in row.as_chunks_mut().0.iter_mut().zip(words) {
                    *pixel = fifteen(word);
                }
            }
            Pixels::Bgr => {
                for (pixel, &[b, g, r]) in row.as_chunks_mut().0.iter_mut().zip(line.as_chunks().0)
                {
                    *pixel = [r, g, b];
                }
            }
            Pixels::Bgra => {
                let stored = line.as_chunks().0;
                for (pixel, &[b, g, r, a]) in row.as_chunks_mut().0.iter_mut().zip(stored) {
                    *pixel = [r, g, b, a];
                }
            }
        }
        Ok(())
    }
}
