//! Every pair of formats, on generated pictures: converted, decoded again by the `image` crate and compared.

mod alpha;
mod colour;
#[cfg(feature = "svg")]
mod drawings;
mod limits;
mod moving;
mod samples;
mod wishes;

use crate::image::*;
use crate::{
    error::Kind,
    job::{Gate, Need, Options, Progress, Quality, Task, Unlimited},
    registry,
};
use ::image::{DynamicImage, ImageBuffer, ImageFormat, Rgba, RgbaImage};
use std::{io::Cursor, sync::Mutex};

/// Converts `input` from `from` to `to`.
pub(crate) fn run(
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
) -> Result<(Vec<u8>, Notes)> {
    run_behind(&Unlimited, input, from, to, quality)
}

fn run_behind(
    gate: &dyn Gate,
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
) -> Result<(Vec<u8>, Notes)> {
    run_with(gate, input, from, to, quality, &Options::default())
}

fn run_with(
    gate: &dyn Gate,
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
    options: &Options,
) -> Result<(Vec<u8>, Notes)> {
    let task = Task {
        from: from.into(),
        to: to.into(),
        quality,
        options: options.clone(),
    };
    let job = registry::route(&task)?.job(&task, input.len() as u64, 1, gate);
    let mut output = Cursor::new(Vec::new());
    let notes = convert(&job, &mut Cursor::new(input), &mut output)?;
    Ok((output.into_inner(), notes))
}

/// A smooth picture with an edge and a hole, of a size that is no multiple of anything.
fn picture(width: u32, height: u32) -> RgbaImage {
    ImageBuffer::from_fn(width, height, |x, y| {
        let edge = if x > width / 2 { 40 } else { 0 };
        let alpha = if x < width / 4 && y < height / 4 {
            0
        } else {
            255
        };
        Rgba([
            (x * 200 / width) as u8 + edge,
            (y * 200 / height) as u8,
            ((x + y) * 100 / (width + height)) as u8 + edge,
            alpha,
        ])
    })
}

/// `picture` as a file of the format `name`. Where the `image` crate cannot write it, through our own PNG path.
fn file(name: &str, picture: &RgbaImage) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).unwrap();
    match name {
        "png" => png.into_inner(),
        "dds" => dds(picture),
        "psd" => samples::psd(picture),
        "pcx" => samples::pcx(picture),
        // An icon of another type.
        "cur" => {
            let mut icon = run(png.get_ref(), "png", "ico", Quality::High).unwrap().0;
            icon[2] = 2;
            icon
        }
        _ => run(png.get_ref(), "png", name, Quality::High).unwrap().0,
    }
}

/// An uncompressed surface is not what the decoder reads, so this one is DXT1 with blocks of one colour.
fn dds(picture: &RgbaImage) -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let (width, height) = (picture.width() & !3, picture.height() & !3);
    for word in [124, 0x1007, height, width, 0, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0; 44]);
    file.extend(32u32.to_le_bytes());
    file.extend(4u32.to_le_bytes());
    file.extend(b"DXT1");
    file.extend([0; 40]);
    for y in (0..height).step_by(4) {
        for x in (0..width).step_by(4) {
            let Rgba([r, g, b, a]) = *picture.get_pixel(x, y);
            let over = |sample: u8| if a == 0 { 255 } else { u16::from(sample) };
            let colour = over(r) >> 3 << 11 | over(g) >> 2 << 5 | over(b) >> 3;
            file.extend(colour.to_le_bytes());
            file.extend(colour.to_le_bytes());
            file.extend([0; 4]);
        }
    }
    file
}

/// The formats that [`file`] can make.
fn generated() -> impl Iterator<Item = &'static str> {
    let readable = ROWS.iter().filter(|row| row.read.is_some());
    readable
        .map(|row| row.format.name)
        .filter(|name| !matches!(*name, "dng" | "heic" | "jp2" | "svg"))
}

/// The formats that pictures are written in.
fn writable() -> impl Iterator<Item = &'static str> {
    let writable = ROWS.iter().filter(|row| row.write.is_some());
    writable.map(|row| row.format.name)
}

/// Decodes a result independently of `read`, where the `image` crate can.
fn decode(name: &str, file: &[u8]) -> DynamicImage {
    // What the `image` crate cannot decode here is left to the programs that other tests ask.
    if matches!(name, "avif" | "icns" | "jxl" | "pfm" | "toy") {
        let (png, _) = run(file, name, "png", Quality::Low).unwrap();
        return decode("png", &png);
    }
    let format = match name {
        "pbm" | "pgm" | "ppm" | "pam" => ImageFormat::Pnm,
        "ff" => ImageFormat::Farbfeld,
        "cur" => ImageFormat::Ico,
        "apng" => ImageFormat::Png,
        "exr" => ImageFormat::OpenExr,
        _ => ImageFormat::from_extension(name).unwrap(),
    };
    ::image::load_from_memory_with_format(file, format).unwrap()
}

/// Peak signal to noise ratio in decibels; infinite if all samples are the same.
fn psnr(a: &::image::RgbImage, b: &::image::RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let error: f64 = a
        .as_raw()
        .iter()
        .zip(b.as_raw())
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
        .sum();
    10.0 * (65_025.0 * a.as_raw().len() as f64 / error).log10()
}

fn on_white(picture: &DynamicImage) -> ::image::RgbImage {
    let rgba = match picture {
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            let mut light = picture.to_rgba32f();
            for pixel in light.pixels_mut() {
                for sample in &mut pixel.0[..3] {
                    let light = sample.clamp(0.0, 1.0);
                    *sample = if light <= 0.003_130_8 {
                        light * 12.92
                    } else {
                        1.055 * light.powf(1.0 / 2.4) - 0.055
                    };
                }
            }
            DynamicImage::ImageRgba32F(light).to_rgba8()
        }
        _ => picture.to_rgba8(),
    };
    ImageBuffer::from_fn(rgba.width(), rgba.height(), |x, y| {
        let Rgba([r, g, b, a]) = *rgba.get_pixel(x, y);
        let over = |sample: u8| {
            let sum = u32::from(sample) * u32::from(a) + 255 * u32::from(255 - a);
            ((sum + 127) / 255) as u8
        };
        ::image::Rgb([over(r), over(g), over(b)])
    })
}

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
            // It takes its time, and what it is given is made in the same way for all.
            if to == "avif" && !matches!(from, "avif" | "exr" | "pgm" | "png") {
                continue;
            }
            // Where a picture comes from is of no matter to what a quality does.
            let qualities: &[_] = match from {
                "png" => &[Quality::Low, Quality::Medium, Quality::High],
                _ => &[Quality::Medium],
            };
            for &quality in qualities {
                let (result, _) = run(&input, from, to, quality)
                    .unwrap_or_else(|err| panic!("{from} to {to}: {err}"));
                let after = on_white(&decode(to, &result));
                let (reference, least) = match to {
                    // The one has two colours, the others have sizes of their own.
                    "pbm" | "icns" | "ico" => continue,
                    "jpg" => (before.clone(), 27.0),
                    "gif" | "webp" => (before.clone(), 32.0),
                    "avif" => (before.clone(), 27.0),
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
                // The block compression of the surface is not undone the same way everywhere.
                let least = if from == "dds" { 26.0 } else { least };
                let found = psnr(&reference, &after);
                assert!(found >= least, "{from} to {to} at {quality}: {found} dB");
            }
        }
    }
}

#[test]
fn lossless_targets_keep_every_bit() {
    let original = picture(64, 33);
    let input = file("png", &original);
    for to in ["png", "tiff", "bmp", "qoi", "tga", "pam"] {
        let (result, _) = run(&input, "png", to, Quality::Medium).unwrap();
        assert_eq!(decode(to, &result).to_rgba8(), original, "{to}");
    }
}

#[test]
fn sixteen_bits_stay_where_the_target_has_them() {
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
fn grey_stays_grey_where_the_target_has_it() {
    let original = ::image::GrayImage::from_fn(33, 20, |x, y| ::image::Luma([(x * 7 + y) as u8]));
    let mut png = Cursor::new(Vec::new());
    original.write_to(&mut png, ImageFormat::Png).unwrap();
    for to in ["png", "tiff", "bmp", "pgm", "pam", "tga"] {
        let (result, _) = run(png.get_ref(), "png", to, Quality::Medium).unwrap();
        let back = decode(to, &result);
        assert_eq!(back.to_luma8(), original, "{to}");
        // A grey BMP has a palette, which its decoder resolves.
        if to != "bmp" {
            assert_eq!(back.color().channel_count(), 1, "{to}");
        }
    }
}

#[test]
fn icons_have_the_usual_sizes_up_to_that_of_the_picture() {
    #[track_caller]
    fn check(width: u32, height: u32, sides: &[u8], notes: usize) {
        let input = file("png", &picture(width, height));
        let (result, said) = run(&input, "png", "ico", Quality::Medium).unwrap();
        let entries = result[6..].as_chunks::<16>().0.iter();
        let found: Vec<_> = entries.take(result[4].into()).map(|e| e[0]).collect();
        assert_eq!(found, sides);
        assert_eq!(said.0.len(), notes);
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
    // EXIF with orientation 6: the picture is to be turned by a quarter, clockwise.
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
fn a_profile_is_kept_where_the_target_can() {
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
fn damage_is_survived() {
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

/// A gate that remembers what was asked of it.
#[derive(Default)]
struct Recording(Mutex<Vec<u64>>);

impl Gate for Recording {
    fn reserve(&self, need: Need) -> Result<()> {
        self.0.lock().unwrap().push(need.memory);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

#[test]
fn memory_is_reserved_once_and_by_rows_where_that_is_enough() {
    let large = file("png", &picture(2000, 1500));
    let small = file("png", &picture(200, 150));
    for to in writable() {
        let by_rows = ["jpg", "png", "tiff", "bmp", "ppm", "tga"].contains(&to);
        let gate = Recording::default();
        let input = if by_rows { &large } else { &small };
        run_behind(&gate, input, "png", to, Quality::Medium).unwrap();
        let asked = gate.0.into_inner().unwrap();
        assert_eq!(asked.len(), 1, "{to}");
        if by_rows {
            assert!(asked[0] < 12 << 20, "{to}: {}", asked[0]);
        }
    }
}

#[test]
fn a_format_is_a_folder_and_a_line() {
    let toy = registry::by_name("plaything").unwrap();
    assert!(registry::formats().any(|format| format == toy));
    let original = picture(40, 30);
    let toys = file("toy", &original);
    let found = registry::identify(&mut Cursor::new(&toys), Some("png")).unwrap();
    assert_eq!(found.name, "toy");
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
fn bombs_are_refused_by_their_header() {
    #[track_caller]
    fn check(file: &[u8], from: &str, says: &str) {
        let gate = Recording::default();
        let err = run_behind(&gate, file, from, "jpg", Quality::Medium).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        assert!(err.message().contains(says), "{err}");
        assert!(gate.0.into_inner().unwrap().is_empty());
    }
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend(30_000u32.to_be_bytes());
    png.extend(30_000u32.to_be_bytes());
    png.extend([1, 0, 0, 0, 0]);
    png.extend([0x8c, 0x15, 0xb8, 0x25]);
    let mut crc = 0xffff_ffffu32;
    for byte in &png[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ ((crc & 1) * 0xedb8_8320);
        }
    }
    let end = png.len();
    png[end - 4..].copy_from_slice(&(!crc).to_be_bytes());
    png.resize(60_000, 0);
    check(&png, "png", "30000 × 30000");

    let mut jpg =
        b"\xff\xd8\xff\xc2\0\x11\x08\x9c\x40\x9c\x40\x03\x01\x11\0\x02\x11\0\x03\x11\0".to_vec();
    jpg.extend(b"\xff\xda\0\x0c\x03\x01\0\x02\0\x03\0\0\0\0");
    jpg.resize(8_000, 0);
    jpg.extend(b"\xff\xd9");
    check(&jpg, "jpg", "40000 × 40000");
    // 10,000 × 10,000 would pass the limit on pixels.
    jpg[7..11].copy_from_slice(b"\x27\x10\x27\x10");
    check(&jpg, "jpg", "pixels a byte");
}

#[test]
fn black_and_white_stays_what_it_is() {
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

#[test]
fn pictures_are_resized_as_asked() {
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

/// Four frames: one appears, moves, vanishes into transparency, and fills everything.
fn moving() -> Vec<RgbaImage> {
    let canvas = |left: u32, alpha: u8| {
        ImageBuffer::from_fn(40, 30, |x, y| {
            if (left..left + 10).contains(&x) && (5..15).contains(&y) {
                Rgba([200, 30, 60, 255])
            } else {
                Rgba([20 * u8::from(alpha > 0), 90 * u8::from(alpha > 0), 0, alpha])
            }
        })
    };
    vec![canvas(3, 0), canvas(9, 0), canvas(40, 0), canvas(12, 255)]
}

#[test]
fn animations_stay_animations() {
    use ::image::{AnimationDecoder, codecs};
    let original = moving();
    let mut gif = Vec::new();
    let mut encoder = codecs::gif::GifEncoder::new(&mut gif);
    encoder.set_repeat(codecs::gif::Repeat::Finite(4)).unwrap();
    for frame in &original {
        let delay = ::image::Delay::from_numer_denom_ms(70, 1);
        encoder
            .encode_frame(::image::Frame::from_parts(frame.clone(), 0, 0, delay))
            .unwrap();
    }
    drop(encoder);
    let frames = |format: &str, file: &[u8]| -> Vec<::image::Frame> {
        let file = Cursor::new(file);
        let frames = match format {
            "gif" => codecs::gif::GifDecoder::new(file).unwrap().into_frames(),
            "webp" => codecs::webp::WebPDecoder::new(file).unwrap().into_frames(),
            _ => codecs::png::PngDecoder::new(file)
                .unwrap()
                .apng()
                .unwrap()
                .into_frames(),
        };
        frames.collect_frames().unwrap()
    };
    let mut before = ("gif", gif);
    for to in ["webp", "apng", "gif", "apng", "webp", "gif"] {
        if cfg!(not(feature = "libwebp")) && to == "webp" {
            continue;
        }
        let (result, _) = run(&before.1, before.0, to, Quality::Medium).unwrap();
        let found = frames(to, &result);
        assert_eq!(found.len(), 4, "{} to {to}", before.0);
        for (at, (frame, expected)) in found.iter().zip(&original).enumerate() {
            assert_eq!(frame.delay().numer_denom_ms().0, 70);
            for (found, expected) in frame.buffer().pixels().zip(expected.pixels()) {
                let same = expected[3] == 0 && found[3] == 0 || found == expected;
                assert!(same, "{} to {to}, frame {at}", before.0);
            }
        }
        before = (to, result);
    }
    // Four repeats, through every format.
    assert!(
        before
            .1
            .windows(5)
            .any(|bytes| bytes == b"\x03\x01\x04\0\0")
    );
}

#[test]
fn a_still_target_takes_the_first_frame_and_says_so() {
    let mut gif = Vec::new();
    let mut encoder = ::image::codecs::gif::GifEncoder::new(&mut gif);
    encoder
        .encode_frames(moving().into_iter().map(::image::Frame::new))
        .unwrap();
    drop(encoder);
    let (result, notes) = run(&gif, "gif", "png", Quality::Medium).unwrap();
    assert_eq!(decode("png", &result).to_rgba8(), moving()[0]);
    assert_eq!(notes.0.len(), 1);
}
