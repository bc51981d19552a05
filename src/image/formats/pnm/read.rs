//! Reads the binary formats of netpbm row by row: PBM, PGM, PPM, PAM and PFM (their man pages). Leaves the text
//! formats, and PAM with unknown tuple types, to the `image` crate.

use crate::{
    adapter::read::{self as adapter, Codec},
    limits,
    pixels::{Channels, Depth, Layout, Rows, rows::check_row},
    source::{Header, Source, failed, lost},
};
use convertd_core::{
    error::Result,
    job::{Input, Job, read_head},
};
use image::{codecs::pnm::PnmDecoder, metadata::Orientation};
use std::io::SeekFrom;

/// Length of the longest header in bytes, including comments.
const HEAD: usize = 1 << 12;

/// The decoder of the `image` crate, for the other variants.
static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(PnmDecoder::new(input)?)),
    memory: adapter::output_alone,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};

/// Header of a file in one of the binary formats.
#[derive(Debug, PartialEq)]
struct Head {
    layout: Layout,
    /// The offset of the pixels in the file.
    offset: u64,
    coding: Coding,
}

/// Coding of the pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Coding {
    /// Eight pixels in each byte; 1 is black.
    Bits,
    /// Samples of one byte, or of two (big-endian) if `most`, the value of white, is above 255.
    Samples { most: u16 },
    /// Floating-point samples of four bytes. The bottom row comes first.
    Floats { is_little: bool },
}

/// Opens a picture of netpbm. Binary variants are read row by row; plain text ones are left to the `image` crate.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let Some(head) = Head::parse(&read_head(input, HEAD).map_err(lost)?) else {
        return adapter::open(job, input, &CODEC);
    };
    let layout = head.layout;
    limits::check(
        job,
        layout.width,
        layout.height,
        Some(limits::PIXELS_PER_BYTE),
    )?;
    let needed = head.offset + head.row_bytes() as u64 * u64::from(layout.height);
    if job.input_len < needed {
        return Err(job.unreadable(format!("it ends after {} of {needed} bytes", job.input_len)));
    }
    input.seek(SeekFrom::Start(head.offset)).map_err(lost)?;
    Ok(Box::new(Pnm {
        job,
        header: Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: head.row_bytes() as u64,
            animated: false,
            lossless: true,
        },
        packed: Vec::new(),
        head,
        input,
        next: 0,
    }))
}

impl Head {
    /// Parses a header. `None` if it is invalid, or of another variant.
    fn parse(head: &[u8]) -> Option<Self> {
        let mut words = Words { head, at: 2 };
        let (width, height, channels, most) = match head.get(..2)? {
            // P4 is PBM, P5 PGM, P6 PPM, PF and Pf PFM in colour and in grey, P7 PAM.
            b"P4" => (words.number()?, words.number()?, Channels::Grey, None),
            b"P5" => (
                words.number()?,
                words.number()?,
                Channels::Grey,
                Some(words.number()?),
            ),
            b"P6" => (
                words.number()?,
                words.number()?,
                Channels::Rgb,
                Some(words.number()?),
            ),
            b"PF" => return Self::of_floats(words, Channels::Rgb),
            b"Pf" => return Self::of_floats(words, Channels::Grey),
            b"P7" => {
                let [mut width, mut height, mut depth, mut most] = [0; 4];
                let mut kind: &[u8] = b"";
                loop {
                    match words.next()? {
                        b"WIDTH" => width = words.number()?,
                        b"HEIGHT" => height = words.number()?,
                        b"DEPTH" => depth = words.number()?,
                        b"MAXVAL" => most = words.number()?,
                        b"TUPLTYPE" => kind = words.next()?,
                        b"ENDHDR" => break,
                        _ => return None,
                    }
                }
                let channels = match (kind, depth) {
                    (b"BLACKANDWHITE" | b"GRAYSCALE", 1) => Channels::Grey,
                    (b"BLACKANDWHITE_ALPHA" | b"GRAYSCALE_ALPHA", 2) => Channels::GreyAlpha,
                    (b"RGB", 3) => Channels::Rgb,
                    (b"RGB_ALPHA", 4) => Channels::Rgba,
                    _ => return None,
                };
                (width, height, channels, Some(most))
            }
            _ => return None,
        };
        let (coding, depth) = match most {
            None => (Coding::Bits, Depth::Eight),
            Some(most) => {
                let most = u16::try_from(most).ok().filter(|&most| most > 0)?;
                let depth = if most < 256 {
                    Depth::Eight
                } else {
                    Depth::Sixteen
                };
                (Coding::Samples { most }, depth)
            }
        };
        // A single byte of white space ends the header.
        head.get(words.at)
            .filter(|byte| byte.is_ascii_whitespace())?;
        Some(Self {
            layout: Layout {
                width,
                height,
                channels,
                depth,
            },
            offset: words.at as u64 + 1,
            coding,
        })
    }

    /// Parses the rest of the header of a PFM.
    fn of_floats(mut words: Words<'_>, channels: Channels) -> Option<Self> {
        let (width, height) = (words.number()?, words.number()?);
        let scale: f32 = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
        Some(Self {
            layout: Layout {
                width,
                height,
                channels,
                depth: Depth::Float,
            },
            offset: words.at as u64 + 1,
            // The sign of the scale states the byte order. Programs disagree about the scale's absolute value, and most
            // ignore it.
            coding: Coding::Floats {
                is_little: scale.is_sign_negative(),
            },
        })
    }

    /// Length of a row in the file, in bytes.
    fn row_bytes(&self) -> usize {
        match self.coding {
            Coding::Bits => (self.layout.width as usize).div_ceil(8),
            Coding::Samples { .. } | Coding::Floats { .. } => self.layout.row_bytes(),
        }
    }
}

/// The words of a header, separated by white space and comments.
struct Words<'a> {
    head: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word, which white space must follow.
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.head.get(self.at)? {
                b'#' => self.at += memchr::memchr(b'\n', &self.head[self.at..])?,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let rest = &self.head[self.at..];
        let len = rest.iter().position(u8::is_ascii_whitespace)?;
        self.at += len;
        Some(&rest[..len])
    }

    fn number(&mut self) -> Option<u32> {
        std::str::from_utf8(self.next()?).ok()?.parse().ok()
    }
}

/// A file before and during decoding.
struct Pnm<'a> {
    job: &'a Job<'a>,
    header: Header,
    head: Head,
    input: &'a mut dyn Input,
    /// The current row of bits.
    packed: Vec<u8>,
    next: u32,
}

impl<'a> Source<'a> for Pnm<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        match self.head.coding {
            Coding::Floats { .. } => vec![
                "The samples were treated as linear light, because a pfm does not state their meaning."
                    .to_owned(),
            ],
            Coding::Bits | Coding::Samples { .. } => Vec::new(),
        }
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        Ok(self)
    }
}

impl Rows for Pnm<'_> {
    fn layout(&self) -> Layout {
        self.head.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.next)?;
        self.next += 1;
        let unreadable = |err| failed(self.job, err);
        match self.head.coding {
            Coding::Bits => {
                self.packed.resize(self.head.row_bytes(), 0);
                self.input
                    .read_exact(&mut self.packed)
                    .map_err(unreadable)?;
                for (x, sample) in row.iter_mut().enumerate() {
                    let black = self.packed[x / 8] >> (7 - x % 8) & 1 == 1;
                    *sample = if black { 0 } else { 255 };
                }
            }
            Coding::Samples { most } => {
                self.input.read_exact(row).map_err(unreadable)?;
                scale(row, most);
            }
            Coding::Floats { is_little } => {
                // Rows are stored from bottom to top.
                let offset = u64::from(self.head.layout.height - self.next) * row.len() as u64;
                self.input
                    .seek(SeekFrom::Start(self.head.offset + offset))
                    .and_then(|_| self.input.read_exact(row))
                    .map_err(unreadable)?;
                for sample in row.as_chunks_mut().0 {
                    let value = match is_little {
                        true => f32::from_le_bytes(*sample),
                        false => f32::from_be_bytes(*sample),
                    };
                    let value = if value.is_finite() { value } else { 0.0 };
                    *sample = value.to_ne_bytes();
                }
            }
        }
        Ok(())
    }
}

/// Scales samples from the range 0 to `most` to the full range of their type. 16-bit samples are big-endian before, and
/// in the byte order of the machine afterwards.
fn scale(row: &mut [u8], most: u16) {
    match most {
        255 => {}
        0..255 => {
            let most = u32::from(most);
            for sample in row {
                *sample = ((u32::from(*sample).min(most) * 255 + most / 2) / most) as u8;
            }
        }
        256.. => {
            let most = u32::from(most);
            for sample in row.as_chunks_mut::<2>().0 {
                let value = u32::from(u16::from_be_bytes(*sample)).min(most);
                *sample = (((value * 65_535 + most / 2) / most) as u16).to_ne_bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, expected: Option<(u32, u32, Channels, Depth)>) {
        let found = Head::parse(head.as_bytes());
        let layout = found.as_ref().map(|head| head.layout);
        assert_eq!(
            layout.map(|at| (at.width, at.height, at.channels, at.depth)),
            expected
        );
        if let Some(found) = found {
            assert_eq!(found.offset, head.len() as u64);
        }
    }

    #[test]
    fn headers_are_understood() {
        use {Channels::*, Depth::*};
        check("P4 3 2\n", Some((3, 2, Grey, Eight)));
        check(
            "P5 # a comment\n3\n# and 9 more\n2 100 ",
            Some((3, 2, Grey, Eight)),
        );
        check("P6\n3 2\n65535\n", Some((3, 2, Rgb, Sixteen)));
        check(
            "P7\nWIDTH 3\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
            Some((3, 2, Rgba, Eight)),
        );
        check("P6\n3 2\n0\n", None);
        check("P6\n3 2\n65536\n", None);
        check("P6\n3 2", None);
        check("P3\n3 2\n255\n", None);
    }

    #[test]
    fn samples_are_scaled_to_white() {
        let mut row = [0, 5, 10, 11];
        scale(&mut row, 10);
        assert_eq!(row, [0, 128, 255, 255]);
        let mut row = 1000u16.to_be_bytes();
        scale(&mut row, 1000);
        assert_eq!(row, [255, 255]);
    }
}
