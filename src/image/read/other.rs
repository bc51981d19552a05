//! Formats that are read through the `image` crate's decoders. Never asks them for a file's first bytes: the job knows.

use super::{Header, Source, associated, failed, guarded};
use crate::{
    error::{Error, Result},
    image::{
        layout::{Channels, Depth, Layout},
        limits,
        rows::{Frame, Rows},
    },
    job::{Input, Job, input_len},
};
use image::{
    ColorType, ImageDecoder, ImageResult, Limits,
    codecs::{
        bmp::BmpDecoder, dds::DdsDecoder, farbfeld::FarbfeldDecoder, gif::GifDecoder,
        hdr::HdrDecoder, ico::IcoDecoder, openexr::OpenExrDecoder, pnm::PnmDecoder,
        qoi::QoiDecoder, tga::TgaDecoder, tiff::TiffDecoder, webp::WebPDecoder,
    },
    metadata::Orientation,
};

type Boxed<'a> = Box<dyn ImageDecoder + 'a>;

struct Decoder<'a> {
    job: &'a Job<'a>,
    header: Header,
    decoder: Boxed<'a>,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    if job.from.name == "webp" {
        check_riff(job, input)?;
    }
    #[cfg(feature = "jxl")]
    if job.from.name == "jxl" {
        check_jxl(job, input)?;
    }
    let source = open_with(job, Box::new(input), 0)?;
    Ok(match job.from.name {
        // It knows no other ("Technical Introduction to OpenEXR", alpha).
        "exr" => associated::straight(source),
        _ => source,
    })
}

/// Opens a picture whose decoder keeps so many bytes beside what every decoder does.
pub(crate) fn open_with<'a>(
    job: &'a Job<'a>,
    input: Box<dyn Input + 'a>,
    kept: u64,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut decoder = decoder(job.from.name, input).map_err(|err| failed(job, err))?;
    let (width, height) = decoder.dimensions();
    limits::check(job, width, height)?;
    let (channels, depth) = samples(decoder.color_type());
    let layout = Layout {
        width,
        height,
        channels,
        depth,
    };
    // Metadata first: with its limits set, the TIFF decoder finds none.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let icc = decoder.icc_profile().unwrap_or(None);
    // Beside its output, a decoder holds at most the compressed file and another copy of the pixels.
    let output = match job.from.name {
        // It makes three channels of what is grey, too.
        "jxl" => layout.bytes().max(3 * layout.pixels()),
        _ => layout.bytes(),
    };
    let memory = output
        .saturating_mul(match job.from.name {
            "jxl" => 8,
            "bmp" | "tga" | "pbm" | "pgm" | "ppm" | "pam" | "ff" | "qoi" => 1,
            _ => 2,
        })
        .saturating_add(job.input_len)
        .saturating_add(kept);
    let mut caps = Limits::no_limits();
    caps.max_image_width = Some(limits::MAX_SIDE);
    caps.max_image_height = Some(limits::MAX_SIDE);
    caps.max_alloc = Some(memory + limits::BASE);
    decoder.set_limits(caps).map_err(|err| failed(job, err))?;
    Ok(Box::new(Decoder {
        job,
        header: Header {
            layout,
            orientation,
            icc,
            memory,
            animated: false,
            lossless: !matches!(job.from.name, "webp" | "dds" | "jxl"),
        },
        decoder,
    }))
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
        guarded(job, || {
            decoder
                .read_image_boxed(&mut frame.pixels)
                .map_err(|err| failed(job, err))
        })?;
        Ok(Box::new(frame))
    }
}

/// All of them over the same type of reader: each is large, and would be compiled anew for another.
fn decoder<'a>(format: &str, input: Box<dyn Input + 'a>) -> ImageResult<Boxed<'a>> {
    Ok(match format {
        "gif" => Box::new(GifDecoder::new(input)?),
        #[cfg(feature = "jxl")]
        "jxl" => Box::new(jxl_oxide::integration::JxlDecoder::new(input)?),
        "webp" => Box::new(WebPDecoder::new(input)?),
        "bmp" => Box::new(BmpDecoder::new(input)?),
        "tiff" => Box::new(TiffDecoder::new(input)?),
        "ico" => Box::new(IcoDecoder::new(input)?),
        "tga" => Box::new(TgaDecoder::new(input)?),
        "qoi" => Box::new(QoiDecoder::new(input)?),
        "hdr" => Box::new(HdrDecoder::new(input)?),
        "exr" => Box::new(OpenExrDecoder::new(input)?),
        "ff" => Box::new(FarbfeldDecoder::new(input)?),
        "dds" => Box::new(DdsDecoder::new(input)?),
        _ => Box::new(PnmDecoder::new(input)?),
    })
}

/// The pixel type behind one of the `image` crate's names.
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
        // The type is open for additions; its decoders give no other.
        _ => (Channels::Rgba, Depth::Float),
    }
}

/// The decoder shows what there is of a file that ends early.
#[cfg(feature = "jxl")]
fn check_jxl(job: &Job<'_>, input: &mut dyn Input) -> Result<()> {
    // The decoder keeps what it has read, here and when it is asked for the picture.
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let whole = guarded(job, || {
        jxl_oxide::JxlImage::builder()
            .read(&mut *input)
            .map(|image| image.is_loading_done())
            .map_err(|err| failed(job, err))
    })?;
    if !whole {
        return Err(job.unreadable("it ends before the picture does"));
    }
    super::rewind(input)
}

/// The decoder believes that a file which ends early is whole, if only its first chunk is.
fn check_riff(job: &Job<'_>, input: &mut dyn Input) -> Result<()> {
    let unreadable = |err| Error::storage("the upload could not be read", err);
    let head = crate::job::read_head(input, 8).map_err(unreadable)?;
    let len = input_len(input).map_err(unreadable)?;
    let claimed = head
        .get(4..8)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(u64::MAX, |bytes| u64::from(u32::from_le_bytes(bytes)));
    // Some writers forget to pad an odd chunk.
    if claimed.saturating_add(8) > len + 1 {
        return Err(job.unreadable(format!(
            "it ends after {len} of {} bytes",
            claimed.saturating_add(8)
        )));
    }
    Ok(())
}
