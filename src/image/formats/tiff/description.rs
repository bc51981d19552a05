//! Describes the samples of an image by its tags (TIFF 6.0, sections 3 to 9 and 20 to 22): how they are stored, and
//! whether this reader supports them. Finds no strips or tiles.

use super::{
    chunks::MAX_ENTRIES,
    compression::Compression,
    invalid,
    numbers::Samples as Wide,
    samples::{Samples, colour_map, ramp, wide_colour_map},
    tags::T4_OPTIONS,
    ycbcr::Ycbcr,
};
use convertd_core::{
    containers::ifd::{Directory, Numbers},
    job::Input,
};
use std::io;
use tiff::tags::Tag;

/// Values of the tags that describe samples.
pub(super) struct Description {
    numbers: Numbers,
    pub(super) directory: Directory,
    pub(super) width: u32,
    pub(super) height: u32,
    bits: u64,
    pub(super) count: u64,
    photometric: u64,
    format: u64,
    planar: bool,
    predictor: u64,
    pub(super) orientation: u64,
    pub(super) compression: Compression,
}

impl Description {
    /// Reads the tags. `None` if the file has no TIFF header, if the width or the height is 0 or exceeds 32 bits, or if
    /// this reader does not know the compression.
    pub(super) fn read(input: &mut dyn Input) -> io::Result<Option<Self>> {
        let Some((numbers, first)) = Numbers::of(input)? else {
            return Ok(None);
        };
        let directory = Directory::read(input, numbers, first, MAX_ENTRIES)?;
        let mut number = |tag, default| Ok(directory.value(input, tag)?.unwrap_or(default));
        let number: &mut dyn FnMut(Tag, u64) -> io::Result<u64> = &mut number;
        let (width, height) = (number(Tag::ImageWidth, 0)?, number(Tag::ImageLength, 0)?);
        let bits = number(Tag::BitsPerSample, 1)?;
        let count = number(Tag::SamplesPerPixel, 1)?;
        let photometric = number(Tag::PhotometricInterpretation, 0)?;
        let format = number(Tag::SampleFormat, 1)?;
        let planar = number(Tag::PlanarConfiguration, 1)? != 1;
        let predictor = number(Tag::Predictor, 1)?;
        // A picture can be read without its orientation, so an unreadable tag counts as 1 (upright).
        let orientation = number(Tag::Orientation, 1).unwrap_or(1);
        let options = number(T4_OPTIONS, 0)?;
        let method = number(Tag::Compression, 1)?;
        let Some(compression) = Compression::of(method, options, photometric) else {
            return Ok(None);
        };
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Ok(None);
        };
        Ok((width > 0 && height > 0).then_some(Self {
            numbers,
            directory,
            width,
            height,
            bits,
            count,
            photometric,
            format,
            planar,
            predictor,
            orientation,
            compression,
        }))
    }

    /// Returns whether the image is coded by the discrete cosine transform.
    pub(super) fn is_coarse(&self) -> bool {
        matches!(self.compression, Compression::Jpeg | Compression::OldJpeg)
    }

    /// Storage of the samples. `None` leaves the image to the `tiff` crate (module `read`), which does not support
    /// images that are `is_odd`.
    pub(super) fn samples(
        &self,
        input: &mut dyn Input,
        is_odd: bool,
    ) -> io::Result<Option<Samples>> {
        let &Self {
            bits,
            compression,
            planar,
            ..
        } = self;
        let directory = &self.directory;
        let whole = !matches!(compression, Compression::Fax(_)) && !self.is_coarse();
        let ink = self.photometric == 0;
        Ok(Some(match (self.photometric, bits, self.count) {
            _ if let Compression::Log(log) = compression => Samples::Log(log),
            // ThunderScan is only for grey of four bits.
            (0 | 1, 4, 1) if compression == Compression::ThunderScan => ramp(4, ink),
            _ if compression == Compression::ThunderScan => {
                return Err(invalid(
                    "its samples do not fit its compression (ThunderScan)",
                ));
            }
            _ if self.format != 1 => match Wide::find(directory, input, self.format, planar)? {
                Some(wide) if whole => Samples::Wide(Box::new(wide)),
                _ => return Ok(None),
            },
            (0 | 1, 1, 1) if !compression.is_jpeg() => ramp(1, ink),
            // Photometric interpretations: 0 is WhiteIsZero, 1 is BlackIsZero, 3 is a palette, and 6 is YCbCr.
            (0 | 1, 2 | 4, 1) if whole => ramp(bits as u32, ink),
            (3, 1 | 2 | 4 | 8, 1) if whole => {
                let bits = bits as u32;
                let colours = colour_map(directory, input, bits)?;
                Samples::Index { bits, colours }
            }
            (3, 8, 2) if whole && !planar => Samples::IndexAlpha {
                colours: colour_map(directory, input, 8)?,
            },
            (3, 16, 1) if whole && compression != Compression::LosslessJpeg => Samples::WideIndex {
                colours: wide_colour_map(directory, input)?,
                is_little: self.numbers.is_little(),
            },
            (6, 8, 3) if compression == Compression::Jpeg && !planar => Samples::Rgb,
            (6, 8, 3) if whole => Samples::Ycbcr(Ycbcr::find(directory, input, planar, false)?),
            (6, 8, 3) if compression == Compression::OldJpeg && !planar => {
                Samples::Ycbcr(Ycbcr::find(directory, input, false, true)?)
            }
            _ => match Wide::find(directory, input, self.format, planar)? {
                Some(wide) if whole && (is_odd || !wide.is_read_elsewhere()) => {
                    Samples::Wide(Box::new(wide))
                }
                _ => return Ok(None),
            },
        }))
    }

    /// Distance in bytes between samples whose difference is stored: see
    /// [`Chunks::predicted`](super::chunks::Chunks::predicted). `None` if the samples are not predicted, and for
    /// [`Samples::Wide`], which undoes the prediction itself.
    pub(super) fn predicted(&self, samples: &mut Samples) -> io::Result<Option<usize>> {
        // libtiff ignores the Predictor tag of images without compression, or with a method that never uses prediction.
        let predictor = match self.compression.is_predicted() {
            true => self.predictor,
            false => 1,
        };
        if let Samples::Wide(wide) = samples
            && wide.predict(predictor)
        {
            return Ok(None);
        }
        Ok(match (predictor, &*samples) {
            (1, _) => None,
            (2, Samples::Index { bits: 8, .. }) => Some(1),
            (2, Samples::IndexAlpha { .. }) => Some(2),
            (2, Samples::Ycbcr(way)) if way.shared == [1, 1] => {
                Some(if self.planar { 1 } else { 3 })
            }
            _ => {
                return Err(invalid("its Predictor tag is invalid for its samples"));
            }
        })
    }
}
