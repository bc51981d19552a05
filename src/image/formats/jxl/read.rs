//! Reads JPEG XL by jxl-oxide. Rejects a truncated file; the decoder alone would return the part that is there.
//!
//! Floating-point samples are in the colour space of the file. Elsewhere in this program, floating point means linear
//! light. So they stay floating point only if that colour space is linear, and are converted to 16-bit samples
//! otherwise.

use super::{
    frames, original,
    parse::{self, BYTES_A_SAMPLE, is_multiplied, parse},
};
use crate::{
    adapter::read::{self, Codec},
    associated,
    hdr_colour::HdrColour,
    limits,
    pixels::{Depth, Frame, colour, rows::Rows},
    source::{Header, Original, Source, rewind},
};
use convertd_core::{
    error::Result,
    format::Format,
    job::{Input, Job},
};
use image::metadata::Orientation;
use jxl_oxide::{JpegReconstructionStatus, integration::JxlDecoder};

/// The decoder, as one of the `image` crate.
static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(JxlDecoder::new(input)?)),
    memory: |layout| BYTES_A_SAMPLE * layout.bytes().max(3 * layout.pixels()),
    density: None,
    lossless: false,
};

/// Opens a JPEG XL file. The headers are read first, so that the memory for the picture is reserved before it is
/// decoded.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    // The decoder keeps a copy of the file, both while it parses the headers and while it decodes the picture.
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let image = parse(job, input)?;
    let status = image.jpeg_reconstruction_status();
    let metadata = &image.image_header().metadata;
    let is_turned = metadata.orientation != 1;
    let is_multiplied = is_multiplied(&image);
    let hdr = parse::hdr(&image);
    let frames = frames::frames(&image).map(|(count, _)| count);
    drop(image);
    rewind(input)?;
    let (header, is_coded) = {
        let mut source = read::open(job, &mut *input, &CODEC)?;
        let header = source.header();
        let is_coded = header.layout.depth == Depth::Float
            && !header.icc.as_deref().is_some_and(colour::is_linear);
        if is_coded {
            header.layout.depth = Depth::Sixteen;
            header.memory += header.layout.bytes();
        }
        let header = Header {
            // The decoder makes a profile if the file only names a colour space. A profile of sRGB is left out, because
            // pictures without a profile are sRGB.
            icc: header.icc.take().filter(|icc| !colour::is_srgb(icc)),
            // The decoder applies the orientation of the codestream. The orientation in EXIF must be ignored (ISO/IEC
            // 18181-1, D.3.2).
            orientation: Orientation::NoTransforms,
            animated: frames.is_some(),
            ..*header
        };
        (header, is_coded)
    };
    let source = Box::new(Jxl {
        job,
        header,
        input,
        is_jpeg: status != JpegReconstructionStatus::Unavailable,
        is_turned,
        is_coded,
        hdr,
    });
    Ok(if is_multiplied {
        associated::straight(source)
    } else {
        source
    })
}

/// A JPEG XL file before decoding.
struct Jxl<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    /// Whether the file was made from a JPEG, and contains the data to restore it (ISO/IEC 18181-2, annex A).
    is_jpeg: bool,
    /// Whether the orientation of the codestream is not the default one.
    is_turned: bool,
    /// Whether floating-point samples are not in linear light.
    is_coded: bool,
    hdr: Option<HdrColour>,
}

impl<'a> Source<'a> for Jxl<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.hdr.map(HdrColour::note).into_iter().collect()
    }

    fn hdr(&self) -> Option<HdrColour> {
        self.hdr
    }

    fn original(&mut self, to: &Format, with_metadata: bool) -> Result<Original> {
        if !self.is_jpeg || to.name != "jpg" {
            return Ok(Original::None);
        }
        // A restored JPEG has its orientation only in EXIF.
        if self.is_turned && !with_metadata {
            return Ok(Original::Lost("would be rotated wrongly without its EXIF"));
        }
        let pixels = self.header.layout.pixels();
        // The coefficients, the file, and the JPEG are in memory at the same time.
        self.job
            .reserve(limits::BASE + original::BYTES_A_PIXEL * pixels + 4 * self.job.input_len)?;
        rewind(self.input)?;
        let image = parse(self.job, self.input)?;
        let made = original::restore(self.job, &image, self.input);
        self.job.check()?;
        // If the JPEG cannot be restored, its pixels are converted instead.
        Ok(made.map_or(Original::Lost("cannot be restored exactly"), Original::File))
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            input,
            header,
            is_coded,
            ..
        } = *self;
        rewind(input)?;
        let rows = read::open(job, input, &CODEC)?.decode()?;
        if !is_coded {
            return Ok(rows);
        }
        let floats = rows.into_frame()?;
        let mut frame = Frame::new(header.layout);
        let samples = floats.pixels.as_chunks().0.iter();
        for (to, &sample) in frame.pixels.as_chunks_mut().0.iter_mut().zip(samples) {
            *to = ((f32::from_ne_bytes(sample) * 65_535.0).round() as u16).to_ne_bytes();
        }
        Ok(Box::new(frame))
    }
}
