//! Positions of floats in a block formatting context (CSS 2.2, 9.5.1). Lays out no float itself.
//!
//! A new float is placed as high as possible, but not above its position in the flow and not above an earlier float
//! (rule 5). It moves down past each float that leaves too little space beside itself. Lengths are px from the corner
//! of the content box that establishes the context.

use convertd_markup::css::style::{Clear, Float};

/// Tolerance for rounding, in px.
const TOLERANCE: f32 = 0.02;

/// Margin box of a float.
#[derive(Clone, Copy, Debug)]
struct Placed {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    is_left: bool,
}

/// Floats of one formatting context, in document order.
#[derive(Clone, Debug, Default)]
pub(super) struct Floats {
    placed: Vec<Placed>,
    /// Top of the last float in px: later floats must not be above it.
    lowest_top: f32,
    /// Number of floats at the beginning of the list that end above the current position. Content goes downwards, so
    /// searches skip these floats.
    passed: usize,
}

impl Floats {
    /// Left and right edge of the line that remains between floats, from `y` to `y + height` and
    /// within `left` to `right`.
    pub(crate) fn room(&self, y: f32, height: f32, left: f32, right: f32) -> (f32, f32) {
        let (mut from, mut to) = (left, right);
        // A line of height 0 is still affected by the floats at its position.
        for float in &self.placed[self.passed..] {
            if float.bottom > y + TOLERANCE && float.top < y + height.max(0.1) - TOLERANCE {
                if float.is_left {
                    from = from.max(float.right);
                } else {
                    to = to.min(float.left);
                }
            }
        }
        (from, to.max(from))
    }

    /// Bottom edge of the next float that ends below `y`.
    pub(super) fn next_end(&self, y: f32) -> Option<f32> {
        let ends = self.placed[self.passed..].iter().map(|float| float.bottom);
        ends.filter(|bottom| *bottom > y + TOLERANCE)
            .min_by(f32::total_cmp)
    }

    /// Places a float with this margin box, not above `y`, as high and then as far to its side as possible. Returns the
    /// corner of its margin box. A float that is wider than the whole width goes to the first position where no other
    /// float is beside it.
    pub(crate) fn place(
        &mut self,
        size: (f32, f32),
        side: Float,
        y: f32,
        left: f32,
        right: f32,
    ) -> (f32, f32) {
        // A float must not be above the last float (rule 5). From there the search goes down from float to float.
        let mut y = y.max(self.lowest_top);
        loop {
            let (from, to) = self.room(y, size.1, left, right);
            let fits = to - from + TOLERANCE >= size.0;
            let free = from <= left && to >= right;
            if fits || free {
                let is_left = side == Float::Left;
                let x = if is_left { from } else { to - size.0 };
                self.lowest_top = y;
                self.placed.push(Placed {
                    left: x,
                    right: x + size.0.max(0.0),
                    top: y,
                    bottom: y + size.1.max(0.0),
                    is_left,
                });
                return (x, y);
            }
            // If no float ends below, the position moves by 1 px, so that the loop ends despite rounding.
            match self.next_end(y) {
                Some(end) => y = end,
                None => y += 1.0,
            }
        }
    }

    /// Bottom edge of the floats that `clear` refers to (9.5.2). `None` if it refers to no float.
    pub(crate) fn clear(&self, clear: Clear) -> Option<f32> {
        let cleared = |float: &&Placed| match clear {
            Clear::None => false,
            Clear::Left => float.is_left,
            Clear::Right => !float.is_left,
            Clear::Both => true,
        };
        self.placed
            .iter()
            .filter(cleared)
            .map(|float| float.bottom)
            .max_by(f32::total_cmp)
    }

    /// Bottom edge of the lowest float.
    pub(crate) fn bottom(&self) -> Option<f32> {
        self.clear(Clear::Both)
    }

    /// Number of floats.
    pub(crate) fn len(&self) -> usize {
        self.placed.len()
    }

    /// Returns whether the context has no floats.
    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// Records that content has reached `y`, so that later searches skip the floats that end above.
    pub(crate) fn pass(&mut self, y: f32) {
        while self
            .placed
            .get(self.passed)
            .is_some_and(|float| float.bottom <= y)
        {
            self.passed += 1;
        }
    }
}
