//! The borders of the cells on a page. Of two cells that share an edge, the one with the stronger border draws it.

use crate::shown::style::{Edge, Stroke};
use convertd_layout::item::Item;
use convertd_tree::{Border, Length, LineKind};
use std::collections::BTreeMap;

/// Edges by their places on the page: a line between rows or columns, and the column or row that they run along.
#[derive(Default)]
pub(super) struct EdgeMap {
    across: BTreeMap<(usize, usize), Edge>,
    down: BTreeMap<(usize, usize), Edge>,
}

impl EdgeMap {
    /// A border along the line above the row at this place.
    pub(super) fn across(&mut self, line: usize, column: usize, edge: Option<Edge>) {
        put(&mut self.across, (line, column), edge);
    }

    /// A border along the line to the left of the column at this place.
    pub(super) fn down(&mut self, line: usize, row: usize, edge: Option<Edge>) {
        put(&mut self.down, (line, row), edge);
    }

    /// Draws all of them. `xs` and `ys` say where the columns and rows begin, and where the last ones end.
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

fn put(map: &mut BTreeMap<(usize, usize), Edge>, at: (usize, usize), edge: Option<Edge>) {
    let Some(edge) = edge else {
        return;
    };
    let known = map.entry(at).or_insert(edge);
    if edge.stroke > known.stroke {
        *known = edge;
    }
}

/// Neighbours that look the same, as one.
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

/// A line in the look of a border.
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
