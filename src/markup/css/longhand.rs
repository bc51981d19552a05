//! Longhand properties: finds the parser of each. [`shorthand`](super::shorthand) has the others.
//! Parses no value.

use super::{
    background, border_image, fonts, geometry, grids,
    property::{Declaration, mirrored},
    text, transforms,
    value::Cursor,
    zoom,
};

/// Parses the declaration of a longhand; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    mirrored(name, cursor, plain)
}

/// Parses a longhand for horizontal left-to-right text. Tries the parser of each subject in turn; a property belongs to
/// only one of them.
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
