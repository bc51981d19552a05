//! Nodes that make a plane smaller by combining the positions of a rectangle: into the greatest of their activations
//! ([`Pooling::max`]), or into all of them one after another ([`Pooling::stack`]). Incomplete rectangles at the right
//! and at the bottom are left out.

use super::Plane;
use crate::traineddata::{fields::Fields, unusable};
use convertd_core::error::Result;

/// The size of the rectangle.
#[derive(Clone, Copy)]
pub(crate) struct Pooling {
    pub(crate) x: usize,
    pub(crate) y: usize,
}

impl Pooling {
    /// Parses the node, after the fields that all nodes have.
    pub(crate) fn parse(fields: &mut Fields<'_>) -> Result<Self> {
        const MAX: usize = 64;
        let x = fields.count("the width of a pooling", MAX)?;
        let y = fields.count("the height of a pooling", MAX)?;
        if x == 0 || y == 0 {
            return Err(unusable("a pooling layer has no size"));
        }
        Ok(Self { x, y })
    }

    /// Takes the maximum of each activation over the rectangle.
    pub(crate) fn max(self, input: &Plane) -> Plane {
        let mut output = Plane::new(input.width / self.x, input.height / self.y, input.depth);
        output.data.fill(i8::MIN);
        self.each(input, &mut output, |to, _, from| {
            for (to, from) in to.iter_mut().zip(from) {
                *to = (*to).max(*from);
            }
        });
        output
    }

    /// Concatenates the activations of all positions of a rectangle: columns from the left, and each from the top.
    pub(crate) fn stack(self, input: &Plane) -> Plane {
        let depth = input.depth * self.x * self.y;
        let mut output = Plane::new(input.width / self.x, input.height / self.y, depth);
        self.each(input, &mut output, |to, index, from| {
            to[index * from.len()..][..from.len()].copy_from_slice(from);
        });
        output
    }

    /// Calls `work` with each position of the output, the number of a position within its rectangle, and that position.
    fn each(self, input: &Plane, output: &mut Plane, work: impl Fn(&mut [i8], usize, &[i8])) {
        for y in 0..output.height {
            for x in 0..output.width {
                for dx in 0..self.x {
                    for dy in 0..self.y {
                        let from = input.at(x * self.x + dx, y * self.y + dy);
                        work(output.at_mut(x, y), dx * self.y + dy, from);
                    }
                }
            }
        }
    }
}
