//! Writes lossless JPEG XL by zune-jpegxl, with headers of our own.

use super::header;
use crate::{
    error::{Error, Result},
    image::{
        pixels::{Channels, Depth, Frame, Layout, Rows},
        target::Extras,
    },
    job::{Job, Notes, Output, Quality},
};
use zune_core::{bit_depth::BitDepth, colorspace::ColorSpace, options::EncoderOptions};
use zune_jpegxl::JxlSimpleEncoder;

pub(crate) const QUALITY: &str = "how many rows are looked at to find good codes; no pixel changes";

/// All channels with up to 16 bits. Grey with alpha in 16 bits becomes RGBA, because zune-jpegxl 0.5.2 reads such samples as signed
/// numbers, and loses everything above 32,767.
pub(crate) fn accepts(channels: Channels, depth: Depth) -> (Channels, Depth) {
    match (channels, depth.min(Depth::Sixteen)) {
        (Channels::GreyAlpha, Depth::Sixteen) => (Channels::Rgba, Depth::Sixteen),
        accepted => accepted,
    }
}

/// How many of 128 rows are looked at, in low, medium and high quality.
const EFFORT: [u8; 3] = [4, 32, 127];

/// What a file begins with that has other boxes beside the codestream (ISO/IEC 18181-2, 9.2 and 9.3).
const CONTAINER: &[u8] = b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl ";

/// The pixels, room for the longest code of each sample, and the file.
pub(crate) fn memory(layout: Layout, _: Quality, _: bool) -> u64 {
    let samples = layout.pixels() * layout.channels.count() as u64;
    let code = match layout.depth {
        Depth::Eight => 2,
        Depth::Sixteen | Depth::Float => 3,
    };
    layout.bytes() + (code + code) * samples + (4 << 20)
}

pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let picture = rows.layout();
    let frame = at_least_two(rows.into_frame()?);
    let layout = frame.layout;
    job.check()?;
    let effort = job.quality().pick(EFFORT[0], EFFORT[1], EFFORT[2]);
    let options = EncoderOptions::new(
        layout.width as usize,
        layout.height as usize,
        match layout.channels {
            Channels::Grey => ColorSpace::Luma,
            Channels::GreyAlpha => ColorSpace::LumaA,
            Channels::Rgb => ColorSpace::RGB,
            Channels::Rgba => ColorSpace::RGBA,
        },
        match layout.depth {
            Depth::Eight => BitDepth::Eight,
            Depth::Sixteen | Depth::Float => BitDepth::Sixteen,
        },
    )
    .set_effort(effort);
    let mut encoded = Vec::new();
    JxlSimpleEncoder::new(&frame.pixels, options)
        .encode(&mut encoded)
        .map_err(|err| Error::internal("the picture could not be encoded", format!("{err:?}")))?;
    drop(frame);
    let headers = header::write(picture, layout);
    let sections = encoded
        .get(header::len_of_theirs(layout)..)
        .unwrap_or_default();
    let mut put = |bytes: &[u8]| output.write_all(bytes).map_err(Error::unwritten);
    let metadata = extras.metadata;
    if metadata.is_empty() {
        put(&headers)?;
        return put(sections);
    }
    put(CONTAINER)?;
    if let Some(exif) = metadata.exif {
        // How many bytes stand before it, none.
        put(&box_head(b"Exif", exif.len() + 4))?;
        put(&[0; 4])?;
        put(&exif)?;
    }
    if let Some(xmp) = metadata.xmp {
        put(&box_head(b"xml ", xmp.len()))?;
        put(&xmp)?;
    }
    // To the end of the file.
    put(b"\0\0\0\0jxlc")?;
    put(&headers)?;
    put(sections)
}

/// What stands before the content of a box, which has so many bytes.
fn box_head(name: &[u8; 4], len: usize) -> [u8; 8] {
    let [l0, l1, l2, l3] = (len as u32 + 8).to_be_bytes();
    let [n0, n1, n2, n3] = *name;
    [l0, l1, l2, l3, n0, n1, n2, n3]
}

/// The picture with sides of one pixel doubled, which the encoder refuses.
fn at_least_two(frame: Frame) -> Frame {
    let layout = frame.layout;
    if layout.width > 1 && layout.height > 1 {
        return frame;
    }
    let mut doubled = Frame::new(layout.sized(layout.width.max(2), layout.height.max(2)));
    let len = doubled.layout.row_bytes();
    for (y, row) in doubled.pixels.chunks_exact_mut(len).enumerate() {
        let source = frame.row((y as u32).min(layout.height - 1));
        for part in row.chunks_exact_mut(source.len()) {
            part.copy_from_slice(source);
        }
    }
    doubled
}
