//! Whole conversions of pictures with associated (premultiplied) alpha. Other tests cover straight alpha.

use crate::tests::*;

/// Entry ExtraSamples (TIFF 6.0, section 18) of a little-endian file. Kind 1 is associated alpha, kind 2 straight
/// alpha.
fn extra_samples(kind: u8) -> [u8; 10] {
    [0x52, 1, 3, 0, 1, 0, 0, 0, kind, 0]
}

#[test]
fn associated_alpha_of_tiff_is_divided_out() {
    let straight = RgbaImage::from_fn(16, 16, |x, y| {
        Rgba([(x * 17) as u8, (y * 17) as u8, 200, (x * 16 + y) as u8])
    });
    let multiplied = ImageBuffer::from_fn(16, 16, |x, y| {
        let Rgba([r, g, b, a]) = *straight.get_pixel(x, y);
        let times = |sample: u8| ((u32::from(sample) * u32::from(a) + 127) / 255) as u8;
        Rgba([times(r), times(g), times(b), a])
    });
    let mut tiff = file("png", &multiplied);
    tiff = run(&tiff, "png", "tiff", Quality::Low).unwrap().0;
    let at = tiff.windows(10).position(|bytes| bytes == extra_samples(2));
    tiff[at.unwrap() + 8] = 1;
    let (result, _) = run(&tiff, "tiff", "png", Quality::Medium).unwrap();
    let found = decode("png", &result).to_rgba8();
    for (found, straight) in found.pixels().zip(straight.pixels()) {
        let alpha = straight[3];
        assert_eq!(found[3], alpha);
        // The stored colour is multiplied by alpha, so one step of it is several steps of the colour itself.
        let step = 255 / alpha.max(1) / 2 + 1;
        let near = |at: usize| alpha == 0 || found[at].abs_diff(straight[at]) <= step;
        assert!((0..3).all(near), "{found:?} {straight:?}");
    }
    let (back, _) = run(&tiff, "tiff", "tiff", Quality::Medium).unwrap();
    assert!(back.windows(10).any(|bytes| bytes == extra_samples(2)));
}

#[test]
fn alpha_in_exr_is_associated() {
    let original = ImageBuffer::from_fn(64, 4, |x, y| {
        let grey = [255, 188, 60, 0][y as usize];
        Rgba([grey, grey, 255, (x * 4) as u8])
    });
    let (exr, _) = run(&file("png", &original), "png", "exr", Quality::Medium).unwrap();
    // EXR stores the colours multiplied by alpha, so the blue of 255 becomes alpha.
    for (x, y, pixel) in decode("exr", &exr).to_rgba32f().enumerate_pixels() {
        let alpha = f32::from((x * 4) as u8) / 255.0;
        assert!((pixel[3] - alpha).abs() < 1e-3);
        assert!((pixel[2] - alpha).abs() < 1e-3, "{x} {y} {pixel:?}");
    }
    let (back, _) = run(&exr, "exr", "png", Quality::Medium).unwrap();
    let back = decode("png", &back).to_rgba8();
    for (found, expected) in back.pixels().zip(original.pixels()) {
        let near = |at: usize| found[at].abs_diff(expected[at]) <= 1;
        assert!(
            expected[3] == 0 || (0..4).all(near),
            "{found:?} {expected:?}"
        );
    }
}
