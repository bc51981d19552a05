//! Composes pictures over one another, for an overlay image. Decodes no picture.

use crate::pixels::{
    Depth,
    rows::{Frame, check_row},
};
use convertd_core::{error::Result, job::Job};

/// Composes a picture over a canvas at (`x`, `y`), which may be partly outside. The picture and the canvas have alpha.
pub(super) fn lay_over(
    job: &Job<'_>,
    canvas: &mut Frame,
    layer: &Frame,
    (x, y): (i32, i32),
) -> Result<()> {
    let (onto, from) = (canvas.layout, layer.layout);
    // The visible part in one direction: its position on the canvas, its position in the layer, and its length.
    let visible = |position: i32, len: u32, side: u32| {
        let start = i64::from(position).clamp(0, side.into());
        let end = (i64::from(position) + i64::from(len)).clamp(start, side.into());
        (
            start as usize,
            (start - i64::from(position)) as usize,
            (end - start) as usize,
        )
    };
    let (left, from_left, width) = visible(x, from.width, onto.width);
    let (top, from_top, height) = visible(y, from.height, onto.height);
    let pixel = onto.pixel_bytes();
    for line in 0..height {
        check_row(job, line as u32)?;
        let source = &layer.row((from_top + line) as u32)[from_left * pixel..][..width * pixel];
        let at = (top + line) * onto.row_bytes() + left * pixel;
        let target = &mut canvas.pixels[at..][..width * pixel];
        for (below, above) in target
            .chunks_exact_mut(pixel)
            .zip(source.chunks_exact(pixel))
        {
            match onto.depth {
                Depth::Eight => over(
                    below,
                    above,
                    |[byte]: [u8; 1]| byte.into(),
                    255.0,
                    |sample| [sample as u8],
                ),
                _ => over(
                    below,
                    above,
                    |sample| u16::from_ne_bytes(sample).into(),
                    65_535.0,
                    |sample| (sample as u16).to_ne_bytes(),
                ),
            }
        }
    }
    Ok(())
}

/// Composes a pixel over another. The samples are not multiplied by alpha, so the result is divided by its own alpha.
fn over<const N: usize>(
    below: &mut [u8],
    above: &[u8],
    read: impl Fn([u8; N]) -> f32,
    most: f32,
    write: impl Fn(f32) -> [u8; N],
) {
    let (below, above) = (below.as_chunks_mut::<N>().0, above.as_chunks::<N>().0);
    let (Some(alpha), Some(under)) = (above.last(), below.last()) else {
        return;
    };
    let alpha = read(*alpha) / most;
    if alpha == 1.0 {
        return below.copy_from_slice(above);
    }
    let under = read(*under) / most * (1.0 - alpha);
    let both = alpha + under;
    if both == 0.0 {
        return;
    }
    let count = below.len() - 1;
    for (below, above) in below.iter_mut().zip(above).take(count) {
        let sum = read(*above) * alpha + read(*below) * under;
        *below = write(sum / both + 0.5);
    }
    below[count] = write(both * most + 0.5);
}
