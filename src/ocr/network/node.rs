//! A node of a network, and the computation of a list of nodes.

use super::{
    Border, Plane, convolution::Convolution, functions, lstm::Lstm, matrix::Matrix,
    pooling::Pooling,
};
use convertd_core::{error::Result, job::Job};

/// A layer, which turns a plane into another.
pub(crate) enum Node {
    /// A convolution, and the depth of its output.
    Convolution(Convolution, usize),
    /// The greatest activations of each rectangle.
    Max(Pooling),
    /// All activations of each rectangle.
    Stack(Pooling),
    /// A fully connected layer: at each position, a value for each row of the weights, passed through a function.
    Full(Matrix, Function),
    /// Long short-term memory, and the depth of its output.
    Lstm(Box<Lstm>, usize),
    /// Nodes that work on a mirrored, flipped or transposed plane.
    Turned(Turn, Vec<Node>),
}

/// The function that a value goes through.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    Tanh,
    Logistic,
    Relu,
    Linear,
}

/// Turn of a plane before the inner nodes, which is undone after them.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    /// Left and right are exchanged.
    Mirrored,
    /// Top and bottom are exchanged.
    Flipped,
    /// Rows become columns.
    Transposed,
}

/// Dimensions of a plane.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

impl Size {
    fn bytes(self) -> u64 {
        (self.width as u64)
            .saturating_mul(self.height as u64)
            .saturating_mul(self.depth as u64)
    }

    fn transposed(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
            ..self
        }
    }
}

impl Node {
    /// The dimensions of the node's output for an input of this size.
    fn size(&self, input: Size) -> Size {
        match self {
            Self::Convolution(_, depth) => Size {
                depth: *depth,
                ..input
            },
            Self::Max(by) => Size {
                width: input.width / by.x,
                height: input.height / by.y,
                ..input
            },
            Self::Stack(by) => Size {
                width: input.width / by.x,
                height: input.height / by.y,
                depth: input.depth * by.x * by.y,
            },
            Self::Full(matrix, _) => Size {
                depth: matrix.rows(),
                ..input
            },
            Self::Lstm(lstm, states) => Size {
                width: lstm.width(input.width),
                depth: *states,
                ..input
            },
            Self::Turned(Turn::Transposed, nodes) => sizes(nodes, input.transposed()).transposed(),
            Self::Turned(_, nodes) => sizes(nodes, input),
        }
    }

    fn run(&self, job: &Job<'_>, input: Plane, border: &mut Border) -> Result<Plane> {
        job.check()?;
        Ok(match self {
            Self::Convolution(convolution, depth) => convolution.run(&input, *depth, border),
            Self::Max(by) => by.max(&input),
            Self::Stack(by) => by.stack(&input),
            Self::Full(matrix, function) => full(job, matrix, *function, &input)?,
            Self::Lstm(lstm, _) => lstm.run(job, &input)?,
            Self::Turned(turn, nodes) => {
                let turned = turn.apply(&input);
                drop(input);
                turn.apply(&run(nodes, job, turned, border)?)
            }
        })
    }
}

/// Sends a plane through all nodes.
pub(crate) fn run(
    nodes: &[Node],
    job: &Job<'_>,
    mut plane: Plane,
    border: &mut Border,
) -> Result<Plane> {
    let mut rest = nodes;
    while let Some((node, following)) = rest.split_first() {
        (plane, rest) = match rest {
            [
                Node::Convolution(convolution, _),
                Node::Full(matrix, function),
                Node::Max(by),
                following @ ..,
            ] if matches!(border, Border::Zero) => {
                let stem = stem(job, convolution, (matrix, *function), *by, &plane)?;
                (stem, following)
            }
            _ => (node.run(job, plane, border)?, following),
        };
    }
    Ok(plane)
}

/// The dimensions of the last node's output.
pub(crate) fn sizes(nodes: &[Node], input: Size) -> Size {
    nodes.iter().fold(input, |size, node| node.size(size))
}

/// Memory in bytes that the planes of all nodes take at most at the same time. Changes `size` to the size of the last
/// plane.
pub(crate) fn memory(nodes: &[Node], size: &mut Size) -> u64 {
    let mut most = 0;
    for node in nodes {
        let before = size.bytes();
        let after = node.size(*size);
        let within = match node {
            Node::Turned(turn, nodes) => {
                let mut turned = match turn {
                    Turn::Transposed => size.transposed(),
                    Turn::Mirrored | Turn::Flipped => *size,
                };
                memory(nodes, &mut turned)
            }
            _ => 0,
        };
        most = within.max(before.saturating_add(after.bytes())).max(most);
        *size = after;
    }
    most
}

/// Applies the weights at each position.
fn full(job: &Job<'_>, matrix: &Matrix, function: Function, input: &Plane) -> Result<Plane> {
    let mut output = Plane::new(input.width, input.height, matrix.rows());
    let mut vector = matrix.vector();
    let mut values = vec![0.0; matrix.rows()];
    for y in 0..input.height {
        job.check()?;
        for x in 0..input.width {
            vector.from(0)[..input.depth].copy_from_slice(input.at(x, y));
            matrix.multiply(&mut vector, &mut values);
            function.apply(&values, output.at_mut(x, y));
        }
    }
    Ok(output)
}

/// Computes a convolution, the fully connected layer after it and the pooling after that layer in one pass, with a
/// border of zeros: the planes in between would be thirty times as large as the result. The function is monotonic, so
/// it is applied only once, to the greatest value.
fn stem(
    job: &Job<'_>,
    convolution: &Convolution,
    (matrix, function): (&Matrix, Function),
    by: Pooling,
    input: &Plane,
) -> Result<Plane> {
    let mut output = Plane::new(input.width / by.x, input.height / by.y, matrix.rows());
    let mut vector = matrix.vector();
    let mut values = vec![0.0; matrix.rows()];
    let mut greatest = vec![0.0; matrix.rows()];
    for y in 0..output.height {
        job.check()?;
        for x in 0..output.width {
            greatest.fill(f32::NEG_INFINITY);
            for y in y * by.y..(y + 1) * by.y {
                for x in x * by.x..(x + 1) * by.x {
                    convolution.surroundings(input, x, y, &mut Border::Zero, vector.from(0));
                    matrix.multiply(&mut vector, &mut values);
                    for (most, value) in greatest.iter_mut().zip(&values) {
                        *most = f32::max(*most, *value);
                    }
                }
            }
            function.apply(&greatest, output.at_mut(x, y));
        }
    }
    Ok(output)
}

impl Function {
    /// Applies the function to all values.
    fn apply(self, values: &[f32], activations: &mut [i8]) {
        let tables = functions::tables();
        for (to, value) in activations.iter_mut().zip(values) {
            *to = functions::quantised(match self {
                Self::Tanh => tables.tanh(*value),
                Self::Logistic => tables.logistic(*value),
                Self::Relu => value.max(0.0),
                Self::Linear => *value,
            });
        }
    }
}

impl Turn {
    fn apply(self, input: &Plane) -> Plane {
        let (width, height) = (input.width, input.height);
        let mut output = match self {
            Self::Transposed => Plane::new(height, width, input.depth),
            Self::Mirrored | Self::Flipped => Plane::new(width, height, input.depth),
        };
        for y in 0..height {
            for x in 0..width {
                let (to_x, to_y) = match self {
                    Self::Mirrored => (width - 1 - x, y),
                    Self::Flipped => (x, height - 1 - y),
                    Self::Transposed => (y, x),
                };
                output.at_mut(to_x, to_y).copy_from_slice(input.at(x, y));
            }
        }
        output
    }
}
