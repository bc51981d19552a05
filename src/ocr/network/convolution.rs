//! A convolution: replaces the activations at each position of a plane by the activations of all positions around it,
//! one after another. A convolution has no weights; these are in the node after it.

use super::{Border, Plane};
use crate::traineddata::{fields::Fields, unusable};
use convertd_core::error::Result;

/// A convolution's reach, to each side.
pub(crate) struct Convolution {
    half_x: usize,
    half_y: usize,
}

/// Limit on the reach of a convolution. The convolutions of all known networks have a reach of 1.
const MAX_REACH: usize = 16;

impl Convolution {
    /// Parses a convolution for planes of this depth, after the fields that all nodes have. Also returns the depth of
    /// its output.
    pub(crate) fn parse(fields: &mut Fields<'_>, depth: usize) -> Result<(Self, usize)> {
        /// Largest depth of a convolution's output.
        const MAX_DEPTH: usize = 4096;
        let half_x = fields.count("the size of a convolution", MAX_REACH)?;
        let half_y = fields.count("the size of a convolution", MAX_REACH)?;
        let depth = depth * (2 * half_x + 1) * (2 * half_y + 1);
        if depth > MAX_DEPTH {
            return Err(unusable("a convolution is too large"));
        }
        Ok((Self { half_x, half_y }, depth))
    }

    /// Stacks the surroundings of each position.
    pub(crate) fn run(&self, input: &Plane, depth: usize, border: &mut Border) -> Plane {
        let mut output = Plane::new(input.width, input.height, depth);
        for y in 0..input.height {
            for x in 0..input.width {
                self.surroundings(input, x, y, border, output.at_mut(x, y));
            }
        }
        output
    }

    /// Writes the surroundings of a position: columns from the left, and each from the top.
    #[inline]
    pub(crate) fn surroundings(
        &self,
        input: &Plane,
        x: usize,
        y: usize,
        border: &mut Border,
        to: &mut [i8],
    ) {
        let mut positions = to.chunks_exact_mut(input.depth);
        for dx in 0..=2 * self.half_x {
            for dy in 0..=2 * self.half_y {
                // Coordinates left of or above the plane wrap around to large numbers, so they fail the check below.
                let x = (x + dx).wrapping_sub(self.half_x);
                let y = (y + dy).wrapping_sub(self.half_y);
                let Some(activations) = positions.next() else {
                    return;
                };
                if x < input.width && y < input.height {
                    activations.copy_from_slice(input.at(x, y));
                } else {
                    activations.fill_with(|| border.next());
                }
            }
        }
    }
}
