//! Comparing numbers of a page.

use std::cmp::Ordering;

/// Compares two numbers; the place of NaN does not matter.
pub(super) fn by(a: f32, b: f32) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
