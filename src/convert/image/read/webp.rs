//! WebP (RFC 9649). Trusts nothing that the container says about the image chunk's size.

use super::{Header, Source, failed, guarded};
use crate::{
    convert::{
        Input, Job,
        image::{
            layout::{Channels, Depth, Layout},
            libwebp, limits, riff,
            rows::{Frame, Rows},
        },
    },
    error::{Error, Result},
};
use image::metadata::Orientation;

struct Webp<'a> {
    job: &'a Job<'a>,
    header: Header,
    file: Vec<u8>,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut file = Vec::new();
    input
        .read_to_end(&mut file)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    if !riff::is_whole(&file) {
        return Err(job.unreadable("it ends before the picture does"));
    }
    if riff::chunks(&file).any(|chunk| &chunk.name == b"ANIM") {
        return super::other::open_bytes(job, file);
    }
    let features =
        libwebp::features(&file).ok_or_else(|| job.unreadable("its header makes no sense"))?;
    limits::check(job, features.width, features.height)?;
    let layout = Layout {
        width: features.width,
        height: features.height,
        channels: if features.alpha {
            Channels::Rgba
        } else {
            Channels::Rgb
        },
        depth: Depth::Eight,
    };
    let chunk = |name: &[u8; 4]| {
        riff::chunks(&file)
            .find(|chunk| &chunk.name == name)
            .map(|chunk| chunk.data.to_vec())
    };
    let icc = chunk(b"ICCP");
    let orientation = chunk(b"EXIF")
        .and_then(|exif| {
            Orientation::from_exif_chunk(exif.strip_prefix(b"Exif\0\0").unwrap_or(&exif))
        })
        .unwrap_or(Orientation::NoTransforms);
    let codec = if features.lossless { 5 } else { 2 };
    Ok(Box::new(Webp {
        job,
        header: Header {
            layout,
            orientation,
            icc,
            memory: job.input_len + layout.bytes() + codec * layout.pixels(),
            animated: false,
            lossless: features.lossless,
        },
        file,
    }))
}

impl<'a> Source<'a> for Webp<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut frame = Frame::new(self.header.layout);
        guarded(self.job, || {
            if libwebp::decode(&self.file, &mut frame) {
                Ok(())
            } else {
                Err(failed(self.job, "it is damaged or ends early"))
            }
        })?;
        Ok(Box::new(frame))
    }
}
