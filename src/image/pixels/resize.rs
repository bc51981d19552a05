//! Resizing of a picture: computes the new size, the part of the picture that is used, and the steps. Never rotates it.

use super::{
    layout::{Channels, Layout},
    resample::{Along, Resampled, most_taps},
    rows::Rows,
    squares::Squares,
};

/// Ways of fitting a picture into a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fit {
    #[default]
    /// The whole picture, with its aspect ratio.
    Contain,
    /// A picture that fills the box, with its aspect ratio. Two edges may be cut off.
    Cover,
    /// The whole picture, stretched to the size of the box.
    Fill,
}

/// The box that a picture is fitted into, in pixels. A missing side follows from the other one; without both sides, the
/// picture keeps its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) fit: Fit,
}

/// The whole picture: left, top, width and height as fractions of it.
const WHOLE: [f64; 4] = [0.0, 0.0, 1.0, 1.0];

/// A resize: the part of the picture that is used, and the new size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resize {
    /// Left, top, width and height of the used part, as fractions of the picture.
    part: [f64; 4],
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Resize {
    /// The resize that fits a picture of this size into `bounds`; `None` if it needs no change.
    pub(crate) fn of(bounds: Bounds, width: u32, height: u32) -> Option<Self> {
        let (w, h) = (f64::from(width), f64::from(height));
        let scaled = |scale: f64| {
            let side = |side: f64| ((side * scale).round() as u32).max(1);
            (side(w), side(h))
        };
        let mut part = WHOLE;
        let (to_width, to_height) = match (bounds.width, bounds.height) {
            (None, None) => return None,
            (Some(to), None) => (to, scaled(f64::from(to) / w).1),
            (None, Some(to)) => (scaled(f64::from(to) / h).0, to),
            (Some(to_width), Some(to_height)) => {
                let (across, down) = (f64::from(to_width) / w, f64::from(to_height) / h);
                match bounds.fit {
                    Fit::Contain => {
                        let (width, height) = scaled(across.min(down));
                        (width.min(to_width), height.min(to_height))
                    }
                    Fit::Fill => (to_width, to_height),
                    Fit::Cover => {
                        // The picture is scaled by the larger one of the two ratios; then the excess is cut off on both
                        // sides.
                        let scale = across.max(down);
                        let (share_w, share_h) = (across / scale, down / scale);
                        part = [
                            (1.0 - share_w) / 2.0,
                            (1.0 - share_h) / 2.0,
                            share_w,
                            share_h,
                        ];
                        (to_width, to_height)
                    }
                }
            }
        };
        let resize = Self {
            part,
            width: to_width,
            height: to_height,
        };
        (part != WHOLE || (to_width, to_height) != (width, height)).then_some(resize)
    }

    /// The resize that limits both sides to `side`; `None` if they are within the limit.
    pub(crate) fn within(side: u32, width: u32, height: u32) -> Option<Self> {
        (width > side || height > side)
            .then(|| Self::into_square(side, width, height))
            .flatten()
    }

    /// The resize that makes the longer side equal to `side`; `None` if it already is.
    pub(crate) fn into_square(side: u32, width: u32, height: u32) -> Option<Self> {
        let bounds = Bounds {
            width: Some(side),
            height: Some(side),
            fit: Fit::Contain,
        };
        Self::of(bounds, width, height)
    }

    /// Returns whether the whole picture is used.
    pub(crate) fn keeps_everything(self) -> bool {
        self.part == WHOLE
    }

    /// This resize, followed by `last`, which determines the final size, and must use the whole picture.
    #[must_use]
    pub(crate) fn then(self, last: Self) -> Self {
        Self {
            part: self.part,
            ..last
        }
    }

    /// This resize for a picture whose width and height will be swapped after the resize.
    #[must_use]
    pub(crate) fn swapped(self) -> Self {
        let [left, top, width, height] = self.part;
        Self {
            part: [top, left, height, width],
            width: self.height,
            height: self.width,
        }
    }

    /// Factor by which a picture of this size is reduced: the smaller one of the horizontal and the vertical factor.
    pub(crate) fn ratio(self, from: Layout) -> f64 {
        let [across, down] = self.scales(from);
        across.min(down)
    }

    /// Number of source pixels for each pixel of the result, across and down.
    fn scales(self, from: Layout) -> [f64; 2] {
        let [_, _, width, height] = self.part;
        [
            f64::from(from.width) * width / f64::from(self.width),
            f64::from(from.height) * height / f64::from(self.height),
        ]
    }

    /// Splits a resize into averaging over squares, which is fast, and filtering. Returns the sides of the squares, and
    /// the number of averages for each pixel of the result. In a direction with at least four source pixels for each
    /// pixel of the result, at least two averages remain; otherwise the side is 1.
    fn steps(self, from: Layout) -> ([u32; 2], [f64; 2]) {
        let scales = self.scales(from);
        let factors = scales.map(|scale| ((scale / 2.0) as u32).max(1));
        let left = std::array::from_fn(|at| scales[at] / f64::from(factors[at]));
        (factors, left)
    }

    /// Returns whether the picture becomes at least four times smaller in both directions. Then the resize and the
    /// following steps usually take less than half the time of decoding.
    pub(crate) fn is_light(self, from: Layout) -> bool {
        self.scales(from).iter().all(|&scale| scale >= 4.0)
    }

    /// Peak memory of resizing, in bytes.
    pub(crate) fn memory(self, from: Layout) -> u64 {
        let (_, [across, down]) = self.steps(from);
        let samples = |pixels: u32| 4 * from.channels.count() as u64 * u64::from(pixels);
        let recent_rows = most_taps(down) as u64 * samples(self.width);
        let weights = 8 * most_taps(across) as u64 * u64::from(self.width);
        Squares::memory(from)
            + samples(from.width)
            + recent_rows
            + weights
            + 2 * samples(self.width)
    }

    /// Resizes rows. The pixel type stays the same.
    pub(crate) fn apply<'a>(self, rows: Box<dyn Rows + 'a>) -> Box<dyn Rows + 'a> {
        let from = rows.layout();
        let (factors, scales) = self.steps(from);
        let [left, top, ..] = self.part;
        // Squares are averaged first. The last ones in each direction may have fewer pixels.
        let along = |side: u32, start: f64, scale: f64, factor: u32| {
            let squares = side.div_ceil(factor);
            Along {
                scale,
                start: start * f64::from(side) / f64::from(factor),
                len: squares as usize,
                last: f64::from(side) / f64::from(factor) - f64::from(squares - 1),
            }
        };
        let across = along(from.width, left, scales[0], factors[0]);
        let down = along(from.height, top, scales[1], factors[1]);
        let to = from.sized(self.width, self.height);
        let source = Squares::new(rows, factors);
        match from.channels {
            Channels::Grey => Box::new(Resampled::<1>::new(source, to, &across, down)),
            Channels::GreyAlpha => Box::new(Resampled::<2>::new(source, to, &across, down)),
            Channels::Rgb => Box::new(Resampled::<3>::new(source, to, &across, down)),
            Channels::Rgba => Box::new(Resampled::<4>::new(source, to, &across, down)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{layout::Depth, rows::Frame};

    #[track_caller]
    fn check(width: Option<u32>, height: Option<u32>, fit: Fit, expected: Option<(u32, u32)>) {
        let bounds = Bounds { width, height, fit };
        let resize = Resize::of(bounds, 400, 300);
        assert_eq!(resize.map(|to| (to.width, to.height)), expected);
    }

    #[test]
    fn sizes_follow_the_bounds() {
        check(None, None, Fit::Contain, None);
        check(Some(400), None, Fit::Contain, None);
        check(Some(200), None, Fit::Contain, Some((200, 150)));
        check(None, Some(30), Fit::Contain, Some((40, 30)));
        check(Some(1), None, Fit::Contain, Some((1, 1)));
        check(Some(100), Some(100), Fit::Contain, Some((100, 75)));
        check(Some(100), Some(100), Fit::Cover, Some((100, 100)));
        check(Some(9), Some(300), Fit::Fill, Some((9, 300)));
    }

    #[test]
    fn a_flat_picture_stays_flat() {
        let layout = Layout {
            width: 103,
            height: 77,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        };
        for (width, height) in [(10, 9), (50, 40), (200, 170)] {
            let frame = Frame::from_pixels(layout, vec![90; layout.bytes() as usize]);
            let resize = Resize {
                part: [0.1, 0.0, 0.8, 1.0],
                width,
                height,
            };
            let small = resize.apply(Box::new(frame)).into_frame().unwrap();
            assert_eq!((small.layout.width, small.layout.height), (width, height));
            assert!(small.pixels.iter().all(|&sample| sample == 90));
        }
    }

    #[test]
    fn partial_edge_pixels_count_by_their_size() {
        // The picture has 401 lines. A single one of them, at the upper or at the lower edge, is white.
        let at = |y: usize| {
            let layout = Layout {
                width: 4,
                height: 401,
                channels: Channels::Grey,
                depth: Depth::Eight,
            };
            let mut frame = Frame::from_pixels(layout, vec![0; layout.bytes() as usize]);
            frame.pixels[4 * y..][..4].fill(255);
            let resize = Resize {
                part: WHOLE,
                width: 4,
                height: 10,
            };
            let small = resize.apply(Box::new(frame)).into_frame().unwrap();
            [small.pixels[0], small.pixels[39]]
        };
        let ([above, _], [_, below]) = (at(0), at(400));
        assert!(above.abs_diff(below) <= 3, "{above}, {below}");
        assert!(below <= 10, "{below}");
    }
}
