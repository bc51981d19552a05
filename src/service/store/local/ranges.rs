//! The byte ranges of a result that have been delivered, possibly by several range requests. Limited to [`MAX_PIECES`]
//! pieces. Ranges that would make further pieces are not recorded, so that the result stays until it expires or is
//! delivered in larger ranges.

use std::ops::Range;

/// The maximum number of disjoint pieces. A download manager that fetches in parallel uses about a dozen.
const MAX_PIECES: usize = 64;

/// A set of byte positions, stored as sorted, disjoint pieces with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// Adds the positions of `range`. Does nothing if that would make more than [`MAX_PIECES`] pieces.
    pub(super) fn insert(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        // The pieces `first..last` overlap or touch the new one and are merged with it. Without such pieces, the new
        // one goes to the index `first`.
        let first = self.0.partition_point(|piece| piece.end < range.start);
        let last = self.0.partition_point(|piece| piece.start <= range.end);
        if first == last && self.0.len() == MAX_PIECES {
            return;
        }
        let merged = self.0[first..last].iter().fold(range, |sum, piece| {
            sum.start.min(piece.start)..sum.end.max(piece.end)
        });
        self.0.splice(first..last, [merged]);
    }

    /// Returns whether every position below `len` is in the set.
    pub(super) fn cover(&self, len: u64) -> bool {
        len == 0
            || self
                .0
                .first()
                .is_some_and(|piece| piece.start == 0 && piece.end >= len)
    }
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a set of one range is meant"
)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_become_one() {
        #[track_caller]
        fn check(inserted: &[Range<u64>], pieces: &[Range<u64>]) {
            let mut ranges = Ranges::default();
            for range in inserted {
                ranges.insert(range.clone());
            }
            assert_eq!(ranges.0, pieces);
        }
        check(&[], &[]);
        check(&[3..3], &[]);
        check(&[0..1, 1..2], &[0..2]);
        check(&[1..2, 0..1], &[0..2]);
        check(&[0..1, 2..3], &[0..1, 2..3]);
        check(&[0..1, 2..3, 1..2], &[0..3]);
        check(&[0..9, 2..3], &[0..9]);
        check(&[2..3, 5..6, 0..9], &[0..9]);
        check(&[0..u64::MAX, 5..u64::MAX], &[0..u64::MAX]);
    }

    #[test]
    fn completeness_agrees_with_a_map_of_all_bytes() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        for len in 1..100 {
            let mut ranges = Ranges::default();
            let mut map = vec![false; len as usize];
            for _ in 0..200 {
                let start = random(len);
                let end = start + random((len - start).min(9) + 1);
                ranges.insert(start..end);
                map[start as usize..end as usize].fill(true);
                assert_eq!(ranges.cover(len), map.iter().all(|&byte| byte), "of {len}");
                let gaps = ranges.0.windows(2).all(|two| two[0].end < two[1].start);
                assert!(gaps && ranges.0.iter().all(|piece| !piece.is_empty()));
            }
        }
    }

    #[test]
    fn too_many_pieces_are_not_remembered_and_one_whole_delivery_still_counts() {
        let mut ranges = Ranges::default();
        for piece in 0..1000 {
            ranges.insert(piece * 2..piece * 2 + 1);
        }
        assert_eq!(ranges.0.len(), MAX_PIECES);
        assert!(!ranges.cover(2000));
        ranges.insert(1..2);
        assert_eq!(ranges.0.len(), MAX_PIECES - 1);
        ranges.insert(0..2000);
        assert!(ranges.cover(2000));
    }
}
