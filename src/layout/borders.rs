//! Page borders (ECMA-376 part 1, 17.6.10): lines around a page, or around its text.

use super::{geometry::Geometry, item::Item, medium::Placed, units::points};
use convertd_tree::{Border, BorderedPages, PageBorders};

/// The borders of a page; `None` if this page has no borders. `first` is true for the first page of its section.
/// Positions are relative to the upper left corner of the page.
pub fn of_page(borders: &PageBorders, geometry: &Geometry, first: bool) -> Option<Placed> {
    let is_bordered = match borders.on {
        BorderedPages::All => true,
        BorderedPages::First => first,
        BorderedPages::Others => !first,
    };
    if !is_bordered {
        return None;
    }
    let width = |line: &Option<Border>| line.map_or(0.0, |line| points(line.width));
    let (lines, away) = (&borders.lines, &borders.distances);
    let (near, far) = (lines.start, lines.end);
    let [top, right, bottom, left] = [away.top, away.right, away.bottom, away.left].map(points);
    // The centre lines of the borders. Their distances are measured inwards from the edges of the page, or outwards
    // from the edges of the text.
    let (x, y, to_x, to_y) = if borders.from_page {
        (
            left + width(&near) / 2.0,
            top + width(&lines.top) / 2.0,
            geometry.width - right - width(&far) / 2.0,
            geometry.height - bottom - width(&lines.bottom) / 2.0,
        )
    } else {
        let text = geometry.text();
        (
            geometry.left - left - width(&near) / 2.0,
            geometry.other.0 - top - width(&lines.top) / 2.0,
            geometry.left + text + right + width(&far) / 2.0,
            geometry.other.1 + bottom + width(&lines.bottom) / 2.0,
        )
    };
    let sides = [
        (lines.top, (x, y), (to_x, y)),
        (far, (to_x, y), (to_x, to_y)),
        (lines.bottom, (x, to_y), (to_x, to_y)),
        (near, (x, y), (x, to_y)),
    ];
    let items = sides.into_iter().filter_map(|(border, from, to)| {
        Some(Item::Line {
            from,
            to,
            border: border?,
        })
    });
    Some(Placed {
        x: 0.0,
        y: 0.0,
        items: items.collect(),
    })
}
