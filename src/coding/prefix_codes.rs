//! Prefix codes (Huffman, 1952) with a longest length, for Deflate and JPEG: how many bits each symbol gets, and then
//! which.
//!
//! Lengths come from the two-queue form of Huffman's algorithm over sorted counts. Those above the limit are cut to it,
//! which makes the code too large to exist; then shorter codes are lengthened one after another until it fits (Kraft's
//! inequality). That is not always the best code within the limit, but close to it. Code words follow from the lengths
//! alone, so that only these need to be stored. Never longer than is asked for.

/// Lengths of the best prefix code with none above `most`, or nearly the best.
pub(crate) fn code_lengths<const N: usize>(counts: &[u32; N], most: usize) -> [u8; N] {
    let mut lengths = [0; N];
    let mut used: Vec<usize> = (0..N).filter(|&symbol| counts[symbol] > 0).collect();
    used.sort_by_key(|&symbol| counts[symbol]);
    if let [only] = used[..] {
        lengths[only] = 1;
        return lengths;
    }
    // Leaves, from the rarest, then the nodes that join two; each weighs no less than the one before it.
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
    // What was too long is now too short for all to fit: others have to become longer.
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
    // The rarest get the longest.
    let by_length = (1..=most)
        .rev()
        .flat_map(|len| std::iter::repeat_n(len, of_length[len]));
    for (symbol, len) in used.into_iter().zip(by_length) {
        lengths[symbol] = len as u8;
    }
    lengths
}

/// The words of a code that has these lengths, their first bit highest: those of the same length follow one another, in the
/// order of what they stand for (RFC 1951, 3.2.2; T.81, annex C).
pub(crate) fn words<const N: usize>(lengths: &[u8; N]) -> [(u16, u8); N] {
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

/// The same, their first bit lowest, as Deflate stores them.
pub(crate) fn reversed_words<const N: usize>(lengths: &[u8; N]) -> [(u16, u8); N] {
    words(lengths).map(|(word, len)| (word.reverse_bits().unbounded_shr(16 - u32::from(len)), len))
}
