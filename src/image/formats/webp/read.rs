//! Reads WebP (RFC 9649). The size of the picture is that of the image chunk, whatever the container states.

use super::{fallback, libwebp, vp8x};
use crate::{
    limits,
    metadata::exif::PREFIX,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    salvage::Partial,
    source::{Header, Source, failed, lost, rewind},
};
use convertd_core::{
    containers::riff::{self, Walk},
    error::Result,
    job::{Damage, Input, Job, read_head},
};
use image::metadata::Orientation;
use std::io;

/// Length of the beginning of a file in which the header of the first image chunk is searched, in bytes.
const HEAD: usize = 1 << 12;

/// Largest chunk of metadata that is read, in bytes.
const MAX_METADATA: u32 = 4 << 20;

/// Content of the chunks besides the image.
#[derive(Default)]
struct Extras {
    icc: Option<Vec<u8>>,
    exif: Option<Vec<u8>>,
    animated: bool,
    /// Properties of the image chunk, which metadata may precede.
    features: Option<libwebp::Features>,
}

impl Extras {
    /// Walks over the chunks of an extended file (RFC 9649, 2.7): profile, EXIF, animation and image.
    fn walk(input: &mut dyn Input) -> io::Result<Self> {
        let mut found = Self::default();
        let mut alpha = false;
        let mut walk = Walk::new(input)?;
        while let Some(head) = walk.next_chunk()? {
            match &head.name {
                b"ICCP" if (1..=MAX_METADATA).contains(&head.len) => {
                    found.icc = Some(walk.data(head.len)?)
                }
                b"EXIF" if (1..=MAX_METADATA).contains(&head.len) => {
                    found.exif = Some(walk.data(head.len)?)
                }
                b"ANIM" => found.animated = true,
                b"VP8X" => {
                    let flags = walk.data(head.len.min(1))?;
                    alpha = flags.first().is_some_and(|flags| flags & vp8x::ALPHA != 0);
                }
                b"VP8 " | b"VP8L" => {
                    // libwebp reads the header of an incomplete chunk, but only inside a RIFF file, so a RIFF header is
                    // put in front of the chunk.
                    let mut piece = [head.name, head.len.to_le_bytes()].concat();
                    piece.extend(walk.data(head.len.min(32))?);
                    let features = libwebp::features(&riff::file(b"WEBP", &piece));
                    found.features = features.map(|features| libwebp::Features {
                        alpha: features.alpha || alpha,
                        ..features
                    });
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

/// A WebP file before decoding.
struct Webp<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
}

/// Opens a WebP. Animations are left to the decoder in `fallback`.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head = read_head(input, HEAD).map_err(lost)?;
    let keeps = Damage::of(job.options()) == Damage::Keep;
    if !riff::is_whole(&head, job.input_len) && !keeps {
        return Err(job.unreadable("it ends before the picture does"));
    }
    let extras = Extras::walk(input).map_err(|err| failed(job, err))?;
    rewind(input)?;
    if extras.animated {
        let mut source = fallback::open(job, input)?;
        source.header().animated = true;
        return Ok(source);
    }
    let features = extras
        .features
        .or_else(|| libwebp::features(&head))
        .ok_or_else(|| job.unreadable("its image chunk (VP8 or VP8L) has no valid header"))?;
    limits::check(job, features.width, features.height, None)?;
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
    let orientation = extras
        .exif
        .and_then(|exif| Orientation::from_exif_chunk(exif.strip_prefix(PREFIX).unwrap_or(&exif)))
        .unwrap_or(Orientation::NoTransforms);
    let codec = if features.lossless { 5 } else { 2 };
    Ok(Box::new(Webp {
        job,
        header: Header {
            layout,
            orientation,
            icc: extras.icc,
            memory: job.input_len + layout.bytes() + codec * layout.pixels(),
            animated: false,
            lossless: features.lossless,
        },
        input,
    }))
}

impl<'a> Source<'a> for Webp<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut file = Vec::with_capacity(self.job.input_len as usize);
        self.input.read_to_end(&mut file).map_err(lost)?;
        let mut frame = Frame::new(self.header.layout);
        if Damage::of(self.job.options()) == Damage::Keep {
            let rows = libwebp::decode_rows(&file, &mut frame);
            let known = (0..frame.layout.height).map(|y| y < rows).collect();
            return Ok(Box::new(Partial::new(self.job, frame, known)?));
        }
        if !libwebp::decode(&file, &mut frame) {
            return Err(failed(self.job, "it is damaged or ends early"));
        }
        Ok(Box::new(frame))
    }
}
