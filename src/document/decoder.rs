//! The decoder of a picture in a document, by its first bytes.
//!
//! `image::ImageReader` would bring the decoders of all its formats into the program once more, for this type of input; this brings
//! those of the formats that documents hold.

use super::media;
use image::{
    ImageDecoder, Limits,
    codecs::{
        bmp::BmpDecoder, gif::GifDecoder, jpeg::JpegDecoder, png::PngDecoder, tiff::TiffDecoder,
        webp::WebPDecoder,
    },
};
use std::io::Cursor;

/// A decoder, which allocates as much as the size in the header calls for: reserve that first. `None` if the file cannot be
/// read, or is of another format.
pub(crate) fn open(bytes: &[u8]) -> Option<Box<dyn ImageDecoder + '_>> {
    let input = Cursor::new(bytes);
    let mut decoder: Box<dyn ImageDecoder + '_> = match media::sniff(bytes)? {
        "image/png" => Box::new(PngDecoder::new(input).ok()?),
        "image/jpeg" => Box::new(JpegDecoder::new(input).ok()?),
        "image/gif" => Box::new(GifDecoder::new(input).ok()?),
        "image/webp" => Box::new(WebPDecoder::new(input).ok()?),
        "image/bmp" => Box::new(BmpDecoder::new(input).ok()?),
        "image/tiff" => Box::new(TiffDecoder::new(input).ok()?),
        _ => return None,
    };
    decoder.set_limits(Limits::no_limits()).ok()?;
    Some(decoder)
}
