//! Embedded pictures with no more pixels than the quality asks for, for targets that hold pictures as files of their own. Leaves
//! alone what it cannot write again as it was: pictures that move, and photographs that are to be turned when shown.

use super::{
    media,
    tree::{Document, Inline, PictureSource, each_inline},
};
use crate::{error::Result, job::Job};
use image::{
    DynamicImage, ImageDecoder, ImageEncoder,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::{CompressionType, FilterType as PngFilter, PngDecoder, PngEncoder},
    },
    imageops::FilterType,
    metadata::Orientation,
};
use std::io::Cursor;

/// Pixels of a picture that is decoded, at most: a larger one stays as it is.
const MAX_PIXELS: u64 = 50_000_000;
/// How wide a picture without a size is shown, at most, in inches: the width of text on common paper.
const TEXT_WIDTH: f64 = 6.7;
/// Dots an inch of pictures without a size.
const SCREEN: f64 = 96.0;
/// A picture with not many more pixels than it needs stays as it is.
const CLEARLY: f64 = 1.4;

/// Makes the pictures of a document smaller as the quality asks: 110 dots an inch for low, 200 for medium, all for high.
///
/// Errors: those of [`Job::reserve`] and [`Job::check`]. A picture that cannot be read stays.
pub(crate) fn run(job: &Job<'_>, document: &mut Document) -> Result<()> {
    let Some(dots) = job.quality().pick(Some(110.0), Some(200.0), None) else {
        return Ok(());
    };
    for (number, inches) in widths(document).into_iter().enumerate() {
        job.check()?;
        let bytes = &document.resources()[number].bytes;
        let (Some(size), Some(inches)) = (media::size(bytes), inches) else {
            continue;
        };
        let width = (inches * dots).ceil().max(1.0);
        let pixels = u64::from(size.width) * u64::from(size.height);
        if f64::from(size.width) <= CLEARLY * width || pixels > MAX_PIXELS {
            continue;
        }
        // Decoded, and once more with fewer pixels in each direction.
        job.reserve(document.memory() + pixels * 12 + (2 << 20))?;
        let height = (f64::from(size.height) * width / f64::from(size.width)).round();
        let quality = job.quality().pick(72, 84, 92);
        let smaller = shrink(bytes, width as u32, height.max(1.0) as u32, quality);
        if let Some(smaller) = smaller.filter(|smaller| smaller.len() < bytes.len()) {
            document.replace_resource(number, smaller);
        }
    }
    Ok(())
}

/// How wide each picture is shown where it is shown widest, in inches. None for one that is not shown in the text.
fn widths(document: &Document) -> Vec<Option<f64>> {
    let mut widths: Vec<Option<f64>> = vec![None; document.resources().len()];
    let mut look = |inline: &Inline| {
        let Inline::Picture(picture) = inline else {
            return;
        };
        let PictureSource::Resource(id) = picture.source else {
            return;
        };
        let Some(size) = media::size(&document.resource(id).bytes) else {
            return;
        };
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let inches = match (picture.width, picture.height) {
            (Some(shown), _) => shown.to_points() / 72.0,
            (None, Some(shown)) => shown.to_points() / 72.0 * width / height,
            // Programs show it pixel by pixel, as far as there is room: fewer pixels would make it smaller.
            (None, None) if width / SCREEN > TEXT_WIDTH => TEXT_WIDTH,
            (None, None) => f64::INFINITY,
        };
        let widest = &mut widths[id.index()];
        *widest = Some(widest.map_or(inches, |before| before.max(inches)));
    };
    for blocks in document.sections().iter().map(|section| &section.blocks) {
        each_inline(blocks, &mut look);
    }
    for note in document.notes() {
        each_inline(&note.blocks, &mut look);
    }
    widths
}

/// The same picture with so many pixels, as a file of the same kind. None if that cannot be done without a loss beside it.
fn shrink(bytes: &[u8], width: u32, height: u32, quality: u8) -> Option<Vec<u8>> {
    match media::sniff(bytes)? {
        "image/jpeg" => {
            let decoder = JpegDecoder::new(Cursor::new(bytes)).ok()?;
            let (picture, profile) = decode(decoder)?;
            let picture = match picture.color().has_color() {
                true => DynamicImage::from(picture.into_rgb8()),
                false => DynamicImage::from(picture.into_luma8()),
            };
            let mut out = Vec::new();
            let mut encoder = JpegEncoder::new_with_quality(&mut out, quality);
            set_profile(&mut encoder, &picture, profile)?;
            write(
                encoder,
                &picture.resize_exact(width, height, FilterType::Triangle),
            )?;
            Some(out)
        }
        "image/png" => {
            let decoder = PngDecoder::new(Cursor::new(bytes)).ok()?;
            if decoder.is_apng().ok()? {
                return None;
            }
            let (picture, profile) = decode(decoder)?;
            let mut out = Vec::new();
            let mut encoder = PngEncoder::new_with_quality(
                &mut out,
                CompressionType::Default,
                PngFilter::Adaptive,
            );
            set_profile(&mut encoder, &picture, profile)?;
            write(
                encoder,
                &picture.resize_exact(width, height, FilterType::Triangle),
            )?;
            Some(out)
        }
        _ => None,
    }
}

/// The picture, and its colour profile. None if it has to be turned when it is shown.
fn decode(mut decoder: impl ImageDecoder) -> Option<(DynamicImage, Option<Vec<u8>>)> {
    let orientation = decoder.orientation().ok()?;
    if orientation != Orientation::NoTransforms {
        return None;
    }
    let profile = decoder.icc_profile().ok()?;
    Some((DynamicImage::from_decoder(decoder).ok()?, profile))
}

/// Keeps a profile that fits the colours; None if there is another one, such as that of inks.
fn set_profile(
    encoder: &mut impl ImageEncoder,
    picture: &DynamicImage,
    profile: Option<Vec<u8>>,
) -> Option<()> {
    let Some(profile) = profile else {
        return Some(());
    };
    // The colour space stands at 16 in the header of a profile (ICC.1:2022, 7.2).
    let fits = match picture.color().has_color() {
        true => profile.get(16..20) == Some(b"RGB "),
        false => profile.get(16..20) == Some(b"GRAY"),
    };
    fits.then(|| encoder.set_icc_profile(profile).ok())?
}

fn write(encoder: impl ImageEncoder, picture: &DynamicImage) -> Option<()> {
    let (width, height) = (picture.width(), picture.height());
    let colours = picture.color().into();
    encoder
        .write_image(picture.as_bytes(), width, height, colours)
        .ok()
}
