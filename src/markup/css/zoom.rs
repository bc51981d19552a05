//! The property `zoom` (CSS Viewport 1, 4): scales all lengths of an element and its descendants,
//! before layout. Invoice templates use it to fit on a page. Places nothing.

use super::{
    property::{Declaration, Stage, now, one, own},
    style::{LineHeight, Style},
    value::{Cursor, Length},
};
use std::rc::Rc;

/// Smallest and largest factor, which keep lengths within the range of page coordinates.
const FACTORS: (f32, f32) = (0.01, 100.0);

/// Parses `zoom`; applied before all declarations whose lengths it scales.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if name != "zoom" {
        return None;
    }
    let mut all = one(cursor, own!(zoom), |cursor| {
        if cursor.is_word("normal") || cursor.is_word("reset") {
            return now(1.0);
        }
        let factor = cursor.part().filter(|factor| *factor >= 0.0)?;
        // Browsers treat 0 as no zoom.
        let factor = if factor == 0.0 { 1.0 } else { factor };
        now(factor.clamp(FACTORS.0, FACTORS.1))
    })?;
    all.iter_mut().for_each(|one| one.stage = Stage::Zoom);
    Some(all)
}

/// Scales the inherited font size, spacing, line height and indent of an element by its zoom. They were computed for
/// the parent's zoom, and are computed again only if a declaration of the element sets them.
pub(super) fn magnify(style: &mut Style) {
    let zoom = style.zoom;
    if zoom == 1.0 {
        return;
    }
    let text = Rc::make_mut(&mut style.text);
    // Zoom factors multiply from ancestor to descendant.
    text.zoom = (text.zoom * zoom).clamp(FACTORS.0, FACTORS.1);
    text.size *= zoom;
    text.letter_spacing *= zoom;
    text.word_spacing *= zoom;
    text.border_spacing = (text.border_spacing.0 * zoom, text.border_spacing.1 * zoom);
    if let LineHeight::Px(height) = &mut text.line_height {
        *height *= zoom;
    }
    if let Length::Linear { px, .. } = &mut text.indent {
        *px *= zoom;
    }
}
