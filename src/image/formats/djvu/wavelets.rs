//! Pictures within a page: in wavelets (IW44), whose detail is spread over several chunks, or as a JPEG file. Does not
//! place them on the page.

use super::{
    chunks::{Form, Name},
    colours::{Inner, Pixels},
    invalid,
};
use crate::source::failed;
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use djvu_iw44::Iw44Image;
use image::{ImageDecoder, codecs::jpeg::JpegDecoder};
use std::io::{self, Cursor};

/// Limit on the chunks of a picture, whose serial number is a byte.
const MAX_CHUNKS: usize = 256;
/// Number of bytes at the beginning of a JPEG file that are searched for its width and height.
const JPEG_HEADER: u64 = 1 << 16;

/// Reads the header of the picture that chunks with these names contain: wavelets, or JPEG.
pub(super) fn header(
    input: &mut dyn Input,
    page: &Form,
    [wavelets, jpeg]: [Name; 2],
) -> io::Result<Option<Inner>> {
    if let Some(chunk) = page.chunk(&wavelets) {
        let data = chunk.beginning(input, 8)?;
        // The data begins with the serial number of the chunk, its number of slices, two bytes of the version, width
        // and height.
        let Some(&[_, _, version, _, a, b, c, d]) = data.first_chunk() else {
            return Err(invalid("the header of its picture is too short"));
        };
        let side = |bytes| u32::from(u16::from_be_bytes(bytes));
        return Ok(Some(Inner {
            size: (side([a, b]), side([c, d])),
            is_grey: version & 0x80 != 0,
        }));
    }
    let Some(chunk) = page.chunk(&jpeg) else {
        return Ok(None);
    };
    let data = chunk.beginning(input, JPEG_HEADER)?;
    let decoder = JpegDecoder::new(Cursor::new(&data)).map_err(io::Error::other)?;
    Ok(Some(Inner {
        size: decoder.dimensions(),
        is_grey: false,
    }))
}

/// Decodes the picture that chunks with these names contain. The caller has reserved the memory.
pub(super) fn read(
    job: &Job<'_>,
    input: &mut dyn Input,
    page: &Form,
    [wavelets, jpeg]: [Name; 2],
) -> Result<Option<Pixels>> {
    if page.chunk(&wavelets).is_some() {
        return by_wavelets(job, input, page, &wavelets).map(Some);
    }
    let Some(chunk) = page.chunk(&jpeg) else {
        return Ok(None);
    };
    let data = chunk.data(input).map_err(|err| failed(job, err))?;
    job.check()?;
    let decoder = JpegDecoder::new(Cursor::new(&data)).map_err(|err| failed(job, err))?;
    let picture = image::DynamicImage::from_decoder(decoder).map_err(|err| failed(job, err))?;
    let picture = picture.into_rgb8();
    Ok(Some(Pixels {
        width: picture.width(),
        height: picture.height(),
        step: 3,
        data: picture.into_raw(),
    }))
}

fn by_wavelets(job: &Job<'_>, input: &mut dyn Input, page: &Form, name: &Name) -> Result<Pixels> {
    let keeps = Damage::of(job.options()) == Damage::Keep;
    let mut picture = Iw44Image::new();
    for (nth, chunk) in page.all(name).take(MAX_CHUNKS).enumerate() {
        job.check()?;
        let data = chunk.data(input).map_err(|err| failed(job, err))?;
        match picture.decode_chunk(&data) {
            Ok(()) => {}
            // The earlier chunks suffice for a picture with less detail.
            Err(_) if keeps && nth > 0 => break,
            Err(err) => return Err(failed(job, err)),
        }
    }
    job.check()?;
    let pixels = picture.to_rgb().map_err(|err| failed(job, err))?;
    Ok(Pixels {
        width: pixels.width,
        height: pixels.height,
        step: 4,
        data: pixels.data,
    })
}
