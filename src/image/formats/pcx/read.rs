//! Reads PCX row by row (ZSoft PCX File Format Technical Reference Manual, revision 5), with 1, 2, 3, 4, 8, 24 and 32
//! bits per pixel. Does not read DCX, which contains several pictures.
//!
//! This is our own code, because the crate `pcx` 0.2.5, which `image-extras` uses as well, does not read four planes of
//! 8 bits, rejects a picture of 8 bits without a palette, which is grey, and reads an empty palette in the header as
//! sixteen blacks.

use crate::{
    limits,
    pixels::{Channels, Depth, Layout, Rows, rows::check_row},
    source::{Header, Source, failed, head, lost, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, SeekFrom};

/// Length of the header in bytes.
const HEADER: usize = 128;

/// Length in bytes of the palette of 256 colours at the end of a file, including the byte 0x0C before it.
const PALETTE: usize = 1 + 3 * 256;

/// The default palette of the EGA card, for files without one.
#[rustfmt::skip]
const EGA: [[u8; 3]; 16] = [
    [0, 0, 0], [0, 0, 170], [0, 170, 0], [0, 170, 170], [170, 0, 0], [170, 0, 170], [170, 85, 0], [170, 170, 170],
    [85, 85, 85], [85, 85, 255], [85, 255, 85], [85, 255, 255], [255, 85, 85], [255, 85, 255], [255, 255, 85], [255, 255, 255],
];

/// Coding of a file's pixels.
enum Pixels {
    /// Palette indices with this many bits, all in one plane.
    Packed(u32, Vec<[u8; 3]>),
    /// Palette indices with one bit in each plane.
    Planar(Vec<[u8; 3]>),
    /// A plane of 8 bits for each channel.
    Direct,
}

/// A PCX file before decoding.
struct Pcx<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    pixels: Pixels,
    /// Whether rows are run-length coded.
    packed: bool,
    planes: usize,
    /// Length of a row in one plane, in bytes.
    bytes: usize,
}

/// Recognises files with unusual magic bytes, which only the extension of their name identifies: those with
/// uncompressed rows, and those with a value in the reserved byte.
pub(crate) fn recognise(head: &[u8]) -> bool {
    matches!(
        head,
        [0x0a, 0 | 2..=5, 0 | 1, 1 | 2 | 4 | 8, ..] if head.len() >= HEADER
    )
}

/// Opens a PCX picture: one to four planes of 1 bit, one plane of 2, 4 or 8 bits, or three or four planes of 8 bits.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head: [u8; HEADER] = head(job, input)?;
    let word = |at: usize| u32::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let side = |from: usize, to: usize| (word(to) + 1).checked_sub(word(from));
    let (Some(width), Some(height)) = (side(4, 8), side(6, 10)) else {
        return Err(job.unreadable(
            "its header puts the right edge left of the left one, or the bottom above the top",
        ));
    };
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let (bits, planes, bytes) = (u32::from(head[3]), head[65], word(66) as usize);
    if (bytes as u64) * 8 < u64::from(width) * u64::from(bits) {
        return Err(job.unreadable("its rows are shorter than the width of the picture"));
    }
    let pixels = match (bits, planes) {
        (1, 1) => Pixels::Packed(1, two_colours(&head)),
        (2 | 4, 1) => Pixels::Packed(bits, colours(&head)),
        (1, 2..=4) => Pixels::Planar(colours(&head)),
        (8, 1) => {
            let palette = palette(job, input).map_err(lost)?;
            Pixels::Packed(8, palette)
        }
        (8, 3 | 4) => Pixels::Direct,
        _ => {
            let what = format!("{planes} planes of {bits} bits");
            return Err(unsupported(job, &what));
        }
    };
    let channels = match &pixels {
        Pixels::Packed(_, colours) | Pixels::Planar(colours) => {
            if colours.iter().all(|&[r, g, b]| r == g && g == b) {
                Channels::Grey
            } else {
                Channels::Rgb
            }
        }
        Pixels::Direct if planes == 4 => Channels::Rgba,
        Pixels::Direct => Channels::Rgb,
    };
    let planes = usize::from(planes);
    Ok(Box::new(Pcx {
        job,
        header: Header {
            layout: Layout {
                width,
                height,
                channels,
                depth: Depth::Eight,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: 2 * (planes * bytes) as u64,
            animated: false,
            lossless: true,
        },
        input,
        pixels,
        packed: head[2] == 1,
        planes,
        bytes,
    }))
}

/// The palette in the header, or the default one.
fn colours(head: &[u8; HEADER]) -> Vec<[u8; 3]> {
    let palette = head[16..64].as_chunks::<3>().0;
    // Version 3 has no palette, and some writers leave it all zero.
    if head[1] == 3 || palette.iter().all(|colour| *colour == [0; 3]) {
        return EGA.to_vec();
    }
    palette.to_vec()
}

/// The colours of a picture of 1 bit: black and white if the file has no palette (version 3), or if its first two
/// entries are equal; those of a CGA card if the header has the settings of one; otherwise the first two entries.
fn two_colours(head: &[u8; HEADER]) -> Vec<[u8; 3]> {
    let palette = head[16..64].as_chunks::<3>().0;
    if head[1] == 3 || palette[0] == palette[1] {
        return vec![[0; 3], [255; 3]];
    }
    // Files for a CGA card have its settings instead of a palette: the upper four bits of the first byte are the number
    // of the colour for bit 0. Bit 1 is black.
    if let [[settings, 0, 0], [0, 0, 0]] = palette[..2] {
        return vec![EGA[usize::from(settings >> 4)], [0; 3]];
    }
    palette[..2].to_vec()
}

/// The palette at the end of the file, or 256 shades of grey if the file has no palette.
fn palette(job: &Job<'_>, input: &mut dyn Input) -> io::Result<Vec<[u8; 3]>> {
    if let Some(at) = job.input_len.checked_sub((HEADER + PALETTE) as u64) {
        let mut bytes = [0; PALETTE];
        input.seek(SeekFrom::Start(at + HEADER as u64))?;
        input.read_exact(&mut bytes)?;
        if let [0x0c, colours @ ..] = &bytes {
            return Ok(colours.as_chunks().0.to_vec());
        }
    }
    Ok((0..=255).map(|grey| [grey; 3]).collect())
}

impl<'a> Source<'a> for Pcx<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        self.input
            .seek(SeekFrom::Start(HEADER as u64))
            .map_err(lost)?;
        Ok(Box::new(PcxRows {
            line: vec![0; self.planes * self.bytes],
            run: (0, 0),
            next: 0,
            pcx: *self,
        }))
    }
}

/// Rows of a PCX file.
struct PcxRows<'a> {
    pcx: Pcx<'a>,
    /// All planes of the current row, one after another.
    line: Vec<u8>,
    /// The number of repetitions that are left in the current run, and the repeated byte. Some writers let a run
    /// continue in the next row.
    run: (u8, u8),
    next: u32,
}

impl PcxRows<'_> {
    /// Fills the next row of all planes. Runs may cross the ends of rows.
    fn fill(&mut self) -> io::Result<()> {
        let input = &mut *self.pcx.input;
        if !self.pcx.packed {
            return input.read_exact(&mut self.line);
        }
        let mut at = 0;
        while at < self.line.len() {
            let (count, value) = self.run;
            let len = usize::from(count).min(self.line.len() - at);
            self.line[at..at + len].fill(value);
            at += len;
            self.run.0 -= len as u8;
            if at == self.line.len() {
                break;
            }
            let mut byte = [0];
            input.read_exact(&mut byte)?;
            // Two set high bits mark the length of a run; all other bytes stand for themselves.
            self.run = if byte[0] >= 0xc0 {
                let count = byte[0] & 0x3f;
                input.read_exact(&mut byte)?;
                (count, byte[0])
            } else {
                (1, byte[0])
            };
        }
        Ok(())
    }
}

impl Rows for PcxRows<'_> {
    fn layout(&self) -> Layout {
        self.pcx.header.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.pcx.job, self.next)?;
        self.next += 1;
        self.fill().map_err(|err| failed(self.pcx.job, err))?;
        let bytes = self.pcx.bytes;
        let grey = self.layout().channels == Channels::Grey;
        let step = self.layout().channels.count();
        let pixels = row.chunks_exact_mut(step).enumerate();
        let put = |pixel: &mut [u8], colours: &[[u8; 3]], index: usize| {
            let colour = colours.get(index).copied().unwrap_or_default();
            pixel.copy_from_slice(if grey { &colour[..1] } else { &colour });
        };
        match &self.pcx.pixels {
            Pixels::Packed(bits, colours) => {
                let (bits, mask) = (*bits as usize, (1usize << bits) - 1);
                for (x, pixel) in pixels {
                    let bit = x * bits;
                    let shift = 8 - bits - bit % 8;
                    put(
                        pixel,
                        colours,
                        usize::from(self.line[bit / 8]) >> shift & mask,
                    );
                }
            }
            Pixels::Planar(colours) => {
                for (x, pixel) in pixels {
                    let index = (0..self.pcx.planes).fold(0, |index, plane| {
                        let byte = self.line[plane * bytes + x / 8];
                        index | usize::from(byte >> (7 - x % 8) & 1) << plane
                    });
                    put(pixel, colours, index);
                }
            }
            Pixels::Direct => {
                for (x, pixel) in pixels {
                    for (plane, sample) in pixel.iter_mut().enumerate() {
                        *sample = self.line[plane * bytes + x];
                    }
                }
            }
        }
        Ok(())
    }
}
