//! Makes the square pictures of icons for all systems. Does not read or write the icon files.

use crate::pixels::{Frame, resize::Resize};
use convertd_core::error::{Error, Result};

/// Scales the picture to fit into a transparent square with this side, and centres it there.
pub(crate) fn square(picture: &Frame, side: u32) -> Result<Frame> {
    let from = picture.layout;
    let fitted = match Resize::into_square(side, from.width, from.height) {
        Some(resize) => resize.apply(Box::new(picture.clone())).into_frame()?,
        None => picture.clone(),
    };
    let (width, height) = (fitted.layout.width, fitted.layout.height);
    if width == height {
        return Ok(fitted);
    }
    let mut square = Frame::new(from.sized(side, side));
    let (left, top) = ((side - width) / 2, (side - height) / 2);
    let step = from.pixel_bytes();
    for y in 0..height {
        let at = (top + y) as usize * square.layout.row_bytes() + left as usize * step;
        let row = fitted.row(y);
        square.pixels[at..at + row.len()].copy_from_slice(row);
    }
    Ok(square)
}

/// Encodes a square as a PNG file.
pub(crate) fn png(square: &Frame) -> Result<Vec<u8>> {
    let mut image = Vec::new();
    let side = square.layout.width;
    let mut encoder = png::Encoder::new(&mut image, side, side);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_filter(png::Filter::Adaptive);
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(&square.pixels)?;
            writer.finish()
        })
        .map_err(|err| Error::internal("the icon could not be made", err))?;
    Ok(image)
}
