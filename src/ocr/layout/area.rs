//! Rectangles in whole pixels of the working picture.

/// A rectangle. `right` and `bottom` are the first column and row outside of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl Area {
    pub(crate) fn width(&self) -> i32 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> i32 {
        self.bottom - self.top
    }

    /// The smallest rectangle around this rectangle and `other`.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The area extended by `across` pixels to the left and right, and by `down` pixels above and below.
    pub(crate) fn grown(&self, across: i32, down: i32) -> Self {
        Self {
            left: self.left - across,
            top: self.top - down,
            right: self.right + across,
            bottom: self.bottom + down,
        }
    }

    /// The part within a picture of this size.
    pub(crate) fn within(&self, width: usize, height: usize) -> Self {
        Self {
            left: self.left.clamp(0, width as i32),
            top: self.top.clamp(0, height as i32),
            right: self.right.clamp(0, width as i32),
            bottom: self.bottom.clamp(0, height as i32),
        }
    }

    /// Horizontal distance between two rectangles in pixels. Negative if they overlap horizontally.
    pub(crate) fn gap_across(&self, other: &Self) -> i32 {
        self.left.max(other.left) - self.right.min(other.right)
    }

    /// Vertical distance between two rectangles in pixels. Negative if they overlap vertically.
    pub(crate) fn gap_down(&self, other: &Self) -> i32 {
        self.top.max(other.top) - self.bottom.min(other.bottom)
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.gap_across(other) < 0 && self.gap_down(other) < 0
    }

    /// Vertical overlap of both rectangles as a share of the smaller height, 0 to 1.
    pub(crate) fn shared_height(&self, other: &Self) -> f32 {
        let least = self.height().min(other.height()).max(1);
        (-self.gap_down(other)).max(0) as f32 / least as f32
    }

    pub(crate) fn pixels(&self) -> i64 {
        i64::from(self.width().max(0)) * i64::from(self.height().max(0))
    }
}

/// The smallest rectangle that contains all areas. `None` without areas.
pub(crate) fn around(areas: impl IntoIterator<Item = Area>) -> Option<Area> {
    areas.into_iter().reduce(|a, b| a.with(&b))
}

/// Median of the values, or 0 without values. Changes their order.
pub(crate) fn median(values: &mut [i32]) -> i32 {
    quantile(values, 0.5)
}

/// Quantile of the values: about this share of them (0 to 1) is lower. 0 without values. Changes their order.
pub(crate) fn quantile(values: &mut [i32], share: f32) -> i32 {
    if values.is_empty() {
        return 0;
    }
    let at = ((values.len() - 1) as f32 * share) as usize;
    *values.select_nth_unstable(at).1
}
