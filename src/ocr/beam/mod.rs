//! From probabilities to characters.

mod greedy;

pub(crate) use greedy::{greedy, most_likely};

/// A character that was found between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// Its number in the unicharset.
    pub(crate) id: usize,
    /// The first step on which it is.
    pub(crate) from: usize,
    /// The step after the last.
    pub(crate) to: usize,
    /// Natural logarithm of its probability.
    pub(crate) certainty: f32,
}
