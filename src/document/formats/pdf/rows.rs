//! Rows of tables on pages: how high each is, what is drawn for it, and how it is divided where a page ends. Knows no pages.

use super::draw::{Area, Belongs, Draw, Row, SetCell, Strip, lower};
use crate::document::tree::Border;
use std::rc::Rc;

/// Heights that differ by less are equal, in points.
pub(super) const TOLERANCE: f32 = 0.05;

/// The notes that a strip or a cell in it refers to.
pub(super) fn notes_of(strip: &Strip) -> impl Iterator<Item = &[Strip]> {
    let own = strip.notes.iter();
    let cells = strip
        .row
        .iter()
        .flat_map(|row| &row.cells)
        .flat_map(|cell| &cell.strips);
    own.chain(cells.flat_map(|strip| &strip.notes))
        .map(|note| note.strips.as_slice())
}

impl Strip {
    /// A row in two.
    pub(super) fn cut(&self, here: Row, there: Row) -> (Self, Self) {
        let part = |row: Row, whole: &Self| Self {
            height: row.height(),
            row: Some(Box::new(row)),
            frames: whole.frames.clone(),
            head: whole.head.clone(),
            ..Self::default()
        };
        let first = Self {
            before: self.before,
            draws: self.draws.clone(),
            ..part(here, self)
        };
        let second = Self {
            keep: self.keep,
            ..part(there, self)
        };
        (first, second)
    }
}

impl Row {
    /// How high it has to be.
    pub(super) fn height(&self) -> f32 {
        let cells = self
            .cells
            .iter()
            .map(|cell| cell.content() + cell.above + cell.below);
        cells.fold(self.least, f32::max)
    }
}

/// Breaks a row so that its first part is not higher than `room`. None if not every cell with text gets something of it into
/// the first part, or nothing is left for the second one.
pub(super) fn split(row: &Row, room: f32) -> Option<(Row, Row)> {
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut left = false;
    for cell in &row.cells {
        let space = room - cell.above - cell.below;
        let mut used = 0.0;
        let fits = cell.strips.iter().enumerate().take_while(|(at, strip)| {
            used += strip.height + if *at == 0 { 0.0 } else { strip.before };
            used <= space + TOLERANCE
        });
        let count = fits.count();
        if count == 0 && !cell.strips.is_empty() {
            return None;
        }
        let (first, rest) = cell.strips.split_at(count);
        left |= !rest.is_empty();
        // Both parts are closed where the page ends.
        let part = |strips: &[Strip]| SetCell {
            strips: strips.to_vec(),
            lowered: 0.0,
            further: 0.0,
            ..cell.clone_edges()
        };
        here.push(SetCell {
            goes_on: false,
            ..part(first)
        });
        there.push(SetCell {
            from_above: false,
            above: cell.below,
            ..part(rest)
        });
    }
    left.then_some((
        Row {
            cells: here,
            least: 0.0,
        },
        Row {
            cells: there,
            least: 0.0,
        },
    ))
}

impl SetCell {
    fn clone_edges(&self) -> Self {
        Self {
            strips: Vec::new(),
            ..self.clone()
        }
    }
}

/// Everything that is drawn for a row: backgrounds, then borders, then what the cells hold.
pub(super) fn row_draws(row: &Row, height: f32) -> Vec<Draw> {
    let mut draws = Vec::new();
    for cell in &row.cells {
        if let Some(colour) = cell.background {
            let area = Area {
                x: cell.x,
                y: 0.0,
                width: cell.width,
                height: height + cell.further,
            };
            draws.push(Draw::Fill { area, colour });
        }
    }
    for cell in &row.cells {
        let free = (height - cell.above - cell.below - cell.content()).max(0.0);
        let mut y = cell.above + cell.lowered * free;
        for (at, strip) in cell.strips.iter().enumerate() {
            let before = if at == 0 { 0.0 } else { strip.before };
            y += before;
            draws.extend((strip.frames.iter()).map(|frame| frame.draw(y, strip.height, before)));
            let mut inner = strip.draws.clone();
            lower(&mut inner, y);
            draws.append(&mut inner);
            y += strip.height;
        }
    }
    for cell in &row.cells {
        let (left, right) = (cell.x, cell.x + cell.width);
        let mut line = |border: Option<Border>, from: (f32, f32), to: (f32, f32)| {
            if let Some(border) = border {
                draws.push(Draw::Line { from, to, border });
            }
        };
        line(cell.left, (left, 0.0), (left, height));
        line(cell.right, (right, 0.0), (right, height));
        if !cell.from_above {
            line(cell.top, (left, 0.0), (right, 0.0));
        }
        if !cell.goes_on {
            line(cell.bottom, (left, height), (right, height));
        }
    }
    draws
}

/// The same strips as something that belongs to no element: rows that are repeated.
pub(super) fn repeated(strips: &[Strip]) -> Rc<Vec<Strip>> {
    let strips = strips.iter().map(|strip| {
        let mut strip = strip.clone();
        silence(&mut strip);
        strip
    });
    Rc::new(strips.collect())
}

fn silence(strip: &mut Strip) {
    strip.notes.clear();
    strip.head = None;
    strip.draws.retain(|draw| {
        !matches!(
            draw,
            Draw::Anchor { .. } | Draw::Outline { .. } | Draw::Link { .. }
        )
    });
    for draw in &mut strip.draws {
        if let Draw::Text { belongs, .. } | Draw::Picture { belongs, .. } = draw {
            *belongs = Belongs::Layout;
        }
    }
    for cell in strip.row.iter_mut().flat_map(|row| &mut row.cells) {
        cell.strips.iter_mut().for_each(silence);
    }
}
