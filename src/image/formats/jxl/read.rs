//! JPEG XL by jxl-oxide. Never shows a part of a file that ends early, as its decoder would.

use crate::{
    error::Result,
    format::Format,
    image::{
        adapter::read::{self, Codec},
        limits,
        pixels::rows::Rows,
        source::{Header, Source, failed, rewind},
    },
    job::{Input, Job},
};
use jxl_oxide::{JpegReconstructionStatus, JxlImage, integration::JxlDecoder};

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(JxlDecoder::new(input)?)),
    // It works with 32 bits a sample, and makes three channels of what is grey, too.
    memory: |layout| 8 * layout.bytes().max(3 * layout.pixels()),
    density: None,
    lossless: false,
};

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    // The decoder keeps what it has read, here and when it is asked for the picture.
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let image = parse(job, input)?;
    let status = image.jpeg_reconstruction_status();
    drop(image);
    rewind(input)?;
    let header = {
        let mut source = read::open(job, &mut *input, &CODEC)?;
        let header = source.header();
        Header {
            icc: header.icc.take(),
            ..*header
        }
    };
    Ok(Box::new(Jxl {
        job,
        header,
        input,
        is_jpeg: status == JpegReconstructionStatus::Available,
    }))
}

/// Reads the whole file and decodes nothing.
fn parse(job: &Job<'_>, input: &mut dyn Input) -> Result<JxlImage> {
    let image = JxlImage::builder()
        .read(input)
        .map_err(|err| failed(job, err))?;
    if !image.is_loading_done() {
        return Err(job.unreadable("it ends before the picture does"));
    }
    Ok(image)
}

struct Jxl<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    /// Whether it was made from a JPEG, and has all that is needed to make that again (ISO/IEC 18181-2, annex A).
    is_jpeg: bool,
}

impl<'a> Source<'a> for Jxl<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn original(&mut self, to: &Format) -> Result<Option<Vec<u8>>> {
        if !self.is_jpeg || to.name != "jpg" {
            return Ok(None);
        }
        let layout = self.header.layout;
        // Coefficients of 32 bits, and of 16, the file as it is, and what becomes of it.
        self.job
            .reserve(limits::BASE + 24 * layout.pixels() + 4 * self.job.input_len)?;
        rewind(self.input)?;
        let image = parse(self.job, self.input)?;
        let mut original = Vec::new();
        // What cannot be made again still has pixels.
        let made = image.reconstruct_jpeg(&mut original);
        Ok(made.is_ok().then_some(original))
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self { job, input, .. } = *self;
        rewind(input)?;
        read::open(job, input, &CODEC)?.decode()
    }
}
