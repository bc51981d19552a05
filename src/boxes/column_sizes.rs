//! Number, width and gap of columns, from styles alone (CSS Multi-column Layout 1, 3 and 4.1). Lays
//! out nothing.

use convertd_markup::css::{grids::gap, style::Style};

/// Limit on the columns of one container. Real pages have far fewer, but `column-width: 1px` would make more.
pub(crate) const MAX_COLUMNS: usize = 1000;

/// Number of columns and their width in px, for a content box `room` px wide (CSS Multi-column
/// Layout 1, 3.4).
pub(crate) fn fitting(style: &Style, room: f32, gap: f32) -> (usize, f32) {
    // Without `column-width`, there are `column-count` columns. With it, there are as many as fit, but at most
    // `column-count`.
    let most = style.column_count.map_or(MAX_COLUMNS, usize::from);
    let count = match style.column_width {
        Some(width) => {
            let fit = (room + gap) / (width.max(1.0) + gap);
            (fit.max(1.0) as usize).min(most)
        }
        None => most,
    };
    let count = count.clamp(1, MAX_COLUMNS);
    let width = (room - (count as f32 - 1.0) * gap) / count as f32;
    (count, width.max(0.0))
}

/// Gap between columns in px: `normal` is 1em (CSS Multi-column Layout 1, 4.1).
pub(crate) fn between(style: &Style, room: f32) -> f32 {
    match style.column_gap.as_ref() {
        Some(own) => gap(Some(own), room),
        None => style.text.size,
    }
}

/// Returns whether a style makes a multi-column container.
pub(super) fn has_columns(style: &Style) -> bool {
    style.column_count.is_some() || style.column_width.is_some()
}

/// Min-content and max-content width of a multi-column container, from those of its content (CSS Sizing 3, 5;
/// Multi-column Layout does not define these widths).
pub(crate) fn extent(style: &Style, (least, most): (f32, f32)) -> (f32, f32) {
    let gap = between(style, 0.0);
    match (style.column_count, style.column_width) {
        // All columns have the same width, so each must hold the widest part of the content.
        (Some(count), None) => {
            let (count, gaps) = (f32::from(count), gap * f32::from(count - 1));
            (least * count + gaps, most * count + gaps)
        }
        (count, Some(width)) => {
            let count = f32::from(count.unwrap_or(1));
            let wide = width.max(least);
            (
                least.min(width).max(width.min(most)),
                (wide * count + gap * (count - 1.0)).max(most),
            )
        }
        (None, None) => (least, most),
    }
}
