//! Converts RGB to luma and chroma (ITU-R BT.601 in full range, as in JFIF 1.02), in fixed point with 16 bits. Does not
//! subsample.

/// Luma of a pixel.
#[inline(always)]
pub(crate) fn luma(pixel: [u8; 3]) -> u8 {
    let [r, g, b] = pixel.map(i32::from);
    ((19_595 * r + 38_470 * g + 7_471 * b + 32_768) >> 16) as u8
}

/// The chroma of a pixel, or of a sum of pixels: blue and red, in 1/65536; 0 stands for grey.
#[inline(always)]
pub(crate) fn chroma([r, g, b]: [i32; 3]) -> [i32; 2] {
    [
        32_768 * b - 11_059 * r - 21_709 * g,
        32_768 * r - 27_439 * g - 5_329 * b,
    ]
}
