//! Windows icons: the usual sizes in one file, each a square with the picture in its middle. Never enlarges a picture
//! that is at least as large as the smallest of them.

use crate::{
    error::{Error, Result},
    image::{
        pixels::{Frame, Rows, resize::Resize},
        target::Extras,
    },
    job::{Job, Notes, Output},
};

pub(crate) const QUALITY: &str =
    "makes no difference: 16, 32, 48, 64, 128 and 256 pixels, as far as the picture reaches";

/// The largest side, in pixels.
pub(crate) const LARGEST: u32 = 256;

/// The sides that an icon has.
const SIDES: [u32; 6] = [SMALLEST, 32, 48, 64, 128, LARGEST];

/// The side that every icon has.
const SMALLEST: u32 = 16;

pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let picture = rows.into_frame()?;
    let longer = picture.layout.width.max(picture.layout.height);
    let sides: Vec<u32> = SIDES
        .into_iter()
        .filter(|side| *side <= longer.max(SMALLEST))
        .collect();
    let mut directory = vec![0, 0, 1, 0, sides.len() as u8, 0];
    let mut images = Vec::new();
    let start = directory.len() + 16 * sides.len();
    for side in sides {
        job.check()?;
        let square = square(&picture, side)?;
        let image = if side == LARGEST {
            png(&square)?
        } else {
            bitmap(&square)
        };
        // A side of 256 is written as 0. No palette, one plane, 32 bits.
        directory.extend([side as u8, side as u8, 0, 0, 1, 0, 32, 0]);
        directory.extend((image.len() as u32).to_le_bytes());
        directory.extend(((start + images.len()) as u32).to_le_bytes());
        images.extend(image);
    }
    output
        .write_all(&directory)
        .and_then(|()| output.write_all(&images))
        .map_err(Error::unwritten)
}

/// The picture, as large as it can be in a transparent square of this side.
fn square(picture: &Frame, side: u32) -> Result<Frame> {
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

/// A bitmap without its file header, and below it a mask of what is transparent, for readers that know no alpha.
fn bitmap(square: &Frame) -> Vec<u8> {
    let side = square.layout.width;
    let mut image = Vec::new();
    // The height counts the mask, too.
    for field in [40, side, 2 * side, 32 << 16 | 1, 0, 0, 0, 0, 0, 0] {
        image.extend(field.to_le_bytes());
    }
    for y in (0..side).rev() {
        for &[r, g, b, a] in square.row(y).as_chunks().0 {
            image.extend([b, g, r, a]);
        }
    }
    for y in (0..side).rev() {
        let mut bits = vec![0; (side as usize).div_ceil(32) * 4];
        for (x, pixel) in square.row(y).as_chunks::<4>().0.iter().enumerate() {
            if pixel[3] == 0 {
                bits[x / 8] |= 0x80 >> (x % 8);
            }
        }
        image.extend(bits);
    }
    image
}

fn png(square: &Frame) -> Result<Vec<u8>> {
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
