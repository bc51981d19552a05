//! Prefix codes (Huffman, 1952) of limited length, for Deflate and JPEG: first the length of each symbol's code, then
//! the codes themselves. Never makes a code longer than the caller allows.
//!
//! The lengths come from the two-queue form of Huffman's algorithm over sorted counts. Lengths above the limit are cut
//! to it, which breaks Kraft's inequality: there are not enough codes of those lengths. So shorter codes are
//! lengthened, one after another, until all fit. The result is not always the best code within the limit, but close to
//! it. The codes follow from the lengths alone (canonical codes), so files store only the lengths.

/// Code lengths in bits for these symbol counts, none longer than `most`. A symbol that does not occur gets 0.
pub fn code_lengths<const N: usize>(counts: &[u32; N], most: usize) -> [u8; N] {
    let mut lengths = [0; N];
    let mut used: Vec<usize> = (0..N).filter(|&symbol| counts[symbol] > 0).collect();
    used.sort_by_key(|&symbol| counts[symbol]);
    if let [only] = used[..] {
        lengths[only] = 1;
        return lengths;
    }
    // The leaves, rarest first, followed by the inner nodes, each of which joins two earlier leaves or nodes. Weights
    // never decrease within either queue.
    let mut weights: Vec<u64> = used.iter().map(|&symbol| counts[symbol].into()).collect();
    let leaves = weights.len();
    let mut parents = vec![0; 2 * leaves];
    let (mut leaf, mut node) = (0, leaves);
    for joined in leaves..2 * leaves - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let takes_leaf = leaf < leaves && (node == joined || weights[leaf] <= weights[node]);
            let taken = if takes_leaf { &mut leaf } else { &mut node };
            weight += weights[*taken];
            parents[*taken] = joined;
            *taken += 1;
        }
        weights.push(weight);
    }
    let mut depths = vec![0usize; 2 * leaves];
    let mut of_length = vec![0usize; most + 1];
    for at in (0..2 * leaves - 2).rev() {
        depths[at] = depths[parents[at]] + 1;
        if at < leaves {
            of_length[depths[at].min(most)] += 1;
        }
    }
    // Codes that were cut to the limit take up more of the code space than before. Lengthening other codes frees some
    // of it.
    let share = |(len, count): (usize, &usize)| count << (most - len);
    let mut space: usize = of_length.iter().enumerate().skip(1).map(share).sum();
    while space > 1 << most {
        let Some(shorter) = (1..most).rev().find(|&len| of_length[len] > 0) else {
            break;
        };
        of_length[most] -= 1;
        of_length[shorter] -= 1;
        of_length[shorter + 1] += 2;
        space -= 1;
    }
    // The rarest symbols get the longest codes.
    let by_length = (1..=most)
        .rev()
        .flat_map(|len| std::iter::repeat_n(len, of_length[len]));
    for (symbol, len) in used.into_iter().zip(by_length) {
        lengths[symbol] = len as u8;
    }
    lengths
}

/// The canonical code for these lengths, with its first bit as the most significant one: codes of the same length are
/// consecutive, in the order of their symbols (RFC 1951, 3.2.2; T.81, annex C). Each comes with its length.
pub fn words<const N: usize>(lengths: &[u8; N]) -> [(u16, u8); N] {
    let mut words = [(0, 0); N];
    let mut next = 0u32;
    for len in 1..=16 {
        for (word, _) in words.iter_mut().zip(lengths).filter(|(_, at)| **at == len) {
            *word = (next as u16, len);
            next += 1;
        }
        next <<= 1;
    }
    words
}

/// The code of [`words`] with its first bit as the least significant one, as Deflate stores it.
pub(crate) fn reversed_words<const N: usize>(lengths: &[u8; N]) -> [(u16, u8); N] {
    words(lengths).map(|(word, len)| (word.reverse_bits().unbounded_shr(16 - u32::from(len)), len))
}
