//! Turns pictures upright, according to EXIF (Exif 2.32, tag 0x0112). Moves pixels, and never changes one.

use super::layout::Layout;
use super::rows::Frame;
use image::metadata::Orientation;

/// Applies `orientation` to the pixels, so that the tag can be dropped.
pub(crate) fn apply(frame: Frame, orientation: Orientation) -> Frame {
    match frame.layout.pixel_bytes() {
        1 => turn::<1>(frame, orientation),
        2 => turn::<2>(frame, orientation),
        3 => turn::<3>(frame, orientation),
        4 => turn::<4>(frame, orientation),
        6 => turn::<6>(frame, orientation),
        8 => turn::<8>(frame, orientation),
        12 => turn::<12>(frame, orientation),
        _ => turn::<16>(frame, orientation),
    }
}

/// Returns whether a picture with this orientation needs a second buffer for turning it.
pub(crate) fn needs_copy(orientation: Orientation) -> bool {
    swaps_sides(orientation)
}

/// Returns whether this orientation swaps width and height.
pub fn swaps_sides(orientation: Orientation) -> bool {
    match orientation {
        Orientation::NoTransforms
        | Orientation::Rotate180
        | Orientation::FlipHorizontal
        | Orientation::FlipVertical => false,
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => true,
    }
}

/// The layout of a picture with this orientation after it has been turned upright.
pub(crate) fn upright(layout: Layout, orientation: Orientation) -> Layout {
    if swaps_sides(orientation) {
        layout.swapped()
    } else {
        layout
    }
}

/// The orientation that combines `first` and a following clockwise rotation `turn`. If `turn` is not a rotation, the
/// result is `first`.
pub(crate) fn then(first: Orientation, turn: Orientation) -> Orientation {
    let turns = match turn {
        Orientation::Rotate90 => 1,
        Orientation::Rotate180 => 2,
        Orientation::Rotate270 => 3,
        _ => 0,
    };
    (0..turns).fold(first, |before, _| match before {
        Orientation::NoTransforms => Orientation::Rotate90,
        Orientation::Rotate90 => Orientation::Rotate180,
        Orientation::Rotate180 => Orientation::Rotate270,
        Orientation::Rotate270 => Orientation::NoTransforms,
        Orientation::FlipHorizontal => Orientation::Rotate270FlipH,
        Orientation::Rotate270FlipH => Orientation::FlipVertical,
        Orientation::FlipVertical => Orientation::Rotate90FlipH,
        Orientation::Rotate90FlipH => Orientation::FlipHorizontal,
    })
}

/// Converts a rectangle of the upright picture to one of the stored picture, which has `width` × `height` pixels. Both
/// rectangles are stated as width, height, left and top.
pub(crate) fn before(
    [w, h, left, top]: [u32; 4],
    orientation: Orientation,
    (width, height): (u32, u32),
) -> [u32; 4] {
    // Distance of the rectangle from the opposite edge, along a side of the stored picture.
    let right_of = |at: u32, len: u32, side: u32| side - at - len;
    match orientation {
        Orientation::NoTransforms => [w, h, left, top],
        Orientation::FlipHorizontal => [w, h, right_of(left, w, width), top],
        Orientation::FlipVertical => [w, h, left, right_of(top, h, height)],
        Orientation::Rotate180 => [w, h, right_of(left, w, width), right_of(top, h, height)],
        Orientation::Rotate90 => [h, w, top, right_of(left, w, height)],
        Orientation::Rotate270 => [h, w, right_of(top, h, width), left],
        Orientation::Rotate90FlipH => [h, w, top, left],
        Orientation::Rotate270FlipH => [h, w, right_of(top, h, width), right_of(left, w, height)],
    }
}

/// Turns a frame. Rotations by 180 degrees and flips work in place; all others need a second frame.
fn turn<const N: usize>(mut frame: Frame, orientation: Orientation) -> Frame {
    let width = frame.layout.width as usize;
    let (pixels, _) = frame.pixels.as_chunks_mut::<N>();
    // The corner of the source that becomes the top left corner of the result.
    let (from_right, from_bottom) = match orientation {
        Orientation::NoTransforms => return frame,
        Orientation::Rotate180 => {
            pixels.reverse();
            return frame;
        }
        Orientation::FlipHorizontal => {
            pixels.chunks_exact_mut(width).for_each(<[_]>::reverse);
            return frame;
        }
        Orientation::FlipVertical => {
            let mut rows = pixels.chunks_exact_mut(width);
            while let (Some(top), Some(bottom)) = (rows.next(), rows.next_back()) {
                top.swap_with_slice(bottom);
            }
            return frame;
        }
        Orientation::Rotate90 => (false, true),
        Orientation::Rotate270 => (true, false),
        Orientation::Rotate90FlipH => (false, false),
        Orientation::Rotate270FlipH => (true, true),
    };
    transpose::<N>(&frame, from_right, from_bottom)
}

/// Transposes a frame, starting from one of its corners, in tiles that fit into the cache.
fn transpose<const N: usize>(frame: &Frame, from_right: bool, from_bottom: bool) -> Frame {
    /// Side of a tile in pixels.
    const TILE: usize = 32;
    let (width, height) = (frame.layout.width as usize, frame.layout.height as usize);
    let mut turned = Frame::new(frame.layout.sized(frame.layout.height, frame.layout.width));
    let (source, _) = frame.pixels.as_chunks::<N>();
    let (target, _) = turned.pixels.as_chunks_mut::<N>();
    for tile_y in (0..width).step_by(TILE) {
        for tile_x in (0..height).step_by(TILE) {
            for y in tile_y..width.min(tile_y + TILE) {
                let source_x = if from_right { width - 1 - y } else { y };
                for x in tile_x..height.min(tile_x + TILE) {
                    let source_y = if from_bottom { height - 1 - x } else { x };
                    target[y * height + x] = source[source_y * width + source_x];
                }
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::layout::{Channels, Depth};

    #[test]
    fn pixels_move_as_the_tag_states() {
        // The stored picture has the row `abc` above the row `def`.
        #[track_caller]
        fn check(tag: u8, width: u32, expected: &[u8]) {
            let layout = Layout {
                width: 3,
                height: 2,
                channels: Channels::Grey,
                depth: Depth::Eight,
            };
            let frame = Frame::from_pixels(layout, b"abcdef".to_vec());
            let turned = apply(frame, Orientation::from_exif(tag).unwrap());
            assert_eq!(turned.layout.width, width);
            assert_eq!(turned.pixels, expected);
        }
        check(1, 3, b"abcdef");
        check(2, 3, b"cbafed");
        check(3, 3, b"fedcba");
        check(4, 3, b"defabc");
        check(5, 2, b"adbecf");
        check(6, 2, b"daebfc");
        check(7, 2, b"fcebda");
        check(8, 2, b"cfbead");
    }

    /// Six letters as the pixels of a picture of 3 × 2.
    fn letters() -> Frame {
        let layout = Layout {
            width: 3,
            height: 2,
            channels: Channels::Grey,
            depth: Depth::Eight,
        };
        Frame::from_pixels(layout, b"abcdef".to_vec())
    }

    #[test]
    fn rotations_combine_and_rectangles_follow() {
        #[track_caller]
        fn check(tag: u8, turn: Orientation) {
            let first = Orientation::from_exif(tag).unwrap();
            let both = then(first, turn);
            let seen = apply(letters(), both);
            assert_eq!(seen.pixels, apply(apply(letters(), first), turn).pixels);
            // The pixel in the second column and the last row.
            let (width, height) = (seen.layout.width, seen.layout.height);
            let part = before([1, 1, 1, height - 1], both, (3, 2));
            let [_, _, left, top] = part;
            let found = letters().pixels[(top * 3 + left) as usize];
            assert_eq!(found, seen.pixels[(width * (height - 1) + 1) as usize]);
        }
        for tag in 1..=8 {
            check(tag, Orientation::NoTransforms);
            check(tag, Orientation::Rotate90);
            check(tag, Orientation::Rotate180);
            check(tag, Orientation::Rotate270);
        }
    }
}
