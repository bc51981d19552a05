//! Plain pictures, which take next to nothing, beside files that have next to nothing of a picture.

use crate::image::tests::*;

/// A PNG of one colour.
fn plain(width: u32, height: u32) -> Vec<u8> {
    let picture = ::image::GrayImage::from_pixel(width, height, ::image::Luma([77]));
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

#[test]
fn plain_pictures_come_back() {
    let input = plain(4000, 3000);
    for to in ["webp", "gif", "tiff", "png"] {
        let (there, _) = run(&input, "png", to, Quality::Medium).unwrap();
        let (back, _) = run(&there, to, "pgm", Quality::Low)
            .unwrap_or_else(|err| panic!("{} bytes of {to}: {err}", there.len()));
        let back = decode("pgm", &back).to_luma8();
        assert_eq!(back.dimensions(), (4000, 3000));
        assert!(back.iter().all(|grey| grey.abs_diff(77) <= 1), "{to}");
    }
}

/// Strips that decompress to nothing, image data that never comes: neither pictures nor long work.
#[test]
fn what_is_missing_is_found_out() {
    #[track_caller]
    fn check(file: &[u8], from: &str) {
        let start = std::time::Instant::now();
        let err = run(file, from, "png", Quality::Low).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
        let limit = if cfg!(debug_assertions) { 10 } else { 1 };
        assert!(start.elapsed().as_secs() < limit, "{:?}", start.elapsed());
    }
    let size = 16_000u32;
    // A PNG whose data ends at once.
    let mut png = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut png, size, size);
    encoder.set_color(::png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    let empty = [0x78, 0x9c, 3, 0, 0, 0, 0, 1];
    writer.write_chunk(::png::chunk::IDAT, &empty).unwrap();
    drop(writer);
    check(&png, "png");
    // A TIFF of one strip of Group 4 or LZW, and four bytes in it.
    for compression in [4, 5] {
        let mut tiff = b"II*\0\x08\0\0\0\x08\0".to_vec();
        for (tag, value) in [
            (256u16, size),
            (257, size),
            (258, 1),
            (259, compression),
            (262, 0),
            (273, 110),
            (278, size),
            (279, 4),
        ] {
            tiff.extend(tag.to_le_bytes());
            tiff.extend([4, 0, 1, 0, 0, 0]);
            tiff.extend(value.to_le_bytes());
        }
        tiff.extend([0; 4]);
        tiff.extend([0x80, 0x40, 0x40, 0]);
        check(&tiff, "tiff");
    }
    // A WebP without loss that ends behind its size.
    let (mut webp, _) = run(&plain(64, 64), "png", "webp", Quality::Medium).unwrap();
    if let Some(at) = webp.windows(4).position(|bytes| bytes == b"VP8L") {
        let side = size - 1;
        let bits = side | side << 14;
        webp[at + 9..at + 13].copy_from_slice(&bits.to_le_bytes());
        webp.truncate(at + 14);
        let len = webp.len() as u32;
        webp[4..8].copy_from_slice(&(len - 8).to_le_bytes());
        webp[at + 4..at + 8].copy_from_slice(&(len - at as u32 - 8).to_le_bytes());
        check(&webp, "webp");
    }
}

/// A gate that grants so much memory at most, and notes how much was asked for.
struct Narrow {
    most: u64,
    asked: Mutex<u64>,
}

impl Gate for Narrow {
    fn reserve(&self, need: Need) -> Result<()> {
        *self.asked.lock().unwrap() = need.memory;
        match need.memory <= self.most {
            true => Ok(()),
            false => Err(Error::new(Kind::BadInput, "too much memory")),
        }
    }

    fn max_memory(&self) -> u64 {
        self.most
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

#[test]
fn a_jpg_is_progressive_where_there_is_memory() {
    let input = file("png", &picture(640, 480));
    let convert = |most| {
        let asked = Mutex::new(0);
        let gate = Narrow { most, asked };
        let (result, _) = run_behind(&gate, &input, "png", "jpg", Quality::High).unwrap();
        let frame = if result.windows(2).any(|bytes| bytes == [0xff, 0xc2]) {
            "progressive"
        } else {
            "baseline"
        };
        (frame, *gate.asked.lock().unwrap(), decode("jpg", &result))
    };
    let (frame, most, picture) = convert(u64::MAX);
    assert_eq!(frame, "progressive");
    // Two bytes for each of three samples a pixel.
    let (frame, least, other) = convert(most - 1);
    assert_eq!(frame, "baseline");
    assert!(most - least >= 6 * 640 * 480);
    assert!(picture == other);
    assert_eq!(convert(least).0, "baseline");
}
