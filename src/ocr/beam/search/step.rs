//! A step of the search: extends the paths of the step before by the outputs of a rank, and keeps the best of each kind.
//! Chooses no result.

use super::super::{
    OFFSET,
    dictionary::{Permuter, Set},
};
use super::{Beams, FOLLOWS, Follow, LENGTHS, Node, Rank, Search, kind, last_of};
use crate::{
    network::functions::{LEAST_CERTAINTY, certainty},
    traineddata::unicharset::SPACE,
};

/// Factor for the certainties of outputs that are read without the dictionary. Certainties are negative, so the factor
/// gives an advantage to paths with the dictionary.
const RATIO: f32 = 2.25;
/// Certainty that an output must exceed to be read with the dictionary.
const MIN_CERTAINTY: f32 = -25.0 / 7.0;

/// Largest number of paths of a kind that are kept, by the number of outputs already read of the current character.
const WIDTHS: [usize; LENGTHS] = [5, 10, 16, 16, 16, 16, 16, 16, 16, 16];

/// The state of a search at a step.
pub(super) struct Step<'s, 'a, 'm> {
    pub(super) search: &'s mut Search<'a, 'm>,
    pub(super) probabilities: &'s [f32],
    pub(super) ranks: &'s [Rank],
    /// The best two outputs.
    pub(super) best: [usize; 2],
    pub(super) beams: &'s mut Beams,
    /// The best node after which a word may begin, for each [`Follow`].
    pub(super) starts: [Option<Node>; 3],
}

/// A node that is about to be added.
#[derive(Clone, Copy)]
struct New {
    output: usize,
    id: Option<u32>,
    certainty: f32,
    permuter: Permuter,
    same: bool,
    starts: bool,
    ends: bool,
    positions: Option<Set>,
    prefix: u32,
}

/// The predecessor of a node, with its index.
#[derive(Clone, Copy)]
pub(super) struct Before {
    node: Node,
    index: u32,
    follow: Follow,
    dictionary: bool,
    len: usize,
}

impl Step<'_, '_, '_> {
    pub(super) fn has_any(&self) -> bool {
        [false, true].iter().any(|dictionary| {
            let first = kind(*dictionary, Follow::Anything, 0);
            self.beams[first..first + LENGTHS]
                .iter()
                .any(|beam| !beam.is_empty())
        })
    }

    /// Extends all paths of the step before by the outputs of a rank.
    pub(super) fn extend_all(&mut self, nodes: &[Node], ranges: &[usize], rank: Rank) {
        for dictionary in [false, true] {
            for follow in FOLLOWS {
                for len in 0..LENGTHS {
                    let kind = kind(dictionary, follow, len);
                    for index in (ranges[kind]..ranges[kind + 1]).rev() {
                        let node = Node {
                            last: last_of(nodes, index as u32),
                            ..nodes[index]
                        };
                        let before = Before {
                            node,
                            index: index as u32,
                            follow,
                            dictionary,
                            len,
                        };
                        let last = node.last.map(|last| nodes[last as usize]);
                        self.extend(Some((before, last)), dictionary, rank);
                    }
                }
            }
        }
    }

    /// Certainty of one or more outputs together.
    pub(super) fn certainty(&self, outputs: &[usize]) -> f32 {
        let sum = outputs
            .iter()
            .map(|output| self.probabilities[*output])
            .sum();
        certainty(sum) + OFFSET
    }

    /// Extends a path, or begins one, by all outputs of a rank. `before` also holds the last node that completed a
    /// character.
    pub(super) fn extend(
        &mut self,
        before: Option<(Before, Option<Node>)>,
        dictionary: bool,
        rank: Rank,
    ) {
        let null = self.search.null;
        let (prefix, len) = before.map_or((0, 0), |(before, _)| (before.node.prefix, before.len));
        if let Some((before, _)) = before {
            self.repeat(before, rank);
            if before.follow == Follow::OnlySame {
                return;
            }
        }
        let previous = before.map(|(before, _)| usize::from(before.node.output));
        let recoder = self.search.recoder;
        for (output, id) in recoder.finals(prefix) {
            let output = usize::from(*output);
            if self.ranks[output] != rank || previous == Some(output) {
                continue;
            }
            let certainty = self.certainty(&[output]);
            if certainty < LEAST_CERTAINTY && output != null {
                continue;
            }
            let id = (len > 0 || output != null).then_some(*id);
            let new = New {
                output,
                id,
                certainty,
                ..New::NONE
            };
            self.complete(before, dictionary, Follow::Anything, new);
            if rank == Rank::Top2 && output != null {
                let certainty = self.alone(before.map(|(before, _)| before), output);
                self.complete(
                    before,
                    dictionary,
                    Follow::OnlySame,
                    New { certainty, ..new },
                );
            }
        }
        for (output, longer) in recoder.children(prefix) {
            let output = usize::from(*output);
            if self.ranks[output] != rank || previous == Some(output) {
                continue;
            }
            let before = before.map(|(before, _)| before);
            let mut new = New {
                output,
                id: None,
                certainty: self.certainty(&[output]),
                prefix: *longer,
                ..New::NONE
            };
            self.push_part(before, dictionary, Follow::Anything, len + 1, new);
            if rank == Rank::Top2 && output != null {
                new.certainty = self.alone(before, output);
                self.push_part(before, dictionary, Follow::OnlySame, len + 1, new);
            }
        }
    }

    /// Extends a path by the same output, or by the null output within a character.
    fn repeat(&mut self, before: Before, rank: Rank) {
        let null = self.search.null;
        let output = usize::from(before.node.output);
        let mut new = New {
            output,
            id: before.node.id,
            same: true,
            prefix: before.node.prefix,
            ..New::NONE
        };
        if self.ranks[output] == rank {
            if before.follow != Follow::NotSame {
                new.certainty = self.certainty(&[output]);
                self.push_part(
                    Some(before),
                    before.dictionary,
                    Follow::Anything,
                    before.len,
                    new,
                );
            }
            if before.follow == Follow::Anything && rank == Rank::Top2 && output != null {
                new.certainty = self.certainty(&[output, null]);
                self.push_part(
                    Some(before),
                    before.dictionary,
                    Follow::NotSame,
                    before.len,
                    new,
                );
            }
        }
        if before.follow != Follow::OnlySame
            && output != null
            && before.len > 0
            && self.ranks[null] == rank
        {
            let new = New {
                output: null,
                certainty: self.certainty(&[null]),
                prefix: before.node.prefix,
                ..New::NONE
            };
            self.push_part(
                Some(before),
                before.dictionary,
                Follow::Anything,
                before.len,
                new,
            );
        }
    }

    /// The certainty of an output that occurs at this step alone: the sum of its probability and that of the null
    /// output. If the previous output and this one are the best two of the step, the previous one is not the null
    /// output, and its path allows any continuation, the probability of the previous output is added, too.
    fn alone(&self, before: Option<Before>, output: usize) -> f32 {
        let null = self.search.null;
        if let Some(before) = before {
            let previous = usize::from(before.node.output);
            let best = [previous, output] == self.best || [output, previous] == self.best;
            if before.follow == Follow::Anything && previous != null && best {
                return self.certainty(&[output, null, previous]);
            }
        }
        self.certainty(&[output, null])
    }

    /// Pushes a node that completes no further character, unless its certainty is too low.
    fn push_part(
        &mut self,
        before: Option<Before>,
        dictionary: bool,
        follow: Follow,
        len: usize,
        mut new: New,
    ) {
        if dictionary {
            new.permuter = before.map_or(Permuter::None, |before| before.node.permuter);
            if new.certainty > MIN_CERTAINTY {
                self.push(before, kind(true, follow, len), new);
            }
        } else {
            new.permuter = before.map_or(Permuter::TopChoice, |before| before.node.permuter);
            new.certainty *= RATIO;
            if new.certainty >= LEAST_CERTAINTY || new.output == self.search.null {
                self.push(before, kind(false, follow, len), new);
            }
        }
    }

    /// Pushes a node that completes a character, or a null output.
    fn complete(
        &mut self,
        before: Option<(Before, Option<Node>)>,
        dictionary: bool,
        follow: Follow,
        new: New,
    ) {
        if dictionary {
            if new.certainty > MIN_CERTAINTY {
                self.within_word(before, follow, new);
            }
            return;
        }
        let before = before.map(|(before, _)| before);
        let plain = New {
            permuter: Permuter::TopChoice,
            certainty: new.certainty * RATIO,
            ..new
        };
        self.push(before, kind(false, follow, 0), plain);
        let is_space = new.id == Some(SPACE as u32);
        let unspaced = (new.id).is_some_and(|id| !self.search.unicharset.is_spaced(id as usize));
        if is_space && new.certainty > MIN_CERTAINTY {
            // The space belongs to the word after it, so it counts as part of a path with the dictionary.
            let new = New {
                permuter: Permuter::None,
                ..new
            };
            self.start(before, follow, new);
        } else if unspaced {
            self.start(before, follow, plain);
        }
    }

    /// Extends a path with the dictionary: by a null output, by a space after a word, or by a character that the
    /// dictionary allows.
    fn within_word(
        &mut self,
        before: Option<(Before, Option<Node>)>,
        follow: Follow,
        mut new: New,
    ) {
        let (with, without) = (kind(true, follow, 0), kind(false, follow, 0));
        let last = before.and_then(|(_, last)| last);
        let before = before.map(|(before, _)| before);
        let Some(id) = new.id.map(|id| id as usize) else {
            self.push(before, with, new);
            return;
        };
        if id == SPACE {
            if let Some(last) = last.filter(|last| last.ends) {
                new.permuter = last.permuter;
                self.start(before, follow, new);
                self.push(before, without, new);
            }
            return;
        }
        let unicharset = self.search.unicharset;
        let positions = match &last {
            None => self.search.positions.start(),
            Some(last) => {
                let last_id = last.id.unwrap_or_default() as usize;
                if last.starts
                    && last_id != SPACE
                    && unicharset.is_spaced(last_id)
                    && unicharset.is_spaced(id)
                {
                    return;
                }
                let Some(positions) = last.positions else {
                    return;
                };
                positions
            }
        };
        let next = self.search.positions.next(positions, id);
        if next.permuter == Permuter::None {
            return;
        }
        new.permuter = next.permuter;
        new.ends = next.ends;
        let within = New {
            positions: Some(next.set),
            ..new
        };
        self.push(before, with, within);
        if next.ends && !unicharset.is_spaced_language() {
            self.start(before, follow, new);
            self.push(before, without, new);
        }
    }

    /// Makes `new` a node after which a word may begin, and keeps it if it is the best one of this step with this
    /// [`Follow`].
    fn start(&mut self, before: Option<Before>, follow: Follow, new: New) {
        let node = self.node(
            before,
            New {
                starts: true,
                positions: Some(self.search.positions.start()),
                ..new
            },
        );
        let best = &mut self.starts[follow as usize];
        if best.is_none_or(|best| node.score > best.score) {
            *best = Some(node);
        }
    }

    pub(super) fn push_starts(&mut self) {
        for follow in FOLLOWS {
            if let Some(node) = self.starts[follow as usize] {
                keep(&mut self.beams[kind(true, follow, 0)], WIDTHS[0], node);
            }
        }
    }

    fn push(&mut self, before: Option<Before>, kind: usize, new: New) {
        let node = self.node(before, new);
        keep(&mut self.beams[kind], WIDTHS[kind % LENGTHS], node);
    }

    /// Makes a node from its predecessor.
    fn node(&self, before: Option<Before>, new: New) -> Node {
        let mut hash = before.map_or(0, |before| before.node.hash);
        if !new.same && new.output != self.search.null {
            let classes = self.search.outputs as u64;
            let carry = ((hash >> 32).wrapping_mul(classes)) >> 32;
            hash = hash
                .wrapping_mul(classes)
                .wrapping_add(carry)
                .wrapping_add(new.output as u64);
        }
        Node {
            output: new.output as u16,
            same: new.same,
            permuter: new.permuter,
            starts: new.starts,
            ends: new.ends,
            id: new.id,
            certainty: new.certainty,
            score: new.certainty + before.map_or(0.0, |before| before.node.score),
            before: before.map(|before| before.index),
            last: before.and_then(|before| before.node.last),
            positions: new.positions,
            hash,
            prefix: new.prefix,
        }
    }
}

impl New {
    const NONE: Self = Self {
        output: 0,
        id: None,
        certainty: 0.0,
        permuter: Permuter::None,
        same: false,
        starts: false,
        ends: false,
        positions: None,
        prefix: 0,
    };
}

/// Adds a node to a full beam only if it is better than the worst one there, which it replaces. If the beam has the
/// same path already, only the better of the two nodes stays.
fn keep(beam: &mut Vec<Node>, width: usize, node: Node) {
    let key = |node: &Node| (node.output, node.hash, node.permuter, node.starts);
    let (is_full, same) = (
        beam.len() >= width,
        beam.iter().position(|one| key(one) == key(&node)),
    );
    let replaced = match same {
        Some(index) => Some(index),
        None if is_full => {
            let worst = (0..beam.len()).min_by(|a, b| beam[*a].score.total_cmp(&beam[*b].score));
            Some(worst.unwrap_or_default())
        }
        None => None,
    };
    match replaced {
        Some(index) if node.score > beam[index].score => beam[index] = node,
        Some(_) => {}
        None => beam.push(node),
    }
}
