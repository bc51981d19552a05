//! Decodes the network's probabilities to characters: by [`greedy`](mod@greedy) choice of the likeliest output, or by a
//! [`search`] that prefers words of a [`dictionary`].

pub(crate) mod dictionary;
mod greedy;
mod search;

pub(crate) use greedy::{greedy, most_likely};
pub(crate) use search::Search;

/// Offset added to the certainties of a network, so that they equal Tesseract's.
const OFFSET: f32 = -0.085;

/// A character that was found between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// Number of the character in the unicharset.
    pub(crate) id: usize,
    /// The first step at which the character occurs.
    pub(crate) from: usize,
    /// The step after the last one at which the character occurs.
    pub(crate) to: usize,
    /// Certainty, at most 0: the natural logarithm of the character's lowest probability, plus [`OFFSET`]. [`Search`]
    /// multiplies it by 2.25 for characters that it reads without the dictionary.
    pub(crate) certainty: f32,
}
