//! Borders of the cells on a page. Two neighbouring cells share an edge, and the stronger border wins. Draws nothing
//! but lines.

use crate::shown::style::{Edge, Stroke};
use convertd_layout::item::Item;
use convertd_tree::{Border, Length, LineKind};
use std::collections::BTreeMap;

/// Borders by their position: index of the line before a row (or column), and index of the column (or row) along this
/// line.
#[derive(Default)]
pub(super) struct EdgeMap {
    /// Horizontal borders.
    across: BTreeMap<(usize, usize), Edge>,
    /// Vertical borders.
    down: BTreeMap<(usize, usize), Edge>,
}

impl EdgeMap {
    /// Adds a border on the horizontal line above the row at this index; the number of rows is the index of the last
    /// line. `None` adds nothing.
    pub(super) fn across(&mut self, line: usize, column: usize, edge: Option<Edge>) {
        put(&mut self.across, (line, column), edge);
    }

    /// Adds a border on the vertical line on the left of the column at this index; the number of columns is the index
    /// of the last line. `None` adds nothing.
    pub(super) fn down(&mut self, line: usize, row: usize, edge: Option<Edge>) {
        put(&mut self.down, (line, row), edge);
    }

    /// Draws all borders. `xs` and `ys` are the starts of columns and rows, followed by the end of the last one.
    pub(super) fn draw(&self, xs: &[f32], ys: &[f32], items: &mut Vec<Item>) {
        let at = |places: &[f32], place: usize| places.get(place).copied().unwrap_or(0.0);
        for (line, from, to, edge) in joined(&self.across) {
            let y = at(ys, line);
            items.push(item((at(xs, from), y), (at(xs, to), y), edge));
        }
        for (line, from, to, edge) in joined(&self.down) {
            let x = at(xs, line);
            items.push(item((x, at(ys, from)), (x, at(ys, to)), edge));
        }
    }
}

/// Adds a border, unless the map already has one at this position that is at least as strong.
fn put(map: &mut BTreeMap<(usize, usize), Edge>, at: (usize, usize), edge: Option<Edge>) {
    let Some(edge) = edge else {
        return;
    };
    let known = map.entry(at).or_insert(edge);
    if edge.stroke > known.stroke {
        *known = edge;
    }
}

/// Joins neighbouring segments with equal borders to lines, because the dash pattern would restart in each cell.
/// Returns the index of the line, the first position along the line, the one after the last, and the border.
fn joined(map: &BTreeMap<(usize, usize), Edge>) -> Vec<(usize, usize, usize, Edge)> {
    let mut all: Vec<(usize, usize, usize, Edge)> = Vec::new();
    for ((line, place), edge) in map {
        match all.last_mut() {
            Some((known, _, to, same)) if *known == *line && *to == *place && same == edge => {
                *to += 1;
            }
            _ => all.push((*line, *place, *place + 1, *edge)),
        }
    }
    all
}

/// A line with the properties of a border.
pub(super) fn item(from: (f32, f32), to: (f32, f32), edge: Edge) -> Item {
    let kind = match edge.stroke {
        Stroke::Thin | Stroke::Medium | Stroke::Thick => LineKind::Solid,
        Stroke::Double => LineKind::Double,
        Stroke::Hair | Stroke::Dotted => LineKind::Dotted,
        Stroke::DashDotDot
        | Stroke::DashDot
        | Stroke::Dashed
        | Stroke::MediumDashDotDot
        | Stroke::SlantDashDot
        | Stroke::MediumDashDot
        | Stroke::MediumDashed => LineKind::Dashed,
    };
    Item::Line {
        from,
        to,
        border: Border {
            width: Length::points(edge.stroke.width().into()),
            colour: Some(edge.colour),
            kind,
            space: None,
        },
    }
}
