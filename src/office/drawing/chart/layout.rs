//! Rectangles in the layout of a chart, such as the area for the plot between titles and legend. Draws nothing.

use super::model::Manual;

/// Distance from the edge of the frame to a plot without labels there, in points.
pub(super) const MARGIN: f64 = 11.0;

/// Rectangle, in points from the upper left corner of the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Point at these shares of the width (from the left) and of the height (from the bottom).
    pub(super) fn at(&self, across: f64, up: f64) -> (f64, f64) {
        (
            self.left + across * self.width(),
            self.bottom - up * self.height(),
        )
    }

    pub(super) fn centre(&self) -> (f64, f64) {
        self.at(0.5, 0.5)
    }

    /// Returns the rectangle with a width and height of at least 4 points, because other code divides by them.
    pub(super) fn with_minimum_size(self) -> Self {
        Self {
            right: self.right.max(self.left + 4.0),
            bottom: self.bottom.max(self.top + 4.0),
            ..self
        }
    }

    /// Rectangle that a file states in shares of this one. Missing values are those of `default`.
    pub(super) fn placed(&self, place: &Manual, default: Self) -> Self {
        let left = place
            .x
            .map_or(default.left, |x| self.left + x * self.width());
        let top = place
            .y
            .map_or(default.top, |y| self.top + y * self.height());
        let width = place
            .width
            .map_or(default.width(), |own| own * self.width());
        let height = place
            .height
            .map_or(default.height(), |own| own * self.height());
        Self {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }
}
