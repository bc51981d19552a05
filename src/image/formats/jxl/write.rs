//! Writes JPEG XL by jixel: lossy, or lossless if that is requested or makes a drawing smaller.
//!
//! jixel 0.5.3 is the only pure Rust encoder with a permissive licence that supports lossy coding. At equal
//! SSIMULACRA2, it needs 5 to 8 % fewer bytes for photographs than libjxl 0.7 at its default effort, in about as much
//! processor time.

use crate::{
    hdr_colour::{Curve, HdrColour},
    levels,
    options::Wishes,
    pixels::{
        Channels, Depth, Frame, Layout, Rows,
        colour::{self, Conversion},
        quantise,
        spread::spread,
    },
    target::Extras,
    whole,
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};
use jixel::{ColorEncoding, EncodeConfig, EncodeError, Primaries, Speed};

/// Description of the quality levels for the manual.
pub(crate) const QUALITY: &str = "65, 85 and 92 on libjxl's scale, distances of 3.25, 1.45 and 0.82; 100 keeps every pixel. At medium and high, drawings of at most 256 colours are stored without loss; at high, so is a jpg";

/// Accepts all channels, with up to 16 bits per sample.
pub(crate) fn accepts(channels: Channels, depth: Depth) -> (Channels, Depth) {
    (channels, depth.min(Depth::Sixteen))
}

/// Peak memory of lossy coding besides the picture, in bytes for each sample. Measured, like the other modes, with 12
/// megapixels of noise, photographs and drawings.
const LOSSY: u64 = 6;
/// Peak memory of lossy coding with a search for repeated patches, in bytes for each sample.
const LOSSY_WITH_PATCHES: u64 = 9;
/// Peak memory of lossless coding of drawings with few colours, in bytes for each sample.
const FEW_COLOURS: u64 = 14;
/// Peak memory of lossless coding of any picture, in bytes for each sample.
const LOSSLESS: u64 = 22;

/// Peak memory in bytes.
pub(crate) fn memory(layout: Layout, quality: Quality, _: bool) -> u64 {
    let samples = layout.channels.count() as u64;
    let coding = match distance(quality.number(65, 85, 92)) {
        Some(_) => LOSSY * samples.max(3),
        None => LOSSLESS * samples,
    };
    // Samples of more than eight bits are copied once.
    let copies = 1 + u64::from(layout.depth != Depth::Eight);
    copies * layout.bytes() + coding * layout.pixels() + (16 << 20)
}

/// Additional memory for drawings and pages of text. jixel either searches these pictures for repeated patches or
/// stores them without loss. `None` if the picture comes from a lossy format (`is_lossless` is not set).
pub(crate) fn memory_for_less(layout: Layout, quality: Quality, is_lossless: bool) -> Option<u64> {
    let samples = layout.channels.count() as u64;
    let few_colours = FEW_COLOURS * samples;
    let more = match distance(quality.number(65, 85, 92)) {
        Some(_) => few_colours.max(LOSSY_WITH_PATCHES * samples.max(3)) - LOSSY * samples.max(3),
        None => 0,
    };
    is_lossless.then(|| more * layout.pixels())
}

/// Returns whether at least one pixel in 32 equals its neighbour, as on the background of text. Only such pictures are
/// searched for repeated patches: photographs have hardly any, and the search takes 50 % more memory.
fn has_plain_areas(frame: &Frame) -> bool {
    let size = frame.layout.pixel_bytes();
    let rows = frame.pixels.chunks_exact(frame.layout.row_bytes());
    let alike = rows.map(|row| {
        let pixels = row.chunks_exact(size);
        pixels
            .clone()
            .zip(pixels.skip(1))
            .filter(|(a, b)| a == b)
            .count() as u64
    });
    alike.sum::<u64>() >= frame.layout.pixels() / 32
}

/// The Butteraugli distance for a quality from 1 to 100, as in libjxl (`JxlEncoderDistanceFromQuality`). `None` if no
/// pixel may change.
fn distance(quality: u8) -> Option<f32> {
    let quality = f32::from(quality);
    match quality {
        100.0.. => None,
        30.0.. => Some(0.1 + (100.0 - quality) * 0.09),
        _ => Some((53.0 / 3000.0 * quality - 23.0 / 20.0) * quality + 25.0),
    }
}

/// Writes a JPEG XL file. From medium quality on, drawings with few colours are stored without loss, because that is
/// smaller and keeps their edges.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut frame = rows.into_frame()?;
    job.check()?;
    let asked = Wishes::of(job.options()).lossless;
    let is_drawing =
        !asked && extras.lossless && extras.has_memory && quantise::has_few_colours(&frame);
    let lossless = asked || is_drawing && job.quality().pick(false, true, true);
    let distance = distance(job.quality().number(65, 85, 92)).filter(|_| !lossless);
    let metadata = &extras.metadata;
    let hdr = extras.hdr.and_then(hdr_encoding);
    let patches = extras.lossless && extras.has_memory && has_plain_areas(&frame);
    let config = |distance: Option<f32>, color_encoding, icc_profile| EncodeConfig {
        distance: distance.unwrap_or(1.0),
        lossless: distance.is_none(),
        // Alpha is stored without loss: that of drawings has sharp edges, which lossy coding would blur.
        alpha_distance: Some(0.0),
        patches,
        color_encoding,
        icc_profile,
        intensity_target: hdr.map(|_| PQ_PEAK),
        exif: metadata.exif.clone(),
        xmp: metadata.xmp.clone(),
        num_threads: 1 + job.spare_threads,
        speed: Speed::Fast,
        ..EncodeConfig::default()
    };
    let mut files = Vec::new();
    // A drawing at low quality is encoded in both ways, and the smaller file is used.
    if distance.is_none() || is_drawing {
        let config = match hdr {
            Some(space) => config(None, space, None),
            None => config(None, ColorEncoding::default(), extras.icc.clone()),
        };
        files.push(encode(job, &frame, &config)?);
    }
    if distance.is_some() {
        if frame.layout.channels.has_alpha() {
            let _lease = job.lease(frame.layout.pixels())?;
            spread(&mut frame);
        }
        let mut colours = hdr.unwrap_or_default();
        if let (Some(icc), None) = (&extras.icc, hdr) {
            (frame, colours) = in_known_colours(frame, icc)?;
        }
        files.push(encode(job, &frame, &config(distance, colours, None))?);
    }
    let smallest = files.iter().min_by_key(|file| file.len());
    let made = smallest.map_or(&[][..], Vec::as_slice);
    let carried = levels::carried(&extras) as usize;
    let packed = whole::instead(job, extras.whole.as_ref(), carried, made, notes)?;
    output
        .write_all(packed.as_deref().unwrap_or(made))
        .map_err(Error::unwritten)
}

/// Luminance of the largest value in PQ, in candelas per square metre (SMPTE ST 2084).
const PQ_PEAK: f32 = 10_000.0;

/// The colour space of an HDR picture. `None` if jixel cannot name its primaries, and for HLG: jixel scales linear
/// light by the peak luminance for PQ only.
fn hdr_encoding(hdr: HdrColour) -> Option<ColorEncoding> {
    let primaries = match (hdr.primaries, hdr.curve) {
        (1, Curve::Pq) => Primaries::Bt709,
        (9, Curve::Pq) => Primaries::Bt2020,
        (12, Curve::Pq) => Primaries::Smpte431,
        _ => return None,
    };
    Some(ColorEncoding {
        primaries,
        ..ColorEncoding::bt2020_pq()
    })
}

/// Converts a picture to a colour space that jixel supports. Lossy files store colours in XYB, a model of human vision
/// (ISO/IEC 18181-1, annex L.2); a profile only tells readers which colour space to output. jixel takes all samples to
/// be in the named colour space, even if it also gets a profile: a picture in linear light came out much too dark.
fn in_known_colours(frame: Frame, icc: &[u8]) -> Result<(Frame, ColorEncoding)> {
    let (layout, is_grey) = (frame.layout, colour::fits(icc, Channels::Grey));
    let Some(conversion) = Conversion::to_display_p3(icc, layout) else {
        return Ok((frame, ColorEncoding::srgb()));
    };
    let frame = conversion.rows(Box::new(frame)).into_frame()?;
    let encoding = match is_grey {
        true => ColorEncoding::srgb(),
        false => ColorEncoding::display_p3(),
    };
    Ok((frame, encoding))
}

/// Encodes a frame, and checks afterwards whether the job was stopped.
fn encode(job: &Job<'_>, frame: &Frame, config: &EncodeConfig) -> Result<Vec<u8>> {
    let file = encoded(frame, config)
        .map_err(|err| Error::internal("the picture could not be encoded", format!("{err:?}")))?;
    job.check()?;
    Ok(file)
}

/// Encodes a frame by the function of jixel for its channels and depth.
fn encoded(frame: &Frame, config: &EncodeConfig) -> std::result::Result<Vec<u8>, EncodeError> {
    let (width, height) = (frame.layout.width as usize, frame.layout.height as usize);
    if frame.layout.depth == Depth::Eight {
        let encode = match frame.layout.channels {
            Channels::Grey => jixel::encode_image_gray,
            Channels::GreyAlpha => jixel::encode_image_gray_alpha,
            Channels::Rgb => jixel::encode_image,
            Channels::Rgba => jixel::encode_image_with_alpha,
        };
        return encode(&frame.pixels, width, height, config);
    }
    let samples = frame.pixels.as_chunks().0.iter();
    let samples: Vec<u16> = samples.map(|&sample| u16::from_ne_bytes(sample)).collect();
    let encode = match frame.layout.channels {
        Channels::Grey => jixel::encode_image_gray_16bit,
        Channels::GreyAlpha => jixel::encode_image_gray_alpha_16bit,
        Channels::Rgb => jixel::encode_image_16bit,
        Channels::Rgba => jixel::encode_image_with_alpha_16bit,
    };
    encode(&samples, width, height, config)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_equal_those_of_libjxl() {
        #[track_caller]
        fn check(quality: u8, expected: Option<f32>) {
            let found = distance(quality);
            let differ = found.zip(expected).map(|(a, b)| (a - b).abs());
            assert!(differ.is_none_or(|by| by < 0.001), "{quality}: {found:?}");
            assert_eq!(found.is_none(), expected.is_none(), "{quality}");
        }
        check(100, None);
        check(95, Some(0.55));
        check(90, Some(1.0));
        check(30, Some(6.4));
        check(1, Some(23.868));
    }
}
