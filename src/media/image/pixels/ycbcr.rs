//! Red, green and blue as luma and chroma (ITU-R BT.601 in full range, as in JFIF 1.02), in fixed point with 16 bits.
//! Never joins pixels.

/// Luma of a pixel.
#[inline(always)]
pub(crate) fn luma(pixel: [u8; 3]) -> u8 {
    let [r, g, b] = pixel.map(i32::from);
    ((19_595 * r + 38_470 * g + 7_471 * b + 32_768) >> 16) as u8
}

/// Chroma of a pixel, or of a sum of some: blue and red, in 1/65536, and 0 for grey.
#[inline(always)]
pub(crate) fn chroma([r, g, b]: [i32; 3]) -> [i32; 2] {
    [
        32_768 * b - 11_059 * r - 21_709 * g,
        32_768 * r - 27_439 * g - 5_329 * b,
    ]
}
