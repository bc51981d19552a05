//! Reads a network from its part of a model file, and refuses one whose nodes do not fit together.
//!
//! A node begins with the byte 0 and the name of its type. The following fields are whether it is in training, whether
//! it propagates errors, flags, the depths of its input and output, the number of its weights, its own name, and the
//! fields of its type. Nodes of the types Series, RTLReversed, TTBReversed and XYTranspose contain other nodes. After
//! the outermost node, the file has the network's specification as a text, and data of its training.

use super::{
    Network,
    convolution::Convolution,
    lstm::Lstm,
    matrix::Matrix,
    node::{self, Function, Node, Size, Turn},
    pooling::Pooling,
};
use crate::traineddata::{fields::Fields, unusable};
use convertd_core::error::{Error, Result};

/// The largest number of nodes in a network. Known networks have 14 nodes.
const MAX_NODES: usize = 100;
/// The largest level of a nested node; the outermost node has level 0. Known networks have three levels.
const MAX_NESTING: usize = 16;
/// The greatest height in pixels of the pictures that a network takes.
const HIGHEST: usize = 256;
/// Width in pixels of a picture for which the sizes of all planes are computed, to find the width of a step. It is so
/// large that the rounding of pooling does not change the result.
const TRIED_WIDTH: usize = 1 << 20;

/// Reads a network.
pub(crate) fn parse(bytes: &[u8]) -> Result<Network> {
    let mut parser = Parser {
        fields: Fields::new(bytes),
        nodes: Vec::new(),
        count: 0,
        depth: 1,
        height: 0,
        outputs: None,
    };
    let nodes = parser.list(0)?;
    let Parser {
        mut fields,
        height,
        outputs,
        ..
    } = parser;
    let outputs = outputs.ok_or_else(|| unusable("its network has no outputs"))?;
    if height == 0 {
        return Err(unusable("its network has no input"));
    }
    // Skips the specification, and two numbers that only training needs.
    fields.string()?;
    fields.i32()?;
    fields.i32()?;
    let rounds = fields.i32()?;
    let null = fields.count("the number of the blank output", outputs.rows() - 1)?;
    let last = node::sizes(
        &nodes,
        Size {
            width: TRIED_WIDTH,
            height,
            depth: 1,
        },
    );
    if last.height != 1 || last.width < 2 {
        return Err(unusable("its network does not reduce a picture to a line"));
    }
    Ok(Network {
        nodes,
        outputs,
        height,
        step: TRIED_WIDTH / last.width,
        null,
        rounds,
    })
}

struct Parser<'a> {
    fields: Fields<'a>,
    /// The list that is being read.
    nodes: Vec<Node>,
    /// Number of nodes so far.
    count: usize,
    /// Depth of the plane that the next node takes.
    depth: usize,
    /// Height of the input; 0 until it is read.
    height: usize,
    /// The weights of the output layer, the last node; `None` until it is read.
    outputs: Option<Matrix>,
}

impl Parser<'_> {
    /// Reads a node and returns it as a list: a series becomes the list of its nodes.
    fn list(&mut self, level: usize) -> Result<Vec<Node>> {
        let outer = std::mem::take(&mut self.nodes);
        self.node(level)?;
        Ok(std::mem::replace(&mut self.nodes, outer))
    }

    /// Parses a node and the nodes within it. Their number and nesting are limited, because files may be hostile.
    fn node(&mut self, level: usize) -> Result<()> {
        const TRAINING: i8 = 1;
        const RATES: i32 = 64;
        self.count += 1;
        if self.count > MAX_NODES || level > MAX_NESTING {
            let text = format!(
                "its network has more than {MAX_NODES} layers, or more than {MAX_NESTING} levels of them"
            );
            return Err(unusable(text));
        }
        if self.fields.i8()? != 0 {
            return Err(unusable(
                "its network is in the format of an early version, or damaged",
            ));
        }
        let name = self.fields.string()?;
        if self.fields.i8()? == TRAINING {
            return Err(unusable("its network is still in training"));
        }
        self.fields.i8()?;
        let flags = self.fields.i32()?;
        let inputs = self
            .fields
            .count("the inputs of a layer", usize::from(u16::MAX))?;
        let outputs = self
            .fields
            .count("the outputs of a layer", usize::from(u16::MAX))?;
        self.fields.i32()?;
        self.fields.string()?;
        let is_input = name == b"Input";
        if is_input != (self.height == 0) && !matches!(name, b"Series") {
            return Err(unusable("its network does not begin with its input"));
        }
        if self.outputs.is_some() {
            return Err(unusable("its network continues after its outputs"));
        }
        if !is_input && self.height != 0 && inputs != self.depth {
            return Err(unusable(format!(
                "a layer takes {inputs} values, but the one before it gives {}",
                self.depth
            )));
        }
        let pushed = match name {
            b"Input" => return self.input(),
            b"Series" => {
                let children = self.fields.u32()?;
                for _ in 0..children {
                    self.node(level + 1)?;
                }
                if flags & RATES != 0 {
                    self.rates()?;
                }
                return Ok(());
            }
            b"RTLReversed" => self.turned(Turn::Mirrored, flags & RATES != 0, level)?,
            b"TTBReversed" => self.turned(Turn::Flipped, flags & RATES != 0, level)?,
            b"XYTranspose" => self.turned(Turn::Transposed, flags & RATES != 0, level)?,
            b"Convolve" => {
                let (convolution, depth) = Convolution::parse(&mut self.fields, self.depth)?;
                self.depth = depth;
                Node::Convolution(convolution, depth)
            }
            b"Maxpool" => Node::Max(Pooling::parse(&mut self.fields)?),
            b"Reconfig" => {
                let by = Pooling::parse(&mut self.fields)?;
                self.depth = Some(self.depth * by.x * by.y)
                    .filter(|depth| *depth <= usize::from(u16::MAX))
                    .ok_or_else(|| unusable("a rectangle of a layer is too large"))?;
                Node::Stack(by)
            }
            b"Tanh" => Node::Full(self.matrix(outputs)?, Function::Tanh),
            b"Logistic" => Node::Full(self.matrix(outputs)?, Function::Logistic),
            b"Relu" => Node::Full(self.matrix(outputs)?, Function::Relu),
            b"Linear" => Node::Full(self.matrix(outputs)?, Function::Linear),
            b"Softmax" | b"SoftmaxNoCTC" => {
                self.outputs = Some(self.matrix(outputs)?);
                return Ok(());
            }
            b"LSTM" | b"SummLSTM" => {
                let inputs = std::mem::replace(&mut self.depth, outputs);
                if outputs == 0 {
                    return Err(nothing());
                }
                let lstm = Lstm::parse(&mut self.fields, inputs, outputs, name == b"SummLSTM")?;
                Node::Lstm(Box::new(lstm), outputs)
            }
            other => {
                let text = format!(
                    "its network has a layer of the unknown type {}",
                    convertd_core::error::quoted(&String::from_utf8_lossy(other))
                );
                return Err(unusable(text));
            }
        };
        self.nodes.push(pushed);
        Ok(())
    }

    /// Reads the fields of the input.
    fn input(&mut self) -> Result<()> {
        self.fields.i32()?;
        self.height = self.fields.count("the height of its lines", HIGHEST)?;
        self.fields.i32()?;
        let depth = self.fields.i32()?;
        self.fields.i32()?;
        if self.height < 3 || depth != 1 {
            return Err(unusable(
                "the input of its network is not a line of grey pixels",
            ));
        }
        Ok(())
    }

    /// Reads the node inside a node that turns planes.
    fn turned(&mut self, turn: Turn, rates: bool, level: usize) -> Result<Node> {
        let children = self.fields.u32()?;
        if children != 1 {
            return Err(unusable(
                "a layer that reverses its input contains several layers, or none",
            ));
        }
        let nodes = self.list(level + 1)?;
        if self.outputs.is_some() {
            return Err(unusable("its network reverses its outputs"));
        }
        if rates {
            self.rates()?;
        }
        Ok(Node::Turned(turn, nodes))
    }

    /// Skips the learning rates of nodes.
    fn rates(&mut self) -> Result<()> {
        let count = self.fields.count("the number of rates", MAX_NODES)?;
        self.fields.bytes(count * size_of::<f32>())?;
        Ok(())
    }

    fn matrix(&mut self, rows: usize) -> Result<Matrix> {
        if rows == 0 {
            return Err(nothing());
        }
        let matrix = Matrix::parse(&mut self.fields, 1, rows, self.depth)?;
        self.depth = rows;
        Ok(matrix)
    }
}

fn nothing() -> Error {
    unusable("a layer has no outputs")
}
