//! The network of a model. It turns the picture of a line into probabilities: at each step along the line, one for
//! every output.
//!
//! A network is a list of nodes; each turns one plane of activations into another ([`node`]). [`parse()`] reads it from
//! the file, and checks that the output of each node fits the input of the next one. All activations are 8-bit integers
//! from −127 to 127, which represent −1 to 1, and sums of products are integers, so results are the same on all
//! machines. They are also the same as those of Tesseract 5, whose arithmetic this code reproduces.
//!
//! Outside of the picture, the first node gets zeros, the mean of black and white. Tesseract gives it random numbers
//! there. Lines are read equally well without them, so only tests that compare with Tesseract use them.

mod border;
mod convolution;
pub(crate) mod functions;
mod lstm;
mod matrix;
mod node;
mod parse;
mod pooling;

pub(crate) use border::Border;
pub(crate) use parse::parse;

use convertd_core::{error::Result, job::Job};
use matrix::Matrix;
use node::Node;

/// A network that was loaded.
pub(crate) struct Network {
    nodes: Vec<Node>,
    /// The last node, with a value for each output. Probabilities are computed from these.
    outputs: Matrix,
    /// Height of the pictures that the network takes, in pixels.
    pub(crate) height: usize,
    /// Width of a step, in pixels of the picture.
    pub(crate) step: usize,
    /// Number of the output that means "no character".
    pub(crate) null: usize,
    /// Number of rounds that the network was trained for, with which Tesseract seeds its random numbers.
    #[cfg_attr(not(test), expect(dead_code))]
    pub(crate) rounds: i32,
}

/// Activations of a picture, or of the output of a node: `depth` values at each position.
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    /// The activations row by row. Those of one position are adjacent.
    pub(crate) data: Vec<i8>,
}

/// Probabilities of all outputs at each step.
#[derive(Default)]
pub(crate) struct Steps {
    outputs: usize,
    probabilities: Vec<f32>,
}

impl Plane {
    /// A plane of zeros.
    pub(crate) fn new(width: usize, height: usize, depth: usize) -> Self {
        Self {
            width,
            height,
            depth,
            data: vec![0; width * height * depth],
        }
    }

    /// The activations of a position.
    #[inline(always)]
    pub(crate) fn at(&self, x: usize, y: usize) -> &[i8] {
        let from = (y * self.width + x) * self.depth;
        &self.data[from..from + self.depth]
    }

    /// The activations of a position, to be changed.
    #[inline(always)]
    pub(crate) fn at_mut(&mut self, x: usize, y: usize) -> &mut [i8] {
        let from = (y * self.width + x) * self.depth;
        &mut self.data[from..from + self.depth]
    }
}

impl Steps {
    /// Probabilities at each step.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.probabilities.chunks_exact(self.outputs.max(1))
    }

    /// Number of steps.
    pub(crate) fn len(&self) -> usize {
        self.iter().len()
    }
}

impl Network {
    /// Number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs.rows()
    }

    /// Memory in bytes that reading a picture of this width takes.
    pub(crate) fn memory(&self, width: usize) -> u64 {
        let mut size = node::Size {
            width,
            height: self.height,
            depth: 1,
        };
        let planes = node::memory(&self.nodes, &mut size);
        planes + (size.width * self.outputs() * size_of::<f32>()) as u64
    }

    /// Reads a picture, which has the network's height.
    pub(crate) fn run(
        &self,
        job: &Job<'_>,
        picture: Plane,
        border: &mut Border,
        steps: &mut Steps,
    ) -> Result<()> {
        let last = node::run(&self.nodes, job, picture, border)?;
        steps.outputs = self.outputs();
        steps.probabilities.clear();
        steps.probabilities.resize(last.width * self.outputs(), 0.0);
        let mut vector = self.outputs.vector();
        for (x, values) in steps
            .probabilities
            .chunks_exact_mut(self.outputs())
            .enumerate()
        {
            vector.from(0)[..last.depth].copy_from_slice(last.at(x, 0));
            self.outputs.multiply(&mut vector, values);
            functions::softmax(values);
        }
        job.check()
    }
}
