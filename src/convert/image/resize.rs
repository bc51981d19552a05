//! Changing the size of a picture: what it becomes, and the filter (Lanczos, three lobes). Never turns it.

use super::{
    layout::{Channels, Depth, Layout},
    options::{Fit, Wishes},
    rows::{Frame, Rows},
    shrink::{Shrunk, shrunk},
};
use crate::error::{Error, Result};
use fast_image_resize::{
    FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
    pixels::{F32, F32x2, F32x3, F32x4, U8, U8x3, U8x4},
};

/// From which part of a picture to which size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Left, top, width and height as shares of the picture.
    part: [f64; 4],
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Plan {
    /// What the wishes make of a picture of this size, if it is not to stay as it is.
    pub(super) fn of(wishes: &Wishes, width: u32, height: u32) -> Option<Self> {
        let (w, h) = (f64::from(width), f64::from(height));
        let scaled = |scale: f64| {
            let side = |side: f64| ((side * scale).round() as u32).max(1);
            (side(w), side(h))
        };
        let mut part = [0.0, 0.0, 1.0, 1.0];
        let (to_width, to_height) = match (wishes.width, wishes.height) {
            (None, None) => return None,
            (Some(to), None) => (to, scaled(f64::from(to) / w).1),
            (None, Some(to)) => (scaled(f64::from(to) / h).0, to),
            (Some(to_width), Some(to_height)) => {
                let (across, down) = (f64::from(to_width) / w, f64::from(to_height) / h);
                match wishes.fit {
                    Fit::Contain => {
                        let (width, height) = scaled(across.min(down));
                        (width.min(to_width), height.min(to_height))
                    }
                    Fit::Fill => (to_width, to_height),
                    Fit::Cover => {
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
        let plan = Self {
            part,
            width: to_width,
            height: to_height,
        };
        (part != [0.0, 0.0, 1.0, 1.0] || (to_width, to_height) != (width, height)).then_some(plan)
    }

    /// A plan that makes a picture no larger than `side` in either direction, if it is.
    pub(super) fn within(side: u32, width: u32, height: u32) -> Option<Self> {
        (width > side || height > side)
            .then(|| Self::into_square(side, width, height))
            .flatten()
    }

    /// A plan that makes the longer side of a picture `side`, unless it is.
    pub(super) fn into_square(side: u32, width: u32, height: u32) -> Option<Self> {
        let wishes = Wishes {
            width: Some(side),
            height: Some(side),
            fit: Fit::Contain,
            ..Wishes::of(&crate::convert::Options::default())
        };
        Self::of(&wishes, width, height)
    }

    /// Whether nothing is cut off.
    pub(super) fn keeps_everything(self) -> bool {
        self.part == [0.0, 0.0, 1.0, 1.0]
    }

    /// This plan with another size in the end.
    #[must_use]
    pub(super) fn then(self, last: Self) -> Self {
        Self {
            part: self.part,
            ..last
        }
    }

    /// The same for a picture whose sides are still to change places.
    #[must_use]
    pub(super) fn swapped(self) -> Self {
        let [left, top, width, height] = self.part;
        Self {
            part: [top, left, height, width],
            width: self.height,
            height: self.width,
        }
    }

    /// By how much a picture of this size becomes smaller, in either direction at least.
    pub(super) fn ratio(self, from: Layout) -> f64 {
        let across = f64::from(from.width) * self.part[2] / f64::from(self.width);
        let down = f64::from(from.height) * self.part[3] / f64::from(self.height);
        across.min(down)
    }

    /// By how much it may be shrunk in advance, so that the filter has at least two pixels for one.
    fn spare_factor(self, from: Layout) -> u32 {
        ((self.ratio(from) / 2.0) as u32).max(1)
    }

    /// Bytes that resizing takes at its peak.
    pub(super) fn memory(self, from: Layout) -> u64 {
        let small = filtered(shrunk(from, self.spare_factor(from)));
        let to = filtered(from).sized(self.width, self.height);
        // What is left after shrinking, a pass with one side resized, the result, and the premultiplied copy.
        let between = small.sized(self.width, small.height);
        2 * small.bytes() + between.bytes() + 2 * to.bytes() + 8 * from.row_bytes() as u64
    }

    /// Does it. The pixel type stays.
    pub(super) fn apply(self, rows: Box<dyn Rows + '_>) -> Result<Frame> {
        let full = rows.layout();
        let factor = self.spare_factor(full);
        let frame = if factor > 1 {
            (Box::new(Shrunk::new(rows, factor)) as Box<dyn Rows + '_>).into_frame()?
        } else {
            rows.into_frame()?
        };
        let from = frame.layout;
        // Where the last squares had fewer pixels, the picture ends within them.
        let (w, h) = (
            f64::from(full.width) / f64::from(factor),
            f64::from(full.height) / f64::from(factor),
        );
        let [left, top, width, height] = self.part;
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
            .crop(left * w, top * h, width * w, height * h);
        let frame = widened(frame);
        let to = frame.layout.sized(self.width, self.height);
        let resize = match (to.depth, to.channels) {
            (Depth::Eight, Channels::Grey) => resized::<U8>,
            (Depth::Eight, Channels::Rgb) => resized::<U8x3>,
            (Depth::Eight, _) => resized::<U8x4>,
            (_, Channels::Grey) => resized::<F32>,
            (_, Channels::GreyAlpha) => resized::<F32x2>,
            (_, Channels::Rgb) => resized::<F32x3>,
            (_, Channels::Rgba) => resized::<F32x4>,
        };
        let frame = resize(&frame, to, &options)?;
        Ok(narrowed(frame, from.depth))
    }
}

/// What is filtered instead of pixels of this kind. Each kind that the filter is made for takes its place in the program;
/// those that are rare go through floats, as numbers of their own from 0 to 1.
fn filtered(layout: Layout) -> Layout {
    match (layout.depth, layout.channels) {
        (Depth::Eight, Channels::GreyAlpha) | (Depth::Sixteen, _) => {
            layout.with(layout.channels, Depth::Float)
        }
        (Depth::Eight | Depth::Float, _) => layout,
    }
}

fn widened(frame: Frame) -> Frame {
    let (from, to) = (frame.layout, filtered(frame.layout));
    if from == to {
        return frame;
    }
    let mut pixels = Vec::with_capacity(to.bytes() as usize);
    if from.depth == Depth::Eight {
        let samples = frame.pixels.iter().map(|&sample| f32::from(sample) / 255.0);
        pixels.extend(samples.flat_map(f32::to_ne_bytes));
    } else {
        let samples = frame.pixels.as_chunks().0.iter();
        let samples = samples.map(|&sample| f32::from(u16::from_ne_bytes(sample)) / 65_535.0);
        pixels.extend(samples.flat_map(f32::to_ne_bytes));
    }
    Frame::from_pixels(to, pixels)
}

/// The inverse.
fn narrowed(frame: Frame, depth: Depth) -> Frame {
    let (from, to) = (
        frame.layout,
        frame.layout.with(frame.layout.channels, depth),
    );
    if from == to {
        return frame;
    }
    let samples = frame.pixels.as_chunks().0.iter().copied();
    let samples = samples.map(f32::from_ne_bytes);
    let mut pixels = Vec::with_capacity(to.bytes() as usize);
    if depth == Depth::Eight {
        pixels.extend(samples.map(|sample| (sample * 255.0 + 0.5) as u8));
    } else {
        let samples = samples.map(|sample| (sample * 65_535.0 + 0.5) as u16);
        pixels.extend(samples.flat_map(u16::to_ne_bytes));
    }
    Frame::from_pixels(to, pixels)
}

/// `frame`, whose pixels are of the type `P`, as a picture of the layout `to`.
fn resized<P: PixelTrait>(frame: &Frame, to: Layout, options: &ResizeOptions) -> Result<Frame> {
    let failed = |err: String| Error::internal("the picture could not be resized", err);
    let from = frame.layout;
    let source = ImageRef::new(from.width, from.height, &frame.pixels, P::pixel_type())
        .map_err(|err| failed(err.to_string()))?;
    let mut target = Image::new(to.width, to.height, P::pixel_type());
    let (Some(source), Some(mut view)) = (source.typed_image::<P>(), target.typed_image_mut::<P>())
    else {
        return Err(failed("the pixels are of another type".into()));
    };
    Resizer::new()
        .resize_typed(&source, &mut view, options)
        .map_err(|err| failed(err.to_string()))?;
    Ok(Frame::from_pixels(to, target.into_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::Options;

    #[track_caller]
    fn check(fields: &[(&str, &str)], expected: Option<(u32, u32)>) {
        let mut options = Options::default();
        for (name, value) in fields {
            options.insert(*name, *value);
        }
        let plan = Plan::of(&Wishes::of(&options), 400, 300);
        assert_eq!(plan.map(|plan| (plan.width, plan.height)), expected);
    }

    #[test]
    fn sizes_follow_the_wishes() {
        check(&[], None);
        check(&[("width", "400")], None);
        check(&[("width", "200")], Some((200, 150)));
        check(&[("height", "30")], Some((40, 30)));
        check(&[("width", "1")], Some((1, 1)));
        check(&[("width", "100"), ("height", "100")], Some((100, 75)));
        check(
            &[("width", "100"), ("height", "100"), ("fit", "cover")],
            Some((100, 100)),
        );
        check(
            &[("width", "9"), ("height", "300"), ("fit", "fill")],
            Some((9, 300)),
        );
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
            let plan = Plan {
                part: [0.1, 0.0, 0.8, 1.0],
                width,
                height,
            };
            let small = plan.apply(Box::new(frame)).unwrap();
            assert_eq!((small.layout.width, small.layout.height), (width, height));
            assert!(small.pixels.iter().all(|&sample| sample == 90));
        }
    }
}
