//! Tests of PICT with pictures that are built call by call, both valid and hostile.

use super::{super::draw, begins};
use convertd_core::job::testing::with_job;

/// Encodes numbers in two bytes each, big-endian.
fn words(all: &[i16]) -> Vec<u8> {
    all.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A picture of the first version, 100 points wide and 50 high, with these calls.
fn first(calls: &[u8]) -> Vec<u8> {
    let head = words(&[0, 0, 0, 50, 100]);
    let clip = b"\x11\x01\x01\0\x0a\x80\x01\x80\x01\x7f\xff\x7f\xff";
    [&head[..], clip, calls, b"\xff"].concat()
}

/// A picture in version 2, with calls in units of half a point.
fn second(calls: &[&[i16]]) -> Vec<u8> {
    let mut file = words(&[0, 10, 20, 60, 120, 0x11, 0x2ff, 0xc00, -2, 0]);
    file.extend(words(&[144, 0, 144, 0, 0, 0, 100, 200, 0, 0]));
    calls.iter().for_each(|call| file.extend(words(call)));
    file.extend(words(&[0xff]));
    file
}

/// Draws a picture. Also returns whether something was left out.
fn drawn(file: &[u8]) -> Option<(String, bool)> {
    let drawn = with_job(|job| draw(job, file)).unwrap();
    drawn.map(|drawn| (String::from_utf8(drawn.svg).unwrap(), drawn.cut))
}

#[track_caller]
fn check(file: &[u8], parts: &[&str]) {
    let (svg, cut) = drawn(file).unwrap();
    for part in parts {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    assert!(!cut, "{svg}");
}

#[test]
fn the_pen_extends_below_and_right_of_its_point() {
    // A line from 10, 20 to 30, 20, and the frame of a rectangle, in red with a pen of two points.
    let calls = [
        &b"\x07\0\x02\0\x02\x0e\0\0\0\xcd\x20"[..],
        &words(&[20, 10, 20, 30]),
        b"\x30",
        &words(&[0, 0, 10, 40]),
    ];
    let size = "width=\"100pt\" height=\"50pt\"";
    let line = "d=\"M220 420L620 420\" fill=\"none\" stroke=\"#dd0806\" stroke-width=\"40\"";
    check(
        &first(&calls.concat()),
        &[size, line, "M20 20L780 20L780 180L20 180Z"],
    );
}

#[test]
fn a_picture_may_have_units_other_than_points() {
    let calls: [&[i16]; 4] = [
        // The colour, a rectangle that is painted, and the same one filled with a pattern in which half the dots are
        // set.
        &[0x1a, -1, 0, 0, 0x31, 0, 0, 50, 200],
        &[0x0a, 0x55aa, 0x55aa, 0x55aa, 0x55aa, 0x3c],
        // A region in the form of an L to draw in, and an oval that is erased.
        &[
            0x01, 36, 0, 0, 8, 9, 0, 0, 4, 0x7fff, 5, 4, 9, 0x7fff, 8, 0, 9, 0x7fff, 0x7fff,
        ],
        &[0x52, 0, 0, 100, 200],
    ];
    let parts = [
        "M0 0L2000 0L2000 500L0 500Z\" fill=\"#ff0000\"",
        "fill=\"#ff7f7f\"",
        "<clipPath id=\"c1\"><path d=\"M0 0L40 0L40 50L0 50ZM0 50L90 50L90 80L0 80Z\"",
        "<g clip-path=\"url(#c1)\">",
        "fill=\"#ffffff\"",
    ];
    check(&second(&calls), &parts);
}

#[test]
fn text_may_begin_relative_to_the_previous_text() {
    let calls = [
        &b"\x2c\0\x09\0\x07\x06Optima\x03\0\x07\x04\x01\x0d\0\x12\x28"[..],
        &words(&[30, 10]),
        b"\x03T\x8al\x29\x14\x02ok",
    ];
    let parts = [
        "font-family=\"&apos;Optima&apos;,sans-serif\"",
        "font-weight=\"bold\"",
        "200 600)",
        ">Täl</text>",
        "600 600)",
        ">ok</text>",
    ];
    check(&first(&calls.concat()), &parts);
}

#[test]
fn bitmaps_are_drawn() {
    let rectangles = [0, 0, 2, 8, 0, 0, 20, 80, 0];
    // Bitmaps of 1 bit per pixel; of 8 bits with two colours, in packed lines; of 32 bits, stored by component; and of
    // 16 bits.
    let plain = [&[0x90, 2, 0, 0, 2, 8][..], &rectangles, &[0x55aa, 0x55aa]].concat();
    let mut indexed = vec![0x98, 0x8008_u16.cast_signed(), 0, 0, 2, 8];
    indexed.extend([0, 0, 0, 0, 72, 0, 72, 0, 0, 8, 1, 8, 0, 0, 0, 0, 0, 0]);
    indexed.extend([0, 0, 0, 1, 0, -1, -1, -1, 1, -1, 0, 0]);
    indexed.extend(rectangles);
    indexed.extend([0x02f9, 0x0102, 0xf900_u16.cast_signed()]);
    let direct = |stride: u16, depth, parts: i16, packing, lines: &[i16]| {
        let mut call = vec![0x9a, 0, 0xff, (0x8000 | stride).cast_signed(), 0, 0, 2, 8];
        call.extend([0, packing, 0, 0, 72, 0, 72, 0, 16, depth, parts, 8]);
        call.extend([0; 6]);
        call.extend(rectangles);
        call.extend(lines);
        call
    };
    let long = direct(
        32,
        32,
        3,
        4,
        &[
            0x06f9,
            0x10f9,
            0x20f9,
            0x3006,
            -1785,
            0x20f9,
            0x20f9_u16.cast_signed(),
        ],
    );
    let short = direct(16, 16, 3, 3, &[0x03f9, 0x7c00, 0x03f9, 0x001f]);
    for call in [plain, indexed, long, short] {
        let (svg, _) = drawn(&second(&[&call])).unwrap();
        assert!(svg.contains("data:image/png;base64,"), "{call:?}: {svg}");
        assert!(svg.contains("matrix(800 0 0 200 0 0)"), "{svg}");
    }
}

#[test]
fn the_header_of_a_file_is_skipped() {
    let picture = first(b"\x51\0\0\0\0\0\x10\0\x10");
    assert!(begins(&picture));
    let file = [&[7; 512][..], &picture].concat();
    assert!(!begins(&file));
    assert_eq!(drawn(&file), drawn(&picture));
    assert!(drawn(&picture).is_some());
    // A picture with an empty frame and a picture of version 5 are not drawn.
    assert!(drawn(&[&words(&[0, 5, 5, 5, 5])[..], &picture[10..]].concat()).is_none());
    assert!(drawn(&[&picture[..10], b"\x11\x05\x01\0\x0a"].concat()).is_none());
}

#[test]
fn wrong_calls_keep_earlier_shapes() {
    let painted = b"\x31\0\0\0\0\0\x10\0\x10";
    let calls: [&[u8]; 9] = [
        // A comment, a polygon and a region that are longer than the file.
        b"\xa1\0\0\xff\xff",
        b"\x70\xff\xff\0\0",
        b"\x80\0\0",
        // A text without its letters.
        b"\x28\0\0\0\0\xffa",
        // Repetitions of shapes that were never drawn, with unknown verbs, and an empty clip region.
        b"\x78\x6d\0\0\0\0\x37\0\0\0\0\0\0\0\0\x01\0\x0a\0\0\0\0\0\0\0\0",
        // A bitmap with 32,767 lines, a bitmap with swapped corners, and a bitmap whose header ends early.
        b"\x98\0\xff\0\0\0\0\x7f\xff\x7f\xff\0\0\0\0\0\x10\0\x10\0\0\0\0\0\x10\0\x10\0\0",
        b"\x90\0\x10\0\x10\0\x10\0\0\0\0\0\0\0\0\0\x10\0\x10\0\0\0\0\0\x10\0\x10\0\0",
        b"\x90\x80\x10\0\0\0\0\0\x01\0\x01",
        // A pattern of pixels that ends early.
        b"\x13\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\x80\x10",
    ];
    for call in calls {
        let file = first(&[&painted[..], call].concat());
        for len in 0..file.len() {
            let _ = drawn(&file[..len]);
        }
        let (svg, _) = drawn(&file).unwrap();
        assert!(svg.contains("M0 0L320 0L320 320L0 320Z"), "{svg}");
    }
    // With very many calls, the drawing is cut at a limit of its length.
    let (svg, cut) = drawn(&first(&painted.repeat(400_000))).unwrap();
    assert!(cut && svg.len() < 8 << 20);
}
