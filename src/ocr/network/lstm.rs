//! A layer of long short-term memory (Hochreiter and Schmidhuber 1997, with forget gates). It moves along a row of a
//! plane. Its output at each step depends on the input of the step, on its output at the previous step, and on a state.
//! Output and state are reset for each row.

use super::{Plane, functions, matrix::Matrix};
use crate::traineddata::{fields::Fields, unusable};
use convertd_core::{error::Result, job::Job};

/// Limit on the magnitude of the state.
const MAX_STATE: f32 = 100.0;
/// Number of steps between two checks for cancellation.
const CHECKED: usize = 64;

/// An LSTM layer.
pub(crate) struct Lstm {
    /// Rows for the cell's input, the input gate, the forget gate and the output gate, one after another.
    gates: Matrix,
    inputs: usize,
    states: usize,
    /// Whether only the output of a row's last step is kept.
    last_only: bool,
}

impl Lstm {
    /// Parses the layer, after the fields that all nodes have.
    pub(crate) fn parse(
        fields: &mut Fields<'_>,
        inputs: usize,
        states: usize,
        last_only: bool,
    ) -> Result<Self> {
        let both = fields.count("the inputs of an LSTM layer", usize::from(u16::MAX))?;
        if both != inputs + states {
            return Err(unusable("an LSTM layer runs in two directions at once"));
        }
        Ok(Self {
            gates: Matrix::parse(fields, 4, states, both)?,
            inputs,
            states,
            last_only,
        })
    }

    /// Width of the output for an input of this width.
    pub(crate) fn width(&self, width: usize) -> usize {
        if self.last_only { width.min(1) } else { width }
    }

    /// Runs the layer along all rows.
    pub(crate) fn run(&self, job: &Job<'_>, input: &Plane) -> Result<Plane> {
        let mut output = Plane::new(self.width(input.width), input.height, self.states);
        let mut vector = self.gates.vector();
        let mut values = vec![0.0; self.gates.rows()];
        let mut state = vec![0.0; self.states];
        let mut done = 0;
        for y in 0..input.height {
            vector.from(self.inputs).fill(0);
            state.fill(0.0);
            for x in 0..input.width {
                if done % CHECKED == 0 {
                    job.check()?;
                }
                done += 1;
                vector.from(0)[..self.inputs].copy_from_slice(input.at(x, y));
                self.gates.multiply(&mut vector, &mut values);
                let outputs = &mut vector.from(self.inputs)[..self.states];
                step(&values, &mut state, outputs);
                if !self.last_only || x + 1 == input.width {
                    let to = output.at_mut(if self.last_only { 0 } else { x }, y);
                    to.copy_from_slice(outputs);
                }
            }
        }
        Ok(output)
    }
}

/// Computes a step: the new state and the outputs from the values of the gates.
fn step(values: &[f32], state: &mut [f32], outputs: &mut [i8]) {
    let tables = functions::tables();
    let (cell, rest) = values.split_at(state.len());
    let (input, rest) = rest.split_at(state.len());
    let (forget, output) = rest.split_at(state.len());
    for (index, state) in state.iter_mut().enumerate() {
        let old = tables.logistic(forget[index]) * *state;
        let new = tables.tanh(cell[index]) * tables.logistic(input[index]);
        *state = (old + new).clamp(-MAX_STATE, MAX_STATE);
        let value = tables.tanh(*state) * tables.logistic(output[index]);
        outputs[index] = functions::quantised(value);
    }
}
