//! Searches for the most likely characters of a line, preferring words of the dictionary. Follows Tesseract's
//! `RecodeBeamSearch` exactly, so that the texts are the same.
//!
//! At each step it keeps the best few paths ([`Node`]s) of several kinds: with or without the dictionary, at the first
//! or a later output of a character, and by the continuation that they allow ([`Follow`]). Paths are extended by the
//! likeliest outputs first, and by the others only if no path is left. Certainties of outputs that are read without the
//! dictionary are multiplied by 2.25; outputs that are read with it must have a certainty above −25/7. After a space,
//! and after a character of a script without spaces, a path without the dictionary also continues as a new path with
//! it, so a path can start or stop using the dictionary at every word.

mod step;

use super::{
    Found,
    dictionary::{Permuter, Positions, Set},
};
use crate::{
    network::Steps,
    traineddata::{
        recoder::Recoder,
        unicharset::{SPACE, Unicharset},
    },
};
use convertd_core::{
    error::Result,
    job::{Job, Lease},
};
use step::Step;

/// Number of outputs that are ranked at a step: the best two, and three that are tried if those continue no path.
const TOP: usize = 5;
/// Number of different lengths of an incomplete character, from 0 to 9 outputs.
const LENGTHS: usize = 10;
/// Number of steps between two updates of the memory lease.
const CHECKED: usize = 32;

/// Continuation that a path allows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    Anything,
    /// Only the same output: the path has already counted the probability of the null output at the next step.
    OnlySame,
    /// All but the same output.
    NotSame,
}

const FOLLOWS: [Follow; 3] = [Follow::Anything, Follow::OnlySame, Follow::NotSame];

/// Rank of an output at a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// The best two, and the null output.
    Top2,
    /// The next three.
    TopN,
    Rest,
}

/// A path, by its last step.
#[derive(Clone, Copy)]
struct Node {
    output: u16,
    /// Whether the node repeats the output of the step before, for the same character.
    same: bool,
    permuter: Permuter,
    /// Whether a word of the dictionary may begin after this node.
    starts: bool,
    /// Whether a word of the dictionary may end with this character.
    ends: bool,
    /// The character that the node completes. `None` if it completes none.
    id: Option<u32>,
    certainty: f32,
    /// Sum of the certainties of all nodes of the path.
    score: f32,
    /// The node at the step before.
    before: Option<u32>,
    /// The last earlier node that completed a character and is not a repeated output.
    last: Option<u32>,
    /// Positions in the dictionary.
    positions: Option<Set>,
    /// Hash of the outputs so far, without repetitions and null outputs. Two paths with the same hash count as the same
    /// text.
    hash: u64,
    /// Node of the recoder for the outputs so far of the character that is not complete.
    prefix: u32,
}

/// The paths of each kind at a step.
type Beams = [Vec<Node>; 6 * LENGTHS];

/// Index in [`Beams`] of the paths that have read `len` outputs of the current character.
fn kind(dictionary: bool, follow: Follow, len: usize) -> usize {
    (usize::from(dictionary) * 3 + follow as usize) * LENGTHS + len
}

/// Parts of the model that a search needs.
pub(crate) struct Search<'a, 'm> {
    pub(crate) recoder: &'m Recoder,
    pub(crate) unicharset: &'m Unicharset,
    pub(crate) positions: Positions<'m>,
    pub(crate) null: usize,
    pub(crate) outputs: usize,
    pub(crate) lease: Lease<'a>,
}

impl Search<'_, '_> {
    /// Finds the characters of a line.
    pub(crate) fn run(mut self, job: &Job<'_>, steps: &Steps) -> Result<Vec<Found>> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut beams: Beams = std::array::from_fn(|_| Vec::new());
        // Start index of the nodes of each kind at the previous step; the last entry is the end.
        let mut ranges = [0; 6 * LENGTHS + 1];
        let mut ranks = vec![Rank::Rest; self.outputs];
        for (time, probabilities) in steps.iter().enumerate() {
            if time % CHECKED == 0 {
                job.check()?;
                let bytes = nodes.len() * 2 * size_of::<Node>() + self.positions.len() * 256;
                self.lease.set(bytes as u64)?;
            }
            let best = rank(probabilities, self.null, &mut ranks);
            beams.iter_mut().for_each(Vec::clear);
            let mut step = Step {
                search: &mut self,
                probabilities,
                ranks: &ranks,
                best,
                beams: &mut beams,
                starts: [None; 3],
            };
            if time == 0 {
                for dictionary in [false, true] {
                    step.extend(None, dictionary, Rank::Top2);
                }
            } else {
                for rank in [Rank::Top2, Rank::TopN, Rank::Rest] {
                    step.extend_all(&nodes, &ranges, rank);
                    if step.has_any() {
                        break;
                    }
                }
                step.push_starts();
            }
            for (index, beam) in beams.iter().enumerate() {
                ranges[index] = nodes.len();
                nodes.extend_from_slice(beam);
            }
            ranges[6 * LENGTHS] = nodes.len();
        }
        Ok(best(&nodes, &ranges)
            .map(|last| self.characters(&nodes, last))
            .unwrap_or_default())
    }

    /// The characters along a path.
    fn characters(&self, nodes: &[Node], last: u32) -> Vec<Found> {
        let mut path = Vec::new();
        let mut next = Some(last);
        while let Some(index) = next {
            path.push(nodes[index as usize]);
            next = nodes[index as usize].before;
        }
        path.reverse();
        let mut found: Vec<Found> = Vec::new();
        let mut at = 0;
        while at < path.len() {
            let mut least = 0.0f32;
            // The step of the first output, for a character that consists of several.
            let mut from = None;
            while at < path.len() && path[at].id.is_none() {
                if usize::from(path[at].output) != self.null {
                    from = from.or(Some(at));
                }
                least = least.min(path[at].certainty);
                at += 1;
            }
            let Some(Some(id)) = path.get(at).map(|node| node.id) else {
                if let Some(last) = found.last_mut() {
                    last.certainty = last.certainty.min(least);
                }
                break;
            };
            let bare = id as usize == SPACE && path[at].permuter == Permuter::None;
            if id as usize == SPACE
                && !bare
                && let Some(last) = found.last_mut()
            {
                last.certainty = last.certainty.min(least);
                least = 0.0;
            }
            let first = from.unwrap_or(at);
            loop {
                let certainty = path[at].certainty;
                // At a space with which a path begins to use the dictionary, the minimum starts again, because the
                // certainties before the space were multiplied by `RATIO`.
                if certainty < least || bare {
                    least = certainty;
                }
                at += 1;
                if !path.get(at).is_some_and(|node| node.same) {
                    break;
                }
            }
            found.push(Found {
                id: id as usize,
                from: first,
                to: at,
                certainty: least,
            });
        }
        found
    }
}

/// Ranks the outputs of a step, and gives the best two.
fn rank(probabilities: &[f32], null: usize, ranks: &mut [Rank]) -> [usize; 2] {
    let mut top = [(f32::NEG_INFINITY, usize::MAX); TOP];
    for (output, probability) in probabilities.iter().enumerate() {
        if *probability > top[TOP - 1].0 {
            let mut at = TOP - 1;
            while at > 0 && top[at - 1].0 < *probability {
                top[at] = top[at - 1];
                at -= 1;
            }
            top[at] = (*probability, output);
        }
    }
    ranks.fill(Rank::Rest);
    for (nth, (_, output)) in top.iter().enumerate() {
        if let Some(rank) = ranks.get_mut(*output) {
            *rank = if nth < 2 { Rank::Top2 } else { Rank::TopN };
        }
    }
    ranks[null] = Rank::Top2;
    [top[0].1, top[1].1]
}

/// Finds the best of the paths that may end at the end of the line.
fn best(nodes: &[Node], ranges: &[usize]) -> Option<u32> {
    let mut best: Option<(u32, f32)> = None;
    for follow in [Follow::Anything, Follow::NotSame] {
        for dictionary in [false, true] {
            let kind = kind(dictionary, follow, 0);
            for index in ranges[kind]..ranges[kind + 1] {
                let node = &nodes[index];
                if dictionary {
                    let last = last_of(nodes, index as u32).map(|last| &nodes[last as usize]);
                    if !last.is_some_and(|last| last.ends || last.id == Some(SPACE as u32)) {
                        continue;
                    }
                }
                if best.is_none_or(|(_, score)| node.score > score) {
                    best = Some((index as u32, node.score));
                }
            }
        }
    }
    best.map(|(index, _)| index)
}

/// The last node of a path, including `index` itself, that completes a character and is not a repeated output.
fn last_of(nodes: &[Node], index: u32) -> Option<u32> {
    let node = &nodes[index as usize];
    if node.id.is_some() && !node.same {
        Some(index)
    } else {
        node.last
    }
}
