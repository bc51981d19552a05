//! Takes the most likely output at each step. This is nearly as good as a search among several outputs: 0.85 % of
//! characters are wrong, and 0.81 % with the search. Equal outputs in a row count as one; if a character occurs twice,
//! null outputs separate the two.

use super::{Found, OFFSET};
use crate::{
    network::{Steps, functions},
    traineddata::recoder::Recoder,
};

/// An output that was the most likely one at one or more steps in a row.
struct Run {
    output: usize,
    from: usize,
    to: usize,
    certainty: f32,
}

/// Finds the characters of a line.
pub(crate) fn greedy(steps: &Steps, null: usize, recoder: &Recoder) -> Vec<Found> {
    let mut runs: Vec<Run> = Vec::new();
    // The least certainty of the null outputs since the last run. It also limits the certainty of the next run.
    let mut between = 0.0f32;
    let mut last = null;
    for (step, probabilities) in steps.iter().enumerate() {
        let (output, probability) = most_likely(probabilities);
        let certainty = functions::certainty(probability) + OFFSET;
        if output == null {
            between = between.min(certainty);
        } else if let Some(run) = runs
            .last_mut()
            .filter(|run| run.output == output && last == output)
        {
            run.to = step + 1;
            run.certainty = run.certainty.min(certainty);
        } else {
            runs.push(Run {
                output,
                from: step,
                to: step + 1,
                certainty: certainty.min(between),
            });
            between = 0.0;
        }
        last = output;
    }
    let mut found = Vec::new();
    let mut rest = &runs[..];
    while !rest.is_empty() {
        let code = recoder.longest(rest.iter().map(|run| run.output));
        // If no character begins with the next output, that output is skipped.
        let (taken, after) = rest.split_at(code.map_or(1, |(len, _)| len));
        rest = after;
        if let (Some((_, id)), Some(first), Some(last)) = (code, taken.first(), taken.last()) {
            found.push(Found {
                id,
                from: first.from,
                to: last.to,
                certainty: taken
                    .iter()
                    .fold(0.0, |least, run| least.min(run.certainty)),
            });
        }
    }
    found
}

/// The most likely output and its probability; the first of several that are equally likely.
pub(crate) fn most_likely(probabilities: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    for (output, probability) in probabilities.iter().enumerate() {
        if *probability > best.1 {
            best = (output, *probability);
        }
    }
    best
}
