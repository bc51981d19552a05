//! The weights of a node, and their products with a vector of activations. The sums are integers, so the results are
//! the same on every machine, with any width of vector instructions.
//!
//! In the file: a mode, the numbers of rows and columns, an unused byte, the weights row by row as 8-bit integers, the
//! number of scales, and each scale as a 64-bit float. The last column is the bias, whose activation is always 1.
//!
//! Nearly all time is spent on these products. With AVX2, weights stay in 8 bits, in blocks of four columns by eight
//! rows ([`blocks`]). That is 1.6 times as fast as the plain loop over 16-bit weights for other processors, which the
//! compiler turns into multiplications of pairs (pmaddwd).

#[cfg(target_arch = "x86_64")]
mod blocks;

use crate::traineddata::{fields::Fields, unusable};
#[cfg(target_arch = "x86_64")]
use blocks::Blocks;
use convertd_core::error::Result;

/// Largest number of rows, and of columns.
const MAX: usize = 65_535;
/// Limit on a scale. The scales of real models are below 1.
const MAX_SCALE: f64 = 1e9;
/// Rows in 16 bits are padded with zeros to a multiple of this number of columns.
const PAD: usize = 16;

/// The weights of one or more layers that have the same input.
pub(crate) struct Matrix {
    weights: Weights,
    /// Number of weights in a row, without the bias.
    inputs: usize,
    /// The bias of each row, in units of the sums: 127 times the weight in the file.
    bias: Vec<i32>,
    /// Value of one unit of the sum, for each row.
    scales: Vec<f32>,
}

enum Weights {
    /// Rows in 16 bits, each padded.
    Rows(Vec<i16>),
    #[cfg(target_arch = "x86_64")]
    Blocks(Blocks),
}

/// A vector that a matrix is multiplied with.
pub(crate) struct Vector {
    /// The activations, followed by zeros.
    values: Vec<i8>,
    /// Buffer for the same activations in 16 bits.
    wide: Vec<i16>,
    /// Buffer for the sums.
    sums: Vec<i32>,
}

impl Matrix {
    /// Parses this many consecutive matrices of `rows` rows each, stacked into a single one.
    pub(crate) fn parse(
        fields: &mut Fields<'_>,
        count: usize,
        rows: usize,
        inputs: usize,
    ) -> Result<Self> {
        let mut parts = Parts::default();
        for _ in 0..count {
            parts.append(fields, rows, inputs)?;
        }
        Ok(Self {
            weights: Weights::of(&parts.weights, inputs),
            inputs,
            bias: parts.bias,
            scales: parts.scales,
        })
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.bias.len()
    }

    /// A vector of zeros for this matrix.
    pub(crate) fn vector(&self) -> Vector {
        Vector {
            values: vec![0; self.inputs.next_multiple_of(PAD)],
            wide: vec![0; self.inputs.next_multiple_of(PAD)],
            sums: vec![0; self.rows().next_multiple_of(32)],
        }
    }

    /// Writes the value of each row to `values`: the product of its weights and the vector, plus its bias, times its
    /// scale.
    pub(crate) fn multiply(&self, vector: &mut Vector, values: &mut [f32]) {
        match &self.weights {
            #[cfg(target_arch = "x86_64")]
            Weights::Blocks(blocks) => blocks.multiply(&vector.values, &mut vector.sums),
            Weights::Rows(weights) => {
                for (to, from) in vector.wide.iter_mut().zip(&vector.values) {
                    *to = i16::from(*from);
                }
                for (sum, row) in vector
                    .sums
                    .iter_mut()
                    .zip(weights.chunks_exact(vector.wide.len()))
                {
                    let products = row.iter().zip(&vector.wide);
                    *sum = products.map(|(w, x)| i32::from(*w) * i32::from(*x)).sum();
                }
            }
        }
        let ends = self.bias.iter().zip(&self.scales);
        for ((value, sum), (bias, scale)) in values.iter_mut().zip(&vector.sums).zip(ends) {
            *value = (sum + bias) as f32 * scale;
        }
    }
}

impl Vector {
    /// The activations from the index `from` on, to be changed.
    pub(crate) fn from(&mut self, from: usize) -> &mut [i8] {
        &mut self.values[from..]
    }
}

impl Weights {
    fn of(weights: &[i8], inputs: usize) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(blocks) = Blocks::of(weights, inputs) {
            return Self::Blocks(blocks);
        }
        Self::rows(weights, inputs)
    }

    fn rows(weights: &[i8], inputs: usize) -> Self {
        let mut rows = Vec::new();
        for row in weights.chunks_exact(inputs) {
            let from = rows.len();
            rows.extend(row.iter().map(|weight| i16::from(*weight)));
            rows.resize(from + inputs.next_multiple_of(PAD), 0);
        }
        Self::Rows(rows)
    }
}

/// The content of matrices in the form of the file.
#[derive(Default)]
struct Parts {
    weights: Vec<i8>,
    bias: Vec<i32>,
    scales: Vec<f32>,
}

impl Parts {
    /// Reads a matrix of integer weights with a scale for each row. Other matrices are refused.
    fn append(&mut self, fields: &mut Fields<'_>, rows: usize, inputs: usize) -> Result<()> {
        const INTEGERS: u8 = 1;
        const ADAM: u8 = 4;
        const WIDE_SCALES: u8 = 0x80;
        match fields.u8()? & !ADAM {
            mode if mode == INTEGERS | WIDE_SCALES => {}
            mode if mode & INTEGERS == 0 => {
                return Err(unusable(
                    "its weights are floats, as in tessdata_best; only integers are supported, as in tessdata_fast and in the packages of distributions",
                ));
            }
            _ => {
                return Err(unusable(
                    "its weights are in the format of an early version",
                ));
            }
        }
        let found = fields.count("the number of rows of a matrix", MAX)?;
        let columns = fields.count("the number of columns of a matrix", MAX)?;
        if (found, columns) != (rows, inputs + 1) {
            let text = format!(
                "a matrix has {found} rows and {columns} columns, but its layer needs {rows} and {}",
                inputs + 1
            );
            return Err(unusable(text));
        }
        fields.i8()?;
        for row in fields.bytes(rows * columns)?.chunks_exact(columns) {
            let (bias, weights) = row.split_last().unwrap_or((&0, &[]));
            let weights = weights.iter().map(|weight| weight.cast_signed());
            self.weights.extend(weights);
            self.bias.push(i32::from(bias.cast_signed()) * 127);
        }
        // With AVX2 the sign of an activation is applied to the weight instead, and −128 has no opposite.
        if self.weights.contains(&i8::MIN) {
            return Err(unusable("a weight is −128; the lowest valid one is −127"));
        }
        // Tesseract's training pads the scales to the width of its vectors, so scales beyond the last row are skipped.
        let scales = fields.count("the number of scales of a matrix", MAX + 1)?;
        if scales < rows {
            return Err(unusable("a matrix has fewer scales than rows"));
        }
        for row in 0..scales {
            let scale = fields.f64()?;
            if row < rows {
                if scale.is_nan() || scale.abs() > MAX_SCALE {
                    return Err(unusable("a scale of its weights is not a number"));
                }
                self.scales.push((scale / 127.0) as f32);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_layouts_of_weights_give_the_same_sums() {
        for (rows, inputs) in [(1, 1), (16, 9), (33, 64), (111, 192), (768, 288)] {
            let mut state = 1u32;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((state >> 16) % 255) as i32 as i8 as i32
            };
            let weights: Vec<i8> = (0..rows * inputs).map(|_| next().max(-127) as i8).collect();
            let matrix = |weights| Matrix {
                weights,
                inputs,
                bias: vec![5; rows],
                scales: vec![1.0; rows],
            };
            let mut values = Vec::new();
            let activations: Vec<i8> = (0..inputs).map(|_| next().max(-127) as i8).collect();
            for layout in [
                Weights::of(&weights, inputs),
                Weights::rows(&weights, inputs),
            ] {
                let matrix = matrix(layout);
                let mut vector = matrix.vector();
                vector.from(0)[..inputs].copy_from_slice(&activations);
                let mut result = vec![0.0; rows];
                matrix.multiply(&mut vector, &mut result);
                values.push(result);
            }
            assert_eq!(values[0], values[1], "{rows} rows of {inputs}");
            let first: i32 = weights[..inputs]
                .iter()
                .zip(&activations)
                .map(|(w, x)| i32::from(*w) * i32::from(*x))
                .sum();
            assert_eq!(values[0][0], (first + 5) as f32);
        }
    }
}
