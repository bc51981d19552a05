//! Animations: composed frames, as a viewer shows them, and the changes from one frame to the next. Does not depend on
//! a file format.

use crate::pixels::{Channels, Depth, Frame, Layout};
use convertd_core::{
    error::{Error, Kind, Result},
    job::Job,
};
use std::{mem, time::Duration};

/// Largest number of pixels in all frames of an animation together: 2^31, about 1,000 frames of 1920 × 1080 pixels.
const MAX_PIXELS: u64 = 1 << 31;

/// Returns the memory of a writer of animations, in bytes: two composed frames, the part that changes, and its encoded
/// form.
pub(crate) fn writing(layout: Layout) -> u64 {
    8 * layout.bytes() + 8 * layout.pixels() + (16 << 20)
}

/// An iterator over composed frames, each with its delay.
pub(crate) type Frames<'a> = Box<dyn Iterator<Item = Result<(Frame, Duration)>> + 'a>;

/// An animation before decoding.
pub(crate) struct Animation<'a> {
    /// Layout of every frame: 8-bit RGBA.
    pub(crate) layout: Layout,
    /// The colour profile of the file, or that of the result after conversion.
    pub(crate) icc: Option<Vec<u8>>,
    /// Number of times that the animation plays; `None` means endlessly.
    pub(crate) plays: Option<u32>,
    /// Number of frames.
    pub(crate) count: u32,
    /// Peak memory of decoding, in bytes.
    pub(crate) memory: u64,
    /// Whether the frames were stored without loss.
    pub(crate) lossless: bool,
    /// Notes for the user about the file, as whole sentences.
    pub(crate) notes: Vec<String>,
    pub(crate) frames: Frames<'a>,
}

impl<'a> Animation<'a> {
    /// An animation of `count` frames of 8-bit RGBA of this size.
    pub(crate) fn new(
        job: &'a Job<'a>,
        (width, height): (u32, u32),
        plays: Option<u32>,
        count: u32,
        frames: Frames<'a>,
    ) -> Self {
        let layout = Layout {
            width,
            height,
            channels: Channels::Rgba,
            depth: Depth::Eight,
        };
        Self {
            layout,
            icc: None,
            plays,
            count,
            // This covers the canvas, the frame on it, a copy, and the buffers of the decoder, which may have 16 bits a
            // sample.
            memory: job.input_len + 7 * layout.bytes(),
            lossless: true,
            notes: Vec::new(),
            frames: Box::new(Checked {
                job,
                decoded: frames,
                layout,
                left: count,
            }),
        }
    }

    /// Rejects animations with more pixels than can be converted in reasonable time.
    pub(crate) fn check(&self) -> Result<()> {
        let pixels = self.layout.pixels().saturating_mul(self.count.into());
        if pixels > MAX_PIXELS {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the animation has {} frames of {} × {} pixels; the limit is {MAX_PIXELS} pixels in all",
                    self.count, self.layout.width, self.layout.height
                ),
            ));
        }
        Ok(())
    }
}

/// The frames of a decoder that may deliver fewer frames than its header states.
struct Checked<'a> {
    job: &'a Job<'a>,
    decoded: Frames<'a>,
    layout: Layout,
    /// Number of frames that must follow.
    left: u32,
}

impl Iterator for Checked<'_> {
    type Item = Result<(Frame, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(stopped) = self.job.check() {
            return Some(Err(stopped));
        }
        let Some(frame) = self.decoded.next() else {
            let missing = std::mem::take(&mut self.left);
            let text = format!("{missing} of its frames are missing");
            return (missing > 0).then(|| Err(self.job.unreadable(text)));
        };
        self.left = self.left.saturating_sub(1);
        Some(frame.and_then(|(frame, delay)| {
            if frame.layout != self.layout {
                let text = "the size of a frame differs from that of the canvas";
                return Err(self.job.unreadable(text));
            }
            Ok((frame, delay))
        }))
    }
}

/// A rectangle of the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Area {
    /// The whole canvas.
    pub(crate) fn whole(layout: Layout) -> Self {
        Self {
            left: 0,
            top: 0,
            width: layout.width,
            height: layout.height,
        }
    }

    /// The smallest rectangle around this rectangle with an even left and top edge, as WebP requires.
    #[cfg(any(test, feature = "libwebp"))]
    #[must_use]
    pub(crate) fn even(self) -> Self {
        let (left, top) = (self.left & !1, self.top & !1);
        Self {
            left,
            top,
            width: self.width + self.left - left,
            height: self.height + self.top - top,
        }
    }

    /// Copies this rectangle out of a frame.
    pub(crate) fn cut(self, frame: &Frame) -> Frame {
        let step = frame.layout.pixel_bytes();
        let (from, len) = (self.left as usize * step, self.width as usize * step);
        let pixels = (self.top..self.top + self.height)
            .flat_map(|y| &frame.row(y)[from..from + len])
            .copied()
            .collect();
        Frame::from_pixels(frame.layout.sized(self.width, self.height), pixels)
    }
}

/// The smallest rectangle that contains all differences between two RGBA frames of the same size; one pixel if they are
/// equal.
pub(crate) fn changed(before: &Frame, after: &Frame) -> Area {
    let layout = after.layout;
    let differs = |y: &u32| before.row(*y) != after.row(*y);
    let one = Area {
        left: 0,
        top: 0,
        width: 1,
        height: 1,
    };
    let Some(top) = (0..layout.height).find(differs) else {
        return one;
    };
    let bottom = (top..layout.height).rfind(differs).unwrap_or(top);
    let (mut left, mut right) = (layout.width as usize, 0);
    for y in top..=bottom {
        let (before, _) = before.row(y).as_chunks::<4>();
        let (after, _) = after.row(y).as_chunks::<4>();
        let mut pairs = before.iter().zip(after);
        if let Some(first) = pairs.clone().position(|(a, b)| a != b) {
            left = left.min(first);
        }
        if let Some(last) = pairs.rposition(|(a, b)| a != b) {
            right = right.max(last);
        }
    }
    Area {
        left: left as u32,
        top,
        width: (right - left) as u32 + 1,
        height: bottom - top + 1,
    }
}

/// Returns whether a pixel that is visible in the first frame is transparent in the second. A pixel counts as visible
/// if its alpha is at least 128.
pub(crate) fn clears(before: &Frame, after: &Frame) -> bool {
    let (before, _) = before.pixels.as_chunks::<4>();
    let (after, _) = after.pixels.as_chunks::<4>();
    before
        .iter()
        .zip(after)
        .any(|(before, after)| before[3] >= 128 && after[3] < 128)
}

/// Merges equal consecutive frames into one with a longer delay. Calls `see` with each merged frame, its total delay,
/// and the different frame that follows, which is `None` at the end.
pub(crate) fn each_change(
    frames: Frames<'_>,
    mut see: impl FnMut(&Frame, Duration, Option<&Frame>) -> Result<()>,
) -> Result<()> {
    let mut current: Option<(Frame, Duration)> = None;
    for frame in frames {
        let (frame, delay) = frame?;
        match &mut current {
            Some((shown, total)) if shown.pixels == frame.pixels => *total += delay,
            Some((shown, total)) => {
                see(shown, *total, Some(&frame))?;
                current = Some((frame, delay));
            }
            None => current = Some((frame, delay)),
        }
    }
    if let Some((frame, delay)) = mem::take(&mut current) {
        see(&frame, delay, None)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Channels, Depth};

    #[test]
    fn changes_are_found_exactly() {
        let layout = Layout {
            width: 10,
            height: 8,
            channels: Channels::Rgba,
            depth: Depth::Eight,
        };
        let before = Frame::new(layout);
        let mut after = before.clone();
        for (x, y) in [(3, 2), (7, 5), (5, 3)] {
            after.pixels[(y * 10 + x) * 4] = 9;
        }
        let area = changed(&before, &after);
        let expected = Area {
            left: 3,
            top: 2,
            width: 5,
            height: 4,
        };
        assert_eq!(area, expected);
        assert_eq!((area.even().left, area.even().width), (2, 6));
        assert_eq!(area.cut(&after).pixels[0], 9);
        assert!(!clears(&before, &after));
    }
}
