//! OpenEXR with different windows, rows from the bottom up, luminance and chroma, and channels that are not part of the
//! picture, made here without compression (OpenEXR File Layout).

use crate::harness::{convert, convert_with_notes};
use convertd::{error::Kind, job::Quality};
use image::Rgba32FImage;

/// The name of a channel, the distance between its samples, and a function that computes a sample.
type Channel<'a> = (&'a str, i32, fn(i32, i32) -> f32);

/// The first and the last pixel, horizontally and vertically.
type Window = [i32; 4];

/// A scan-line file with 32-bit floating-point samples, whose channels are sorted by name.
fn exr(display: Window, data: Window, upwards: bool, channels: &[Channel<'_>]) -> Vec<u8> {
    let mut file = b"\x76\x2f\x31\x01\x02\0\0\0".to_vec();
    let put = |file: &mut Vec<u8>, name: &str, kind: &str, value: &[u8]| {
        file.extend([name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat());
        file.extend((value.len() as u32).to_le_bytes());
        file.extend(value);
    };
    let mut list = Vec::new();
    for (name, step, _) in channels {
        list.extend([name.as_bytes(), b"\0\x02\0\0\0\0\0\0\0"].concat());
        list.extend([step.to_le_bytes(); 2].concat());
    }
    list.push(0);
    put(&mut file, "channels", "chlist", &list);
    put(&mut file, "compression", "compression", &[0]);
    for (name, window) in [("dataWindow", data), ("displayWindow", display)] {
        put(
            &mut file,
            name,
            "box2i",
            window.map(i32::to_le_bytes).as_flattened(),
        );
    }
    put(&mut file, "lineOrder", "lineOrder", &[upwards.into()]);
    let one = &1.0_f32.to_le_bytes();
    put(&mut file, "pixelAspectRatio", "float", one);
    put(&mut file, "screenWindowCenter", "v2f", &[0; 8]);
    put(&mut file, "screenWindowWidth", "float", one);
    file.push(0);
    let [left, top, right, bottom] = data;
    let mut rows: Vec<i32> = (top..=bottom).collect();
    let line = |y: i32| {
        let there = channels.iter().filter(move |(_, step, _)| y % step == 0);
        let samples = there.flat_map(|(_, step, sample)| {
            let columns = (left..=right).filter(move |x| x % step == 0);
            columns.flat_map(move |x| sample(x, y).to_le_bytes())
        });
        samples.collect::<Vec<u8>>()
    };
    if upwards {
        rows.reverse();
    }
    let lines: Vec<_> = rows.iter().map(|y| (*y, line(*y))).collect();
    let table = file.len();
    file.resize(table + 8 * lines.len(), 0);
    for (y, line) in lines {
        // The table of offsets goes from top to bottom, whatever the order of the lines.
        let at = file.len() as u64;
        file[table + 8 * (y - top) as usize..][..8].copy_from_slice(&at.to_le_bytes());
        file.extend(y.to_le_bytes());
        file.extend((line.len() as u32).to_le_bytes());
        file.extend(line);
    }
    file
}

#[track_caller]
fn read(file: &[u8]) -> (Rgba32FImage, Vec<String>) {
    let (result, notes) = convert_with_notes(file, "a.exr", "exr", Quality::Low, &[]).unwrap();
    let picture = image::load_from_memory(&result).unwrap().to_rgba32f();
    (picture, notes.0)
}

const RGB: &[Channel<'_>] = &[
    ("B", 1, |_, _| 0.25),
    ("G", 1, |_, y| y as f32),
    ("R", 1, |x, _| x as f32),
];

#[test]
fn the_display_window_is_the_picture() {
    #[track_caller]
    fn check(display: Window, data: Window, is_cut: bool) {
        for upwards in [false, true] {
            let (picture, notes) = read(&exr(display, data, upwards, RGB));
            let [left, top, right, bottom] = display;
            let sides = ((right - left + 1) as u32, (bottom - top + 1) as u32);
            assert_eq!(picture.dimensions(), sides);
            for (column, row, pixel) in picture.enumerate_pixels() {
                let (x, y) = (column as i32 + left, row as i32 + top);
                let is_there = (data[0]..=data[2]).contains(&x) && (data[1]..=data[3]).contains(&y);
                let expected = if is_there {
                    [x as f32, y as f32, 0.25]
                } else {
                    [0.0; 3]
                };
                assert_eq!(pixel.0[..3], expected, "{x}, {y}");
            }
            let says = notes
                .iter()
                .any(|note| note.contains("outside of its display window"));
            assert_eq!(says, is_cut, "{notes:?}");
        }
    }
    check([0, 0, 5, 3], [0, 0, 5, 3], false);
    check([0, 0, 5, 3], [1, 1, 3, 2], false);
    check([0, 0, 5, 3], [-2, -1, 9, 7], true);
    check([10, 20, 15, 23], [12, 18, 13, 21], true);
    check([-4, -4, 1, 1], [-9, -2, -2, 4], true);
    // The data window does not overlap the display window.
    check([0, 0, 5, 3], [8, 8, 9, 9], true);
}

#[test]
fn pixels_outside_of_the_data_window_are_transparent_with_alpha() {
    let channels: &[Channel<'_>] = &[
        ("A", 1, |_, _| 1.0),
        ("B", 1, |_, _| 0.5),
        ("G", 1, |_, _| 0.5),
        ("R", 1, |_, _| 0.5),
    ];
    let (picture, _) = read(&exr([0, 0, 3, 3], [1, 1, 2, 2], false, channels));
    assert_eq!(picture.get_pixel(0, 0).0, [0.0; 4]);
    assert_eq!(picture.get_pixel(1, 1).0, [0.5, 0.5, 0.5, 1.0]);
}

#[test]
fn luminance_and_chroma_become_colours() {
    // R = 0.6, B = 0.2, and G such that Y is 0.4 with the weights of BT.709.
    let channels = |step| {
        let list: [Channel<'static>; 3] = [
            ("BY", step, |_, _| -0.5),
            ("RY", step, |_, _| 0.5),
            ("Y", 1, |_, _| 0.4),
        ];
        list
    };
    let green = (0.4 - 0.6 * 0.2126 - 0.2 * 0.0722) / 0.7152;
    for step in [1, 2] {
        let window = [0, 0, 15, 9];
        let (picture, _) = read(&exr(window, window, step == 2, &channels(step)));
        assert_eq!(picture.dimensions(), (16, 10));
        for pixel in picture.pixels() {
            for (found, expected) in pixel.0.into_iter().zip([0.6, green, 0.2, 1.0]) {
                assert!((found - expected).abs() < 1e-4, "{:?}", pixel.0);
            }
        }
    }
}

#[test]
fn one_channel_is_grey_and_layers_are_named() {
    let window = [0, 0, 3, 1];
    let grey: &[Channel<'_>] = &[("Y", 1, |x, _| x as f32)];
    let (picture, notes) = read(&exr(window, window, false, grey));
    assert_eq!(picture.get_pixel(3, 1).0, [3.0, 3.0, 3.0, 1.0]);
    assert!(
        notes.iter().all(|note| !note.contains("left out")),
        "{notes:?}"
    );
    let layers: &[Channel<'_>] = &[
        ("depth.Z", 1, |_, _| 9.0),
        ("key.B", 1, |_, _| 3.0),
        ("key.G", 1, |_, _| 2.0),
        ("key.R", 1, |_, _| 1.0),
    ];
    let (picture, notes) = read(&exr(window, window, false, layers));
    assert_eq!(picture.get_pixel(3, 1).0, [1.0, 2.0, 3.0, 1.0]);
    assert!(
        notes.iter().any(|note| note.contains("depth.Z")),
        "{notes:?}"
    );
}

#[test]
fn truncated_files_and_impossible_headers_are_refused() {
    let window = [0, 0, 3, 3];
    let whole = exr(window, window, false, RGB);
    for len in [7, 100, 300, whole.len() - 1] {
        let result = convert(&whole[..len], "a.exr", "png", Quality::Low, &[]);
        assert_eq!(
            result.map(drop).unwrap_err().kind(),
            Kind::BadInput,
            "{len}"
        );
    }
    for (display, data) in [
        ([0, 0, 30_000, 30_000], window),
        (window, [0, 0, 30_000, 30_000]),
    ] {
        let mut file = exr(window, window, false, RGB);
        for (name, value) in [(&b"displayWindow"[..], display), (b"dataWindow", data)] {
            let at = file
                .windows(name.len())
                .position(|bytes| bytes == name)
                .unwrap();
            let at = at + name.len() + 1 + 6 + 4;
            file[at..at + 16].copy_from_slice(value.map(i32::to_le_bytes).as_flattened());
        }
        let err = convert(&file, "a.exr", "png", Quality::Low, &[])
            .map(drop)
            .unwrap_err();
        assert!(err.message().contains("30001"), "{err}");
    }
}
