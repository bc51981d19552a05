//! Compares a restored JPEG with the coefficients that it was made from. Decodes no samples.

use super::coefficients::Picture;
use crate::formats::jpeg::decode::Quantised;

/// Returns whether a JPEG file has the size of a picture and all its coefficients.
pub(super) fn is_of(file: &[u8], picture: &Picture) -> bool {
    let Some(found) = Quantised::read(file) else {
        return false;
    };
    (found.width, found.height) == (picture.width.into(), picture.height.into())
        && found.components() == picture.components.len()
        && picture.components.iter().enumerate().all(|(at, plane)| {
            let (across, down) = picture.blocks_alone(plane);
            (0..down).all(|y| {
                (0..across).all(|x| {
                    let block = plane.blocks.get(y * plane.across + x);
                    block.is_some_and(|block| found.block(at, x, y) == Some(&block[..]))
                })
            })
        })
}
