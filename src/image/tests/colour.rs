//! Colour profiles in whole conversions. Other tests check how other programs interpret them.

use crate::tests::*;
use moxcms::{ColorProfile, curve_from_gamma};

/// A PNG of these pixels with this profile.
fn tagged(picture: &::image::RgbImage, profile: &ColorProfile) -> Vec<u8> {
    let mut info = ::png::Info::with_size(picture.width(), picture.height());
    info.color_type = ::png::ColorType::Rgb;
    info.bit_depth = ::png::BitDepth::Eight;
    info.icc_profile = Some(profile.encode().unwrap().into());
    let mut file = Vec::new();
    let encoder = ::png::Encoder::with_info(&mut file, info).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(picture).unwrap();
    writer.finish().unwrap();
    file
}

/// All levels of grey and of each primary, and some colours in between.
fn colours() -> ::image::RgbImage {
    ::image::RgbImage::from_fn(256, 5, |x, y| {
        let level = x as u8;
        ::image::Rgb(match y {
            0 => [level; 3],
            1 => [level, 0, 0],
            2 => [0, level, 0],
            3 => [0, 0, level],
            _ => [level, 255 - level, level.wrapping_mul(7)],
        })
    })
}

#[test]
fn srgb_keeps_every_bit_and_other_curves_under_its_name_do_not() {
    let picture = colours();
    let convert = |profile: &ColorProfile| {
        let (result, _) = run(&tagged(&picture, profile), "png", "bmp", Quality::Medium).unwrap();
        decode("bmp", &result).to_rgb8()
    };
    let srgb = ColorProfile::new_srgb();
    assert_eq!(convert(&srgb), picture);
    let mut linear = srgb;
    linear.cicp = None;
    let curve = curve_from_gamma(1.0);
    linear.red_trc = Some(curve.clone());
    linear.green_trc = Some(curve.clone());
    linear.blue_trc = Some(curve);
    let found = convert(&linear);
    // Half of the light is 188 of 255 in sRGB (IEC 61966-2-1).
    let grey = found.get_pixel(128, 0).0;
    assert!(
        grey.iter().all(|sample| sample.abs_diff(188) <= 1),
        "{grey:?}"
    );
}
