//! Reads WebP with the `image` crate: animations, because libwebp does not compose them, and all files in builds
//! without libwebp.

use crate::{
    adapter::read::{self, Codec},
    source::{Source, lost, rewind},
};
use convertd_core::{
    containers::riff,
    error::Result,
    job::{Input, Job, read_head},
};
use image::codecs::webp::WebPDecoder;

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(WebPDecoder::new(input)?)),
    memory: read::output_and_copy,
    density: None,
    lossless: false,
};

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    // The decoder accepts a truncated file as complete if its first chunk is complete.
    let head = read_head(input, 8).map_err(lost)?;
    if !riff::is_whole(&head, job.input_len) {
        return Err(job.unreadable("it ends before the picture does"));
    }
    rewind(input)?;
    read::open(job, input, &CODEC)
}
