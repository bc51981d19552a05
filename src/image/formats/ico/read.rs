//! Reads one picture of an icon or a cursor: any PNG file, or a bitmap with a mask of one bit per pixel. The decoder of
//! the `image` crate accepts only RGBA in PNG, and rejects directories with wrong entries, which are common.

use super::os2::{self, Masked};
use crate::{
    formats::{
        bmp::{
            header::{Found, Head},
            read::{Bmp, found},
        },
        png,
    },
    pixels::{Channels, Depth, Layout, Rows, convert::convert},
    source::{Header, Source, failed, head, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{Read as _, SeekFrom};

/// Opens one picture of an icon. The patched file begins with this picture: a PNG, or a bitmap with a mask and without
/// a file header.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    match head::<4>(job, input)? {
        [0x89, b'P', b'N', b'G'] => {
            rewind(input)?;
            return png::read::open(job, input);
        }
        [0, 0, 1 | 2, 0] => return Err(job.unreadable("it ends within its directory")),
        // A bitmap would begin with the length of its header, and these letters would be too large a length. So this is
        // an icon of OS/2 with a file header.
        [b'B' | b'C' | b'I' | b'P', ..] => {
            let masked = os2::first(input).map_err(|err| failed(job, err))?;
            let Masked { picture, mask } = masked.unwrap_or(Masked {
                picture: Found::Nothing("it contains no icon"),
                mask: 0,
            });
            let head = found(job, picture)?;
            return Ok(Box::new(Icon::new(job, head, mask, input)));
        }
        _ => {}
    }
    let head = found(job, Head::of_icon(input).map_err(|err| failed(job, err))?)?;
    let after = head.offset + head.stride as u64 * u64::from(head.layout.height);
    Ok(Box::new(Icon::new(job, head, after, input)))
}

/// A bitmap with its mask, before decoding.
struct Icon<'a> {
    job: &'a Job<'a>,
    header: Header,
    head: Head,
    /// Offset of the mask in the file, in bytes.
    mask: u64,
    input: &'a mut dyn Input,
}

impl<'a> Icon<'a> {
    fn new(job: &'a Job<'a>, head: Head, mask: u64, input: &'a mut dyn Input) -> Self {
        let layout = head.layout.with(Channels::Rgba, Depth::Eight);
        Self {
            job,
            header: Header {
                layout,
                orientation: Orientation::NoTransforms,
                icc: None,
                memory: 3 * layout.bytes(),
                animated: false,
                lossless: true,
            },
            head,
            mask,
            input,
        }
    }
}

impl<'a> Source<'a> for Icon<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            head,
            mask: at,
            input,
            ..
        } = *self;
        let Layout { width, height, .. } = head.layout;
        let (is_deep, top_down) = (head.bits == 32, head.top_down);
        // The mask may be missing or cut short. Pixels that it does not cover are opaque.
        let row_len = width.div_ceil(32) as usize * 4;
        let mut mask = Vec::new();
        input
            .seek(SeekFrom::Start(at))
            .and_then(|_| {
                let len = row_len as u64 * u64::from(height);
                (&mut *input).take(len).read_to_end(&mut mask)
            })
            .map_err(|err| failed(job, err))?;
        mask.resize(row_len * height as usize, 0);

        let rows = Box::new(Bmp::new(job, head, input)?).decode()?;
        let mut frame = convert(rows, Channels::Rgba, Depth::Eight, [0; 3]).into_frame()?;
        let pixels = frame.pixels.as_chunks_mut::<4>().0;
        // A picture with alpha needs no mask, and often has a wrong one. But if alpha is 0 everywhere, the mask is
        // used.
        if is_deep && pixels.iter().any(|pixel| pixel[3] != 0) {
            return Ok(Box::new(frame));
        }
        for (y, row) in pixels.chunks_exact_mut(width as usize).enumerate() {
            let from = if top_down { y } else { height as usize - 1 - y };
            let mask = &mask[from * row_len..][..row_len];
            for (x, pixel) in row.iter_mut().enumerate() {
                let hidden = mask[x / 8] & (0x80 >> (x % 8)) != 0;
                pixel[3] = if hidden { 0 } else { 255 };
            }
        }
        Ok(Box::new(frame))
    }
}
