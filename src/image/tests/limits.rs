//! Limits on pictures that need little data for many pixels: plain ones convert cheaply, and files without real image
//! data are refused early.

use crate::tests::*;
use convertd_core::job::{Need, Progress};
use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

/// A PNG of one colour.
fn plain(width: u32, height: u32) -> Vec<u8> {
    let picture = ::image::GrayImage::from_pixel(width, height, ::image::Luma([77]));
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

#[test]
fn large_plain_pictures_are_converted() {
    let input = plain(4000, 3000);
    for to in ["webp", "gif", "tiff", "png"] {
        let (converted, _) = run(&input, "png", to, Quality::Medium).unwrap();
        let (back, _) = run(&converted, to, "pgm", Quality::Low)
            .unwrap_or_else(|err| panic!("{} bytes of {to}: {err}", converted.len()));
        let back = decode("pgm", &back).to_luma8();
        assert_eq!(back.dimensions(), (4000, 3000));
        assert!(back.iter().all(|grey| grey.abs_diff(77) <= 1), "{to}");
    }
}

/// Number of rows that headers without image data state. A loop over these rows would take at least one step for each.
const ROWS: u64 = 16_000;

/// Files whose strips decompress to nothing or whose image data is missing are refused, without long work.
#[test]
fn missing_image_data_is_refused_early() {
    #[track_caller]
    fn check(file: &[u8], from: &str) {
        let gate = Counting::default();
        let err = run_behind(&gate, file, from, "png", Quality::Low).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
        let steps = gate.0.into_inner();
        assert!(steps < ROWS / 10, "{from}: {steps} steps");
    }
    let size = ROWS as u32;
    // A PNG whose compressed data is empty.
    let mut png = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut png, size, size);
    encoder.set_color(::png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    let empty = [0x78, 0x9c, 3, 0, 0, 0, 0, 1];
    writer.write_chunk(::png::chunk::IDAT, &empty).unwrap();
    drop(writer);
    check(&png, "png");
    // A TIFF with one strip in Group 4 or LZW that has only four bytes.
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
    // A lossless WebP whose data ends after the size in its header.
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

/// A gate that grants all memory, and counts how often the conversion asks whether to continue.
#[derive(Default)]
struct Counting(AtomicU64);

impl Gate for Counting {
    fn reserve(&self, _: Need) -> Result<()> {
        Ok(())
    }

    fn check(&self) -> Result<()> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

/// A gate that grants up to `most` bytes, and records the last request.
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
fn a_jpg_is_progressive_if_memory_suffices() {
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
    // The difference is at least two bytes for each of three samples of a pixel.
    let (frame, least, other) = convert(most - 1);
    assert_eq!(frame, "baseline");
    assert!(most - least >= 6 * 640 * 480);
    assert!(picture == other);
    assert_eq!(convert(least).0, "baseline");
}

/// A gate that records all requests for memory.
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
fn memory_is_reserved_once_and_for_rows_only_if_they_suffice() {
    let large = file("png", &picture(2000, 1500));
    let small = file("png", &picture(200, 150));
    for to in writable() {
        let by_rows = ["jpg", "png", "tiff", "bmp", "ppm", "tga"].contains(&to);
        let gate = Recording::default();
        let input = if by_rows { &large } else { &small };
        run_behind(&gate, input, "png", to, Quality::Medium).unwrap();
        let asked = gate.0.into_inner().unwrap();
        // These writers replace hidden colours in a copy, for which they reserve memory, if the picture has hidden
        // pixels.
        let most = if ["avif", "jxl", "webp"].contains(&to) {
            2
        } else {
            1
        };
        assert!((1..=most).contains(&asked.len()), "{to}: {asked:?}");
        if by_rows {
            assert!(asked[0] < 12 << 20, "{to}: {}", asked[0]);
        }
    }
}

#[test]
fn decompression_bombs_are_refused_by_their_header() {
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
    // A quantisation table, and a table with one code.
    jpg.extend(b"\xff\xdb\0\x43\0");
    jpg.extend([1; 64]);
    jpg.extend(b"\xff\xc4\0\x14\0\x01");
    jpg.extend([0; 16]);
    jpg.extend(b"\xff\xda\0\x0c\x03\x01\0\x02\0\x03\0\0\0\0");
    jpg.resize(8_000, 0);
    jpg.extend(b"\xff\xd9");
    check(&jpg, "jpg", "40000 × 40000");
    // 10,000 × 10,000 pixels are within the limit on pixels, but too many for the length of the file.
    jpg[7..11].copy_from_slice(b"\x27\x10\x27\x10");
    check(&jpg, "jpg", "pixels a byte");
}

#[test]
fn a_thumbnail_of_a_progressive_jpg_takes_little_memory() {
    let input = file("jpg", &picture(3200, 2400));
    let reserved = |width: &str| {
        let asked = Mutex::new(0);
        let most = u64::MAX;
        let gate = Narrow { most, asked };
        let mut options = Options::default();
        options.insert("width", width);
        run_with(&gate, &input, "jpg", "ppm", Quality::Low, &options).unwrap();
        *gate.asked.lock().unwrap()
    };
    let frame = input.windows(2).any(|bytes| bytes == [0xff, 0xc2]);
    assert!(frame, "the file is not progressive");
    // The whole picture needs two bytes for each of the 64 coefficients of a block, and eight bytes more. A thumbnail
    // needs only one coefficient of two bytes.
    let blocks = 3 * 400 * 300;
    assert!(reserved("3200") > 136 * blocks);
    assert!(reserved("3200") - reserved("260") > 134 * blocks);
}

/// Each scan needs a pass over the whole picture before the first row is available.
#[test]
fn every_scan_of_a_progressive_jpg_can_be_cancelled() {
    let input = file("png", &picture(64, 48));
    let checks = |quality| {
        let (jpg, _) = run(&input, "png", "jpg", quality).unwrap();
        let scans = jpg
            .windows(2)
            .filter(|bytes| *bytes == [0xff, 0xda])
            .count();
        let gate = Counting::default();
        run_behind(&gate, &jpg, "jpg", "bmp", Quality::Low).unwrap();
        (scans, gate.0.into_inner())
    };
    let (one, sequential) = checks(Quality::Low);
    let (many, progressive) = checks(Quality::High);
    assert_eq!(one, 1);
    assert!(many > 1);
    assert!(progressive >= sequential + many as u64, "{progressive}");
}
