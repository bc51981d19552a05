//! Walks from a style to its ancestors. Interprets no property.
//!
//! A style states only properties that differ from those of its parent. Its head, a message within the style, refers
//! to the parent. In most kinds of styles, the head is the first field. The first field of a style of shapes with
//! text is a style of shapes without text, which contains the head.

use super::kind;
use crate::containers::iwa::{Message, Objects};

/// Limit on the number of styles that a style inherits from, itself included.
const MAX_ANCESTORS: usize = 32;

/// Number of the field with the properties of a style. All kinds of styles have it.
const PROPERTIES: u32 = 11;

/// A style in a chain of inheritance: the first style, or one of its ancestors.
#[derive(Clone, Copy, Debug)]
pub struct Ancestor<'o> {
    kind: u64,
    message: Message<'o>,
}

/// Returns a style and its ancestors, beginning with the style itself. Ends before the first style of a kind that is
/// not in `kinds`.
pub fn ancestors<'o>(
    objects: &'o Objects<'_>,
    style: Option<u64>,
    kinds: &'static [u64],
) -> impl Iterator<Item = Ancestor<'o>> {
    let mut next = style;
    let step = move || {
        let (kind, message) = objects.get(next?)?;
        if !kinds.contains(&kind) {
            return None;
        }
        let style = Ancestor { kind, message };
        next = style.head().and_then(|head| head.reference(3));
        Some(style)
    };
    std::iter::from_fn(step).take(MAX_ANCESTORS)
}

/// Returns the fill (`FillArchive`) in a style of shapes, cells or slides, or otherwise in the nearest ancestor that
/// states a fill.
pub fn stated_fill<'o>(
    objects: &'o Objects<'_>,
    style: Option<u64>,
    kinds: &'static [u64],
) -> Option<Message<'o>> {
    ancestors(objects, style, kinds).find_map(|style| style.drawn()?.message(1))
}

impl<'o> Ancestor<'o> {
    /// Returns the whole style.
    pub fn message(self) -> Message<'o> {
        self.message
    }

    /// Returns the message with the name and the parent.
    pub(super) fn head(self) -> Option<Message<'o>> {
        self.bare()?.message(1)
    }

    /// Returns the properties of the text in shapes. `None` unless this is a style of shapes with text.
    pub fn text(self) -> Option<Message<'o>> {
        let has_text = self.kind == kind::TEXT_SHAPE_STYLE;
        self.message.message(PROPERTIES).filter(|_| has_text)
    }

    /// Returns the properties of fills and lines.
    pub fn drawn(self) -> Option<Message<'o>> {
        self.bare()?.message(PROPERTIES)
    }

    /// Returns the style without the properties of text.
    fn bare(self) -> Option<Message<'o>> {
        match self.kind {
            kind::TEXT_SHAPE_STYLE => self.message.message(1),
            _ => Some(self.message),
        }
    }
}
