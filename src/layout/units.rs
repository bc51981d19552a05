//! Conversion of the tree's lengths to points.

use convertd_tree::Length;

/// A length of the tree in points.
pub fn points(length: Length) -> f32 {
    length.to_points() as f32
}
