//! GIFs whose frames claim more than the file has (GIF89a, sections 18 and 20): refused because of their header, or
//! clipped to the screen.

use crate::harness::{convert, pixels};
use convertd::{error::Kind, job::Quality};

/// Position, size and pixels of a frame.
type Placed<'a> = ((u16, u16), (u16, u16), &'a [u8]);

/// A GIF with two colours, red and green, with this screen and these frames.
fn gif(screen: (u16, u16), frames: &[Placed<'_>]) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    let put = |file: &mut Vec<u8>, pair: (u16, u16)| {
        file.extend(pair.0.to_le_bytes());
        file.extend(pair.1.to_le_bytes());
    };
    put(&mut file, screen);
    file.extend([0x80, 0, 0, 255, 0, 0, 0, 255, 0]);
    for (place, size, indices) in frames {
        file.extend([0x21, 0xf9, 4, 0, 10, 0, 0, 0, b',']);
        put(&mut file, *place);
        put(&mut file, *size);
        // Codes of three bits: a clear code (4) before each index keeps the length of codes at three bits; the end code
        // (5) is last.
        let codes = indices.iter().flat_map(|&index| [4, index]).chain([5]);
        let (mut data, mut bits, mut count) = (Vec::new(), 0_u32, 0);
        for code in codes {
            bits |= u32::from(code) << count;
            count += 3;
            while count >= 8 {
                data.push(bits as u8);
                bits >>= 8;
                count -= 8;
            }
        }
        data.push(bits as u8);
        file.extend([0, 2, data.len() as u8]);
        file.extend(data);
        file.push(0);
    }
    file.push(b';');
    file
}

#[test]
fn impossibly_large_frames_are_refused() {
    let most = (65_535, 65_535);
    let small: Placed<'_> = ((0, 0), (2, 2), &[0, 1, 1, 0]);
    let large: Placed<'_> = ((0, 0), most, &[0, 1]);
    for frames in [&[large][..], &[small, large], &[large, small]] {
        for target in ["png", "gif", "webp", "apng"] {
            let file = gif((2, 2), frames);
            let err = convert(&file, "a.gif", target, Quality::Low, &[]).unwrap_err();
            assert_eq!(err.kind(), Kind::BadInput, "{target}: {err}");
            assert!(err.message().contains("65535 × 65535"), "{target}: {err}");
        }
    }
    let err = convert(&gif(most, &[small]), "a.gif", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("65535 × 65535"), "{err}");
}

/// libvips finds the same sizes in the files of these tests.
#[test]
fn the_first_frame_enlarges_the_screen_and_later_ones_are_clipped() {
    #[track_caller]
    fn check(screen: (u16, u16), frames: &[Placed<'_>], sides: (u32, u32), corner: [u8; 4]) {
        for target in ["png", "gif", "webp", "apng"] {
            let result = convert(&gif(screen, frames), "a.gif", target, Quality::High, &[]);
            let result = pixels(&result.unwrap_or_else(|err| panic!("{screen:?} {target}: {err}")));
            assert_eq!(result.dimensions(), sides, "{target}");
            assert_eq!(result.get_pixel(0, 0).0, corner, "{target}");
            let last = result.get_pixel(sides.0 - 1, sides.1 - 1);
            assert_eq!(last.0[3], 255, "{target}");
        }
    }
    let (green, red, nothing) = ([0, 255, 0, 255], [255, 0, 0, 255], [0; 4]);
    let whole: Placed<'_> = ((0, 0), (4, 4), &[1; 16]);
    let moved: Placed<'_> = ((2, 2), (4, 4), &[0; 16]);
    let small: Placed<'_> = ((0, 0), (2, 2), &[0; 4]);
    check((2, 2), &[whole], (4, 4), green);
    check((0, 0), &[whole], (4, 4), green);
    check((3, 2), &[whole, whole], (4, 4), green);
    check((4, 4), &[whole, moved], (4, 4), green);
    check((4, 4), &[moved, whole], (6, 6), nothing);
    check((4, 4), &[moved], (6, 6), nothing);
    check((2, 2), &[small, whole], (2, 2), red);
}

#[test]
fn a_frame_without_size_gets_that_of_the_screen() {
    #[track_caller]
    fn check(frames: &[Placed<'_>], expected: &[[u8; 4]]) {
        let file = gif((2, 2), frames);
        for (page, expected) in (1..).zip(expected) {
            let page = format!("{page}");
            let result = convert(&file, "a.gif", "png", Quality::High, &[("page", &page)]);
            let result = result.unwrap_or_else(|err| panic!("{frames:?}: {err}"));
            assert_eq!(pixels(&result).get_pixel(1, 1).0, *expected, "{frames:?}");
        }
    }
    let [red, green] = [[255, 0, 0, 255], [0, 255, 0, 255]];
    let whole: Placed<'_> = ((0, 0), (2, 2), &[0; 4]);
    check(&[((0, 0), (0, 2), &[1; 4])], &[green]);
    check(&[whole, ((0, 0), (0, 0), &[1; 4])], &[red, green]);
}
