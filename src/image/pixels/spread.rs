//! Replaces the colours of fully transparent pixels by those of the nearest visible pixels. A lossy encoder mixes
//! neighbouring pixels, so hidden colours would otherwise be visible as a rim. Visible pixels stay the same.

use super::rows::Frame;

/// The largest distance in pixels from a visible pixel at which hidden colours are replaced.
const REACH: u8 = 254;

/// Spreads the visible colours over the fully transparent pixels, in two passes of a distance transform: forwards and
/// backwards.
pub(crate) fn spread(frame: &mut Frame) {
    let layout = frame.layout;
    if !layout.channels.has_alpha() {
        return;
    }
    let (size, width) = (layout.pixel_bytes(), layout.width as usize);
    let colour = size - size / layout.channels.count();
    let pixels = frame.pixels.chunks_exact(size);
    let mut distances: Vec<u8> = pixels
        .map(
            |pixel| match pixel[colour..].iter().all(|byte| *byte == 0) {
                true => u8::MAX,
                false => 0,
            },
        )
        .collect();
    if !distances.contains(&0) || !distances.contains(&u8::MAX) {
        return;
    }
    // Copies the colour of a neighbour if the neighbour is nearer to a visible pixel.
    let mut take = |distances: &mut [u8], at: usize, from: usize| {
        let distance = distances[from].saturating_add(1);
        if distances[from] < REACH && distance < distances[at] {
            distances[at] = distance;
            frame
                .pixels
                .copy_within(from * size..from * size + colour, at * size);
        }
    };
    for at in 0..distances.len() {
        if at % width > 0 {
            take(&mut distances, at, at - 1);
        }
        if at >= width {
            take(&mut distances, at, at - width);
        }
    }
    for at in (0..distances.len()).rev() {
        if at % width + 1 < width {
            take(&mut distances, at, at + 1);
        }
        if at + width < distances.len() {
            take(&mut distances, at, at + width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Channels, Depth, Layout};

    #[test]
    fn hidden_pixels_take_the_colour_of_the_nearest_visible_one() {
        let layout = Layout {
            width: 3,
            height: 2,
            channels: Channels::GreyAlpha,
            depth: Depth::Eight,
        };
        let pixels = vec![9, 0, 50, 255, 9, 0, 9, 0, 9, 0, 70, 1];
        let mut frame = Frame::from_pixels(layout, pixels);
        spread(&mut frame);
        assert_eq!(frame.pixels, [50, 0, 50, 255, 50, 0, 50, 0, 50, 0, 70, 1]);
    }
}
