//! Positions of floats in a block formatting context (CSS 2.2, 9.5.1). Lays out none of them.
//!
//! Lengths count from the upper left corner of the content of the box that establishes the context.

use convertd_markup::css::style::{Clear, Float};

/// The room for rounding.
const TOLERANCE: f32 = 0.02;

/// A float with its margins.
#[derive(Clone, Copy, Debug)]
struct Placed {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    is_left: bool,
}

/// The floats of a context.
#[derive(Clone, Debug, Default)]
pub(super) struct Floats {
    placed: Vec<Placed>,
    /// No float stands above the one before.
    lowest_top: f32,
    /// All that end above this were passed by; content goes downwards.
    passed: usize,
}

impl Floats {
    /// The edges of the room beside floats, between `y` and `y + height`, within `left` and `right`.
    pub(crate) fn room(&self, y: f32, height: f32, left: f32, right: f32) -> (f32, f32) {
        let (mut from, mut to) = (left, right);
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

    /// The first place below `y` where a float ends.
    pub(super) fn next_end(&self, y: f32) -> Option<f32> {
        let ends = self.placed[self.passed..].iter().map(|float| float.bottom);
        ends.filter(|bottom| *bottom > y + TOLERANCE)
            .min_by(f32::total_cmp)
    }

    /// Places a float, margins included, no higher than `y`. Returns its upper left corner.
    pub(crate) fn place(
        &mut self,
        size: (f32, f32),
        side: Float,
        y: f32,
        left: f32,
        right: f32,
    ) -> (f32, f32) {
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
            match self.next_end(y) {
                Some(end) => y = end,
                None => y += 1.0,
            }
        }
    }

    /// The lowest edge of the floats that something clears.
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

    /// The lowest edge of all floats.
    pub(crate) fn bottom(&self) -> Option<f32> {
        self.clear(Clear::Both)
    }

    /// Number of floats.
    pub(crate) fn len(&self) -> usize {
        self.placed.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// Content has come to `y`: floats that ended before do not matter any more.
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
