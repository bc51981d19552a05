//! Prepares the picture of a line for a network: scales it to the network's height, and turns it into activations.

pub(crate) mod scale;

use crate::network::{Plane, functions};
use scale::Picture;

/// The picture of a line: one line of text with a margin, cut out of a page.
///
/// A margin of an eighth of the line's height at the sides and of a fifth above and below is best; without a margin, or
/// with one as high as the line, three to eight more of a hundred characters are read wrongly.
#[derive(Clone, Copy)]
pub struct LineImage<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// `width × height` samples, row by row; 0 is black.
    pub grey: &'a [u8],
}

/// Turns a picture into activations. The grey level halfway between ink and paper becomes 0.
pub(crate) fn activations(picture: &Picture) -> Plane {
    let (black, white) = levels(picture);
    let contrast = match (white - black) / 2.0 {
        contrast if contrast > 0.0 => contrast,
        _ => 1.0,
    };
    let table: Vec<i8> = (0..=255u8)
        .map(|level| {
            let value = (f32::from(level) - black) / contrast - 1.0;
            // The factor is 128 here, while activations of all other nodes use 127.
            functions::round(128.0 * value).clamp(-127, 127) as i8
        })
        .collect();
    Plane {
        width: picture.width,
        height: picture.height,
        depth: 1,
        data: picture
            .grey
            .iter()
            .map(|level| table[usize::from(*level)])
            .collect(),
    }
}

/// Grey levels of a line's ink and paper, from its middle row: the lower quartile of the local minima, and the upper
/// quartile of the local maxima.
fn levels(picture: &Picture) -> (f32, f32) {
    let mut dark = [0; 256];
    let mut light = [0; 256];
    let middle = picture.height / 2 * picture.width;
    for window in picture.grey[middle..middle + picture.width].windows(3) {
        let &[before, level, after] = window else {
            continue;
        };
        let bucket = usize::from(level);
        if (level < before && level <= after) || (level <= before && level < after) {
            dark[bucket] += 1;
        }
        if (level > before && level >= after) || (level >= before && level > after) {
            light[bucket] += 1;
        }
    }
    // If the row has no minimum, the lowest level counts as one; if it has no maximum, the highest level does.
    if dark.iter().all(|count| *count == 0) {
        dark[0] = 1;
    }
    if light.iter().all(|count| *count == 0) {
        light[255] = 1;
    }
    (quantile(&dark, 0.25), quantile(&light, 0.75))
}

/// Quantile of a histogram, interpolated within its bucket.
fn quantile(histogram: &[u32; 256], part: f32) -> f32 {
    let total: u32 = histogram.iter().sum();
    let target = f64::from(part) * f64::from(total);
    let target = target.clamp(1.0, f64::from(total));
    let mut sum = 0.0;
    for (level, count) in histogram.iter().enumerate() {
        sum += f64::from(*count);
        if sum >= target {
            return if *count > 0 {
                (level as f64 + 1.0 - (sum - target) / f64::from(*count)) as f32
            } else {
                level as f32 + 1.0
            };
        }
    }
    256.0
}
