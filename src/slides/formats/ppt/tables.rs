//! Recognises tables (MS-PPT 2.9.45; MS-ODRAW 2.3.4.37): groups in which rectangles are the cells and lines are the
//! borders.

use crate::deck::{Cell, Content, Frame, Row, Shape, Table};
use convertd_office::drawing::{Geometry, Line, Place};
use convertd_tree::POINT;

/// Distance up to which two edges count as the same, in English Metric Units.
const NEAR: f64 = POINT;

/// Limit on columns.
const MAX_COLUMNS: usize = 1000;
/// Limit on cells.
const MAX_CELLS: usize = 50_000;

/// Converts frames to a table. The edges of all rectangles form a grid; each rectangle becomes a cell that covers the
/// grid squares between its edges. `None` if the group contains other frames, if cells overlap, or if the grid is empty
/// or too large.
pub(super) fn table(frames: &[Frame]) -> Option<Table> {
    let (mut cells, mut lines) = (Vec::new(), Vec::new());
    for frame in frames {
        let (Some(place), Content::Shape(shape)) = (frame.place, &frame.content) else {
            return None;
        };
        match &shape.geometry {
            Geometry::Rectangle => cells.push((place, &**shape)),
            Geometry::Preset(name, _) if &**name == "line" => lines.push((place, &shape.line)),
            _ => return None,
        }
    }
    let across = edges(
        cells
            .iter()
            .flat_map(|(place, _)| [place.x, place.x + place.width]),
    );
    let down = edges(
        cells
            .iter()
            .flat_map(|(place, _)| [place.y, place.y + place.height]),
    );
    let columns = across.len().checked_sub(1)?;
    let rows = down.len().checked_sub(1)?;
    if columns == 0 || rows == 0 || columns > MAX_COLUMNS || columns * rows > MAX_CELLS {
        return None;
    }
    // Squares that no rectangle covers become empty cells.
    let mut grid: Vec<Vec<Option<Cell>>> = vec![vec![None; columns]; rows];
    for (place, shape) in cells {
        let (left, right) = span(&across, place.x, place.width);
        let (top, bottom) = span(&down, place.y, place.height);
        let edge = |place: Place| of_lines(&lines, place);
        for row in &mut grid[top..bottom] {
            for cell in &mut row[left..right] {
                let is_free = cell.replace(covered()).is_none();
                is_free.then_some(())?;
            }
        }
        grid[top][left] = Some(cell(
            shape,
            ((bottom - top) as u16, (right - left) as u16),
            edge(place),
        ));
    }
    let rows = grid
        .into_iter()
        .zip(down.windows(2))
        .map(|(cells, edges)| Row {
            height: edges[1] - edges[0],
            cells: cells.into_iter().map(Option::unwrap_or_default).collect(),
        });
    Some(Table {
        columns: across.windows(2).map(|edges| edges[1] - edges[0]).collect(),
        rows: rows.collect(),
        headed: true,
    })
}

/// Sorts positions of edges and merges those that are close to each other.
fn edges(all: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all.dedup_by(|edge, before| *edge - *before < NEAR);
    all
}

/// Returns the indices of the edges at `at` and at `at + length`. The indices differ by at least one.
fn span(edges: &[f64], at: f64, length: f64) -> (usize, usize) {
    let before = |at: f64| edges.partition_point(|edge| *edge < at - NEAR);
    let last = edges.len() - 1;
    let from = before(at).min(last - 1);
    (from, before(at + length).clamp(from + 1, last))
}

/// Returns the lines along the left, upper, right and lower edge of a cell. A line may be longer than the cell.
fn of_lines(lines: &[(Place, &Option<Line>)], cell: Place) -> [Option<Line>; 4] {
    let (right, bottom) = (cell.x + cell.width, cell.y + cell.height);
    let is_near = |one: f64, other: f64| (one - other).abs() < NEAR;
    let along =
        |from: f64, length: f64, middle: f64| from - NEAR < middle && middle < from + length + NEAR;
    let at = |x: f64, y: f64, upright: bool| {
        let found = lines.iter().find(|(line, _)| match upright {
            true => line.width < NEAR && is_near(line.x, x) && along(line.y, line.height, y),
            false => line.height < NEAR && is_near(line.y, y) && along(line.x, line.width, x),
        });
        found.and_then(|(_, line)| (*line).clone())
    };
    // A line belongs to an edge if it covers the middle of that edge.
    let (middle, centre) = cell.middle();
    [
        at(cell.x, centre, true),
        at(middle, cell.y, false),
        at(right, centre, true),
        at(middle, bottom, false),
    ]
}

/// Converts a rectangle to a cell. An edge without a line of its own has the outline of the rectangle.
fn cell(shape: &Shape, spans: (u16, u16), lines: [Option<Line>; 4]) -> Cell {
    let own = shape.line.as_ref();
    Cell {
        spans,
        text: shape.text.clone().unwrap_or_default(),
        fill: shape.fill.clone(),
        borders: lines.map(|line| line.or_else(|| own.cloned())),
    }
}

/// Returns the content of a grid square that belongs to a cell further left or above.
fn covered() -> Cell {
    Cell {
        spans: (0, 0),
        ..Cell::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::{Body, Paragraph, Role, Run, Words};
    use std::rc::Rc;

    fn frame(at: [f64; 4], geometry: Geometry, words: &str) -> Frame {
        let [x, y, width, height] = at.map(|points| points * POINT);
        let run = Run {
            text: Words::Text(words.to_owned()),
            look: Rc::default(),
        };
        let text = Body {
            paragraphs: vec![Paragraph {
                runs: vec![run],
                ..Paragraph::default()
            }],
            ..Body::default()
        };
        Frame {
            place: Some(Place {
                x,
                y,
                width,
                height,
                ..Place::default()
            }),
            role: Role::Other,
            alternative: Box::default(),
            link: None,
            content: Content::Shape(Box::new(Shape {
                geometry,
                text: Some(text),
                ..Shape::default()
            })),
        }
    }

    #[test]
    fn rectangles_are_cells_by_their_edges() {
        let cell = |at, words| frame(at, Geometry::Rectangle, words);
        let mut frames = vec![
            cell([0.0, 0.0, 200.0, 20.0], "wide"),
            cell([0.0, 20.0, 100.0, 20.0], "left"),
            cell([100.2, 20.0, 99.8, 20.0], "right"),
            frame(
                [100.0, 20.0, 0.0, 20.0],
                Geometry::Preset("line".into(), Vec::new()),
                "",
            ),
        ];
        let found = table(&frames).unwrap();
        let cells = found.rows.iter().flat_map(|row| &row.cells);
        let cells = cells.map(|cell| {
            let words = cell.text.paragraphs.first().map(Paragraph::plain);
            (cell.spans, words.unwrap_or_default())
        });
        let expected = [
            ((1, 2), "wide"),
            ((0, 0), ""),
            ((1, 1), "left"),
            ((1, 1), "right"),
        ];
        let expected = expected.map(|(spans, words)| (spans, words.to_owned()));
        assert_eq!(cells.collect::<Vec<_>>(), expected);
        // Overlapping cells do not form a table.
        frames.push(cell([0.0, 0.0, 100.0, 20.0], "over"));
        assert!(table(&frames).is_none());
    }
}
