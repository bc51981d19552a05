//! Writes WebP: lossless if the client asks for it, or for a lossless source of few colours (at low quality only if
//! that is smaller), otherwise lossy. Without the feature `libwebp`, it is always lossless.

use super::vp8x;
use crate::{
    pixels::{Frame, Layout, Rows},
    target::Extras,
};
use convertd_core::{
    containers::riff,
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};

#[cfg(feature = "libwebp")]
pub(crate) const QUALITY: &str = "60, 80 and 92 on libwebp's scale; medium and high store a lossless source of at most 256 colours without loss, and so does low if that is smaller";
#[cfg(not(feature = "libwebp"))]
pub(crate) const QUALITY: &str = "no effect: this build writes lossless WebP only";

/// Pictures with more pixels than this come from cameras and contain the noise of a sensor, which method 4 of libwebp
/// smooths. At equal size, the result scores 15 points less on the ssimulacra2 scale than with method 2, which takes
/// half the time. Smaller and clean pictures need 2 to 8 % more bytes with method 2 for an equal score.
#[cfg(feature = "libwebp")]
const LARGE: u64 = 4_000_000;

/// Peak memory in bytes.
pub(crate) fn memory(layout: Layout, _: Quality, lossless: bool) -> u64 {
    // Whether a lossless source has few colours is not known yet, so each counts as one that is coded without loss.
    let lossless = cfg!(not(feature = "libwebp")) || lossless;
    // Measured besides the frame: at most 15.2 bytes per pixel for noise, and 34.2 if its alpha, which is stored
    // without loss, is noise, too.
    let alpha = layout.channels.has_alpha();
    let most = match (lossless, alpha) {
        (_, true) => 36,
        (true, false) => 28,
        (false, false) => 16,
    };
    layout.bytes() + most * layout.pixels()
}

/// Writes a WebP. With a profile or metadata, it is an extended file.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let frame = rows.into_frame()?;
    let (width, height) = (frame.layout.width, frame.layout.height);
    let file = encode(job, frame, extras.lossless)?;
    let metadata = extras.metadata;
    if extras.icc.is_none() && metadata.is_empty() {
        return output.write_all(&file).map_err(Error::unwritten);
    }
    // The chunks in the order of the file. The image comes between the profile and the others.
    let parts = [
        (vp8x::ICC, b"ICCP", extras.icc),
        (vp8x::EXIF, b"EXIF", metadata.exif),
        (vp8x::XMP, b"XMP ", metadata.xmp),
    ];
    let mut flags = 0;
    for (flag, _, data) in &parts {
        if data.is_some() {
            flags |= flag;
        }
    }
    for (name, data) in riff::chunks(&file) {
        match (&name, data) {
            (b"VP8X", &[found, ..]) => flags |= found & vp8x::ALPHA,
            // `alpha_is_used`, the bit after width and height, which have 14 bits each (RFC 9649, 3.4).
            (b"VP8L", &[_, _, _, _, high, ..]) if high & 0x10 != 0 => flags |= vp8x::ALPHA,
            _ => {}
        }
    }
    let mut body = Vec::with_capacity(file.len() + 64);
    riff::put(&mut body, b"VP8X", &vp8x::extended(flags, width, height));
    for (flag, name, data) in parts {
        if let Some(data) = data {
            riff::put(&mut body, name, &data);
        }
        if flag != vp8x::ICC {
            continue;
        }
        for (name, data) in riff::chunks(&file).filter(|(name, _)| name != b"VP8X") {
            riff::put(&mut body, &name, data);
        }
    }
    output
        .write_all(&riff::file(b"WEBP", &body))
        .map_err(Error::unwritten)
}

#[cfg(feature = "libwebp")]
fn encode(job: &Job<'_>, mut frame: Frame, lossless_source: bool) -> Result<Vec<u8>> {
    use crate::{
        formats::webp::libwebp,
        options::Wishes,
        pixels::{quantise, spread::spread},
    };
    let asked = Wishes::of(job.options()).lossless;
    let is_drawing = !asked && lossless_source && quantise::has_few_colours(&frame);
    let lossless = asked || is_drawing && job.quality().pick(false, true, true);
    let encode = |frame: &Frame, settings| {
        libwebp::encode(frame, settings, &|| job.check().is_ok())
            .map_err(|failure| failure.error(job))
    };
    let threads = job.spare_threads > 0;
    // If the client requests lossless coding, the quality is the effort. Drawings have the same effort at all levels of
    // quality, so that a lower level does not make a larger file.
    let effort = if asked {
        job.quality().pick(2, 4, 4)
    } else {
        4
    };
    let without_loss = libwebp::Settings {
        quality: 70.0,
        method: effort,
        lossless: true,
        threads,
    };
    if lossless {
        return encode(&frame, without_loss);
    }
    // A drawing at low quality is encoded in both ways, and the smaller file is used.
    let other = is_drawing.then(|| encode(&frame, without_loss));
    let other = other.transpose()?;
    if frame.layout.channels.has_alpha() {
        let _lease = job.lease(frame.layout.pixels())?;
        spread(&mut frame);
    }
    let settings = libwebp::Settings {
        quality: job.quality().number(60, 80, 92).into(),
        // The method is the same at all levels: a coarse picture by method 2 would be larger than a better one by
        // method 4.
        method: if frame.layout.pixels() > LARGE { 2 } else { 4 },
        lossless: false,
        threads,
    };
    let file = encode(&frame, settings)?;
    Ok(match other {
        Some(other) if other.len() < file.len() => other,
        _ => file,
    })
}

#[cfg(not(feature = "libwebp"))]
fn encode(_: &Job<'_>, frame: Frame, _: bool) -> Result<Vec<u8>> {
    use crate::pixels::Channels;
    use convertd_core::error::Error;
    use image::{ExtendedColorType, ImageEncoder, codecs::webp::WebPEncoder};
    let colour = match frame.layout.channels {
        Channels::Rgba | Channels::GreyAlpha => ExtendedColorType::Rgba8,
        Channels::Rgb | Channels::Grey => ExtendedColorType::Rgb8,
    };
    let mut file = Vec::new();
    WebPEncoder::new_lossless(&mut file)
        .write_image(
            &frame.pixels,
            frame.layout.width,
            frame.layout.height,
            colour,
        )
        .map_err(|err| Error::internal("the WebP could not be made", err))?;
    Ok(file)
}
