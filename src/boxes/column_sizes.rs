//! Number and width of columns, by styles alone (CSS Multi-column Layout 1, 3).

use convertd_markup::css::{grids::gap, style::Style};

/// The most columns of one container.
pub(crate) const MOST_COLUMNS: usize = 1000;

/// The number of columns in this much room, and their width (CSS Multi-column Layout 1, 3.4).
pub(crate) fn fitting(style: &Style, room: f32, gap: f32) -> (usize, f32) {
    let most = style.column_count.map_or(MOST_COLUMNS, usize::from);
    let count = match style.column_width {
        Some(width) => {
            let fit = (room + gap) / (width.max(1.0) + gap);
            (fit.max(1.0) as usize).min(most)
        }
        None => most,
    };
    let count = count.clamp(1, MOST_COLUMNS);
    let width = (room - (count as f32 - 1.0) * gap) / count as f32;
    (count, width.max(0.0))
}

/// Gap between columns.
pub(crate) fn between(style: &Style, room: f32) -> f32 {
    match style.column_gap.as_ref() {
        Some(own) => gap(Some(own), room),
        None => style.text.size,
    }
}

/// Whether a style asks for columns.
pub(super) fn has_columns(style: &Style) -> bool {
    style.column_count.is_some() || style.column_width.is_some()
}

/// The least and the largest useful width of a container by those of its content.
pub(crate) fn extent(style: &Style, (least, most): (f32, f32)) -> (f32, f32) {
    let gap = between(style, 0.0);
    match (style.column_count, style.column_width) {
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
