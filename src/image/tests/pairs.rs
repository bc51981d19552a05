//! Conversions from each format to each other format.

use super::*;

#[test]
fn every_pair_keeps_the_picture() {
    let original = picture(101, 67);
    for from in generated() {
        let input = file(from, &original);
        let before = match from {
            "dds" => {
                let upper = original.clone();
                let blocks = ImageBuffer::from_fn(100, 64, |x, y| *upper.get_pixel(x & !3, y & !3));
                on_white(&DynamicImage::ImageRgba8(blocks))
            }
            "psd" | "pcx" => on_white(&DynamicImage::ImageRgba8(original.clone())),
            _ => on_white(&decode(from, &input)),
        };
        for to in writable() {
            // Encoding AVIF is slow, and its input is prepared in the same way for all formats, so a few source formats
            // are enough.
            if to == "avif" && !matches!(from, "avif" | "exr" | "pgm" | "png") {
                continue;
            }
            // The effect of a quality level does not depend on the source, so one source is enough for all levels.
            let qualities: &[_] = match from {
                "png" => &[Quality::Low, Quality::Medium, Quality::High],
                _ => &[Quality::Medium],
            };
            for &quality in qualities {
                let (result, _) = run(&input, from, to, quality)
                    .unwrap_or_else(|err| panic!("{from} to {to}: {err}"));
                let after = on_white(&decode(to, &result));
                let (reference, least) = match to {
                    // PBM has only two colours, and the icon formats have fixed sizes, so they cannot be compared.
                    "pbm" | "icns" | "ico" => continue,
                    "jpg" => (before.clone(), 27.0),
                    "gif" | "webp" => (before.clone(), 32.0),
                    "avif" | "jxl" => (before.clone(), 27.0),
                    "hdr" => (before.clone(), 34.0),
                    "pgm" => (
                        DynamicImage::ImageLuma8(
                            DynamicImage::ImageRgb8(before.clone()).to_luma8(),
                        )
                        .to_rgb8(),
                        48.0,
                    ),
                    _ => (before.clone(), 55.0),
                };
                // Decoders differ slightly in how they decompress the blocks of DDS.
                let least = if from == "dds" { 26.0 } else { least };
                let found = psnr(&reference, &after);
                assert!(found >= least, "{from} to {to} at {quality}: {found} dB");
            }
        }
    }
}

#[test]
fn lossless_targets_keep_all_samples() {
    let original = picture(64, 33);
    let input = file("png", &original);
    for to in ["png", "tiff", "bmp", "qoi", "tga", "pam"] {
        let (result, _) = run(&input, "png", to, Quality::Medium).unwrap();
        assert_eq!(decode(to, &result).to_rgba8(), original, "{to}");
    }
}

#[test]
fn sixteen_bits_are_kept_if_the_target_has_them() {
    let original: ImageBuffer<::image::Rgb<u16>, Vec<u16>> =
        ImageBuffer::from_fn(40, 30, |x, y| {
            ::image::Rgb([(x * 1500 + 3) as u16, (y * 2001 + 5) as u16, 12_345])
        });
    let mut png = Cursor::new(Vec::new());
    original.write_to(&mut png, ImageFormat::Png).unwrap();
    for to in ["png", "tiff", "ff", "ppm", "pam"] {
        for quality in [Quality::Low, Quality::Medium, Quality::High] {
            let (result, _) = run(png.get_ref(), "png", to, quality).unwrap();
            let back = run(&result, to, "png", Quality::Low).unwrap().0;
            assert_eq!(decode("png", &back).to_rgb16(), original, "{to}");
        }
    }
}

#[test]
fn grey_stays_grey_if_the_target_has_it() {
    let original = ::image::GrayImage::from_fn(33, 20, |x, y| ::image::Luma([(x * 7 + y) as u8]));
    let mut png = Cursor::new(Vec::new());
    original.write_to(&mut png, ImageFormat::Png).unwrap();
    for to in ["png", "tiff", "bmp", "pgm", "pam", "tga"] {
        let (result, _) = run(png.get_ref(), "png", to, Quality::Medium).unwrap();
        let back = decode(to, &result);
        assert_eq!(back.to_luma8(), original, "{to}");
        // A grey BMP has a palette, which the decoder replaces by colours.
        if to != "bmp" {
            assert_eq!(back.color().channel_count(), 1, "{to}");
        }
    }
}

#[test]
fn icons_have_all_usual_sizes_up_to_the_picture() {
    #[track_caller]
    fn check(width: u32, height: u32, sides: &[u8], notes: usize) {
        let input = file("png", &picture(width, height));
        let (result, found_notes) = run(&input, "png", "ico", Quality::Medium).unwrap();
        let entries = result[6..].as_chunks::<16>().0.iter();
        let found: Vec<_> = entries.take(result[4].into()).map(|e| e[0]).collect();
        assert_eq!(found, sides);
        assert_eq!(found_notes.0.len(), notes);
        let largest = decode("ico", &result);
        let side = match sides.last() {
            Some(0) => 256,
            Some(side) => (*side).into(),
            None => unreachable!(),
        };
        assert_eq!((largest.width(), largest.height()), (side, side));
    }
    check(1000, 300, &[16, 32, 48, 64, 128, 0], 1);
    check(256, 256, &[16, 32, 48, 64, 128, 0], 0);
    check(255, 10, &[16, 32, 48, 64, 128], 0);
    check(48, 48, &[16, 32, 48], 0);
    check(7, 5, &[16], 0);
}

#[test]
fn pictures_are_turned_upright() {
    // EXIF with orientation 6: the picture has to be turned clockwise by a quarter.
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let original = picture(64, 48);
    let plain = file("jpg", &original);
    let mut turned = plain[..2].to_vec();
    turned.extend([0xff, 0xe1]);
    turned.extend((exif.len() as u16 + 8).to_be_bytes());
    turned.extend(b"Exif\0\0");
    turned.extend(exif);
    turned.extend(&plain[2..]);
    let expected = decode("jpg", &plain).rotate90().to_rgb8();
    let (result, _) = run(&turned, "jpg", "png", Quality::Medium).unwrap();
    assert!(psnr(&decode("png", &result).to_rgb8(), &expected) > 45.0);
}

#[test]
fn a_profile_is_kept_if_the_target_can_store_it() {
    let mut profile = vec![0; 128];
    profile[..4].copy_from_slice(&128u32.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    let mut png = Vec::new();
    let mut info = ::png::Info::with_size(2, 2);
    info.color_type = ::png::ColorType::Rgb;
    info.bit_depth = ::png::BitDepth::Eight;
    info.icc_profile = Some(profile.clone().into());
    let mut writer = ::png::Encoder::with_info(&mut png, info)
        .unwrap()
        .write_header()
        .unwrap();
    writer.write_image_data(&[100; 12]).unwrap();
    writer.finish().unwrap();
    for to in ["png", "jpg", "webp", "tiff"] {
        let (result, _) = run(&png, "png", to, Quality::Medium).unwrap();
        let holds = result.windows(4).any(|bytes| bytes == b"acsp") || to == "png";
        assert!(holds, "{to}");
        let (back, _) = run(&result, to, "jpg", Quality::Medium).unwrap();
        assert!(back.windows(4).any(|bytes| bytes == b"acsp"), "{to}");
    }
}

#[test]
fn a_truncated_file_is_an_error() {
    let original = picture(120, 90);
    for from in generated() {
        let input = file(from, &original);
        for share in [10, 25, 50, 75, 90, 97] {
            let cut = &input[..input.len() * share / 100];
            match run(cut, from, "png", Quality::Medium) {
                Ok(_) => panic!("{share} % of a {from} converts"),
                Err(err) => assert_eq!(err.kind(), Kind::BadInput, "{from}, {share} %: {err}"),
            }
        }
    }
}

#[test]
fn damaged_files_cause_no_panic() {
    let original = picture(50, 40);
    for from in generated() {
        let input = file(from, &original);
        for at in (0..input.len()).step_by((input.len() / 60).max(1)) {
            let mut damaged = input.clone();
            damaged[at] ^= 0x5a;
            if let Err(err) = run(&damaged, from, "bmp", Quality::Low) {
                assert_eq!(err.kind(), Kind::BadInput, "{from}, byte {at}: {err}");
            }
        }
    }
}

#[test]
fn a_format_needs_only_a_folder_and_a_line() {
    let formats = (CONVERTER.formats)();
    let toy = formats.iter().find(|format| format.is_called("plaything"));
    let original = picture(40, 30);
    let toys = file("toy", &original);
    let found = formats.iter().find(|format| format.matches(&toys));
    assert_eq!(found.unwrap().name, "toy");
    assert!(toy == found);
    assert!(on_white(&decode("toy", &toys)) == on_white(&DynamicImage::ImageRgba8(original)));
}

#[test]
fn samples_of_sixteen_bits_survive_two_threads() {
    let value = |at: u32| at.wrapping_mul(40_503) as u16;
    let original = image::ImageBuffer::from_fn(700, 400, |x, y| {
        image::Rgb([value(x), value(y), value(x * y)])
    });
    let original = DynamicImage::ImageRgb16(original);
    let mut input = Cursor::new(Vec::new());
    original.write_to(&mut input, ImageFormat::Png).unwrap();
    let (output, _) = run(input.get_ref(), "png", "ppm", Quality::Medium).unwrap();
    let found = image::load_from_memory_with_format(&output, ImageFormat::Pnm).unwrap();
    assert!(found == original);
}

#[test]
fn black_and_white_stays_unchanged() {
    let original = ::image::GrayImage::from_fn(19, 9, |x, y| {
        ::image::Luma([if (x / 3 + y) % 2 == 0 { 0 } else { 255 }])
    });
    let mut png = Cursor::new(Vec::new());
    original.write_to(&mut png, ImageFormat::Png).unwrap();
    for quality in [Quality::Low, Quality::High] {
        let (result, _) = run(png.get_ref(), "png", "pbm", quality).unwrap();
        assert_eq!(decode("pbm", &result).to_luma8(), original);
    }
}
