//! Unpacks samples of grey, RGB, ink or CIELAB: integers of 1 to 32 bits, signed or unsigned, and floating point of 16,
//! 24, 32 and 64 bits (TIFF 6.0, sections 14, 16, 19 and 23; TIFF Technical Note 3), chunky or planar. Works on single
//! rows.
//!
//! Ink becomes 8-bit RGB. Of the others, integers of up to 8 bits become 8-bit samples, longer ones 16-bit samples, and
//! floating point stays floating point. Samples of whole bytes have the byte order of the file. All others are packed
//! without gaps, highest bit first, and each row begins at a byte. With the tag Predictor, a row contains differences:
//! of samples (2), or, for floating point, of bytes (3). With predictor 3, the most significant bytes of all samples
//! come first, then the next lower bytes, and so on.

mod bits;
mod colours;
#[cfg(test)]
mod tests;

use crate::pixels::{Channels, Depth, colour::Inks};
use convertd_core::{containers::ifd::Directory, job::Input};
use std::io;
use tiff::tags::Tag;

/// The format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SampleFormat {
    Integer,
    /// A signed integer, whose minimum is black. Signed bytes are read as unsigned, as in libtiff, because the programs
    /// that write them mean unsigned bytes.
    Signed,
    Float,
}

/// Meaning of the first samples of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Grey, or red, green and blue.
    Light,
    /// Cyan, magenta, yellow and black; the maximum is full ink.
    Ink,
    /// Lightness, and two signed numbers, which are stored with a sign, or with an offset that makes them positive
    /// (ICCLab).
    Lab { is_positive: bool },
}

/// The value of the tag Predictor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predictor {
    None,
    Samples,
    Bytes,
}

/// The samples of a row.
pub(crate) struct Samples {
    kind: SampleFormat,
    colour: Colour,
    /// Whether each kind of sample has its own strips and tiles.
    is_planar: bool,
    /// Conversion of ink to light.
    inks: Inks,
    /// Number of samples of a pixel's colour, without alpha.
    colours: usize,
    bits: usize,
    /// The number of samples of a pixel in the file. The colour comes first, then alpha if `channels` has it.
    stored: usize,
    pub(crate) channels: Channels,
    /// Whether colour has been multiplied by alpha (associated alpha).
    pub(crate) is_multiplied: bool,
    /// Whether 0 is white (WhiteIsZero).
    is_inverted: bool,
    is_little: bool,
    predictor: Predictor,
}

/// Value of the tag ExtraSamples for associated alpha, by which colour has been multiplied.
const ASSOCIATED: u64 = 1;
/// Value of the tag ExtraSamples for unassociated alpha.
const STRAIGHT: u64 = 2;

/// The largest number of samples per pixel.
const MAX: u64 = 64;

impl Samples {
    /// The samples that the tags describe, with this SampleFormat. `None` if this module does not read them.
    pub(crate) fn find(
        directory: &Directory,
        input: &mut dyn Input,
        format: u64,
        is_planar: bool,
    ) -> io::Result<Option<Self>> {
        let kind = match format {
            1 => SampleFormat::Integer,
            2 => SampleFormat::Signed,
            3 => SampleFormat::Float,
            _ => return Ok(None),
        };
        let bits = directory.values(input, Tag::BitsPerSample, MAX as usize)?;
        let first = bits.first().copied().unwrap_or(1);
        if bits.iter().any(|bits| *bits != first) {
            return Ok(None);
        }
        let mut number = |tag, default| -> io::Result<u64> {
            Ok(directory.value(input, tag)?.unwrap_or(default))
        };
        let pixel = (
            number(Tag::PhotometricInterpretation, 0)?,
            number(Tag::SamplesPerPixel, 1)?,
            number(Tag::ExtraSamples, 0)?,
        );
        let found = Self::of(kind, first, pixel, directory.numbers.is_little());
        Ok(found.map(|found| Self { is_planar, ..found }))
    }

    /// The samples for a PhotometricInterpretation, SamplesPerPixel, and the first value of ExtraSamples. `None` if
    /// they are not read here.
    fn of(
        kind: SampleFormat,
        bits: u64,
        (photometric, count, extra): (u64, u64, u64),
        is_little: bool,
    ) -> Option<Self> {
        let fits = match kind {
            SampleFormat::Integer => (1..=32).contains(&bits),
            SampleFormat::Signed => matches!(bits, 8 | 16 | 32),
            SampleFormat::Float => matches!(bits, 16 | 24 | 32 | 64),
        };
        let (colours, channels, colour) = match (photometric, kind) {
            (0 | 1, _) => (1, Channels::Grey, Colour::Light),
            (2, _) => (3, Channels::Rgb, Colour::Light),
            (5, SampleFormat::Signed) if bits != 8 => return None,
            (5, _) => (4, Channels::Rgb, Colour::Ink),
            (8 | 9, SampleFormat::Integer | SampleFormat::Signed) if matches!(bits, 8 | 16) => {
                let is_positive = photometric == 9;
                (3, Channels::Rgb, Colour::Lab { is_positive })
            }
            _ => return None,
        };
        if !fits || !(colours..=MAX).contains(&count) {
            return None;
        }
        let has_alpha = count > colours && matches!(extra, ASSOCIATED | STRAIGHT);
        let channels = match (channels, has_alpha) {
            (Channels::Grey, true) => Channels::GreyAlpha,
            (Channels::Rgb, true) => Channels::Rgba,
            (channels, _) => channels,
        };
        let kind = match kind {
            SampleFormat::Signed if bits == 8 || colour != Colour::Light => SampleFormat::Integer,
            kind => kind,
        };
        Some(Self {
            kind,
            colour,
            is_planar: false,
            inks: Inks::of(None),
            colours: colours as usize,
            bits: bits as usize,
            stored: count as usize,
            channels,
            is_multiplied: has_alpha && extra == ASSOCIATED,
            is_inverted: photometric == 0,
            is_little,
            predictor: Predictor::None,
        })
    }

    /// Returns whether these samples are plain ones of 8 or 16 bits, pixel by pixel, which another decoder reads.
    pub(crate) fn is_read_elsewhere(&self) -> bool {
        let most = match (self.channels.is_grey(), self.colour) {
            (true, _) => 2,
            (false, Colour::Light | Colour::Ink) => 4,
            (false, Colour::Lab { .. }) => 0,
        };
        let is_plain = self.kind == SampleFormat::Integer && matches!(self.bits, 8 | 16);
        is_plain && self.stored <= most && !self.is_planar
    }

    /// Number of planes that are read.
    pub(crate) fn planes(&self) -> usize {
        if self.is_planar { self.used() } else { 1 }
    }

    /// Number of samples of a pixel that are used.
    fn used(&self) -> usize {
        self.colours + usize::from(self.channels.has_alpha())
    }

    /// Distance from one sample to the next of the same kind in a row, in samples.
    fn step(&self) -> usize {
        if self.is_planar { 1 } else { self.stored }
    }

    /// Sets the ink profile if the samples are ink. Returns whether they are ink or CIELAB, whose profile does not
    /// describe the RGB of the rows.
    pub(crate) fn set_inks(&mut self, icc: Option<&[u8]>) -> bool {
        if self.colour == Colour::Ink {
            self.inks = Inks::of(icc);
        }
        self.colour != Colour::Light
    }

    pub(crate) fn depth(&self) -> Depth {
        match (self.kind, self.bits) {
            _ if self.colour == Colour::Ink => Depth::Eight,
            (SampleFormat::Float, _) => Depth::Float,
            (SampleFormat::Integer | SampleFormat::Signed, ..=8) => Depth::Eight,
            (SampleFormat::Integer | SampleFormat::Signed, _) => Depth::Sixteen,
        }
    }

    /// Notes for the user: on omitted samples, and on the assumption about floating point without a profile.
    pub(crate) fn notes(&self, has_profile: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let left = self.stored - self.used();
        if left > 0 {
            notes.push(format!("{left} of {} samples per pixel were left out: they are neither colour nor transparency.", self.stored));
        }
        // TIFF does not define the meaning of floating-point samples. Photoshop and libvips read them as linear light,
        // ImageMagick as encoded sRGB.
        if self.depth() == Depth::Float && !has_profile {
            notes.push("The floating-point samples were treated as linear light, because the tiff has no colour profile.".to_owned());
        }
        notes
    }

    /// Records that another decoder has converted the samples to whole bytes: one, or two in the order of this machine
    /// if they had more than 8 bits.
    pub(crate) fn are_decoded(&mut self) {
        self.bits = if self.bits > 8 { 16 } else { 8 };
        self.is_little = cfg!(target_endian = "little");
    }

    /// Sets the predictor by its number. Returns whether such samples can have it.
    pub(crate) fn predict(&mut self, predictor: u64) -> bool {
        self.predictor = match (predictor, self.kind, self.bits) {
            (1, _, _) => Predictor::None,
            (2, SampleFormat::Integer | SampleFormat::Signed, 8 | 16 | 32)
            | (2, SampleFormat::Float, 16 | 32 | 64) => Predictor::Samples,
            (3, SampleFormat::Float, _) => Predictor::Bytes,
            _ => return false,
        };
        true
    }

    /// The bytes of a row of this many pixels, in each plane.
    pub(crate) fn row_bytes(&self, width: u32) -> u64 {
        (u64::from(width) * (self.step() * self.bits) as u64).div_ceil(8)
    }
}
