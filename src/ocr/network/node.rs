//! A node of a network, and how planes go through a list of them.

use super::{
    Border, Plane, convolution::Convolution, functions, lstm::Lstm, matrix::Matrix,
    pooling::Pooling, vectorised,
};
use convertd_media::{error::Result, job::Job};

/// What turns a plane into another.
pub(crate) enum Node {
    /// Surroundings, and how deep planes are that come out.
    Convolution(Convolution, usize),
    /// The greatest of each rectangle.
    Max(Pooling),
    /// All of each rectangle.
    Stack(Pooling),
    /// A value for each row of the weights, at every place by itself, through a function.
    Full(Matrix, Function),
    /// Long short-term memory.
    Lstm(Box<Lstm>, usize),
    /// Nodes that see the plane turned.
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

/// The way in which a plane is turned, and turned back afterwards.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    /// Left and right are exchanged.
    Mirrored,
    /// Top and bottom are exchanged.
    Flipped,
    /// Rows become columns.
    Transposed,
}

/// Measures of a plane.
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
    /// Measures of what the node makes of a plane of this size.
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
    for node in nodes {
        plane = node.run(job, plane, border)?;
    }
    Ok(plane)
}

/// Measures of what comes out of all nodes.
pub(crate) fn sizes(nodes: &[Node], input: Size) -> Size {
    nodes.iter().fold(input, |size, node| node.size(size))
}

/// Memory in bytes that the planes of all nodes take at most at the same time. Changes `size` to that of the last.
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

/// Applies the weights at each place.
fn full(job: &Job<'_>, matrix: &Matrix, function: Function, input: &Plane) -> Result<Plane> {
    let tables = functions::tables();
    let mut output = Plane::new(input.width, input.height, matrix.rows());
    let mut vector = vec![0; matrix.stride()];
    let mut values = vec![0.0; matrix.rows()];
    for y in 0..input.height {
        job.check()?;
        for x in 0..input.width {
            for (to, from) in vector.iter_mut().zip(input.at(x, y)) {
                *to = i16::from(*from);
            }
            vectorised(|| matrix.multiply(&vector, &mut values));
            for (to, value) in output.at_mut(x, y).iter_mut().zip(&values) {
                *to = functions::quantised(match function {
                    Function::Tanh => tables.tanh(*value),
                    Function::Logistic => tables.logistic(*value),
                    Function::Relu => value.max(0.0),
                    Function::Linear => *value,
                });
            }
        }
    }
    Ok(output)
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
