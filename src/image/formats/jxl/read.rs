//! JPEG XL by jxl-oxide. Never shows a part of a file that ends early, as its decoder would.

use crate::{
    error::Result,
    image::{
        adapter::read::{self, Codec},
        limits,
        source::{Source, failed, rewind},
    },
    job::{Input, Job},
};
use jxl_oxide::{JxlImage, integration::JxlDecoder};

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
    let image = JxlImage::builder()
        .read(&mut *input)
        .map_err(|err| failed(job, err))?;
    if !image.is_loading_done() {
        return Err(job.unreadable("it ends before the picture does"));
    }
    drop(image);
    rewind(input)?;
    read::open(job, input, &CODEC)
}
