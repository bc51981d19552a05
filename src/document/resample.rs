//! Reduces the resolution of embedded pictures to what the quality calls for, in formats that embed picture files. Leaves
//! alone what it could not write back faithfully: animations, and photographs that viewers rotate by their metadata.

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

/// The largest picture, in pixels, that is decoded. Larger ones are kept unchanged.
const MAX_PIXELS: u64 = 50_000_000;
/// The displayed width, in inches, of a large picture that states none: the width of the text area on common paper sizes.
const TEXT_WIDTH: f64 = 6.7;
/// The resolution, in dots per inch, of pictures that state no size.
const SCREEN: f64 = 96.0;
/// The factor by which a picture has to exceed the needed width. Below it, resampling saves too little.
const MIN_EXCESS: f64 = 1.4;

/// Resamples the pictures of a document: to 110 dots per inch for low quality, 200 for medium, and not at all for high.
///
/// Errors: those of [`Job::reserve`] and [`Job::check`]. A picture that cannot be decoded is kept.
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
        if f64::from(size.width) <= MIN_EXCESS * width || pixels > MAX_PIXELS {
            continue;
        }
        // The decoded picture and the smaller one, with up to 8 and 4 bytes per pixel.
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

/// The largest displayed width of each resource, in inches, or `None` if the text does not show it.
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
            // A picture without a size is shown pixel by pixel where it fits, so fewer pixels would make it smaller on the
            // page.
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

/// Resamples a picture to this size, in the same file format. Returns `None` if something other than resolution would be
/// lost.
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

/// Decodes a picture together with its colour profile. Returns `None` if viewers are to rotate it.
fn decode(mut decoder: impl ImageDecoder) -> Option<(DynamicImage, Option<Vec<u8>>)> {
    let orientation = decoder.orientation().ok()?;
    if orientation != Orientation::NoTransforms {
        return None;
    }
    let profile = decoder.icc_profile().ok()?;
    Some((DynamicImage::from_decoder(decoder).ok()?, profile))
}

/// Stores the colour profile if it fits the colour type. Returns `None` if there is one that does not, such as a CMYK
/// profile.
fn set_profile(
    encoder: &mut impl ImageEncoder,
    picture: &DynamicImage,
    profile: Option<Vec<u8>>,
) -> Option<()> {
    let Some(profile) = profile else {
        return Some(());
    };
    // The colour space is at offset 16 of a profile's header (ICC.1:2022, 7.2).
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
