//! Looks up matches: earlier strings that are equal to the bytes that come next (RFC 1951, 4). Does not decide which
//! matches are used.

/// Largest distance of a match, plus 1.
const WINDOW: usize = 1 << 15;

/// Length of the longest match in Deflate, in bytes.
pub(super) const LONGEST: usize = 258;

/// A match of at least this length, in bytes, ends the search for longer ones.
pub(super) const ENOUGH: usize = 128;

/// Bits of a hash of three bytes. A hash of four bytes has one more.
const HASH_BITS: u32 = 15;

/// Marks a missing position.
const NONE: u32 = u32::MAX;

/// Memory of a finder in bytes.
pub(super) const MEMORY: usize = 3 * 4 * (1 << HASH_BITS) + 8 * WINDOW;

/// Index of earlier positions by the bytes that follow them. Each hash of four bytes has a binary search tree of
/// positions. The tree is sorted by the bytes that follow the positions, and its root is the latest position. Only
/// positions in the window are kept.
pub(super) struct Finder {
    /// Maximum number of positions that are compared at each byte.
    tries: usize,
    /// Last position with each hash of three bytes.
    threes: Vec<u32>,
    /// Last position with each hash of four bytes: the root of its tree.
    fours: Vec<u32>,
    /// Children of each position in its tree: with smaller and with greater bytes.
    below: Vec<[u32; 2]>,
}

impl Finder {
    pub(super) fn new(tries: usize) -> Self {
        Self {
            tries,
            threes: vec![NONE; 1 << HASH_BITS],
            fours: vec![NONE; 1 << (HASH_BITS + 1)],
            below: vec![[NONE; 2]; WINDOW],
        }
    }

    /// Calls `found` with the length and the distance of matches for the bytes from `at` on, each match longer than the
    /// one before, and adds `at` to the index. Does nothing if fewer than four bytes are left.
    #[inline(always)]
    pub(super) fn find(&mut self, data: &[u8], at: usize, mut found: impl FnMut(usize, usize)) {
        let Some(next) = data[at..].first_chunk::<4>() else {
            return;
        };
        let word = u32::from_le_bytes(*next);
        let hash = |word: u32, bits: u32| (word.wrapping_mul(0x9e37_79b1) >> (32 - bits)) as usize;
        let three = &mut self.threes[hash(word << 8, HASH_BITS)];
        let four = &mut self.fours[hash(word, HASH_BITS + 1)];
        let (last, last_three) = (*four, *three);
        (*three, *four) = (at as u32, at as u32);
        let rest = &data[at..data.len().min(at + LONGEST)];
        let mut best = 2;
        if last_three != NONE && at - (last_three as usize) < WINDOW {
            let len = same(rest, &data[last_three as usize..]);
            if len > best {
                best = len;
                found(len, at - last_three as usize);
            }
        }
        // The new position becomes the root. The search walks down the old tree towards the new bytes and splits it on
        // the way: positions with smaller bytes go to one side of the root, those with greater bytes to the other.
        // `waiting` holds the link on each side into which the next such position goes.
        let (mut position, mut tries) = (last, self.tries);
        let mut waiting = [(at % WINDOW, 0), (at % WINDOW, 1)];
        let mut lens = [0; 2];
        while position != NONE && at - (position as usize) < WINDOW && tries > 0 {
            tries -= 1;
            let other = &data[position as usize..];
            // In order of their bytes, all remaining positions are between the last compared positions of the two
            // sides. So they share at least `known` bytes with the new position.
            let known = lens[0].min(lens[1]);
            let len = known + same(&rest[known..], &other[known..]);
            if len > best {
                best = len;
                found(len, at - position as usize);
            }
            let slot = position as usize % WINDOW;
            if len >= rest.len().min(ENOUGH) {
                for (side, (position, link)) in waiting.into_iter().enumerate() {
                    self.below[position][link] = self.below[slot][side];
                }
                return;
            }
            let side = usize::from(other[len] > rest[len]);
            let (above, link) = waiting[side];
            self.below[above][link] = position;
            waiting[side] = (slot, 1 - side);
            lens[side] = len;
            position = self.below[slot][1 - side];
        }
        for (position, link) in waiting {
            self.below[position][link] = NONE;
        }
    }
}

/// Length of the common prefix in bytes.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        let other = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if other != 0 {
            return len + other.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let rest = a[len..].iter().zip(&b[len.min(b.len())..]);
    len + rest.take_while(|(a, b)| a == b).count()
}
