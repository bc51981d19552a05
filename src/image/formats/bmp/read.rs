//! Reads Windows bitmaps (BITMAPINFOHEADER to BITMAPV5HEADER) a band of rows at a time, although the last row comes first in the
//! file. Leaves run-length coding, 16 bits a pixel and unusual masks to the `image` crate.

use crate::{
    error::Result,
    image::{
        adapter::read::{self as adapter, Codec},
        limits,
        pixels::{
            Channels, Depth, Layout, Rows,
            palette::{self, Colours, LookedUp},
        },
        source::{Header, Source, failed, lost},
    },
    job::{Input, Job, read_head},
};
use image::{codecs::bmp::BmpDecoder, metadata::Orientation};
use std::io::SeekFrom;

/// The longest header, with a palette of 256 entries.
const HEAD: usize = 14 + 124 + 1024;

/// The approximate size of a band of rows in bytes.
const BAND: usize = 1 << 17;

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(BmpDecoder::new(input)?)),
    memory: adapter::output_alone,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};

/// What the header says about a file that is read here.
struct Head {
    /// The layout of the rows after unpacking.
    layout: Layout,
    /// The offset of the pixels in the file.
    offset: u64,
    /// The distance from row to row in bytes.
    stride: usize,
    /// The bytes of a row without padding.
    packed: usize,
    top_down: bool,
    coding: Coding,
}

/// What a pixel is.
enum Coding {
    /// An index of 1, 4 or 8 bits.
    Index { bits: u32, colours: Colours },
    /// Blue, green and red.
    Bgr,
    /// Four bytes: the positions of red, green, blue and, if there is one, alpha.
    Bytes { places: [usize; 4] },
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head = read_head(input, HEAD).map_err(lost)?;
    let Some(head) = Head::parse(&head) else {
        return adapter::open(job, input, &CODEC);
    };
    let layout = head.layout;
    limits::check(
        job,
        layout.width,
        layout.height,
        Some(limits::PIXELS_PER_BYTE),
    )?;
    // The padding of the last row may be missing.
    let rows = head.stride as u64 * u64::from(layout.height - 1);
    let needed = head.offset + rows + head.packed as u64;
    if job.input_len < needed {
        return Err(job.unreadable("it ends before the picture does"));
    }
    Ok(Box::new(Bmp {
        job,
        header: Header {
            layout: match &head.coding {
                Coding::Index { colours, .. } => layout.with(colours.channels(), Depth::Eight),
                Coding::Bgr | Coding::Bytes { .. } => layout,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: (BAND + 2 * head.stride) as u64,
            animated: false,
            lossless: true,
        },
        head,
        input,
        looks_up: true,
    }))
}

impl Head {
    /// `None` if the header makes no sense or the file is not read here.
    fn parse(head: &[u8]) -> Option<Self> {
        let short = |at: usize| Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?));
        let long = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
        let info = long(14)?;
        if !head.starts_with(b"BM") || !matches!(info, 40 | 52 | 56 | 64 | 108 | 124) {
            return None;
        }
        let (width, height) = (long(18)?, long(22)?.cast_signed());
        let (bits, compression) = (u32::from(short(28)?), long(30)?);
        let (coding, channels) = match (bits, compression) {
            (1 | 4 | 8, 0) => {
                let count = match long(46)? {
                    0 => 1 << bits,
                    count => (count as usize).min(256),
                };
                let entries = head.get(14 + info as usize..)?.as_chunks::<4>().0;
                let colours = entries.iter().take(count);
                let colours = Colours::new(colours.map(|&[b, g, r, _]| [r, g, b, 255]).collect());
                (Coding::Index { bits, colours }, Channels::Grey)
            }
            (24, 0) => (Coding::Bgr, Channels::Rgb),
            (32, 0) => (
                Coding::Bytes {
                    places: [2, 1, 0, 3],
                },
                Channels::Rgb,
            ),
            (32, 3) => {
                let place = |at: usize| match long(at)? {
                    0x0000_00ff => Some(0),
                    0x0000_ff00 => Some(1),
                    0x00ff_0000 => Some(2),
                    0xff00_0000 => Some(3),
                    _ => None,
                };
                let [r, g, b] = [place(54)?, place(58)?, place(62)?];
                // Only the longer headers have a mask for alpha.
                let (alpha, channels) = match if info >= 56 { long(66)? } else { 0 } {
                    0 => (3, Channels::Rgb),
                    _ => (place(66)?, Channels::Rgba),
                };
                let places = [r, g, b, alpha];
                (Coding::Bytes { places }, channels)
            }
            _ => return None,
        };
        let row_bits = (width as usize).checked_mul(bits as usize)?;
        Some(Self {
            layout: Layout {
                width,
                height: height.unsigned_abs(),
                channels,
                depth: Depth::Eight,
            },
            offset: long(10)?.into(),
            stride: row_bits.div_ceil(32) * 4,
            packed: row_bits.div_ceil(8),
            top_down: height < 0,
            coding,
        })
    }

    /// Unpacks the pixels of a row.
    fn unpack(&self, packed: &[u8], row: &mut [u8]) {
        match &self.coding {
            Coding::Index { bits, colours } => {
                palette::unpack(packed, *bits, row);
                colours.limit(row);
            }
            Coding::Bgr => {
                let pixels = packed.as_chunks().0;
                for (pixel, &[b, g, r]) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                    *pixel = [r, g, b];
                }
            }
            Coding::Bytes { places } => {
                let [r, g, b, a] = *places;
                let pixels = packed.as_chunks::<4>().0;
                if self.layout.channels == Channels::Rgb {
                    for (pixel, bytes) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                        *pixel = [bytes[r], bytes[g], bytes[b]];
                    }
                } else {
                    for (pixel, bytes) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                        *pixel = [bytes[r], bytes[g], bytes[b], bytes[a]];
                    }
                }
            }
        }
    }
}

struct Bmp<'a> {
    job: &'a Job<'a>,
    header: Header,
    head: Head,
    input: &'a mut dyn Input,
    looks_up: bool,
}

impl<'a> Source<'a> for Bmp<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn index(&mut self, _: bool) -> Option<Colours> {
        let Coding::Index { colours, .. } = &self.head.coding else {
            return None;
        };
        self.looks_up = false;
        self.header.layout = self.head.layout;
        Some(colours.clone())
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let band_rows = (BAND / self.head.stride).max(1);
        let colours = match &self.head.coding {
            Coding::Index { colours, .. } if self.looks_up => Some(colours.clone()),
            Coding::Index { .. } | Coding::Bgr | Coding::Bytes { .. } => None,
        };
        let rows = Box::new(BmpRows {
            job: self.job,
            band: vec![0; band_rows * self.head.stride],
            head: self.head,
            input: self.input,
            next: 0,
        });
        Ok(match colours {
            Some(colours) => Box::new(LookedUp::new(rows, &colours)),
            None => rows,
        })
    }
}

struct BmpRows<'a> {
    job: &'a Job<'a>,
    head: Head,
    input: &'a mut dyn Input,
    /// Rows in the order of the file.
    band: Vec<u8>,
    next: usize,
}

impl BmpRows<'_> {
    /// Reads the band that begins with the next row of the picture.
    fn fill(&mut self) -> Result<()> {
        self.job.check()?;
        let (height, stride) = (self.head.layout.height as usize, self.head.stride);
        let count = (self.band.len() / stride).min(height - self.next);
        self.band.truncate(count * stride);
        let first = if self.head.top_down {
            self.next
        } else {
            height - self.next - count
        };
        let at = self.head.offset + first as u64 * stride as u64;
        // Nothing but padding can be missing, at the very end.
        let there = (self.job.input_len - at).min(self.band.len() as u64) as usize;
        self.input
            .seek(SeekFrom::Start(at))
            .and_then(|_| self.input.read_exact(&mut self.band[..there]))
            .map_err(|err| failed(self.job, err))
    }
}

impl Rows for BmpRows<'_> {
    fn layout(&self) -> Layout {
        self.head.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let stride = self.head.stride;
        let band_rows = (BAND / stride).max(1);
        if self.next.is_multiple_of(band_rows) {
            self.fill()?;
        }
        let within = self.next % band_rows;
        let at = if self.head.top_down {
            within
        } else {
            self.band.len() / stride - 1 - within
        };
        self.head.unpack(&self.band[at * stride..][..stride], row);
        self.next += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of 40 bytes, and what follows it.
    fn file(width: i32, height: i32, bits: u16, rest: &[u8]) -> Vec<u8> {
        let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
        file.extend(54u32.to_le_bytes());
        file.extend(40u32.to_le_bytes());
        file.extend(width.to_le_bytes());
        file.extend(height.to_le_bytes());
        file.extend([1, 0]);
        file.extend(bits.to_le_bytes());
        file.extend([0; 24]);
        file.extend(rest);
        file
    }

    #[track_caller]
    fn check(bits: u16, palette: &[u8], packed: &[u8], expected: &[u8]) {
        let head = Head::parse(&file(3, 1, bits, palette)).unwrap();
        let mut row = vec![0; head.layout.row_bytes()];
        head.unpack(packed, &mut row);
        assert_eq!(row, expected);
    }

    #[test]
    fn pixels_are_unpacked() {
        let colours = [1, 2, 3, 0, 4, 5, 6, 0];
        check(1, &colours, &[0b0100_0000, 0, 0, 0], &[0, 1, 0]);
        check(4, &colours, &[0x01, 0x10, 0, 0], &[0, 1, 1]);
        check(8, &colours, &[1, 0, 2, 0], &[1, 0, 0]);
        let pixels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0];
        check(24, &[], &pixels, &[3, 2, 1, 6, 5, 4, 9, 8, 7]);
    }

    #[test]
    fn the_last_row_needs_all_but_its_padding() {
        let packed = |width, bits| {
            Head::parse(&file(width, 1, bits, &[0; 1024]))
                .unwrap()
                .packed
        };
        assert_eq!(packed(4, 24), 12);
        assert_eq!(packed(3, 24), 9);
        assert_eq!(packed(9, 1), 2);
        assert_eq!(packed(3, 4), 2);
    }

    #[test]
    fn what_is_not_understood_is_left_to_others() {
        assert!(Head::parse(&file(3, -1, 24, &[])).is_some_and(|head| head.top_down));
        assert!(Head::parse(&file(3, 1, 16, &[])).is_none());
        assert!(Head::parse(&file(3, 1, 24, &[])[..20]).is_none());
    }
}
