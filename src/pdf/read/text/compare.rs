//! Comparison of floating-point numbers.

use std::cmp::Ordering;

/// Orders two numbers; NaN is equal to anything.
pub(super) fn by(a: f32, b: f32) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
