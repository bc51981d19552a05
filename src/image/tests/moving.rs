//! Animations made by hand: with profiles, with different delays, and with frames of 8 and of 16 bits.

use crate::tests::*;
use ::image::AnimationDecoder;
use ::png::{BitDepth, BlendOp, ColorType, DisposeOp};
use moxcms::ColorProfile;

/// A frame of one colour, with its area and its delay.
struct Part {
    area: [u32; 4],
    colour: [u8; 4],
    delay: (u16, u16),
    blend: BlendOp,
    dispose: DisposeOp,
}

impl Part {
    fn new(area: [u32; 4], colour: [u8; 4]) -> Self {
        Self {
            area,
            colour,
            delay: (1, 10),
            blend: BlendOp::Source,
            dispose: DisposeOp::None,
        }
    }
}

/// An animation of 24 × 16 pixels.
fn apng(depth: BitDepth, profile: Option<&ColorProfile>, parts: &[Part]) -> Vec<u8> {
    let mut info = ::png::Info::with_size(24, 16);
    info.color_type = ColorType::Rgba;
    info.bit_depth = depth;
    info.icc_profile = profile.map(|profile| profile.encode().unwrap().into());
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::with_info(&mut file, info).unwrap();
    encoder.set_animated(parts.len() as u32, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for part in parts {
        let [left, top, width, height] = part.area;
        writer.set_frame_position(0, 0).unwrap();
        writer.set_frame_dimension(width, height).unwrap();
        writer.set_frame_position(left, top).unwrap();
        writer.set_frame_delay(part.delay.0, part.delay.1).unwrap();
        writer.set_blend_op(part.blend).unwrap();
        writer.set_dispose_op(part.dispose).unwrap();
        // A sample of 16 bits is the byte repeated.
        let twice = if depth == BitDepth::Sixteen { 2 } else { 1 };
        let pixel: Vec<u8> = part
            .colour
            .iter()
            .flat_map(|byte| vec![*byte; twice])
            .collect();
        let pixels = pixel.repeat((width * height) as usize);
        writer.write_image_data(&pixels).unwrap();
    }
    writer.finish().unwrap();
    file
}

const CANVAS: [u32; 4] = [0, 0, 24, 16];

fn frames(file: &[u8]) -> Vec<::image::Frame> {
    let decoder = ::image::codecs::png::PngDecoder::new(Cursor::new(file)).unwrap();
    let frames = decoder.apng().unwrap().into_frames();
    frames.collect_frames().unwrap()
}

/// Frames with all kinds of blending and disposal.
fn parts() -> Vec<Part> {
    let mut parts = vec![
        Part::new(CANVAS, [10, 200, 60, 255]),
        Part::new([4, 2, 10, 9], [250, 30, 90, 128]),
        Part::new([8, 5, 16, 11], [0, 90, 200, 77]),
        Part::new([0, 0, 12, 12], [255, 255, 0, 60]),
        Part::new([3, 3, 5, 5], [1, 2, 3, 0]),
        Part::new([1, 1, 1, 1], [9, 9, 9, 9]),
    ];
    parts[1].blend = BlendOp::Over;
    parts[1].dispose = DisposeOp::Background;
    parts[2].blend = BlendOp::Over;
    parts[3].blend = BlendOp::Over;
    parts[3].dispose = DisposeOp::Previous;
    parts
}

#[test]
fn frames_of_every_depth_are_composed() {
    let reference = frames(&apng(BitDepth::Eight, None, &parts()));
    for depth in [BitDepth::Eight, BitDepth::Sixteen] {
        let input = apng(depth, None, &parts());
        let (result, _) = run(&input, "apng", "apng", Quality::Medium).unwrap();
        let found = frames(&result);
        assert_eq!(found.len(), reference.len());
        for (at, (found, expected)) in found.iter().zip(&reference).enumerate() {
            let pairs = found.buffer().iter().zip(expected.buffer().iter());
            let worst = pairs.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst <= Some(2), "{depth:?}, frame {at}: {worst:?}");
        }
    }
}

#[test]
fn deep_animations_convert_to_every_animated_format() {
    let input = apng(BitDepth::Sixteen, None, &parts());
    for to in ["gif", "webp", "apng"] {
        if cfg!(not(feature = "libwebp")) && to == "webp" {
            continue;
        }
        let (result, notes) = run(&input, "apng", to, Quality::Medium).unwrap();
        assert!(notes.0.is_empty(), "{to}: {notes:?}");
        let (still, notes) = run(&result, to, "png", Quality::Medium).unwrap();
        assert_eq!(notes.0.len(), 1, "{to}");
        let found = *decode("png", &still).to_rgba8().get_pixel(20, 1);
        let near = found.0.iter().zip([10, 200, 60, 255]);
        assert!(
            near.into_iter().all(|(a, b)| a.abs_diff(b) <= 3),
            "{to}: {found:?}"
        );
    }
}

#[test]
fn profiles_of_animations_are_embedded_or_applied() {
    let colour = [200, 40, 90, 255];
    let wide = ColorProfile::new_display_p3();
    let parts = [
        Part::new(CANVAS, colour),
        Part::new([1, 1, 9, 9], [0, 0, 0, 255]),
    ];
    let input = apng(BitDepth::Eight, Some(&wide), &parts);
    let still = |file: &[u8], from: &str, options: &Options| {
        let (bmp, _) = run_with(&Unlimited, file, from, "bmp", Quality::Medium, options).unwrap();
        *decode("bmp", &bmp).to_rgba8().get_pixel(20, 1)
    };
    // In sRGB, the same colour has more red and less green.
    let expected = still(&input, "png", &Options::default());
    assert!(expected[0] > 210 && expected[1] < 30, "{expected:?}");

    let mut before = ("apng", input.clone());
    for to in ["apng", "webp", "webp", "apng"] {
        if cfg!(not(feature = "libwebp")) && to == "webp" {
            continue;
        }
        let (result, _) = run(&before.1, before.0, to, Quality::Medium).unwrap();
        let found = still(&result, to, &Options::default());
        let near = found.0.iter().zip(expected.0);
        assert!(
            near.into_iter().all(|(a, b)| a.abs_diff(b) <= 4),
            "{} to {to}: {found:?}",
            before.0
        );
        before = (to, result);
    }

    let (gif, _) = run(&input, "apng", "gif", Quality::Medium).unwrap();
    assert_eq!(still(&gif, "gif", &Options::default()), expected);
    let mut strip = Options::default();
    strip.insert("strip", "true");
    let stripped = run_with(&Unlimited, &input, "apng", "apng", Quality::Medium, &strip);
    let (stripped, _) = stripped.unwrap();
    assert!(!stripped.windows(4).any(|bytes| bytes == b"iCCP"));
    let colour = |file: &[u8]| frames(file)[0].buffer().get_pixel(20, 1).0;
    assert_eq!(colour(&stripped), expected.0);
    // If the profile is kept, it must not also be applied.
    let (kept, _) = run(&input, "apng", "apng", Quality::Medium).unwrap();
    assert_eq!(colour(&kept), [200, 40, 90, 255]);
}

#[test]
fn long_delays_are_kept_up_to_the_limit() {
    let mut parts = [
        Part::new(CANVAS, [9, 9, 9, 255]),
        Part::new(CANVAS, [90, 9, 9, 255]),
        Part::new(CANVAS, [9, 90, 9, 255]),
    ];
    parts[0].delay = (70, 1);
    parts[1].delay = (7000, 10);
    let input = apng(BitDepth::Eight, None, &parts);
    let (result, notes) = run(&input, "apng", "apng", Quality::Medium).unwrap();
    assert!(notes.0.is_empty());
    let found = frames(&result);
    let delays: Vec<std::time::Duration> = found.iter().map(|frame| frame.delay().into()).collect();
    let [seconds, tenth] = [
        std::time::Duration::from_secs(1),
        std::time::Duration::from_millis(100),
    ];
    assert_eq!(delays, [70 * seconds, 700 * seconds, tenth]);
    let (_, notes) = run(&input, "apng", "gif", Quality::Medium).unwrap();
    let expected = "A frame is shown for 655.35 s, the longest that gif can hold.";
    assert_eq!(notes.0, [expected]);
}

/// Four frames: a rectangle, the same rectangle further to the right, nothing, and the rectangle on an opaque
/// background.
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
fn animations_keep_their_frames_and_delays() {
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
    // Every format has kept the number of repetitions, which is 4.
    assert!(
        before
            .1
            .windows(5)
            .any(|bytes| bytes == b"\x03\x01\x04\0\0")
    );
}

#[test]
fn a_still_target_gets_the_first_frame_and_a_note() {
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
