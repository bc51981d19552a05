//! Decoders of the `image` crate as sources. Never lets them recognise the format, because the job has determined it.

use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    source::{Header, Source, failed, unsupported},
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job},
};
use image::{
    ColorType, ImageDecoder, ImageError, ImageResult, Limits, error::UnsupportedErrorKind,
    metadata::Orientation,
};

/// A decoder of the `image` crate.
type Boxed<'a> = Box<dyn ImageDecoder + 'a>;

/// Properties of a decoder.
pub(crate) struct Codec {
    /// Creates the decoder. All decoders use the same type of reader, because each is large, and would be compiled
    /// again for another type.
    pub(crate) open: for<'a> fn(Box<dyn Input + 'a>) -> ImageResult<Boxed<'a>>,
    /// Memory in bytes for decoding a picture: the decoder and its output, without the file.
    pub(crate) memory: fn(Layout) -> u64,
    /// Largest number of pixels for each byte of the file: see [`limits::check`].
    pub(crate) density: Option<u64>,
    /// Whether the format is lossless: see [`Header::lossless`].
    pub(crate) lossless: bool,
}

/// Returns the memory, in bytes, of a decoder that writes directly to its output.
pub(crate) fn output_alone(layout: Layout) -> u64 {
    layout.bytes()
}

/// Returns an upper bound of the memory, in bytes, of a decoder that has a copy of the pixels besides its output.
pub(crate) fn output_and_copy(layout: Layout) -> u64 {
    2 * layout.bytes()
}

/// Opens a picture by a decoder of the `image` crate.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    codec: &Codec,
) -> Result<Box<dyn Source<'a> + 'a>> {
    open_keeping(job, Box::new(input), codec, 0)
}

/// Opens a picture whose decoder keeps `kept_bytes` bytes in memory in addition to [`Codec::memory`].
pub(crate) fn open_keeping<'a>(
    job: &'a Job<'a>,
    input: Box<dyn Input + 'a>,
    codec: &Codec,
    kept_bytes: u64,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut decoder = (codec.open)(input).map_err(|err| refused(job, err))?;
    let (width, height) = decoder.dimensions();
    limits::check(job, width, height, codec.density)?;
    let (channels, depth) = samples(decoder.color_type());
    let layout = Layout {
        width,
        height,
        channels,
        depth,
    };
    // Metadata is read first, because the TIFF decoder finds none after its limits have been set.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let icc = decoder.icc_profile().unwrap_or(None);
    // A decoder may also hold the compressed file.
    let memory = (codec.memory)(layout)
        .saturating_add(job.input_len)
        .saturating_add(kept_bytes);
    let mut caps = Limits::no_limits();
    caps.max_image_width = Some(limits::MAX_SIDE);
    caps.max_image_height = Some(limits::MAX_SIDE);
    caps.max_alloc = Some(memory + limits::BASE);
    decoder.set_limits(caps).map_err(|err| refused(job, err))?;
    Ok(Box::new(Decoder {
        job,
        header: Header {
            layout,
            orientation,
            icc,
            memory,
            animated: false,
            lossless: codec.lossless,
        },
        decoder,
    }))
}

/// A picture before decoding.
struct Decoder<'a> {
    job: &'a Job<'a>,
    header: Header,
    decoder: Boxed<'a>,
}

impl<'a> Source<'a> for Decoder<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            decoder,
        } = *self;
        let mut frame = Frame::new(header.layout);
        decoder
            .read_image_boxed(&mut frame.pixels)
            .map_err(|err| refused(job, err))?;
        Ok(Box::new(frame))
    }
}

/// Returns the error for a file that a decoder rejects. Distinguishes damage from unsupported features.
fn refused(job: &Job<'_>, err: ImageError) -> Error {
    if let ImageError::Unsupported(what) = &err
        && let UnsupportedErrorKind::GenericFeature(what) = what.kind()
    {
        return unsupported(job, &what);
    }
    failed(job, err)
}

/// The pixel type for a colour type of the `image` crate.
fn samples(color: ColorType) -> (Channels, Depth) {
    match color {
        ColorType::L8 => (Channels::Grey, Depth::Eight),
        ColorType::La8 => (Channels::GreyAlpha, Depth::Eight),
        ColorType::Rgb8 => (Channels::Rgb, Depth::Eight),
        ColorType::Rgba8 => (Channels::Rgba, Depth::Eight),
        ColorType::L16 => (Channels::Grey, Depth::Sixteen),
        ColorType::La16 => (Channels::GreyAlpha, Depth::Sixteen),
        ColorType::Rgb16 => (Channels::Rgb, Depth::Sixteen),
        ColorType::Rgba16 => (Channels::Rgba, Depth::Sixteen),
        ColorType::Rgb32F => (Channels::Rgb, Depth::Float),
        // The enum is non-exhaustive; the decoders return no other value.
        _ => (Channels::Rgba, Depth::Float),
    }
}
