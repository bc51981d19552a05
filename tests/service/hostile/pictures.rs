//! Pictures for tests, which are generated when they are needed. Adjacent pixels differ, so that the pictures are
//! difficult to compress, except in `plain_png`.

use image::{ImageFormat, RgbImage};
use std::{io::Cursor, sync::OnceLock};

fn picture(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let noise = (x ^ y).wrapping_mul(2_654_435_761).rotate_left(x % 7);
        image::Rgb([x as u8, (y * 3) as u8, (noise >> 24) as u8])
    })
}

pub(super) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture(width, height)
        .write_to(&mut bytes, ImageFormat::Png)
        .expect("a picture can be written");
    bytes.into_inner()
}

/// A small file whose conversion to WebP in high quality takes several seconds.
pub(super) fn long() -> &'static [u8] {
    static LONG: OnceLock<Vec<u8>> = OnceLock::new();
    LONG.get_or_init(|| plain_png(8000, 6000))
}

/// A large picture in which 500 rows in turn are the same, so that its file is small.
pub(super) fn plain_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([(x % 97) as u8, (x / 97) as u8, (y / 500) as u8])
    })
    .write_to(&mut bytes, ImageFormat::Png)
    .expect("a picture can be written");
    bytes.into_inner()
}

/// A picture whose file has about this many bytes, and whose BMP is as large.
pub(super) fn ppm(bytes: usize) -> Vec<u8> {
    let (width, height) = (1000, bytes / 3000);
    let mut file = format!("P6 {width} {height} 255\n").into_bytes();
    file.extend((0..width * height * 3).map(|at| (at as u32).wrapping_mul(2_654_435_761) as u8));
    file
}
