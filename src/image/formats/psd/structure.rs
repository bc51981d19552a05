//! Reads the sections before the flattened picture of a Photoshop file: dimensions, palette, image resources, and
//! whether the picture is transparent. Finds the layers, but does not read them.
//!
//! A file has five sections: header, colour mode data, image resources, layer and mask information, and image data,
//! which is the flattened picture. The channel after the colours of this picture is transparency only if the layer
//! count is negative. With 16 or 32 bits per sample, the layer section is empty, and a tagged block after it contains
//! the layers. In such a file, an empty tagged block before the block with the layers may announce transparency as
//! well.

use crate::metadata::Resolution;
use convertd_core::job::Input;
use std::io::{self, Read, SeekFrom};

/// Largest image resource that is read, in bytes.
const MAX_RESOURCE: u32 = 4 << 20;

/// ID of the image resource with the resolution (ResolutionInfo).
const RESOLUTION: u16 = 1005;
/// ID of the image resource with the ICC profile.
const PROFILE: u16 = 1039;
/// ID of the image resource with the transparent index of the palette.
const TRANSPARENT: u16 = 1047;
/// ID of the image resource that states whether there is a flattened picture (Version Info).
const VERSION: u16 = 1057;
/// ID of the image resource with EXIF.
const EXIF: u16 = 1058;

/// Colour mode in the header: one bit per pixel.
const BITMAP: u16 = 0;
/// Colour mode in the header: grey.
const GREYSCALE: u16 = 1;
/// Colour mode in the header: indices of a palette.
const INDEXED: u16 = 2;
/// Colour mode in the header: RGB.
const RGB: u16 = 3;
/// Colour mode in the header: CMYK.
const CMYK: u16 = 4;
/// Colour mode in the header: inks of any colour; see [`Structure::is_multichannel`].
const MULTICHANNEL: u16 = 7;
/// Colour mode in the header: grey that is printed in several inks.
const DUOTONE: u16 = 8;
/// Colour mode in the header: CIELAB.
const LAB: u16 = 9;

/// Colour mode of a file.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// Bitmap: one bit per pixel, in which 1 is black.
    Bitmap,
    Grey,
    /// The palette, and the index that is transparent.
    Indexed(Vec<[u8; 3]>, Option<u8>),
    Rgb,
    Cmyk,
    /// Lightness, and two opponent colours whose middle value is neutral.
    Lab,
}

/// Content of the sections before the flattened picture.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    /// Whether the file is a PSB, the variant for large documents, in which lengths are wider.
    pub(crate) wide: bool,
    /// Number of channels of the flattened picture.
    pub(crate) channels: u16,
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    /// Bits per sample.
    pub(crate) depth: u16,
    /// Colour mode in the header, such as [`RGB`].
    pub(crate) mode: u16,
    /// Palette of indexed colour: all reds, then all greens, then all blues. Empty for other colour modes.
    pub(crate) palette: Vec<u8>,
    /// Index of the palette that is transparent.
    pub(crate) transparent: Option<u8>,
    pub(crate) icc: Option<Vec<u8>>,
    pub(crate) exif: Option<Vec<u8>>,
    pub(crate) resolution: Option<Resolution>,
    /// Whether the file has a flattened picture.
    pub(crate) flattened: bool,
    /// Whether the channel after the colours is the transparency of the flattened picture.
    pub(crate) alpha: bool,
    /// Offset of the layer count, if there are layers.
    pub(crate) layers: Option<u64>,
    /// Offset of the flattened picture in the file, in bytes.
    pub(crate) data: u64,
}

impl Structure {
    /// Reads everything before the flattened picture, which is the last section.
    pub(crate) fn read(input: &mut dyn Input) -> io::Result<Self> {
        let mut found = Self {
            flattened: true,
            ..Self::default()
        };
        // The version, after the signature "8BPS"; then six reserved bytes.
        input.seek(SeekFrom::Start(4))?;
        found.wide = u16::from_be_bytes(bytes(input)?) == 2;
        input.seek_relative(6)?;
        found.channels = u16::from_be_bytes(bytes(input)?);
        found.height = u32::from_be_bytes(bytes(input)?);
        found.width = u32::from_be_bytes(bytes(input)?);
        found.depth = u16::from_be_bytes(bytes(input)?);
        found.mode = u16::from_be_bytes(bytes(input)?);
        // Colour mode data, image resources, and layer and mask information: each begins with its length.
        let len = u32::from_be_bytes(bytes(input)?);
        let end = input.stream_position()? + u64::from(len);
        if found.mode == INDEXED {
            found.palette = bytes::<768>(input)?.to_vec();
        }
        input.seek(SeekFrom::Start(end))?;
        let len = u32::from_be_bytes(bytes(input)?);
        let end = input.stream_position()? + u64::from(len);
        found.resources(input, end)?;
        input.seek(SeekFrom::Start(end))?;
        let len = found.length(input)?;
        let start = input.stream_position()?;
        let end = start.checked_add(len).ok_or(io::ErrorKind::InvalidData)?;
        if len > 0 {
            found.layers(input, end)?;
        }
        found.data = end;
        Ok(found)
    }

    /// Reads a length, which has 8 bytes in a PSB.
    fn length(&self, input: &mut dyn Input) -> io::Result<u64> {
        Ok(if self.wide {
            u64::from_be_bytes(bytes(input)?)
        } else {
            u32::from_be_bytes(bytes(input)?).into()
        })
    }

    /// Reads the image resources that are used: resolution, profile, transparency, version and EXIF. Each is padded to
    /// an even length.
    fn resources(&mut self, input: &mut dyn Input, end: u64) -> io::Result<()> {
        while input.stream_position()? + 12 <= end {
            if &bytes(input)? != b"8BIM" {
                return Ok(());
            }
            let number = u16::from_be_bytes(bytes(input)?);
            // A name: one byte for its length, then the text, padded to an even number of bytes in total.
            let [name] = bytes(input)?;
            input.seek_relative(i64::from(name | 1))?;
            let len = u32::from_be_bytes(bytes(input)?);
            let wanted = matches!(number, RESOLUTION | PROFILE | TRANSPARENT | VERSION | EXIF);
            if !wanted || len > MAX_RESOURCE {
                input.seek_relative(i64::from(len) + i64::from(len & 1))?;
                continue;
            }
            let mut data = Vec::new();
            (&mut *input).take(len.into()).read_to_end(&mut data)?;
            input.seek_relative(i64::from(len & 1))?;
            match (number, data.as_slice()) {
                (PROFILE, _) => self.icc = Some(data),
                (EXIF, _) => self.exif = Some(data),
                (RESOLUTION, data) => self.resolution = resolution(data),
                (TRANSPARENT, [high, low, ..]) => {
                    let index = u16::from_be_bytes([*high, *low]);
                    self.transparent = u8::try_from(index).ok();
                }
                (VERSION, [_, _, _, _, real, ..]) => self.flattened = *real != 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds the layers. A negative layer count means that the flattened picture has transparency.
    fn layers(&mut self, input: &mut dyn Input, end: u64) -> io::Result<()> {
        let len = self.length(input)?;
        let after = input.stream_position()?.saturating_add(len);
        if len > 0 {
            self.layers = Some(input.stream_position()?);
            self.alpha = i16::from_be_bytes(bytes(input)?) < 0;
            return Ok(());
        }
        // With more than 8 bits per sample, the layers are in a tagged block after the global mask information.
        if after + 4 > end {
            return Ok(());
        }
        let len = u32::from_be_bytes(bytes(input)?);
        input.seek_relative(len.into())?;
        while input.stream_position()? + 12 <= end {
            let signature: [u8; 4] = bytes(input)?;
            let key: [u8; 4] = bytes(input)?;
            if !matches!(&signature, b"8BIM" | b"8B64") {
                return Ok(());
            }
            // Blocks whose length has 8 bytes in a PSB.
            let long = matches!(
                &key,
                b"LMsk" | b"Lr16" | b"Lr32" | b"Layr" | b"Mt16" | b"Mt32" | b"Mtrn" | b"Alph"
            );
            let len = if self.wide && long {
                u64::from_be_bytes(bytes(input)?)
            } else {
                u32::from_be_bytes(bytes(input)?).into()
            };
            match &key {
                b"Mt16" | b"Mt32" | b"Mtrn" => self.alpha = true,
                b"Lr16" | b"Lr32" | b"Layr" if len >= 2 => {
                    self.layers = Some(input.stream_position()?);
                    self.alpha |= i16::from_be_bytes(bytes(input)?) < 0;
                    return Ok(());
                }
                _ => {}
            }
            let len = i64::try_from(len).map_err(|_| io::ErrorKind::InvalidData)?;
            input.seek_relative(len)?;
        }
        Ok(())
    }

    /// Returns whether the file is in multichannel mode, in which each channel is an ink of any colour. Photoshop makes
    /// such files from CMYK, so the inks are treated as cyan, magenta, yellow and black, in this order. Their samples
    /// are inverted (255 means no ink), so with fewer than four inks they can be read as grey or RGB.
    pub(crate) fn is_multichannel(&self) -> bool {
        self.mode == MULTICHANNEL
    }

    /// The colour mode, or a description of an unsupported one.
    pub(crate) fn mode(&self) -> Result<Mode, &'static str> {
        Ok(match (self.mode, self.depth) {
            (BITMAP, 1) => Mode::Bitmap,
            // Duotone is stored as grey; the appearance of its inks is not documented.
            (GREYSCALE | DUOTONE, 8 | 16 | 32) => Mode::Grey,
            (INDEXED, 8) => {
                let (reds, rest) = self.palette.split_at(256);
                let (greens, blues) = rest.split_at(256);
                let palette = reds.iter().zip(greens).zip(blues);
                let palette = palette.map(|((r, g), b)| [*r, *g, *b]).collect();
                Mode::Indexed(palette, self.transparent)
            }
            (RGB, 8 | 16 | 32) => Mode::Rgb,
            (CMYK, 8 | 16) => Mode::Cmyk,
            (MULTICHANNEL, 8 | 16) => match self.channels {
                ..=2 => Mode::Grey,
                3 => Mode::Rgb,
                _ => Mode::Cmyk,
            },
            (LAB, 8 | 16) => Mode::Lab,
            (_, 32) => return Err("32 bits a channel"),
            _ => return Err("an unknown colour mode"),
        })
    }
}

impl Mode {
    /// Returns whether transparent pixels have been blended with white in the flattened picture.
    pub(crate) fn is_over_white(&self) -> bool {
        matches!(self, Self::Rgb)
    }
}

/// Parses the resource ResolutionInfo: pixels per inch, as fixed-point numbers with 16 fractional bits. Each is
/// followed by the units in which Photoshop displays it and the side of the picture.
fn resolution(info: &[u8]) -> Option<Resolution> {
    let number = |at: usize| {
        let bytes = info.get(at..).and_then(<[u8]>::first_chunk)?;
        Some(f64::from(u32::from_be_bytes(*bytes)) / 65_536.0)
    };
    Resolution::per_inch(number(0)?, number(8)?)
}

/// The next `N` bytes of the file.
pub(crate) fn bytes<const N: usize>(input: &mut dyn Input) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
