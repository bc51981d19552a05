//! The properties that stand for themselves. Those that stand for several are [`shorthand`](super::shorthand).

use super::{
    background, border_image, fonts, geometry, grids,
    property::{Declaration, mirrored},
    text, transforms,
    value::Cursor,
    zoom,
};

/// The declarations of a property.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    mirrored(name, cursor, plain)
}

fn plain(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    text::declare(name, cursor)
        .or_else(|| fonts::declare(name, cursor))
        .or_else(|| background::declare(name, cursor))
        .or_else(|| border_image::declare(name, cursor))
        .or_else(|| grids::declare(name, cursor))
        .or_else(|| transforms::declare(name, cursor))
        .or_else(|| zoom::declare(name, cursor))
        .or_else(|| geometry::declare(name, cursor))
}
