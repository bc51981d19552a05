//! Pictures that a PDF cannot hold as they are: decoded, and packed again. Knows no places on paper.

use super::file::File;
use crate::document::decoder;
use image::{
    DynamicImage, ExtendedColorType, ImageEncoder,
    codecs::jpeg::JpegEncoder,
    imageops::{self, FilterType},
};
use pdf_writer::{Chunk, Filter, Finish, Name, Ref, types::Predictor};

/// A decoded picture.
pub(super) struct Raster {
    width: u32,
    height: u32,
    grey: bool,
    /// One byte a pixel for grey, three for colours.
    colours: Vec<u8>,
    alpha: Option<Vec<u8>>,
}

impl Raster {
    /// None if it cannot be decoded.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        // What a picture takes was reserved by the size in its header.
        Some(Self::of(
            DynamicImage::from_decoder(decoder::open(bytes)?).ok()?,
        ))
    }

    fn of(picture: DynamicImage) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let grey = !picture.color().has_color();
        let has_alpha = picture.color().has_alpha();
        let (mut colours, mut alpha) = (Vec::new(), Vec::new());
        match (grey, has_alpha) {
            (true, false) => colours = picture.into_luma8().into_raw(),
            (false, false) => colours = picture.into_rgb8().into_raw(),
            (true, true) => {
                for pixel in picture.into_luma_alpha8().into_raw().chunks_exact(2) {
                    colours.push(pixel[0]);
                    alpha.push(pixel[1]);
                }
            }
            (false, true) => {
                for pixel in picture.into_rgba8().into_raw().chunks_exact(4) {
                    colours.extend_from_slice(&pixel[..3]);
                    alpha.push(pixel[3]);
                }
            }
        }
        let seen_through = alpha.iter().any(|alpha| *alpha != 255);
        Self {
            width,
            height,
            grey,
            colours,
            alpha: seen_through.then_some(alpha),
        }
    }

    /// The same picture with fewer pixels.
    pub(super) fn shrink(self, width: u32, height: u32) -> Self {
        let (from_width, from_height) = (self.width, self.height);
        let plane = |bytes: Vec<u8>| {
            let picture = image::GrayImage::from_raw(from_width, from_height, bytes)?;
            Some(imageops::resize(&picture, width, height, FilterType::Triangle).into_raw())
        };
        let alpha = self.alpha.and_then(plane);
        let colours = if self.grey {
            plane(self.colours)
        } else {
            image::RgbImage::from_raw(from_width, from_height, self.colours).map(|picture| {
                imageops::resize(&picture, width, height, FilterType::Triangle).into_raw()
            })
        };
        Self {
            width,
            height,
            grey: self.grey,
            colours: colours.unwrap_or_default(),
            alpha,
        }
    }

    /// Writes the image object: as a JPEG of this quality, or without loss. None if it cannot be packed.
    pub(super) fn write(&self, file: &mut File<'_>, jpeg: Option<u8>) -> Option<Ref> {
        let mask = self.alpha.as_ref().map(|alpha| {
            let id = file.next();
            self.object(
                file,
                id,
                &predicted(alpha, self.width as usize, 1),
                Filter::FlateDecode,
                true,
                None,
            );
            id
        });
        let id = file.next();
        let channels = if self.grey { 1 } else { 3 };
        match jpeg.filter(|_| mask.is_none()) {
            Some(quality) => {
                let mut data = Vec::new();
                let colour = if self.grey {
                    ExtendedColorType::L8
                } else {
                    ExtendedColorType::Rgb8
                };
                JpegEncoder::new_with_quality(&mut data, quality)
                    .write_image(&self.colours, self.width, self.height, colour)
                    .ok()?;
                self.object(file, id, &data, Filter::DctDecode, self.grey, None);
            }
            None => {
                let data = predicted(&self.colours, self.width as usize, channels);
                self.object(file, id, &data, Filter::FlateDecode, self.grey, mask);
            }
        }
        Some(id)
    }

    fn object(
        &self,
        file: &mut File<'_>,
        id: Ref,
        data: &[u8],
        filter: Filter,
        grey: bool,
        mask: Option<Ref>,
    ) {
        let mut chunk = Chunk::new();
        let mut image = chunk.image_xobject(id, data);
        image.filter(filter);
        if filter == Filter::FlateDecode {
            let mut parameters = image.decode_parms();
            parameters
                .predictor(Predictor::PngOptimum)
                .colors(if grey { 1 } else { 3 });
            parameters.bits_per_component(8).columns(self.width as i32);
            parameters.finish();
        }
        image
            .width(self.width as i32)
            .height(self.height as i32)
            .bits_per_component(8);
        image.color_space_name(Name(if grey { b"DeviceGray" } else { b"DeviceRGB" }));
        if let Some(mask) = mask {
            image.s_mask(mask);
        }
        image.finish();
        file.object(id, &chunk);
    }
}

/// Packs rows of bytes, each by the difference to its left neighbour or to the row above, whichever is less (PNG, clause 9).
fn predicted(bytes: &[u8], width: usize, channels: usize) -> Vec<u8> {
    let row = width * channels;
    let mut filtered = Vec::with_capacity(bytes.len() + bytes.len() / row.max(1) + 1);
    let none = vec![0; row];
    let mut above = &none[..];
    for line in bytes.chunks_exact(row.max(1)) {
        let left = |at: usize| {
            if at < channels {
                0
            } else {
                line[at - channels]
            }
        };
        let sum = |difference: &dyn Fn(usize) -> u8| -> u64 {
            (0..row)
                .map(|at| u64::from((difference(at) as i8).unsigned_abs()))
                .sum()
        };
        let by_left = |at: usize| line[at].wrapping_sub(left(at));
        let by_above = |at: usize| line[at].wrapping_sub(above[at]);
        if sum(&by_left) < sum(&by_above) {
            filtered.push(1);
            filtered.extend((0..row).map(by_left));
        } else {
            filtered.push(2);
            filtered.extend((0..row).map(by_above));
        }
        above = line;
    }
    miniz_oxide::deflate::compress_to_vec_zlib(&filtered, 6)
}
