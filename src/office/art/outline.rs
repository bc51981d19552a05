//! Freeform outlines (MS-ODRAW 2.2.51 to 2.2.53, 2.3.6): an array of points, and an array of segments. Each segment
//! takes the next points. The arc is the only preset shape in this module.

use super::shapes::{Properties, property};
use crate::{
    containers::fields::Fields,
    drawing::{Command, Geometry, Outline, pen::Pen},
};
use std::rc::Rc;

/// Max. number of points of an outline.
const MAX: usize = 100_000;

/// Coordinates below this number refer to formulas. Formulas are not evaluated, so such a shape has no outline.
const CALCULATED: f64 = -2_147_000_000.0;

/// Min. number of points of an outline that is drawn.
const FEWEST: usize = 2;

/// Default coordinate system of a shape: left, top, right, bottom.
const SPACE: [i32; 4] = [0, 0, 21_600, 21_600];

/// Size of an array's header, in bytes: number of elements, allocated number, and size of an element.
const HEAD: usize = 6;

/// Segment types (the upper three bits of a segment), up to `ESCAPE`. The others are types of escapes (the next five
/// bits).
mod step {
    pub(super) const LINE: u16 = 0;
    pub(super) const CURVE: u16 = 1;
    pub(super) const MOVE: u16 = 2;
    pub(super) const CLOSE: u16 = 3;
    pub(super) const END: u16 = 4;
    pub(super) const ESCAPE: u16 = 5;
    // Quarters of ellipses, of which the first begins horizontally (7) or vertically (8).
    pub(super) const QUARTERS: [u16; 2] = [7, 8];
    pub(super) const QUADRATIC: u16 = 9;
    pub(super) const NO_FILL: u16 = 10;
    pub(super) const NO_LINE: u16 = 11;
}

/// Builds the outline of a shape from its points. `None` if the shape has fewer than two points, or needs formulas.
pub(super) fn outline(properties: &Properties<'_>) -> Option<Geometry> {
    let points = points(properties.longer(property::POINTS)?);
    let is_calculated = |(x, y): &(f64, f64)| x.min(*y) < CALCULATED;
    if points.len() < FEWEST || points.iter().any(is_calculated) {
        return None;
    }
    let mut space = space(properties);
    let [left, top, right, bottom] = space;
    if right <= left || bottom <= top {
        // Some programs write an empty coordinate system. Then the bounding box of all points takes its place.
        space = around(&points);
    }
    let mut drawn = Drawn {
        pen: pen(space),
        points: points.into_iter(),
    };
    let steps = properties.longer(property::STEPS).unwrap_or_default();
    // The number of segments, limited to those that the array holds.
    let count = usize::from(steps.u16(0)).min(steps.len().saturating_sub(HEAD) / 2);
    match count {
        0 => drawn.joined(properties.value(property::JOINS).unwrap_or(1)),
        _ => {
            for at in 0..count {
                if drawn.step(steps.u16(HEAD + at * 2)).is_none() {
                    break;
                }
            }
        }
    }
    Some(finished(drawn.pen, space))
}

/// Builds an arc. Its adjustments are the start and end angle, in 1/65536 of a degree. The default is the upper right
/// quarter of an ellipse.
pub(super) fn arc(properties: &Properties<'_>) -> Geometry {
    let space = space(properties);
    let angle = |number: u16, default: f64| {
        let value = properties.value(property::ADJUST + number);
        let value = value.map(|value| f64::from(value.cast_signed()) / 65_536.0);
        value.unwrap_or(default).to_radians()
    };
    let (begin, end) = (angle(0, -90.0), angle(1, 0.0));
    let tau = std::f64::consts::TAU;
    let mut pen = pen(space);
    let whole = f64::from(SPACE[2]);
    pen.arc(
        (0.0, whole),
        (whole, whole),
        begin,
        (end - begin).rem_euclid(tau),
        true,
    );
    // An arc is not filled.
    pen.current.shade = None;
    finished(pen, space)
}

/// Coordinate system of a shape: its left, top, right and bottom edge.
fn space(properties: &Properties<'_>) -> [f64; 4] {
    std::array::from_fn(|at| {
        let value = properties.value(property::SPACE[at]);
        f64::from(value.map_or(SPACE[at], u32::cast_signed))
    })
}

/// Bounding box of points.
fn around(points: &[(f64, f64)]) -> [f64; 4] {
    let mut edges = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for (x, y) in points {
        edges = [
            edges[0].min(*x),
            edges[1].min(*y),
            edges[2].max(*x),
            edges[3].max(*y),
        ];
    }
    edges
}

/// Creates a pen whose origin is the corner of the coordinate system.
fn pen([left, top, ..]: [f64; 4]) -> Pen {
    Pen::new((left, top), (1.0, 1.0))
}

/// Ends the outline, and returns it with the size of its coordinate system.
fn finished(mut pen: Pen, [left, top, right, bottom]: [f64; 4]) -> Geometry {
    pen.end();
    let size = (right - left, bottom - top);
    let outline = Outline {
        paths: pen.paths,
        text: [0.0, 0.0, size.0, size.1],
    };
    Geometry::Drawn(Rc::new(outline), size)
}

/// Reads the points of an array, whose coordinates have 16 or 32 bits.
fn points(array: Fields<'_>) -> Vec<(f64, f64)> {
    // 0xfff0 stands for elements of four bytes.
    let is_short = matches!(array.u16(4), 4 | 0xfff0);
    let size = if is_short { 4 } else { 8 };
    let count = usize::from(array.u16(0)).min(array.len().saturating_sub(HEAD) / size);
    let number = |at: usize| match is_short {
        true => f64::from(array.i16(HEAD + at * 2)),
        false => f64::from(array.i32(HEAD + at * 4)),
    };
    let points = (0..count.min(MAX)).map(|at| (number(2 * at), number(2 * at + 1)));
    points.collect()
}

/// An outline while it is drawn.
struct Drawn {
    pen: Pen,
    /// Points that no segment has used yet.
    points: std::vec::IntoIter<(f64, f64)>,
}

impl Drawn {
    /// Joins all points without segments. `how` (`shapePath`) chooses lines or curves, and whether the outline is
    /// closed.
    fn joined(&mut self, how: u32) {
        let is_curved = matches!(how, 2 | 3);
        let _ = self.go();
        match is_curved {
            true => while self.curve().is_some() {},
            false => while self.line().is_some() {},
        }
        match how {
            0 | 2 => self.pen.current.shade = None,
            _ => self.pen.push(Command::Close),
        }
    }

    /// Draws the segments of an entry. `None` if there are not enough points.
    fn step(&mut self, step: u16) -> Option<()> {
        let count = usize::from(step & 0x1fff).max(1);
        match step >> 13 {
            step::LINE => (0..count).try_for_each(|_| self.line()),
            step::CURVE => (0..count).try_for_each(|_| self.curve()),
            step::MOVE => self.go(),
            step::CLOSE => {
                self.pen.push(Command::Close);
                Some(())
            }
            step::END => {
                self.pen.end();
                Some(())
            }
            step::ESCAPE => self.escape(step >> 8 & 0x1f, usize::from(step & 0xff)),
            _ => Some(()),
        }
    }

    /// Draws an escaped segment with this number of points.
    fn escape(&mut self, kind: u16, count: usize) -> Option<()> {
        match kind {
            _ if step::QUARTERS.contains(&kind) => {
                let mut across = kind == step::QUARTERS[0];
                for _ in 0..count {
                    let to = self.points.next()?;
                    self.pen.quarter(to, across);
                    across = !across;
                }
            }
            step::QUADRATIC => {
                for _ in 0..count / 2 {
                    let control = self.points.next()?;
                    let to = self.points.next()?;
                    self.pen.quadratic(control, to);
                }
            }
            step::NO_FILL => self.pen.current.shade = None,
            step::NO_LINE => self.pen.current.stroked = false,
            // Arcs (1 to 6) do not occur in known freeform shapes; lines to their points are drawn instead. Hints for
            // editors need no points.
            1..=6 => {
                for _ in 0..count {
                    self.line()?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Moves to the next point.
    fn go(&mut self) -> Option<()> {
        let to = self.points.next()?;
        self.pen.at = to;
        let (x, y) = self.pen.point(to);
        self.pen.push(Command::Move(x, y));
        Some(())
    }

    /// Draws a line to the next point.
    fn line(&mut self) -> Option<()> {
        let to = self.points.next()?;
        self.pen.line(to);
        Some(())
    }

    /// Draws a Bézier curve with the next three points.
    fn curve(&mut self) -> Option<()> {
        let (one, two) = (self.points.next()?, self.points.next()?);
        let to = self.points.next()?;
        self.pen.curve(one, two, to);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{art::Record, drawing::Shade};
    use Command::{Close, Curve, Line, Move};

    /// Returns the commands of the first path of a shape with these points and segments, and its fill.
    fn drawn(points: &[i16], steps: &[u16], space: [u32; 2]) -> (Vec<Command>, Option<Shade>) {
        let mut after = Vec::new();
        let mut array = |count: usize, size: u16, units: Vec<u16>| {
            let from = after.len();
            for unit in [count as u16, count as u16, size].into_iter().chain(units) {
                after.extend(unit.to_le_bytes());
            }
            (after.len() - from) as u32
        };
        let points = points
            .iter()
            .map(|at| at.cast_unsigned())
            .collect::<Vec<_>>();
        let values = [
            (322, space[0]),
            (323, space[1]),
            (0x8000 | 325, array(points.len() / 2, 0xfff0, points)),
            (0x8000 | 326, array(steps.len(), 2, steps.to_vec())),
        ];
        let mut table = Vec::new();
        for (number, value) in values {
            table.extend(u16::to_le_bytes(number));
            table.extend(value.to_le_bytes());
        }
        table.extend(after);
        let mut shape = (4_u16 << 4 | 3).to_le_bytes().to_vec();
        shape.extend(0xf00b_u16.to_le_bytes());
        shape.extend((table.len() as u32).to_le_bytes());
        shape.extend(table);
        let shape = Record {
            data: Fields(&shape),
            ..Record::default()
        };
        let Some(Geometry::Drawn(outline, _)) = outline(&Properties::of(shape)) else {
            panic!("nothing is drawn");
        };
        let first = &outline.paths[0];
        (first.commands.clone(), first.shade)
    }

    #[test]
    fn an_empty_coordinate_space_is_the_bounding_box() {
        let (commands, _) = drawn(&[5, 5, 15, 5, 15, 25], &[0x4000, 2, 0x6001], [0, 0]);
        assert_eq!(commands[..2], [Move(0.0, 0.0), Line(10.0, 0.0)]);
    }

    #[test]
    fn segments_consume_points() {
        #[track_caller]
        fn check(points: &[i16], steps: &[u16], expected: &[Command], filled: bool) {
            let shade = filled.then_some(Shade::Plain);
            assert_eq!(drawn(points, steps, [10, 10]), (expected.to_vec(), shade));
        }
        let square = [0, 0, 10, 0, 10, 10];
        let lines = [Move(0.0, 0.0), Line(10.0, 0.0), Line(10.0, 10.0), Close];
        check(&square, &[0x4000, 2, 0x6001, 0x8000], &lines, true);
        check(&square, &[], &lines, true);
        // No fill, and more segments than there are points.
        check(&square, &[0x4000, 0xaa00, 1, 0x2002], &lines[..2], false);
        let curve = [lines[0], Curve([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])];
        check(
            &[0, 0, 1, 2, 3, 4, 5, 6],
            &[0x4000, 0xac00, 0x2001],
            &curve,
            true,
        );
    }
}
