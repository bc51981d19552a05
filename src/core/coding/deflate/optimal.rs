//! Finds the cheapest encoding of data with matches, for cases where size matters more than time. Does not write the
//! stream.
//!
//! Matches are searched at every byte ([`matches`](mod@matches)). Dynamic programming then goes from the end of a block
//! to its beginning, and finds for every byte the cheapest choice of a literal or a match, given the cost of each
//! symbol (as in zopfli and libdeflate). The costs come from the symbols of the previous attempt, and for the very
//! first attempt from a guess. A block ends at the end of a span, or where the following symbols are cheaper with codes
//! of their own.

use super::{
    Bits, Codes, END, LONGEST_RUN_SYMBOL, SYMBOLS, length,
    matches::{self, ENOUGH, Finder, LONGEST},
};
use crate::coding::prefix_codes::{code_lengths, reversed_words};
use std::ops::Range;

/// The number of symbols for distances.
const DISTANCES: usize = 30;

/// Length of a span in bytes. The matches of one span are in memory at a time.
const SPAN: usize = 1 << 17;
/// Minimum length of a block in bytes; only the last block of a span may be shorter.
const LEAST: usize = 1 << 13;

/// Number of matches of a span after which further bytes of the span get no matches.
const MAX_MATCHES: usize = 10 * SPAN;

/// Length in bytes above which data is searched with less effort.
const LARGE_INPUT: u64 = 1 << 26;

/// Cost of one bit: costs are counted in sixteenths of a bit.
const BIT: f32 = 16.0;

/// Memory for the search in bytes.
pub(super) const MEMORY: usize = matches::MEMORY
    + (MAX_MATCHES + LONGEST) * size_of::<Step>()
    + SPAN * (2 * size_of::<u32>() + 6 * size_of::<Step>());

/// Effort of the encoder.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Maximum number of earlier positions that are compared at each byte.
    tries: usize,
    /// Number of attempts at the cheapest encoding, each with costs from the symbols of the attempt before. They are
    /// made for a span, and then for each of its blocks.
    rounds: usize,
}

impl Effort {
    /// Effort for data of this length in bytes. Long data gets less effort, so that its compression ends in time.
    pub(super) fn of(len: u64) -> Self {
        match len {
            0..=LARGE_INPUT => Self {
                tries: 32,
                rounds: 2,
            },
            _ => Self {
                tries: 4,
                rounds: 1,
            },
        }
    }
}

/// A literal (a length of 1), or a match.
#[derive(Clone, Copy, Default)]
struct Step {
    length: u16,
    distance: u16,
}

/// Symbol counts of a block.
#[derive(Clone)]
struct Counts {
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
}

/// Costs of symbols, in units of 1/[`BIT`] of a bit.
struct Costs {
    /// Costs of literals, by their byte.
    literals: [u32; 256],
    /// Costs of match lengths, by length, including the extra bits.
    lengths: [u32; LONGEST + 1],
    /// Costs of distances, by symbol, including the extra bits.
    distances: [u32; DISTANCES],
}

/// The symbol of a distance, its extra bits, and their number (RFC 1951, 3.2.5).
#[inline(always)]
fn distance(distance: u16) -> (usize, u64, u32) {
    let offset = u32::from(distance) - 1;
    if offset < 4 {
        return (offset as usize, 0, 0);
    }
    let bits = offset.ilog2() - 1;
    let symbol = 2 * (bits + 1) + (offset >> bits & 1);
    (symbol as usize, u64::from(offset & ((1 << bits) - 1)), bits)
}

/// The symbol of any match length, including the longest, which [`length`] does not cover.
#[inline(always)]
fn any_length(len: usize) -> (usize, u64, u32) {
    match len {
        LONGEST => (LONGEST_RUN_SYMBOL, 0, 0),
        _ => length(len).unwrap_or((0, 0, 0)),
    }
}

impl Counts {
    fn new() -> Self {
        Self {
            symbols: [0; SYMBOLS],
            distances: [0; DISTANCES],
        }
    }

    fn add(&mut self, step: Step, byte: u8) {
        if step.length == 1 {
            self.symbols[usize::from(byte)] += 1;
        } else {
            self.symbols[any_length(step.length.into()).0] += 1;
            self.distances[distance(step.distance).0] += 1;
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, count) in self.symbols.iter_mut().zip(other.symbols) {
            *sum += count;
        }
        for (sum, count) in self.distances.iter_mut().zip(other.distances) {
            *sum += count;
        }
    }

    /// Estimates the length of a block in bits: its symbols, without their extra bits, and its code lengths.
    fn bits(&self) -> f32 {
        fn of(counts: &[u32]) -> f32 {
            let total: u32 = counts.iter().sum();
            let used = counts.iter().filter(|&&count| count > 0);
            used.map(|&count| {
                let count = count as f32;
                count * (total as f32 / count).log2() + 4.0
            })
            .sum()
        }
        of(&self.symbols) + of(&self.distances) + 60.0
    }

    /// Estimates the cost of each symbol from its frequency.
    fn costs(&self) -> Costs {
        let total: u32 = self.symbols.iter().sum();
        let cost = |count: u32, total: u32| {
            let share = (total as f32 + 8.0) / (count as f32 + 0.25);
            (share.log2() * BIT).clamp(BIT, 15.0 * BIT) as u32
        };
        let bits = |count: u32| count * BIT as u32;
        let matches: u32 = self.distances.iter().sum();
        let mut lengths = [0; LONGEST + 1];
        for (len, to) in lengths.iter_mut().enumerate().skip(3) {
            let (symbol, _, extra) = any_length(len);
            *to = cost(self.symbols[symbol], total) + bits(extra);
        }
        Costs {
            literals: std::array::from_fn(|byte| cost(self.symbols[byte], total)),
            lengths,
            distances: std::array::from_fn(|at| {
                let extra = (at as u32 / 2).saturating_sub(1);
                cost(self.distances[at], matches) + bits(extra)
            }),
        }
    }
}

/// Appends data as blocks. If `last` is set, the last of these blocks is marked as the final block of the stream.
pub(super) fn put(data: &[u8], effort: Effort, last: bool, bits: &mut Bits) {
    let mut finder = Finder::new(effort.tries);
    let mut matches: Vec<Step> = Vec::with_capacity(MAX_MATCHES + LONGEST);
    let mut starts: Vec<u32> = Vec::with_capacity(SPAN + 1);
    let mut before: Option<Counts> = None;
    for (number, span) in data.chunks(SPAN).enumerate() {
        let from = number * SPAN;
        let is_last = last && from + span.len() == data.len();
        find(
            data,
            from..from + span.len(),
            &mut finder,
            &mut matches,
            &mut starts,
        );
        let mut counts = before.take().unwrap_or_else(|| first_guess(span));
        let mut steps = Vec::new();
        for _ in 0..effort.rounds {
            steps = cheapest(span, &matches, &starts, &counts.costs());
            counts = counted(span, &steps);
        }
        let mut start = 0;
        for len in parts(span, &steps) {
            let end = start + len;
            let block = &span[start..end];
            let mut own = counts.clone();
            for _ in 0..effort.rounds {
                steps = cheapest(block, &matches, &starts[start..=end], &own.costs());
                own = counted(block, &steps);
            }
            own.symbols[END] = 1;
            put_block(block, &steps, &own, is_last && end == span.len(), bits);
            start = end;
        }
        before = Some(counts);
    }
}

/// Finds the matches at each byte of a span, shorter ones first. The matches of byte `i` are those from `starts[i]` to
/// `starts[i + 1]` in `matches`.
fn find(
    data: &[u8],
    span: Range<usize>,
    finder: &mut Finder,
    matches: &mut Vec<Step>,
    starts: &mut Vec<u32>,
) {
    matches.clear();
    starts.clear();
    // Number of bytes that remain of a very long match. Matches that begin within it are not recorded.
    let mut passes = 0usize;
    // Whether this match repeats the same few bytes. Later runs match its beginning, so its other positions are not
    // added to the index.
    let mut is_run = false;
    for at in span {
        starts.push(matches.len() as u32);
        let records_matches = passes == 0 && matches.len() < MAX_MATCHES;
        passes = passes.saturating_sub(1);
        if passes > 0 && is_run {
            continue;
        }
        finder.find(data, at, |length, distance| {
            if records_matches {
                matches.push(Step {
                    length: length as u16,
                    distance: distance as u16,
                });
                if length >= ENOUGH {
                    passes = length - 1;
                    is_run = distance <= 16;
                }
            }
        });
    }
    starts.push(matches.len() as u32);
}

/// Appends a block with its codes.
fn put_block(data: &[u8], steps: &[Step], counts: &Counts, last: bool, bits: &mut Bits) {
    let (lengths, distances) = codes(counts);
    let used = distances.iter().rposition(|&len| len > 0).unwrap_or(0) + 1;
    bits.put(u64::from(last) | 0b10 << 1, 3);
    bits.put_codes(&lengths, &distances[..used]);
    let codes: Codes = reversed_words(&lengths);
    let distance_codes = reversed_words(&distances);
    let mut with_extra = |(code, len): (u16, u8), extra: u64, extra_bits: u32| {
        bits.put(u64::from(code) | extra << len, u32::from(len) + extra_bits);
    };
    let mut at = 0;
    for step in steps {
        let len = usize::from(step.length);
        if len == 1 {
            with_extra(codes[usize::from(data[at])], 0, 0);
        } else {
            let (symbol, extra, extra_bits) = any_length(len);
            with_extra(codes[symbol], extra, extra_bits);
            let (symbol, extra, extra_bits) = distance(step.distance);
            with_extra(distance_codes[symbol], extra, extra_bits);
        }
        at += len;
    }
    with_extra(codes[END], 0, 0);
}

/// Initial symbol counts: the bytes as literals, and the same small number for each length and distance symbol.
fn first_guess(data: &[u8]) -> Counts {
    let mut counts = Counts::new();
    for &byte in data {
        counts.symbols[usize::from(byte)] += 1;
    }
    let few = data.len() as u32 / 64;
    counts.symbols[END + 1..].fill(few / 8);
    counts.distances.fill(few / 8);
    counts
}

/// Returns the cheapest sequence of literals and matches for `data`.
fn cheapest(data: &[u8], matches: &[Step], starts: &[u32], costs: &Costs) -> Vec<Step> {
    let len = data.len();
    let mut cost = vec![0u32; len + 1];
    let mut choice = vec![Step::default(); len];
    for at in (0..len).rev() {
        let mut best = costs.literals[usize::from(data[at])] + cost[at + 1];
        let mut step = Step {
            length: 1,
            distance: 0,
        };
        let mut shortest = 3;
        for found in &matches[starts[at] as usize..starts[at + 1] as usize] {
            let base = costs.distances[distance(found.distance).0];
            let longest = usize::from(found.length).min(len - at);
            // A very long match is only considered in its full length.
            if longest >= ENOUGH {
                shortest = longest;
            }
            for length in shortest..=longest {
                let total = base + costs.lengths[length] + cost[at + length];
                if total < best {
                    best = total;
                    step = Step {
                        length: length as u16,
                        distance: found.distance,
                    };
                }
            }
            shortest = longest + 1;
        }
        cost[at] = best;
        choice[at] = step;
    }
    let mut steps = Vec::new();
    let mut at = 0;
    while at < len {
        steps.push(choice[at]);
        at += usize::from(choice[at].length);
    }
    steps
}

fn counted(data: &[u8], steps: &[Step]) -> Counts {
    let mut counts = Counts::new();
    let mut at = 0;
    for &step in steps {
        counts.add(step, data[at]);
        at += usize::from(step.length);
    }
    counts
}

/// Splits the steps into blocks of at least [`LEAST`] bytes, except for the last block, and returns the lengths of the
/// blocks. A new block begins where a common code would cost more bits than two codes.
fn parts(data: &[u8], steps: &[Step]) -> Vec<usize> {
    let mut lens = Vec::new();
    let (mut all, mut all_len) = (Counts::new(), 0);
    let (mut unit, mut unit_len) = (Counts::new(), 0);
    let mut at = 0;
    for &step in steps {
        unit.add(step, data[at]);
        at += usize::from(step.length);
        unit_len += usize::from(step.length);
        if unit_len < LEAST && at < data.len() {
            continue;
        }
        let mut joint = all.clone();
        joint.join(&unit);
        if all_len == 0 || joint.bits() <= all.bits() + unit.bits() {
            (all, all_len) = (joint, all_len + unit_len);
        } else {
            lens.push(all_len);
            (all, all_len) = (unit.clone(), unit_len);
        }
        (unit, unit_len) = (Counts::new(), 0);
    }
    lens.push(all_len);
    lens
}

/// Code lengths of literals and lengths, and of distances.
fn codes(counts: &Counts) -> ([u8; SYMBOLS], [u8; DISTANCES]) {
    let mut distances = counts.distances;
    // At least one distance has to have a code, so a block without matches gets a code for distance 1.
    if distances.iter().all(|&count| count == 0) {
        distances[0] = 1;
    }
    (
        code_lengths(&counts.symbols, 15),
        code_lengths(&distances, 15),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec};

    /// Compresses and unpacks. Returns the compressed size.
    #[track_caller]
    fn check(data: &[u8], len: u64) -> usize {
        let mut bits = Bits::default();
        put(data, Effort::of(len), true, &mut bits);
        bits.align();
        let unpacked = decompress_to_vec(&bits.out).unwrap();
        assert!(unpacked == data, "{} bytes", data.len());
        bits.out.len()
    }

    /// Bytes that repeat earlier parts, with some changes.
    fn repeating(len: usize) -> Vec<u8> {
        let mut seed = 9u32;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % below
        };
        let mut data = vec![7; 5];
        while data.len() < len {
            if next(3) == 0 {
                data.push(next(40) as u8);
            } else {
                let from = data.len() - 1 - next(data.len().min(50_000));
                let count = 2 + next(300) / (1 + next(60));
                // A copy may overlap the bytes that it writes.
                (from..from + count).for_each(|at| data.push(data[at]));
            }
        }
        data.truncate(len);
        data
    }

    #[test]
    fn compressed_data_is_unpacked_unchanged() {
        for len in [
            1,
            2,
            3,
            4,
            257,
            258,
            259,
            9_000,
            SPAN - 1,
            SPAN,
            SPAN + 1,
            3 * SPAN,
        ] {
            let data = repeating(len);
            check(&data, 0);
            check(&data, u64::MAX);
            check(&vec![0; len], 0);
            let period: Vec<u8> = (0..len).map(|at| (at % 300) as u8).collect();
            check(&period, 0);
        }
    }

    #[test]
    fn results_are_smaller_than_those_of_a_greedy_search() {
        let data = repeating(300_000);
        let greedy = compress_to_vec(&data, 9).len();
        let (ours, quick) = (check(&data, 0), check(&data, u64::MAX));
        println!("{ours}, {quick}, {greedy}");
        assert!(
            ours * 100 < greedy * 97 && quick < greedy,
            "{ours}, {quick}, {greedy}"
        );
    }
}
