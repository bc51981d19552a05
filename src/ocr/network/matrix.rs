//! The weights of a node, and their products with a vector of activations. The sums are integers, so that every machine and every
//! width of its vectors gives the same.
//!
//! In the file: a mode, numbers of rows and columns, a byte that nobody reads, the weights row by row as 8-bit integers, the
//! number of scales, and a 64-bit float for each. The last column is the bias, whose activation is always 1. Weights are kept in 16
//! bits here: compilers turn a plain loop over those into the processor's instruction for products of pairs (pmaddwd).

use crate::model::{fields::Fields, unusable};
use convertd_media::error::Result;

/// The most rows and columns.
const MOST: usize = 65_535;
/// The greatest scale; those of real models are below 1.
const MOST_SCALE: f64 = 1e9;
/// Rows are padded with zeros to a multiple of so many columns.
const PAD: usize = 16;

/// The weights of one or more layers that have the same input.
pub(crate) struct Matrix {
    /// Rows of weights, each padded.
    weights: Vec<i16>,
    /// Length of a row with its padding.
    stride: usize,
    /// Number of weights in a row, without the bias.
    inputs: usize,
    /// For each row, its bias as a sum.
    bias: Vec<i32>,
    /// For each row, the value that one unit of the sum stands for.
    scales: Vec<f32>,
}

impl Matrix {
    /// A matrix without rows.
    pub(crate) fn empty(inputs: usize) -> Self {
        Self {
            weights: Vec::new(),
            stride: inputs.next_multiple_of(PAD),
            inputs,
            bias: Vec::new(),
            scales: Vec::new(),
        }
    }

    /// Parses a matrix of `rows` rows, and adds them below those that are there.
    pub(crate) fn append(&mut self, fields: &mut Fields<'_>, rows: usize) -> Result<()> {
        const INTEGERS: u8 = 1;
        const ADAM: u8 = 4;
        const WIDE_SCALES: u8 = 0x80;
        match fields.u8()? & !ADAM {
            mode if mode == INTEGERS | WIDE_SCALES => {}
            mode if mode & INTEGERS == 0 => {
                return Err(unusable(
                    "its weights are floats, as in tessdata_best; those with integers can be read (tessdata_fast, which \
                     distributions have)",
                ));
            }
            _ => {
                return Err(unusable(
                    "its weights are in the format of an early version",
                ));
            }
        }
        let found = fields.count("the number of rows of a matrix", MOST)?;
        let columns = fields.count("the number of columns of a matrix", MOST)?;
        if (found, columns) != (rows, self.inputs + 1) {
            let text = format!(
                "a matrix has {found} rows and {columns} columns, but its node needs {rows} and {}",
                self.inputs + 1
            );
            return Err(unusable(text));
        }
        fields.i8()?;
        for row in fields.bytes(rows * columns)?.chunks_exact(columns) {
            let from = self.weights.len();
            self.weights.extend(
                row[..self.inputs]
                    .iter()
                    .map(|w| i16::from(w.cast_signed())),
            );
            self.weights.resize(from + self.stride, 0);
            self.bias
                .push(i32::from(row[self.inputs].cast_signed()) * 127);
        }
        // What trains networks pads the scales to the width of its vectors.
        let scales = fields.count("the number of scales of a matrix", MOST + 1)?;
        for row in 0..scales {
            let scale = fields.f64()?;
            if row < rows {
                if scale.is_nan() || scale.abs() > MOST_SCALE {
                    return Err(unusable("a scale of its weights is no number"));
                }
                self.scales.push((scale / 127.0) as f32);
            }
        }
        if scales < rows {
            return Err(unusable("a matrix has fewer scales than rows"));
        }
        Ok(())
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.bias.len()
    }

    /// Length of the vector that [`multiply`](Self::multiply) takes: the inputs, and zeros behind them.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Value of each row: its weights times the vector, and the bias.
    #[inline(always)]
    pub(crate) fn multiply(&self, vector: &[i16], values: &mut [f32]) {
        let rows = self.weights.chunks_exact(self.stride);
        let ends = self.bias.iter().zip(&self.scales);
        for ((value, row), (bias, scale)) in values.iter_mut().zip(rows).zip(ends) {
            let sum: i32 = row
                .iter()
                .zip(&vector[..self.stride])
                .map(|(w, x)| i32::from(*w) * i32::from(*x))
                .sum();
            *value = (sum + bias) as f32 * scale;
        }
    }
}
