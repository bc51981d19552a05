//! Writes Windows icons: a file with the usual sizes, each a square with the picture in its middle. Only pictures below
//! the smallest size are enlarged.

use crate::{
    icons,
    pixels::{Frame, Rows},
    target::Extras,
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};

pub(crate) const QUALITY: &str = "no effect: the file holds sizes of 16, 32, 48, 64, 128 and 256 pixels, up to the size of the picture";

/// The largest side, in pixels.
pub(crate) const LARGEST: u32 = 256;

/// The usual sides of an icon in pixels.
const SIDES: [u32; 6] = [SMALLEST, 32, 48, 64, 128, LARGEST];

/// The smallest side in pixels, which every icon has.
const SMALLEST: u32 = 16;

/// Writes an icon with the usual sizes, up to the size of the picture.
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
        let square = icons::square(&picture, side)?;
        let image = if side == LARGEST {
            icons::png(&square)?
        } else {
            bitmap(&square)
        };
        // The side 256 is written as 0. The next fields state no palette, one plane, and 32 bits per pixel.
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

/// A bitmap without its file header. A mask of the transparent pixels follows it, for readers that do not support
/// alpha.
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
