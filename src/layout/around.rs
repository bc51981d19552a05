//! Finds the space beside and between frames where lines of a paragraph can be. Does not set the lines.

use convertd_tree::Side;

/// Smallest width of text beside a frame, in points: an inch, as in Word.
const LEAST: f32 = 72.0;

/// Exclusions that the lines of a paragraph flow around. Positions are in points, relative to the left edge of the
/// column and the top of the paragraph.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    /// Exclusions in any order; they may overlap.
    pub taken: Vec<Exclusion>,
    /// Lower end of the column. Lines below it go to another page, whose exclusions are not known
    /// yet.
    pub bottom: f32,
    /// Width in points by which this column is narrower than the lines of the paragraph, and the same for the next
    /// column.
    pub less: (f32, f32),
}

/// An exclusion: the rectangle of a frame, extended by the distances between the frame and the text.
#[derive(Clone, Copy, Debug)]
pub struct Exclusion {
    pub left: f32,
    pub right: f32,
    pub top: f32,
    pub bottom: f32,
    /// Side of the frame on which text runs. `None` if text runs only above and below the frame.
    pub side: Option<Side>,
}

/// A part of a line between exclusions: its left edge and its width.
pub type Stretch = (f32, f32);

impl Exclusions {
    /// Finds the first position from `y` downwards at which a line of this height fits between two edges. Returns the
    /// distance of the position from `y`, and the free parts of the line from left to right.
    ///
    /// Each round removes the exclusions that overlap the line from the width of the line. If all remaining parts are
    /// too narrow, the next round tries a line below the exclusion that ends first. For a line that would end below the
    /// column, returns a distance of 0 and the width of the next column.
    pub fn room(&self, mut y: f32, height: f32, (left, right): (f32, f32)) -> (f32, Vec<Stretch>) {
        let begin = y;
        // Right edges of the line in the next column and in this one.
        let beyond = (right - self.less.1).max(left + 1.0);
        let right = (right - self.less.0).max(left + 1.0);
        let least = LEAST.min(right - left);
        // Each round except the last one moves the line below at least one exclusion, so the number of exclusions plus
        // one is enough.
        for _ in 0..=self.taken.len() {
            if y + height > self.bottom {
                break;
            }
            let beside = self.taken.iter();
            // The tolerance is a hundredth of a point: a line that only touches an exclusion does not overlap it.
            let beside = beside.filter(|one| one.top < y + height - 0.01 && one.bottom > y + 0.01);
            // An exclusion that does not overlap the line horizontally has no effect.
            let beside = beside.filter(|one| one.left < right && one.right > left);
            let mut free = vec![(left, right)];
            let mut below = f32::INFINITY;
            for one in beside {
                below = below.min(one.bottom);
                one.cut(&mut free, (left, right));
            }
            free.retain(|(from, to)| to - from >= least - 0.01);
            if !free.is_empty() {
                let parts = free.into_iter().map(|(from, to)| (from, to - from));
                return (y - begin, parts.collect());
            }
            // Every part is too narrow, so the next round tries below the exclusion that ends first.
            y = below;
        }
        match y + height > self.bottom {
            true => (0.0, vec![(left, beyond - left)]),
            false => (y - begin, vec![(left, right - left)]),
        }
    }
}

impl Exclusion {
    /// Removes this exclusion, and each side of it where no text may run, from the free parts of a line.
    fn cut(&self, free: &mut Vec<(f32, f32)>, (left, right): (f32, f32)) {
        // `Larger` leaves text only on the wider side.
        let side = match self.side {
            Some(Side::Larger) if self.left - left >= right - self.right => Some(Side::Left),
            Some(Side::Larger) => Some(Side::Right),
            side => side,
        };
        let (from, to) = match side {
            None => (left, right),
            Some(Side::Left) => (self.left, right),
            Some(Side::Right) => (left, self.right),
            Some(Side::Both | Side::Larger) => (self.left, self.right),
        };
        let parts = std::mem::take(free);
        // Each part loses the range from `from` to `to`. What remains on the left and on the right of the range becomes
        // a part.
        for (begin, end) in parts {
            for part in [(begin, end.min(from)), (begin.max(to), end)] {
                if part.1 > part.0 {
                    free.push(part);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a line in a column that is 300 points wide. The frame covers 100 to 180 horizontally, and 20 to 50
    /// downwards.
    #[track_caller]
    fn check(side: Option<Side>, y: f32, expected: (f32, &[Stretch])) {
        let around = Exclusions {
            taken: vec![Exclusion {
                left: 100.0,
                right: 180.0,
                top: 20.0,
                bottom: 50.0,
                side,
            }],
            bottom: 500.0,
            less: (0.0, 0.0),
        };
        let (down, parts) = around.room(y, 12.0, (0.0, 300.0));
        assert_eq!((down, &*parts), expected, "{side:?} at {y}");
    }

    #[test]
    fn lines_use_the_allowed_sides_of_frames() {
        check(Some(Side::Both), 0.0, (0.0, &[(0.0, 300.0)]));
        check(
            Some(Side::Both),
            30.0,
            (0.0, &[(0.0, 100.0), (180.0, 120.0)]),
        );
        check(Some(Side::Left), 30.0, (0.0, &[(0.0, 100.0)]));
        check(Some(Side::Right), 30.0, (0.0, &[(180.0, 120.0)]));
        check(Some(Side::Larger), 30.0, (0.0, &[(180.0, 120.0)]));
        check(None, 10.0, (40.0, &[(0.0, 300.0)]));
        check(None, 50.0, (0.0, &[(0.0, 300.0)]));
    }

    #[test]
    fn lines_are_as_long_as_their_column() {
        let around = Exclusions {
            taken: Vec::new(),
            bottom: 100.0,
            less: (180.0, 20.0),
        };
        let room = |y| around.room(y, 12.0, (0.0, 300.0));
        assert_eq!(room(80.0), (0.0, vec![(0.0, 120.0)]));
        assert_eq!(room(90.0), (0.0, vec![(0.0, 280.0)]));
    }

    #[test]
    fn lines_go_below_frames_that_leave_no_room() {
        let wide = Exclusion {
            left: 10.0,
            right: 290.0,
            top: 0.0,
            bottom: 90.0,
            side: Some(Side::Both),
        };
        let mut around = Exclusions {
            taken: vec![wide],
            bottom: 500.0,
            less: (0.0, 0.0),
        };
        assert_eq!(
            around.room(0.0, 12.0, (0.0, 300.0)),
            (90.0, vec![(0.0, 300.0)])
        );
        // If the frame reaches below the end of the column, the line goes to the next page, and has the full width
        // there.
        around.taken[0].bottom = 600.0;
        assert_eq!(around.room(0.0, 12.0, (0.0, 300.0)).1, vec![(0.0, 300.0)]);
    }
}
