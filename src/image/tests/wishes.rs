//! Effects of the optional fields on a whole conversion.

use super::*;

/// Converts with these fields.
fn with(input: &[u8], from: &str, to: &str, fields: &[(&str, &str)]) -> Result<(Vec<u8>, Notes)> {
    let mut options = Options::default();
    for (name, value) in fields {
        options.insert(*name, *value);
    }
    run_with(&Unlimited, input, from, to, Quality::Medium, &options)
}

#[test]
fn pictures_are_rotated_and_cropped() {
    #[track_caller]
    fn check(fields: &[(&str, &str)], expected: &DynamicImage) {
        let original = picture(64, 48);
        for from in ["png", "bmp", "tiff"] {
            let input = file(from, &original);
            let (result, _) = with(&input, from, "png", fields).unwrap();
            assert_eq!(
                decode("png", &result).to_rgba8(),
                expected.to_rgba8(),
                "{from}"
            );
        }
    }
    // The test crops the opaque part, because not every format can store transparency.
    let whole = DynamicImage::from(picture(64, 48));
    let part = whole.crop_imm(20, 16, 32, 24);
    check(&[("crop", "32x24+20+16")], &part);
    let turned = [("rotate", "90"), ("crop", "24x32+8+20")];
    check(&turned, &whole.rotate90().crop_imm(8, 20, 24, 32));
    let turned = [("rotate", "270"), ("crop", "24x32+16+4")];
    check(&turned, &whole.rotate270().crop_imm(16, 4, 24, 32));
    let smaller = [("crop", "32x24+20+16"), ("rotate", "180"), ("width", "1")];
    let input = file("png", &picture(64, 48));
    let (result, _) = with(&input, "png", "png", &smaller).unwrap();
    assert_eq!(decode("png", &result).width(), 1);
    let err = with(&input, "png", "png", &[("crop", "32x24+33+0")]).unwrap_err();
    assert!(err.message().contains("64 × 48 pixels"), "{err}");
}

#[test]
fn results_stay_within_max_size() {
    #[track_caller]
    fn check(most: usize) {
        let noise = RgbaImage::from_fn(200, 150, |x, y| {
            let value = (x * 7919 + y * 104_729) ^ (x * y);
            Rgba([value as u8, (value >> 3) as u8, (value >> 5) as u8, 255])
        });
        let input = file("png", &noise);
        let limit = most.to_string();
        let (result, notes) = with(&input, "png", "jpg", &[("max_size", &limit)]).unwrap();
        assert!(result.len() <= most, "{} for {most}", result.len());
        assert!(result.len() * 2 > most, "{} for {most}", result.len());
        assert!(notes.0.iter().any(|note| note.starts_with("Quality ")));
    }
    check(12_000);
    check(25_000);
    let input = file("png", &picture(200, 150));
    let err = with(&input, "png", "jpg", &[("max_size", "100")]).unwrap_err();
    assert!(err.message().contains("at the lowest quality"), "{err}");
}

#[test]
fn quality_levels_equal_their_numbers() {
    let input = file("png", &picture(64, 48));
    for (level, number) in [
        (Quality::Low, 60),
        (Quality::Medium, 82),
        (Quality::High, 92),
    ] {
        let (one, _) = run(&input, "png", "jpg", level).unwrap();
        let (other, _) = run(&input, "png", "jpg", Quality::Number(number)).unwrap();
        assert_eq!(one, other);
    }
    let (least, _) = run(&input, "png", "jpg", Quality::Number(1)).unwrap();
    let (low, _) = run(&input, "png", "jpg", Quality::Low).unwrap();
    assert!(least.len() < low.len());
}

#[test]
fn the_intact_part_of_a_damaged_picture_is_kept_on_request() {
    #[track_caller]
    fn check(from: &str) {
        // Not at high quality, because then the JPEG would be progressive.
        let png = file("png", &picture(320, 480));
        let (whole, _) = run(&png, "png", from, Quality::Medium).unwrap();
        let cut = &whole[..whole.len() * 6 / 10];
        let err = with(cut, from, "ppm", &[]).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        let (result, notes) = with(cut, from, "ppm", &[("damaged", "keep")]).unwrap();
        assert!(
            notes.0.iter().any(|note| note.contains("damaged")),
            "{notes:?}"
        );
        let (found, original) = (decode("ppm", &result).to_rgb8(), decode(from, &whole));
        let original = on_white(&original);
        assert_eq!(found.dimensions(), original.dimensions());
        let far = |x: u32, y: u32| {
            let (found, original) = (found.get_pixel(x, y), original.get_pixel(x, y));
            (0..3).any(|at| found[at].abs_diff(original[at]) > 8)
        };
        assert!(!far(200, 100), "{from}");
        assert_eq!(found.get_pixel(200, 479), &::image::Rgb([128; 3]), "{from}");
        let (_, notes) = with(&whole, from, "ppm", &[("damaged", "keep")]).unwrap();
        assert!(notes.0.is_empty(), "{notes:?}");
    }
    check("jpg");
    check("png");
    check("gif");
}

#[test]
fn a_truncated_progressive_jpg_is_complete_but_coarse() {
    let whole = file("jpg", &picture(320, 480));
    let cut = &whole[..whole.len() * 8 / 10];
    let (result, notes) = with(cut, "jpg", "ppm", &[("damaged", "keep")]).unwrap();
    assert!(notes.0.iter().any(|note| note.contains("damaged")));
    let (found, original) = (decode("ppm", &result).to_rgb8(), decode("jpg", &whole));
    for (found, original) in found.pixels().zip(original.to_rgb8().pixels()) {
        assert!((0..3).all(|at| found[at].abs_diff(original[at]) < 80));
    }
}

#[test]
fn pictures_are_resized_as_requested() {
    #[track_caller]
    fn check(fields: &[(&str, &str)], quality: Quality, size: (u32, u32)) {
        let original = picture(640, 480);
        let mut options = Options::default();
        for (name, value) in fields {
            options.insert(*name, *value);
        }
        for from in ["png", "jpg", "ff"] {
            let input = file(from, &original);
            let (result, _) = run_with(&Unlimited, &input, from, "png", quality, &options).unwrap();
            let small = decode("png", &result);
            assert_eq!((small.width(), small.height()), size);
            if fields.len() < 3 {
                let expected = on_white(&decode(from, &input));
                let expected = ::image::imageops::thumbnail(&expected, size.0, size.1);
                let found = psnr(&expected, &on_white(&small));
                assert!(found > 26.0, "{from}: {found} dB");
            }
        }
    }
    check(&[("width", "320")], Quality::Medium, (320, 240));
    check(&[("width", "50")], Quality::High, (50, 38));
    check(&[("height", "30")], Quality::Low, (40, 30));
    check(
        &[("width", "64"), ("height", "64"), ("fit", "cover")],
        Quality::Medium,
        (64, 64),
    );
}
